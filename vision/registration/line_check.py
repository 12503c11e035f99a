"""Do the board's own lines lie where a pose puts them?  A gate for poses that looked at none.

Markers that all lie beside their places in the same way agree with each other: only the print can tell.
The flat view is compared with the lines of the board file moved to all places around.  Lines that
don't show anywhere tell nothing.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.registration.board_lines import LineSamples, PrintedLines, sample_lines
from vision.types import Image

Matrix = NDArray[np.float64]
Single = NDArray[np.float32]

SIDE_PX = 480  # of the flat view's longer side
REACH = 0.12  # of the shorter side: so far beside its place a print is looked for
SAMPLES = 1200
LEVEL = 6.0  # grey levels of change that count half
LEAST_GAIN = 0.12  # what the lines show more at their best place than elsewhere
KEPT_GAIN = 0.6  # so much of it the place of the pose must have
APART_MM = 3.0


def lines_lie_elsewhere(
    grey: Image, homography: Matrix, size_mm: tuple[float, float], lines: PrintedLines
) -> bool:
    """Whether the lines show clearly, but beside where a pose (board mm to px of the straight
    picture ``grey``) puts them.  Thin lines between pieces tell too little: False."""
    if lines.thin or not len(lines.segments_mm):
        return False
    scale = SIDE_PX / max(size_mm)
    reach = round(REACH * min(size_mm) * scale)
    show = _showing(grey, homography, size_mm, scale, reach)
    drawn = _drawn(sample_lines(lines, size_mm, SAMPLES), size_mm, scale)
    gain = sum(cv2.matchTemplate(s, d, cv2.TM_CCORR) for s, d in zip(show, drawn, strict=True))
    gain = np.asarray(gain / sum(float(d.sum()) for d in drawn), np.float64)
    gain -= np.median(gain)
    y, x = np.unravel_index(gain.argmax(), gain.shape)
    here = gain[reach - 1 : reach + 2, reach - 1 : reach + 2].max()
    apart_mm = np.hypot(x - reach, y - reach) / scale
    return bool(apart_mm >= APART_MM and gain.max() >= LEAST_GAIN and here < KEPT_GAIN * gain.max())


def _showing(
    grey: Image, homography: Matrix, size_mm: tuple[float, float], scale: float, reach: int
) -> tuple[Single, Single]:
    """How clearly brightness changes to the right and downwards, 0 to 1, in the flat view of the face
    with ``reach`` px around it."""
    to_flat = np.array([[scale, 0, reach - 0.5], [0, scale, reach - 0.5], [0, 0, 1]])
    to_flat = to_flat @ np.linalg.inv(homography)
    size = tuple(round(side * scale) + 2 * reach for side in size_mm)
    flat = cv2.warpPerspective(grey, to_flat, size).astype(np.float32)
    inside = cv2.warpPerspective(np.ones_like(grey), to_flat, size)
    inside = cv2.erode(inside, np.ones((5, 5), np.uint8))
    flat = cv2.GaussianBlur(flat, (0, 0), 1.0)

    def change(right: int, down: int) -> Single:
        strength = np.abs(cv2.Sobel(flat, cv2.CV_32F, right, down, ksize=3)) / 8
        share = np.float32(inside) * strength / (strength + LEVEL)
        return np.asarray(cv2.dilate(share, np.ones((1 + 2 * down, 1 + 2 * right))), np.float32)

    return change(1, 0), change(0, 1)


def _drawn(
    samples: LineSamples, size_mm: tuple[float, float], scale: float
) -> tuple[Single, Single]:
    """Where the board file's lines run in the flat face: how upright, and how level."""
    width, height = (round(side * scale) for side in size_mm)
    at = np.rint(samples.points_mm * scale - 0.5).astype(int)
    x, y = np.clip(at, 0, [width - 1, height - 1]).T
    upright, level = (np.zeros((height, width), np.float32) for _ in range(2))
    np.add.at(upright, (y, x), np.abs(samples.along[:, 1]))
    np.add.at(level, (y, x), np.abs(samples.along[:, 0]))
    return upright, level
