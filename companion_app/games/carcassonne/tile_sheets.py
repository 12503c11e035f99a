"""All tiles of a game to print in true size and cut out: drawn from their facts, no artwork."""

from __future__ import annotations

import math
from collections.abc import Sequence

from calibration.sheets.document import Sheet, Words
from calibration.sheets.pen import Pen
from companion_app.games.carcassonne.tile_art import GRASS, draw_tile
from companion_app.paint import Point, Rgb
from engine.carcassonne.tiles import sets

TILE_MM = 45.0
COLUMNS, ROWS = 4, 5  # on A4 with its margins
SETS = ("base:1", "mage_and_witch:1", "inns_and_cathedrals:1")
ROUND = 24  # corners of a drawn circle
CUT, CUT_MM = "#404040", 0.15


class PenCanvas:
    """What tiles are drawn on, onto a page: like ``companion_app.paint.Paint`` in millimetres."""

    def __init__(self, pen: Pen, corner: Point) -> None:
        self._pen, (self._x, self._y) = pen, corner

    def _at(self, points: Sequence[Point]) -> list[Point]:
        return [(x + self._x, y + self._y) for x, y in points]

    def polygon(self, points: Sequence[Point], colour: Rgb, alpha: float = 1.0) -> None:
        """Fills a polygon."""
        self._pen.polygon(self._at(points), _code(colour, alpha))

    def line(
        self, points: Sequence[Point], colour: Rgb, width: float, *, closed: bool = False,
        alpha: float = 1.0,
    ) -> None:  # fmt: skip
        """Draws a line of ``width`` millimetres through the points."""
        if closed:
            self._pen.polygon(self._at(points), None, _code(colour, alpha), width)
        else:
            self._pen.line(self._at(points), _code(colour, alpha), width)

    def ellipse(
        self, centre: Point, rx: float, ry: float, colour: Rgb, *, width: float = 0.0,
        alpha: float = 1.0,
    ) -> None:  # fmt: skip
        """A filled ellipse, or with ``width`` its line."""
        angles = [2 * math.pi * n / ROUND for n in range(ROUND)]
        rim = [(centre[0] + rx * math.cos(a), centre[1] + ry * math.sin(a)) for a in angles]
        if width:
            self.line(rim, colour, width, closed=True, alpha=alpha)
        else:
            self.polygon(rim, colour, alpha)


def tile_sheets() -> list[Sheet]:
    """Sheets of 20 tiles: those of the base game with the start tile, magic ones, inns and
    cathedrals."""
    stock = [tile for name in SETS for tile, count in sets()[name].items() for _ in range(count)]
    room = COLUMNS * ROWS
    return [_sheet(stock[first : first + room]) for first in range(0, len(stock), room)]


def _sheet(stock: Sequence[str]) -> Sheet:
    rows = -(-len(stock) // COLUMNS)

    def draw(pen: Pen, words: Words) -> None:
        for n, tile in enumerate(stock):
            x, y = n % COLUMNS * TILE_MM, n // COLUMNS * TILE_MM
            pen.box(x, y, x + TILE_MM, y + TILE_MM, fill=_code(GRASS, 1.0))
            pen.clip(x, y, x + TILE_MM, y + TILE_MM)
            draw_tile(PenCanvas(pen, (x, y)), tile, TILE_MM)
            pen.unclip()
            pen.box(x, y, x + TILE_MM, y + TILE_MM, line=CUT, width_mm=CUT_MM)

    return Sheet("sheet.tiles", (COLUMNS * TILE_MM, rows * TILE_MM), draw)


def _code(colour: Rgb, alpha: float) -> str:
    """ "#rrggbb"; what is thin is mixed with the grass."""
    mixed = (round(c * alpha + g * (1 - alpha)) for c, g in zip(colour, GRASS, strict=True))
    return "#" + "".join(f"{v:02x}" for v in mixed)
