"""A game is a room of its own; this is the door that all of them share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from engine.action import Action
from engine.board import Board
from engine.placement import Placement
from engine.verdict import EMPTY, Choice, Message, Status


@dataclass(frozen=True, slots=True)
class Player:
    """A seat: ``colour`` is also the player's id in actions."""

    name: str
    colour: str


@dataclass(frozen=True, slots=True)
class Header:
    """The first line of a record. ``players`` in seat order, clockwise, the beginner first."""

    game: str
    board: str
    players: tuple[Player, ...]
    options: Mapping[str, Any] = field(default_factory=dict)
    position: Mapping[str, Any] | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)


S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Judgement:
    """The rules' word on one action.

    ``state`` is the state after it (the same object when ``status`` is ILLEGAL).  ``notes`` are
    things worth saying that are no refusal: points with the rule that gave them, warnings.
    ``pending``: what has to follow, of a PENDING action or of a legal one that obliges to more.
    """

    status: Status
    state: Any
    rule: str | None = None
    cells: tuple[str, ...] = ()
    message: Message = EMPTY
    pending: Message = EMPTY
    notes: tuple[Message, ...] = ()
    choices: tuple[Choice, ...] = ()


class Room(Protocol):
    """What every game offers; states are immutable values that only their room looks into."""

    name: str

    def start(self, header: Header, board: Board) -> Any:
        """The first state; raises PositionError for an impossible position."""

    def judge(self, state: Any, action: Action) -> Judgement:
        """Judges an action, malformed ones included; never raises on bad actions."""

    def placement(self, state: Any) -> Placement:
        """Where every piece stands according to the state."""

    def position(self, state: Any) -> dict[str, Any]:
        """The JSON ``position`` from which ``start`` makes an equal state."""

    def scores(self, state: Any) -> dict[str, dict[str, Any]]:
        """Per player colour what counts (Magalon: energy, items)."""

    def winner(self, state: Any) -> str | None:
        """Colour of the winner, or None."""

    def to_act(self, state: Any) -> str | None:
        """Whose turn it is."""

    def hints(self, state: Any, piece: str) -> Sequence[str]:
        """All cells that a piece can legally reach now (may take 150 ms)."""
