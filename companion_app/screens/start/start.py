"""The first screen: go on, begin a new game, or watch the demo."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from kivy.clock import Clock
from kivy.graphics import Color, InstructionGroup, Rectangle
from kivy.lang import Builder
from kivy.properties import BooleanProperty, StringProperty
from kivy.uix.screenmanager import Screen
from kivy.uix.widget import Widget

from companion_app.games import face_of
from companion_app.texts import t
from companion_app.widgets.basics import BigChoice
from companion_app.widgets.drawing import into
from companion_app.widgets.piece_paint import draw_piece
from engine.placement import PieceInfo

Builder.load_file(str(Path(__file__).with_suffix(".kv")))


class Emblem(Widget):
    """A row of pieces under the eye of the app."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._group = InstructionGroup()
        self.canvas.add(self._group)
        draw = Clock.create_trigger(self._draw_now)
        self.bind(pos=draw, size=draw)

    def _draw_now(self, *_: object) -> None:
        self._group.clear()
        side = round(self.height * 0.72)
        pieces = (
            ("wizard", "violet"),
            ("wizard", "green"),
            ("giant", None),
            ("wizard", "red"),
            ("wizard", "orange"),
        )
        with into(self._group):
            Color(1, 1, 1, 1)
            Rectangle(size=(0, 0))
            for i, (kind, colour) in enumerate(pieces):
                size = round(side * (1.3 if kind == "giant" else 0.9))
                x = self.center_x + (i - 2) * side * 1.05
                info = PieceInfo(kind, kind, colour)
                draw_piece(face_of("magalon"), info, (x, self.y + size / 2), size)


class StartScreen(Screen):
    """Dispatches ``on_resume_game``, ``on_new_game`` and ``on_demo``."""

    note = StringProperty("")
    trouble = BooleanProperty(False)

    __events__ = ("on_demo", "on_new_game", "on_resume_game")

    def on_resume_game(self) -> None:
        """Go on with the game that waits."""

    def on_new_game(self) -> None:
        """Begin another game."""

    def on_demo(self) -> None:
        """Watch the demo."""

    def offer(self, waiting: str | None, note: str = "") -> None:
        """Shows the choices; ``waiting`` describes the game to go on with, None without one."""
        choices = self.ids.choices
        choices.clear_widgets()
        if waiting is not None:
            self._add("start.resume", waiting, "on_resume_game", main=True)
        self._add("start.new", "", "on_new_game", main=waiting is None)
        self._add("start.demo", "", "on_demo", main=False)
        self.note, self.trouble = note or t("start.offline"), bool(note)

    def _add(self, key: str, detail: str, event: str, *, main: bool) -> None:
        button = BigChoice(title=t(key), detail=detail, kind="main" if main else "plain")
        button.bind(on_release=lambda _: self.dispatch(event))
        self.ids.choices.add_widget(button)
