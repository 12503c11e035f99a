"""The curve of every player's number over the rounds."""

from __future__ import annotations

from collections.abc import Mapping

from kivy.graphics import Color, Line, Rectangle, SmoothEllipse, SmoothLine
from kivy.properties import ObjectProperty

from companion_app import theme
from companion_app.review import Review
from companion_app.texts import t
from companion_app.widgets.drawing import Drawn, bordered
from companion_app.widgets.textures import player_texture

Curves = Mapping[str, tuple[tuple[int, int], ...]]


class Curve(Drawn):
    """Axes, one line per player (with the player's mark at its end), the goal as a dashed line."""

    DRAWS = ("review",)

    review: Review | None = ObjectProperty(None, allownone=True)

    def draw(self) -> None:
        """See ``Drawn``."""
        if self.review is None or min(self.size) < 60:
            return
        bordered(self.pos, self.size, theme.RADIUS, theme.PANEL, theme.PANEL, theme.EDGE)
        points = [p for line in self.review.curves.values() for p in line]
        if not points:
            return
        self._last = max(2, max(x for x, _ in points))
        self._first = min(x for x, _ in points)
        goal = self.review.goal or 0
        self._low, self._high = min(0, *(y for _, y in points)), max(goal, *(y for _, y in points))
        self._high = max(self._high, self._low + 4)
        self._axes()
        if goal:
            self._goal(goal)
        for colour, line in self.review.curves.items():
            self._line(colour, line)
        self._ends(self.review.curves)

    def _at(self, x: float, y: float) -> tuple[float, float]:
        left, low = self.x + theme.sp(60), self.y + theme.sp(52)
        wide, high = self.right - theme.dp(50) - left, self.top - theme.dp(24) - low
        share = (x - self._first) / max(1, self._last - self._first)
        return left + share * wide, low + (y - self._low) / (self._high - self._low) * high

    def _axes(self) -> None:
        step = max(1, round((self._high - self._low) / 5))
        for value in range(self._low, self._high + 1, step):
            x0, y = self._at(self._first, value)
            x1, _ = self._at(self._last, value)
            Color(*theme.LINE[:3], 0.6)
            Line(points=[x0, y, x1, y], width=1)
            box = (self.x + theme.dp(4), y - theme.sp(12), theme.sp(50), theme.sp(24))
            self.write(str(value), box, theme.SIZE_SMALL, theme.MUTED, bold=False, align="right")
        every = max(1, round((self._last - self._first) / 10))
        for value in range(self._first, self._last + 1, every):
            x, _ = self._at(value, self._low)
            box = (x - theme.sp(20), self.y + theme.sp(28), theme.sp(40), theme.sp(22))
            self.write(str(value), box, theme.SIZE_SMALL, theme.MUTED, bold=False, align="center")
        box = (self.x, self.y + theme.dp(2), self.width, theme.sp(26))
        self.write(
            t("review.rounds"), box, theme.SIZE_SMALL, theme.MUTED, bold=False, align="center"
        )

    def _goal(self, goal: int) -> None:
        (x0, y), (x1, _) = self._at(self._first, goal), self._at(self._last, goal)
        Color(*theme.ACCENT)
        dash = theme.dp(10)
        x = x0
        while x < x1:
            Line(points=[x, y, min(x + dash, x1), y], width=theme.dp(1.2))
            x += 2 * dash

    def _line(self, colour: str, line: tuple[tuple[int, int], ...]) -> None:
        look = theme.look(colour)
        points = [v for x, y in line for v in self._at(x, y)]
        Color(*theme.PAPER[:3], 0.85)
        if len(line) > 1:
            SmoothLine(points=points, width=theme.dp(3.4))
        Color(*look.fill)
        if len(line) > 1:
            SmoothLine(points=points, width=theme.dp(2.2))
        r = theme.dp(4)
        for x, y in zip(points[::2], points[1::2], strict=True):
            SmoothEllipse(pos=(x - r, y - r), size=(2 * r, 2 * r))

    def _ends(self, curves: Curves) -> None:
        """The players' marks at the right, beside the ends of their lines, none over another."""
        side = round(theme.dp(30))
        wanted = sorted((self._at(*line[-1])[1], c) for c, line in curves.items() if line)
        low = self.y
        for middle, colour in wanted:
            low = max(low, middle - side / 2)
            at = (round(self.right - side - theme.dp(10)), round(low))
            low += side + theme.dp(2)
            Color(1, 1, 1, 1)
            Rectangle(texture=player_texture(colour, side), pos=at, size=(side, side))
            look = theme.look(colour)
            self.write(look.letter, (*at, side, side), side * 0.5, look.ink, align="center")
