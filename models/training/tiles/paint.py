"""Small things on a tile: houses, churches, shields, signs of magic, trees, ponds.

All take a canvas (side, side, 3) uint8 and places in tiles.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

Rng = np.random.Generator
Picture = NDArray[np.uint8]
Colour = NDArray[np.float32]
F64 = NDArray[np.float64]
SHIFT = 4


class Brush:
    """Draws in tiles on a square canvas, with outlines of ``ink`` tiles in dark."""

    def __init__(self, canvas: Picture, ink: float = 0.0) -> None:
        self.canvas = canvas
        self.side = canvas.shape[0]
        self.ink = ink

    def fixed(self, points: Sequence[Sequence[float]] | F64) -> NDArray[np.int32]:
        """Points in tiles as OpenCV's fixed-point pixels."""
        px = np.asarray(points, np.float64) * self.side - 0.5
        return np.asarray(np.round(px * (1 << SHIFT)), np.int32)

    def fill(
        self, points: Sequence[Sequence[float]] | F64, colour: Colour, ink: bool = True
    ) -> None:
        """A filled polygon, inked if the artist inks."""
        fixed = self.fixed(points)
        cv2.fillPoly(self.canvas, [fixed], bgr(colour), cv2.LINE_AA, SHIFT)
        if ink and self.ink > 0:
            thick = max(1, round(self.ink * self.side))
            cv2.polylines(self.canvas, [fixed], True, bgr(colour * 0.25), thick, cv2.LINE_AA, SHIFT)

    def line(self, points: F64, width: float, colour: Colour, closed: bool = False) -> None:
        """A line of a width in tiles."""
        thick = max(1, round(width * self.side))
        cv2.polylines(
            self.canvas, [self.fixed(points)], closed, bgr(colour), thick, cv2.LINE_AA, SHIFT
        )

    def disc(self, at: Sequence[float], radius: float, colour: Colour, ink: bool = True) -> None:
        """A filled circle."""
        x, y = (int(v) for v in self.fixed([at])[0])
        r = int(radius * self.side * (1 << SHIFT))
        cv2.circle(self.canvas, (x, y), r, bgr(colour), -1, cv2.LINE_AA, SHIFT)
        if ink and self.ink > 0:
            cv2.circle(self.canvas, (x, y), r, bgr(colour * 0.25), max(1, round(self.ink * self.side)), cv2.LINE_AA, SHIFT)  # fmt: skip


def bgr(colour: Colour) -> tuple[float, ...]:
    """A colour 0 to 1 as OpenCV wants it."""
    return tuple(float(v) for v in np.clip(colour, 0, 1) * 255)


def box(at: Sequence[float], w: float, h: float) -> F64:
    """A rectangle about a point."""
    x, y = at
    return np.array(
        [
            (x - w / 2, y - h / 2),
            (x + w / 2, y - h / 2),
            (x + w / 2, y + h / 2),
            (x - w / 2, y + h / 2),
        ]
    )


def house(
    brush: Brush, rng: Rng, kind: str, at: Sequence[float], size: float, wall: Colour, roof: Colour
) -> None:
    """One house, seen from the front, from above, or from a corner."""
    if kind == "mixed":
        kind = str(rng.choice(("front", "iso", "roof", "block")))
    x, y = at
    s = size
    if kind == "front":
        brush.fill(box((x, y + 0.2 * s), s, 0.6 * s), wall)
        brush.fill([(x - 0.6 * s, y - 0.1 * s), (x, y - 0.6 * s), (x + 0.6 * s, y - 0.1 * s)], roof)
    elif kind == "iso":
        flip = 1 if rng.random() < 0.5 else -1
        a, b = 0.45 * s * flip, 0.75 * s * flip
        brush.fill([(x - a, y), (x, y + 0.12 * s), (x, y + 0.55 * s), (x - a, y + 0.4 * s)], wall)
        brush.fill(
            [(x, y + 0.12 * s), (x + b, y), (x + b, y + 0.4 * s), (x, y + 0.55 * s)], wall * 0.7
        )
        brush.fill(
            [(x - a / 2, y - 0.45 * s), (x + b * 0.7, y - 0.55 * s), (x + b, y), (x, y + 0.12 * s)],
            roof,
        )
        brush.fill([(x - a, y), (x - a / 2, y - 0.45 * s), (x, y + 0.12 * s)], wall * 0.9)
    elif kind == "roof":
        t = rng.uniform(0, np.pi)
        c, n = np.array([np.cos(t), np.sin(t)]), np.array([-np.sin(t), np.cos(t)])
        p = np.array([x, y])
        e, f = c * 0.6 * s, n * 0.4 * s
        brush.fill(np.array([p - e - f, p + e - f, p + e, p - e]), roof)
        brush.fill(np.array([p - e, p + e, p + e + f, p - e + f]), roof * 0.7)
    else:
        brush.fill(box(at, s, s * rng.uniform(0.6, 1)), roof if rng.random() < 0.6 else wall)


def church(
    brush: Brush, rng: Rng, kind: str, at: Sequence[float], size: float, wall: Colour, roof: Colour
) -> None:
    """A monastery or cathedral of ``size`` tiles."""
    x, y = at
    s = size
    if kind in ("iso", "big"):
        a = 0.5 * s
        brush.fill(
            [
                (x - 0.1 * s, y - 0.1 * s),
                (x + a, y - 0.18 * s),
                (x + a, y + 0.25 * s),
                (x - 0.1 * s, y + 0.4 * s),
            ],
            wall * 0.8,
        )
        brush.fill(
            [
                (x - 0.1 * s, y - 0.1 * s),
                (x + 0.05 * s, y - 0.3 * s),
                (x + 0.42 * s, y - 0.36 * s),
                (x + a, y - 0.18 * s),
            ],
            roof,
        )
        brush.fill(box((x - 0.24 * s, y + 0.08 * s), 0.3 * s, 0.68 * s), wall)
        brush.fill(
            [
                (x - 0.42 * s, y - 0.25 * s),
                (x - 0.24 * s, y - 0.62 * s),
                (x - 0.06 * s, y - 0.25 * s),
            ],
            roof * 0.9,
        )
        if kind == "big":
            brush.fill(box((x + 0.3 * s, y), 0.24 * s, 0.6 * s), wall * 0.95)
            brush.fill(
                [
                    (x + 0.16 * s, y - 0.28 * s),
                    (x + 0.3 * s, y - 0.6 * s),
                    (x + 0.44 * s, y - 0.28 * s),
                ],
                roof,
            )
        for dx in (0.08, 0.22, 0.36):
            brush.fill(box((x + dx * s, y + 0.1 * s), 0.05 * s, 0.16 * s), wall * 0.3, ink=False)
    elif kind == "front":
        brush.fill(box((x, y + 0.15 * s), 0.9 * s, 0.6 * s), wall)
        brush.fill(
            [
                (x - 0.5 * s, y - 0.12 * s),
                (x - 0.3 * s, y - 0.36 * s),
                (x + 0.3 * s, y - 0.36 * s),
                (x + 0.5 * s, y - 0.12 * s),
            ],
            roof,
        )
        brush.fill(box((x, y), 0.3 * s, 0.9 * s), wall)
        brush.fill(
            [(x - 0.2 * s, y - 0.4 * s), (x, y - 0.72 * s), (x + 0.2 * s, y - 0.4 * s)], roof
        )
        brush.fill(box((x, y + 0.33 * s), 0.14 * s, 0.24 * s), wall * 0.25, ink=False)
    elif kind == "cross":
        for w, h in ((0.9, 0.36), (0.36, 0.9)):
            brush.fill(box(at, w * s, h * s), roof)
            brush.line(
                np.array([(x - w * s / 2, y), (x + w * s / 2, y)])
                if w > h
                else np.array([(x, y - h * s / 2), (x, y + h * s / 2)]),
                0.02,
                roof * 0.6,
            )
        brush.disc(at, 0.16 * s, wall)
    else:
        brush.disc(at, 0.45 * s, wall)
        brush.disc(at, 0.3 * s, roof)
        brush.disc(at, 0.1 * s, wall)
    if rng.random() < 0.4:
        brush.line(np.array([(x, y - 0.75 * s), (x, y - 0.5 * s)]), 0.015, wall * 0.2)
        brush.line(
            np.array([(x - 0.06 * s, y - 0.66 * s), (x + 0.06 * s, y - 0.66 * s)]),
            0.015,
            wall * 0.2,
        )


def pennant(
    brush: Brush, kind: str, at: Sequence[float], size: float, colours: tuple[Colour, Colour]
) -> None:
    """A shield or flag of two colours."""
    a, b = colours
    x, y = at
    s = size / 2
    if kind in ("flag", "banner"):
        pole = np.array([(x - 0.7 * s, y - s), (x - 0.7 * s, y + 1.1 * s)])
        brush.line(pole, 0.018, np.full(3, 0.15, np.float32))
        tip = 0.5 * s if kind == "flag" else 0.9 * s
        brush.fill(
            [
                (x - 0.7 * s, y - s),
                (x + 0.9 * s, y - s),
                (x + tip, y - 0.35 * s),
                (x + 0.9 * s, y + 0.3 * s),
                (x - 0.7 * s, y + 0.3 * s),
            ],
            a,
        )
        brush.fill(box((x - 0.1 * s, y - 0.35 * s), 0.5 * s, 0.5 * s), b, ink=False)
        return
    if kind == "badge":
        brush.disc(at, s, a)
        brush.fill(box(at, 0.5 * s, 1.3 * s), b, ink=False)
        brush.fill(box(at, 1.3 * s, 0.5 * s), b, ink=False)
        return
    low = 0.35 if kind == "shield" else 0.6
    whole = np.array(
        [
            (-0.8, -1),
            (0.8, -1),
            (0.8, low - 0.1),
            (0.45, low + 0.35),
            (0, 1.1),
            (-0.45, low + 0.35),
            (-0.8, low - 0.1),
        ]
    )
    brush.fill(whole * 1.18 * s + (x, y), np.full(3, 0.08, np.float32))
    brush.fill(whole * s + (x, y), b, ink=False)
    brush.fill(np.array([(-0.8, -1), (0, -1), (0, 0), (-0.8, 0)]) * s + (x, y), a, ink=False)
    brush.fill(
        np.array([(0, 0), (0.8, 0), (0.8, low - 0.1), (0.45, low + 0.35), (0, 1.1)]) * s + (x, y),
        a,
        ink=False,
    )


def magic(
    brush: Brush,
    rng: Rng,
    kind: str,
    at: Sequence[float],
    size: float,
    colours: tuple[Colour, Colour],
) -> None:
    """A sign of magic, mostly on a disc."""
    a, b = colours
    r = size / 2
    if kind != "hat":
        brush.disc(at, r, a)
    if kind in ("star", "hexagram"):
        n = 5 if kind == "star" else 6
        t = np.arange(2 * n) * np.pi / n - np.pi / 2
        radius = np.where(np.arange(2 * n) % 2, 0.38 if n == 5 else 0.5, 0.88) * r
        brush.fill(np.column_stack([radius * np.cos(t), radius * np.sin(t)]) + at, b)
    elif kind == "spiral":
        t = np.linspace(0.5, 4.2 * np.pi, 40)
        k = t[:, None] / t[-1] * 0.85 * r
        brush.line(np.column_stack([np.cos(t), np.sin(t)]) * k + at, 0.2 * r, b)
    elif kind == "hat":
        x, y = at
        brush.fill(
            [
                (x - r, y + 0.7 * r),
                (x + r, y + 0.7 * r),
                (x + 0.6 * r, y + 0.4 * r),
                (x - 0.6 * r, y + 0.4 * r),
            ],
            a,
        )
        brush.fill(
            [(x - 0.55 * r, y + 0.5 * r), (x + 0.15 * r, y - r), (x + 0.55 * r, y + 0.5 * r)], a
        )
        brush.fill(box((x, y + 0.3 * r), 1.0 * r, 0.25 * r), b, ink=False)
    elif kind == "eye":
        t = np.linspace(0, 2 * np.pi, 24)
        brush.fill(np.column_stack([0.85 * r * np.cos(t), 0.45 * r * np.sin(t)]) + at, b)
        brush.disc(at, 0.3 * r, a * 0.4)
    else:
        brush.disc(at, 0.65 * r, b)
        brush.disc((at[0] - 0.2 * r, at[1] - 0.2 * r), 0.2 * r, np.ones(3, np.float32), ink=False)


def tree(brush: Brush, rng: Rng, at: Sequence[float], size: float, leaf: Colour) -> None:
    """A tree or bush from above or from the side."""
    for _ in range(int(rng.integers(1, 5))):
        p = np.asarray(at) + rng.normal(0, size * 0.5, 2)
        brush.disc(p, size * rng.uniform(0.35, 0.7), leaf * rng.uniform(0.45, 1.1))


def pond(brush: Brush, rng: Rng, at: Sequence[float], size: float, water: Colour) -> None:
    """Open water."""
    t = np.linspace(0, 2 * np.pi, 18)
    r = size * (
        1 + 0.15 * np.sin(2 * t + rng.uniform(0, 6)) + 0.1 * np.sin(3 * t + rng.uniform(0, 6))
    )
    brush.fill(np.column_stack([r * np.cos(t), 0.7 * r * np.sin(t)]) + np.asarray(at), water)
