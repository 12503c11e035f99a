"""Outlines of the pieces in true size, to see whether an owner's pieces have the file's sizes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from calibration.sheets.document import Sheet, Words
from calibration.sheets.pen import Pen, Point
from engine.board import Board

HEAD_MM, HEIGHT_MM, COLUMN_MM, GAP_MM, NAME_MM = 14.0, 225.0, 92.0, 7.0, 8.0
MOST_MM = 58.0  # larger pieces are drawn no larger: they need no template
INK, FINE = "#303030", 0.3


@dataclass(frozen=True)
class _Template:
    kind: str
    foot_mm: tuple[float, float]
    height_mm: float
    at: Point

    @property
    def tall_mm(self) -> float:
        return max(self.foot_mm[1], self.height_mm)


def template_sheet(board: Board) -> Sheet:
    """Per kind the foot as seen from above and, beside it, a bar of its height; two columns."""
    templates = list(_laid_out(board))

    def draw(pen: Pen, words: Words) -> None:
        pen.fitted((0, 3), words("sheet.templates_how"), 3.0, 2 * COLUMN_MM)
        pen.fitted((0, 8), words("sheet.templates_wrong"), 3.0, 2 * COLUMN_MM)
        for template in templates:
            _draw(pen, words, template)

    return Sheet("sheet.templates", (2 * COLUMN_MM, HEAD_MM + HEIGHT_MM), draw)


def _laid_out(board: Board) -> Iterator[_Template]:
    x, y = 0.0, 0.0
    for kind, piece in board.raw.get("pieces_mm", {}).items():
        if "base" in piece:
            wide, deep, high = (min(MOST_MM, v) for v in board.size_of(kind))
        else:  # a footprint of cells, as the ruins'
            wide = deep = min(MOST_MM, 2 * board.cell_size_mm)
            high = min(MOST_MM, float(piece.get("height", board.cell_size_mm)))
        tall = max(deep, high) + NAME_MM
        if y + tall > HEIGHT_MM:
            x, y = x + COLUMN_MM, 0.0
        if x > COLUMN_MM:
            return
        yield _Template(kind, (wide, deep), high, (x, HEAD_MM + y))
        y += tall + GAP_MM


def _draw(pen: Pen, words: Words, one: _Template) -> None:
    left, top = one.at
    wide, deep = one.foot_mm
    name = words(f"kind.{one.kind}")
    size = f"{wide:g} x {deep:g} x {one.height_mm:g} mm"
    pen.fitted((left, top + 3), f"{name}: {size}", 3.4, COLUMN_MM - 4)
    low = top + NAME_MM + one.tall_mm
    if one.kind in ("ruin", "l_wall"):
        ring = [(0, 0), (0.5, 0), (0.5, 0.5), (1, 0.5), (1, 1), (0, 1)]
        pen.polygon([(left + wide * x, low - deep + deep * y) for x, y in ring], None, INK, FINE)
    elif wide == deep and one.kind not in ("die", "energy_stone", "score_marker"):
        pen.circle((left + wide / 2, low - wide / 2), wide / 2, None, INK, FINE)
    else:
        pen.box(left, low - deep, left + wide, low, line=INK, width_mm=FINE)
    bar = left + wide + 10
    pen.box(bar, low - one.height_mm, bar + 4, low, fill="#d8d8d8", line=INK, width_mm=FINE)
