"""Focal length and main distortion from the board itself, better with every new view of it.

One view nearly from the front says nothing about the focal length; two or three views from
different sides, as a bumped or moved camera gives them, do.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.lens import Lens
from vision.registration.pose import guess_focal
from vision.types import BoardPose

Matrix = NDArray[np.float64]

NEW_VIEW = 0.03  # of the picture's longer side: so far a corner must have moved
MAX_VIEWS = 12
MIN_VIEWS = 2


class SelfCalibration:
    """Feed it every pose that was found; forget it when the camera's field of view changes."""

    def __init__(self, size_mm: tuple[float, float]) -> None:
        self._size_mm = size_mm
        self._size: tuple[int, int] | None = None
        self._views: list[Matrix] = []  # straight corners, px
        self._k1: list[float] = []
        self._focal: list[float] = []

    def add(self, pose: BoardPose, size: tuple[int, int]) -> None:
        """``size``: (width, height) of the picture; another size starts anew."""
        if size != self._size:
            self.forget()
            self._size = size
        lens = pose.lens
        corners = pose.corners_px if lens is None else lens.straighten(pose.corners_px)
        far = NEW_VIEW * max(size)
        if any(np.linalg.norm(corners - v, axis=1).max() < far for v in self._views):
            return
        self._views = [*self._views, corners][-MAX_VIEWS:]
        self._k1 = [*self._k1, 0.0 if lens is None else float(lens.distortion[0])][-MAX_VIEWS:]
        focal = 0.0 if lens is None else float(lens.matrix[0, 0])
        self._focal = [*self._focal, focal][-MAX_VIEWS:]

    def forget(self) -> None:
        """Another lens: nothing learnt holds."""
        self._size = None
        self._views, self._k1, self._focal = [], [], []

    @property
    def lens(self) -> Lens | None:
        """What is known so far; None before there are two different views."""
        if self._size is None or len(self._views) < MIN_VIEWS:
            return None
        focal = guess_focal(self._views, self._size_mm, self._size)
        return Lens(
            self._size, _matrix(focal, self._size), np.array([self._bend(focal), 0, 0, 0, 0])
        )

    def _bend(self, focal: float) -> float:
        """The usual k1, for this focal length: k1 / focal² is what a picture tells."""
        told = [k / f**2 for k, f in zip(self._k1, self._focal, strict=True) if f > 0]
        if len(told) * 2 < len(self._k1):
            return 0.0
        return float(np.median(told)) * focal**2


def _matrix(focal: float, size: tuple[int, int]) -> Matrix:
    cx, cy = (size[0] - 1) / 2, (size[1] - 1) / 2
    return np.array([[focal, 0, cx], [0, focal, cy], [0, 0, 1]], np.float64)
