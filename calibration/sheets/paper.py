"""Papers, and how a large face is laid over several sheets of one."""

from __future__ import annotations

import math
from dataclasses import dataclass

from engine.errors import BoardwardenError

MARGIN_MM = 10.0  # most printers leave 4 to 8 mm white
FOOT_MM = 18.0  # below: what the sheet is, and the scale bar
STRIP_MM = 10.0  # the glued strip
MAX_SHEETS = 64

Box = tuple[float, float, float, float]  # left, top, right, bottom


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper upright: millimetres."""

    name: str
    width_mm: float
    height_mm: float

    @property
    def landscape(self) -> Paper:
        """The same paper on its side."""
        return Paper(self.name, self.height_mm, self.width_mm)

    @property
    def room_mm(self) -> tuple[float, float]:
        """What can be printed on: width and height."""
        return self.width_mm - 2 * MARGIN_MM, self.height_mm - MARGIN_MM - FOOT_MM


PAPERS = {
    p.name: p
    for p in (
        Paper("A4", 210.0, 297.0),
        Paper("Letter", 215.9, 279.4),
        Paper("A3", 297.0, 420.0),
        Paper("A2", 420.0, 594.0),
        Paper("A1", 594.0, 841.0),
    )
}


@dataclass(frozen=True, slots=True)
class Tile:
    """One sheet's part of a face.

    ``box_mm``: the part of the face that belongs to it; ``strip_right`` and ``strip_below``: beyond it the
    sheet goes on by a strip on which the next sheet is glued.
    """

    row: int
    column: int
    box_mm: Box
    strip_right: bool
    strip_below: bool

    @property
    def printed_mm(self) -> Box:
        """With the strips."""
        left, top, right, low = self.box_mm
        return (
            left, top, right + STRIP_MM * self.strip_right, low + STRIP_MM * self.strip_below,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Tiling:
    """``paper`` as it lies; ``tiles`` row by row."""

    paper: Paper
    rows: int
    columns: int
    tiles: tuple[Tile, ...]


def paper_named(name: str) -> Paper:
    """A paper by its name, in any case; raises BoardwardenError."""
    for paper in PAPERS.values():
        if paper.name.lower() == name.lower():
            return paper
    raise BoardwardenError(f"there is no paper {name!r}; there are {', '.join(PAPERS)}")


def tile(size_mm: tuple[float, float], paper: Paper) -> Tiling:
    """Fewest sheets, upright or on their side; raises BoardwardenError for an absurd number."""
    best = min((_tiling(size_mm, p) for p in (paper, paper.landscape)), key=lambda t: len(t.tiles))
    if len(best.tiles) > MAX_SHEETS:
        raise BoardwardenError(
            f"a face of {size_mm[0]:g}x{size_mm[1]:g} mm needs {len(best.tiles)} sheets of"
            f" {paper.name}: choose a larger paper"
        )
    return best


def _tiling(size_mm: tuple[float, float], paper: Paper) -> Tiling:
    columns, rows = (_cuts(s, r) for s, r in zip(size_mm, paper.room_mm, strict=True))
    tiles = tuple(
        Tile(
            r, c, (columns[c], rows[r], columns[c + 1], rows[r + 1]),
            c + 2 < len(columns), r + 2 < len(rows),
        )
        for r in range(len(rows) - 1)
        for c in range(len(columns) - 1)
    )  # fmt: skip
    return Tiling(paper, len(rows) - 1, len(columns) - 1, tiles)


def _cuts(length: float, room: float) -> list[float]:
    """Where the face is parted along one side, into equal parts that fit with their strip."""
    count = 1 if length <= room + 1e-6 else math.ceil(length / (room - STRIP_MM) - 1e-9)
    return [length * i / count for i in range(count + 1)]
