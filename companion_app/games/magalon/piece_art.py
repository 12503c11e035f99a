"""Pictures of Magalon's pieces and items, drawn once per size: kind by shape, player by colour."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from companion_app import palette
from companion_app.paint import Paint, Point, Rgb, rgb

CREAM, DARK = rgb("#f7f0df"), rgb("#12181c")
STONE, STONE_LIGHT, STONE_DARK = rgb("#a9adb0"), rgb("#d4d6d6"), rgb("#5d646a")
GOLD = rgb("#f0bd53")
Pixels = NDArray[np.uint8]


def _rgb(colour: palette.Rgba) -> Rgb:
    return tuple(round(v * 255) for v in colour[:3])  # type: ignore[return-value]


@lru_cache(maxsize=256)
def piece_picture(kind: str, colour: str | None, size: int) -> Pixels:
    """A piece in a square of ``size`` pixels, (size, size, 4) RGBA."""
    paint = Paint(size, size)
    fill = _rgb(palette.look(colour).fill)
    draw = {
        "wizard": _wizard, "shield": _shield, "energy_stone": _stone, "giant": _giant,
        "goblin": _goblin,
    }.get(kind, _plain)  # fmt: skip
    draw(paint, float(size), fill)
    return paint.pixels()


def _shadow(paint: Paint, s: float, rx: float) -> None:
    paint.ellipse((s * 0.5, s * 0.9), s * rx, s * 0.075, DARK, alpha=0.4)


def _rimmed(paint: Paint, points: list[Point], fill: Rgb, s: float) -> None:
    paint.polygon(points, fill)
    paint.line(points, DARK, s * 0.1, closed=True)
    paint.line(points, CREAM, s * 0.055, closed=True)


def _wizard(paint: Paint, s: float, fill: Rgb) -> None:
    _shadow(paint, s, 0.36)
    hat = [(s * 0.5, s * 0.06), (s * 0.73, s * 0.42), (s * 0.27, s * 0.42)]
    _rimmed(paint, hat, fill, s)
    for radius, colour in ((0.36, DARK), (0.335, CREAM), (0.285, fill)):
        paint.ellipse((s * 0.5, s * 0.61), s * radius, s * radius, colour)
    tip = [(s * 0.5, s * 0.14), (s * 0.66, s * 0.4), (s * 0.34, s * 0.4)]
    paint.polygon(tip, fill)


def _shield(paint: Paint, s: float, fill: Rgb) -> None:
    _shadow(paint, s, 0.25)
    side = [(0.14, 0.14), (0.5, 0.06), (0.86, 0.14), (0.86, 0.46)]
    curve = [
        (0.5 + 0.36 * math.cos(a), 0.46 + 0.48 * math.sin(a)) for a in np.linspace(0, math.pi, 13)
    ]
    points = [(x * s, y * s) for x, y in (*side, *curve)]
    _rimmed(paint, points, fill, s)


def _stone(paint: Paint, s: float, fill: Rgb) -> None:
    points = [(s * x, s * y) for x, y in ((0.12, 0.12), (0.88, 0.12), (0.88, 0.88), (0.12, 0.88))]
    _rimmed(paint, points, fill, s)


def _pawn(paint: Paint, s: float, fill: Rgb, rim: Rgb) -> None:
    body = [(0.4, 0.34), (0.6, 0.34), (0.66, 0.62), (0.82, 0.8), (0.82, 0.92), (0.18, 0.92), (0.18, 0.8), (0.34, 0.62)]  # fmt: skip
    points = [(x * s, y * s) for x, y in body]
    for grow, colour in ((0.12, DARK), (0.075, rim), (0.0, fill)):
        if grow:
            paint.line(points, colour, s * grow, closed=True)
        paint.polygon(points, colour)
        radius = 0.2 + grow / 2
        paint.ellipse((s * 0.5, s * 0.24), s * radius, s * radius, colour)


def _giant(paint: Paint, s: float, fill: Rgb) -> None:
    _pawn(paint, s, fill, GOLD)


def _goblin(paint: Paint, s: float, fill: Rgb) -> None:
    _pawn(paint, s, fill, CREAM)
    for x in (0.26, 0.74):
        tip = x + (0.16 if x > 0.5 else -0.16)
        paint.polygon([(s * x, s * 0.12), (s * tip, s * 0.1), (s * x, s * 0.32)], CREAM)


def _plain(paint: Paint, s: float, fill: Rgb) -> None:
    paint.ellipse((s * 0.5, s * 0.5), s * 0.42, s * 0.42, CREAM)
    paint.ellipse((s * 0.5, s * 0.5), s * 0.34, s * 0.34, fill)


@lru_cache(maxsize=64)
def spread_picture(kind: str, cells: tuple[tuple[int, int], ...], cell: int) -> Pixels:
    """A ruin over ``cells`` ((column, row) from the top left), ``cell`` pixels a side."""
    columns, rows = max(c for c, _ in cells) + 1, max(r for _, r in cells) + 1
    paint = Paint(columns * cell, rows * cell)
    inset = cell * 0.07
    boxes = [_box(c, r, cell, inset, cells) for c, r in cells]
    for grow, colour in ((cell * 0.05, DARK), (0.0, STONE)):
        for x0, y0, x1, y1 in boxes:
            paint.polygon(
                [(x0 - grow, y0 - grow), (x1 + grow, y0 - grow), (x1 + grow, y1 + grow), (x0 - grow, y1 + grow)],
                colour,
            )  # fmt: skip
    for c, r in cells:
        _bricks(paint, c * cell, r * cell, float(cell))
    return paint.pixels()


def _box(
    column: int, row: int, cell: int, inset: float, cells: tuple[tuple[int, int], ...]
) -> tuple[float, float, float, float]:
    def side(dc: int, dr: int) -> float:
        return -0.5 if (column + dc, row + dr) in cells else inset

    x, y = column * cell, row * cell
    return x + side(-1, 0), y + side(0, -1), x + cell - side(1, 0), y + cell - side(0, 1)


def _bricks(paint: Paint, x: float, y: float, cell: float) -> None:
    for i, (u, v) in enumerate(((0.2, 0.2), (0.56, 0.2), (0.2, 0.56), (0.56, 0.56))):
        w = cell * 0.25
        x0, y0 = x + u * cell, y + v * cell
        colour = STONE_LIGHT if i in (0, 3) else STONE_DARK
        paint.polygon(
            [(x0, y0), (x0 + w, y0), (x0 + w, y0 + w), (x0, y0 + w)], colour,
            0.95 if i in (0, 3) else 0.45,
        )  # fmt: skip


@lru_cache(maxsize=64)
def item_picture(item: str, size: int, filled: bool) -> Pixels:
    """An item's symbol: amulet a triangle, stone a rhombus, ring a circle (as on the chips)."""
    paint = Paint(size, size)
    s, colour = float(size), GOLD if filled else rgb("#5c707c")
    width = s * (0.13 if filled else 0.08)
    if item == "ring":
        paint.ellipse((s / 2, s / 2), s * 0.34, s * 0.34, colour, width=width)
    else:
        corners = {
            "amulet": [(0.5, 0.14), (0.88, 0.82), (0.12, 0.82)],
            "stone": [(0.5, 0.1), (0.88, 0.5), (0.5, 0.9), (0.12, 0.5)],
        }.get(item, [(0.2, 0.2), (0.8, 0.2), (0.8, 0.8), (0.2, 0.8)])
        points = [(x * s, y * s) for x, y in corners]
        if filled:
            paint.polygon(points, colour, 0.3)
        paint.line(points, colour, width, closed=True)
    return paint.pixels()
