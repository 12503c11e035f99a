"""A square grid with big fields in it: Magalon's board while it is measured."""

from __future__ import annotations

import itertools
import math
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from calibration.measuring.step import Spot
from engine.geometry import Point

START = "start"
ITEMS = ("amulet", "stone", "ring")
FIELDS = (START, *ITEMS)
Place = tuple[int, int]  # column and row, from the upper left


@dataclass(frozen=True, slots=True)
class Block:
    """Places from ``first`` to ``last``, both included."""

    first: Place
    last: Place

    @staticmethod
    def around(places: Iterable[Place]) -> Block:
        """The smallest block with all places."""
        columns, rows = zip(*places, strict=True)
        return Block((min(columns), min(rows)), (max(columns), max(rows)))

    @property
    def places(self) -> frozenset[Place]:
        """All places in it."""
        return frozenset(
            (c, r)
            for c in range(self.first[0], self.last[0] + 1)
            for r in range(self.first[1], self.last[1] + 1)
        )


@dataclass(frozen=True)
class Track:
    """Marks along a line: ``corners`` are the centres of its first and last mark and, where the line
    turns, of marks between them; ``moved``: marks that were dragged elsewhere, by value."""

    corners: tuple[Point, ...] = ()
    first: int = 0
    last: int = 20
    moved: Mapping[int, Point] = field(default_factory=dict)

    @property
    def values(self) -> range:
        """What is printed on the marks."""
        return range(self.first, self.last + 1)

    @property
    def pitch_mm(self) -> float:
        """From one mark to the next."""
        return _length(self.corners) / max(1, len(self.values) - 1)

    @property
    def centres(self) -> dict[int, Point]:
        """Centre of every mark; empty before both ends are known."""
        if len(self.corners) < 2:
            return {}
        even = {v: _along(self.corners, i * self.pitch_mm) for i, v in enumerate(self.values)}
        return {v: self.moved.get(v, at) for v, at in even.items()}

    @property
    def polygons(self) -> dict[int, tuple[Point, ...]]:
        """A square round every centre, in line with the way the track runs there."""
        centres = self.centres
        values = list(centres)
        out = {}
        for i, value in enumerate(values):
            a, b = centres[values[max(0, i - 1)]], centres[values[min(len(values) - 1, i + 1)]]
            out[value] = _square(centres[value], b[0] - a[0], b[1] - a[1], self.pitch_mm / 2)
        return out

    @property
    def gaps(self) -> list[tuple[int, int]]:
        """Neighbouring marks that are far apart, or lie on one another."""
        centres, pitch = self.centres, self.pitch_mm
        pairs = zip(self.values, list(self.values)[1:], strict=False)
        return [
            (a, b)
            for a, b in (pairs if centres else ())
            if not 0.55 * pitch < math.dist(centres[a], centres[b]) < 1.6 * pitch
        ]


@dataclass(frozen=True)
class GridDraft:
    """``xs`` and ``ys``: the lines, mm; ``fields``: big fields by role; ``holes``: places where the
    print has no cell; cells below are ids."""

    size_mm: tuple[float, float]
    xs: tuple[float, ...]
    ys: tuple[float, ...]
    fields: Mapping[str, Block] = field(default_factory=dict)
    holes: frozenset[Place] = frozenset()
    red: frozenset[Spot] = frozenset()
    giant: Spot | None = None
    goblins: tuple[Spot, ...] = ()
    ruins: tuple[tuple[Spot, ...], ...] = ()
    loose: tuple[Spot, ...] = ()  # tapped cells that are no L yet
    track: Track = field(default_factory=Track)
    printed: Mapping[str, int] = field(default_factory=dict)  # "goblin_steps/3" to number

    @property
    def columns(self) -> int:
        """How many."""
        return len(self.xs) - 1

    @property
    def rows(self) -> int:
        """How many."""
        return len(self.ys) - 1

    def place_at(self, at: Point) -> Place | None:
        """Column and row under a point, cells or not."""
        c, r = bisect_right(self.xs, at[0]) - 1, bisect_right(self.ys, at[1]) - 1
        return (c, r) if 0 <= c < self.columns and 0 <= r < self.rows else None

    def name_of(self, place: Place) -> Spot:
        """a1 is at the lower left."""
        return f"{_letters(place[0])}{self.rows - place[1]}"

    def polygon_of(self, block: Block) -> tuple[Point, ...]:
        """Its outline, from the upper left."""
        left, top = self.xs[block.first[0]], self.ys[block.first[1]]
        right, low = self.xs[block.last[0] + 1], self.ys[block.last[1] + 1]
        return ((left, top), (right, top), (right, low), (left, low))

    @cached_property
    def covered(self) -> dict[Place, str]:
        """Which big field lies on a place."""
        return {p: role for role, block in self.fields.items() for p in block.places}

    @cached_property
    def places(self) -> dict[Spot, Block]:
        """Every cell's places: ordinary cells and big fields."""
        out: dict[Spot, Block] = {}
        for c in range(self.columns):
            for r in range(self.rows):
                if (c, r) not in self.covered and (c, r) not in self.holes:
                    out[self.name_of((c, r))] = Block((c, r), (c, r))
        return out | dict(self.fields)

    @cached_property
    def cells(self) -> dict[Spot, tuple[Point, ...]]:
        """See ``Draft``."""
        return {spot: self.polygon_of(block) for spot, block in self.places.items()}

    @cached_property
    def ordinary(self) -> dict[Spot, tuple[Point, ...]]:
        """Cells that are no big field."""
        return {s: polygon for s, polygon in self.cells.items() if s not in self.fields}

    @cached_property
    def neighbours(self) -> dict[Spot, tuple[Spot, ...]]:
        """Cells that share a side."""
        at = {p: spot for spot, block in self.places.items() for p in block.places}
        out: dict[Spot, tuple[Spot, ...]] = {}
        for spot, block in self.places.items():
            near: dict[Spot, None] = {}
            for c, r in sorted(block.places):
                for beside in ((c - 1, r), (c, r - 1), (c + 1, r), (c, r + 1)):
                    other = at.get(beside)
                    if other is not None and other != spot:
                        near[other] = None
            out[spot] = tuple(near)
        return out

    def unreachable(self) -> tuple[Spot, ...]:
        """Cells to which no way leads from the start field, or else from most of the others."""
        rest, parts = set(self.cells), list[set[Spot]]()
        while rest:
            part, edge = set[Spot](), [rest.pop()]
            while edge:
                spot = edge.pop()
                part.add(spot)
                edge += [n for n in self.neighbours[spot] if n not in part]
            rest -= part
            parts.append(part)
        home = next((p for p in parts if START in p), max(parts, key=len, default=set()))
        return tuple(s for s in self.cells if s not in home)

    def l_shaped(self, spots: Iterable[Spot]) -> bool:
        """Whether three to five ordinary cells lie in an L: two arms that meet at its corner."""
        wanted = tuple(spots)
        if not 3 <= len(wanted) <= 5 or any(s not in self.ordinary for s in wanted):
            return False
        places = {self.places[s].first for s in wanted}
        box = Block.around(places)
        (x0, y0), (x1, y1) = box.first, box.last
        if min(x1 - x0, y1 - y0) < 1 or x1 - x0 + y1 - y0 + 1 != len(places) or len(places) != len(wanted):  # fmt: skip
            return False
        corners = ((x0, y0), (x1, y0), (x1, y1), (x0, y1))
        return any(all(c == x or r == y for c, r in places) for x, y in corners)

    def resized(self, size_mm: tuple[float, float]) -> GridDraft:
        """See ``Draft``."""
        x, y = size_mm[0] / self.size_mm[0], size_mm[1] / self.size_mm[1]
        track = replace(
            self.track,
            corners=tuple((a * x, b * y) for a, b in self.track.corners),
            moved={v: (a * x, b * y) for v, (a, b) in self.track.moved.items()},
        )
        lines = tuple(v * x for v in self.xs), tuple(v * y for v in self.ys)
        return replace(self, size_mm=size_mm, xs=lines[0], ys=lines[1], track=track)

    def board(self) -> dict[str, Any]:
        """See ``Draft``."""
        return {
            "cells": [self._cell(spot) for spot in self.cells],
            "ruin_start": [list(r) for r in self.ruins],
            "energy_track": [
                {"value": v, "polygon_mm": _rounded(p)} for v, p in self.track.polygons.items()
            ],
            "printed_numbers": self._printed(),
        }

    def _cell(self, spot: Spot) -> dict[str, Any]:
        roles = list(self._roles(spot))
        return {
            "id": spot, "polygon_mm": _rounded(self.cells[spot]),
            "neighbours": list(self.neighbours[spot]), "roles": roles,
        }  # fmt: skip

    def _roles(self, spot: Spot) -> Iterator[str]:
        if spot == START:
            yield "start"
        elif spot in ITEMS:
            yield "item"
        if spot in self.red:
            yield "energy"
        if spot == self.giant:
            yield "giant_start"
        if spot in self.goblins:
            yield "goblin_start"

    def _printed(self) -> dict[str, dict[str, int]]:
        out: dict[str, dict[str, int]] = {}
        for key, value in self.printed.items():
            group, card = key.split("/")
            out.setdefault(group, {})[card] = value
        return out


def even_lines(low: float, high: float, count: int) -> tuple[float, ...]:
    """The lines of ``count`` equal cells from ``low`` to ``high``."""
    return tuple(low + (high - low) * i / count for i in range(count + 1))


def _rounded(polygon: Iterable[Point]) -> list[list[float]]:
    return [[round(x, 2), round(y, 2)] for x, y in polygon]


def _letters(column: int) -> str:
    text = ""
    while True:
        text = chr(ord("a") + column % 26) + text
        column = column // 26 - 1
        if column < 0:
            return text


def _length(points: tuple[Point, ...]) -> float:
    return sum(math.dist(a, b) for a, b in itertools.pairwise(points))


def _along(points: tuple[Point, ...], way: float) -> Point:
    for a, b in itertools.pairwise(points):
        length = math.dist(a, b)
        if way <= length and length > 0:
            return a[0] + (b[0] - a[0]) * way / length, a[1] + (b[1] - a[1]) * way / length
        way -= length
    return points[-1]


def _square(at: Point, dx: float, dy: float, half: float) -> tuple[Point, ...]:
    length = math.hypot(dx, dy) or 1.0
    ux, uy = dx / length * half, dy / length * half
    x, y = at
    return (
        (x - ux + uy, y - uy - ux), (x + ux + uy, y + uy - ux),
        (x + ux - uy, y + uy + ux), (x - ux - uy, y - uy + ux),
    )  # fmt: skip
