"""Refining a pose on the print itself.

Local normalised cross-correlation of patches between the rectified view and the reference:
pieces, hands and glare spoil their own patches only, and the robust fit leaves these out.
"""

from __future__ import annotations

import weakref
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reference import Reference
from vision.registration.planar import apply, least_squares, spread_px
from vision.registration.pose import face_corners
from vision.types import Image

Matrix = NDArray[np.float64]

SIDE_PX = 720
PATCH_PX = 48
STEP_PX = 40
MIN_TEXTURE = 2.0  # grey levels, standard deviation within a patch
GOOD_NCC = 0.5
MIN_PATCHES = 8
AGREE_PX = 2.0


@dataclass(frozen=True, eq=False)
class Plate:
    """The reference at working scale: ``grey`` float32; ``to_mm`` (3, 3) plate px to board mm;
    ``centres`` (N, 2) of the textured patches in plate px."""

    grey: NDArray[np.float32]
    to_mm: Matrix
    centres: NDArray[np.int64]

    def patch(self, centre: NDArray[np.int64]) -> NDArray[np.float32]:
        """The PATCH_PX square around a centre."""
        x, y = centre - PATCH_PX // 2
        return self.grey[y : y + PATCH_PX, x : x + PATCH_PX]


@dataclass(frozen=True, eq=False)
class Fit:
    """``homography``: board mm to image px, refined.  ``residual_px``: root mean square distance
    of the agreeing patches.  ``agreeing``: fraction of the patches in view that agree.
    ``corner_spread_px``: standard deviation expected at the worst corner of the face.
    ``region`` (N,): patches of the plate in whose neighbourhood most agree.  ``source_mm`` and
    ``target_px`` (K, 2): where the agreeing patches belong and where they were found."""

    homography: Matrix
    residual_px: float
    agreeing: float
    corner_spread_px: float
    region: NDArray[np.bool_]
    source_mm: Matrix
    target_px: Matrix


_plates: weakref.WeakKeyDictionary[Reference, Plate] = weakref.WeakKeyDictionary()


def plate_of(reference: Reference) -> Plate:
    """The working copy of a reference, kept as long as the reference lives."""
    if reference not in _plates:
        _plates[reference] = _make_plate(reference)
    return _plates[reference]


def _make_plate(reference: Reference) -> Plate:
    width_mm, height_mm = reference.size_mm
    scale = SIDE_PX / max(width_mm, height_mm)
    width, height = (max(2 * PATCH_PX, round(s * scale)) for s in reference.size_mm)
    shrinking = width < reference.image.shape[1]
    small = cv2.resize(
        reference.image, (width, height),
        interpolation=cv2.INTER_AREA if shrinking else cv2.INTER_LINEAR,
    )  # fmt: skip
    grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY).astype(np.float32)
    sx, sy = width_mm / width, height_mm / height
    to_mm = np.array([[sx, 0, sx / 2], [0, sy, sy / 2], [0, 0, 1]])
    half = PATCH_PX // 2
    xs = np.linspace(half, width - half, max(2, (width - PATCH_PX) // STEP_PX + 1)).astype(int)
    ys = np.linspace(half, height - half, max(2, (height - PATCH_PX) // STEP_PX + 1)).astype(int)
    plate = Plate(grey, to_mm, np.stack(np.meshgrid(xs, ys), -1).reshape(-1, 2))
    textured = np.array([plate.patch(c).std() > MIN_TEXTURE for c in plate.centres], bool)
    if reference.valid is not None:
        known = cv2.resize(reference.valid, (width, height), interpolation=cv2.INTER_AREA)
        holes = cv2.boxFilter(known, cv2.CV_32F, (PATCH_PX - 1, PATCH_PX - 1))
        textured &= holes[plate.centres[:, 1], plate.centres[:, 0]] > 0.95 * 255
    return Plate(grey, to_mm, plate.centres[textured])


def rectify(grey: Image, homography: Matrix, plate: Plate, margin: int = 0) -> NDArray[np.float32]:
    """The view on the plate's grid with ``margin`` pixels more on each side, (h, w) float32; the
    picture's edge is repeated outside."""
    height, width = (s + 2 * margin for s in plate.grey.shape)
    move = np.array([[1, 0, -margin], [0, 1, -margin], [0, 0, 1]], np.float64)
    view = cv2.warpPerspective(
        grey, homography @ plate.to_mm @ move, (width, height),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE,
    )  # fmt: skip
    return np.asarray(view, np.float32)


def as_grey(image: Image) -> Image:
    """BGR or grey to grey."""
    if image.ndim == 2:
        return image
    return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)


def refine(
    image: Image, homography: Matrix, reference: Reference, reach_px: int = 10, rounds: int = 3
) -> Fit | None:
    """Iterates patch search and robust fit; ``reach_px``: how far (plate px) the first goes.

    Returns None when the patches do not agree on any homography.
    """
    plate = plate_of(reference)
    grey = as_grey(image)
    fit: Fit | None = None
    for reach in (reach_px, max(4, reach_px // 2), 4)[:rounds]:
        fit = _step(grey, homography, plate, reach)
        if fit is None:
            return None
        homography = fit.homography
    return fit


def _step(grey: Image, homography: Matrix, plate: Plate, reach: int) -> Fit | None:
    inside = in_view(grey, homography, plate)
    if inside.sum() < MIN_PATCHES:
        return None
    view = rectify(grey, homography, plate, reach)
    found = [_search(view, plate.patch(c), c, reach) for c in plate.centres[inside]]
    quality = np.array([ncc for _, ncc in found])
    good = quality > GOOD_NCC
    if good.sum() < MIN_PATCHES:
        return None
    offsets = np.array([offset for offset, _ in found])[good]
    centres = plate.centres[inside][good] - 0.5
    source = apply(plate.to_mm, centres)
    target = apply(homography @ plate.to_mm, centres + offsets)
    cv2.setRNGSeed(1)
    rough, mask = cv2.findHomography(source, target, cv2.USAC_MAGSAC, AGREE_PX, maxIters=3000)
    if rough is None or mask is None or mask.sum() < MIN_PATCHES:
        return None
    keep = mask.ravel().astype(bool)
    source, target = source[keep], target[keep]
    result = least_squares(source, target, quality[good][keep], rough)
    distance = np.linalg.norm(apply(result, source) - target, axis=1)
    residual = float(np.sqrt(np.mean(distance**2)))
    corners = face_corners((plate.grey.shape[1], plate.grey.shape[0])) - 0.5
    spread = spread_px(result, source, max(residual, 0.2), apply(plate.to_mm, corners))
    agreeing = np.zeros(len(plate.centres), bool)
    agreeing[np.flatnonzero(inside)[good][keep]] = True
    return Fit(
        result, residual, float(keep.sum() / inside.sum()), spread, _region(agreeing, plate),
        source, target,
    )  # fmt: skip


def _region(agreeing: NDArray[np.bool_], plate: Plate) -> NDArray[np.bool_]:
    """Patches that agree together with most of those around them: print that is in full view.

    On a wrong board that shares some ornament the agreeing patches lie scattered.
    """
    apart = np.abs(plate.centres[:, None] - plate.centres[None]).max(axis=2)
    near = apart <= 1.3 * STEP_PX
    surrounded = agreeing & ((near @ agreeing.astype(float)) / near.sum(1) >= 0.6)
    # the rim is much the same on all boards
    size = np.array([plate.grey.shape[1], plate.grey.shape[0]])
    inner = ((plate.centres > PATCH_PX) & (plate.centres < size - PATCH_PX)).all(1)
    return np.asarray(surrounded & inner)


def in_view(grey: Image, homography: Matrix, plate: Plate) -> NDArray[np.bool_]:
    """Which of the plate's patches lie wholly in the picture, (N,)."""
    height, width = grey.shape[:2]
    half = PATCH_PX / 2
    inside = np.ones(len(plate.centres), bool)
    for corner in ((-half, -half), (half, -half), (half, half), (-half, half)):
        p = apply(homography @ plate.to_mm, plate.centres + np.array(corner))
        inside &= (p > 0).all(1) & (p < (width - 1, height - 1)).all(1)
    return inside


def _search(
    view: NDArray[np.float32], patch: NDArray[np.float32], centre: NDArray[np.int64], reach: int
) -> tuple[Matrix, float]:
    """Offset (plate px, to a fraction) at which the view (with ``reach`` pixels of margin) looks
    most like the patch, and how much."""
    x, y = centre - PATCH_PX // 2
    side = PATCH_PX + 2 * reach
    window = view[y : y + side, x : x + side]
    response = cv2.matchTemplate(window, patch, cv2.TM_CCOEFF_NORMED)
    _, best, _, (px, py) = cv2.minMaxLoc(response)
    offset = np.array([px - reach, py - reach], np.float64)
    rows, columns = response.shape
    if not (0 < px < columns - 1 and 0 < py < rows - 1):
        # at the edge of the window the peak can't be told from a slope
        return offset, 0.0
    offset[0] += _peak(response[py, px - 1], best, response[py, px + 1])
    offset[1] += _peak(response[py - 1, px], best, response[py + 1, px])
    return offset, float(best)


def _peak(left: float, middle: float, right: float) -> float:
    curve = left - 2 * middle + right
    if curve >= -1e-9:
        return 0.0
    # plain numbers: this runs a thousand times per look
    return min(0.5, max(-0.5, 0.5 * (float(left) - float(right)) / curve))
