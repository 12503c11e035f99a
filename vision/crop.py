"""The detector's window: a crop around the board, scaled, not rectified.

A tablet may be held any way round.  The window is turned by quarters so that what stands up points up
in it, as in all pictures that the network has learnt from.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.types import BoardPose, Crop, Image

LONG_SIDE = 704
MARGIN = 0.15
STEP = 32
# What lies beyond the source picture is filled with this grey level.
BEYOND = 114
TALL = 0.1  # of half the board: a height to see which way is up
LEANS = 0.17  # of that height: less is to be seen of it from 80 degrees on


def crop_of(pose: BoardPose) -> Crop:
    """The window of a board, upright."""
    return crop_around(pose.corners_px, up=_up(pose))


def _up(pose: BoardPose) -> tuple[int, int]:
    """Which way of the picture (x, y) is up from the board, to a quarter turn; (0, -1) where the camera
    looks straight down and any way is as good."""
    foot = np.array([np.mean(pose.to_board(pose.corners_px), axis=0)])
    corner = np.abs(pose.to_board(pose.corners_px) - foot).max()
    height = corner * TALL
    above = pose.to_image(np.column_stack([foot, [height]]))[0]
    x, y = above - pose.to_image(foot)[0]
    extent = np.linalg.norm(pose.corners_px - pose.to_image(foot), axis=1).max()
    if np.hypot(x, y) < LEANS * TALL * extent:
        return 0, -1
    return (int(np.sign(x)), 0) if abs(x) > abs(y) else (0, int(np.sign(y)))


def crop_around(
    corners_px: NDArray[np.float64],
    long_side: int = LONG_SIDE,
    margin: float = MARGIN,
    up: tuple[int, int] = (0, -1),
) -> Crop:
    """Window around the quadrilateral ``corners_px`` (4, 2), ``margin`` of its box on each side.

    The longer side becomes ``long_side`` pixels, the shorter is widened to a multiple of 32.  ``up``: the
    direction of the picture (x, y) that is up in the window.
    """
    turn = np.array([[-up[1], up[0]], [-up[0], -up[1]]], np.float64)
    corners = np.asarray(corners_px, np.float64) @ turn.T
    low, high = corners.min(0), corners.max(0)
    extent = np.maximum(high - low, 1.0) * (1 + 2 * margin)
    scale = long_side / extent.max()
    size = np.ceil(extent * scale / STEP - 1e-6).astype(int) * STEP
    shift = (size - 1) / 2 - scale * (low + high) / 2
    affine = np.column_stack([scale * turn, shift])
    return Crop(affine, (int(size[0]), int(size[1])))


def whole_of(size: tuple[int, int]) -> Crop:
    """The window that is all of a picture of this (width, height), as it is."""
    return Crop(np.eye(2, 3), size)


def cut(image: Image, crop: Crop) -> Image:
    """The crop's pixels (height, width, 3) uint8; grey where the picture ends.

    Shrinking averages over the source pixels, so thin lines do not flicker.
    """
    scale = crop.scale
    affine = crop.image_to_crop.copy()
    if scale < 0.75:
        small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        ratio = np.array([small.shape[1] / image.shape[1], small.shape[0] / image.shape[0]])
        # Pixel centres: small = ratio * (image + 0.5) - 0.5.
        affine[:, :2] /= ratio
        affine[:, 2] += affine[:, :2] @ (0.5 - 0.5 * ratio)
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
