"""The empty printed face, laid into the detector's crop and put under the picture's light."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.crop import crop_of
from vision.reference import Reference
from vision.types import BoardPose, Crop, Image

_COARSE = 16


def shrunk(reference: Reference, long_side: int) -> Reference:
    """The same face with at most ``long_side`` pixels on its longer side."""
    scale = long_side / max(reference.image.shape[:2])
    if scale >= 1:
        return reference
    small = cv2.resize(reference.image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    valid = reference.valid
    if valid is not None:
        valid = np.asarray(
            cv2.resize(valid, small.shape[1::-1], interpolation=cv2.INTER_AREA), np.uint8
        )
    return Reference(np.asarray(small, np.uint8), reference.size_mm, valid)


def _to_mm(reference: Reference) -> NDArray[np.float64]:
    """(3, 3): reference pixel centres to board mm."""
    sx, sy = (1 / s for s in reference.px_per_mm)
    return np.array([[sx, 0, sx / 2], [0, sy, sy / 2], [0, 0, 1]])


def warp_reference(
    reference: Reference, homography: NDArray[np.float64], crop: Crop
) -> tuple[Image, Image]:
    """The reference as the pose sees it in the crop, BGR, and its validity mask (0 or 255).

    ``homography``: (3, 3) board mm to image px.
    """
    affine = np.vstack([crop.image_to_crop, [0, 0, 1]])
    to_crop = affine @ homography
    seen = cv2.warpPerspective(
        reference.image, to_crop @ _to_mm(reference), crop.size,
        flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE,
    )  # fmt: skip
    w, h = reference.size_mm
    corners = np.array([[(0, 0), (w, 0), (w, h), (0, h)]], np.float64)
    quad = cv2.perspectiveTransform(corners, to_crop)[0]
    mask = np.zeros(seen.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.round(quad * 16).astype(np.int32), 255, cv2.LINE_8, 4)
    if reference.valid is not None:
        known = cv2.warpPerspective(
            reference.valid, to_crop @ _to_mm(reference), crop.size, flags=cv2.INTER_LINEAR
        )
        mask = np.where(known > 200, mask, 0).astype(np.uint8)
    return np.asarray(seen, np.uint8), mask


@lru_cache(maxsize=3)
def face_in_window(reference: Reference, pose: BoardPose) -> tuple[Image, Image]:
    """`warp_reference` in the pose's own window: the same for as long as the board stays.

    Neither may be changed.
    """
    return warp_reference(reference, pose.homography, crop_of(pose))


def match_light(seen: Image, mask: Image, picture: Image) -> Image:
    """The warped reference under the picture's light: gain and offset, then slow differences.

    Pieces are outliers of the fit.  Outside the mask the result is 0.
    """
    size = (max(2, mask.shape[1] // _COARSE), max(2, mask.shape[0] // _COARSE))
    weight = cv2.resize(mask, size, interpolation=cv2.INTER_AREA) > 250
    if weight.sum() < 12:
        return np.where(mask[..., None] > 0, seen, 0).astype(np.uint8)
    a = cv2.resize(seen, size, interpolation=cv2.INTER_AREA).astype(np.float32)
    b = cv2.resize(picture, size, interpolation=cv2.INTER_AREA).astype(np.float32)
    gain, offset = np.ones(3, np.float32), np.zeros(3, np.float32)
    for c in range(3):
        gain[c], offset[c] = _robust_line(a[..., c][weight], b[..., c][weight])
    # What is left varies slowly (lamps, gradients); the median ignores single pieces.
    rest = np.where(weight[..., None], b - (a * gain + offset), 0).astype(np.float32)
    slow = np.stack([cv2.medianBlur(np.ascontiguousarray(rest[..., c]), 5) for c in range(3)], 2)
    slow = cv2.GaussianBlur(slow, (0, 0), 1.5)
    full = cv2.resize(slow, mask.shape[::-1], interpolation=cv2.INTER_LINEAR)
    ramp = np.arange(256, dtype=np.float32)[:, None] * gain + offset
    table = np.clip(ramp, 0, 255).astype(np.uint8)[None]
    matched = cv2.add(cv2.LUT(seen, table), full, dtype=cv2.CV_8U)
    return np.asarray(cv2.bitwise_and(matched, matched, mask=mask), np.uint8)


def _robust_line(x: NDArray[np.float32], y: NDArray[np.float32]) -> tuple[float, float]:
    keep = np.ones(len(x), bool)
    gain, offset = 1.0, 0.0
    for _ in range(3):
        xs, ys = x[keep], y[keep]
        spread = float(xs.var())
        covariance = float(((xs - xs.mean()) * (ys - ys.mean())).mean())
        gain = float(np.clip(covariance / (spread + 4.0), 0.25, 4.0))
        offset = float(np.median(ys - gain * xs))
        error = np.abs(y - gain * x - offset)
        keep = error <= np.quantile(error, 0.75) + 1.0
    return gain, offset
