"""The drawn face of Magalon's board: everything that does not move, as one picture."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from companion_app.paint import Paint, Point, rgb
from engine.board import Board, Cell

GROUND, CELL, GRID = rgb("#33454e"), rgb("#506671"), rgb("#35474f")
GREY_MARK, TRACK, TRACK_HIGH = rgb("#7b8a91"), rgb("#e4d9bf"), rgb("#f0cf86")
ITEM, START, SYMBOL = rgb("#e9d9a4"), rgb("#f1e9d8"), rgb("#7c2440")
ENERGY, FLAME, FLAME_CORE = rgb("#9c3b38"), rgb("#ff8a3c"), rgb("#ffe08a")
RED_BORDER, INK = rgb("#e8574c"), rgb("#1d262b")
ENERGY_TO_FINISH = 16
Box = tuple[float, float, float, float]


def board_picture(board: Board, box_mm: Box, scale: float) -> NDArray[np.uint8]:
    """The face inside ``box_mm`` (left, top, right, bottom) at ``scale`` pixels per mm, RGBA."""
    left, top, right, bottom = box_mm
    paint = Paint(round((right - left) * scale), round((bottom - top) * scale), GROUND)

    def px(polygon: Sequence[Point]) -> list[Point]:
        return [((x - left) * scale, (y - top) * scale) for x, y in polygon]

    paint.shade(np.random.default_rng(3).normal(0, 4, (48, 36)).astype(np.float32))
    marks = {cell for ruin in board.raw.get("ruin_start", ()) for cell in ruin}
    for cell in board.cells.values():
        polygon = px(cell.polygon_mm)
        paint.polygon(
            polygon, GREY_MARK if cell.id in marks else CELL, 0.9 if cell.id in marks else 0.8
        )
        paint.line(polygon, GRID, max(1.0, 0.8 * scale), closed=True)
    for cell in board.cells.values():
        _role(paint, cell, px(cell.polygon_mm), board.cell_size_mm * scale, scale)
    for value, mark in board.track.items():
        colour = TRACK_HIGH if value >= ENERGY_TO_FINISH else TRACK
        paint.polygon(px(mark), colour)
        paint.line(px(mark), INK, max(1.0, 0.6 * scale), closed=True, alpha=0.55)
    return paint.pixels()


def _role(paint: Paint, cell: Cell, polygon: list[Point], side: float, scale: float) -> None:
    xs, ys = [p[0] for p in polygon], [p[1] for p in polygon]
    centre = ((min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2)
    if "energy" in cell.roles:
        paint.polygon(polygon, ENERGY)
        _flame(paint, centre, side)
    elif "item" in cell.roles:
        paint.polygon(polygon, ITEM)
        _item(paint, cell.id, centre, side)
    elif "start" in cell.roles:
        paint.polygon(polygon, START)
        _star(paint, centre, side)
    elif cell.roles & {"goblin_start", "giant_start"}:
        inner = [(centre[0] + (x - centre[0]) * 0.84, centre[1] + (y - centre[1]) * 0.84) for x, y in polygon]  # fmt: skip
        paint.line(
            inner, RED_BORDER, side * (0.14 if "giant_start" in cell.roles else 0.08), closed=True
        )
    else:
        return
    paint.line(polygon, INK, max(1.0, 0.6 * scale), closed=True, alpha=0.5)


def _flame(paint: Paint, centre: Point, side: float) -> None:
    x, y = centre
    for size, colour, low in ((0.36, FLAME, 0.0), (0.19, FLAME_CORE, 0.12)):
        r = side * size
        y0 = y + side * low
        tip = [(x, y0 - r * 1.25), (x + r * 0.62, y0 - r * 0.1), (x - r * 0.62, y0 - r * 0.1)]
        paint.polygon(tip, colour)
        paint.ellipse((x, y0 + r * 0.25), r * 0.68, r * 0.7, colour)


def _item(paint: Paint, item: str, centre: Point, side: float) -> None:
    x, y = centre
    r, width = side * 0.52, side * 0.1
    if item == "ring":
        paint.ellipse(centre, r, r, SYMBOL, width=width)
    elif item == "stone":
        paint.line([(x, y - r), (x + r, y), (x, y + r), (x - r, y)], SYMBOL, width, closed=True)
    else:
        paint.line(
            [(x, y - r), (x + r, y + r * 0.8), (x - r, y + r * 0.8)], SYMBOL, width, closed=True
        )


def _star(paint: Paint, centre: Point, side: float) -> None:
    x, y = centre
    r = side * 0.55
    for angle in np.arange(4) * np.pi / 4:
        dx, dy = float(np.cos(angle)) * r, float(np.sin(angle)) * r
        paint.line([(x - dx, y - dy), (x + dx, y + dy)], SYMBOL, side * 0.07, alpha=0.45)
