"""A user who measures a board that is known: what he taps, from the truth and what is shown."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from calibration.measuring.measuring import Measuring
from engine.board import Board
from engine.geometry import Point


@dataclass(frozen=True)
class Touch:
    """A path in board mm; one place: a tap."""

    path: tuple[Point, ...]


@dataclass(frozen=True)
class Change:
    """A number is set; ``pad``: by one key, else by steps of a plus or minus button."""

    name: str
    value: int


@dataclass(frozen=True)
class Take:
    """All proposals are taken."""


@dataclass(frozen=True)
class Next:
    """On to the next step."""


Gesture = Touch | Change | Take | Next


def measure(board: Board, now: Measuring) -> Iterator[Gesture]:
    """The gestures that measure ``board``; each is to be carried out before the next one is asked
    for, because the user looks at what is shown."""
    truth = {"magalon": _magalon, "hexagon": _hexagon, "grailnah": _grailnah}[now.game]
    yield Next()  # the size is right
    yield from truth(board, now)


def taps_of(gesture: Gesture, now: Measuring) -> int:
    """How often the finger goes down for it."""
    if isinstance(gesture, Change):
        number = next(n for n in now.numbers if n.name == gesture.name)
        if number.pad:
            return 1
        assert number.value is not None
        return math.ceil(abs(gesture.value - number.value) / number.step)
    return 1


def perform(gesture: Gesture, now: Measuring) -> None:
    """Carries a gesture out."""
    if isinstance(gesture, Touch):
        now.touch(gesture.path)
    elif isinstance(gesture, Change):
        now.change(gesture.name, gesture.value)
    elif isinstance(gesture, Take):
        now.take_proposed()
    else:
        assert now.next(), now.problems


def _tap(board: Board, spot: str) -> Touch:
    return Touch((board.centres[spot],))


def _over(board: Board, *spots: str) -> Touch:
    return Touch(tuple(board.centres[s] for s in spots))


def _cells(board: Board, now: Measuring, role: str, have: str) -> Iterator[Gesture]:
    """Shows one cell, takes the proposals when they are right, and mends the rest."""
    wanted = set(board.with_role(role))
    yield _tap(board, sorted(wanted)[0])
    if now.proposed and set(now.proposed) <= wanted:
        yield Take()
    for spot in sorted(set(getattr(now.draft, have)) ^ wanted):
        yield _tap(board, spot)


def _magalon(board: Board, now: Measuring) -> Iterator[Gesture]:
    xs = sorted({x for c in board.cells.values() for x, _ in c.polygon_mm})
    ys = sorted({y for c in board.cells.values() for _, y in c.polygon_mm})
    for name, lines in (("columns", xs), ("rows", ys)):
        if next(n for n in now.numbers if n.name == name).value != len(lines) - 1:
            yield Change(name, len(lines) - 1)
    assert math.dist(now.draft.xs, xs) < 3 and math.dist(now.draft.ys, ys) < 3
    yield Next()
    cell = board.cell_size_mm
    for role in ("start", "amulet", "stone", "ring"):
        polygon = board.cells[role].polygon_mm
        (x0, y0), (x1, y1) = polygon[0], polygon[2]
        yield Touch(((x0 + cell / 2, y0 + cell / 2), (x1 - cell / 2, y1 - cell / 2)))
    yield Next()
    yield from _cells(board, now, "energy", "red")
    yield Next()
    for spot in (*board.with_role("giant_start"), *board.with_role("goblin_start")):
        yield _tap(board, spot)
    yield Next()
    ruins = [tuple(r) for r in board.raw["ruin_start"]]
    yield _over(board, *ruins[0])
    wanted = {frozenset(r) for r in ruins}
    if now.proposed and set(now.proposed) <= {s for r in ruins for s in r}:
        yield Take()
    for ruin in wanted - {frozenset(r) for r in now.draft.ruins}:
        corner = max(ruin, key=lambda s: len(set(board.cells[s].neighbours) & ruin))
        arms = [s for s in ruin if s != corner]
        yield _over(board, arms[0], corner, arms[1])
    yield Next()
    marks = {v: board.centres[f"track/{v}"] for v in board.track}
    yield Touch((marks[min(marks)],))
    yield Touch((marks[max(marks)],))
    yield Next()
    for group, numbers in board.raw["printed_numbers"].items():
        if group == "origin":
            continue
        for card, value in numbers.items():
            number = next(n for n in now.numbers if n.name == f"{group}_{card}")
            if number.value != value:
                yield Change(number.name, value)


def _hexagon(board: Board, now: Measuring) -> Iterator[Gesture]:
    row = sorted(
        (c.extra["axial"][0], c.id) for c in board.cells.values() if c.extra["axial"][1] == 0
    )
    yield _tap(board, row[0][1])
    yield _tap(board, row[-1][1])
    if now.draft.across != len(row):
        yield Change("across", len(row))
    yield Next()
    yield from _cells(board, now, "flame", "flames")
    yield Next()
    for role, have in (("start_red", "red"), ("start_other", "other")):
        for line in _rows(board, board.with_role(role)):
            yield _over(board, line[0], line[-1])
        assert set(getattr(now.draft, have)) == set(board.with_role(role))
        if not now.last:
            yield Next()


def _rows(board: Board, spots: tuple[str, ...]) -> list[list[str]]:
    lines: dict[int, list[str]] = {}
    for spot in spots:
        lines.setdefault(round(board.centres[spot][1]), []).append(spot)
    return [sorted(line, key=lambda s: board.centres[s][0]) for line in lines.values()]


def _grailnah(board: Board, now: Measuring) -> Iterator[Gesture]:
    middle = board.centres["grail"]

    def outer(spot: str) -> float:
        return max(math.dist(p, middle) for p in board.cells[spot].polygon_mm)

    rings = max(c.extra.get("ring", 0) for c in board.cells.values())
    sectors = sum(c.extra.get("ring") == 1 for c in board.cells.values())
    yield Touch(((middle[0] + outer("grail"), middle[1]),))
    yield Touch(((middle[0], middle[1] + outer(f"{rings}/0")),))
    if now.draft.rings != rings:
        yield Change("rings", rings)
    yield Next()
    if now.draft.sectors[0] != sectors:
        yield Change("from_1", sectors)
    yield Next()
    inside = max(
        board.cells[c].extra.get("ring", 0) for c in board.with_role("magic_circle_inside")
    )
    yield Touch(((middle[0], middle[1] - outer(f"{inside}/0")),))
    yield Next()
    for spot in board.with_role("castle_place"):
        yield _tap(board, spot)
    yield Next()
    yield Next()  # the gates are right
    yield from _cells(board, now, "stair", "stairs")
