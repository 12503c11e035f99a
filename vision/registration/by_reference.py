"""The board by its reference picture: guess by features, refine on the print, check."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from engine.errors import BoardwardenError
from vision.reference import Reference
from vision.registration.errors import BoardNotFound
from vision.registration.features import guesses
from vision.registration.pose import corners_of, pose_from_corners
from vision.registration.print_check import PrintCheck, check_print
from vision.registration.print_fit import Fit, refine
from vision.types import BoardPose, Image

MIN_AGREEING = 0.22
MIN_REGION = 0.08
MIN_REGION_PATCHES = 12
MAX_RESIDUAL_PX = 1.6
MAX_SPREAD_CELLS = 0.12
TRACK_REACH_PX = 20
FINE_REACH_PX = 10

NOT_FOUND = (
    "the board is not found in this picture: show the whole board, take hands and cards off it,"
    " and check that the reference picture belongs to it"
)
MIRRORED = "the picture is mirrored: switch off the mirror image of the camera"


@dataclass(frozen=True, eq=False)
class Found:
    """A pose that passed every gate, with the evidence."""

    pose: BoardPose
    fit: Fit
    check: PrintCheck


def find_by_reference(
    image: Image, reference: Reference, cell_mm: float, mirror_check: bool = True
) -> Found:
    """Finds the board from nothing.  ``cell_mm``: size of a typical cell; ``mirror_check``: on
    failure find out whether the picture is mirrored, which takes as long again.

    Raises BoardNotFound when no pose passes the gates, also when the picture is mirrored.
    """
    found = _search(image, reference, cell_mm)
    if found is not None:
        return found
    if mirror_check and _search(np.ascontiguousarray(image[:, ::-1]), reference, cell_mm):
        raise BoardNotFound(MIRRORED)
    raise BoardNotFound(NOT_FOUND)


def track_by_reference(
    image: Image, reference: Reference, cell_mm: float, previous: BoardPose
) -> Found | None:
    """Finds the board near an earlier pose; None when it is not surely there."""
    return accept(image, previous.homography, reference, cell_mm, "tracked", TRACK_REACH_PX)


def _search(image: Image, reference: Reference, cell_mm: float) -> Found | None:
    for guess in guesses(image, reference):
        found = accept(image, guess.homography, reference, cell_mm, "reference", FINE_REACH_PX)
        if found is not None:
            return found
    return None


def accept(
    image: Image,
    guess: np.ndarray,  # type: ignore[type-arg]
    reference: Reference,
    cell_mm: float,
    how: str,
    reach_px: int,
) -> Found | None:
    """Refines a guess (homography, board mm to image px) and puts it through every gate."""
    size = (image.shape[1], image.shape[0])
    try:
        pose_from_corners(corners_of(guess, reference.size_mm), reference.size_mm, size, how)
        fit = refine(image, guess, reference, reach_px)
        if fit is None:
            return None
        corners = corners_of(fit.homography, reference.size_mm)
        pose = pose_from_corners(corners, reference.size_mm, size, how, fit.residual_px)
    except BoardwardenError:
        return None
    except cv2.error:
        return None
    # the smallest scale on the board decides what an error of a pixel means
    width, height = reference.size_mm
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    cell_px = cell_mm * float((sides / [width, height, width, height]).min())
    if fit.residual_px > max(MAX_RESIDUAL_PX, 0.06 * cell_px) or fit.corner_spread_px > max(
        1.0, MAX_SPREAD_CELLS * cell_px
    ):
        return None
    check = _check(image, fit, reference, cell_mm)
    return Found(pose, fit, check) if check is not None and check.fits else None


def _check(image: Image, fit: Fit, reference: Reference, cell_mm: float) -> PrintCheck | None:
    """Of the whole face, or of the part in full view when much is hidden."""
    check = None
    if fit.agreeing >= MIN_AGREEING:
        check = check_print(image, fit.homography, reference, cell_mm)
        if check.fits:
            return check
    if fit.region.sum() >= MIN_REGION_PATCHES and fit.region.mean() >= MIN_REGION:
        check = check_print(image, fit.homography, reference, cell_mm, fit.region)
    return check
