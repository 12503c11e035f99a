"""What all steps of measuring a board share.

A *draft* is an immutable value; a step turns what a finger does on the flattened photograph into
the next draft, so that undo is keeping the old ones.  Places are millimetres on the printed face.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Generic, Protocol, TypeVar

from calibration.measuring.likeness import Likeness
from engine.geometry import Point

Spot = str  # id of a cell


class Draft(Protocol):
    """As much of a draft as is the same for all games."""

    @property
    def size_mm(self) -> tuple[float, float]:
        """Width and height of the printed face."""

    @property
    def cells(self) -> Mapping[Spot, tuple[Point, ...]]:
        """Polygons of the cells so far."""

    def resized(self, size_mm: tuple[float, float]) -> Draft:
        """The same board, its face of another size: everything keeps its place on the picture."""

    def board(self) -> dict[str, Any]:
        """What the board file holds of it: cells and what the game needs."""


D = TypeVar("D", bound=Draft)


@dataclass(frozen=True, slots=True)
class Said:
    """A text of the catalogue; ``spots``: the cells that it is about."""

    key: str
    params: Mapping[str, Any] = field(default_factory=dict)
    spots: tuple[Spot, ...] = ()


@dataclass(frozen=True, slots=True)
class Number:
    """A number that can be changed; ``value`` None: not known yet.  ``pad``: it is chosen from a
    row of keys, and the next one follows by itself."""

    name: str
    value: int | None
    least: int
    most: int
    step: int = 1
    pad: bool = False


@dataclass(frozen=True, slots=True)
class Shape:
    """Something to be drawn over the photograph.

    ``kind``: line, cell, chosen, start, energy, mark, track, proposed, wrong, handle.
    """

    kind: str
    points: tuple[Point, ...]
    closed: bool = True
    label: str = ""


class Step(Generic[D]):
    """One step; the default takes nothing and has nothing to say."""

    name = ""
    title = ""  # key of its heading; default: measure.NAME

    def prompt(self, draft: D) -> Said:
        """What the finger is to do now."""
        return Said(f"measure.{self.name}_do")

    def tap(self, draft: D, at: Point) -> D:
        """A finger went down and up at a place."""
        return draft

    def drag(self, draft: D, path: tuple[Point, ...]) -> D:
        """A finger went along a path of two or more places."""
        return draft

    def numbers(self, draft: D) -> tuple[Number, ...]:
        """The numbers of this step."""
        return ()

    def change(self, draft: D, name: str, value: int) -> D:
        """Another value for one of them."""
        return draft

    def propose(self, draft: D, likeness: Likeness | None) -> tuple[Spot, ...]:
        """Cells that look like those that were shown, and are not taken yet."""
        return ()

    def take(self, draft: D, spots: Iterable[Spot]) -> D:
        """Takes proposed cells."""
        return draft

    def shapes(self, draft: D) -> list[Shape]:
        """What this step has brought."""
        return []

    def problems(self, draft: D) -> list[Said]:
        """What is wrong or missing."""
        return []


def toggled(spots: frozenset[Spot], spot: Spot | None) -> frozenset[Spot]:
    """With the cell, or without it where it was in."""
    return spots if spot is None else spots ^ {spot}


def spot_at(draft: Draft, at: Point) -> Spot | None:
    """The cell at a place."""
    from engine.geometry import contains

    return next((s for s, polygon in draft.cells.items() if contains(polygon, at)), None)


def spots_along(draft: Draft, path: tuple[Point, ...], every_mm: float = 4.0) -> tuple[Spot, ...]:
    """The cells under a path, each once, in order."""
    found: dict[Spot, None] = {}
    for a, b in itertools.pairwise(path):
        steps = max(1, int(max(abs(b[0] - a[0]), abs(b[1] - a[1])) / every_mm))
        for i in range(steps + 1):
            at = (a[0] + (b[0] - a[0]) * i / steps, a[1] + (b[1] - a[1]) * i / steps)
            spot = spot_at(draft, at)
            if spot is not None:
                found[spot] = None
    return tuple(found)


def cell_shapes(draft: Draft, spots: Iterable[Spot], kind: str) -> list[Shape]:
    """Some cells as shapes."""
    return [Shape(kind, draft.cells[s]) for s in spots if s in draft.cells]


class SizeStep(Step[D]):
    """How large the printed face is."""

    name = "size"

    def numbers(self, draft: D) -> tuple[Number, ...]:
        width, height = draft.size_mm
        return (
            Number("width", round(width), 100, 2000, 5), Number("height", round(height), 100, 2000, 5)
        )  # fmt: skip

    def change(self, draft: D, name: str, value: int) -> D:
        width, height = draft.size_mm
        size = (float(value), height) if name == "width" else (width, float(value))
        return draft.resized(size)  # type: ignore[return-value]


class CellsStep(Step[D]):
    """Cells of one kind, marked one by one or along a path; those that look alike are proposed."""

    def __init__(self, name: str, attribute: str, kind: str, needed: int = 0) -> None:
        self.name, self._attribute, self._kind, self._needed = name, attribute, kind, needed

    def _of(self, draft: D) -> frozenset[Spot]:
        return frozenset(getattr(draft, self._attribute))

    def _with(self, draft: D, spots: frozenset[Spot]) -> D:
        return replace(draft, **{self._attribute: spots})  # type: ignore[type-var]

    def allowed(self, draft: D) -> Mapping[Spot, tuple[Point, ...]]:
        """The cells that can be marked."""
        return draft.cells

    def tap(self, draft: D, at: Point) -> D:
        spot = spot_at(draft, at)
        return self._with(draft, toggled(self._of(draft), spot if spot in self.allowed(draft) else None))  # fmt: skip

    def drag(self, draft: D, path: tuple[Point, ...]) -> D:
        found = [s for s in spots_along(draft, path) if s in self.allowed(draft)]
        return self._with(draft, self._of(draft) | set(found))

    def propose(self, draft: D, likeness: Likeness | None) -> tuple[Spot, ...]:
        chosen = self._of(draft)
        if likeness is None or not chosen:
            return ()
        return likeness.alike(self.allowed(draft), chosen)

    def take(self, draft: D, spots: Iterable[Spot]) -> D:
        return self._with(draft, self._of(draft) | set(spots))

    def shapes(self, draft: D) -> list[Shape]:
        return cell_shapes(draft, self._of(draft), self._kind)

    def problems(self, draft: D) -> list[Said]:
        count = len([s for s in self._of(draft) if s in draft.cells])
        if self._needed and count != self._needed:
            what = {"n": count, "needed": self._needed}
            return [Said(f"measure.problem_{self.name}", what)]
        return []
