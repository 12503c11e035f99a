"""The square that is cut out about one tile, seen from straight above."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.types import FloatArray, Image

PATCH_PX = 80
TILE_PX = 64  # side of the tile in the patch; the rest is the rim about it
LEAST_CONTRAST = 8.0
SHARPEST = 0.4  # blur before shrinking, in px of the patch


def cut_patches(
    image: Image, to_image: NDArray[np.float64], centres: NDArray[np.float64],
    turns: NDArray[np.float64] | None = None, tile_px: float = TILE_PX, side: int = PATCH_PX,
) -> list[Image]:  # fmt: skip
    """(side, side, 3) pictures about tiles.

    ``to_image`` (3, 3): lattice to image px, where one tile is 1 by 1; ``centres`` (N, 2) in the
    lattice; ``turns`` (N,): radians clockwise by which the tiles lie crooked.
    """
    middle = (side - 1) / 2
    patches, blurred = [], {}
    for n, (x, y) in enumerate(np.asarray(centres, np.float64)):
        a = 0.0 if turns is None else float(turns[n])
        c, s = np.cos(a) / tile_px, np.sin(a) / tile_px
        to_lattice = np.array(
            [[c, -s, x - (c - s) * middle], [s, c, y - (s + c) * middle], [0, 0, 1]]
        )
        warp = to_image @ to_lattice
        shrink = _px_per_px(warp, middle)
        level = 0 if shrink < 1.4 else 1 if shrink < 2.4 else 2
        if level not in blurred:
            source = image
            if level:
                source = cv2.GaussianBlur(image, (0, 0), SHARPEST * (1.9 if level == 1 else 3.2))
            blurred[level] = source
        patches.append(
            np.asarray(
                cv2.warpPerspective(
                    blurred[level], warp, (side, side),
                    flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE,
                ),
                np.uint8,
            )
        )  # fmt: skip
    return patches


def _px_per_px(warp: NDArray[np.float64], middle: float) -> float:
    """Image px per patch px in the middle of the patch."""
    points = (
        np.array([(middle, middle, 1), (middle + 1, middle, 1), (middle, middle + 1, 1)]) @ warp.T
    )
    px = points[:, :2] / points[:, 2:]
    return float(np.sqrt(abs(np.linalg.det(px[1:] - px[0]))))


def patches_input(patches: list[Image]) -> FloatArray:
    """(N, 3, side, side) float32, BGR, each of one brightness and contrast."""
    values = np.stack(patches).astype(np.float32)
    mean = values.mean((1, 2, 3), keepdims=True)
    spread = values.std((1, 2, 3), keepdims=True)
    values = (values - mean) / (spread + np.float32(LEAST_CONTRAST))
    return np.ascontiguousarray(values.transpose(0, 3, 1, 2))
