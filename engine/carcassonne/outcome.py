"""What a reducer gives back: the next state and what to say, or a refusal."""

from __future__ import annotations

from dataclasses import dataclass

from engine.carcassonne.state import CarcassonneState
from engine.game import Judgement
from engine.verdict import EMPTY, Message, Status


class Refusal(Exception):
    """An action that the rules do not allow."""

    def __init__(self, rule: str | None, cells: tuple[str, ...], message: Message) -> None:
        super().__init__(message.text)
        self.rule, self.cells, self.message = rule, cells, message

    def judgement(self, state: CarcassonneState) -> Judgement:
        """The refusal as the room's answer; the state stays."""
        return Judgement(Status.ILLEGAL, state, self.rule, self.cells, self.message)


@dataclass(frozen=True, slots=True)
class Outcome:
    """An allowed action; ``pending``: what it obliges to before the turn may go on."""

    state: CarcassonneState
    notes: tuple[Message, ...] = ()
    rule: str | None = None
    cells: tuple[str, ...] = ()
    pending: Message = EMPTY

    def judgement(self) -> Judgement:
        """The outcome as the room's answer."""
        return Judgement(
            Status.LEGAL, self.state, self.rule, self.cells, pending=self.pending, notes=self.notes
        )
