"""The detector's window: a crop around the board, scaled, not rectified."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.types import Crop, Image

LONG_SIDE = 704
MARGIN = 0.15
STEP = 32
# What lies beyond the source picture is filled with this grey level.
BEYOND = 114


def crop_around(
    corners_px: NDArray[np.float64], long_side: int = LONG_SIDE, margin: float = MARGIN
) -> Crop:
    """Window around the quadrilateral ``corners_px`` (4, 2), ``margin`` of its box on each side.

    The longer side becomes ``long_side`` pixels, the shorter is widened to a multiple of 32.
    """
    corners = np.asarray(corners_px, np.float64)
    low, high = corners.min(0), corners.max(0)
    extent = np.maximum(high - low, 1.0) * (1 + 2 * margin)
    scale = long_side / extent.max()
    size = np.ceil(extent * scale / STEP - 1e-6).astype(int) * STEP
    shift = (size - 1) / 2 - scale * (low + high) / 2
    affine = np.array([[scale, 0, shift[0]], [0, scale, shift[1]]])
    return Crop(affine, (int(size[0]), int(size[1])))


def cut(image: Image, crop: Crop) -> Image:
    """The crop's pixels (height, width, 3) uint8; grey where the picture ends.

    Shrinking averages over the source pixels, so thin lines do not flicker.
    """
    scale = float(crop.image_to_crop[0, 0])
    affine = crop.image_to_crop.copy()
    if scale < 0.75:
        small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        ratio = np.array([small.shape[1] / image.shape[1], small.shape[0] / image.shape[0]])
        # Pixel centres: small = ratio * (image + 0.5) - 0.5.
        affine[:, :2] = np.diag(scale / ratio)
        affine[:, 2] += scale / ratio * (0.5 - 0.5 * ratio)
        image = np.asarray(small, np.uint8)
    out = cv2.warpAffine(
        image, affine, crop.size, flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_CONSTANT, borderValue=(BEYOND, BEYOND, BEYOND),
    )  # fmt: skip
    return np.asarray(out, np.uint8)


def to_crop(points_px: NDArray[np.float64], crop: Crop) -> NDArray[np.float64]:
    """(N, 2) image px to crop px."""
    return np.asarray(points_px @ crop.image_to_crop[:, :2].T + crop.image_to_crop[:, 2])


def to_image(points_crop: NDArray[np.float64], crop: Crop) -> NDArray[np.float64]:
    """(N, 2) crop px to image px."""
    inverse = np.linalg.inv(crop.image_to_crop[:, :2])
    return np.asarray((points_crop - crop.image_to_crop[:, 2]) @ inverse.T)
