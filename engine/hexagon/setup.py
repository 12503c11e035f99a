"""What stays the same for a whole game of Das Magische Hexagon: board, seats, pieces, switches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from engine.board import Board
from engine.errors import BoardFileError, BoardwardenError, PositionError
from engine.game import Header
from engine.hexagon.grid import Grid, grid_of

RED = "red"
GOAL = 5
# How many wisdoms of each value a side has (components; the sum is +5).
VALUES: Mapping[int, int] = {1: 3, 2: 2, -1: 2}
WIZARDS, WISDOMS = 10, 7

# Switches: the id of the rule or ambiguity and its readings; the first one is the default.
SWITCHES: Mapping[str, tuple[str, ...]] = {
    "H-6": ("hidden", "open"),
    "H-A2": ("a", "b", "c"),
    "H-A3": ("a", "b"),
    "H-A4": ("a", "b"),
    "H-A6": ("a", "b"),
    "H-A7": ("a", "b", "c"),
    "H-A9": ("a", "b"),
    "H-A10": ("a", "b"),
    "H-A15": ("a", "b"),
    "H-A17": ("a", "b"),
}


@dataclass(frozen=True, eq=False)
class Setup:
    """The unchanging part of a state.  ``seats``: who begins first; ``starts``: start cells per
    colour in the order of the board file."""

    board: Board
    grid: Grid
    seats: tuple[str, str]
    names: Mapping[str, str]
    options: Mapping[str, str]
    starts: Mapping[str, tuple[str, ...]]
    wizards: Mapping[str, int]
    wisdoms: Mapping[str, int]

    def option(self, key: str) -> str:
        """The reading in force for a switch."""
        return self.options.get(key, SWITCHES[key][0])

    def other(self, colour: str) -> str:
        """The opponent's colour."""
        return self.seats[1] if colour == self.seats[0] else self.seats[0]

    @cached_property
    def flames(self) -> frozenset[str]:
        """The flame cells."""
        return frozenset(self.board.with_role("flame"))

    @cached_property
    def piece_ids(self) -> tuple[str, ...]:
        """Ids of all wizards and wisdoms."""
        counts = (("wizard", self.wizards), ("wisdom", self.wisdoms))
        return tuple(
            f"{kind}/{colour}/{n}"
            for kind, count in counts
            for colour in self.seats
            for n in range(1, count[colour] + 1)
        )


def make_setup(header: Header, board: Board) -> Setup:
    """Reads board and header; raises BoardwardenError with one sentence."""
    options = _options(header.options)
    seats = _seats(header, board)
    starts = {c: _starts(board, c) for c in seats}
    flames = set(board.with_role("flame"))
    for colour in seats:
        for cell in starts[colour]:
            if cell in flames:
                raise BoardFileError(f"start cell {cell} is a flame cell as well; it can be one")
    wisdoms = {c: _count(board, "wisdom", c, WISDOMS) for c in seats}
    if max(wisdoms.values()) > sum(VALUES.values()):
        raise BoardFileError(f"a side has at most {sum(VALUES.values())} wisdoms")
    return Setup(
        board=board,
        grid=grid_of(board),
        seats=seats,
        names={p.colour: p.name or p.colour for p in header.players},
        options=options,
        starts=starts,
        wizards={c: _count(board, "wizard", c, WIZARDS) for c in seats},
        wisdoms=wisdoms,
    )


def _seats(header: Header, board: Board) -> tuple[str, str]:
    """The two colours, red first (H-3, H-7), else as listed."""
    colours = [p.colour for p in header.players]
    if len(colours) != 2:
        raise PositionError(f"Das Magische Hexagon is for 2 players, not {len(colours)}")
    if colours[0] == colours[1]:
        raise PositionError("the two players have the same colour")
    known = [i.colour for i in board.inventory if i.kind == "wizard" and i.colour]
    for colour in colours:
        if known and colour not in known:
            raise PositionError(
                f"there are no {colour} wizards; the colours are {', '.join(known)}"
            )
    colours.sort(key=lambda c: c != RED)
    return colours[0], colours[1]


def _starts(board: Board, colour: str) -> tuple[str, ...]:
    own = board.with_role(f"start_{colour}")
    return own if own or colour == RED else board.with_role("start_other")


def _count(board: Board, kind: str, colour: str, usual: int) -> int:
    counts = Counter[str | None]()
    for item in board.inventory:
        if item.kind == kind:
            counts[item.colour] += item.count
    return counts[colour] if counts else usual


def _options(given: Mapping[str, Any]) -> dict[str, str]:
    known = "; ".join(f"{k}: {', '.join(v)}" for k, v in SWITCHES.items())
    for key, value in given.items():
        if key not in SWITCHES or value not in SWITCHES[key]:
            raise BoardwardenError(
                f"Das Magische Hexagon has no option {key!r} with value {value!r}; "
                f"the options are {known}"
            )
    return {k: str(v) for k, v in given.items() if v != SWITCHES[k][0]}
