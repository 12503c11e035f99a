"""Five pictures instead of a manual; shown at the first start, and under Help."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from kivy.graphics import Color, SmoothEllipse
from kivy.lang import Builder
from kivy.properties import NumericProperty

from companion_app import theme
from companion_app.screens.page import Page
from companion_app.screens.tour.pictures import STEPS, TourPicture
from companion_app.widgets.drawing import Drawn

__all__ = ["TourPicture", "TourScreen"]

Builder.load_file(str(Path(__file__).with_suffix(".kv")))


class Dots(Drawn):
    """Where in the tour one is."""

    DRAWS = ("count", "at")

    count = NumericProperty(1)
    at = NumericProperty(0)

    def draw(self) -> None:
        """See ``Drawn``."""
        r, step = theme.dp(6), theme.dp(26)
        for i in range(int(self.count)):
            big = r * (1.35 if i == self.at else 1.0)
            x = self.center_x + (i - (self.count - 1) / 2) * step
            Color(*(theme.ACCENT if i == self.at else theme.LINE))
            SmoothEllipse(pos=(x - big, self.center_y - big), size=(2 * big, 2 * big))


class TourScreen(Page):
    """Turns the pictures; ``first``: it came by itself at the first start."""

    STEPS = STEPS
    step = NumericProperty(0)

    def enter(self, **what: Any) -> None:
        """See ``Page``."""
        self.step = int(what.get("step", 0))

    def keep(self) -> dict[str, Any]:
        """See ``Page``."""
        return {"step": self.step}

    def turn(self, by: int) -> None:
        """The next picture, or the one before; after the last one the tour is over."""
        if self.step + by >= len(STEPS):
            self.finish()
        else:
            self.step = max(0, self.step + by)

    def finish(self) -> None:
        """Back to where the tour was opened; it does not come by itself any more."""
        if not self.shell.settings.tour_seen:
            self.shell.change(tour_seen=True)
        self.shell.back()

    def key(self, key: str, modifiers: list[str]) -> bool:
        """Enter turns the page."""
        if key == "enter":
            self.turn(1)
        return key == "enter"
