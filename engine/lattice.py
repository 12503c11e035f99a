"""Columns and rows of a square board, inferred from the polygons of its cells."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from statistics import median

from engine.board import Board
from engine.geometry import area

DIRECTIONS = ((1, 0), (-1, 0), (0, 1), (0, -1))


@dataclass(frozen=True)
class Lattice:
    """``coords``: (column, row) of every ordinary square cell, rows downwards; big fields are
    left out.  ``cells`` is the inverse.  Empty when the board is no square grid."""

    coords: Mapping[str, tuple[int, int]]
    cells: Mapping[tuple[int, int], str]

    def shifted(self, cells: frozenset[str], dx: int, dy: int) -> frozenset[str] | None:
        """The same footprint moved by whole cells, or None where it leaves the ordinary cells."""
        moved = set()
        for cell in cells:
            at = self.coords.get(cell)
            other = self.cells.get((at[0] + dx, at[1] + dy)) if at else None
            if other is None:
                return None
            moved.add(other)
        return frozenset(moved)


def lattice_of(board: Board, without: Collection[str] = ()) -> Lattice:
    """Reads the lattice off the cells' centres; cells over 1.5 times the usual area are big, and
    those in ``without`` are left out too."""
    usual = board.cell_size_mm**2
    small = {c.id for c in board.cells.values() if area(c.polygon_mm) < 1.5 * usual}
    small -= set(without)
    centre = board.centres
    steps: tuple[list[float], list[float]] = ([], [])
    for cell in small:
        for other in board.cells[cell].neighbours:
            if other in small:
                dx = abs(centre[cell][0] - centre[other][0])
                dy = abs(centre[cell][1] - centre[other][1])
                steps[0 if dx > dy else 1].append(max(dx, dy))
    pitch = [median(s) if s else board.cell_size_mm for s in steps]
    left = min((centre[c][0] for c in small), default=0.0)
    top = min((centre[c][1] for c in small), default=0.0)
    coords = {
        c: (round((centre[c][0] - left) / pitch[0]), round((centre[c][1] - top) / pitch[1]))
        for c in board.cells
        if c in small
    }
    cells = {at: c for c, at in coords.items()}
    return Lattice(coords, cells) if len(cells) == len(coords) else Lattice({}, {})
