"""What a rule gives back: the next state and what to say, a refusal, or an open question.

States are opaque here; every room shares these three answers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine.game import Judgement
from engine.verdict import EMPTY, Choice, Message, Status


class Refusal(Exception):
    """An action that the rules do not allow."""

    def __init__(self, rule: str | None, cells: tuple[str, ...], message: Message) -> None:
        super().__init__(message.text)
        self.rule, self.cells, self.message = rule, cells, message

    def judgement(self, state: Any) -> Judgement:
        """The refusal as the room's answer; the state stays."""
        return Judgement(Status.ILLEGAL, state, self.rule, self.cells, self.message)


class Unclear(Exception):
    """An action with several readings, none of which is the best one for the mover."""

    def __init__(
        self, rule: str, cells: tuple[str, ...], message: Message, choices: tuple[Choice, ...]
    ) -> None:
        super().__init__(message.text)
        self.rule, self.cells, self.message, self.choices = rule, cells, message, choices

    def judgement(self, state: Any) -> Judgement:
        """The open question as the room's answer; the state stays."""
        return Judgement(
            Status.AMBIGUOUS, state, self.rule, self.cells, self.message, choices=self.choices
        )


@dataclass(frozen=True, slots=True)
class Outcome:
    """An allowed action.  A ``pending`` message says what would complete it."""

    state: Any
    notes: tuple[Message, ...] = ()
    pending: Message | None = None
    rule: str | None = None
    cells: tuple[str, ...] = ()

    def judgement(self) -> Judgement:
        """The outcome as the room's answer."""
        status = Status.LEGAL if self.pending is None else Status.PENDING
        pending = self.pending or EMPTY
        return Judgement(
            status, self.state, self.rule, self.cells, EMPTY, pending, self.notes
        )  # fmt: skip
