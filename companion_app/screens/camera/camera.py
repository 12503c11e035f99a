"""Setting the camera up: the live picture, and in words what to do next."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from kivy.clock import Clock
from kivy.graphics import Color, SmoothLine
from kivy.lang import Builder
from kivy.properties import BooleanProperty, StringProperty

from companion_app import theme
from companion_app.screens.page import Page
from companion_app.sight import Checks
from companion_app.snapshot import CameraState, Light
from companion_app.texts import show, t
from companion_app.widgets.drawing import Drawn
from companion_app.widgets.live_view import LiveView

__all__ = ["CameraScreen", "LiveView", "advice_of"]

Builder.load_file(str(Path(__file__).with_suffix(".kv")))
POINTS = ("found", "corners", "size", "stand", "light", "still")


def met(checks: Checks, point: str) -> bool:
    """Whether a point of the list is as it should be."""
    return {
        "found": checks.found,
        "corners": checks.found and not checks.corner,
        "size": checks.found and not checks.small,
        "stand": checks.found and checks.stands in ("", "lower"),
        "light": checks.light == "ok",
        "still": checks.still,
    }[point]


def advice_of(camera: CameraState) -> str:
    """The one thing to do next, in words."""
    checks = camera.checks
    if checks is None:
        return show(camera.text)
    if checks.light != "ok":
        return t(f"setup.{checks.light}")
    if camera.light is Light.TROUBLE:
        return show(camera.text)
    if not checks.found:
        return t("setup.not_found")
    if checks.corner:
        return t(f"setup.corner_{checks.corner}")
    if checks.small:
        return t("setup.small")
    if checks.stands and (checks.stands != "lower" or checks.still):
        return stand_words(checks)
    return t("setup.good" if checks.still else "setup.still")


def stand_words(checks: Checks) -> str:
    """Where the camera should go, with what was measured."""
    assert checks.standing is not None
    degrees, px = round(checks.standing.elevation_deg), round(checks.standing.cell_px)
    words = t(f"setup.stand_{checks.stands}", degrees=degrees, px=px)
    return f"{t('setup.good')} {words}" if checks.stands == "lower" else words


class Check(Drawn):
    """A tick or an open ring, and what it is about."""

    DRAWS = ("text", "done")

    text = StringProperty("")
    done = BooleanProperty(False)

    def draw(self) -> None:
        """See ``Drawn``."""
        side = min(self.height * 0.6, theme.dp(30))
        x, y = self.x, self.center_y
        Color(*(theme.GOOD if self.done else theme.WAIT))
        if self.done:
            points = [x, y, x + side * 0.36, y - side * 0.36, x + side, y + side * 0.4]
            SmoothLine(points=points, width=theme.dp(2.5))
        else:
            SmoothLine(circle=(x + side / 2, y, side * 0.42), width=theme.dp(2))
        x += side + theme.dp(12)
        box = (x, self.y, self.right - x, self.height)
        colour = theme.TEXT if self.done else theme.MUTED
        self.write(self.text, box, theme.SIZE_BODY, colour, bold=not self.done, lines=2)


class CameraScreen(Page):
    """Follows the running session's camera."""

    advice = StringProperty("")
    good = BooleanProperty(False)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._unlisten: Callable[[], None] | None = None
        self._update = Clock.create_trigger(self._show)
        self.checks = {point: Check(text=t(f"setup.check_{point}")) for point in POINTS}
        for check in self.checks.values():
            self.ids.checks.add_widget(check)

    def enter(self, **what: Any) -> None:
        """See ``Page``."""
        self.discard()
        session = self.shell.session
        if session is not None:
            self.ids.live.watch(session.frames)
            self._unlisten = session.listen(lambda _: self._update())
        self._show()

    def on_leave(self, *_: object) -> None:
        """Another screen is shown."""
        self.discard()

    def discard(self) -> None:
        """See ``Page``."""
        if self._unlisten is not None:
            self._unlisten()
            self.ids.live.watch(None)
        self._unlisten = None

    def _show(self, *_: object) -> None:
        session = self.shell.session
        if session is None:
            return
        camera = session.snapshot.camera
        self.advice = advice_of(camera)
        self.good = camera.checks is not None and camera.checks.good
        for point, check in self.checks.items():
            check.done = camera.checks is not None and met(camera.checks, point)

    def pointed(self) -> None:
        """The live picture was touched: there lies the corner that was asked for."""
        at, session = self.ids.live.pointed, self.shell.session
        if session is not None and at is not None and session.snapshot.camera.asks_corner:
            session.point_at_corner(at)

    def key(self, key: str, modifiers: list[str]) -> bool:
        """Enter plays."""
        if key == "enter":
            self.shell.go("table")
            return True
        return False
