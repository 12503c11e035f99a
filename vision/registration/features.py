"""First guess of the board's place from natural features of a reference picture.

SIFT (Lowe, IJCV 2004) with the square-root norm (Arandjelovic and Zisserman, CVPR 2012); views
of the reference squeezed along four directions stand in for oblique cameras, as in ASIFT (Morel
and Yu, 2009).  The result is only a guess: `print_fit` refines and checks it.
"""

from __future__ import annotations

import math
import weakref
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reference import Reference
from vision.types import FloatArray, Image

Matrix = NDArray[np.float64]

REFERENCE_SIDE_PX = 900
IMAGE_SIDE_PX = 1280
MAX_FEATURES = 3000
QUICK_SIDE_PX, QUICK_FEATURES = 800, 1400  # the first look: enough for most views
RATIO = 0.85
MIN_INLIERS = 12
SURE_INLIERS = 40
SQUEEZES = ((0.5, 0.0), (0.5, 90.0), (0.5, 45.0), (0.5, 135.0))


@dataclass(frozen=True)
class FeatureView:
    """Features of the reference as seen from one side: places in board mm and descriptors."""

    points_mm: Matrix
    descriptors: FloatArray


@dataclass(frozen=True)
class Guess:
    """``homography``: board mm to image px; ``inliers``: matches that agree with it."""

    homography: Matrix
    inliers: int


class FeatureIndex:
    """The reference's features, made once: first the frontal view, the squeezed ones on demand."""

    def __init__(self, reference: Reference) -> None:
        scale = min(1.0, REFERENCE_SIDE_PX / max(reference.image.shape[:2]))
        self._grey = contrast(_shrink(reference.image, scale))
        self._size_mm = reference.size_mm
        self._valid: Image | None = None
        if reference.valid is not None:
            size = (self._grey.shape[1], self._grey.shape[0])
            self._valid = np.asarray(cv2.resize(reference.valid, size), np.uint8)
        self._views: dict[tuple[float, float], FeatureView] = {}

    def view(self, squeeze: float, angle_deg: float) -> FeatureView:
        """Features with the picture squeezed by ``squeeze`` along ``angle_deg``."""
        key = (squeeze, angle_deg)
        if key not in self._views:
            self._views[key] = self._make(squeeze, angle_deg)
        return self._views[key]

    def _make(self, squeeze: float, angle_deg: float) -> FeatureView:
        height, width = self._grey.shape
        warp, size = _squeeze_matrix(width, height, squeeze, angle_deg)
        grey = self._grey
        if squeeze < 1:
            grey = cv2.warpAffine(
                cv2.GaussianBlur(grey, (0, 0), 0.4 / squeeze),
                warp[:2], size, borderMode=cv2.BORDER_REPLICATE,
            )  # fmt: skip
        points, descriptors = sift(grey)
        back = np.linalg.inv(warp)
        pixels = np.column_stack([points, np.ones(len(points))]) @ back.T
        inside = ((pixels[:, :2] > -0.5) & (pixels[:, :2] < (width - 0.5, height - 0.5))).all(1)
        if self._valid is not None:
            x, y = np.clip(np.rint(pixels[:, :2]).astype(int), 0, (width - 1, height - 1)).T
            inside &= self._valid[y, x] > 127
        mm = (pixels[inside, :2] + 0.5) * (self._size_mm[0] / width, self._size_mm[1] / height)
        return FeatureView(mm, descriptors[inside])


_indices: weakref.WeakKeyDictionary[Reference, FeatureIndex] = weakref.WeakKeyDictionary()


def index_of(reference: Reference) -> FeatureIndex:
    """The features of a reference, kept as long as the reference lives."""
    if reference not in _indices:
        _indices[reference] = FeatureIndex(reference)
    return _indices[reference]


def guesses(image: Image, reference: Reference):  # type: ignore[no-untyped-def]
    """Yields Guess after Guess, the cheap way first, until the caller is content."""
    index = index_of(reference)
    quick = _seen(image, QUICK_SIDE_PX, QUICK_FEATURES)
    guess = _fit([_match(*quick[:2], index.view(1.0, 0.0))], 3.0 / quick[2])
    if guess is not None and guess.inliers >= SURE_INLIERS:
        yield guess
    points, descriptors, scale = _seen(image, IMAGE_SIDE_PX, MAX_FEATURES)
    if len(points) < MIN_INLIERS:
        return
    pairs = [_match(points, descriptors, index.view(1.0, 0.0))]
    guess = _fit(pairs, 3.0 / scale)
    if guess is not None:
        yield guess
    for squeeze, angle in SQUEEZES:
        pairs.append(_match(points, descriptors, index.view(squeeze, angle)))
        if angle in (90.0, 135.0):
            guess = _fit(pairs, 3.0 / scale)
            if guess is not None:
                yield guess


def _seen(image: Image, side_px: int, most: int) -> tuple[Matrix, FloatArray, float]:
    """Features of a picture shrunk to ``side_px``: places in image px, descriptors, the scale."""
    scale = min(1.0, side_px / max(image.shape[:2]))
    points, descriptors = sift(contrast(_shrink(image, scale)), most)
    # pixel centres: shrinking maps x to (x + 0.5) * scale - 0.5
    return (points + 0.5) / scale - 0.5, descriptors, scale


def sift(grey: Image, most: int = MAX_FEATURES) -> tuple[Matrix, FloatArray]:
    """(N, 2) places in px and (N, 128) square-rooted descriptors."""
    detector = cv2.SIFT_create(most, 3, 0.02, 12, 1.6)
    keypoints, descriptors = detector.detectAndCompute(grey, None)
    if descriptors is None or not len(keypoints):
        return np.zeros((0, 2)), np.zeros((0, 128), np.float32)
    descriptors = np.sqrt(descriptors / (descriptors.sum(1, keepdims=True) + 1e-7))
    return np.array([k.pt for k in keypoints], np.float64), descriptors.astype(np.float32)


def contrast(image: Image) -> Image:
    """Grey with locally evened contrast, so that shadow and glare keep their print."""
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY) if image.ndim == 3 else image
    return np.asarray(cv2.createCLAHE(3.0, (8, 8)).apply(grey), np.uint8)


def _shrink(image: Image, scale: float) -> Image:
    if scale >= 1:
        return image
    size = (round(image.shape[1] * scale), round(image.shape[0] * scale))
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)


def _squeeze_matrix(
    width: int, height: int, squeeze: float, angle_deg: float
) -> tuple[Matrix, tuple[int, int]]:
    angle = math.radians(angle_deg)
    turn = np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]])
    linear = turn.T @ np.diag([squeeze, 1.0]) @ turn
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], float) @ linear.T
    low, high = corners.min(0), corners.max(0)
    matrix = np.eye(3)
    matrix[:2, :2] = linear
    matrix[:2, 2] = -low
    return matrix, (int(high[0] - low[0]) + 1, int(high[1] - low[1]) + 1)


def _match(points: Matrix, descriptors: FloatArray, view: FeatureView) -> tuple[Matrix, Matrix]:
    """Pairs (image px, board mm) that pass the ratio test and choose each other."""
    if len(view.descriptors) < 2 or not len(points):
        return np.zeros((0, 2)), np.zeros((0, 2))
    likeness = descriptors @ view.descriptors.T
    rows = np.arange(len(points))
    best = likeness.argmax(1)
    top = likeness[rows, best]
    mutual = likeness.argmax(0)[best] == rows
    likeness[rows, best] = -1
    second = likeness.max(1)
    # unit vectors: distance² = 2 - 2 cos
    passed = mutual & ((1 - top) < RATIO**2 * (1 - second))
    return points[passed], view.points_mm[best[passed]]


def _fit(pairs: list[tuple[Matrix, Matrix]], tolerance_px: float) -> Guess | None:
    image = np.concatenate([p[0] for p in pairs])
    board = np.concatenate([p[1] for p in pairs])
    if len(image) < MIN_INLIERS:
        return None
    cv2.setRNGSeed(1)
    homography, mask = cv2.findHomography(
        board, image, cv2.USAC_MAGSAC, tolerance_px, maxIters=5000, confidence=0.9995
    )
    if homography is None or mask is None or int(mask.sum()) < MIN_INLIERS:
        return None
    return Guess(np.asarray(homography, np.float64), int(mask.sum()))
