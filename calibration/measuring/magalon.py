"""The steps by which an owner measures the board of Magalon."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace

from calibration.measuring.grid import FIELDS, START, Block, GridDraft, even_lines
from calibration.measuring.likeness import Likeness
from calibration.measuring.lines import guess_grid
from calibration.measuring.step import (
    CellsStep,
    Number,
    Said,
    Shape,
    SizeStep,
    Spot,
    Step,
    cell_shapes,
    spot_at,
    spots_along,
)
from engine.geometry import Point, contains
from vision.types import Image

SIZE_MM = (500.0, 660.0)  # rules, 1b.2: 66 x 50 cm
USUAL = (15, 21)  # where the print shows no lines: the invented board's
RUINS, GOBLINS = 6, 2
GRIP = 0.5  # of a cell: a line or mark is taken by a finger so near
# Printed numbers by card (rules M-A9, M-A10, M-A11); 7 is known from an example, the rest is asked.
PRINTED = (
    "goblin_steps/3", "goblin_steps/6", "goblin_steps/9", "goblin_steps/10",
    "ruin_steps/2", "ruin_steps/7", "ruin_steps/8", "energy_gain/1", "energy_gain/2",
)  # fmt: skip
KNOWN = {"ruin_steps/7": 4}


def begin(picture: Image | None, size_mm: tuple[float, float] = SIZE_MM) -> GridDraft:
    """The first draft: lines guessed from the print where it shows any."""
    width, height = size_mm
    lines = guess_grid(picture, size_mm) if picture is not None else None
    if lines is None:
        pitch = min(0.84 * width / USUAL[0], 0.9 * height / USUAL[1])
        left, top = (width - USUAL[0] * pitch) / 2, (height - USUAL[1] * pitch) / 2
        lines = (
            even_lines(left, left + USUAL[0] * pitch, USUAL[0]),
            even_lines(top, top + USUAL[1] * pitch, USUAL[1]),
        )
    return GridDraft(size_mm, *lines, printed=dict(KNOWN))


class GridStep(Step[GridDraft]):
    """Columns and rows: numbers, and lines that can be dragged."""

    name = "grid"

    def numbers(self, draft: GridDraft) -> tuple[Number, ...]:
        return (Number("columns", draft.columns, 2, 60), Number("rows", draft.rows, 2, 60))

    def change(self, draft: GridDraft, name: str, value: int) -> GridDraft:
        if name == "columns":
            return replace(draft, xs=even_lines(draft.xs[0], draft.xs[-1], value))
        return replace(draft, ys=even_lines(draft.ys[0], draft.ys[-1], value))

    def drag(self, draft: GridDraft, path: tuple[Point, ...]) -> GridDraft:
        """An outer line stretches the grid, an inner one goes where it is put."""
        (x0, y0), (x1, y1) = path[0], path[-1]
        across = abs(x1 - x0) >= abs(y1 - y0)
        lines = draft.xs if across else draft.ys
        start, end = (x0, x1) if across else (y0, y1)
        at = min(range(len(lines)), key=lambda i: abs(lines[i] - start))
        if abs(lines[at] - start) > GRIP * (lines[-1] - lines[0]) / (len(lines) - 1):
            return draft
        moved = _moved(lines, at, end)
        return replace(draft, xs=moved) if across else replace(draft, ys=moved)

    def tap(self, draft: GridDraft, at: Point) -> GridDraft:
        """A place without a cell, or one again."""
        place = draft.place_at(at)
        return draft if place is None else replace(draft, holes=draft.holes ^ {place})

    def shapes(self, draft: GridDraft) -> list[Shape]:
        return [Shape("cell", polygon) for polygon in draft.cells.values()]


def _moved(lines: tuple[float, ...], at: int, to: float) -> tuple[float, ...]:
    last = len(lines) - 1
    if at in (0, last):
        fixed = lines[last - at]
        if abs(to - fixed) < 10 or (to < fixed) != (at == 0):
            return lines
        stretch = (to - fixed) / (lines[at] - fixed)
        return tuple(fixed + (line - fixed) * stretch for line in lines)
    if not lines[at - 1] + 2 < to < lines[at + 1] - 2:
        return lines
    return (*lines[:at], to, *lines[at + 1 :])


class FieldsStep(Step[GridDraft]):
    """The big fields, one after the other: a path over a field takes all places under it."""

    name = "fields"

    def _next(self, draft: GridDraft) -> str | None:
        return next((f for f in FIELDS if f not in draft.fields), None)

    def prompt(self, draft: GridDraft) -> Said:
        wanted = self._next(draft)
        return Said(f"measure.fields_{wanted}" if wanted else "measure.fields_done")

    def tap(self, draft: GridDraft, at: Point) -> GridDraft:
        place = draft.place_at(at)
        if place is None:
            return draft
        role = draft.covered.get(place)
        if role is not None:
            return replace(draft, fields={k: v for k, v in draft.fields.items() if k != role})
        return self._add(draft, Block(place, place))

    def drag(self, draft: GridDraft, path: tuple[Point, ...]) -> GridDraft:
        places = [p for p in map(draft.place_at, path) if p is not None]
        return self._add(draft, Block.around(places)) if places else draft

    def _add(self, draft: GridDraft, block: Block) -> GridDraft:
        wanted = self._next(draft)
        return replace(draft, fields={**draft.fields, wanted: block}) if wanted else draft

    def shapes(self, draft: GridDraft) -> list[Shape]:
        return [
            Shape("start" if role == START else "chosen", draft.polygon_of(block), label=f"measure.field_{role}")
            for role, block in draft.fields.items()
        ]  # fmt: skip

    def problems(self, draft: GridDraft) -> list[Said]:
        found = [
            Said("measure.problem_field", {"field": f}) for f in FIELDS if f not in draft.fields
        ]
        blocks = list(draft.fields.items())
        for i, (role, block) in enumerate(blocks):
            for other, its in blocks[i + 1 :]:
                if block.places & its.places:
                    found.append(Said("measure.problem_overlap", {"a": role, "b": other}, (role, other)))  # fmt: skip
        unreached = draft.unreachable()
        if unreached:
            found.append(Said("measure.problem_unreachable", {"cell": unreached[0], "n": len(unreached)}, unreached))  # fmt: skip
        return found


class OrdinaryCells(CellsStep[GridDraft]):
    """Marks on ordinary cells."""

    def allowed(self, draft: GridDraft) -> Mapping[Spot, tuple[Point, ...]]:
        return draft.ordinary


class StartsStep(Step[GridDraft]):
    """Where giant and goblins begin (M-3): the first tap is the giant's."""

    name = "starts"

    def prompt(self, draft: GridDraft) -> Said:
        if draft.giant is None:
            return Said("measure.starts_giant")
        missing = GOBLINS - len(draft.goblins)
        return (
            Said("measure.starts_goblins", {"n": missing})
            if missing
            else Said("measure.starts_done")
        )

    def tap(self, draft: GridDraft, at: Point) -> GridDraft:
        spot = spot_at(draft, at)
        if spot is None or spot not in draft.ordinary:
            return draft
        if spot == draft.giant:
            return replace(draft, giant=None)
        if spot in draft.goblins:
            return replace(draft, goblins=tuple(g for g in draft.goblins if g != spot))
        if draft.giant is None:
            return replace(draft, giant=spot)
        if len(draft.goblins) < GOBLINS:
            return replace(draft, goblins=(*draft.goblins, spot))
        return draft

    def shapes(self, draft: GridDraft) -> list[Shape]:
        shapes = cell_shapes(draft, draft.goblins, "wrong")
        return shapes + cell_shapes(draft, [draft.giant] if draft.giant else [], "energy")

    def problems(self, draft: GridDraft) -> list[Said]:
        count = (draft.giant in draft.cells) + sum(g in draft.cells for g in draft.goblins)
        missing = 1 + GOBLINS - count
        return [Said("measure.problem_starts", {"n": missing})] if missing else []


class RuinsStep(Step[GridDraft]):
    """The six L marks (M-1): a path over the cells of an L, or taps on them."""

    name = "ruins"

    def prompt(self, draft: GridDraft) -> Said:
        return Said("measure.ruins_do", {"n": len(draft.ruins), "needed": RUINS})

    def drag(self, draft: GridDraft, path: tuple[Point, ...]) -> GridDraft:
        spots = tuple(s for s in spots_along(draft, path) if s in draft.ordinary)
        taken = {s for r in draft.ruins for s in r}
        if draft.l_shaped(spots) and not taken & set(spots):
            return replace(draft, ruins=(*draft.ruins, spots))
        return draft

    def tap(self, draft: GridDraft, at: Point) -> GridDraft:
        spot = spot_at(draft, at)
        if spot is None or spot not in draft.ordinary:
            return draft
        old = next((r for r in draft.ruins if spot in r), None)
        if old is not None:
            return replace(draft, ruins=tuple(r for r in draft.ruins if r != old))
        loose = tuple(s for s in draft.loose if s != spot)
        if len(loose) == len(draft.loose):
            loose = (*loose, spot)
        size = len(draft.ruins[0]) if draft.ruins else 3
        if len(loose) == size and draft.l_shaped(loose):
            return replace(draft, ruins=(*draft.ruins, loose), loose=())
        return replace(draft, loose=loose)

    def propose(self, draft: GridDraft, likeness: Likeness | None) -> tuple[Spot, ...]:
        if likeness is None or not draft.ruins:
            return ()
        shown = [s for r in draft.ruins for s in r]
        alike = likeness.alike(draft.ordinary, shown)
        return tuple(s for group in self._groups(draft, alike) for s in group)

    def take(self, draft: GridDraft, spots: Iterable[Spot]) -> GridDraft:
        return replace(draft, ruins=(*draft.ruins, *self._groups(draft, spots)))

    def _groups(self, draft: GridDraft, spots: Iterable[Spot]) -> list[tuple[Spot, ...]]:
        """Touching cells that make an L of the size that was shown."""
        rest, groups = set(spots), list[tuple[Spot, ...]]()
        for spot in spots:
            if spot not in rest:
                continue
            group, edge = list[Spot](), [spot]
            rest.discard(spot)
            while edge:
                group.append(edge.pop())
                near = [n for n in draft.neighbours[group[-1]] if n in rest]
                rest.difference_update(near)
                edge += near
            if len(group) == len(draft.ruins[0]) and draft.l_shaped(group):
                groups.append(tuple(group))
        return groups

    def shapes(self, draft: GridDraft) -> list[Shape]:
        marked = [s for r in draft.ruins for s in r]
        return cell_shapes(draft, marked, "mark") + cell_shapes(draft, draft.loose, "chosen")

    def problems(self, draft: GridDraft) -> list[Said]:
        found = []
        if len(draft.ruins) != RUINS:
            found.append(Said("measure.problem_ruins", {"n": len(draft.ruins), "needed": RUINS}))
        if len({len(r) for r in draft.ruins}) > 1:
            odd = next(r for r in draft.ruins if len(r) != len(draft.ruins[0]))
            found.append(Said("measure.problem_ruin_sizes", {"cell": odd[0]}, odd))
        on_field = tuple(
            s
            for s in (*draft.red, *draft.goblins, *(s for r in draft.ruins for s in r))
            if s not in draft.ordinary
        )
        if on_field:
            found.append(Said("measure.problem_on_field", {"cell": on_field[0]}, on_field))
        return found


class TrackStep(Step[GridDraft]):
    """The energy track: its first mark, the corners, its last mark; marks can be dragged."""

    name = "track"

    def prompt(self, draft: GridDraft) -> Said:
        done = min(2, len(draft.track.corners))
        words = {"first": draft.track.first, "last": draft.track.last}
        return Said(
            ("measure.track_first", "measure.track_last", "measure.track_done")[done], words
        )

    def numbers(self, draft: GridDraft) -> tuple[Number, ...]:
        track = draft.track
        return (Number("first", track.first, 0, 10), Number("last", track.last, 16, 60))

    def change(self, draft: GridDraft, name: str, value: int) -> GridDraft:
        track = draft.track
        first, last = (value, track.last) if name == "first" else (track.first, value)
        return replace(draft, track=replace(track, first=first, last=last, moved={}))

    def tap(self, draft: GridDraft, at: Point) -> GridDraft:
        """Each further tap is a new last mark: the one before becomes a corner of the track."""
        on = next((v for v, p in draft.track.polygons.items() if contains(p, at)), None)
        if on is not None:
            return draft
        track = replace(draft.track, corners=(*draft.track.corners, at), moved={})
        return replace(draft, track=track)

    def drag(self, draft: GridDraft, path: tuple[Point, ...]) -> GridDraft:
        track = draft.track
        near = sorted(track.centres.items(), key=lambda m: math.dist(m[1], path[0]))
        if not near or math.dist(near[0][1], path[0]) > track.pitch_mm:
            return draft
        value = near[0][0]
        if value in (track.first, track.last):
            at = 0 if value == track.first else len(track.corners) - 1
            corners = (*track.corners[:at], path[-1], *track.corners[at + 1 :])
            return replace(draft, track=replace(track, corners=corners))
        return replace(draft, track=replace(track, moved={**track.moved, value: path[-1]}))

    def shapes(self, draft: GridDraft) -> list[Shape]:
        shapes = [Shape("handle", (at,), label="") for at in draft.track.corners]
        return shapes + [
            Shape("track", polygon, label=f"={value}")
            for value, polygon in draft.track.polygons.items()
        ]

    def problems(self, draft: GridDraft) -> list[Said]:
        track = draft.track
        if len(track.corners) < 2:
            return [Said("measure.problem_track")]
        return [Said("measure.problem_gap", {"a": a, "b": b}) for a, b in track.gaps]


class CardsStep(Step[GridDraft]):
    """What is printed on the owner's cards (M-A9, M-A10, M-A11)."""

    name = "cards"

    def numbers(self, draft: GridDraft) -> tuple[Number, ...]:
        return tuple(
            Number(key.replace("/", "_"), draft.printed.get(key), 1, 12, pad=True)
            for key in PRINTED
        )

    def change(self, draft: GridDraft, name: str, value: int) -> GridDraft:
        group, _, card = name.rpartition("_")
        printed = {**draft.printed, f"{group}/{card}": value}
        if group == "energy_gain":
            # one of the two cards has 4 and the other 8 (M-A11)
            other = "energy_gain/2" if card == "1" else "energy_gain/1"
            if value in (4, 8):
                printed.setdefault(other, 12 - value)
        return replace(draft, printed=printed)

    def problems(self, draft: GridDraft) -> list[Said]:
        missing = [k for k in PRINTED if k not in draft.printed]
        return [Said("measure.problem_cards", {"n": len(missing)})] if missing else []


STEPS: tuple[Step[GridDraft], ...] = (
    SizeStep(), GridStep(), FieldsStep(), OrdinaryCells("red", "red", "energy"), StartsStep(),
    RuinsStep(), TrackStep(), CardsStep(),
)  # fmt: skip
