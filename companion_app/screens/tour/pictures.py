"""The pictures of the tour, drawn with the app's own pieces, cards and signs."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from kivy.graphics import (
    Color,
    Line,
    Mesh,
    Rectangle,
    SmoothEllipse,
    SmoothLine,
    SmoothRoundedRectangle,
)
from kivy.properties import NumericProperty

from companion_app import theme
from companion_app.games import face_of
from companion_app.snapshot import Light
from companion_app.widgets import piece_paint as pp
from companion_app.widgets.drawing import Drawn, bordered
from companion_app.widgets.light import draw_lamp
from engine.geometry import Point
from engine.placement import PieceInfo

STEPS = ("camera", "card", "move", "refused", "repair")
COLUMNS, ROWS = 7, 5


class TourPicture(Drawn):
    """One picture in a space twice as wide as high."""

    DRAWS = ("step",)

    step = NumericProperty(0)

    def draw(self) -> None:
        """See ``Drawn``."""
        self.unit = min(self.width / 2, self.height) / 10
        if self.unit < 4:
            return
        pictures: Mapping[str, Callable[[], None]] = {
            "camera": self._camera,
            "card": self._card,
            "move": self._move,
            "refused": self._refused,
            "repair": self._repair,
        }
        pictures[STEPS[int(self.step)]]()

    def at(self, x: float, y: float) -> Point:
        """A place in units from the middle; y goes up."""
        return self.center_x + x * self.unit, self.center_y + y * self.unit

    # --- parts ---------------------------------------------------------------------------------

    def _cell(self, column: int, row: int) -> list[Point]:
        side = 1.55
        x, y = (column - COLUMNS / 2) * side, (row - ROWS / 2) * side
        return [self.at(x + dx, y + dy) for dx, dy in ((0, 0), (side, 0), (side, side), (0, side))]

    def _middle(self, column: int, row: int) -> Point:
        (x0, y0), _, (x1, y1), _ = self._cell(column, row)
        return (x0 + x1) / 2, (y0 + y1) / 2

    def _board(self) -> None:
        for column in range(COLUMNS):
            for row in range(ROWS):
                (x0, y0), _, (x1, y1), _ = self._cell(column, row)
                gap = theme.dp(2)
                Color(*theme.RAISED)
                Rectangle(pos=(x0 + gap, y0 + gap), size=(x1 - x0 - 2 * gap, y1 - y0 - 2 * gap))

    def _piece(self, kind: str, colour: str | None, at: Point, size: float = 2.0) -> None:
        piece = PieceInfo(kind, kind, colour)
        pp.draw_piece(face_of("magalon"), piece, at, round(size * self.unit))

    def _finger(self, at: Point) -> None:
        """A fingertip, as it is drawn for a tap."""
        for r, alpha in ((1.1, 0.25), (0.75, 0.45), (0.4, 0.95)):
            Color(*theme.PAPER[:3], alpha)
            r *= self.unit
            SmoothEllipse(pos=(at[0] - r, at[1] - r), size=(2 * r, 2 * r))

    # --- the steps -----------------------------------------------------------------------------

    def _camera(self) -> None:
        """A tablet on an arm looks down on all four corners of a board."""
        corners = [self.at(-5, -4), self.at(5, -4), self.at(3.4, 0.2), self.at(-3.4, 0.2)]
        lens = self.at(-0.2, 4.0)
        Color(*theme.ACCENT[:3], 0.16)
        for i in range(4):
            triangle = (lens, corners[i], corners[(i + 1) % 4])
            vertices = [v for x, y in triangle for v in (x, y, 0, 0)]
            Mesh(vertices=vertices, indices=[0, 1, 2], mode="triangles")
        Color(*theme.RAISED)
        vertices = [v for x, y in corners for v in (x, y, 0, 0)]
        Mesh(vertices=vertices, indices=[0, 1, 2, 3], mode="triangle_fan")
        Color(*theme.LINE)
        for i in range(1, 6):
            share = i / 6
            left = [corners[0][k] + (corners[3][k] - corners[0][k]) * share for k in (0, 1)]
            right = [corners[1][k] + (corners[2][k] - corners[1][k]) * share for k in (0, 1)]
            Line(points=[*left, *right], width=1.1)
            low = [corners[0][k] + (corners[1][k] - corners[0][k]) * share for k in (0, 1)]
            high = [corners[3][k] + (corners[2][k] - corners[3][k]) * share for k in (0, 1)]
            Line(points=[*low, *high], width=1.1)
        self._piece("wizard", "violet", self.at(-1.6, -1.4))
        self._piece("wizard", "green", self.at(1.4, -2.4))
        self._piece("giant", None, self.at(0.4, -0.6))
        Color(*theme.LINE)
        arm = [*self.at(7.4, -4), *self.at(7.4, 4.6), *self.at(1.6, 4.6)]
        SmoothLine(points=arm, width=theme.dp(4), joint="round")
        x, y = self.at(-2.4, 4.0)
        size = (4.4 * self.unit, 0.8 * self.unit)
        bordered((x, y), size, theme.dp(6), theme.PANEL, theme.PAPER, theme.dp(2))
        for corner in corners:
            r = theme.dp(6)
            Color(*theme.GOOD)
            SmoothEllipse(pos=(corner[0] - r, corner[1] - r), size=(2 * r, 2 * r))

    def _card(self) -> None:
        """A hand of cards, one tapped."""
        for i, value in enumerate((3, 6, 9)):
            w, h = 3.0 * self.unit, 4.4 * self.unit
            x, y = self.at(-5.2 + 3.7 * i, -2.4 + (0.8 if i == 1 else 0))
            edge = theme.look("violet").fill
            fill = theme.ACCENT if i == 1 else theme.PAPER
            bordered((x, y), (w, h), theme.dp(9), fill, edge, theme.dp(4))
            box = (x, y + h * 0.25, w, h * 0.6)
            self.write(str(value), box, 2.1 * self.unit, theme.INK, align="center")
        self._finger(self.at(0.2, -2.2))

    def _move(self) -> None:
        """A wizard has walked; the light is green."""
        self._board()
        start, end = self._middle(1, 1), self._middle(4, 3)
        pp.draw_arrow(start, end, theme.ACCENT, max(4.0, self.unit * 0.3))
        self._piece("wizard", "green", end)
        self._piece("wizard", "violet", self._middle(5, 0))
        self._piece("giant", None, self._middle(1, 4))
        draw_lamp(Light.LOOK, self.at(7.6, 3.4), 0.9 * self.unit)

    def _refused(self) -> None:
        """A cell is refused, and the way back is drawn."""
        self._board()
        cell = self._cell(5, 3)
        pp.draw_tint(cell, theme.BAD)
        pp.draw_frame(cell, theme.BAD, theme.dp(4))
        self._piece("wizard", "green", self._middle(5, 3))
        pp.draw_stop(cell, self.unit * 1.8)
        back = (self._middle(5, 3), self._middle(1, 1))
        pp.draw_arrow(*back, theme.PAPER, max(4.0, self.unit * 0.28), dashed=True)
        for column, row in ((0, 2), (1, 3), (2, 0), (3, 1), (2, 2)):
            pp.draw_dot(self._middle(column, row), self.unit * 0.26, theme.GOOD)

    def _repair(self) -> None:
        """A piece is dragged to where it really stands."""
        self._board()
        start, end = self._middle(2, 1), self._middle(4, 2)
        pp.draw_frame(self._cell(4, 2), theme.ACCENT, theme.dp(4))
        pp.draw_arrow(start, end, theme.ACCENT, max(3.0, self.unit * 0.2), dashed=True)
        self._piece("shield", "red", (end[0], end[1] + self.unit * 0.5), 1.9)
        self._finger((end[0] + self.unit * 0.5, end[1] - self.unit * 0.7))
        x, y = self.at(5.9, -3.8)
        size = (3.4 * self.unit, 1.6 * self.unit)
        Color(*theme.RAISED)
        SmoothRoundedRectangle(pos=(x, y), size=size, radius=[theme.RADIUS])
        cx, cy = x + size[0] / 2, y + size[1] / 2
        r = self.unit * 0.45
        Color(*theme.TEXT)
        SmoothLine(circle=(cx, cy, r, -60, 210), width=theme.dp(2.5))
        tip = [(cx - r * 1.5, cy), (cx - r * 0.5, cy), (cx - r, cy + r * 0.7)]
        vertices = [v for px, py in tip for v in (px, py, 0, 0)]
        Mesh(vertices=vertices, indices=[0, 1, 2], mode="triangles")
