"""A round board of rings and sectors: Grailnah's while it is measured."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from calibration.measuring.step import Spot
from engine.geometry import Point

GOAL = "grail"
ARC_DEG = 7.5  # an arc is drawn by points at most so far apart
TOUCH = 0.05  # of the narrower sector: so much must two cells share to touch
SEATS = (2, 3, 4)
Gates = tuple[tuple[Spot, ...], tuple[Spot, ...]]  # lateral, royal


@dataclass(frozen=True)
class RingsDraft:
    """``radii``: of the centre and the outer edge of every ring, growing, mm; ``sectors``: cells of
    every ring; ``turn_deg``: where the middle of sector 0 lies, clockwise from the top;
    ``circle``: rings inside the magic circle; ``gates``: what was corrected by hand."""

    size_mm: tuple[float, float]
    centre: Point
    radii: tuple[float, ...] = ()
    sectors: tuple[int, ...] = ()
    turn_deg: float = 0.0
    circle: int | None = None
    castles: tuple[Spot, ...] = ()
    gates: dict[Spot, Gates] = field(default_factory=dict)
    stairs: frozenset[Spot] = frozenset()

    @property
    def rings(self) -> int:
        """How many rings lie round the centre."""
        return max(0, len(self.radii) - 1)

    def angle_of(self, at: Point) -> float:
        """Degrees clockwise from the top."""
        dx, dy = at[0] - self.centre[0], at[1] - self.centre[1]
        return math.degrees(math.atan2(dx, -dy)) % 360

    def radius_of(self, at: Point) -> float:
        """Distance from the centre, mm."""
        return math.dist(at, self.centre)

    def point(self, angle_deg: float, radius: float) -> Point:
        """The place at an angle and a distance."""
        a = math.radians(angle_deg)
        return self.centre[0] + radius * math.sin(a), self.centre[1] - radius * math.cos(a)

    def span(self, ring: int, sector: int) -> tuple[float, float]:
        """The angles from which to which a cell goes."""
        wide = 360 / self.sectors[ring - 1]
        start = self.turn_deg + (sector - 0.5) * wide
        return start, start + wide

    @cached_property
    def cells(self) -> dict[Spot, tuple[Point, ...]]:
        """See ``Draft``."""
        if not self.rings:
            return {}
        out: dict[Spot, tuple[Point, ...]] = {
            GOAL: tuple(self.point(a, self.radii[0]) for a in _steps(0, 360)[:-1])
        }
        for ring in range(1, self.rings + 1):
            for sector in range(self.sectors[ring - 1]):
                angles = _steps(*self.span(ring, sector))
                inner = [self.point(a, self.radii[ring - 1]) for a in angles]
                outer = [self.point(a, self.radii[ring]) for a in reversed(angles)]
                out[f"{ring}/{sector}"] = (*inner, *outer)
        return out

    @cached_property
    def neighbours(self) -> dict[Spot, tuple[Spot, ...]]:
        """Along the ring first, then inwards and outwards."""
        out: dict[Spot, list[Spot]] = {spot: [] for spot in self.cells}
        for ring in range(1, self.rings + 1):
            count = self.sectors[ring - 1]
            for sector in range(count):
                spot = f"{ring}/{sector}"
                for other in dict.fromkeys(((sector + 1) % count, (sector - 1) % count)):
                    if other != sector:
                        out[spot].append(f"{ring}/{other}")
        for ring in range(1, self.rings + 1):
            for sector in range(self.sectors[ring - 1]):
                spot = f"{ring}/{sector}"
                for other in self.inner(ring, sector):
                    out[spot].append(other)
                    out[other].append(spot)
        return {spot: tuple(near) for spot, near in out.items()}

    def inner(self, ring: int, sector: int) -> Iterator[Spot]:
        """The cells one ring nearer to the centre that a cell touches."""
        if ring == 1:
            yield GOAL
            return
        count = self.sectors[ring - 2]
        a0, a1 = self.span(ring, sector)
        least = TOUCH * min(360 / count, a1 - a0)
        for other in range(count):
            b0, b1 = self.span(ring - 1, other)
            for turn in (-360, 0, 360):
                if min(a1, b1 + turn) - max(a0, b0 + turn) > least:
                    yield f"{ring - 1}/{other}"
                    break

    def gates_of(self, castle: Spot) -> Gates:
        """Lateral and royal gates: as corrected, else both cells beside it and the one inwards."""
        if castle in self.gates:
            return self.gates[castle]
        ring, sector = (int(v) for v in castle.split("/"))
        near = self.neighbours[castle]
        lateral = tuple(n for n in near if n != GOAL and int(n.split("/")[0]) == ring)
        inwards = list(self.inner(ring, sector))
        middle = sum(self.span(ring, sector)) / 2
        royal = min(inwards, key=lambda s: _apart(middle, self._middle(s)))
        return lateral, (royal,)

    def _middle(self, spot: Spot) -> float:
        if spot == GOAL:
            return 0.0
        ring, sector = (int(v) for v in spot.split("/"))
        return sum(self.span(ring, sector)) / 2

    @property
    def castle_places(self) -> dict[str, list[Spot]]:
        """For 2 to 4 castles the marked places that lie round the board most evenly."""
        out: dict[str, list[Spot]] = {}
        for count in SEATS:
            if len(self.castles) >= count:
                out[str(count)] = self._even(count)
        return out

    def _even(self, count: int) -> list[Spot]:
        best: tuple[float, list[Spot]] | None = None
        for first in self.castles:
            start = self._middle(first)
            chosen = [first]
            error = 0.0
            for i in range(1, count):
                wanted = start + 360 * i / count
                free = [c for c in self.castles if c not in chosen]
                chosen.append(min(free, key=lambda c: _apart(wanted, self._middle(c))))
                error += _apart(wanted, self._middle(chosen[-1]))
            if best is None or error < best[0] - 1e-6:
                best = (error, chosen)
        return best[1] if best else []

    def resized(self, size_mm: tuple[float, float]) -> RingsDraft:
        """See ``Draft``; circles stay circles."""
        x, y = size_mm[0] / self.size_mm[0], size_mm[1] / self.size_mm[1]
        centre = (self.centre[0] * x, self.centre[1] * y)
        radii = tuple(r * math.sqrt(x * y) for r in self.radii)
        return replace(self, size_mm=size_mm, centre=centre, radii=radii)

    def board(self) -> dict[str, Any]:
        """See ``Draft``."""
        gates = {c: self.gates_of(c) for c in self.castles if c in self.cells}
        return {
            "cells": [self._cell(spot) for spot in self.cells],
            "castle_places": self.castle_places,
            "castles": {
                c: {"lateral": list(lateral), "royal": royal[0] if len(royal) == 1 else list(royal)}
                for c, (lateral, royal) in gates.items()
            },
            "stair_links": "all",
        }

    def _cell(self, spot: Spot) -> dict[str, Any]:
        raw: dict[str, Any] = {"id": spot}
        roles = []
        if spot == GOAL:
            roles += ["goal", "magic_circle_inside"]
        else:
            raw["ring"], raw["sector"] = (int(v) for v in spot.split("/"))
            if raw["ring"] <= (self.circle or 0):
                roles.append("magic_circle_inside")
        roles += ["castle_place"] * (spot in self.castles) + ["stair"] * (spot in self.stairs)
        polygon = [[round(x, 2), round(y, 2)] for x, y in self.cells[spot]]
        return raw | {
            "polygon_mm": polygon, "neighbours": list(self.neighbours[spot]), "roles": roles
        }  # fmt: skip


def _apart(a: float, b: float) -> float:
    return abs((a - b + 180) % 360 - 180)


def _steps(start: float, end: float) -> list[float]:
    count = max(1, math.ceil((end - start) / ARC_DEG - 1e-9))
    return [start + (end - start) * i / count for i in range(count + 1)]
