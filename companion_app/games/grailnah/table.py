"""What lies around the board in Grailnah, read from a position for the screens."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from engine.action import Action
from engine.board import Board
from engine.game import Header
from engine.grailnah import GrailnahRoom, GrailnahState
from engine.grailnah.queries import drag_action, must_pass, recovery_open, special_open


@dataclass(frozen=True, slots=True)
class GrailnahSeat:
    """A player's side of the table.

    ``knights``: of each of the four, whether it is still in the game; ``team``: the letter of the
    team when four play, "" otherwise.
    """

    name: str
    colour: str
    knights: tuple[bool, ...]
    team: str


@dataclass(frozen=True)
class GrailnahTable:
    """The table as a position describes it; ``state`` is the rules' state of it."""

    to_act: str | None
    winner: str | None
    header: Header
    board: Board
    position: Mapping[str, Any]

    @cached_property
    def state(self) -> GrailnahState:
        """The rules' state, made when it is first asked for."""
        return GrailnahRoom().start(replace(self.header, position=self.position), self.board)

    @property
    def over(self) -> bool:
        """Whether the game has ended, won or drawn."""
        return self.state.over

    @property
    def seats(self) -> tuple[GrailnahSeat, ...]:
        """The players in seat order."""
        setup = self.state.setup
        letters = {c: "AB"[n] for n, team in enumerate(setup.teams) for c in team if len(team) > 1}
        return tuple(
            GrailnahSeat(
                p.name,
                p.colour,
                tuple(self.state.pieces[k] is not None for k in setup.knights(p.colour)),
                letters.get(p.colour, ""),
            )
            for p in self.header.players
        )

    @property
    def winners(self) -> tuple[str, ...]:
        """Who has won, in seat order: a player, or a team."""
        return tuple(c for c in self.state.setup.seats if c in self.state.winners)

    @property
    def must_pass(self) -> bool:
        """Whether the player to act cannot move at all."""
        return must_pass(self.state)

    @property
    def recovery(self) -> tuple[str | None, int]:
        """Who may take knights back right now, and how many at most."""
        return recovery_open(self.state)

    def special(self, name: str) -> str:
        """ "" if the player to act may move Merlin or Morgane, else why not (or what it costs)."""
        return special_open(self.state, name)

    def drag(self, piece: str, to: str) -> Action:
        """What a drag of a piece to a cell means."""
        return drag_action(self.state, piece, to)
