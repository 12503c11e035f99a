"""Spectators: off by default; on, the page's address and its QR code."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import segno
from kivy.graphics import Color, Rectangle
from kivy.lang import Builder
from kivy.properties import StringProperty

from companion_app.screens.page import Page
from companion_app.spectators.server import addresses
from companion_app.texts import t
from companion_app.widgets.drawing import Drawn

Builder.load_file(str(Path(__file__).with_suffix(".kv")))
QUIET = 4  # white modules round a QR code, as the standard asks


class QrCode(Drawn):
    """A QR code, as large as fits; nothing for an empty address."""

    DRAWS = ("url",)

    url = StringProperty("")

    def draw(self) -> None:
        """See ``Drawn``."""
        if not self.url:
            return
        rows = [list(row) for row in segno.make(self.url, error="m", micro=False).matrix]
        count = len(rows) + 2 * QUIET
        module = int(min(self.size) / count)
        side = module * count
        x, top = round(self.center_x - side / 2), round(self.center_y + side / 2)
        Color(1, 1, 1, 1)
        Rectangle(pos=(x, top - side), size=(side, side))
        Color(0, 0, 0, 1)
        for r, row in enumerate(rows):
            for c, dark in enumerate(row):
                if dark:
                    at = (x + (c + QUIET) * module, top - (r + QUIET + 1) * module)
                    Rectangle(pos=at, size=(module, module))


class SpectatorsScreen(Page):
    """The switch, the address, the code."""

    url = StringProperty("")
    problem = StringProperty("")

    def enter(self, **what: Any) -> None:
        """See ``Page``."""
        page = self.shell.spectators
        found = addresses()
        self.ids.address.options = [(a, a) for a in found]
        self.ids.address.value = page.address if page is not None else found[0]
        self._show()

    def _show(self) -> None:
        page = self.shell.spectators
        self.ids.on.active = page is not None
        self.url = page.url if page is not None else ""

    def switch(self, on: bool) -> None:
        """On: the page is offered at the chosen address."""
        if on == (self.shell.spectators is not None):
            return
        self.problem = ""
        if on:
            address = self.ids.address.value
            self.shell.work(
                t("spectators.starting"),
                lambda _: self.shell.offer_page(address),
                lambda _: self._show(),
                self._failed,
            )
        else:
            self.shell.close_page()
            self._show()

    def _failed(self, problem: str) -> None:
        self.problem = problem
        self._show()

    def restart(self) -> None:
        """Another address was chosen: the page moves there."""
        page = self.shell.spectators
        if page is not None and page.address != self.ids.address.value:
            self.shell.close_page()
            self.switch(True)
