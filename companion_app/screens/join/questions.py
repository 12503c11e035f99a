"""A question of a game that is joined late, as a row of the screen."""

from __future__ import annotations

from typing import Any

from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout

from companion_app import theme
from companion_app.texts import show, t
from companion_app.widgets.basics import Fit, Picker, TapButton
from engine.joining import JoinQuestion
from engine.verdict import Message

MOST_IN_ROW = 5


def choice_text(question: JoinQuestion, value: str) -> str:
    """The words for one choice: a player's name, a thing of the game, or the number itself."""
    if value.isdigit() or len(value) == 1:
        return value
    key = f"join.{question.key.partition('/')[0]}.{value}"
    said = t(key)
    return show(Message("join.player", value, {"player": value})) if said == key else said


class JoinRow(BoxLayout):
    """One question with its answer; dispatches ``on_answer(key, value)``."""

    __events__ = ("on_answer",)

    def __init__(self, question: JoinQuestion, **kwargs: Any) -> None:
        super().__init__(size_hint_y=None, spacing=theme.dp(8), **kwargs)
        self.question = question
        {"number": self._number, "one": self._one, "many": self._many}[question.kind]()

    def on_answer(self, key: str, value: Any) -> None:
        """Answered."""

    def _say(self, value: Any) -> None:
        self.dispatch("on_answer", self.question.key, value)

    def _number(self) -> None:
        asked = self.question
        self.height = theme.TOUCH
        self.add_widget(Fit(text=show(asked.text)))
        for text, step in (("–", -1), (str(asked.value), 0), ("+", 1)):
            if step == 0:
                part: Any = Fit(text=text, bold=True, halign="center")
            else:
                part = TapButton(text=text)
                value = asked.value + step
                part.disabled = not asked.least <= value <= asked.most
                part.bind(on_release=lambda _, value=value: self._say(value))
            part.size_hint_x, part.width = None, theme.TOUCH
            self.add_widget(part)

    def _one(self) -> None:
        asked = self.question
        options = [(v, choice_text(asked, v)) for v in asked.choices]
        picker = Picker(title=show(asked.text), options=options, value=asked.value)
        picker.bind(value=lambda _, value: self._say(value))
        self.height = theme.TOUCH
        self.add_widget(picker)

    def _many(self) -> None:
        asked = self.question
        rows = -(-len(asked.choices) // MOST_IN_ROW)
        self.orientation = "vertical"
        self.add_widget(Fit(text=show(asked.text), size_hint_y=None, height=theme.sp(34)))
        grid = GridLayout(cols=min(MOST_IN_ROW, len(asked.choices)), spacing=theme.dp(6))
        for value in asked.choices:
            button = TapButton(text=choice_text(asked, value), chosen=value in asked.value)
            button.bind(on_release=lambda _, value=value: self._say(self._with(value)))
            grid.add_widget(button)
        self.add_widget(grid)
        self.height = theme.sp(34) + rows * (theme.TOUCH + theme.dp(6)) + theme.dp(8)

    def _with(self, value: str) -> tuple[str, ...]:
        """The answer with one choice turned over."""
        asked = self.question
        return tuple(v for v in asked.choices if (v in asked.value) != (v == value))
