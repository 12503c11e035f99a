"""Pictures of meeples, standing and lying, of mage and witch, and of the signs beside a name."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from companion_app import palette
from companion_app.games.carcassonne.tile_art import tile_picture
from companion_app.paint import Paint, Point, Rgb, rgb
from engine.carcassonne.placement import TILE

CREAM, DARK, FAINT = rgb("#f7f0df"), rgb("#12181c"), rgb("#5c707c")
VIOLET, ORANGE, GOLD = rgb("#8a56d8"), rgb("#f39a2b"), rgb("#f6d365")
LYING = "_lying"
# Half of a figure from the head down, as shares of its height; mirrored for the other half.
HALF: tuple[Point, ...] = (
    (0.5, 0.05), (0.61, 0.09), (0.65, 0.2), (0.62, 0.3), (0.74, 0.36), (0.95, 0.5), (0.93, 0.6),
    (0.74, 0.58), (0.8, 0.76), (0.9, 0.95), (0.6, 0.95), (0.5, 0.76),
)  # fmt: skip
OUTLINE: tuple[Point, ...] = (*HALF, *((1 - x, y) for x, y in reversed(HALF[1:-1])))
Pixels = NDArray[np.uint8]


@lru_cache(maxsize=256)
def piece_picture(kind: str, colour: str | None, size: int) -> Pixels:
    """A piece in a square of ``size`` pixels, (size, size, 4) RGBA; a tile unturned."""
    if kind.startswith(TILE):
        return tile_picture(kind.removeprefix(TILE), size)
    if kind.endswith(LYING):
        standing = piece_picture(kind.removesuffix(LYING), colour, size)
        return np.ascontiguousarray(np.rot90(standing, -1))
    paint, s = Paint(size, size), float(size)
    if kind in ("mage", "witch"):
        _wizard(paint, s, VIOLET if kind == "mage" else ORANGE, kind == "mage")
    else:
        _meeple(paint, s, _fill(colour))
    return paint.pixels()


def _fill(colour: str | None) -> Rgb:
    r, g, b = (round(v * 255) for v in palette.look(colour).fill[:3])
    return r, g, b


def _meeple(paint: Paint, s: float, fill: Rgb) -> None:
    points = [(x * s, y * s) for x, y in OUTLINE]
    paint.line(points, DARK, s * 0.09, closed=True)
    paint.line(points, CREAM, s * 0.05, closed=True)
    paint.polygon(points, fill)


def _wizard(paint: Paint, s: float, fill: Rgb, star: bool) -> None:
    """A cloak with a hat: the mage's pointed with a star, the witch's with a broad brim."""
    cloak = [(s * 0.5, s * 0.34), (s * 0.86, s * 0.95), (s * 0.14, s * 0.95)]
    hat = [(s * 0.5, s * 0.03), (s * 0.7, s * 0.38), (s * 0.3, s * 0.38)]
    for grow, rim in ((0.09, DARK), (0.05, CREAM)):
        paint.line(cloak, rim, s * grow, closed=True)
        paint.line(hat, rim, s * grow, closed=True)
    paint.polygon(cloak, fill)
    paint.ellipse((s * 0.5, s * 0.42), s * 0.13, s * 0.12, CREAM)
    paint.polygon(hat, fill)
    if star:
        paint.ellipse((s * 0.5, s * 0.25), s * 0.055, s * 0.055, GOLD)
        paint.ellipse((s * 0.5, s * 0.72), s * 0.07, s * 0.07, GOLD)
    else:
        paint.line([(s * 0.18, s * 0.38), (s * 0.82, s * 0.38)], DARK, s * 0.09)
        paint.line([(s * 0.34, s * 0.3), (s * 0.66, s * 0.3)], DARK, s * 0.04)


@lru_cache(maxsize=32)
def mark_picture(key: str, size: int, filled: bool) -> Pixels:
    """The sign beside a player's name: meeples in hand, and the large one."""
    paint, s = Paint(size, size), float(size)
    share = 1.0 if key == "large_meeple" else 0.8
    low = (1 - share) * s
    points = [(s / 2 + (x - 0.5) * s * share, y * s * share + low) for x, y in OUTLINE]
    paint.polygon(points, CREAM if filled else FAINT)
    return paint.pixels()
