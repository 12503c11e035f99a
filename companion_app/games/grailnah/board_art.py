"""The drawn face of a round board: rings, magic circle, centre, stairs, castle places and gates."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from companion_app.paint import Paint, Point, rgb
from engine.board import Board, Cell

GROUND, CELL, INNER, GRID = rgb("#3a4636"), rgb("#6f7c5c"), rgb("#7d6b8c"), rgb("#2c3529")
CENTRE, CROSS, RIM = rgb("#f1e6c8"), rgb("#b3322c"), rgb("#e7c86a")
WOOD, STEP, STONE, GATE = rgb("#8a5f38"), rgb("#3d2a18"), rgb("#8d9294"), rgb("#d9c089")
Box = tuple[float, float, float, float]
ToPx = Callable[[Sequence[Point]], list[Point]]


def board_picture(board: Board, box_mm: Box, scale: float) -> NDArray[np.uint8]:
    """The face inside ``box_mm`` (left, top, right, bottom) at ``scale`` pixels per mm, RGBA."""
    left, top, right, bottom = box_mm
    paint = Paint(round((right - left) * scale), round((bottom - top) * scale), GROUND)
    paint.shade(np.random.default_rng(7).normal(0, 4, (40, 40)).astype(np.float32))

    def px(points: Sequence[Point]) -> list[Point]:
        return [((x - left) * scale, (y - top) * scale) for x, y in points]

    for cell in board.cells.values():
        polygon = px(cell.polygon_mm)
        paint.polygon(polygon, _ground(cell), 0.9)
        paint.line(polygon, GRID, max(1.0, 0.8 * scale), closed=True)
    for cell in board.cells.values():
        if "stair" in cell.roles:
            _stair(paint, board, cell, px)
    _gates(paint, board, px, scale)
    _circle(paint, board, px, scale)
    _centre(paint, board, px, scale)
    return paint.pixels()


def _ground(cell: Cell) -> tuple[int, int, int]:
    if "goal" in cell.roles:
        return CENTRE
    if "stair" in cell.roles:
        return WOOD
    if "castle_place" in cell.roles:
        return STONE
    return INNER if "magic_circle_inside" in cell.roles else CELL


def _stair(paint: Paint, board: Board, cell: Cell, px: ToPx) -> None:
    """Steps that lead down: lines across the cell, shorter and shorter."""
    x, y = board.centres[cell.id]
    middle = board.centres[board.with_role("goal")[0]]
    angle = math.atan2(y - middle[1], x - middle[0])
    out, along = (math.cos(angle), math.sin(angle)), (-math.sin(angle), math.cos(angle))
    size = board.cell_size_mm
    for n in range(4):
        far, half = (n - 1.5) * size * 0.16, size * (0.34 - 0.06 * n)
        at = (x + out[0] * far, y + out[1] * far)
        ends = [(at[0] + along[0] * s * half, at[1] + along[1] * s * half) for s in (-1, 1)]
        width = size * 0.05 * (px([(1, 0)])[0][0] - px([(0, 0)])[0][0])
        paint.line(px(ends), STEP, max(1.0, width))


def _gates(paint: Paint, board: Board, px: ToPx, scale: float) -> None:
    """Where a castle may stand: its gates, as light sills towards their cells."""
    castles = board.raw.get("castles", {})
    for place, gates in castles.items() if isinstance(castles, dict) else ():
        royal = gates.get("royal", ())
        for gate in (*gates.get("lateral", ()), *((royal,) if isinstance(royal, str) else royal)):
            if place in board.cells and gate in board.cells:
                ends = _shared_side(board.cells[place], board.cells[gate])
                if ends is not None:
                    wide = 2.6 if gate == royal else 1.8
                    paint.line(px(ends), GATE, max(2.0, wide * scale))


def _shared_side(a: Cell, b: Cell) -> list[Point] | None:
    """The middle half of the side that two cells share."""
    near = [p for p in a.polygon_mm if any(math.dist(p, q) < 1.0 for q in b.polygon_mm)]
    if len(near) < 2:
        return None
    start, end = near[0], near[-1]
    return [
        (start[0] + (end[0] - start[0]) * f, start[1] + (end[1] - start[1]) * f) for f in (0.2, 0.8)
    ]


def _circle(paint: Paint, board: Board, px: ToPx, scale: float) -> None:
    """The magic circle: sides between a cell inside and one outside, drawn through."""
    inside = set(board.with_role("magic_circle_inside"))
    for cell in inside:
        for other in board.cells[cell].neighbours:
            if other not in inside:
                shared = [
                    p
                    for p in board.cells[cell].polygon_mm
                    if any(math.dist(p, q) < 1.0 for q in board.cells[other].polygon_mm)
                ]
                if len(shared) > 1:
                    paint.line(px(shared), RIM, max(2.0, 2.0 * scale))


def _centre(paint: Paint, board: Board, px: ToPx, scale: float) -> None:
    """The Grailnah: a cross on the centre."""
    goals = board.with_role("goal")
    if not goals:
        return
    x, y = board.centres[goals[0]]
    reach = min(math.dist((x, y), p) for p in board.cells[goals[0]].polygon_mm) * 0.42
    for dx, dy in ((reach, 0.0), (0.0, reach)):
        paint.line(px([(x - dx, y - dy), (x + dx, y + dy)]), CROSS, max(2.0, reach * 0.16 * scale))
    paint.line(px(board.cells[goals[0]].polygon_mm), RIM, max(1.5, 1.2 * scale), closed=True)
