"""The figures as lines for people."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence

from vision.evaluation.dice import DiceTally
from vision.evaluation.statistics import Share, spread
from vision.evaluation.tally import NOTHING, Tally

MOST_CONFUSIONS = 12


def lines(tally: Tally) -> Iterator[str]:
    """One round of one folder or film."""
    n = tally.pieces
    yield (
        f"{tally.name}: pieces right {Share(tally.right, n)}, missed {n - tally.cell},"
        f" not there {tally.extra}"
    )
    yield f"  cell {Share(tally.cell, n)}; cell and colour {Share(tally.colour, n)}; cell and kind {Share(tally.kind, n)}"
    lost = f", board not found in {tally.boards_lost}" if tally.boards_lost else ""
    yield f"  boards whole {Share(tally.boards_right, tally.boards)}{lost}"
    if tally.track:
        yield f"  stones on their mark {Share(tally.track[True], tally.track.total())}"
    if tally.hands:
        seen, false = (
            Share(tally.hands[there, True], tally.hands[there, True] + tally.hands[there, False])
            for there in (True, False)
        )
        yield f"  hands found {seen}; false hands {false}"
    yield from _feet(tally)
    if tally.corner_px:
        corners, cells = spread(tally.corner_px), spread(tally.cell_percent)
        yield f"  corners off by {corners.median:.2f} px (95th percentile {corners.p95:.2f}), cell centres by {cells.median:.1f} % of a cell ({cells.p95:.1f})"
    yield from _kinds(tally)
    yield from _confusions(tally)
    yield from _calibration(tally)


def _feet(tally: Tally) -> Iterator[str]:
    mm = spread([v for row in tally.foot_mm.values() for v in row])
    px = spread([v for row in tally.foot_px.values() for v in row])
    if mm.count:
        yield (
            f"  foot error: median {mm.median:.2f} mm, 95th percentile {mm.p95:.2f} mm"
            f" ({px.median:.2f} and {px.p95:.2f} px), {mm.count} pieces"
        )


def _kinds(tally: Tally) -> Iterator[str]:
    for kind in tally.kinds:
        foot = spread(tally.foot_mm.get(kind, []))
        error = "" if foot.median is None else f", foot {foot.median:.2f} mm ({foot.p95:.2f})"
        yield f"  {kind:14} precision {tally.precision(kind)}, recall {tally.recall(kind)}{error}"


def _confusions(tally: Tally) -> Iterator[str]:
    wrong = [(n, a, b) for (a, b), n in tally.confusion.items() if a != b]
    if wrong:
        yield "  taken for something else (true → read):"
    for n, a, b in sorted(wrong, key=lambda row: (-row[0], row[1], row[2]))[:MOST_CONFUSIONS]:
        yield f"    {n:4} {a} → {'missed' if b == NOTHING else b}"


def _calibration(tally: Tally) -> Iterator[str]:
    table = tally.calibration
    if table.error is None:
        return
    yield f"  confidence: expected calibration error {table.error:.3f}, Brier score {table.brier:.3f}"
    for low, mean, share in table.rows:
        yield f"    {low:.1f}–{low + 0.1:.1f}: mean confidence {100 * mean:5.1f} %, right {share}"


def in_order(rounds: Sequence[Tally]) -> list[Tally]:
    """Rounds of lessons, the worst first."""
    return sorted(rounds, key=lambda t: (t.right - t.extra, t.right))


def rounds_lines(rounds: Sequence[Tally]) -> Iterator[str]:
    """Median and worst of several rounds of lessons."""
    by_right = in_order(rounds)
    worst, middle = by_right[0], by_right[(len(by_right) - 1) // 2]
    yield f"{middle.name}: {len(rounds)} rounds, each picture taught by another one in each"
    for word, tally in (("median", middle), ("worst", worst)):
        n = tally.pieces
        wrong_colour = tally.cell - tally.colour
        yield (
            f"  {word:6} pieces right {Share(tally.right, n)}, missed or on a wrong cell"
            f" {n - tally.cell}, wrong colour {wrong_colour}, not there {tally.extra},"
            f" boards whole {Share(tally.boards_right, tally.boards)}"
        )
    missed = statistics.median(t.pieces - t.cell for t in rounds)
    extra = statistics.median(t.extra for t in rounds)
    yield f"  medians by themselves: missed {missed:g}, not there {extra:g}; worst missed {max(t.pieces - t.cell for t in rounds)}, not there {max(t.extra for t in rounds)}"


def dice_lines(tally: DiceTally) -> Iterator[str]:
    """The dice of one folder."""
    yield f"{tally.name}: dice read right at the labelled place {Share(tally.given, tally.placed)}"
    yield (
        f"  found by themselves {Share(tally.found, tally.dice)}, with the right pips"
        f" {Share(tally.found_right, tally.dice)}; found dice that are there"
        f" {Share(tally.found, tally.found + tally.false)}"
    )
    for (a, b), n in sorted(tally.confusion.items()):
        if a != b:
            yield f"    {n:4} {a} → {b}"
