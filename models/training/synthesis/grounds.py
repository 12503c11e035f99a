"""Grounds of prints and tables: noise through palettes, wood, illustration-like shapes."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.synthesis.colours import any_colour, hsv

Rng = np.random.Generator
Picture = NDArray[np.uint8]
F32 = NDArray[np.float32]


def noise(rng: Rng, shape: tuple[int, int], octaves: int, coarsest: float) -> F32:
    """Multi-octave noise (H, W), about 0 to 1; ``coarsest`` in pixels."""
    h, w = shape
    out = np.zeros(shape, np.float32)
    weight, total, size = 1.0, 0.0, coarsest
    fall = float(rng.uniform(0.4, 0.85))
    for _ in range(octaves):
        n = (max(2, int(h / size) + 2), max(2, int(w / size) + 2))
        grid = rng.random(n, dtype=np.float32)
        out += weight * cv2.resize(grid, (w, h), interpolation=cv2.INTER_CUBIC)
        total += weight
        weight *= fall
        size = max(size / 2, 1.5)
    out /= total
    low, high = np.percentile(out[::8, ::8], (1, 99))
    return np.clip((out - low) / (high - low + 1e-6), 0, 1)


def palette(rng: Rng, count: int) -> F32:
    """(256, 3) BGR ramp through ``count`` related or unrelated colours."""
    if rng.random() < 0.6:
        hue, spread = rng.uniform(0, 360), rng.uniform(5, 70)
        s, v0 = rng.uniform(0, 0.8), rng.uniform(0.1, 0.9)
        stops = [
            hsv(
                hue + rng.normal(0, spread),
                np.clip(s + rng.normal(0, 0.1), 0, 1),
                np.clip(v0 + rng.normal(0, 0.15), 0.03, 1),
            )
            for _ in range(count)
        ]
    else:
        stops = [any_colour(rng) for _ in range(count)]
    ramp = np.array(stops, np.float32)[None]
    return np.clip(cv2.resize(ramp, (256, 1), interpolation=cv2.INTER_LINEAR)[0], 0, 1)


def coloured_noise(rng: Rng, shape: tuple[int, int]) -> Picture:
    """Noise through a palette, like stone, grass, parchment, felt."""
    field = noise(rng, shape, int(rng.integers(3, 7)), float(rng.uniform(15, 260)))
    lut = (palette(rng, int(rng.integers(2, 5))) * 255).astype(np.uint8)
    return np.asarray(lut[(field * 255).astype(np.uint8)])


def wood(rng: Rng, shape: tuple[int, int]) -> Picture:
    """Stretched noise in browns, with planks."""
    h, w = shape
    thin = noise(rng, (h, max(8, w // int(rng.integers(8, 24)))), 5, float(rng.uniform(6, 60)))
    field = cv2.resize(thin, (w, h), interpolation=cv2.INTER_LINEAR)
    hue = rng.uniform(12, 42)
    stops = np.array(
        [
            hsv(hue + rng.normal(0, 4), rng.uniform(0.25, 0.7), v)
            for v in np.sort(rng.uniform(0.2, 0.95, 3))
        ],
        np.float32,
    )
    lut = np.clip(cv2.resize(stops[None], (256, 1))[0] * 255, 0, 255).astype(np.uint8)
    out = lut[(field * 255).astype(np.uint8)]
    step = int(rng.integers(h // 8, h))
    for y in range(int(rng.integers(step)), h, step):
        cv2.line(out, (0, y), (w, y), tuple(map(int, out[y, 0] * 0.5)), int(rng.integers(1, 3)))
    if rng.random() < 0.5:
        out = np.ascontiguousarray(np.rot90(out))
        out = cv2.resize(out, (w, h))
    return np.asarray(out, np.uint8)


def photo_like(rng: Rng, shape: tuple[int, int]) -> Picture:
    """Shapes at all scales with shading, like a printed illustration."""
    out = coloured_noise(rng, shape)
    h, w = shape
    for _ in range(int(rng.integers(10, 60))):
        centre = tuple(int(v) for v in rng.uniform(0, 1, 2) * (w, h))
        size = float(rng.exponential(0.07) + 0.008) * w
        colour = tuple(int(v * 255) for v in any_colour(rng))
        t = np.sort(rng.uniform(0, 2 * np.pi, int(rng.integers(3, 12))))
        r = size * rng.uniform(0.5, 1.2, len(t))
        pts = np.stack([centre[0] + r * np.cos(t), centre[1] + r * np.sin(t)], 1)
        cv2.fillPoly(out, [pts.astype(np.int32)], colour, cv2.LINE_AA)
    if rng.random() < 0.7:
        out = cv2.GaussianBlur(out, (0, 0), float(rng.uniform(0.6, 3)))
    shade = noise(rng, shape, 4, 60)[..., None] * 0.6 + 0.6
    return np.clip(out * shade, 0, 255).astype(np.uint8)


def base_layer(rng: Rng, shape: tuple[int, int]) -> Picture:
    """The ground of the print."""
    kind = rng.choice(
        ["noise", "plain", "wood", "photo", "flatnoise"], p=[0.45, 0.17, 0.1, 0.16, 0.12]
    )
    if kind == "noise":
        return coloured_noise(rng, shape)
    if kind == "wood":
        return wood(rng, shape)
    if kind == "photo":
        return photo_like(rng, shape)
    colour = (
        any_colour(rng)
        if rng.random() < 0.6
        else hsv(rng.uniform(25, 60), rng.uniform(0, 0.3), rng.uniform(0.7, 1))
    )
    out = np.empty((*shape, 3), np.uint8)
    out[:] = (colour * 255).astype(np.uint8)
    if kind == "flatnoise":
        field = noise(rng, shape, 4, float(rng.uniform(4, 80)))[..., None]
        out = np.clip(out * (0.8 + 0.4 * field * rng.uniform(0.3, 1)), 0, 255).astype(np.uint8)
    return out
