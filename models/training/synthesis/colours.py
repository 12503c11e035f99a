"""Random colours: reflectances as BGR, 0 to 1."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]
Rng = np.random.Generator

# Typical hues of wooden and plastic sets in degrees: red, orange, yellow, green, teal, blue, violet.
_HUES = (0, 8, 22, 35, 50, 95, 135, 165, 205, 225, 268, 285, 320)


def hsv(h: float, s: float, v: float) -> Array:
    """BGR of hue in degrees, saturation and value 0 to 1."""
    pixel = np.array([[[h % 360, s, v]]], np.float32)
    return np.asarray(cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0], np.float32)


def any_colour(rng: Rng) -> Array:
    """Any colour, dull ones as often as bright ones."""
    return hsv(rng.uniform(0, 360), rng.uniform(0, 1) ** 1.3, rng.uniform(0.05, 1) ** 0.8)


def piece_colour(rng: Rng) -> Array:
    """A colour that makers of pieces use: saturated paints, black, white, greys, natural wood."""
    t = rng.random()
    if t < 0.62:
        hue = float(rng.choice(_HUES)) + rng.normal(0, 8)
        return hsv(hue, rng.uniform(0.6, 1.0), rng.uniform(0.35, 0.95))
    if t < 0.74:
        return np.full(3, rng.uniform(0.015, 0.1), np.float32) * rng.uniform(0.85, 1.15, 3).astype(
            np.float32
        )
    if t < 0.83:
        return np.full(3, rng.uniform(0.7, 0.95), np.float32) * rng.uniform(0.92, 1.0, 3).astype(
            np.float32
        )
    if t < 0.9:
        return hsv(rng.uniform(20, 42), rng.uniform(0.2, 0.55), rng.uniform(0.55, 0.9))
    if t < 0.94:
        return np.full(3, rng.uniform(0.1, 0.7), np.float32)
    return any_colour(rng)


def stone_colour(rng: Rng) -> Array:
    """Greys, beiges and browns of ruins and castles; seldom any other colour."""
    if rng.random() < 0.12:
        return any_colour(rng)
    return hsv(rng.uniform(15, 60), rng.uniform(0, 0.35), rng.uniform(0.2, 0.85))


def vary(rng: Rng, colours: Array, amount: float) -> Array:
    """Each colour a little lighter or darker."""
    factor = rng.uniform(1 - amount, 1 + amount, (len(colours), 1))
    return np.clip(colours * factor, 0, 1).astype(np.float32)
