"""The inset shows the newest picture, seldom enough that drawing it costs little."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from kivy.base import EventLoop
from kivy.core.window import Window
from kivy.graphics import Rectangle

from companion_app.frames import PREVIEW_EVERY_S, FrameSlot
from companion_app.sight import Mark, Preview
from companion_app.widgets.live_view import LiveView

pytestmark = pytest.mark.window
SIZE = (8, 6)


def preview(n: int, marks: tuple[Mark, ...] = ()) -> Preview:
    return Preview(bytes((n, n, n, 255)) * SIZE[0] * SIZE[1], SIZE, n / 30, (), marks, False)


@pytest.fixture
def live() -> Iterator[LiveView]:
    EventLoop.ensure_window()
    widget = LiveView(size=(200, 150), size_hint=(None, None))
    Window.add_widget(widget)
    yield widget
    Window.remove_widget(widget)


def shown_in(live: LiveView) -> int:
    return live._texture.pixels[0] if live._texture is not None else -1


def test_pictures_that_come_in_a_rush_are_shown_at_most_ten_a_second(live: LiveView) -> None:
    slot, shown = FrameSlot(), set()
    live.watch(slot)
    began = time.monotonic()
    n = 0
    while time.monotonic() - began < 0.6:
        n += 1
        slot.put(preview(n % 250))
        EventLoop.idle()
        shown.add(shown_in(live))
    took = time.monotonic() - began
    assert len(shown) <= took / (PREVIEW_EVERY_S - 0.021) + 2


def test_the_last_picture_of_a_rush_is_shown_in_the_end(live: LiveView) -> None:
    slot = FrameSlot()
    live.watch(slot)
    for n in (1, 2, 3):
        slot.put(preview(n))
        EventLoop.idle()
    end = time.monotonic() + 20
    while shown_in(live) != 3:
        assert time.monotonic() < end
        EventLoop.idle()


def test_marks_follow_the_pictures(live: LiveView) -> None:
    slot = FrameSlot()
    live.watch(slot)
    for marks in ((), (Mark(0.5, 0.5, "c4", "red"),)):
        slot.put(preview(7, marks))
        end = time.monotonic() + 20
        while live._preview is None or live._preview.marks != marks:
            assert time.monotonic() < end
            EventLoop.idle()
        drawn = [i for c in live._over.children for i in c.children if isinstance(i, Rectangle)]
        assert len(drawn) == len(marks)
