"""The drawn face of a hexagonal board: cells, start cells of both sides and flames, as one picture."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from companion_app import palette
from companion_app.paint import Paint, Point, Rgb, rgb
from engine.board import Board, Cell

GROUND, CELL, GRID, INK = rgb("#2b2740"), rgb("#544d74"), rgb("#2b2740"), rgb("#181527")
ASH, FLAME, FLAME_CORE = rgb("#3a2020"), rgb("#ff8a3c"), rgb("#ffe08a")
Box = tuple[float, float, float, float]


def board_picture(board: Board, box_mm: Box, scale: float) -> NDArray[np.uint8]:
    """The face inside ``box_mm`` (left, top, right, bottom) at ``scale`` pixels per mm, RGBA."""
    left, top, right, bottom = box_mm
    paint = Paint(round((right - left) * scale), round((bottom - top) * scale), GROUND)
    paint.shade(np.random.default_rng(5).normal(0, 4, (40, 40)).astype(np.float32))
    for cell in board.cells.values():
        polygon = [((x - left) * scale, (y - top) * scale) for x, y in cell.polygon_mm]
        _cell(paint, cell, polygon, board.home_of(cell), scale)
    return paint.pixels()


def _cell(paint: Paint, cell: Cell, polygon: list[Point], home: str | None, scale: float) -> None:
    x, y = (sum(p[i] for p in polygon) / len(polygon) for i in (0, 1))
    side = math.sqrt(2 / 3) * min(math.dist((x, y), p) for p in polygon)
    if "flame" in cell.roles:
        paint.polygon(polygon, ASH)
        _flame(paint, (x, y), side * 1.15)
    else:
        paint.polygon(polygon, CELL, 0.85)
        if home is not None:
            fill: Rgb = tuple(round(v * 255) for v in palette.look(home).fill[:3])  # type: ignore[assignment]
            paint.polygon(polygon, fill, 0.28)
            paint.line(_inside(polygon, (x, y)), fill, max(1.0, side * 0.1), closed=True)
    paint.line(polygon, GRID, max(1.5, 1.6 * scale), closed=True)
    paint.line(polygon, INK, max(1.0, 0.5 * scale), closed=True, alpha=0.5)


def _inside(polygon: Sequence[Point], centre: Point) -> list[Point]:
    return [
        (centre[0] + (px - centre[0]) * 0.8, centre[1] + (py - centre[1]) * 0.8)
        for px, py in polygon
    ]


def _flame(paint: Paint, centre: Point, side: float) -> None:
    x, y = centre
    for size, colour, low in ((0.72, FLAME, 0.0), (0.4, FLAME_CORE, 0.22)):
        r = side * size
        y0 = y + side * low
        tip = [(x, y0 - r * 1.25), (x + r * 0.62, y0 - r * 0.1), (x - r * 0.62, y0 - r * 0.1)]
        paint.polygon(tip, colour)
        paint.ellipse((x, y0 + r * 0.25), r * 0.68, r * 0.7, colour)
