"""The numbers of a step: rows with minus and plus, or a list with a row of keys."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout

from calibration.measuring.step import Number
from companion_app import theme
from companion_app.texts import t
from companion_app.widgets.basics import Fit, TapButton

Change = Callable[[str, int], None]


def name_of(number: Number) -> str:
    """The words for a number."""
    name, _, tail = number.name.rpartition("_")
    if tail.isdigit():
        return t(f"measure.number_{name}", n=tail)
    return t(f"measure.number_{number.name}")


def stepper(number: Number, change: Change) -> BoxLayout:
    """Minus, the value with its name, plus."""
    row = BoxLayout(size_hint_y=None, height=theme.TOUCH, spacing=theme.dp(8))
    value = number.value if number.value is not None else number.least
    for text, by in (("–", -number.step), ("", 0), ("+", number.step)):
        if not text:
            row.add_widget(Fit(text=f"{name_of(number)}: {value}", halign="center", bold=True))
            continue
        button = TapButton(text=text, most=theme.sp(30), size_hint_x=None, width=theme.TOUCH * 1.3)
        button.disabled = not number.least <= value + by <= number.most
        button.bind(on_release=lambda _, by=by: change(number.name, value + by))
        row.add_widget(button)
    return row


class KeyPad(BoxLayout):
    """Numbers that are asked for one after the other, by one key each."""

    def __init__(self, change: Change) -> None:
        super().__init__(orientation="vertical", size_hint_y=None, spacing=theme.dp(8))
        self.bind(minimum_height=self.setter("height"))
        self._change = change
        self._numbers: Sequence[Number] = ()
        self._wanted = ""
        self.fields = GridLayout(
            cols=2, size_hint_y=None, spacing=theme.dp(6),
            row_force_default=True, row_default_height=theme.TOUCH * 0.86,
        )  # fmt: skip
        self.keys = GridLayout(
            cols=6, size_hint_y=None, spacing=theme.dp(6),
            row_force_default=True, row_default_height=theme.TOUCH,
        )  # fmt: skip
        for grid in (self.fields, self.keys):
            grid.bind(minimum_height=grid.setter("height"))
            self.add_widget(grid)

    def show(self, numbers: Sequence[Number]) -> None:
        """Shows the numbers as they are now; the next one that is missing is asked for."""
        known = {n.name for n in numbers if n.value is not None}
        if self._wanted in known or not self._wanted:
            self._wanted = next((n.name for n in numbers if n.value is None), self._wanted)
        self._numbers = numbers
        self.fields.clear_widgets()
        for number in numbers:
            value = "?" if number.value is None else str(number.value)
            button = TapButton(text=f"{name_of(number)}: {value}", most=theme.SIZE_SMALL)
            button.chosen = number.name == self._wanted
            button.bind(on_release=lambda _, name=number.name: self._ask(name))
            self.fields.add_widget(button)
        if not self.keys.children and numbers:
            for value in range(numbers[0].least, numbers[0].most + 1):
                key = TapButton(text=str(value), most=theme.sp(26))
                key.bind(on_release=lambda _, value=value: self._press(value))
                self.keys.add_widget(key)

    def _ask(self, name: str) -> None:
        self._wanted = name
        for button, number in zip(reversed(self.fields.children), self._numbers, strict=True):
            button.chosen = number.name == name

    def _press(self, value: int) -> None:
        if self._wanted:
            self._change(self._wanted, value)
