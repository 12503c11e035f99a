"""Which proposer belongs to which game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.action import Action
from engine.game import Room
from engine.placement import PieceMove
from engine.referee.explain import Clues, Proposer, Step, Unfinished


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

    def sound(self, state: Any) -> bool:
        """Nothing is pending."""
        return True

    def linked(self, moved: frozenset[str], earlier: frozenset[str]) -> bool:
        """No links."""
        return False

    def correction(self, moves: tuple[PieceMove, ...]) -> Action | None:
        """Nothing is known of positions."""
        return None

    def roll(self, state: Any, dice: tuple[int, int]) -> Action | None:
        """No dice."""
        return None

    def unfinished(
        self, state: Any, moves: tuple[PieceMove, ...], clues: Clues
    ) -> Unfinished | None:
        """Nothing is half done."""
        return None

    def accusations(self, state: Any, moves: tuple[PieceMove, ...], clues: Clues) -> Sequence[Step]:
        """No rule is known."""
        return ()


def proposer_for(room: Room) -> Proposer:
    """The proposer of a room's game; one that proposes nothing for a game without one."""
    if room.name == "magalon":
        from engine.magalon.explain import MagalonProposer

        return MagalonProposer(room)
    return NoProposer()
