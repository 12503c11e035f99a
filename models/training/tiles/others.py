"""What artists of other editions draw: paved towns, ploughed fields, churches and inns of other kinds.

For training only, and only where `bank.paint_set` is asked for ``editions``.
"""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.synthesis.colours import hsv
from models.training.tiles import paint
from models.training.tiles.paint import Brush, Colour, box

Rng = np.random.Generator
F64 = NDArray[np.float64]
Picture = NDArray[np.uint8]
PAVINGS = ("bricks", "slabs", "cobbles", "hatch", "dots")
PLOUGHINGS = ("stripes", "tufts", "patches", "hatch", "dots")
CHURCHES = ("twin", "plan", "dome", "keep", "chapel", "abbey", "emblem", "pagoda")
INNS = ("pond", "round", "moated", "lake", "bridge", "board")


def pattern(brush: Brush, kind: str, rng: Rng, colour: Colour) -> None:
    """Covers the whole canvas with a pattern a little darker or lighter than ``colour``."""
    tone = colour * rng.uniform(0.55, 0.9) if rng.random() < 0.7 else colour * 1.25
    step, thin = float(rng.uniform(0.035, 0.1)), float(rng.uniform(0.004, 0.01))
    if kind in ("bricks", "slabs"):
        _courses(brush, step, thin, tone, kind == "bricks")
    elif kind in ("cobbles", "dots"):
        at = np.mgrid[0:1:step, 0:1:step].reshape(2, -1).T + step / 2
        for p in at + rng.normal(0, 0.15 * step, at.shape):
            brush.disc(p, step * (0.42 if kind == "cobbles" else 0.15), tone, ink=False)
    elif kind in ("stripes", "hatch"):
        _rows(brush, rng, step, thin if kind == "hatch" else step / 2, tone)
    elif kind == "tufts":
        for p in rng.random((int(rng.integers(10, 50)), 2)):
            brush.line(np.array([(-0.5, -0.6), (0, 0), (0.5, -0.6)]) * 0.03 + p, thin, tone)
    else:
        for p in rng.random((int(rng.integers(3, 9)), 2)):
            w, h = rng.uniform(0.15, 0.5, 2)
            brush.fill(box(p, w, h), colour * rng.uniform(0.75, 1.2), ink=False)


def _courses(brush: Brush, step: float, thin: float, tone: Colour, shifted: bool) -> None:
    for n, y in enumerate(np.arange(0, 1, step)):
        brush.line(np.array([(0, y), (1, y)]), thin, tone)
        first = step * (n % 2) if shifted else 0.0
        for x in np.arange(first, 1, 2 * step if shifted else step):
            brush.line(np.array([(x, y), (x, y + step)]), thin, tone)


def _rows(brush: Brush, rng: Rng, step: float, width: float, tone: Colour) -> None:
    a = rng.uniform(0, np.pi)
    along, across = np.array([np.cos(a), np.sin(a)]), np.array([-np.sin(a), np.cos(a)])
    for d in np.arange(-0.75, 0.75, step * 1.5):
        middle = 0.5 + d * across
        brush.line(np.stack([middle - along, middle + along]), width, tone)


def toned(rng: Rng, pictures: Picture) -> Picture:
    """A set in other inks: faded, brownish, dark, pale or stronger."""
    out = pictures.astype(np.float32) / 255
    grey = out.mean(-1, keepdims=True)
    out = grey + (out - grey) * float(rng.uniform(0.3, 1.3))
    paper = hsv(rng.uniform(15, 60), rng.uniform(0, 0.35), rng.uniform(0.15, 1.0))
    out = out + (paper - out) * float(rng.uniform(0, 0.35))
    out = np.clip(out, 0, 1) ** float(np.exp(rng.normal(0, 0.3)))
    return np.asarray(out * 255, np.uint8)


def church(
    brush: Brush, rng: Rng, kind: str, at: Sequence[float] | F64, size: float, wall: Colour, roof: Colour
) -> None:  # fmt: skip
    """A monastery or cathedral of ``size`` tiles of one of `CHURCHES`."""
    x, y = (float(v) for v in at)
    s = size
    if kind in ("twin", "pagoda", "chapel"):
        _front(brush, kind, x, y, s, wall, roof)
    elif kind == "plan":
        brush.fill(box(at, 0.36 * s, s), roof)
        brush.fill(box((x, y - 0.12 * s), 0.85 * s, 0.3 * s), roof)
        brush.disc((x, y - 0.5 * s), 0.18 * s, roof)
        brush.line(np.array([(x, y - 0.5 * s), (x, y + 0.5 * s)]), 0.015, roof * 0.55)
        for dx in (-0.2, 0.2):
            brush.fill(box((x + dx * s, y + 0.45 * s), 0.2 * s, 0.2 * s), wall)
    elif kind == "dome":
        brush.fill(box((x, y + 0.2 * s), 0.9 * s, 0.5 * s), wall)
        brush.disc((x, y - 0.05 * s), 0.3 * s, roof)
        brush.line(np.array([(x, y - 0.6 * s), (x, y - 0.3 * s)]), 0.02, roof * 0.5)
        for dx in (-0.3, 0.0, 0.3):
            brush.disc((x + dx * s, y + 0.25 * s), 0.07 * s, wall * 0.3, ink=False)
    elif kind in ("keep", "abbey"):
        brush.fill(box(at, s, (1.0 if kind == "keep" else 0.7) * s), wall)
        brush.fill(box(at, 0.6 * s, 0.4 * s), wall * rng.uniform(0.35, 0.7))
        for dx in (-0.45, 0.45):
            for dy in (-0.35, 0.35) if kind == "keep" else (0.0,):
                brush.disc((x + dx * s, y + dy * s), 0.16 * s, roof)
        brush.fill(box((x, y - 0.3 * s), 0.9 * s, 0.25 * s), roof)
    else:
        brush.disc(at, 0.48 * s, wall)
        cross = roof if np.abs(roof - wall).max() > 0.3 else wall * 0.25
        brush.fill(box(at, 0.16 * s, 0.72 * s), cross, ink=False)
        brush.fill(box((x, y - 0.1 * s), 0.5 * s, 0.16 * s), cross, ink=False)


def _front(
    brush: Brush, kind: str, x: float, y: float, s: float, wall: Colour, roof: Colour
) -> None:
    if kind == "pagoda":
        for n, w in enumerate((1.0, 0.75, 0.5)):
            low = y + (0.4 - 0.3 * n) * s
            brush.fill(box((x, low - 0.08 * s), 0.7 * w * s, 0.2 * s), wall)
            brush.fill([(x - w * s / 2, low - 0.12 * s), (x, low - 0.36 * s), (x + w * s / 2, low - 0.12 * s)], roof)  # fmt: skip
        return
    brush.fill(box((x, y + 0.15 * s), 0.7 * s, 0.6 * s), wall)
    gable = [(x - 0.45 * s, y - 0.12 * s), (x, y - 0.5 * s), (x + 0.45 * s, y - 0.12 * s)]
    brush.fill(gable, roof)
    if kind == "chapel":
        brush.line(np.array([(x, y - 0.75 * s), (x, y - 0.45 * s)]), 0.025, wall * 0.2)
        brush.line(np.array([(x - 0.1, y - 0.65 * s), (x + 0.1, y - 0.65 * s)]), 0.025, wall * 0.2)
        brush.fill(box((x, y + 0.3 * s), 0.16 * s, 0.3 * s), wall * 0.25, ink=False)
        return
    for dx in (-0.34, 0.34):
        tower = x + dx * s
        brush.fill(box((tower, y + 0.05 * s), 0.26 * s, 0.8 * s), wall * 0.95)
        tip = [
            (tower - 0.17 * s, y - 0.33 * s),
            (tower, y - 0.8 * s),
            (tower + 0.17 * s, y - 0.33 * s),
        ]
        brush.fill(tip, roof)  # fmt: skip
    brush.disc((x, y + 0.02 * s), 0.1 * s, wall * 0.3, ink=False)
    brush.fill(box((x, y + 0.34 * s), 0.14 * s, 0.22 * s), wall * 0.25, ink=False)


def inn(
    brush: Brush, rng: Rng, kind: str, foot: F64, normal: F64, size: float, water: Colour,
    house: tuple[str, Colour, Colour],
) -> tuple[F64, float]:  # fmt: skip
    """An inn at the water beside a road of one of `INNS` but the first.

    ``foot``: on the rim of the road; ``normal``: away from it; ``size``: 1 as a rule; ``house``: its
    manner, wall and roof.  Where its middle lies and how large it is, in tiles.
    """
    r = size * float(rng.uniform(0.09, 0.17))
    lake = np.clip(foot + normal * r * rng.uniform(0.0, 1.2), 0.12, 0.88)
    if kind == "bridge":
        lake = np.clip(foot + normal * rng.uniform(-0.06, 0.04), 0.15, 0.85)
    kept = brush.canvas.copy() if kind == "bridge" else None
    _water(brush, rng, lake, r, water, kind == "round")
    if kept is not None:  # the road goes on over the water
        along = np.array([-normal[1], normal[0]])
        middle = foot - normal * 0.05
        mask = np.zeros(kept.shape[:2], np.uint8)
        ends = brush.fixed(np.stack([middle - along, middle + along]))
        cv2.polylines(mask, [ends], False, 255, max(1, round(0.09 * brush.side)), cv2.LINE_8, paint.SHIFT)  # fmt: skip
        cv2.copyTo(kept, mask, brush.canvas)
    high = size * float(rng.uniform(0.08, 0.17))
    if kind == "board":
        post = np.array([(0, 0.7), (0, -0.9)]) * high + lake
        brush.line(post, 0.016, np.full(3, 0.12, np.float32))
        brush.fill(
            box(post[1] + np.array([0.4 * high, 0.3 * high]), 0.8 * high, 0.5 * high), house[2]
        )
    elif kind != "lake":
        off = normal * (0.0 if kind == "moated" else r * rng.uniform(-0.8, 0.8))
        at = np.clip(lake + off, 0.08, 0.92)
        paint.house(brush, rng, house[0], at, high * (0.8 if kind == "moated" else 1.0), house[1], house[2])  # fmt: skip
    return lake, 2 * r


def _water(brush: Brush, rng: Rng, at: F64, r: float, water: Colour, shore: bool) -> None:
    t, a = np.linspace(0, 2 * np.pi, 24), rng.uniform(0, np.pi)
    flat = rng.uniform(0.5, 1.0)
    shape = np.column_stack([np.cos(t), flat * np.sin(t)]) * r
    turned = shape @ np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]])
    if shore:
        tone = hsv(rng.uniform(30, 55), rng.uniform(0, 0.5), rng.uniform(0.5, 1))
        brush.fill(turned * 1.2 + at, tone, ink=False)
    brush.fill(turned + at, water)
    if rng.random() < 0.4:
        light = np.clip(water * 1.3 + 0.1, 0, 1)
        for d in (-0.3, 0.15):
            wave = np.array([(-0.4, d), (-0.15, d - 0.1), (0.1, d), (0.4, d - 0.1)]) * r + at
            brush.line(wave, 0.008, light)
