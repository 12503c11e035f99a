"""Where no die can lie, however much a place looks so: what shows the print, and other pieces.

Printed numbers in white fields, bright spots and the battlements of ruins look like dice to the finder.
What the empty board shows at the same place was not thrown there, and a piece is no die.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.board import Board
from vision.crop import whole_of
from vision.crop_reference import warp_reference
from vision.reference import Reference
from vision.seen import ReadPiece
from vision.silhouettes import box_outline, outline
from vision.types import BoardPose, Image

SAME_NCC = 0.6  # correlation with the print from which on a place shows it
FLAT = 3.0  # grey levels: with less structure nothing can be told, and no die is seen either
WINDOW = 1.2  # of a side: what is compared
FAR_PX = 1e5  # farther off the picture nothing is drawn
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


def printed(
    image: Image, pose: BoardPose, reference: Reference, side_px: float
) -> NDArray[np.bool_]:
    """(H, W) bool: whether the surroundings of a pixel, about a die's side, show the print."""
    height, width = image.shape[:2]
    n = max(3, round(WINDOW * side_px))
    b, mean_b, var_b, inside = _face(pose, reference, (width, height), n)
    a = _soft(image)
    mean_a = _mean(a, n)
    var_a = _mean(a * a, n) - mean_a**2
    both = _mean(a * b, n) - mean_a * mean_b
    ncc = both / np.sqrt(np.maximum(var_a, 0.0) * np.maximum(var_b, 0.0) + 1e-6)
    structured = np.minimum(var_a, var_b) > FLAT**2
    return np.asarray(inside & structured & (ncc > SAME_NCC))


@lru_cache(maxsize=1)
def _face(
    pose: BoardPose, reference: Reference, size: tuple[int, int], n: int
) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32], NDArray[np.bool_]]:
    """The print as the picture would show it, (H, W) each: its grey levels, their mean and variance in
    windows of ``n``, and which of these lie on the print.  The same for as long as nothing moves."""
    seen, known = warp_reference(reference, pose.homography, whole_of(size))
    face = _soft(seen)
    mean = _mean(face, n)
    inside = cv2.erode(known, np.ones((n, n), np.uint8)) > 0
    return face, mean, _mean(face * face, n) - mean**2, np.asarray(inside)


def _soft(image: Image) -> NDArray[np.float32]:
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY).astype(np.float32)
    return np.asarray(cv2.GaussianBlur(grey, (0, 0), SOFT_PX), np.float32)


def _mean(values: NDArray[np.float32], n: int) -> NDArray[np.float32]:
    return np.asarray(cv2.blur(values, (n, n)), np.float32)
