"""A user at the app's window: taps, drags, and waits for what they bring."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np
from kivy.base import EventLoop
from kivy.core.window import Window
from kivy.tests.common import UnitTestTouch
from kivy.uix.widget import Widget

from companion_app import theme
from companion_app.app import BoardwardenApp
from companion_app.app_options import AppOptions
from companion_app.games.magalon.hand import Card
from companion_app.table_setup import TableSetup
from companion_app.widgets.basics import TapButton
from engine.game import Player

LIMIT_S = 180.0
PLAYERS = (Player("Ada", "violet"), Player("Ben", "green"))
BY_HAND = TableSetup(PLAYERS)
LANDSCAPE, PORTRAIT = (1280, 800), (800, 1280)


class Driver:
    """A user at the window."""

    def __init__(self, app: BoardwardenApp) -> None:
        self.app = app
        self.taps = 0  # how often the finger went down

    @property
    def table(self):
        return self.app.page("table")

    @property
    def shown(self):
        return self.table._shown

    @property
    def laid(self):
        return self.shown.table.detail.laid

    @property
    def talk(self) -> str:
        speech = self.table.ids.talk.speech
        if speech is None:
            return ""
        return f"{speech.badge} {speech.text} {speech.detail}"

    def frames(self, n: int = 3) -> None:
        for _ in range(n):
            EventLoop.idle()

    def until(self, fits: Callable[[], object]) -> None:
        end = time.monotonic() + LIMIT_S
        while not fits():
            assert time.monotonic() < end, "it did not happen"
            self.frames(1)
        self.frames(2)

    def resize(self, size: tuple[int, int]) -> None:
        """Another window size; waits until the screens have been made anew for it."""
        Window.size = size
        self.frames(3)
        self.until(lambda: not self.app.resizing)
        self.until(lambda: self.app.manager.current != "table" or self.shown is not None)
        self.frames(8)

    def at(self, screen: str) -> None:
        """Waits until a screen is shown and has faded in: before that no tap reaches it."""
        self.until(lambda: self.app.manager.current == screen)
        self.until(lambda: not self.app.manager.transition.is_active)
        self.frames(3)

    def picture(self) -> np.ndarray:
        """The window as (H, W, 3) BGR."""
        texture = self.app.root.export_as_image().texture
        width, height = texture.size
        pixels = np.frombuffer(texture.pixels, np.uint8).reshape(height, width, 4)
        alpha = pixels[..., 3:].astype(np.float32) / 255
        ground = np.float32(theme.BACKGROUND[:3]) * 255
        mixed = pixels[..., :3] * alpha + ground * (1 - alpha)
        return np.ascontiguousarray(mixed[..., ::-1].astype(np.uint8))

    def tap(self, widget: Widget) -> None:
        self.touch(widget.to_window(*widget.center))

    def touch(self, *points: tuple[float, float]) -> None:
        self.taps += 1
        touch = UnitTestTouch(*points[0])
        touch.touch_down()
        self.frames(1)
        for point in points[1:]:
            touch.touch_move(*point)
            self.frames(1)
        touch.touch_up()
        self.frames(2)

    def drag(self, piece: str, spot: str) -> None:
        board = self.table.ids.board
        start = board._places[piece].at
        end = board.geometry.centre_px(spot)
        middle = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
        self.touch(start, middle, end)

    def find(self, kind: type, fits: Callable[[Widget], object]) -> Widget:
        return next(
            w for w in self.app.root.walk(restrict=False) if isinstance(w, kind) and fits(w)
        )

    def button(self, text: str) -> Widget:
        """The button with this text, as soon as it is in the window: screens fade in."""

        def shown(widget: Widget) -> bool:
            return widget.text == text and widget.get_root_window() is not None

        everything = partial(self.app.root.walk, restrict=False)
        self.until(lambda: any(isinstance(w, TapButton) and shown(w) for w in everything()))
        return self.find(TapButton, shown)

    def card(self, value: int) -> Widget:
        return self.find(Card, lambda w: w.face is not None and w.face.value == value)

    def lay(self, *values: int) -> None:
        for value in values:
            laid = len(self.laid)
            self.tap(self.card(value))
            self.until(lambda laid=laid: len(self.laid) > laid)

    def begin(self, game: TableSetup = BY_HAND) -> None:
        self.app.begin(game)
        self.until(lambda: self.app.manager.current in ("camera", "table"))
        if self.app.manager.current == "camera":
            self.frames(2)
            self.tap(self.app.page("camera").ids.play)
        self.until(lambda: self.app.manager.current == "table" and self.shown is not None)
        self.until(lambda: not self.app.manager.transition.is_active)
        self.until(lambda: self.table.ids.board.geometry is not None)


def seen(home: Path) -> None:
    """The tour has been seen, and screens change without fading."""
    settings = home / "settings.json"
    if not settings.exists() and not home.is_file():
        home.mkdir(parents=True, exist_ok=True)
        settings.write_text('{"tour_seen": true, "calm": true}')


def open_apps(home: Path) -> Iterator[Callable[..., Driver]]:
    """Yields a function that opens the app anew; closes all of them at the end."""
    apps: list[BoardwardenApp] = []

    def open_app(tour: bool = False, **options) -> Driver:
        EventLoop.ensure_window()
        Window.size = LANDSCAPE
        options.setdefault("data", home)
        options.setdefault("mouths", lambda: None)
        if not tour:
            seen(options["data"])
        app = BoardwardenApp(AppOptions(**options))
        app.root = app.build()
        assert app.root is not None
        Window.add_widget(app.root)
        apps.append(app)
        driver = Driver(app)
        driver.frames(5)
        return driver

    yield open_app
    for app in apps:
        app.on_stop()
        Window.remove_widget(app.root)
    EventLoop.idle()
