"""Arms over the board, told from change alone: it crosses the rim and goes on outwards."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from vision.board_grid import Grid, Mask
from vision.types import FloatArray

CHANGED = 14.0  # grey levels
MIN_ARM_MM = 22.0
MIN_INSIDE_MM2 = 600.0
MIN_OUTSIDE_MM2 = 1500.0
CLOSE_MM = 9.0
OUT_PX = 4


@dataclass(frozen=True, eq=False)
class HandBlob:
    """Change that runs over the rim.  ``mask`` on the grid; areas in mm²; ``reaches_out``: it goes
    on to the edge of the picture or of the margin, as an arm does."""

    mask: Mask
    inside_mm2: float
    outside_mm2: float
    rim_mm: float
    reaches_out: bool


def find_hands(levels: FloatArray, seen: Mask, grid: Grid) -> list[HandBlob]:
    """Blobs of change that cross the rim of the face and go on outwards, broad as an arm.

    A tall piece at the edge leans over the rim but ends there; a thing beside the board does not
    come in; a card half over the rim ends within the margin.
    """
    changed = ((levels > CHANGED) & seen).astype(np.uint8)
    changed = cv2.morphologyEx(changed, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8))
    side = 2 * round(CLOSE_MM / grid.step_mm / 2) + 1
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
    closed = cv2.morphologyEx(changed, cv2.MORPH_CLOSE, kernel)
    _, labels, stats, _ = cv2.connectedComponentsWithStats(closed, connectivity=8)
    out = _way_out(seen)
    rim = grid.face & (cv2.erode(grid.face.astype(np.uint8), np.ones((3, 3), np.uint8)) == 0)
    cell = grid.step_mm**2
    blobs = []
    for label in np.flatnonzero(stats[:, cv2.CC_STAT_AREA] * cell >= MIN_INSIDE_MM2):
        x, y, width, height = (int(v) for v in stats[label, :4])
        box = np.s_[y : y + height, x : x + width]
        part = labels[box] == label
        if label == 0 or not (part & rim[box]).any():
            continue
        mask = np.zeros(seen.shape, bool)
        mask[box] = part
        inside = float((part & grid.face[box]).sum() * cell)
        outside = float((part & ~grid.face[box]).sum() * cell)
        rim_mm = float((part & rim[box]).sum() * grid.step_mm)
        reach_mm = float((part & out[box]).sum() * grid.step_mm / OUT_PX)
        blob = HandBlob(mask, inside, outside, rim_mm, reach_mm >= MIN_ARM_MM)
        if inside >= MIN_INSIDE_MM2 and rim_mm >= MIN_ARM_MM and _is_arm(blob):
            blobs.append(blob)
    return blobs


def _is_arm(blob: HandBlob) -> bool:
    if blob.reaches_out:
        return True
    # the picture's edge cuts off what is outside: much inside must do
    return blob.outside_mm2 >= MIN_OUTSIDE_MM2 and blob.inside_mm2 >= 4 * MIN_OUTSIDE_MM2


def _way_out(seen: Mask) -> Mask:
    """The outermost seen pixels, OUT_PX wide: the edge of the margin or of the picture."""
    padded = np.pad(seen, OUT_PX).astype(np.uint8)
    side = 2 * OUT_PX + 1
    inner = cv2.erode(padded, np.ones((side, side), np.uint8))
    return np.asarray(seen & (inner[OUT_PX:-OUT_PX, OUT_PX:-OUT_PX] == 0))
