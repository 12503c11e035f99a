"""The score sheet as a picture: names, numbers, curve, every point with its reason."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np
from kivy.graphics import Color, Rectangle

from companion_app import theme
from companion_app.review import Review, won_by
from companion_app.screens.review.curve import Curve
from companion_app.texts import game_title, show, t
from companion_app.widgets.drawing import Drawn
from companion_app.widgets.textures import player_texture

WIDTH, HEIGHT = 1240, 1754  # A4 at 150 dots an inch


class ScoreSheet(Drawn):
    """Drawn on paper; ``save`` writes it as PNG."""

    def __init__(self, looked_back: Review, **kwargs: Any) -> None:
        self.review = looked_back
        super().__init__(size=(WIDTH, HEIGHT), size_hint=(None, None), **kwargs)
        self.curve = Curve(review=looked_back, pos=(60, 60), size=(WIDTH - 120, 420))
        self.add_widget(self.curve)

    def save(self, path: Path) -> None:
        """Writes the picture; raises OSError where the disk refuses."""
        self.draw_now()
        self.curve.draw_now()
        texture = self.export_as_image().texture
        width, height = texture.size
        rgba = np.frombuffer(texture.pixels, np.uint8).reshape(height, width, 4)
        path.write_bytes(cv2.imencode(".png", cv2.cvtColor(rgba, cv2.COLOR_RGBA2BGR))[1].tobytes())

    def draw(self) -> None:
        """See ``Drawn``."""
        Color(*theme.PAPER)
        Rectangle(pos=self.pos, size=self.size)
        y = self.top - 130
        self._text(game_title(self.review.header.game), 60, y, 56, bold=True)
        if self.review.winner:
            y -= 62
            self._text(show(won_by(self.review.winner)), 60, y, 36, bold=True)
        y -= 30
        for player in self.review.header.players:
            y -= 58
            Color(1, 1, 1, 1)
            Rectangle(texture=player_texture(player.colour, 44), pos=(60, y), size=(44, 44))
            number = self.review.moments[-1].numbers.get(player.colour)
            text = player.name if number is None else f"{player.name}: {number}"
            self._text(text, 124, y, 34, bold=True)
        y -= 60
        self._text(t("review.scores"), 60, y, 30, bold=True)
        self._lines(y)

    def _lines(self, y: float) -> None:
        names = {p.colour: p.name for p in self.review.header.players}
        room = int((y - 520) / 30)
        lines = self.review.lines
        left_out = max(0, len(lines) - room)
        for line in lines[left_out:]:
            y -= 30
            round_ = "" if line.round is None else f"{line.round}. "
            change = "" if line.point.change is None else f"  {line.point.change:+d}"
            head = f"{round_}{names.get(line.point.player, '')}{change}"
            self._text(head, 60, y, 22, bold=True, width=260)
            rule = f"  ({line.point.rule})" if line.point.rule else ""
            self._text(show(line.point.why) + rule, 330, y, 22, width=WIDTH - 390)

    def _text(
        self, text: str, x: float, y: float, size: int, *, bold: bool = False, width: int = 1120
    ) -> None:
        box = (self.x + x, self.y + y, width, size * 1.35)
        self.write(text, box, size, theme.INK, bold=bold, least=size * 0.5)
