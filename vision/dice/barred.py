"""Where no die can lie, however much a place looks so: what shows the print, and other pieces.

Printed numbers in white fields, bright spots and the battlements of ruins look like dice to the finder.
What the empty board shows at the same place was not thrown there, and a piece is no die.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.board import Board
from vision.crop_reference import warp_reference
from vision.reference import Reference
from vision.seen import ReadPiece
from vision.silhouettes import box_outline, outline
from vision.types import BoardPose, Crop, Image

SAME_NCC = 0.6  # correlation with the print from which on a place shows it
FLAT = 3.0  # grey levels: with less structure nothing can be told, and no die is seen either
WINDOW = 1.2  # of a side: what is compared
FAR_PX = 1e5  # farther off the picture nothing is drawn
RIM = 5  # px about a window that its blur reaches to
SOFT_PX = 1.0  # print and picture are blurred alike, so that a hair's shift does no harm


def bodies(
    shape: tuple[int, int], pose: BoardPose, board: Board, pieces: Iterable[ReadPiece]
) -> NDArray[np.bool_]:
    """(H, W) bool: whether a pixel shows one of these pieces, as far as their sizes are known."""
    mask = np.zeros(shape, np.uint8)
    for piece in pieces:
        _, _, height = board.size_of(piece.kind)
        if piece.kind == "ruin":
            for spot in piece.spots:
                at = np.array(board.centres[spot])
                _fill(mask, box_outline(pose, at, board.cell_size_mm, height))
        elif piece.spots:
            _fill(mask, _standing(pose, piece, board.size_of(piece.kind)))
    return mask > 0


def _standing(
    pose: BoardPose, piece: ReadPiece, size: tuple[float, float, float]
) -> NDArray[np.float64]:
    x, y = piece.at_mm
    wide = max(size[:2])
    points = np.array([(x, y, 0), (x, y, size[2]), (x + wide, y, 0), (x, y + wide, 0)], float)
    foot, top, *aside = pose.to_image(points)
    return outline(foot, top, max(float(np.linalg.norm(p - foot)) for p in aside))


def _fill(mask: Image, polygon: NDArray[np.float64]) -> None:
    if np.isfinite(polygon).all() and np.abs(polygon).max() < FAR_PX:
        cv2.fillConvexPoly(mask, np.round(polygon).astype(np.int32), 1)


def shows_print(
    image: Image, pose: BoardPose, reference: Reference, at_px: tuple[float, float], side_px: float
) -> bool:
    """Whether the surroundings of a point, about a die's side, show the print."""
    height, width = image.shape[:2]
    n = max(3, round(WINDOW * side_px))
    x, y = round(at_px[0]) - n // 2, round(at_px[1]) - n // 2
    x0, y0, x1, y1 = max(x, 0), max(y, 0), min(x + n, width), min(y + n, height)
    left, top = max(x0 - RIM, 0), max(y0 - RIM, 0)
    right, bottom = min(x1 + RIM, width), min(y1 + RIM, height)
    moved = np.array([[1.0, 0.0, -left], [0.0, 1.0, -top]])
    window = Crop(moved, (right - left, bottom - top))
    seen, known = warp_reference(reference, pose.homography, window)
    own = np.s_[y0 - top : y1 - top, x0 - left : x1 - left]
    if not known[own].all():
        return False
    a, b = (_soft(p)[own] for p in (image[top:bottom, left:right], seen))
    var_a, var_b = float(a.var()), float(b.var())
    both = float(((a - a.mean()) * (b - b.mean())).mean())
    return min(var_a, var_b) > FLAT**2 and both > SAME_NCC * math.sqrt(var_a * var_b)


def lies_in(mask: NDArray[np.bool_], at_px: tuple[float, float]) -> bool:
    """Whether the mask (H, W) holds at a point of the picture; beyond its edges it does not."""
    return in_picture(mask.shape, at_px) and bool(mask[round(at_px[1]), round(at_px[0])])


def in_picture(shape: tuple[int, ...], at_px: tuple[float, float]) -> bool:
    """Whether a point lies on a pixel of a picture (H, W, …)."""
    return 0 <= round(at_px[1]) < shape[0] and 0 <= round(at_px[0]) < shape[1]


def _soft(image: Image) -> NDArray[np.float32]:
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY).astype(np.float32)
    return np.asarray(cv2.GaussianBlur(grey, (0, 0), SOFT_PX), np.float32)
