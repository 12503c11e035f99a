"""How much moves from frame to frame."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.board_grid import Mask
from vision.types import BoardPose, Image


class MotionMeter:
    """Motion between consecutive frames, blind to exposure and to a jitter of a pixel or two."""

    WIDTH = 480
    LEVELS = 14

    def __init__(self) -> None:
        self._last: NDArray[np.uint8] | None = None

    def update(self, image: Image, pose: BoardPose | None = None) -> float:
        """Fraction of the board's area (of the picture's without a pose) that moved since the
        last call; 1 after a change of size, 0 at the first frame."""
        scale = self.WIDTH / image.shape[1]
        size = (self.WIDTH, max(1, round(image.shape[0] * scale)))
        grey = cv2.cvtColor(
            cv2.resize(image, size, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY
        )
        last, self._last = self._last, np.asarray(grey, np.uint8)
        if last is None:
            return 0.0
        if last.shape != grey.shape:
            return 1.0
        moved = self._moved(grey, last)
        if pose is None:
            return float(moved.mean())
        region = np.zeros(grey.shape, np.uint8)
        corners = pose.corners_px
        middle = corners.mean(0)
        wide = (middle + 1.12 * (corners - middle)) * scale
        cv2.fillConvexPoly(region, np.rint(wide).astype(np.int32), 1)
        return float(moved[region > 0].sum() / max(1, int(region.sum())))

    def _moved(self, grey: Image, last: Image) -> Mask:
        gain = float(np.median(grey[::4, ::4] / np.maximum(last[::4, ::4], 1.0)))
        last = cv2.convertScaleAbs(last, alpha=float(np.clip(gain, 0.3, 3.0)))
        kernel = np.ones((3, 3), np.uint8)
        above = cv2.subtract(grey, cv2.dilate(last, kernel))
        below = cv2.subtract(cv2.erode(last, kernel), grey)
        moved = (cv2.max(above, below) > self.LEVELS).astype(np.uint8)
        return np.asarray(cv2.morphologyEx(moved, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)) > 0)
