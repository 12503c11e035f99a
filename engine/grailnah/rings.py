"""A round board as moves see it: rings, sectors, rays, stairs, gates, all as ids.

Everything is read off the board file: how many rings there are, how many cells each has (it may
grow outwards), where the magic circle runs, and where castles and stairs may stand.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

from engine.board import Board, per_board
from engine.errors import BoardFileError
from engine.geometry import Point, centroid

GOAL, INSIDE, STAIR, CASTLE_PLACE = "goal", "magic_circle_inside", "stair", "castle_place"
# A ray must pass through a cell by at least this share of the narrowest cell on its way, so that
# cells that only meet at a corner, or a board that is measured a little askew, are not on it.
RAY_SHARE = 0.05
# Two cells meet at a corner when they miss each other by at most this share of the narrower one.
CORNER_SHARE = 0.15

Way = tuple[str, ...]
Span = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Gates:
    """The cells onto which a castle opens: ``lateral`` for knights, ``royal`` for King and Queen."""

    lateral: tuple[str, ...]
    royal: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Rings:
    """The geometry of one board.

    ``ring``: number of every cell's ring, 0 for the centre; ``side``: the next cell along the
    ring, clockwise and the other way, None where the ring is broken; ``inner`` and ``outer``:
    touching cells one ring nearer to the centre and one further; ``gates``: of every castle place.
    """

    board: Board
    goal: str
    ring: Mapping[str, int]
    side: Mapping[str, tuple[str | None, str | None]]
    inner: Mapping[str, Way]
    outer: Mapping[str, Way]
    inside: frozenset[str]
    stairs: frozenset[str]
    links: Mapping[str, Way]
    gates: Mapping[str, Gates]

    def along(self, cell: str, direction: int) -> Way:
        """The cells after ``cell`` along its ring, clockwise (0) or the other way (1), up to a gap
        in the ring or back to ``cell``, which then comes last."""
        return self._along[direction][cell]

    @cached_property
    def _along(self) -> tuple[dict[str, Way], dict[str, Way]]:
        return self._walks(0), self._walks(1)

    def _walks(self, direction: int) -> dict[str, Way]:
        out: dict[str, Way] = {}
        for cell in self.ring:
            way: list[str] = []
            here = self.side[cell][direction]
            while here is not None and here != cell:
                way.append(here)
                here = self.side[here][direction]
            out[cell] = (*way, cell) if here is not None else tuple(way)
        return out

    @cached_property
    def inward(self) -> Mapping[str, tuple[Way, ...]]:
        """Per cell the straight ways towards the centre, nearest cell first, as far as they go."""
        return {c: tuple(self._rays(c, self.inner)) for c in self.ring}

    @cached_property
    def outward(self) -> Mapping[str, tuple[Way, ...]]:
        """Per cell the straight ways away from the centre, nearest cell first."""
        return {c: tuple(self._rays(c, self.outer)) for c in self.ring}

    def _rays(self, cell: str, onward: Mapping[str, Way]) -> Iterator[Way]:
        start = self._spans.get(cell)  # None: from the centre every ray is open
        open_ways: list[tuple[Way, Span | None, float]] = [((), start, math.inf)]
        while open_ways:
            way, span, narrow = open_ways.pop()
            further = []
            for other in onward[way[-1] if way else cell]:
                if other == self.goal:
                    further.append(((*way, other), span, narrow))
                    continue
                own = self._spans[other]
                both = own if span is None else _common(span, own)
                width = min(narrow, own[1] - own[0])
                if both is not None and both[1] - both[0] > RAY_SHARE * width:
                    further.append(((*way, other), both, width))
            if further:
                open_ways.extend(further)
            elif way:
                yield way

    @cached_property
    def _spans(self) -> dict[str, Span]:
        """Per cell the angles (radians) that it covers, seen from the centre."""
        middle = self.board.centres[self.goal]
        return {
            c: _span(self.board.cells[c].polygon_mm, middle) for c in self.ring if c != self.goal
        }

    @cached_property
    def diagonal(self) -> Mapping[str, Way]:
        """Cells one ring and one sector away: they meet at a corner (G-A37)."""
        out: dict[str, Way] = {}
        for cell in self.ring:
            found: dict[str, None] = {}
            if cell == self.goal:
                out[cell] = ()
                continue
            for onward, back in ((self.inner, self.outer), (self.outer, self.inner)):
                for middle in onward[cell]:
                    for other in self.side[middle] if middle != self.goal else ():
                        beside = {c for c in self.side[cell] if c is not None}
                        if other is None or other in onward[cell] or other == self.goal:
                            continue
                        if beside & set(back[other]) and self._meet(cell, other):
                            found[other] = None
            out[cell] = tuple(found)
        return out

    def _meet(self, a: str, b: str) -> bool:
        """Whether two cells of neighbouring rings end at the same angle."""
        one, two = self._spans[a], self._spans[b]
        near = min(one[1] - one[0], two[1] - two[0]) * CORNER_SHARE
        gaps = (
            max(two[0] + turn - one[1], one[0] - two[1] - turn)
            for turn in (-2 * math.pi, 0.0, 2 * math.pi)
        )
        return min(gaps) <= near

    @cached_property
    def steps(self) -> Mapping[str, Way]:
        """All cells one step forward, back or sideways."""
        return {
            c: tuple(
                dict.fromkeys(
                    (*self.inner[c], *self.outer[c], *(s for s in self.side[c] if s is not None))
                )
            )
            for c in self.ring
        }

    @cached_property
    def exits(self) -> Mapping[str, tuple[Way, ...]]:
        """Per castle place the ways of a knight that leaves: a lateral gate, and on from there."""
        out: dict[str, tuple[Way, ...]] = {}
        for place, gates in self.gates.items():
            ways = []
            for gate in gates.lateral:
                direction = self._away(place, gate)
                onward = () if direction is None else self.along(gate, direction)
                ways.append((gate, *(c for c in onward if c not in (gate, place))))
            out[place] = tuple(ways)
        return out

    def _away(self, place: str, gate: str) -> int | None:
        """The direction along the ring that leads from a castle through a gate and on."""
        if self.ring[gate] != self.ring[place]:
            return None
        ways = [self.along(place, d) for d in (0, 1)]
        found = [(way.index(gate), d) for d, way in enumerate(ways) if gate in way]
        return min(found)[1] if found else None


@per_board
def rings_of(board: Board) -> Rings:
    """Reads the geometry; raises BoardFileError with one sentence for a board that has none."""
    goals = board.with_role(GOAL)
    if len(goals) != 1:
        raise BoardFileError(f"a board of Grailnah has one cell with the role {GOAL}")
    goal = goals[0]
    ring, order = _ring_numbers(board, goal)
    side = _sides(board, order) | {goal: (None, None)}
    cells = board.cells
    inner = {c: tuple(n for n in cells[c].neighbours if ring[n] < ring[c]) for c in ring}
    outer = {c: tuple(n for n in cells[c].neighbours if ring[n] > ring[c]) for c in ring}
    inside = frozenset(board.with_role(INSIDE)) | {goal}
    stairs = frozenset(board.with_role(STAIR))
    return Rings(
        board, goal, ring, side, inner, outer, inside, stairs,
        _links(board, stairs), _gates(board, stairs),
    )  # fmt: skip


def _ring_numbers(board: Board, goal: str) -> tuple[dict[str, int], dict[int, list[str]]]:
    ring, order = {goal: 0}, dict[int, list[str]]()
    sectors: dict[str, int] = {}
    for cell in board.cells.values():
        if cell.id == goal:
            continue
        numbers = [cell.extra.get(key) for key in ("ring", "sector")]
        fine = all(isinstance(n, int) and not isinstance(n, bool) for n in numbers)
        if not fine or numbers[0] < 1:  # type: ignore[operator]
            raise BoardFileError(f"cell {cell.id} needs the numbers of its ring and its sector")
        ring[cell.id], sectors[cell.id] = numbers  # type: ignore[assignment]
        order.setdefault(ring[cell.id], []).append(cell.id)
    for number, cells in order.items():
        cells.sort(key=sectors.__getitem__)
        for a, b in pairwise(cells):
            if sectors[a] == sectors[b]:
                raise BoardFileError(f"ring {number} has sector {sectors[a]} twice ({a}, {b})")
    return ring, order


def _sides(
    board: Board, order: Mapping[int, Sequence[str]]
) -> dict[str, tuple[str | None, str | None]]:
    side: dict[str, tuple[str | None, str | None]] = {}
    for cells in order.values():
        n = len(cells)
        for i, cell in enumerate(cells):
            near = set(board.cells[cell].neighbours)
            after, before = cells[(i + 1) % n], cells[i - 1]
            side[cell] = (after if after in near else None, before if before in near else None)
    return side


def _links(board: Board, stairs: frozenset[str]) -> dict[str, Way]:
    """Which stairs lead to which: all to all, or groups of linked ones."""
    raw = board.raw.get("stair_links", "all")
    groups: list[list[Any]] = [sorted(stairs)] if raw == "all" else []
    if isinstance(raw, (list, tuple)):
        groups = [list(g) if isinstance(g, (list, tuple)) else [g] for g in raw]
    elif isinstance(raw, Mapping):
        groups = [
            [a, b]
            for a, ends in raw.items()
            for b in (ends if isinstance(ends, (list, tuple)) else [ends])
        ]
    elif raw != "all":
        raise BoardFileError('stair_links must be "all" or a list of lists of linked stairs')
    links: dict[str, dict[str, None]] = {s: {} for s in stairs}
    for group in groups:
        for stair in group:
            if not isinstance(stair, str) or stair not in stairs:
                raise BoardFileError(f"stair_links names {stair!r}, which is no stair")
            links[stair] |= {other: None for other in group if other != stair}
    return {s: tuple(others) for s, others in links.items()}


def _gates(board: Board, stairs: frozenset[str]) -> dict[str, Gates]:
    raw = board.raw.get("castles", {})
    if not isinstance(raw, Mapping):
        raise BoardFileError("castles must map castle places to their gates")
    out: dict[str, Gates] = {}
    for place, gates in raw.items():
        if not isinstance(gates, Mapping):
            raise BoardFileError(
                f"the castle place {place} needs its lateral gates and a royal one"
            )
        kinds = [_cells(board, place, gates.get(kind), kind) for kind in ("lateral", "royal")]
        if place not in board.cells or place in stairs:
            raise BoardFileError(f"the castle place {place} is no ordinary cell of the board")
        out[str(place)] = Gates(*kinds)
    return out


def _cells(board: Board, place: str, value: Any, kind: str) -> Way:
    cells = (value,) if isinstance(value, str) else value
    fine = isinstance(cells, (list, tuple)) and bool(cells)
    if not fine or any(not isinstance(c, str) or c not in board.cells or c == place for c in cells):
        raise BoardFileError(f"the {kind} gate of the castle place {place} must name other cells")
    return tuple(cells)


def _span(polygon: Sequence[Point], middle: Point) -> Span:
    """The angles from ``middle`` that a cell covers: the first in [0, 2 pi), both ascending."""
    x, y = centroid(polygon)
    axis = math.atan2(y - middle[1], x - middle[0])
    offsets = [
        (math.atan2(b - middle[1], a - middle[0]) - axis + math.pi) % (2 * math.pi) - math.pi
        for a, b in polygon
    ]
    low = (axis + min(offsets)) % (2 * math.pi)
    return low, low + max(offsets) - min(offsets)


def _common(a: Span, b: Span) -> Span | None:
    """What two ranges of angles have in common, as a part of the first."""
    best: Span | None = None
    for turn in (-2 * math.pi, 0.0, 2 * math.pi):
        low, high = max(a[0], b[0] + turn), min(a[1], b[1] + turn)
        if low < high and (best is None or high - low > best[1] - best[0]):
            best = (low, high)
    return best
