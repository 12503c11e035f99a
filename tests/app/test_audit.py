"""The audit of the screens finds what it is there to find: cut, covered and lost texts."""

from __future__ import annotations

import pytest
from kivy.core.window import Window
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.label import Label
from kivy.uix.scrollview import ScrollView
from kivy.uix.textinput import TextInput
from kivy.uix.widget import Widget

from companion_app import theme
from companion_app.widgets.drawing import Drawn
from tests.app.audit import audit
from tests.app.driver import LANDSCAPE

pytestmark = pytest.mark.window
LONG = "Der rote Gnom darf erst nach dem Zauberer gehen"


class Word(Drawn):
    """One drawn text that may not shrink."""

    def __init__(self, text: str, **kwargs: object) -> None:
        self.text = text
        super().__init__(**kwargs)

    def draw(self) -> None:
        box = (self.x, self.y, self.width, self.height)
        self.write(self.text, box, 24, theme.TEXT, least=24)


def label(text: str, x: float, y: float, w: float, h: float, **how: object) -> Label:
    return Label(
        text=text, pos=(x, y), size=(w, h), size_hint=(None, None), font_size=24, **how
    )  # fmt: skip


def wrapped(text: str, x: float, y: float, w: float, h: float) -> Label:
    return label(text, x, y, w, h, text_size=(w, None))


def drawn(text: str, x: float, y: float, w: float, h: float) -> Word:
    return Word(text, pos=(x, y), size=(w, h), size_hint=(None, None))


def found(start, *widgets: Widget) -> list[str]:
    start()
    Window.size = LANDSCAPE
    root = FloatLayout(size=LANDSCAPE, size_hint=(None, None))
    for widget in widgets:
        root.add_widget(widget)
        if isinstance(widget, Drawn):
            widget.draw_now()
    return audit(root)


@pytest.mark.parametrize(
    ("widgets", "says"),
    [
        ([label("fine", 100, 100, 200, 50), label("as well", 100, 200, 200, 50)], None),
        ([wrapped(LONG, 100, 100, 300, 120)], None),
        ([label(LONG, 100, 100, 120, 50)], "out of its box"),
        ([wrapped(LONG, 100, 100, 300, 40)], "cut"),
        ([wrapped("Zauberlehrlingsmeisterschaft", 100, 100, 120, 300)], "cut"),
        ([label("one", 100, 100, 200, 50), label("two", 130, 110, 200, 50)], "overlap"),
        ([label("outside", 1250, 100, 200, 50)], "window"),
        ([drawn("fine", 100, 100, 200, 50)], None),
        ([drawn(LONG, 100, 100, 150, 50)], "cut"),
        ([drawn("one", 100, 100, 200, 50), label("two", 100, 105, 60, 50)], "overlap"),
        ([TextInput(text=LONG, pos=(10, 10), size=(150, 60), size_hint=(None, None), font_size=24, multiline=False)], "cut"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_found_and_nothing_else(
    start, widgets: list[Widget], says: str | None
) -> None:
    wrong = found(start, *widgets)
    if says is None:
        assert wrong == []
    else:
        assert any(says in line for line in wrong), wrong


def test_what_is_scrolled_out_of_sight_is_not_counted(start) -> None:
    view = ScrollView(pos=(0, 0), size=(300, 100), size_hint=(None, None))
    inner = FloatLayout(size=(300, 400), size_hint=(None, None))
    inner.add_widget(label("far below", 0, 20, 200, 50))
    view.add_widget(inner)
    assert found(start, view, label("shown", 0, 10, 200, 50)) == []
