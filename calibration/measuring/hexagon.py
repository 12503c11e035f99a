"""Measuring the board of Das Magische Hexagon: a map of six-sided cells."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from calibration.measuring.step import CellsStep, Number, Said, Shape, SizeStep, Spot, Step
from engine.geometry import Point
from engine.hexagon.grid import DIRECTIONS
from vision.types import Image

SIZE_MM = (500.0, 500.0)
ACROSS = 9
SIDE = 10  # wizards, and so start cells, of a side (H-3)
Axial = tuple[int, int]


@dataclass(frozen=True)
class HexDraft:
    """``row``: centres of the first and last cell of the longest row; ``across``: how many cells it
    has; ``added`` and ``removed``: places where the map is not a regular hexagon."""

    size_mm: tuple[float, float]
    row: tuple[Point, ...] = ()
    across: int = ACROSS
    added: frozenset[Axial] = frozenset()
    removed: frozenset[Axial] = frozenset()
    flames: frozenset[Spot] = frozenset()
    red: frozenset[Spot] = frozenset()
    other: frozenset[Spot] = frozenset()

    @cached_property
    def _step(self) -> tuple[Point, Point] | None:
        """From a cell to the next one in the row, and to the one below to the right."""
        if len(self.row) < 2:
            return None
        (x0, y0), (x1, y1) = self.row
        n = self.across - 1
        ux, uy = (x1 - x0) / n, (y1 - y0) / n
        if ux < 0 or (ux == 0 and uy < 0):  # tapped from the right: the row still runs to the right
            ux, uy = -ux, -uy
        half, high = 0.5, math.sqrt(3) / 2
        return (ux, uy), (half * ux - high * uy, high * ux + half * uy)

    def centre_of(self, at: Axial) -> Point:
        """Centre of a place of the lattice, whether it has a cell or not."""
        step = self._step
        assert step is not None
        (ux, uy), (vx, vy) = step
        first = min(self.row)
        q, r = at[0] + (self.across - 1) // 2, at[1]
        return first[0] + q * ux + r * vx, first[1] + q * uy + r * vy

    def place_at(self, at: Point) -> Axial | None:
        """The lattice's place under a point."""
        step = self._step
        if step is None:
            return None
        (ux, uy), (vx, vy) = step
        x, y = at[0] - self.centre_of((0, 0))[0], at[1] - self.centre_of((0, 0))[1]
        d = ux * vy - vx * uy
        q, r = (x * vy - vx * y) / d, (ux * y - uy * x) / d
        near = [(math.floor(q) + i, math.floor(r) + j) for i in (0, 1) for j in (0, 1)]
        return min(near, key=lambda p: math.dist(self.centre_of(p), at))

    @cached_property
    def places(self) -> tuple[Axial, ...]:
        """All places with a cell."""
        if self._step is None:
            return ()
        radius = (self.across - 1) // 2
        whole = {
            (q, r)
            for q in range(-radius, radius + 1)
            for r in range(-radius, radius + 1)
            if abs(q + r) <= radius
        }
        return tuple(sorted((whole - self.removed) | self.added))

    @cached_property
    def cells(self) -> dict[Spot, tuple[Point, ...]]:
        """See ``Draft``."""
        step = self._step
        if step is None:
            return {}
        (ux, uy), _ = step
        far, turn = math.hypot(ux, uy) / math.sqrt(3), math.atan2(uy, ux)
        ring = [(far * math.cos(a), far * math.sin(a)) for a in (turn + math.pi / 6 + k * math.pi / 3 for k in range(6))]  # fmt: skip
        out = {}
        for at in self.places:
            x, y = self.centre_of(at)
            out[name_of(at)] = tuple((x + dx, y + dy) for dx, dy in ring)
        return out

    def resized(self, size_mm: tuple[float, float]) -> HexDraft:
        """See ``Draft``."""
        x, y = size_mm[0] / self.size_mm[0], size_mm[1] / self.size_mm[1]
        return replace(self, size_mm=size_mm, row=tuple((a * x, b * y) for a, b in self.row))

    def board(self) -> dict[str, Any]:
        """See ``Draft``."""
        at = dict.fromkeys(self.places)
        cells = []
        for q, r in self.places:
            spot = name_of((q, r))
            near = [(q + dq, r + dr) for dq, dr in DIRECTIONS.values()]
            cells.append({
                "id": spot, "axial": [q, r],
                "polygon_mm": [[round(x, 2), round(y, 2)] for x, y in self.cells[spot]],
                "neighbours": [name_of(p) for p in near if p in at],
                "roles": [role for role, spots in self._roles.items() if spot in spots],
            })  # fmt: skip
        return {"cells": cells, "other_colour": "blue"}

    @property
    def _roles(self) -> Mapping[str, frozenset[Spot]]:
        return {"flame": self.flames, "start_red": self.red, "start_other": self.other}


def name_of(at: Axial) -> Spot:
    """+0-1, as in the reference board."""
    return f"{at[0]:+d}{at[1]:+d}"


def begin(picture: Image | None, size_mm: tuple[float, float] = SIZE_MM) -> HexDraft:
    """The first draft: nothing but the size."""
    return HexDraft(size_mm)


class MapStep(Step[HexDraft]):
    """Both ends of the longest row; afterwards taps take cells away or add them."""

    name = "map"

    def prompt(self, draft: HexDraft) -> Said:
        return Said(("measure.map_first", "measure.map_last", "measure.map_done")[len(draft.row)])

    def numbers(self, draft: HexDraft) -> tuple[Number, ...]:
        return (Number("across", draft.across, 3, 25, 2),)

    def change(self, draft: HexDraft, name: str, value: int) -> HexDraft:
        return replace(draft, across=value, added=frozenset(), removed=frozenset())

    def tap(self, draft: HexDraft, at: Point) -> HexDraft:
        if len(draft.row) < 2:
            return draft if at in draft.row else replace(draft, row=(*draft.row, at))
        place = draft.place_at(at)
        if place is None:
            return draft
        if place in draft.added:
            return replace(draft, added=draft.added - {place})
        if place in draft.removed:
            return replace(draft, removed=draft.removed - {place})
        if place in draft.places:
            return replace(draft, removed=draft.removed | {place})
        beside = any((place[0] + dq, place[1] + dr) in draft.places for dq, dr in DIRECTIONS.values())  # fmt: skip
        return replace(draft, added=draft.added | {place}) if beside else draft

    def drag(self, draft: HexDraft, path: tuple[Point, ...]) -> HexDraft:
        """Moves an end of the row; before both are known, a path along the row gives both."""
        if len(draft.row) < 2:
            return replace(draft, row=(path[0], path[-1])) if path[0] != path[-1] else draft
        near = min((0, 1), key=lambda i: math.dist(draft.row[i], path[0]))
        pitch = math.dist(*draft.row) / (draft.across - 1)
        if math.dist(draft.row[near], path[0]) > pitch or path[-1] == draft.row[1 - near]:
            return draft
        row = (path[-1], draft.row[1]) if near == 0 else (draft.row[0], path[-1])
        return replace(draft, row=row)

    def shapes(self, draft: HexDraft) -> list[Shape]:
        cells = [Shape("cell", polygon) for polygon in draft.cells.values()]
        return cells + [Shape("handle", (at,)) for at in draft.row]

    def problems(self, draft: HexDraft) -> list[Said]:
        if len(draft.row) < 2:
            return [Said("measure.problem_map")]
        alone = tuple(
            name_of((q, r))
            for q, r in draft.places
            if not any((q + dq, r + dr) in draft.places for dq, dr in DIRECTIONS.values())
        )
        if alone:
            return [Said("measure.problem_unreachable", {"cell": alone[0], "n": len(alone)}, alone)]
        return _outside(draft)


def _outside(draft: HexDraft) -> list[Said]:
    width, height = draft.size_mm
    out = tuple(
        s
        for s, polygon in draft.cells.items()
        if any(not (-2 <= x <= width + 2 and -2 <= y <= height + 2) for x, y in polygon)
    )
    return [Said("measure.problem_outside", {"cell": out[0], "n": len(out)}, out)] if out else []


class FlamesStep(CellsStep[HexDraft]):
    """The flames: at least one."""

    def __init__(self) -> None:
        super().__init__("flames", "flames", "energy")

    def problems(self, draft: HexDraft) -> list[Said]:
        return [] if draft.flames & set(draft.cells) else [Said("measure.problem_flames")]


class HomesStep(CellsStep[HexDraft]):
    """The start cells of a side; no flame among them (H-3)."""

    def problems(self, draft: HexDraft) -> list[Said]:
        found = super().problems(draft)
        both = tuple(sorted(self._of(draft) & (draft.flames | (draft.red & draft.other))))
        if both:
            found.append(Said("measure.problem_twice", {"cell": both[0]}, both))
        return found


STEPS: tuple[Step[HexDraft], ...] = (
    SizeStep(), MapStep(), FlamesStep(), HomesStep("start_red", "red", "wrong", SIDE),
    HomesStep("start_other", "other", "chosen", SIDE),
)  # fmt: skip
