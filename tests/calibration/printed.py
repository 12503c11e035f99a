"""Boards as printed, and seen lying on a table."""

from __future__ import annotations

import cv2
import numpy as np

from calibration.drawn_views import face_of
from vision.types import Image

__all__ = ["face_of", "table_with"]

TABLE = (52, 74, 92)


def table_with(face: Image, corners_px: np.ndarray, size: tuple[int, int]) -> Image:
    """A picture of (width, height) with the face lying on a plain table."""
    rim = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32) * face.shape[1::-1] - 0.5
    warp = cv2.getPerspectiveTransform(rim.astype(np.float32), corners_px.astype(np.float32))
    table = np.full((size[1], size[0], 3), TABLE, np.uint8)
    shown = cv2.warpPerspective(
        face, warp, size, table, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_TRANSPARENT
    )
    return np.asarray(shown, np.uint8)
