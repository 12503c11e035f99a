"""Reading the pips on the top faces of dice by matching face patterns on the rectified face.

The plane of the top face is known (the die's height above the board's plane), so the face is
rectified first; then patterns of one to six pips in all turns are compared by normalised
correlation, dark pips on light faces and light ones on dark alike.
"""

from __future__ import annotations

import math
from functools import lru_cache

import cv2
import numpy as np

from vision.types import BoardPose, FloatArray, Image

PATCH_PX = 44  # rectified patch, square
FACE_PX = 22  # side of the face within it
TURN_STEP_DEG = 6
SHARPNESS = 14.0  # how quickly a worse correlation becomes improbable
SCALES = (0.88, 1.0, 1.12)  # dice of other sizes than the board file's

HAT_PX = 9  # a little wider than a pip in the patch
_ROWS = PATCH_PX - FACE_PX + 1
# The face lies near the middle of the patch: far off, another face would be matched.
_OFF_CENTRE = 0.6 * np.maximum(
    np.hypot(*(np.mgrid[0:_ROWS, 0:_ROWS] - (_ROWS - 1) / 2)) / FACE_PX - 0.15, 0
)

_SPOT = 0.27  # distance of the outer pips from the middle, in sides
_PIP = 0.105  # radius of a pip, in sides
_LAYOUT: dict[int, tuple[tuple[float, float], ...]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
}


def face_patch(image: Image, pose: BoardPose, at_mm: tuple[float, float], size_mm: float) -> Image:
    """(PATCH_PX, PATCH_PX, 3) view from above of the plane of a die's top face."""
    half = size_mm * PATCH_PX / FACE_PX / 2
    x, y = at_mm
    square = np.array(
        [[x - half, y - half], [x + half, y - half], [x + half, y + half], [x - half, y + half]]
    )
    corners = pose.to_image(np.column_stack([square, np.full(4, size_mm)]))
    target = (
        np.array([[0, 0], [PATCH_PX, 0], [PATCH_PX, PATCH_PX], [0, PATCH_PX]], np.float32) - 0.5
    )
    homography = cv2.getPerspectiveTransform(corners.astype(np.float32), target)
    return np.asarray(
        cv2.warpPerspective(
            image,
            homography,
            (PATCH_PX, PATCH_PX),
            flags=cv2.INTER_CUBIC,
            borderMode=cv2.BORDER_REPLICATE,
        ),
        np.uint8,
    )


def read_pips(patch: Image) -> tuple[float, ...]:
    """Log-probabilities of 1 to 6 pips on a rectified patch (see ``face_patch``)."""
    grey = cv2.cvtColor(patch, cv2.COLOR_BGR2GRAY)
    # Pips are small spots: the two hats keep them and drop the faces' tones and shadows.
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (HAT_PX, HAT_PX))
    scores = np.full(6, -1.0)
    for operation in (cv2.MORPH_TOPHAT, cv2.MORPH_BLACKHAT):
        spots = cv2.morphologyEx(grey, operation, kernel).astype(np.float32)
        strength = min(1.0, float(np.percentile(spots, 98)) / 30.0)
        for pips, template in _templates():
            result = cv2.matchTemplate(spots, template, cv2.TM_CCOEFF_NORMED)
            value = float((result - _OFF_CENTRE).max()) * (0.5 + 0.5 * strength)
            scores[pips - 1] = max(scores[pips - 1], value)
    logits = SHARPNESS * (scores - scores.max())
    norm = math.log(float(np.exp(logits).sum()))
    return tuple(float(v - norm) for v in logits)


def read_die(
    image: Image, pose: BoardPose, at_mm: tuple[float, float], size_mm: float
) -> tuple[float, ...]:
    """Log-probabilities of 1 to 6 for the die standing at a board point."""
    return read_pips(face_patch(image, pose, at_mm, size_mm))


@lru_cache(maxsize=1)
def _templates() -> tuple[tuple[int, FloatArray], ...]:
    rows = []
    for scale in SCALES:
        for pips, layout in _LAYOUT.items():
            turns = 90 if pips in (1, 4, 5) else 180
            for degrees in range(0, turns, TURN_STEP_DEG):
                rows.append((pips, _template(layout, math.radians(degrees), FACE_PX * scale)))
    return tuple(rows)


def _template(layout: tuple[tuple[float, float], ...], turn: float, side: float) -> FloatArray:
    """The pips on their face; what lies outside the inscribed circle is cut to the face's tone."""
    size, fine = FACE_PX, 8
    ys, xs = (np.mgrid[0 : size * fine, 0 : size * fine] + 0.5) / fine - size / 2
    c, s = math.cos(turn), math.sin(turn)
    picture = np.zeros((size * fine, size * fine), np.float32)
    for u, v in layout:
        x, y = (c * u - s * v) * _SPOT * side, (s * u + c * v) * _SPOT * side
        picture[np.hypot(xs - x, ys - y) < _PIP * side] = 1.0
    small = picture.reshape(size, fine, size, fine).mean(axis=(1, 3))
    return np.asarray(cv2.GaussianBlur(small, (0, 0), 1.0), np.float32)
