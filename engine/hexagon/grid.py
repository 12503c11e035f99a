"""The cells of a hexagonal board as six permutations: one step in each direction, border included.

Axial coordinates (q, r) as in the board file.  Leaving the board means coming in again on the far
end of the same straight line (H-13, H-A5), so every direction maps the cells onto themselves, and
the opposite direction is the inverse.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise

from engine.board import Board, per_board
from engine.errors import BoardFileError

Axial = tuple[int, int]
DIRECTIONS: Mapping[str, Axial] = {
    "E": (1, 0), "NE": (1, -1), "NW": (0, -1), "W": (-1, 0), "SW": (-1, 1), "SE": (0, 1),
}  # fmt: skip
OPPOSITE: Mapping[str, str] = {
    "E": "W", "W": "E", "NE": "SW", "SW": "NE", "NW": "SE", "SE": "NW",
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class Grid:
    """``step``: per direction the next cell of every cell; ``exits``: per direction the cells from
    which that step crosses the border."""

    step: Mapping[str, Mapping[str, str]]
    exits: Mapping[str, frozenset[str]]

    def direction(self, origin: str, to: str) -> str | None:
        """The direction in which one step leads from a cell to another; a plain step before one
        across the border (on lines of two cells both lead there); None when none does."""
        found = [d for d in DIRECTIONS if self.step[d][origin] == to and origin != to]
        found.sort(key=lambda d: origin in self.exits[d])
        return found[0] if found else None


@per_board
def grid_of(board: Board) -> Grid:
    """Reads the axial coordinates of a board; raises BoardFileError with one sentence."""
    at = _coordinates(board)
    cells = {place: cell for cell, place in at.items()}
    _check_neighbours(board, at)
    step: dict[str, dict[str, str]] = {}
    exits: dict[str, frozenset[str]] = {}
    for name, (dq, dr) in DIRECTIONS.items():
        inside = {c: cells.get((q + dq, r + dr)) for c, (q, r) in at.items()}
        step[name] = {
            cell: other if other is not None else _entry(cell, name, at, cells)
            for cell, other in inside.items()
        }
        exits[name] = frozenset(cell for cell, other in inside.items() if other is None)
    return Grid(step, exits)


def _entry(cell: str, direction: str, at: Mapping[str, Axial], cells: Mapping[Axial, str]) -> str:
    """The far end of the straight line."""
    q, r = at[cell]
    dq, dr = DIRECTIONS[direction]
    while (q - dq, r - dr) in cells:
        q, r = q - dq, r - dr
    return cells[q, r]


def _coordinates(board: Board) -> dict[str, Axial]:
    at: dict[str, Axial] = {}
    for cell in board.cells.values():
        given = cell.extra.get("axial")
        place = tuple(given) if isinstance(given, (list, tuple)) else ()
        if len(place) != 2 or any(isinstance(v, bool) or not isinstance(v, int) for v in place):
            raise BoardFileError(
                f'cell {cell.id} needs "axial": [q, r], two whole numbers; a hexagonal board is '
                "described by them"
            )
        at[cell.id] = (place[0], place[1])
    twice = sorted(at, key=lambda c: at[c])
    for one, other in pairwise(twice):
        if at[one] == at[other]:
            raise BoardFileError(f"cells {one} and {other} have the same axial coordinates")
    return at


def _check_neighbours(board: Board, at: Mapping[str, Axial]) -> None:
    around = set(DIRECTIONS.values())
    for cell in board.cells.values():
        q, r = at[cell.id]
        for other in cell.neighbours:
            if (at[other][0] - q, at[other][1] - r) not in around:
                raise BoardFileError(
                    f"{cell.id} and {other} are neighbours in the board file, but their axial "
                    "coordinates do not touch; correct one of the two"
                )
