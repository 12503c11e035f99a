"""What stays the same for a whole game of Magalon: board, seats, printed numbers, switches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from engine.board import Board
from engine.errors import BoardFileError, BoardwardenError, PositionError
from engine.game import Header
from engine.geometry import contains
from engine.lattice import Lattice, lattice_of
from engine.paths import Graph

ITEMS = ("amulet", "stone", "ring")
GOBLIN_CARDS = (3, 6, 9, 10)
SLIDE_CARDS = (2, 7, 8)
ENERGY_CARDS = (1, 2)
LIFT_CARD, DEFENCE_CARD, RECOVER_CARD = 5, 4, 0
GOBLIN_PUSH, GIANT_PUSH = 5, 10
FINISH_ENERGY, START_ENERGY, RED_GAIN, BONUS_STEPS = 16, 10, 3, 3

# Switches: the ambiguity's id and its readings; the first one is the default.
SWITCHES: Mapping[str, tuple[str, ...]] = {
    "M-A4": ("a", "b"),
    "M-A6": ("a", "b"),
    "M-A8": ("a", "b"),
    "M-A12": ("a", "b"),
    "M-A34": ("a", "b", "c"),
    "M-A36": ("a", "b", "c"),
    "M-A38": ("a", "b"),
    "M-A40": ("a", "b"),
}


@dataclass(frozen=True, eq=False)
class Setup:
    """The unchanging part of a state.  Cells are ids outside and bits of ``graph`` inside."""

    board: Board
    graph: Graph
    lattice: Lattice
    seats: tuple[str, ...]
    names: Mapping[str, str]
    options: Mapping[str, str]
    goblin_steps: Mapping[int, int]
    ruin_steps: Mapping[int, int]
    energy_gain: Mapping[int, int]
    top: int
    start: str | None
    items: Mapping[str, str]

    def option(self, key: str) -> str:
        """The reading in force for a switch."""
        return self.options.get(key, SWITCHES[key][0])

    @cached_property
    def item_at(self) -> dict[str, str]:
        """Which item lies on an item field."""
        return {cell: item for item, cell in self.items.items()}

    @cached_property
    def special(self) -> int:
        """Bits of the start field and the item fields."""
        return self.graph.mask(self.items.values()) | self.start_bit

    @cached_property
    def start_bit(self) -> int:
        """Bit of the start field; 0 when the board has none."""
        return self.bit(self.start) if self.start else 0

    @cached_property
    def energy_cells(self) -> frozenset[str]:
        """The red cells."""
        return frozenset(self.board.with_role("energy"))

    @cached_property
    def bonus_from(self) -> dict[str, tuple[str, ...]]:
        """Red cells from which a cell lies at most three steps away (M-42), by that cell."""
        cells, found = self.board.cells, {}
        for cell in cells:
            near, edge = {cell}, {cell}
            for _ in range(BONUS_STEPS):
                edge = {n for at in edge for n in cells[at].neighbours} - near
                near |= edge
            found[cell] = tuple(sorted(self.energy_cells & (near - {cell})))
        return found

    @cached_property
    def edge(self) -> frozenset[str]:
        """Ordinary cells with a side that lies on the board's edge (M-46)."""
        lattice = self.lattice
        big = [c for c in self.board.cells.values() if c.id not in lattice.coords]
        out = set()
        for cell, (x, y) in lattice.coords.items():
            sides = {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)}
            small = sum(at in lattice.cells for at in sides)
            fields = [b for b in big if cell in b.neighbours]
            if small + max(len(fields), self._big_sides(cell, sides)) < 4:
                out.add(cell)
        if not lattice.coords:
            out = {c.id for c in self.board.cells.values() if len(c.neighbours) < 4}
        return frozenset(out)

    def _big_sides(self, cell: str, sides: set[tuple[int, int]]) -> int:
        x, y = self.board.centres[cell]
        col, row = self.lattice.coords[cell]
        size = self.board.cell_size_mm
        points = [
            (x + (cx - col) * size, y + (cy - row) * size)
            for cx, cy in sides
            if (cx, cy) not in self.lattice.cells
        ]
        polygons = [
            self.board.cells[n].polygon_mm
            for n in self.board.cells[cell].neighbours
            if n not in self.lattice.coords
        ]
        return sum(any(contains(poly, p) for poly in polygons) for p in points)

    def bit(self, cell: str) -> int:
        """The bit of a cell."""
        return 1 << self.graph.index[cell]

    def mask(self, cells: tuple[str, ...] | frozenset[str]) -> int:
        """The bits of some cells."""
        return self.graph.mask(tuple(cells))


def make_setup(header: Header, board: Board) -> Setup:
    """Reads board and header; raises BoardwardenError with one sentence."""
    starts = board.with_role("start")
    if len(starts) > 1:
        raise BoardFileError("the board has more than one start field")
    items = {str(board.cells[c].extra.get("item", c)): c for c in board.with_role("item")}
    for item in items:
        if item not in ITEMS:
            raise BoardFileError(f"item field {items[item]}: the items are {', '.join(ITEMS)}")
    lattice = lattice_of(board, {*starts, *items.values()})
    graph = Graph({c.id: c.neighbours for c in board.cells.values()}, lattice.coords)
    seats = tuple(p.colour for p in header.players)
    _check_seats(seats, board)
    return Setup(
        board=board,
        graph=graph,
        lattice=lattice,
        seats=seats,
        names={p.colour: p.name or p.colour for p in header.players},
        options=_options(header.options),
        goblin_steps=_numbers(board, "goblin_steps"),
        ruin_steps=_numbers(board, "ruin_steps"),
        energy_gain=_numbers(board, "energy_gain"),
        top=max(board.track, default=20),
        start=starts[0] if starts else None,
        items=items,
    )


def _check_seats(seats: tuple[str, ...], board: Board) -> None:
    if not 2 <= len(seats) <= 4:
        raise PositionError(f"Magalon is for 2 to 4 players, not {len(seats)}")
    if len(set(seats)) != len(seats):
        raise PositionError("two players have the same colour")
    colours = [i.colour for i in board.inventory if i.kind == "wizard" and i.colour]
    for seat in seats:
        if colours and seat not in colours:
            raise PositionError(f"there is no {seat} wizard; the colours are {', '.join(colours)}")


def _options(given: Mapping[str, object]) -> dict[str, str]:
    known = "; ".join(f"{k}: {', '.join(v)}" for k, v in SWITCHES.items())
    for key, value in given.items():
        if key not in SWITCHES or value not in SWITCHES[key]:
            raise BoardwardenError(
                f"Magalon has no option {key!r} with value {value!r}; the options are {known}"
            )
    return {k: str(v) for k, v in given.items() if v != SWITCHES[k][0]}


def _numbers(board: Board, key: str) -> dict[int, int]:
    raw = board.raw.get("printed_numbers", {})
    numbers = raw.get(key, {}) if isinstance(raw, Mapping) else {}
    try:
        out = {int(card): int(value) for card, value in numbers.items()}
    except (TypeError, ValueError, AttributeError) as error:
        raise BoardFileError(f"printed_numbers/{key} must map cards to numbers") from error
    if any(not 0 <= value <= 20 for value in out.values()):
        raise BoardFileError(f"printed_numbers/{key}: numbers must be from 0 to 20")
    return out
