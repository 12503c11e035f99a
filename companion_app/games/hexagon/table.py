"""What lies around the board in Das Magische Hexagon, read from a position for the screens."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from engine.action import Action
from engine.board import Board
from engine.game import Header
from engine.hexagon import HexagonRoom, HexagonState
from engine.hexagon.queries import drag_action, must_pass
from engine.hexagon.setup import GOAL


@dataclass(frozen=True, slots=True)
class HexagonSeat:
    """A player's side of the table: points, burnt wisdoms of the opponent, wisdoms in hand."""

    name: str
    colour: str
    points: int
    burnt: int
    in_hand: int

    @property
    def ready(self) -> bool:
        """Whether the points are enough to win."""
        return self.points >= GOAL


@dataclass(frozen=True)
class HexagonTable:
    """The table as a position describes it.  ``pending``: flames whose wisdoms must be turned over."""

    phase: str
    to_act: str | None
    winner: str | None
    seats: tuple[HexagonSeat, ...]
    pending: tuple[str, ...]
    header: Header
    board: Board
    position: Mapping[str, Any]

    @cached_property
    def state(self) -> HexagonState:
        """The rules' state, made when it is first asked for."""
        return HexagonRoom().start(replace(self.header, position=self.position), self.board)

    @property
    def must_pass(self) -> bool:
        """Whether the player to move cannot move at all."""
        return self.to_act is not None and must_pass(self.state)

    def drag(self, piece: str, to: str) -> Action:
        """What a drag of a piece to a cell means."""
        return drag_action(self.state, piece, to)


def table_of(
    position: Mapping[str, Any],
    header: Header,
    board: Board,
    *,
    to_act: str | None,
    winner: str | None,
) -> HexagonTable:
    """The table of a position (see the record format)."""
    phase = str(position["phase"])
    colours = [p.colour for p in header.players]
    seats = []
    for player in header.players:
        other = next((c for c in colours if c != player.colour), player.colour)
        hand = f"wisdom/{player.colour}/"
        in_hand = sum(
            cell is None and piece.startswith(hand) for piece, cell in position["pieces"].items()
        )
        seats.append(
            HexagonSeat(
                player.name,
                player.colour,
                int(position["scores"][player.colour]),
                len(position["burnt"][other]),
                in_hand if phase == "placing" else 0,
            )
        )
    pending = tuple(position["pending_burnt"])
    return HexagonTable(
        phase, to_act, winner, tuple(seats), pending, header, board, position
    )  # fmt: skip
