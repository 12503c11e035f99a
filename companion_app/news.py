"""Folds what the referee reports into what the screens show: sentence, question, history."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from companion_app import texts
from companion_app.games.face import Face, Offer
from companion_app.snapshot import LogLine, Question, Sentence
from engine.action import Action
from engine.placement import PieceMove
from engine.verdict import Choice, Message, Status, Verdict

HISTORY = 40
DOUBT = 0.9


class News:
    """The talk of one game.  Not thread-safe: only the session's thread touches it."""

    def __init__(self, face: Face) -> None:
        self._face = face
        self.sentence: Sentence | None = None
        self.question: Question | None = None
        self._choices: tuple[Choice, ...] = ()
        self._tapped = self._about_tap = False
        self.log: tuple[LogLine, ...] = ()

    def verdict(self, verdict_id: str, verdict: Verdict) -> None:
        """A verdict, or one that replaces an earlier one with the same id."""
        if verdict.status is Status.LEGAL:
            self._legal(verdict_id, verdict)
            return
        if verdict.status is Status.AMBIGUOUS and verdict.choices:
            self.ask(verdict_id, verdict.message, verdict.choices, verdict.cells)
            return
        message = verdict.message if verdict.message.text else verdict.pending
        if not message.text:
            message = texts.message("trouble.refused")
        self.sentence = Sentence(
            verdict_id,
            verdict.status,
            message,
            verdict.rule,
            verdict.cells,
            verdict.player,
            verdict.way_back,
            verdict.pieces,
        )

    def _legal(self, verdict_id: str, verdict: Verdict) -> None:
        self.withdraw(verdict_id)
        self.sentence = None
        if verdict.message.text:
            offers = _offers(self._face, verdict.message)
            self.sentence = Sentence(
                verdict_id,
                Status.LEGAL,
                verdict.message,
                verdict.rule,
                player=verdict.player,
                doubtful=verdict.confidence < DOUBT and not offers,
                offers=offers,
            )

    def ask(
        self,
        question_id: str,
        text: Message,
        choices: Iterable[Choice],
        cells: tuple[str, ...] = (),
    ) -> None:
        """A question is open until it is answered or withdrawn."""
        self._choices = tuple(choices)
        self._about_tap = self._tapped
        self.question = Question(question_id, text, tuple(c.text for c in self._choices), cells)

    def answer(self, question_id: str, index: int) -> tuple[Action, ...]:
        """The actions of an answer; the question is then closed."""
        if self.question is None or self.question.id != question_id:
            return ()
        self.question = None
        return self._choices[index].actions if 0 <= index < len(self._choices) else ()

    def withdraw(self, news_id: str) -> None:
        """A verdict or a question that holds no longer."""
        if self.sentence is not None and self.sentence.id == news_id:
            self.sentence = None
        if self.question is not None and self.question.id == news_id:
            self.question = None

    def recorded(self, action: Action) -> None:
        """An action went into the record: a line of the history."""
        if action.do == "note" and "text" not in action.args:
            return
        line = LogLine(texts.describe(action), action.player)
        self.log = (*self.log, line)[-HISTORY:]
        if self.sentence is not None and self.sentence.status is not Status.LEGAL:
            self.sentence = None
        if self._about_tap:
            self.question = None

    def note(self, message: Message, rule: str | None = None) -> None:
        """Something worth saying that is no refusal, with the rule that gave it."""
        if message.text:
            self.log = (*self.log, LogLine(message, None, rule))[-HISTORY:]

    def refused_drag(self, move: PieceMove) -> None:
        """A drag that was just refused may be set all the same: then it was a correction."""
        sentence = self.sentence
        if sentence is not None and sentence.status is Status.ILLEGAL and not sentence.differences:
            self.sentence = replace(sentence, differences=(move,))

    def tell(self, message: Message, status: Status = Status.UNREADABLE) -> None:
        """A sentence of the app itself."""
        self.sentence = Sentence("app", status, message)

    def dismiss(self) -> None:
        """The sentence was read."""
        self.sentence = None

    def hear(self, event: Any, *, tapped: bool = False) -> Action | None:
        """Takes in one event of the referee; returns the action if it has to be recorded.

        A question about something that was ``tapped`` is over when something else is done.
        """
        self._tapped = tapped
        match type(event).__name__:
            case "VerdictGiven":
                if event.replaces is not None:
                    self.withdraw(str(event.replaces))
                self.verdict(str(event.id), event.verdict)
            case "QuestionAsked":
                self.ask(
                    str(event.id), event.text, event.choices, tuple(getattr(event, "cells", ()))
                )
            case "Withdrawn":
                self.withdraw(str(event.id))
            case "ActionRecorded":
                self.recorded(event.action)
                if event.action.do == "undo" and event.judgement.notes:
                    self.log = self.log[:-1]  # the note says what was taken back
                for said in event.judgement.notes:
                    self.note(said)
                return event.action  # type: ignore[no-any-return]
        return None


def _offers(face: Face, message: Message) -> tuple[Offer, ...]:
    return face.offers(message.params.get("notes", ((message.key, message.params),)))
