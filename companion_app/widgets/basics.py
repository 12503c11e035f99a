"""Buttons, labels and panels that all screens share; their look is in ``look.kv``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from kivy.clock import Clock
from kivy.core.text import Label as CoreLabel
from kivy.lang import Builder
from kivy.properties import (
    BooleanProperty,
    ColorProperty,
    NumericProperty,
    ObjectProperty,
    StringProperty,
)
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.label import Label
from kivy.uix.textinput import TextInput
from kivy.uix.widget import Widget

from companion_app import theme

Builder.load_file(str(Path(__file__).parent.with_name("look.kv")))


class Fit(Label):
    """A text that grows smaller, from ``most`` down to ``least``, until it fits its box."""

    most = NumericProperty(20)
    least = NumericProperty(15)

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("most", theme.SIZE_BODY)
        kwargs.setdefault("least", theme.SIZE_LEAST * 0.8)
        kwargs.setdefault("color", theme.TEXT)
        kwargs.setdefault("halign", "left")
        kwargs.setdefault("valign", "middle")
        self._fit = Clock.create_trigger(self._fit_now)
        super().__init__(**kwargs)
        self.bind(text=self._fit, size=self._fit, most=self._fit, bold=self._fit, padding=self._fit)
        self._fit()

    def _fit_now(self, *_: object) -> None:
        left, top, right, bottom = self.padding
        width, height = self.width - left - right, self.height - top - bottom
        if width < 5 or height < 5:
            return
        size = self.most
        while size > self.least and not self._fits(size, width, height):
            size -= 1
        self.font_size = size
        self.text_size = self.size

    def _fits(self, size: float, width: float, height: float) -> bool:
        label = CoreLabel(text=self.text, font_size=size, bold=self.bold, font_name=self.font_name)
        longest = max(label.get_extents(word)[0] for word in self.text.split() or [""])
        if longest > width:
            return False
        label = CoreLabel(
            text=self.text, font_size=size, bold=self.bold, font_name=self.font_name,
            text_size=(width, None),
        )  # fmt: skip
        return bool(label.render()[1] <= height)  # lays the lines out without drawing them


class Panel(Widget):
    """A rounded surface behind other things."""

    fill = ColorProperty((0, 0, 0, 1))

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("fill", theme.PANEL)
        super().__init__(**kwargs)


class TapButton(ButtonBehavior, Fit):
    """A button: ``kind`` is "main", "plain" or "quiet"."""

    kind = StringProperty("plain")
    chosen = BooleanProperty(False)

    def on_touch_down(self, touch: Any) -> bool:
        if self.disabled:
            return bool(self.collide_point(*touch.pos))
        return bool(super().on_touch_down(touch))


class BigChoice(ButtonBehavior, BoxLayout):
    """A large button with a title and a line below it."""

    title = StringProperty("")
    detail = StringProperty("")
    kind = StringProperty("plain")


class Field(TextInput):
    """A line of text to type in, high enough for a finger."""


class Mark(Widget):
    """A player's mark: colour, shape and letter."""

    colour = StringProperty("violet")
    texture = ObjectProperty(None, allownone=True)
    letter = StringProperty("")
    ink = ColorProperty((1, 1, 1, 1))

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._paint = Clock.create_trigger(self._paint_now)
        self.bind(size=self._paint, colour=self._paint)
        self._paint()

    def _paint_now(self, *_: object) -> None:
        from companion_app.widgets.textures import player_texture

        side = int(min(self.size))
        if side > 4:
            look = theme.look(self.colour)
            self.texture = player_texture(self.colour, side)
            self.letter, self.ink = look.letter, look.ink
