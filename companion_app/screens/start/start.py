"""The first screen: go on, begin a new game, and doors to everything else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from kivy.graphics import Color, Rectangle
from kivy.lang import Builder
from kivy.properties import BooleanProperty, StringProperty

from companion_app import texts
from companion_app.games import face_of
from companion_app.library import rounds_of
from companion_app.screens.page import Page
from companion_app.store import SavedGame
from companion_app.texts import t
from companion_app.widgets.basics import BigChoice
from companion_app.widgets.drawing import Drawn
from companion_app.widgets.piece_paint import draw_piece
from engine.placement import PieceInfo

Builder.load_file(str(Path(__file__).with_suffix(".kv")))
EMBLEM = (
    ("wizard", "violet"),
    ("wizard", "green"),
    ("giant", None),
    ("wizard", "red"),
    ("wizard", "orange"),
)


class Emblem(Drawn):
    """A row of pieces under the eye of the app."""

    def draw(self) -> None:
        """See ``Drawn``."""
        side = round(self.height * 0.72)
        Color(1, 1, 1, 1)
        Rectangle(size=(0, 0))
        for i, (kind, colour) in enumerate(EMBLEM):
            size = round(side * (1.3 if kind == "giant" else 0.9))
            x = self.center_x + (i - 2) * side * 1.05
            piece = PieceInfo(kind, kind, colour)
            draw_piece(face_of("magalon"), piece, (x, self.y + size / 2), size)


class StartScreen(Page):
    """The doors.  ``note``: a line below them, as a warning if ``trouble``."""

    note = StringProperty("")
    trouble = BooleanProperty(False)

    def enter(self, **what: Any) -> None:
        """Shows the choices; ``note``: what went wrong, "" for nothing."""
        store, note = self.shell.store, str(what.get("note", ""))
        waiting = store.running()
        if not note and store.trouble is not None:
            note = texts.show(store.trouble)
        choices = self.ids.choices
        choices.clear_widgets()
        if waiting is not None:
            self._add("start.resume", describe(waiting), self.shell.resume_game, main=True)
        self._add("start.new", "", lambda: self.shell.go("new"), main=waiting is None)
        self.note, self.trouble = note or t("start.offline"), bool(note)

    def keep(self) -> dict[str, Any]:
        """See ``Page``."""
        return {"note": self.note if self.trouble else ""}

    def _add(self, key: str, detail: str, door: Any, *, main: bool) -> None:
        button = BigChoice(title=t(key), detail=detail, kind="main" if main else "plain")
        button.bind(on_release=lambda _: door())
        self.ids.choices.add_widget(button)


def describe(saved: SavedGame) -> str:
    """A saved game in one line."""
    return t(
        "start.resume_detail",
        game=texts.game_title(saved.header.game),
        players=", ".join(p.name for p in saved.header.players),
        round=rounds_of(saved),
    )
