"""Buttons, labels and panels that all screens share; their look is in ``look.kv``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from kivy.clock import Clock
from kivy.lang import Builder
from kivy.properties import (
    BooleanProperty,
    ColorProperty,
    ListProperty,
    NumericProperty,
    ObjectProperty,
    StringProperty,
)
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.label import Label
from kivy.uix.slider import Slider
from kivy.uix.textinput import TextInput
from kivy.uix.widget import Widget

from companion_app import theme
from companion_app.texts import t
from companion_app.widgets.textures import paragraph_height, text_extent

Builder.load_file(str(Path(__file__).parent.with_name("look.kv")))


class Fit(Label):
    """A text that grows smaller, from ``most`` down to ``least``, until it fits its box.

    Its picture is no larger than the text: what is empty would have to be drawn as well.
    """

    most = NumericProperty(20)
    least = NumericProperty(15)
    corner = ListProperty([0, 0])  # of the picture

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("most", theme.SIZE_BODY)
        kwargs.setdefault("least", theme.SIZE_LEAST * 0.8)
        kwargs.setdefault("color", theme.TEXT)
        kwargs.setdefault("halign", "left")
        kwargs.setdefault("valign", "middle")
        self._fit = Clock.create_trigger(self._fit_now, -1)  # never drawn in the old size
        super().__init__(**kwargs)
        self.bind(text=self._fit, size=self._fit, most=self._fit, bold=self._fit, padding=self._fit)
        self.bind(
            pos=self._lay, size=self._lay, texture_size=self._lay, halign=self._lay,
            valign=self._lay,
        )  # fmt: skip
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
        one_line = text_extent(self.text, int(size), self.bold)[0] <= int(width)
        self.text_size = (None, None) if one_line else (self.width, None)

    def _lay(self, *_: object) -> None:
        wide, high = (a - b for a, b in zip(self.size, self.texture_size, strict=True))
        across = {"left": 0.0, "right": wide}.get(self.halign, wide / 2)
        up = {"bottom": 0.0, "top": high}.get(self.valign, high / 2)
        self.corner = (round(self.x + across), round(self.y + up))

    def _fits(self, size: float, width: float, height: float) -> bool:
        # laid out once for all labels: the same sentence comes again and again
        words, at = self.text.split() or [""], int(size)
        if max(text_extent(word, at, self.bold)[0] for word in words) > width:
            return False
        return paragraph_height(self.text, at, self.bold, int(width)) <= height


def share_of(text: str) -> float:
    """How much of a row a button with a text should take, 1 for one of middling length."""
    wide = text_extent(text, round(theme.sp(21)), True)[0] + theme.dp(28)
    return max(0.8, float(wide) / theme.sp(125))


class Heading(Fit):
    """The title of a part of a screen."""


class Note(Fit):
    """A quiet line below a title."""


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
    fill = ColorProperty(theme.RAISED)
    edge = ColorProperty(theme.LINE)

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("halign", "center")
        super().__init__(**kwargs)

    def on_touch_down(self, touch: Any) -> bool:
        if self.disabled:
            return bool(self.collide_point(*touch.pos))
        return bool(super().on_touch_down(touch))


class Segments(BoxLayout):
    """A row of buttons of which one is chosen; ``options`` are (value, text)."""

    options: list[tuple[str, str]] = ListProperty()
    value = StringProperty("")

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.fbind("options", self._fill)
        self.fbind("value", self._show)
        self._fill()

    def _fill(self, *_: object) -> None:
        self.clear_widgets()
        for value, text in self.options:
            button = TapButton(text=text)
            button.bind(on_release=lambda _, value=value: setattr(self, "value", value))
            self.add_widget(button)
        self._show()

    def _show(self, *_: object) -> None:
        for button, (value, _) in zip(reversed(self.children), self.options, strict=True):
            button.chosen = value == self.value


class Picker(TapButton):
    """A button that shows a choice; a tap takes the next one.  ``options`` are (value, text)."""

    title = StringProperty("")
    options: list[tuple[str, str]] = ListProperty()
    value = StringProperty("")

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("size_hint_y", None)
        kwargs.setdefault("height", theme.TOUCH)
        super().__init__(**kwargs)
        for name in ("title", "options", "value"):
            self.fbind(name, self._say)
        self._say()

    def on_release(self) -> None:
        """The next choice."""
        values = [value for value, _ in self.options]
        if values:
            at = values.index(self.value) if self.value in values else -1
            self.value = values[(at + 1) % len(values)]

    def _say(self, *_: object) -> None:
        text = dict(self.options).get(self.value, self.value)
        self.text = f"{self.title}: {text}" if self.title else text


class Toggle(TapButton):
    """A button that is on or off; says so with a sign besides the colour."""

    title = StringProperty("")
    active = BooleanProperty(False)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.fbind("title", self._say)
        self.fbind("active", self._say)
        self._say()

    def on_release(self) -> None:
        """Turned on or off."""
        self.active = not self.active

    def _say(self, *_: object) -> None:
        self.chosen = self.active
        self.text = f"{self.title}: {t('toggle.on' if self.active else 'toggle.off')}"


class ThemeSlider(Slider):
    """A slider with a handle as large as a finger."""

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("padding", theme.TOUCH * 0.4)
        super().__init__(**kwargs)


class TopBar(BoxLayout):
    """The way back and the title of a screen; dispatches ``on_back``."""

    title = StringProperty("")

    __events__ = ("on_back",)

    def on_back(self) -> None:
        """Back was tapped."""


class Backdrop(BoxLayout):
    """A screen's content, on the window's own ground."""


class BigChoice(ButtonBehavior, BoxLayout):
    """A large button with a title and a line below it."""

    title = StringProperty("")
    detail = StringProperty("")
    kind = StringProperty("plain")
    fill = ColorProperty(theme.RAISED)


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
