"""The door between a game's room and the referee: how its pieces get moved.

A room with a method ``proposer(judge)`` gives its own ``Proposer``; ``judge`` is the room to ask
for judgements (it remembers them).  A proposer inherits ``NoProposer`` and overrides what its game
knows; new questions of the referee get their default answer there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from engine.action import Action
from engine.board import Board
from engine.game import Room
from engine.placement import PieceMove
from engine.referee.explain import Clues, Proposer, Step, Unfinished
from engine.referee.matching import shared_spots
from engine.referee.readings import Reading
from engine.verdict import Message


class NoProposer:
    """For a game whose moves the referee cannot read yet: everything is played by taps."""

    def lays(self, state: Any, clues: Clues) -> tuple[Action, ...]:
        """No cards."""
        return ()

    def steps(self, state: Any, moves: tuple[PieceMove, ...], clues: Clues) -> Sequence[Step]:
        """No proposals."""
        return ()

    def turn_over(self, state: Any, clues: Clues) -> tuple[Action, ...]:
        """Turns end by tap."""
        return ()

    def seems_over(self, state: Any) -> bool:
        """Unknown."""
        return False

    def acted(self, state: Any) -> bool:
        """Unknown."""
        return False

    def sound(self, state: Any) -> bool:
        """Nothing is pending."""
        return True

    def linked(self, moved: frozenset[str], earlier: frozenset[str]) -> bool:
        """No links."""
        return False

    def correction(self, moves: tuple[PieceMove, ...]) -> Action | None:
        """Nothing is known of positions."""
        return None

    def let_stand(
        self, state: Any, action: Action, moves: tuple[PieceMove, ...]
    ) -> Mapping[str, Any]:
        """The pieces as they stand; the turn stays as it was."""
        correction = self.correction(moves)
        return {} if correction is None else correction.args

    def alike(self, kind: str) -> str:
        """Every kind has rules of its own."""
        return kind

    def shared(self, board: Board) -> frozenset[str] | None:
        """Big fields and marks."""
        return shared_spots(board)

    def arriving(self, state: Any) -> frozenset[str]:
        """Nothing is expected on the board."""
        return frozenset()

    def may_vanish(self, state: Any, reading: Reading, came_out: frozenset[str]) -> frozenset[str]:
        """Nothing leaves the board."""
        return frozenset()

    def roll(self, state: Any, dice: tuple[int, int]) -> Action | None:
        """No dice."""
        return None

    def misplaced(
        self, state: Any, moves: tuple[PieceMove, ...], gone: frozenset[str]
    ) -> tuple[Message, ...]:
        """Nothing is known of a set-up."""
        return ()

    def closing(self, state: Any) -> tuple[Action, ...]:
        """Nothing is left to be done."""
        return ()

    def lying(self, state: Any) -> tuple[str, ...]:
        """What leaves the board is taken away at once."""
        return ()

    def question(self, state: Any) -> Unfinished | None:
        """The rules need to be told nothing."""
        return None

    def unfinished(
        self, state: Any, moves: tuple[PieceMove, ...], clues: Clues
    ) -> Unfinished | None:
        """Nothing is half done."""
        return None

    def accusations(self, state: Any, moves: tuple[PieceMove, ...], clues: Clues) -> Sequence[Step]:
        """No rule is known."""
        return ()

    def goes_on(self, state: Any, moves: tuple[PieceMove, ...]) -> bool:
        """What undoes the last thing is a take-back."""
        return False

    def overdue(self, state: Any, late: tuple[PieceMove, ...]) -> Message | None:
        """Nothing has to be taken away."""
        return None

    def missed(self, state: Any, piece: str) -> tuple[str, Message] | None:
        """No rule is known."""
        return None


@runtime_checkable
class Explaining(Protocol):
    """A room whose moves the referee can read."""

    def proposer(self, judge: Room) -> Proposer:
        """The proposer that asks ``judge`` for its judgements."""


def proposer_for(room: Room, judge: Room | None = None) -> Proposer:
    """The proposer of a room; one that proposes nothing for a room without one."""
    return room.proposer(judge or room) if isinstance(room, Explaining) else NoProposer()
