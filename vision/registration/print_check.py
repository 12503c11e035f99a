"""Does the print really fit?  The last gate before a pose is believed.

The mean local correlation of view and reference must be high, and clearly higher than with the
pose shifted by half a cell or a whole one, or turned: on a board of like cells a wrong pose can
have a small residual.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reference import Reference
from vision.registration.pose import face_corners
from vision.registration.print_fit import PATCH_PX, Plate, as_grey, in_view, plate_of, rectify
from vision.types import Image

Matrix = NDArray[np.float64]

MIN_SCORE = 0.42
MIN_LEAD = 0.12
# of a contiguous part in full view, when hands or glare hide the rest
MIN_PART_SCORE = 0.75
MIN_PART_LEAD = 0.25
ALIKE = 0.75  # so much of the print turned onto itself: its turn can't be told
SQUARE = 0.1  # of the aspect ratio: then a quarter turn must be ruled out as well


@dataclass(frozen=True, slots=True)
class PrintCheck:
    """``score``: mean local correlation, 0 to 1; ``rival``: the best of the shifted poses;
    ``turned``: the scores of the turned ones, in the order of `turns`; ``part``: only a part of the
    face was looked at."""

    score: float
    rival: float
    turned: tuple[float, ...] = ()
    part: bool = False

    @property
    def fits(self) -> bool:
        """Whether the pose may be believed."""
        return self.fits_but_for_turn and not self.rival_turns

    @property
    def fits_but_for_turn(self) -> bool:
        """Whether the place may be believed, though perhaps the print can't tell its turn."""
        score = MIN_PART_SCORE if self.part else MIN_SCORE
        return self.score >= score and self.score - self.rival >= self._lead

    @property
    def rival_turns(self) -> tuple[int, ...]:
        """Which of the `turns` fit as well."""
        return tuple(i for i, s in enumerate(self.turned) if self.score - s < self._lead)

    @property
    def _lead(self) -> float:
        return MIN_PART_LEAD if self.part else MIN_LEAD


def check_print(
    image: Image,
    homography: Matrix,
    reference: Reference,
    cell_mm: float,
    region: NDArray[np.bool_] | None = None,
    turn_known: bool = False,
) -> PrintCheck:
    """Compares the print under a pose (board mm to image px) with the reference, and with
    shifted and turned poses.  ``cell_mm``: size of a typical cell.  ``region``: look only at
    these patches of the plate.  ``turn_known``: somebody has said it, or an earlier look."""
    plate = plate_of(reference)
    grey = as_grey(image)
    view = _half(rectify(grey, homography, plate))
    flat = _half(plate.grey)
    inside = in_view(grey, homography, plate)
    if region is not None:
        inside &= region
    score = _score(view, flat, plate, inside)
    step = cell_mm / plate.to_mm[0, 0] / 2
    rivals = [
        _score(_shifted(view, dx * step, dy * step), flat, plate, inside)
        for size in (0.5, 1.0)
        for dx, dy in ((size, 0), (-size, 0), (0, size), (0, -size))
    ]
    alike = []
    for turn in () if turn_known else turns(reference.size_mm):
        turned = homography @ turn
        seen = in_view(grey, turned, plate)
        if region is not None:
            seen &= region
        alike.append(_score(_half(rectify(grey, turned, plate)), flat, plate, seen))
    return PrintCheck(score, max(rivals), tuple(alike), region is not None)


def looks_alike_turned(reference: Reference) -> bool:
    """Whether the print looks the same from several sides, so that it can't tell its turn."""
    plate = plate_of(reference)
    flat, upright = _half(plate.grey), np.linalg.inv(plate.to_mm)
    grey = np.clip(plate.grey, 0, 255).astype(np.uint8)
    everywhere = np.ones(len(plate.centres), bool)
    return any(
        _score(_half(rectify(grey, upright @ turn, plate)), flat, plate, everywhere) >= ALIKE
        for turn in turns(reference.size_mm)
    )


def _half(image: NDArray[np.float32]) -> NDArray[np.float32]:
    """Half the size: enough to tell prints apart, at a quarter of the cost."""
    return np.asarray(cv2.resize(image, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA))


def _score(
    view: NDArray[np.float32], flat: NDArray[np.float32], plate: Plate, inside: NDArray[np.bool_]
) -> float:
    if not inside.any():
        return 0.0
    ncc = local_correlation(view, flat, PATCH_PX // 2 - 1)
    x, y = (plate.centres[inside] // 2).T
    return float(np.clip(ncc[y, x], 0, 1).mean())


def local_correlation(
    a: NDArray[np.float32], b: NDArray[np.float32], side: int = PATCH_PX - 1
) -> NDArray[np.float32]:
    """Normalised cross-correlation of the windows around each pixel, (h, w), -1 to 1."""

    def mean(x: NDArray[np.float32]) -> NDArray[np.float32]:
        return np.asarray(cv2.boxFilter(x, cv2.CV_32F, (side, side)), np.float32)

    a = a - a.mean()
    b = b - b.mean()
    mean_a, mean_b = mean(a), mean(b)
    covariance = mean(a * b) - mean_a * mean_b
    variance = (mean(a * a) - mean_a**2) * (mean(b * b) - mean_b**2)
    # one grey level of noise keeps flat regions from correlating by chance
    return np.asarray(covariance / np.sqrt(np.maximum(variance, 0) + 1.0), np.float32)


def _shifted(view: NDArray[np.float32], dx: float, dy: float) -> NDArray[np.float32]:
    move = np.array([[1, 0, dx], [0, 1, dy]], np.float64)
    size = (view.shape[1], view.shape[0])
    return np.asarray(cv2.warpAffine(view, move, size, borderMode=cv2.BORDER_REFLECT), np.float32)


def turns(size_mm: tuple[float, float]) -> list[Matrix]:
    """Homographies of the face onto itself, turned by 180 (and 90 and 270) degrees."""
    face = face_corners(size_mm).astype(np.float32)
    steps = (1, 2, 3) if abs(size_mm[0] / size_mm[1] - 1) < SQUARE else (2,)
    return [
        np.asarray(cv2.getPerspectiveTransform(face, np.roll(face, -s, axis=0)), np.float64)
        for s in steps
    ]
