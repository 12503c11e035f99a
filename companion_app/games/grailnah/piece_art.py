"""Pictures of Grailnah's pieces, told by shape: knight, king, queen, Merlin, Morgane, castle."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from companion_app import palette
from companion_app.paint import Paint, Point, Rgb, rgb

CREAM, DARK, GOLD = rgb("#f7f0df"), rgb("#12181c"), rgb("#f0bd53")
ROBE, BEARD, CLOAK, MOON = rgb("#9a6a34"), rgb("#f2ead8"), rgb("#241a30"), rgb("#c9b6ea")
STONE, STONE_DARK, FAINT = rgb("#b7b9b8"), rgb("#5d646a"), rgb("#5c707c")
Pixels = NDArray[np.uint8]
BODY = [(0.38, 0.38), (0.62, 0.38), (0.68, 0.66), (0.82, 0.82), (0.82, 0.93), (0.18, 0.93),
        (0.18, 0.82), (0.32, 0.66)]  # fmt: skip


@lru_cache(maxsize=256)
def piece_picture(kind: str, colour: str | None, size: int) -> Pixels:
    """A piece in a square of ``size`` pixels, (size, size, 4) RGBA."""
    paint, s = Paint(size, size), float(size)
    fill: Rgb = tuple(round(v * 255) for v in palette.look(colour).fill[:3])  # type: ignore[assignment]
    draw = {
        "knight": _knight, "king": _king, "queen": _queen, "merlin": _merlin,
        "morgane": _morgane, "castle": _castle,
    }.get(kind, _knight)  # fmt: skip
    draw(paint, s, fill)
    return paint.pixels()


def _shadow(paint: Paint, s: float) -> None:
    paint.ellipse((s * 0.5, s * 0.93), s * 0.36, s * 0.06, DARK, alpha=0.4)


def _scaled(points: list[Point], s: float) -> list[Point]:
    return [(x * s, y * s) for x, y in points]


def _rimmed(paint: Paint, points: list[Point], fill: Rgb, s: float) -> None:
    rim = DARK if min(fill) > 180 else CREAM
    paint.line(points, DARK, s * 0.1, closed=True)
    paint.line(points, rim, s * 0.05, closed=True)
    paint.polygon(points, fill)


def _head(paint: Paint, s: float, y: float, radius: float, fill: Rgb) -> None:
    rim = DARK if min(fill) > 180 else CREAM
    for grow, colour in ((0.05, DARK), (0.025, rim), (0.0, fill)):
        paint.ellipse((s * 0.5, s * y), s * (radius + grow), s * (radius + grow), colour)


def _knight(paint: Paint, s: float, fill: Rgb) -> None:
    _shadow(paint, s)
    _rimmed(paint, _scaled(BODY, s), fill, s)
    _head(paint, s, 0.28, 0.19, fill)


def _king(paint: Paint, s: float, fill: Rgb) -> None:
    """A tall pawn under a crown with a cross."""
    _shadow(paint, s)
    _rimmed(paint, _scaled(BODY, s), fill, s)
    crown = [(0.26, 0.1), (0.38, 0.22), (0.5, 0.08), (0.62, 0.22), (0.74, 0.1), (0.7, 0.42), (0.3, 0.42)]  # fmt: skip
    _rimmed(paint, _scaled(crown, s), GOLD, s)
    paint.line([(s * 0.5, s * 0.0), (s * 0.5, s * 0.14)], GOLD, s * 0.06)
    paint.line([(s * 0.44, s * 0.05), (s * 0.56, s * 0.05)], GOLD, s * 0.06)


def _queen(paint: Paint, s: float, fill: Rgb) -> None:
    """A pawn with a round diadem."""
    _shadow(paint, s)
    _rimmed(paint, _scaled(BODY, s), fill, s)
    _head(paint, s, 0.27, 0.16, fill)
    for x, y in ((0.3, 0.2), (0.4, 0.1), (0.5, 0.06), (0.6, 0.1), (0.7, 0.2)):
        paint.ellipse((s * x, s * y), s * 0.062, s * 0.062, DARK)
        paint.ellipse((s * x, s * y), s * 0.045, s * 0.045, GOLD)


def _merlin(paint: Paint, s: float, fill: Rgb) -> None:
    """Hat and beard, in wood."""
    _shadow(paint, s)
    _rimmed(paint, _scaled(BODY, s), ROBE, s)
    beard = [(0.36, 0.36), (0.64, 0.36), (0.5, 0.72)]
    paint.polygon(_scaled(beard, s), BEARD)
    hat = [(0.5, 0.02), (0.72, 0.38), (0.28, 0.38)]
    _rimmed(paint, _scaled(hat, s), ROBE, s)


def _morgane(paint: Paint, s: float, fill: Rgb) -> None:
    """A dark cloak with a hood and a moon."""
    _shadow(paint, s)
    cloak = [(0.5, 0.04), (0.72, 0.3), (0.7, 0.6), (0.84, 0.93), (0.16, 0.93), (0.3, 0.6), (0.28, 0.3)]  # fmt: skip
    _rimmed(paint, _scaled(cloak, s), CLOAK, s)
    paint.ellipse((s * 0.5, s * 0.32), s * 0.13, s * 0.15, MOON)
    paint.ellipse((s * 0.55, s * 0.3), s * 0.11, s * 0.13, CLOAK)


def _castle(paint: Paint, s: float, fill: Rgb) -> None:
    """A round court in the player's colour within battlements: it looks the same from every side."""
    middle = (s * 0.5, s * 0.5)
    for n in range(14):
        angle = 2 * math.pi * n / 14
        at = (middle[0] + s * 0.43 * math.cos(angle), middle[1] + s * 0.43 * math.sin(angle))
        paint.ellipse(at, s * 0.055, s * 0.055, STONE_DARK)
        paint.ellipse(at, s * 0.04, s * 0.04, STONE)
    paint.ellipse(middle, s * 0.42, s * 0.42, STONE)
    paint.ellipse(middle, s * 0.36, s * 0.36, STONE_DARK)
    paint.ellipse(middle, s * 0.34, s * 0.34, fill)
    paint.ellipse(middle, s * 0.34, s * 0.34, DARK, alpha=0.3)


@lru_cache(maxsize=32)
def mark_picture(key: str, size: int, filled: bool) -> Pixels:
    """The sign beside a player's name: a knight, hollow when it was sacrificed."""
    paint, s = Paint(size, size), float(size)
    colour = GOLD if filled else FAINT
    if filled:
        paint.polygon(_scaled(BODY, s), colour)
        paint.ellipse((s * 0.5, s * 0.26), s * 0.17, s * 0.17, colour)
    else:
        paint.line(_scaled(BODY, s), colour, s * 0.07, closed=True)
        paint.ellipse((s * 0.5, s * 0.26), s * 0.15, s * 0.15, colour, width=s * 0.07)
    return paint.pixels()
