"""The state of a game of Das Magische Hexagon: an immutable value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property

from engine.hexagon.setup import Setup


class Phase(Enum):
    """Wisdoms are placed, wizards move, or the game is over."""

    PLACING = "placing"
    MOVING = "moving"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Crossing:
    """A piece that crossed the border from one cell to another (H-15).

    ``by``: who moved; ``age``: how many moves have been made since.
    """

    piece: str
    origin: str
    to: str
    by: str
    age: int = 0


def owner_of(piece: str) -> str:
    """The colour in a piece id."""
    return piece.split("/")[1]


def is_wisdom(piece: str) -> bool:
    """Whether a piece is a wisdom, not a wizard."""
    return piece.startswith("wisdom/")


@dataclass(frozen=True)
class HexagonState:
    """A state; two states are equal when play goes on from them in the same way.

    ``pieces``: cell of every wizard and wisdom, None off the board; which value lies under which
    wisdom is not in here (H-A24).  ``points`` per player; ``burnt``: the revealed values of the
    burnt wisdoms per *owner*; ``placed``: values that were told when wisdoms were placed, per owner,
    to check the next ones.  ``pending``: flame cells whose burnt wisdoms have not been turned over
    yet.  ``crossings``: those that may not be reversed yet, oldest first.  ``seen``: how often each
    arrangement has come since the last burning (H-A21).
    """

    setup: Setup = field(compare=False, repr=False)
    pieces: Mapping[str, str | None]
    phase: Phase
    to_move: str
    points: Mapping[str, int]
    burnt: Mapping[str, tuple[int, ...]]
    placed: Mapping[str, tuple[int, ...]]
    crossings: tuple[Crossing, ...] = ()
    pending: tuple[str, ...] = ()
    winner: str | None = None
    seen: Mapping[int, int] = field(default_factory=dict, compare=False, repr=False)

    def __hash__(self) -> int:
        return hash((self.phase, self.to_move, tuple(self.points.values()), self.arrangement))

    def but(self, **changes: object) -> HexagonState:
        """A copy with some fields changed."""
        return replace(self, **changes)  # type: ignore[arg-type]

    def placed_at(self, moves: Mapping[str, str | None]) -> HexagonState:
        """A copy with pieces moved."""
        return replace(self, pieces={**self.pieces, **moves})

    @cached_property
    def at(self) -> Mapping[str, str]:
        """The piece on every occupied cell."""
        return {cell: piece for piece, cell in self.pieces.items() if cell is not None}

    @cached_property
    def arrangement(self) -> int:
        """A number for what stands where, equal pieces not told apart, and who is to move."""
        standing = frozenset((c, p.rpartition("/")[0]) for c, p in self.at.items())
        return hash((self.to_move, standing))

    @property
    def to_act(self) -> str | None:
        """Whose turn it is; None when the game is over."""
        return None if self.phase is Phase.OVER else self.to_move

    @property
    def waiting(self) -> str:
        """The opponent of the player to move."""
        return self.setup.other(self.to_move)

    def in_hand(self, colour: str) -> tuple[str, ...]:
        """Wisdoms of a colour that are not on the board."""
        prefix = f"wisdom/{colour}/"
        return tuple(p for p, cell in self.pieces.items() if cell is None and p.startswith(prefix))
