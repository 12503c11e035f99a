"""A job that takes long: after half a second a sheet shows how far it is, with a way out."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from kivy.clock import Clock
from kivy.graphics import Color, Rectangle
from kivy.uix.anchorlayout import AnchorLayout
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion_app import theme
from companion_app.busy import Work
from companion_app.texts import t
from companion_app.widgets.basics import Fit, TapButton
from companion_app.widgets.drawing import Drawn, bordered, rounded

SHOWN_AFTER_S = 0.5
POLL_S = 0.03


class Bar(Drawn):
    """A bar that fills up."""

    def __init__(self, **kwargs: Any) -> None:
        self.share = 0.0
        super().__init__(**kwargs)

    def draw(self) -> None:
        """See ``Drawn``."""
        rounded(self.pos, self.size, self.height / 2, theme.LINE)
        width = max(self.height, self.width * self.share)
        rounded(self.pos, (width, self.height), self.height / 2, theme.ACCENT)


class WaitingSheet(AnchorLayout):
    """Covers the stage; nothing below it can be tapped."""

    def __init__(self, title: str, cancel: Callable[[], None], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.cancel = cancel
        with self.canvas.before:
            Color(0, 0, 0, 0.55)
            shade = Rectangle()
        self.bind(pos=lambda *_: setattr(shade, "pos", self.pos))
        self.bind(size=lambda *_: setattr(shade, "size", self.size))
        box = _Box(
            orientation="vertical", padding=theme.dp(24), spacing=theme.dp(16),
            size_hint=(None, None), size=(theme.dp(460), theme.dp(240)),
        )  # fmt: skip
        box.add_widget(Fit(text=title, bold=True, most=theme.sp(26), halign="center"))
        self.bar = Bar(size_hint_y=None, height=theme.dp(14))
        box.add_widget(self.bar)
        button = TapButton(text=t("waiting.cancel"), size_hint_y=None, height=theme.TOUCH)
        button.bind(on_release=lambda _: cancel())
        box.add_widget(button)
        self.add_widget(box)

    def on_touch_down(self, touch: Any) -> bool:
        """Swallows what is not for the button."""
        super().on_touch_down(touch)
        return True


class _Box(BoxLayout):
    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.bind(pos=self._draw, size=self._draw)

    def _draw(self, *_: object) -> None:
        self.canvas.before.clear()
        with self.canvas.before:
            bordered(self.pos, self.size, theme.RADIUS, theme.PANEL, theme.LINE, theme.EDGE)


class Waiting:
    """Watches a ``Work`` and hands its result over on the interface's thread."""

    def __init__(
        self,
        stage: Widget,
        title: str,
        work: Work,
        done: Callable[[Any], None],
        failed: Callable[[str], None],
    ) -> None:
        self._stage, self._title, self._work = stage, title, work
        self._done, self._failed = done, failed
        self._sheet: WaitingSheet | None = None
        self._waited = 0.0
        # A lambda, because the clock keeps no hold on the object of a bound method.
        self._clock = Clock.schedule_interval(lambda dt: self._look(dt), POLL_S)

    def _look(self, passed_s: float) -> None:
        self._waited += passed_s
        if self._work.over or self._work.progress.cancelled:
            self._clock.cancel()
            if self._sheet is not None:
                self._stage.remove_widget(self._sheet)
            if self._work.problem:
                self._failed(self._work.problem)
            elif not self._work.progress.cancelled:
                self._done(self._work.result)
        elif self._sheet is not None:
            guess = 0.9 * (1 - math.exp(-self._waited / 4))  # for jobs that do not say how far
            self._sheet.bar.share = max(self._work.progress.share, guess)
            self._sheet.bar.redraw()
        elif self._waited >= SHOWN_AFTER_S:
            self._sheet = WaitingSheet(self._title, self._work.progress.cancel)
            self._stage.add_widget(self._sheet)
