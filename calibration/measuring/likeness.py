"""Cells that look alike on the flattened photograph: shown one, the others are proposed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.geometry import Point
from vision.types import Image

GRID = 6  # samples to a side of a cell
INNER = 0.8  # of the cell: its border may belong to the next one
MIN_GAP = 1.6  # the first one that is not alike is so much further away
CLEAR = 0.55  # alike: so near, of the median distance of all cells
MOST = 0.35  # of all cells can be alike


class Likeness:
    """``picture``: BGR of the face, its edges the edges of the picture."""

    def __init__(self, picture: Image, size_mm: tuple[float, float]) -> None:
        height, width = picture.shape[:2]
        self._scale = (width / size_mm[0], height / size_mm[1])
        blurred = cv2.GaussianBlur(picture, (0, 0), max(1.0, 1.2 * self._scale[0]))
        self._lab = cv2.cvtColor(blurred, cv2.COLOR_BGR2LAB).astype(np.float32)
        self._look = lru_cache(maxsize=4096)(self._look_now)

    def alike(
        self, cells: Mapping[str, tuple[Point, ...]], shown: Iterable[str]
    ) -> tuple[str, ...]:
        """Cells that look like the shown ones, nearest first; empty where none stands out."""
        known = [s for s in shown if s in cells]
        others = [s for s in cells if s not in set(known)]
        if not known or len(others) < 3:
            return ()
        looks = np.array([self._look(cells[s]) for s in others])
        examples = np.array([self._look(cells[s]) for s in known])
        apart = np.stack([self._distance(looks, e) for e in examples]).min(axis=0)
        order = np.argsort(apart)
        near = apart[order]
        limit = CLEAR * float(np.median(apart))
        most = min(len(near) - 1, int(MOST * len(cells)))
        # the widest step between neighbours in the order parts those that are alike from the rest
        ratios = near[1 : most + 1] / np.maximum(near[:most], 3.0)
        ratios[near[:most] > limit] = 0.0
        if not len(ratios) or ratios.max() < MIN_GAP:
            return ()
        return tuple(others[i] for i in order[: int(np.argmax(ratios)) + 1])

    @staticmethod
    def _distance(looks: NDArray[np.float32], one: NDArray[np.float32]) -> NDArray[np.float32]:
        """Root mean square of the differences, the symbol in the cell seen at its best turn."""
        best = np.full(len(looks), np.inf, np.float32)
        square = one.reshape(GRID, GRID, 3)
        for turn in range(4):
            turned = np.rot90(square, turn).reshape(-1)
            best = np.minimum(best, np.sqrt(np.mean((looks - turned) ** 2, axis=1)))
        return best

    def _look_now(self, polygon: tuple[Point, ...]) -> NDArray[np.float32]:
        """Lab colours on a grid inside the cell."""
        points = np.array(polygon, np.float64)
        low, high = points.min(axis=0), points.max(axis=0)
        middle, half = (low + high) / 2, INNER * (high - low) / 2
        t = (np.arange(GRID) + 0.5) / GRID * 2 - 1
        x, y = np.meshgrid(middle[0] + half[0] * t, middle[1] + half[1] * t)
        maps = (x * self._scale[0] - 0.5).astype(np.float32), (y * self._scale[1] - 0.5).astype(np.float32)  # fmt: skip
        return np.asarray(cv2.remap(self._lab, *maps, cv2.INTER_LINEAR).reshape(-1), np.float32)
