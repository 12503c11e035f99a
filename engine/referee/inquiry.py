"""What the rules have to be told before the game goes on: asked once, answered by one tap."""

from __future__ import annotations

from collections.abc import Callable

from engine.action import Action
from engine.referee.events import QuestionAsked, TrackerEvent, Withdrawn
from engine.referee.explain import Unfinished


class Inquiry:
    """The open question of the rules, if there is one (what a burnt wisdom shows)."""

    def __init__(self, new_id: Callable[[], str]) -> None:
        self._new_id = new_id
        self._wanted: Unfinished | None = None
        self._asked: QuestionAsked | None = None

    def update(self, t_s: float, wanted: Unfinished | None) -> list[TrackerEvent]:
        """Asks what is new, and withdraws what is no longer to be asked."""
        if wanted == self._wanted:
            return []
        events: list[TrackerEvent] = []
        if self._asked is not None:
            events.append(Withdrawn(self._asked.id, t_s))
        self._wanted = wanted
        self._asked = None
        if wanted is not None:
            self._asked = QuestionAsked(
                self._new_id(), t_s, wanted.pending, wanted.choices, wanted.cells, True
            )
            events.append(self._asked)
        return events

    def answer(self, question: str, index: int) -> tuple[Action, ...]:
        """The actions of an answer; none when it is no answer to the open question."""
        asked = self._asked
        if asked is None or asked.id != question or not 0 <= index < len(asked.choices):
            return ()
        return asked.choices[index].actions
