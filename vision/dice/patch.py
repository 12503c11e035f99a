"""The window that is cut out about the top face of a die, scaled and turned upright."""

from __future__ import annotations

import math

import cv2
import numpy as np

from vision.types import BoardPose, FloatArray, Image

PATCH_PX = 64
SIDE_PX = 28.0  # one side of a die in the patch
SHARPEST = 0.35  # blur before shrinking, in px of the patch
# Less of the vertical than this share of a side is seen: the view is from straight above.
LEAST_LEAN = 0.15
# Contrast weaker than this many grey levels is not stretched to the full.
LEAST_CONTRAST = 8.0


def cut_patch(
    image: Image, centre_px: tuple[float, float], side_px: float, turn: float = 0.0
) -> Image:
    """(PATCH_PX, PATCH_PX, 3) about ``centre_px``, where a die of ``side_px`` measures SIDE_PX.

    ``turn``: angle (radians, clockwise as seen) by which the picture's vertical leans from up.
    """
    scale = SIDE_PX / max(side_px, 1.0)
    c, s = scale * math.cos(turn), scale * math.sin(turn)
    middle = (PATCH_PX - 1) / 2
    reach = math.ceil(0.75 * PATCH_PX / scale) + 2
    x0, y0 = max(int(centre_px[0]) - reach, 0), max(int(centre_px[1]) - reach, 0)
    x1, y1 = int(centre_px[0]) + reach + 1, int(centre_px[1]) + reach + 1
    part = image[y0 : max(y1, 0), x0 : max(x1, 0)]
    if part.size == 0:
        return np.zeros((PATCH_PX, PATCH_PX, 3), np.uint8)
    if scale < 0.8:
        part = cv2.GaussianBlur(part, (0, 0), SHARPEST / scale)
    x, y = centre_px[0] - x0, centre_px[1] - y0
    affine = np.array([[c, s, middle - c * x - s * y], [-s, c, middle + s * x - c * y]])
    return np.asarray(
        cv2.warpAffine(
            part, affine, (PATCH_PX, PATCH_PX), flags=cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        ),
        np.uint8,
    )  # fmt: skip


def patch_input(patch: Image) -> FloatArray:
    """(1, 3, PATCH_PX, PATCH_PX) float32 for the network, BGR, of one brightness and contrast."""
    values = patch.astype(np.float32)
    values = (values - values.mean()) / (values.std() + np.float32(LEAST_CONTRAST))
    return np.ascontiguousarray(values.transpose(2, 0, 1)[None])


def seen_at(
    pose: BoardPose, at_mm: tuple[float, float], size_mm: float
) -> tuple[tuple[float, float], float, float]:
    """(middle of the top face in px, side in px, turn) of a die on the board's plane."""
    x, y = at_mm
    half = size_mm / 2
    centre = np.array([x, y, half])
    steps = np.array([[0, 0, 0], [half, 0, 0], [0, half, 0], [0, 0, half]])
    low, ahead = pose.to_image(centre - steps), pose.to_image(centre + steps)
    jacobian = (ahead[1:] - low[1:]).T  # (2, 3) px per side
    side = float(np.linalg.svd(jacobian, compute_uv=False)[0])
    top = pose.to_image(np.array([[x, y, size_mm]]))[0]
    up = jacobian[:, 2]
    lean = float(np.hypot(*up)) / max(side, 1e-6)
    turn = math.atan2(up[0], -up[1]) if lean > LEAST_LEAN else 0.0
    return (float(top[0]), float(top[1])), side, turn


def board_below(
    pose: BoardPose, centre_px: tuple[float, float], size_mm: float
) -> tuple[float, float]:
    """Board mm where a die stands whose top face's middle is seen at ``centre_px``."""
    camera = pose.camera
    plane = np.column_stack([camera[:, 0], camera[:, 1], size_mm * camera[:, 2] + camera[:, 3]])
    x, y, w = np.linalg.inv(plane) @ np.array([*centre_px, 1.0])
    return float(x / w), float(y / w)
