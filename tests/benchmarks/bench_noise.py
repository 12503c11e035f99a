"""How badly the eyes see on a film with truth: the rates behind ``engine.simulation.noise``.

    python -m tests.benchmarks.bench_noise ../shared/renders/magalon-dev.json

The film is read as ``watch`` reads it, pieces learnt from its first view.  Per piece put down, at its
first still moment: read right, as another look, beside its cell, twice, or overlooked; per still
moment: things that are not there, spots that falsely look changed, and changed ones that do not.
Every rate comes with its count, because one film has few of them.
"""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from companion_app.pipeline import TablePipeline
from engine.board import Board, load_board
from engine.files import read_json
from engine.game import Header, Player
from engine.observation import Observation, SeenPiece
from engine.placement import PieceInfo, Placement, track_spot
from engine.referee.looking import within_two
from engine.rooms import room_for
from vision.detector import Detector
from vision.eyes import Eyes, board_reference
from vision.reading import inventory_counts
from vision.scene import SceneWatch
from vision.sources import open_source

Spots = frozenset[str]
SURE = 0.5  # a thing seen with less confidence is a faint one
STILL_S = 0.6
NEAR = 1.6  # cells: a thing this near to a piece is the piece, read beside its spot


def opened(path: Path) -> tuple[dict[str, Any], Board, Placement]:
    """A film's truth, its board, and where everything stands at the start."""
    truth = read_json(path, "the truth of the film")
    board = load_board(path.parent / truth["board"])
    room = room_for(str(board.game))
    players = tuple(Player(c, c) for c in truth["players"])
    start = room.placement(room.start(Header(str(board.game), str(path), players), board))
    return truth, board, start


def main() -> None:
    path = Path(sys.argv[1])
    truth, board, start = opened(path)
    reference = board_reference(board, path.parent / truth["reference"])
    eyes = Eyes(board, Detector(), reference, inventory_counts(board, frozenset(truth["players"])))
    scene = SceneWatch(board, reference=reference)
    pipeline = TablePipeline(open_source(str(path.parent / truth["film"])), eyes, scene, start)
    counts = measure(pipeline, truth["events"], start, board)
    report(counts)


def measure(
    pipeline: TablePipeline, events: list[dict[str, Any]], start: Placement, board: Board
) -> Counter[str]:
    """Counts over all still moments."""
    counts: Counter[str] = Counter()
    now = {p: frozenset(s) for p, s in start.pieces.items()}
    steps = [e for e in events if "settled_from" in e]
    fresh: list[str] = []
    ends: set[str] = set()
    told, changed = True, set[str]()
    for view in pipeline.views():
        while steps and view.frame.t_s >= steps[0]["settled_from"] - 1e-6:
            event, told, changed = steps.pop(0), False, set()
            if "piece" in event:
                piece, to = event["piece"], place_of(event)
                ends |= to ^ now[piece]
                now[piece] = to
                fresh.append(piece)
        seen = view.observation
        if seen is not None:
            changed |= seen.changed or set()
        if told or seen is None or seen.hand or seen.still_s < STILL_S:
            continue
        told = True
        counts += _moment(seen, now, fresh, start, board)
        counts += Counter({
            "compared": 1, "ends": len(ends), "unnoticed": len(ends - changed),
            "flushed": len(changed - ends), "flushed beside": len(_beside(board, ends, changed)),
        })  # fmt: skip
        pipeline.accepted(_placement(start, now))
        fresh, ends = [], set()
    return counts


def _beside(board: Board, ends: set[str], changed: set[str]) -> set[str]:
    """Changed spots within two cells of where something came or went: tall pieces, shadows."""
    near = within_two(board, ends)
    return (changed - ends) & near


def place_of(event: dict[str, Any]) -> Spots:
    """Where an event puts its piece."""
    if "track" in event:
        return frozenset({track_spot(event["track"])})
    to = event["to"]
    return frozenset((to,) if isinstance(to, str) else to or ())


def _placement(start: Placement, now: dict[str, Spots]) -> Placement:
    return Placement({p: tuple(sorted(s)) for p, s in now.items()}, start.infos)


def _moment(
    seen: Observation, now: dict[str, Spots], fresh: list[str], start: Placement, board: Board
) -> Counter[str]:
    """One still moment: the pieces just put down, and things that are none."""
    counts: Counter[str] = Counter(moments=1)
    there = {(start.infos[p].kind, start.infos[p].colour, s) for p, s in now.items()}
    things = [t for t in seen.pieces if t.best.kind not in ("die", "chip") and t.best.spots]
    for piece in set(fresh):
        if now[piece]:
            counts["put down"] += 1
            counts[read_as(piece, things, now, start.infos, board)] += 1
    for thing in things:
        if looks_of(thing) not in there:
            counts["ghosts" if thing.confidence >= SURE else "faint things"] += 1
    return counts


def looks_of(thing: SeenPiece) -> tuple[str, str | None, Spots]:
    """What a thing is read as: kind, colour, spots."""
    return thing.best.kind, thing.best.colour, frozenset(thing.best.spots)


def read_as(
    piece: str,
    things: list[SeenPiece],
    now: dict[str, Spots],
    infos: Mapping[str, PieceInfo],
    board: Board,
) -> str:
    """How a piece is read: "right", "doubled", "swapped", "beside" or "overlooked".  What looks like it
    further away is another thing that is taken for it."""
    info, spots = infos[piece], now[piece]
    others = {s for p, s in now.items() if p != piece and infos[p].kind == info.kind
              and infos[p].colour == info.colour}  # fmt: skip
    same = [
        looks_of(t)[2] for t in things
        if (t.best.kind, t.best.colour) == (info.kind, info.colour) and looks_of(t)[2] not in others
        and t.confidence >= SURE
    ]  # fmt: skip
    if spots in same:
        return "right" if len(same) == 1 else "doubled"
    if any(looks_of(t)[2] == spots and t.confidence >= SURE for t in things):
        return "swapped"
    near = NEAR * board.cell_size_mm
    return "beside" if any(_apart(board, spots, s) < near for s in same) else "overlooked"


def _apart(board: Board, first: Spots, second: Spots) -> float:
    """Millimetres from the middle of some spots to that of others."""
    one, two = (
        [sum(board.centres[s][k] for s in spots) / len(spots) for k in (0, 1)]
        for spots in (first, second)
    )
    return math.dist(one, two)


def report(counts: Counter[str]) -> None:
    placed, moments, compared = (max(1, counts[k]) for k in ("put down", "moments", "compared"))
    print(f"{counts['moments']} still moments, {counts['put down']} pieces put down")
    for name in ("right", "overlooked", "swapped", "beside", "doubled"):
        print(f"{name:14} {counts[name]:4} = {counts[name] / placed:.3f} of pieces put down")
    for name in ("ghosts", "faint things"):
        print(f"{name:14} {counts[name]:4} = {counts[name] / moments:.2f} per still moment")
    print(
        f"{'flushed':14} {counts['flushed']:4} = {counts['flushed'] / compared:.2f} per comparison"
    )
    beside = counts["flushed beside"] / max(1, counts["flushed"])
    print(
        f"{'':14} {counts['flushed beside']:4} = {beside:.2f} of these within two cells of an end"
    )
    rate = counts["unnoticed"] / max(1, counts["ends"])
    print(f"{'unnoticed':14} {counts['unnoticed']:4} = {rate:.3f} of changed spots")


if __name__ == "__main__":
    main()
