"""Is the board still where it was?  A cheap check for every frame.

Some dozen patches of the last good view, on the print and along the edge of the face, are looked
for in a small window around their places (normalised cross-correlation, blind to exposure).  A
hand hides some of them; it never moves several of them together.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.registration.planar import apply
from vision.registration.print_fit import as_grey
from vision.types import BoardPose, Image

Matrix = NDArray[np.float64]

PATCH_PX = 25
REACH_PX = 6
GRID = 7
ANCHORS = 36
SEEN_NCC = 0.7
MIN_TEXTURE = 3.0
STILL_PX = 2.0
DRIFT_PX = 1.2
DRIFT_FRAMES = 8
MIN_ANCHORS = 4
MIN_FRACTION = 0.15


class Steadiness(Enum):
    """STILL: the pose holds.  MOVED: it does not.  UNSURE: too little can be seen to say."""

    STILL = "still"
    MOVED = "moved"
    UNSURE = "unsure"


@dataclass(frozen=True, slots=True)
class Watched:
    """``shift_px``: greatest displacement of a corner of the face (None when unsure);
    ``seen``: fraction of the patches that were recognised."""

    steadiness: Steadiness
    shift_px: float | None
    seen: float


class PoseWatch:
    """Watches one pose, from the view in which it was found.

    Patches that stay hidden (a piece has come to stand there) are taken anew from a still view.
    """

    def __init__(self, image: Image, pose: BoardPose, size_mm: tuple[float, float]) -> None:
        self._corners = pose.corners_px
        grey = as_grey(image)
        self._places = _choose_places(grey, pose, size_mm)
        self._patches = [_cut(grey, p) for p in self._places]
        self._hidden = np.zeros(len(self._places), int)
        self._drifting = 0

    def check(self, image: Image) -> Watched:
        """Compares a frame of the same size with the watched view."""
        grey = as_grey(image)
        total = len(self._places)
        offsets, quality = self._look(grey)
        seen = quality > SEEN_NCC
        fraction = float(seen.mean()) if total else 0.0
        needed = max(MIN_ANCHORS, round(MIN_FRACTION * total))
        shift, agreeing = _corner_shift(self._places[seen], offsets[seen], self._corners)
        if shift is None or agreeing < needed:
            self._drifting = 0
            return Watched(Steadiness.UNSURE, None, fraction)
        self._drifting = self._drifting + 1 if shift > DRIFT_PX else 0
        if shift > STILL_PX or self._drifting >= DRIFT_FRAMES:
            return Watched(Steadiness.MOVED, shift, fraction)
        self._renew(grey, seen)
        return Watched(Steadiness.STILL, shift, fraction)

    def _look(self, grey: Image) -> tuple[Matrix, Matrix]:
        offsets = np.zeros((len(self._places), 2))
        quality = np.zeros(len(self._places))
        side = PATCH_PX // 2 + REACH_PX
        for i, ((x, y), patch) in enumerate(zip(self._places, self._patches, strict=True)):
            window = grey[y - side : y + side + 1, x - side : x + side + 1]
            response = cv2.matchTemplate(window, patch, cv2.TM_CCOEFF_NORMED)
            _, best, _, (px, py) = cv2.minMaxLoc(response)
            if 0 < px < 2 * REACH_PX and 0 < py < 2 * REACH_PX and np.isfinite(best):
                quality[i] = best
                offsets[i] = (
                    px - REACH_PX + _peak(response[py, px - 1], best, response[py, px + 1]),
                    py - REACH_PX + _peak(response[py - 1, px], best, response[py + 1, px]),
                )
        return offsets, quality

    def _renew(self, grey: Image, seen: NDArray[np.bool_]) -> None:
        """Takes patches anew that have been hidden for long although most others are seen."""
        self._hidden = np.where(seen, 0, self._hidden + 1)
        if seen.mean() < 0.6:
            return
        for i in np.flatnonzero(self._hidden > 40):
            patch = _cut(grey, self._places[i])
            if patch.std() > MIN_TEXTURE:
                self._patches[i] = patch
                self._hidden[i] = 0


def _choose_places(grey: Image, pose: BoardPose, size_mm: tuple[float, float]) -> NDArray[np.int64]:
    """(N, 2) px: the best-structured place in each cell of a grid over the face, the rim included."""
    height, width = grey.shape
    strength = cv2.cornerMinEigenVal(cv2.GaussianBlur(grey, (0, 0), 1.0), 7)
    room = PATCH_PX // 2 + REACH_PX + 1
    steps = np.linspace(0.0, 1.0, GRID + 1)
    found: list[tuple[float, tuple[int, int]]] = []
    for x0, x1 in pairwise(steps):
        for y0, y1 in pairwise(steps):
            box = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]]) * np.array(size_mm)
            quad = apply(pose.homography, box)
            low = np.maximum(np.floor(quad.min(0)).astype(int), room)
            high = np.minimum(np.ceil(quad.max(0)).astype(int), (width - room, height - room))
            if (high - low < 4).any():
                continue
            part = strength[low[1] : high[1], low[0] : high[0]]
            _, best, _, (px, py) = cv2.minMaxLoc(part)
            place = (int(low[0] + px), int(low[1] + py))
            if _cut(grey, place).std() > MIN_TEXTURE:
                found.append((best, place))
    found.sort(reverse=True)
    return np.array([p for _, p in found[:ANCHORS]], np.int64).reshape(-1, 2)


def _cut(grey: Image, place: NDArray[np.int64] | tuple[int, int]) -> Image:
    x, y = int(place[0]), int(place[1])
    half = PATCH_PX // 2
    return grey[y - half : y + half + 1, x - half : x + half + 1].copy()


def _corner_shift(
    places: NDArray[np.int64], offsets: Matrix, corners: Matrix
) -> tuple[float | None, int]:
    """Greatest shift of a corner under the similarity that most patches agree on, and how many."""
    if len(places) < MIN_ANCHORS:
        return None, len(places)
    source = places.astype(np.float64)
    cv2.setRNGSeed(1)
    move, mask = cv2.estimateAffinePartial2D(
        source, source + offsets, method=cv2.RANSAC, ransacReprojThreshold=0.8
    )
    if move is None or mask is None or mask.sum() < MIN_ANCHORS:
        return None, 0
    inliers = mask.ravel().astype(bool)
    if _spread(source[inliers]) < 0.15 * _spread(corners):
        # patches close together say little about far corners
        return float(np.linalg.norm(np.median(offsets[inliers], axis=0))), int(inliers.sum())
    moved = corners @ move[:, :2].T + move[:, 2]
    return float(np.linalg.norm(moved - corners, axis=1).max()), int(inliers.sum())


def _spread(points: Matrix) -> float:
    return float(np.linalg.norm(points.std(0)))


def _peak(left: float, middle: float, right: float) -> float:
    curve = left - 2 * middle + right
    return 0.0 if curve >= -1e-9 else float(np.clip(0.5 * (left - right) / curve, -0.5, 0.5))
