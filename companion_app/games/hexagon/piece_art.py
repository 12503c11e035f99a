"""Pictures of wizards and face-down wisdoms; nothing tells one wisdom from another."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from companion_app import palette
from companion_app.paint import Paint, Rgb, rgb

CREAM, DARK = rgb("#f7f0df"), rgb("#12181c")
FLAME, FLAME_CORE, FAINT = rgb("#ff8a3c"), rgb("#ffe08a"), rgb("#5c707c")
Pixels = NDArray[np.uint8]


@lru_cache(maxsize=128)
def piece_picture(kind: str, colour: str | None, size: int) -> Pixels:
    """A piece in a square of ``size`` pixels, (size, size, 4) RGBA."""
    paint, s = Paint(size, size), float(size)
    fill: Rgb = tuple(round(v * 255) for v in palette.look(colour).fill[:3])  # type: ignore[assignment]
    (_wizard if kind == "wizard" else _wisdom)(paint, s, fill)
    return paint.pixels()


def _wizard(paint: Paint, s: float, fill: Rgb) -> None:
    paint.ellipse((s * 0.5, s * 0.9), s * 0.36, s * 0.075, DARK, alpha=0.4)
    hat = [(s * 0.5, s * 0.06), (s * 0.73, s * 0.42), (s * 0.27, s * 0.42)]
    paint.polygon(hat, fill)
    paint.line(hat, DARK, s * 0.1, closed=True)
    paint.line(hat, CREAM, s * 0.055, closed=True)
    for radius, colour in ((0.36, DARK), (0.335, CREAM), (0.285, fill)):
        paint.ellipse((s * 0.5, s * 0.61), s * radius, s * radius, colour)
    tip = [(s * 0.5, s * 0.14), (s * 0.66, s * 0.4), (s * 0.34, s * 0.4)]
    paint.polygon(tip, fill)


def _wisdom(paint: Paint, s: float, fill: Rgb) -> None:
    """A low disc, lying face down."""
    paint.ellipse((s * 0.5, s * 0.56), s * 0.45, s * 0.42, DARK, alpha=0.55)
    for radius, colour in ((0.43, DARK), (0.41, CREAM), (0.36, fill)):
        paint.ellipse((s * 0.5, s * 0.5), s * radius, s * radius, colour)
    paint.ellipse((s * 0.5, s * 0.5), s * 0.29, s * 0.29, CREAM, width=s * 0.025)


@lru_cache(maxsize=32)
def mark_picture(key: str, size: int, filled: bool) -> Pixels:
    """The sign beside a player's name: a flame for the wisdoms that were burnt."""
    paint, s = Paint(size, size), float(size)
    for scale, colour, low in ((1.0, FLAME if filled else FAINT, 0.0), (0.55, FLAME_CORE, 0.16)):
        if not filled and scale < 1.0:
            continue
        r, y = s * 0.42 * scale, s * (0.52 + low)
        tip = [(s / 2, y - r * 1.15), (s / 2 + r * 0.62, y - r * 0.1), (s / 2 - r * 0.62, y - r * 0.1)]  # fmt: skip
        paint.polygon(tip, colour)
        paint.ellipse((s / 2, y + r * 0.25), r * 0.68, r * 0.7, colour)
    return paint.pixels()
