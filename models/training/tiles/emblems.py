"""Coats of arms and signs of magic put together from parts: no two artists draw them alike."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.tiles import paint
from models.training.tiles.paint import Brush, Colour

F64 = NDArray[np.float64]


def _regular(corners: int, inner: float = 1.0, turned: float = -np.pi / 2) -> F64:
    """A polygon in the unit circle, a star with ``inner`` < 1."""
    n = corners if inner == 1 else 2 * corners
    t = np.arange(n) * 2 * np.pi / n + turned
    radius = np.where(np.arange(n) % 2, inner, 1.0)
    return np.column_stack([radius * np.cos(t), radius * np.sin(t)])


def _arc(first: float, last: float) -> F64:
    t = np.linspace(first, last, 20)
    return np.column_stack([np.cos(t), np.sin(t)])


SHAPES = {
    "heater": np.array([(-0.8, -1), (0.8, -1), (0.75, 0.1), (0.4, 0.7), (0, 1), (-0.4, 0.7), (-0.75, 0.1)]),
    "square": np.array([(-0.8, -0.9), (0.8, -0.9), (0.8, 0.9), (-0.8, 0.9)]),
    "lozenge": _regular(4),
    "round": _regular(20),
    "hexagon": _regular(6),
    "pennon": np.array([(-0.9, -0.7), (1, 0), (-0.9, 0.7)]),
    "swallowtail": np.array([(-0.9, -0.7), (0.9, -0.7), (0.4, 0), (0.9, 0.7), (-0.9, 0.7)]),
    "hanging": np.array([(-0.6, -1), (0.6, -1), (0.6, 0.9), (0, 0.5), (-0.6, 0.9)]),
    "kite": np.array([(-0.6, -0.75), (0, -1), (0.6, -0.75), (0.5, 0), (0, 1.1), (-0.5, 0)]),
    "oval": _regular(20) * (0.7, 1.0),
    "spade": np.array([(-0.8, -1), (0, -0.8), (0.8, -1), (0.8, 0.3), (0, 1), (-0.8, 0.3)]),
}  # fmt: skip
PATTERNS: dict[str, list[F64]] = {
    "plain": [],
    "pale": [np.array([(0, -1.2), (1.2, -1.2), (1.2, 1.2), (0, 1.2)])],
    "fess": [np.array([(-1.2, -0.3), (1.2, -0.3), (1.2, 0.3), (-1.2, 0.3)])],
    "chief": [np.array([(-1.2, -1.2), (1.2, -1.2), (1.2, -0.3), (-1.2, -0.3)])],
    "quarters": [
        np.array([(-1.2, -1.2), (0, -1.2), (0, 0), (-1.2, 0)]),
        np.array([(0, 0), (1.2, 0), (1.2, 1.2), (0, 1.2)]),
    ],
    "cross": [
        np.array([(-0.25, -1.2), (0.25, -1.2), (0.25, 1.2), (-0.25, 1.2)]),
        np.array([(-1.2, -0.3), (1.2, -0.3), (1.2, 0.2), (-1.2, 0.2)]),
    ],
    "bend": [np.array([(-1.2, -1.0), (-0.8, -1.2), (1.2, 0.8), (1.2, 1.2), (0.7, 1.2), (-1.2, -0.5)])],
    "chevron": [np.array([(-1.2, 0.7), (0, -0.3), (1.2, 0.7), (1.2, 1.1), (0, 0.2), (-1.2, 1.1)])],
    "boss": [_regular(12) * 0.45],
    "star": [_regular(5, 0.45) * 0.6],
    "paly": [np.array([(x, -1.2), (x + 0.28, -1.2), (x + 0.28, 1.2), (x, 1.2)]) for x in (-0.7, -0.14, 0.42)],
    "barry": [np.array([(-1.2, y), (1.2, y), (1.2, y + 0.3), (-1.2, y + 0.3)]) for y in (-0.8, -0.2, 0.4)],
    "saltire": [
        np.array([(-1.2, -1), (-0.9, -1.2), (1.2, 1), (0.9, 1.2)]),
        np.array([(1.2, -1), (0.9, -1.2), (-1.2, 1), (-0.9, 1.2)]),
    ],
    "lily": [
        np.array([(0, -0.7), (0.25, -0.1), (0.1, 0.6), (-0.1, 0.6), (-0.25, -0.1)]),
        np.array([(-0.55, -0.3), (-0.2, 0.2), (0.2, 0.2), (0.55, -0.3), (0.5, 0.35), (-0.5, 0.35)]),
    ],
    "crown": [np.array([(-0.5, 0.3), (-0.6, -0.4), (-0.2, 0), (0, -0.5), (0.2, 0), (0.6, -0.4), (0.5, 0.3)])],
}  # fmt: skip
GROUNDS = ("disc", "ring", "none", "square", "glow", "rays", "halo")
GLYPHS: dict[str, list[F64]] = {
    **{f"star{n}": [_regular(n, k)] for n, k in ((4, 0.35), (5, 0.42), (6, 0.5), (8, 0.55))},
    "crescent": [np.vstack([_arc(0.8, 5.5), _arc(5.2, 1.1) * 0.75 + (0.45, 0.0)])],
    "drop": [np.array([(0, -1), (0.55, 0.1), (0.5, 0.6), (0, 1), (-0.5, 0.6), (-0.55, 0.1)])],
    "bolt": [np.array([(0.2, -1), (-0.6, 0.15), (-0.05, 0.15), (-0.2, 1), (0.6, -0.2), (0.05, -0.2)])],
    "dots": [_regular(8) * 0.3 + c for c in _regular(3) * 0.6],
    "triangle": [_regular(3)],
    "hat": [
        np.array([(-1, 0.7), (1, 0.7), (0.6, 0.4), (-0.6, 0.4)]),
        np.array([(-0.55, 0.5), (0.2, -1), (0.55, 0.5)]),
    ],
    "wand": [
        np.array([(-0.9, 0.8), (-0.7, 0.95), (0.4, -0.3), (0.25, -0.45)]),
        _regular(5, 0.42) * 0.55 + np.array([0.45, -0.5]),
    ],
    "eye": [_arc(0, 6.2) * (1, 0.55)],
    "petals": [_regular(10) * 0.36 + c for c in _regular(5) * 0.6],
    "flame": [np.array([(0, -1), (0.3, -0.3), (0.6, 0.1), (0.4, 0.8), (-0.4, 0.8), (-0.6, 0.2), (-0.25, -0.1)])],
    "flask": [
        np.array([(-0.2, -1), (0.2, -1), (0.2, -0.3), (0.7, 0.7), (0.5, 0.9), (-0.5, 0.9), (-0.7, 0.7), (-0.2, -0.3)])
    ],
    "gem": [np.array([(-0.5, -0.7), (0.5, -0.7), (0.9, -0.2), (0, 0.9), (-0.9, -0.2)])],
    "moon and star": [
        np.vstack([_arc(1.2, 5.1), _arc(4.6, 1.7) * 0.8 + (0.3, 0.0)]), _regular(5, 0.42) * 0.4 + (0.45, 0.0)
    ],
    "cross": [_regular(4, 0.25, 0.0)],
}  # fmt: skip
SPIRAL = "spiral"


def coat(
    brush: Brush, kind: str, at: Sequence[float], size: float, colours: tuple[Colour, Colour]
) -> None:
    """A coat of arms, SHAPE/PATTERN or SHAPE/PATTERN/rim, ``size`` tiles high."""
    shape, pattern, *rim = kind.split("/")
    a, b = colours
    half, middle = size / 2, np.asarray(at, float)
    whole = SHAPES[shape]
    if shape in ("pennon", "swallowtail"):
        pole = np.array([(-0.95, -0.9), (-0.95, 1.3)]) * half + middle
        brush.line(pole, 0.016, np.full(3, 0.15, np.float32))
    if rim:
        tone = np.full(3, 0.06, np.float32) if a.mean() > 0.3 else np.asarray(b, np.float32)
        brush.fill(whole * 1.2 * half + middle, tone, ink=False)
    brush.fill(whole * half + middle, a)
    if not PATTERNS[pattern]:
        return
    layer, mask = brush.canvas.copy(), np.zeros(brush.canvas.shape[:2], np.uint8)
    for part in PATTERNS[pattern]:
        Brush(layer).fill(part * half + middle, b, ink=False)
    cv2.fillPoly(mask, [brush.fixed(whole * 0.93 * half + middle)], 255, cv2.LINE_8, paint.SHIFT)
    cv2.copyTo(layer, mask, brush.canvas)


def spell(
    brush: Brush, kind: str, at: Sequence[float], size: float, colours: tuple[Colour, Colour]
) -> None:
    """A sign of magic, GROUND/GLYPH, ``size`` tiles across."""
    ground, glyph = kind.split("/")
    a, b = colours
    r, middle = size / 2, np.asarray(at, float)
    if ground == "disc":
        brush.disc(at, r, a)
    elif ground == "ring":
        brush.disc(at, r, a)
        brush.disc(at, 0.8 * r, np.asarray(b * 0.4, np.float32), ink=False)
    elif ground == "halo":
        brush.disc(at, r, b)
        brush.disc(at, 0.82 * r, a, ink=False)
    elif ground == "square":
        brush.fill(SHAPES["lozenge"] * 1.1 * r + middle, a)
    elif ground == "rays":
        brush.fill(_regular(12, 0.75) * 1.1 * r + middle, a)
    elif ground == "glow":
        x, y = (int(v) for v in brush.fixed([at])[0])
        layer = np.zeros(brush.canvas.shape[:2], np.uint8)
        cv2.circle(layer, (x, y), int(r * brush.side * 16), 255, -1, cv2.LINE_AA, paint.SHIFT)
        soft = cv2.GaussianBlur(layer, (0, 0), 0.25 * r * brush.side)[..., None] / 255.0
        tone = np.asarray(paint.bgr(a)[:3])
        brush.canvas[:] = (brush.canvas * (1 - 0.9 * soft) + tone * 0.9 * soft).astype(np.uint8)
    k = 0.78 * r if ground != "none" else r
    if glyph == SPIRAL:
        t = np.linspace(0.5, 4.2 * np.pi, 40)
        curl = np.column_stack([np.cos(t), np.sin(t)]) * (t / t[-1])[:, None]
        brush.line(curl * k + middle, 0.22 * r, b)
        return
    for part in GLYPHS[glyph]:
        brush.fill(part * k + middle, b, ink=ground == "none")
    if glyph == "eye":
        brush.disc(at, 0.3 * k, np.asarray(a * 0.4, np.float32), ink=False)
