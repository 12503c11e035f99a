"""The board on a grid of millimetres with a margin around the face, on which views are compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.board import Board
from engine.geometry import Point
from vision.reference import Reference
from vision.types import BoardPose, Image

Matrix = NDArray[np.float64]
Mask = NDArray[np.bool_]

STEP_MM = 1.75
MAX_CELLS = 640
MARGIN = 0.16  # of the face's longer side


@dataclass(frozen=True, eq=False)
class Grid:
    """Board mm on a grid: pixel (0, 0) lies ``margin_mm`` left of and above the face."""

    step_mm: float
    margin_mm: float
    size: tuple[int, int]
    face: Mask
    spots: Mapping[str, tuple[NDArray[np.int64], NDArray[np.int64]]]

    @property
    def to_mm(self) -> Matrix:
        """(3, 3) grid px to board mm."""
        offset = self.step_mm / 2 - self.margin_mm
        return np.array([[self.step_mm, 0, offset], [0, self.step_mm, offset], [0, 0, 1]])

    def to_px(self, points_mm: Matrix) -> Matrix:
        """(N, 2) board mm to grid px."""
        points = np.asarray(points_mm, np.float64)
        return np.asarray((points + self.margin_mm) / self.step_mm - 0.5)


def grid_of(board: Board) -> Grid:
    """The comparison grid of a board; make it once."""
    return grid_from(board.size_mm, board.spots)


def grid_from(size_mm: tuple[float, float], polygons: Mapping[str, Sequence[Point]]) -> Grid:
    """The comparison grid of a face with these spots, polygons in its millimetres."""
    width, height = size_mm
    margin = MARGIN * max(width, height)
    step = max(STEP_MM, (max(width, height) + 2 * margin) / MAX_CELLS)
    size = (round((width + 2 * margin) / step), round((height + 2 * margin) / step))
    empty = Grid(step, margin, size, np.zeros((size[1], size[0]), bool), {})
    face = np.zeros((size[1], size[0]), np.uint8)
    corners = empty.to_px(np.array([[0, 0], [width, 0], [width, height], [0, height]], float))
    cv2.fillConvexPoly(face, np.rint(corners).astype(np.int32), 1)
    spots = {}
    for spot, polygon in polygons.items():
        mask = np.zeros_like(face)
        cv2.fillPoly(mask, [np.rint(empty.to_px(np.array(polygon))).astype(np.int32)], 1)
        spots[spot] = np.nonzero(mask)
    return Grid(step, margin, size, face.astype(bool), spots)


@dataclass(frozen=True, eq=False)
class View:
    """A picture on the grid: ``pixels`` (h, w, 3) uint8 BGR; ``seen`` (h, w): in the picture."""

    pixels: Image
    seen: Mask


def view_of(image: Image, pose: BoardPose, grid: Grid) -> View:
    """Rectifies a picture; what stands up is drawn away from the camera, as it must be."""
    warp = pose.homography @ grid.to_mm
    scale = _px_per_step(pose, grid)
    if scale > 1.6:
        # else thin lines would come and go with the sampling
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), 0.4 * scale), np.uint8)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    pixels = cv2.warpPerspective(image, warp, grid.size, flags=flags)
    seen = _in_picture(warp, (image.shape[1], image.shape[0]), grid.size)
    return View(np.asarray(pixels, np.uint8), seen)


def _px_per_step(pose: BoardPose, grid: Grid) -> float:
    sides = np.linalg.norm(np.roll(pose.corners_px, -1, axis=0) - pose.corners_px, axis=1)
    around = 2 * (sum(grid.size) * grid.step_mm - 4 * grid.margin_mm)
    return float(sides.sum() / around * grid.step_mm)


def _in_picture(warp: Matrix, image_size: tuple[int, int], size: tuple[int, int]) -> Mask:
    """Grid pixels that lie in the picture and not behind the horizon, (h, w)."""
    right, bottom = image_size[0] - 1, image_size[1] - 1
    frame = np.array([[0, 0, 1], [right, 0, 1], [right, bottom, 1], [0, bottom, 1]], np.float64)
    inverse = np.linalg.inv(warp)
    back = frame @ inverse.T
    centre = warp @ np.array([size[0] / 2, size[1] / 2, 1.0])
    depth = back[:, 2] * np.sign(inverse[2] @ centre)
    if (depth > 1e-9 * np.abs(back).max()).all():
        mask = np.zeros((size[1], size[0]), np.uint8)
        corners = np.clip(back[:, :2] / back[:, 2:3], -16000, 16000)
        cv2.fillConvexPoly(mask, np.rint(corners * 16).astype(np.int32), 1, shift=4)
        # the outermost pixel is interpolated with nothing
        return np.asarray(cv2.erode(mask, np.ones((3, 3), np.uint8), borderValue=1) > 0)
    # a picture corner shows more than the horizon: ask every grid pixel
    x, y = np.meshgrid(np.arange(size[0]), np.arange(size[1]))
    q = np.stack([x, y, np.ones_like(x)], -1) @ warp.T
    ahead = q[..., 2] * np.sign(centre[2]) > 0
    u, v = (q[..., i] / np.where(ahead, q[..., 2], 1.0) for i in (0, 1))
    return np.asarray(ahead & (u >= 0) & (v >= 0) & (u <= right) & (v <= bottom))


def print_view(reference: Reference, grid: Grid) -> View:
    """The empty board on the grid; ``seen`` is the face."""
    sx, sy = reference.px_per_mm
    to_picture = np.array([[sx, 0, -0.5], [0, sy, -0.5], [0, 0, 1]]) @ grid.to_mm
    image = reference.image
    if sx * grid.step_mm > 1.6:
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), 0.4 * sx * grid.step_mm), np.uint8)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    seen = grid.face
    if reference.valid is not None:
        seen = seen & (
            cv2.warpPerspective(reference.valid, to_picture, grid.size, flags=flags) > 250
        )
    pixels = cv2.warpPerspective(image, to_picture, grid.size, flags=flags)
    return View(np.asarray(pixels, np.uint8), seen)
