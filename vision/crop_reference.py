"""The empty printed face, seen flat, laid into the detector's crop beside the picture."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.types import Crop, Image

_COARSE = 16


@dataclass(frozen=True, slots=True, eq=False)
class Reference:
    """``image``: BGR (H, W, 3) uint8 of the printed face seen flat, edge to edge.

    ``size_mm``: width and height of the face; together they map reference pixels to board mm.
    """

    image: Image
    size_mm: tuple[float, float]

    def to_mm(self) -> NDArray[np.float64]:
        """(3, 3): reference pixel centres to board mm."""
        h, w = self.image.shape[:2]
        sx, sy = self.size_mm[0] / w, self.size_mm[1] / h
        return np.array([[sx, 0, sx / 2], [0, sy, sy / 2], [0, 0, 1]])

    def shrunk(self, long_side: int) -> Reference:
        """The same face with at most ``long_side`` pixels on its longer side."""
        scale = long_side / max(self.image.shape[:2])
        if scale >= 1:
            return self
        small = cv2.resize(self.image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        return Reference(np.asarray(small, np.uint8), self.size_mm)


def warp_reference(
    reference: Reference, homography: NDArray[np.float64], crop: Crop
) -> tuple[Image, Image]:
    """The reference as the pose sees it in the crop, BGR, and its validity mask (0 or 255).

    ``homography``: (3, 3) board mm to image px.
    """
    affine = np.vstack([crop.image_to_crop, [0, 0, 1]])
    to_crop = affine @ homography
    seen = cv2.warpPerspective(
        reference.image, to_crop @ reference.to_mm(), crop.size,
        flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE,
    )  # fmt: skip
    w, h = reference.size_mm
    corners = np.array([[(0, 0), (w, 0), (w, h), (0, h)]], np.float64)
    quad = cv2.perspectiveTransform(corners, to_crop)[0]
    mask = np.zeros(seen.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.round(quad * 16).astype(np.int32), 255, cv2.LINE_8, 4)
    return np.asarray(seen, np.uint8), mask


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
    matched = np.clip(seen * gain + (offset + full), 0, 255)
    return np.where(mask[..., None] > 0, matched, 0).astype(np.uint8)


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
