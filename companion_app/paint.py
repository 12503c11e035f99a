"""A small canvas for crisp pictures: shapes drawn large with OpenCV and shrunk, RGBA out."""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

Rgb = tuple[int, int, int]
Point = tuple[float, float]
Box = tuple[int, int, int, int]
SUPER = 3
SHIFT = 4


def rgb(code: str) -> Rgb:
    """A colour from "#rrggbb"."""
    value = int(code.removeprefix("#"), 16)
    return value >> 16 & 255, value >> 8 & 255, value & 255


class Paint:
    """A picture of (width, height) pixels, y down; transparent until something is drawn."""

    def __init__(self, width: int, height: int, background: Rgb | None = None) -> None:
        self.size = (max(1, width), max(1, height))
        shape = (self.size[1] * SUPER, self.size[0] * SUPER)
        self._colour = np.zeros((*shape, 3), np.uint8)
        self._alpha = np.zeros(shape, np.uint8)
        self._solid = background is not None
        if background is not None:
            self._colour[:] = background
            self._alpha[:] = 255

    def polygon(self, points: Sequence[Point], colour: Rgb, alpha: float = 1.0) -> None:
        """Fills a polygon."""
        box = self._box(points, 0.0)
        mask = self._mask(box)
        if mask.size:
            cv2.fillPoly(mask, [_fixed(points, box)], 255, cv2.LINE_AA, SHIFT)
            self._blend(box, mask, colour, alpha)

    def line(
        self, points: Sequence[Point], colour: Rgb, width: float, *, closed: bool = False,
        alpha: float = 1.0,
    ) -> None:  # fmt: skip
        """Draws a line of ``width`` pixels through the points."""
        box = self._box(points, width)
        mask = self._mask(box)
        thick = max(1, round(width * SUPER))
        if mask.size:
            cv2.polylines(mask, [_fixed(points, box)], closed, 255, thick, cv2.LINE_AA, SHIFT)
            self._blend(box, mask, colour, alpha)

    def ellipse(
        self, centre: Point, rx: float, ry: float, colour: Rgb, *, width: float = 0.0,
        alpha: float = 1.0,
    ) -> None:  # fmt: skip
        """Fills an ellipse, or draws its rim when ``width`` is given."""
        x, y = centre
        box = self._box([(x - rx, y - ry), (x + rx, y + ry)], width)
        mask = self._mask(box)
        if mask.size:
            at = tuple(int(v) for v in _fixed([centre], box)[0, 0])
            axes = (round(rx * SUPER * (1 << SHIFT)), round(ry * SUPER * (1 << SHIFT)))
            thick = max(1, round(width * SUPER)) if width else -1
            cv2.ellipse(mask, at, axes, 0, 0, 360, 255, thick, cv2.LINE_AA, SHIFT)
            self._blend(box, mask, colour, alpha)

    def _box(self, points: Sequence[Point], width: float) -> Box:
        """What the points touch, in pixels of the large picture: left, top, right, bottom."""
        high, wide = self._alpha.shape
        pad = width / 2 + 1.0
        xs, ys = [p[0] for p in points], [p[1] for p in points]
        return (
            max(0, math.floor((min(xs) - pad) * SUPER)), max(0, math.floor((min(ys) - pad) * SUPER)),
            min(wide, math.ceil((max(xs) + pad) * SUPER)), min(high, math.ceil((max(ys) + pad) * SUPER)),
        )  # fmt: skip

    @staticmethod
    def _mask(box: Box) -> NDArray[np.uint8]:
        return np.zeros((max(0, box[3] - box[1]), max(0, box[2] - box[0])), np.uint8)

    def shade(self, noise: NDArray[np.float32]) -> None:
        """Adds (H, W) brightness steps, stretched over the picture."""
        wide = cv2.resize(noise, self._alpha.shape[::-1], interpolation=cv2.INTER_CUBIC)
        steps = cv2.merge([wide, wide, wide])
        self._colour = cv2.add(self._colour, steps, dtype=cv2.CV_8U)

    def _blend(self, box: Box, mask: NDArray[np.uint8], colour: Rgb, alpha: float) -> None:
        part = np.s_[box[1] : box[3], box[0] : box[2]]
        cover = mask * np.float32(alpha / 255)
        if self._solid:
            old = self._colour[part]
            step = (np.float32(colour) - old) * cover[..., None]
            self._colour[part] = np.rint(old + step).astype(np.uint8)
            return
        below = self._alpha[part].astype(np.float32) / 255
        total = cover + below * (1 - cover)
        share = np.divide(cover, total, out=np.zeros_like(cover), where=total > 0)[..., None]
        old = self._colour[part].astype(np.float32)
        self._colour[part] = np.round(old + (np.float32(colour) - old) * share).astype(np.uint8)
        self._alpha[part] = np.round(total * 255).astype(np.uint8)

    def pixels(self) -> NDArray[np.uint8]:
        """(height, width, 4) RGBA, straight alpha, rows from the top."""
        if self._solid:
            small = cv2.resize(self._colour, self.size, interpolation=cv2.INTER_AREA)
            return np.dstack([small, np.full(small.shape[:2], 255, np.uint8)])
        alpha = self._alpha.astype(np.float32) / 255
        mixed = cv2.resize(
            self._colour.astype(np.float32) * alpha[..., None],
            self.size,
            interpolation=cv2.INTER_AREA,
        )
        small = cv2.resize(alpha, self.size, interpolation=cv2.INTER_AREA)
        clear = np.divide(
            mixed, small[..., None], out=np.zeros_like(mixed), where=small[..., None] > 0
        )
        return np.dstack([clear, small * 255]).round().astype(np.uint8)


def _fixed(points: Sequence[Point], box: Box) -> NDArray[np.int32]:
    """Points in the fixed-point pixels of a box that OpenCV draws in."""
    scaled = np.asarray(points, float) * SUPER - (box[0], box[1])
    return np.round(scaled * (1 << SHIFT)).astype(np.int32).reshape(-1, 1, 2)
