"""How much of each piece a camera sees, when the pieces are taken for boxes."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.board import Board
from vision.shapes import shape_of
from vision.silhouettes import box_outline, camera_centre_mm
from vision.types import BoardPose

SCALE = 0.5  # of the picture: enough for a rough share


def visible_shares(
    pieces: Sequence[tuple[str, tuple[str, ...]]],
    pose: BoardPose,
    board: Board,
    size_px: tuple[int, int],
) -> list[float]:
    """The share, 0 to 1, of every piece's outline that lies in the picture of (width, height) and is
    hidden by no other piece.  ``pieces``: (kind, spots), each in the middle of its spots."""
    camera = camera_centre_mm(pose)[:2]
    boxes = [
        (float(np.linalg.norm(at - camera)), i, box_outline(pose, at, side, height))
        for i, (kind, spots) in enumerate(pieces)
        for at, side, height in _boxes(kind, spots, board)
    ]
    owner = np.full((round(size_px[1] * SCALE), round(size_px[0] * SCALE)), -1, np.int32)
    for _, i, outline in sorted(boxes, key=lambda box: -box[0]):
        cv2.fillConvexPoly(owner, _points(outline), i)
    seen = np.bincount(owner[owner >= 0], minlength=len(pieces))
    return [float(min(1.0, seen[i] / _whole(i, boxes))) for i in range(len(pieces))]


def _boxes(
    kind: str, spots: tuple[str, ...], board: Board
) -> list[tuple[NDArray[np.float64], float, float]]:
    """(middle, side, height) in mm; a wall is one box per cell."""
    centres = np.array([board.centres[s] for s in spots], np.float64)
    wide, deep, height = board.size_of(kind)
    if shape_of(kind, board) == "l_wall":
        return [(c, board.cell_size_mm, height) for c in centres]
    return [(centres.mean(axis=0), (wide + deep) / 2, height)]


def _whole(piece: int, boxes: list[tuple[float, int, NDArray[np.float64]]]) -> int:
    """Pixels of the whole piece, were it alone and the picture without an edge."""
    outlines = [_points(outline) for _, i, outline in boxes if i == piece]
    low = np.concatenate(outlines).min(axis=0)
    wide, high = np.concatenate(outlines).max(axis=0) - low + 1
    mask = np.zeros((int(high), int(wide)), np.uint8)
    for points in outlines:
        cv2.fillConvexPoly(mask, points - low, 1)
    return max(1, int(mask.sum()))


def _points(outline: NDArray[np.float64]) -> NDArray[np.int32]:
    return np.asarray(np.round(outline * SCALE), np.int32)
