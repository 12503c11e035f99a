"""What lies around the map in Carcassonne, read from a position for the screens."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from engine.action import Action
from engine.carcassonne import CarcassonneRoom, CarcassonneState
from engine.carcassonne.drags import drag_action, owner_of
from engine.carcassonne.duties import UNION, can_go_somewhere
from engine.carcassonne.faces import Pos
from engine.carcassonne.placement import MEEPLE_KINDS
from engine.carcassonne.queries import OpenFeature, closed_places, if_ended_now, open_features
from engine.carcassonne.setup import FIGURES, LARGE, SMALL
from engine.game import Header

# What the player to act does next.
PLACE, DUTY, LEAVE, MEEPLE, END, OVER = "place", "duty", "leave", "meeple", "end", "over"


@dataclass(frozen=True, slots=True)
class CarcassonneSeat:
    """A player's side of the table; ``large``: None where there are no large meeples."""

    name: str
    colour: str
    points: int
    small: int
    large: int | None


@dataclass(frozen=True)
class CarcassonneTable:
    """The table as a position describes it."""

    to_act: str | None
    winner: str | None
    header: Header
    position: Mapping[str, Any]

    @cached_property
    def state(self) -> CarcassonneState:
        """The rules' state; made on the session's thread, where the position comes from."""
        return CarcassonneRoom().start(replace(self.header, position=self.position))

    @cached_property
    def phase(self) -> str:
        """What comes next; see above."""
        if self.to_act is None:
            return OVER
        turn = self.state.turn
        if turn.tile is None:
            return PLACE
        if turn.duty:
            return DUTY if can_go_somewhere(self.state) else LEAVE
        hand = self.state.hands[self.state.to_move]
        return END if turn.meeple or not any(hand.values()) else MEEPLE

    @property
    def met(self) -> bool:
        """Whether mage and witch have met (W-6)."""
        return UNION in self.state.turn.duty

    @property
    def seats(self) -> tuple[CarcassonneSeat, ...]:
        """The players in seat order."""
        scores, hands = self.position["scores"], self.position["hands"]
        return tuple(
            CarcassonneSeat(
                p.name, p.colour, int(scores[p.colour]), int(hands[p.colour][SMALL]),
                hands[p.colour].get(LARGE),
            )
            for p in self.header.players
        )  # fmt: skip

    @property
    def tiles_left(self) -> int:
        """How many tiles can still be drawn."""
        return sum(self.position["deck"].values())

    @property
    def deck(self) -> Mapping[str, int]:
        """How many tiles of each kind are left, by kind."""
        left: Mapping[str, int] = self.position["deck"]
        return left

    @property
    def figures_out(self) -> tuple[str, ...]:
        """Which of mage and witch stand on the map."""
        return tuple(who for who in FIGURES if self.position["figures"].get(who) is not None)

    @cached_property
    def open_features(self) -> tuple[OpenFeature, ...]:
        """What holds meeples or figures, the most valuable first."""
        return tuple(sorted(open_features(self.state), key=lambda f: -f.worth.points))

    @cached_property
    def if_ended_now(self) -> Mapping[str, int]:
        """Everybody's points if the game ended now."""
        return if_ended_now(self.state)

    @cached_property
    def closed_places(self) -> frozenset[Pos]:
        """Empty places that no remaining tile fits."""
        return frozenset(closed_places(self.state))

    @property
    def placed(self) -> Pos | None:
        """Where the tile of this turn lies."""
        return self.state.turn.tile

    def in_hand(self, size: str) -> str | None:
        """The first meeple of a size in the hand of the player to act."""
        if not self.state.hands[self.state.to_move].get(size):
            return None
        prefix = f"{MEEPLE_KINDS[size]}/{self.to_act}/"
        pieces = CarcassonneRoom().placement(self.state).pieces
        return next((p for p, at in pieces.items() if p.startswith(prefix) and not at), None)

    def drag(self, piece: str, to: str | None) -> Action:
        """What it means that a piece goes to a spot, or off the table."""
        player = owner_of(piece) or self.to_act
        meant = drag_action(self.state, player, piece, to)
        return meant or Action(player, "tile", {"tile": None})


def table_of(
    position: Mapping[str, Any], header: Header, *, to_act: str | None, winner: str | None
) -> CarcassonneTable:
    """The table of a position (see the record format), with its state and phase."""
    table = CarcassonneTable(to_act, winner, header, position)
    table.phase  # noqa: B018  not later, on the interface's thread
    return table
