"""The place where the app speaks: refusals with their rule, questions, hints.  Never on the board."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from kivy.clock import Clock
from kivy.graphics import InstructionGroup
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion_app import theme
from companion_app.games.face import Offer
from companion_app.snapshot import Light, Question, Sentence, Snapshot
from companion_app.taps import Choose, Command, Dismiss, Do, Refuse, TakeAsIs
from companion_app.texts import show, t
from companion_app.texts.moves import differing_text, move_text
from companion_app.widgets.basics import Fit, TapButton
from companion_app.widgets.drawing import bordered, into
from engine.referee.strictness import Strictness, strictness_of
from engine.verdict import Status


@dataclass(frozen=True)
class Answer:
    """A button below the text: a command for the session, or a name for the screen."""

    text: str
    command: Command | str
    main: bool = False


@dataclass(frozen=True)
class Speech:
    """What is said now: ``mood`` is "plain", "bad", "wait", "ask" or "good"."""

    text: str
    mood: str = "plain"
    badge: str = ""
    detail: str = ""
    answers: tuple[Answer, ...] = ()


def mood_colours(mood: str) -> tuple[theme.Rgba, theme.Rgba]:
    """Surface and edge for a mood."""
    return {
        "plain": (theme.PANEL, theme.PANEL),
        "bad": (theme.BAD_PANEL, theme.BAD),
        "wait": (theme.WAIT_PANEL, theme.WAIT),
        "ask": (theme.ASK_PANEL, theme.ACCENT_TEXT),
        "good": (theme.GOOD_PANEL, theme.GOOD),
    }[mood]


def speech_of(snapshot: Snapshot, turning: bool) -> Speech:
    """What matters most right now."""
    if turning:
        return _turning()
    if snapshot.question is not None:
        return _asking(snapshot.question)
    sentence = snapshot.sentence
    if sentence is not None and not sentence.message.text:
        sentence = None
    ask = snapshot.table.ask
    refused = sentence is not None and sentence.status is not Status.LEGAL
    if sentence is not None and refused:
        if ask is None or sentence.status is not Status.PENDING:
            return _refusal(sentence, snapshot)
    if snapshot.storage is not None:
        return Speech(show(snapshot.storage), "bad")
    if ask is not None:
        return Speech(show(ask.text), "ask", answers=_offered(ask.answers, main=True))
    if sentence is not None:
        return _acceptance(sentence, snapshot)
    if snapshot.differences:
        return _differing(snapshot)
    return Speech(_hint(snapshot))


def _asking(question: Question) -> Speech:
    answers = tuple(
        Answer(show(text), Choose(question.id, i), i == 0)
        for i, text in enumerate(question.choices)
    )
    none = Answer(t("table.none_of_these"), Refuse(question.id))
    return Speech(show(question.text), "ask", answers=(*answers, none))


def _offered(offers: tuple[Offer, ...], *, main: bool = False) -> tuple[Answer, ...]:
    return tuple(Answer(show(o.text), Do(o.action), main and i == 0) for i, o in enumerate(offers))


def _acceptance(sentence: Sentence, snapshot: Snapshot) -> Speech:
    answers = _offered(sentence.offers)
    if sentence.doubtful:
        answers = (Answer(t("table.refuse"), Refuse(sentence.id)),)
    return Speech(show(sentence.message), "good", _badge(sentence, snapshot), answers=answers)


def _turning() -> Speech:
    answers = (
        Answer(t("table.turn_it"), "turn_it"), Answer(t("table.put_here"), "put_here", True),
        Answer(t("table.cancel"), "turn_cancel"),
    )  # fmt: skip
    return Speech(t("table.turn_text"), "ask", answers=answers)


def _badge(sentence: Sentence, snapshot: Snapshot) -> str:
    seat = snapshot.table.seat(sentence.player)
    rule = t("table.rule", rule=sentence.rule) if sentence.rule else ""
    return " · ".join(part for part in (seat.name if seat and rule else "", rule) if part)


def _refusal(sentence: Sentence, snapshot: Snapshot) -> Speech:
    lenient = strictness_of(snapshot.header) is not Strictness.REFEREE
    moods = {Status.ILLEGAL: "wait" if lenient else "bad", Status.PENDING: "wait"}
    back = ", ".join(move_text(m) for m in sentence.way_back)
    detail = t("table.back", moves=back) if back else ""
    answers = [Answer(t("table.dismiss"), Dismiss())]
    if sentence.status is Status.ILLEGAL:
        answers.append(Answer(t("table.explain"), "explain"))
        if sentence.differences:
            stays = t("table.stays" if lenient else "table.as_is")
            answers.append(Answer(stays, TakeAsIs()))
    return Speech(
        show(sentence.message),
        moods.get(sentence.status, "wait"),
        _badge(sentence, snapshot),
        detail,
        tuple(answers),
    )


def _differing(snapshot: Snapshot) -> Speech:
    answers = (Answer(t("table.explain"), "explain"),)
    return Speech(differing_text(snapshot.differences), "wait", answers=answers)


def _hint(snapshot: Snapshot) -> str:
    table = snapshot.table
    return show(table.hint_by_hand if snapshot.camera.light is Light.OFF else table.hint)


class Talk(BoxLayout):
    """Shows a ``Speech``; ``on_answer(command)`` when a button is tapped.

    A question has its answers below it; a refusal has its buttons at the side, so that the
    sentence keeps its room.
    """

    __events__ = ("on_answer",)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(spacing=theme.dp(8), padding=theme.dp(12), **kwargs)
        self.speech: Speech | None = None
        self._group = InstructionGroup()
        self.canvas.before.add(self._group)
        draw = Clock.create_trigger(self._draw_now)
        self.bind(pos=draw, size=draw)
        self._draw = draw
        self._words = BoxLayout(orientation="vertical", spacing=theme.dp(2))
        self._badge = Fit(bold=True, most=theme.SIZE_SMALL, size_hint_y=None, height=theme.dp(24))
        self._text = Fit(most=theme.sp(32))
        self._detail = Fit(most=theme.SIZE_SMALL, size_hint_y=None, height=theme.dp(26))
        self._buttons = BoxLayout(spacing=theme.dp(8))

    def on_answer(self, command: Command | str) -> None:
        """A button was tapped."""

    def say(self, speech: Speech) -> None:
        """Shows what is said now; nothing moves if it is the same as before."""
        if speech == self.speech:
            return
        self.speech = speech
        self._badge.text, self._badge.color = speech.badge, mood_colours(speech.mood)[1]
        self._text.text, self._text.bold = speech.text, speech.mood in ("bad", "ask")
        self._text.color = theme.MUTED if speech.mood == "plain" else theme.TEXT
        self._detail.text, self._detail.color = speech.detail, theme.TEXT
        self._words.clear_widgets()
        shown = ((self._badge, speech.badge), (self._text, True), (self._detail, speech.detail))
        for part, there in shown:
            if there:
                self._words.add_widget(part)
        self._fill_buttons(speech)
        self._draw()

    def _fill_buttons(self, speech: Speech) -> None:
        self.clear_widgets()
        self._buttons.clear_widgets()
        self.add_widget(self._words)
        if not speech.answers:
            return
        below = speech.mood == "ask"
        self.orientation = "vertical" if below else "horizontal"
        self._buttons.orientation = "horizontal" if below else "vertical"
        self._buttons.size_hint = (1, None) if below else (None, 1)
        self._buttons.size = (theme.dp(190), theme.dp(66))
        for answer in speech.answers:
            kind = "main" if answer.main else "plain"
            button = TapButton(text=answer.text, kind=kind, most=theme.SIZE_BODY)
            button.bind(on_release=self._tapped(answer.command))
            if not below:
                button.size_hint_max_y = theme.dp(82)
            self._buttons.add_widget(button)
        if not below and len(speech.answers) == 1:
            self._buttons.add_widget(Widget(size_hint_y=0.5), index=0)
            self._buttons.add_widget(Widget(size_hint_y=0.5), index=2)
        self.add_widget(self._buttons)

    def _tapped(self, command: Command | str) -> Callable[[object], None]:
        return lambda _: self.dispatch("on_answer", command)

    def _draw_now(self, *_: object) -> None:
        fill, edge = mood_colours(self.speech.mood if self.speech is not None else "plain")
        self._group.clear()
        with into(self._group):
            bordered(self.pos, self.size, theme.RADIUS, fill, edge, theme.dp(2))
