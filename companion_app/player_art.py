"""A player's mark: the colour in the player's own shape."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from companion_app import palette
from companion_app.paint import Paint, Point, rgb

CREAM, DARK = rgb("#f7f0df"), rgb("#12181c")
CORNERS: dict[str, list[Point]] = {
    "diamond": [(0.5, 0.03), (0.97, 0.5), (0.5, 0.97), (0.03, 0.5)],
    "square": [(0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9)],
    "triangle": [(0.5, 0.02), (1.0, 0.92), (0.0, 0.92)],
    "cross": [
        (0.3, 0.04), (0.7, 0.04), (0.7, 0.3), (0.96, 0.3), (0.96, 0.7), (0.7, 0.7),
        (0.7, 0.96), (0.3, 0.96), (0.3, 0.7), (0.04, 0.7), (0.04, 0.3), (0.3, 0.3),
    ],
}  # fmt: skip


def _ring(corners: int, inner: float = 1.0) -> list[Point]:
    """A regular polygon with a corner at the top; with ``inner`` below 1 a star."""
    steps = corners if inner == 1.0 else 2 * corners
    points = []
    for i in range(steps):
        r = 0.5 * (inner if i % 2 and inner < 1.0 else 1.0)
        a = 2 * math.pi * i / steps
        points.append((0.5 + r * math.sin(a), 0.52 - r * math.cos(a)))
    return points


CORNERS |= {"pentagon": _ring(5), "hexagon": _ring(6), "star": _ring(8, 0.74)}


@lru_cache(maxsize=64)
def player_picture(colour: str | None, size: int) -> NDArray[np.uint8]:
    """The mark without its letter, (size, size, 4) RGBA."""
    seen = palette.look(colour)
    paint, s = Paint(size, size), float(size)
    fill = (round(seen.fill[0] * 255), round(seen.fill[1] * 255), round(seen.fill[2] * 255))
    rim = DARK if min(fill) > 180 else CREAM
    if seen.shape not in CORNERS:
        paint.ellipse((s / 2, s / 2), s * 0.44, s * 0.44, fill)
        paint.ellipse((s / 2, s / 2), s * 0.44, s * 0.44, rim, width=s * 0.05)
        return paint.pixels()
    points = [(x * s * 0.94 + s * 0.03, y * s * 0.94 + s * 0.03) for x, y in CORNERS[seen.shape]]
    paint.polygon(points, fill)
    paint.line(points, rim, s * 0.05, closed=True)
    return paint.pixels()
