"""The giant's dice: tap what they show, or let the app roll."""

from __future__ import annotations

import random
from typing import Any

from kivy.graphics import Color, Line, SmoothEllipse, SmoothRoundedRectangle
from kivy.properties import BooleanProperty, NumericProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout

from companion_app import theme
from companion_app.games.face import TableView
from companion_app.texts import t
from companion_app.widgets.basics import Fit, TapButton
from companion_app.widgets.drawing import Drawn
from engine.board import Board

PIPS = {
    1: ((1, 1),),
    2: ((0, 0), (2, 2)),
    3: ((0, 0), (1, 1), (2, 2)),
    4: ((0, 0), (0, 2), (2, 0), (2, 2)),
    5: ((0, 0), (0, 2), (1, 1), (2, 0), (2, 2)),
    6: ((0, 0), (0, 1), (0, 2), (2, 0), (2, 1), (2, 2)),
}


class DieFace(ButtonBehavior, Drawn):
    """One face of a die."""

    DRAWS = ("pips", "chosen", "state")

    pips = NumericProperty(1)
    chosen = BooleanProperty(False)

    def draw(self) -> None:
        """See ``Drawn``."""
        side = min(self.size)
        x, y = self.center_x - side / 2, self.center_y - side / 2
        Color(*(theme.ACCENT if self.chosen or self.state == "down" else theme.PAPER))
        SmoothRoundedRectangle(pos=(x, y), size=(side, side), radius=[side * 0.18])
        if self.chosen:
            Color(*theme.TEXT)
            Line(rounded_rectangle=(x, y, side, side, side * 0.18), width=theme.dp(2))
        Color(*theme.INK)
        r = side * 0.09
        for column, row in PIPS[int(self.pips)]:
            cx, cy = x + side * (0.25 + 0.25 * column), y + side * (0.25 + 0.25 * row)
            SmoothEllipse(pos=(cx - r, cy - r), size=(2 * r, 2 * r))


class Dice(BoxLayout):
    """Two rows of six faces; dispatches ``on_act("roll", {"dice": [a, b]})`` when both are chosen."""

    ROWS = 3.3

    __events__ = ("on_act",)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(orientation="vertical", spacing=theme.dp(6), **kwargs)
        head = BoxLayout(spacing=theme.GAP)
        head.add_widget(Fit(text=t("dice.ask"), bold=True))
        roll = TapButton(text=t("dice.roll"), size_hint_x=0.45)
        roll.bind(on_release=self._roll)
        head.add_widget(roll)
        self.add_widget(head)
        self._chosen: list[int] = [0, 0]
        self._faces: list[list[DieFace]] = []
        for die in range(2):
            row = BoxLayout(spacing=theme.dp(6))
            faces = [DieFace(pips=n) for n in range(1, 7)]
            for face in faces:
                face.bind(on_release=lambda f, die=die: self._choose(die, int(f.pips)))
                row.add_widget(face)
            self._faces.append(faces)
            self.add_widget(row)

    def on_act(self, do: str, args: dict[str, Any]) -> None:
        """Both dice are known."""

    def show(self, table: TableView, board: Board) -> None:
        """Nothing here depends on the table."""

    def key(self, key: str) -> bool:
        """No keys here."""
        return False

    def reset(self) -> None:
        """Forgets what was chosen."""
        self._chosen = [0, 0]
        self._show()

    def _roll(self, *_: object) -> None:
        throw = random.SystemRandom()
        self._chosen = [throw.randint(1, 6), throw.randint(1, 6)]
        self._show()
        self.dispatch("on_act", "roll", {"dice": list(self._chosen)})

    def _choose(self, die: int, pips: int) -> None:
        self._chosen[die] = pips
        self._show()
        if all(self._chosen):
            self.dispatch("on_act", "roll", {"dice": list(self._chosen)})

    def _show(self) -> None:
        for die, faces in enumerate(self._faces):
            for face in faces:
                face.chosen = self._chosen[die] == face.pips
