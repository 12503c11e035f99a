"""Where the camera stands: how steeply it looks, and how well the farthest cell is seen."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.board import Board
from vision.types import BoardPose

Matrix = NDArray[np.float64]
BEST_DEG = (55.0, 80.0)
LOW_DEG = 45.0  # from there down tall pieces hide cells
STEEP_DEG = 86.0  # above it tall pieces hide their own feet and lamps mirror themselves
LEAST_CELL_PX = 14.0


@dataclass(frozen=True, slots=True)
class Standing:
    """``elevation_deg``: of the camera above the table, seen from the board's middle; ``in_view``:
    share of the cells whose middle is in the picture; ``cell_px``: height or width, whichever is
    less, of the cell that is seen smallest."""

    elevation_deg: float
    in_view: float
    cell_px: float

    @property
    def advice(self) -> str:
        """The one thing to change: "into_view", "nearer", "higher", "lower", or "" for none."""
        if self.in_view < 1.0:
            return "into_view"
        if self.elevation_deg < LOW_DEG:
            return "higher"
        if self.cell_px < LEAST_CELL_PX:
            return "nearer"
        return "lower" if self.elevation_deg > STEEP_DEG else ""


def standing_of(pose: BoardPose, board: Board, size_px: tuple[int, int]) -> Standing:
    """Measures a pose in pictures of (width, height)."""
    centres = np.array([board.centres[c] for c in board.cells], np.float64)
    seen = pose.to_image(centres)
    inside = (seen >= -0.5).all(axis=1) & (seen <= np.array(size_px) - 0.5).all(axis=1)
    return Standing(
        _elevation(pose, board), float(inside.mean()), float(_cell_px(pose, board, centres).min())
    )


def _elevation(pose: BoardPose, board: Board) -> float:
    # the camera's centre is where its projection has no value
    *_, rows = np.linalg.svd(pose.camera)
    where = rows[-1][:3] / rows[-1][3]
    away = where - np.array([board.size_mm[0] / 2, board.size_mm[1] / 2, 0.0])
    return float(np.degrees(np.arctan2(abs(away[2]), np.hypot(away[0], away[1]))))


def _cell_px(pose: BoardPose, board: Board, centres: Matrix) -> Matrix:
    """Per cell the shorter axis of the ellipse that a circle as wide as a cell becomes."""
    half = board.cell_size_mm / 2
    along, across = np.array([half, 0.0]), np.array([0.0, half])
    x = pose.to_image(centres + along) - pose.to_image(centres - along)
    y = pose.to_image(centres + across) - pose.to_image(centres - across)
    jacobians = np.stack([x, y], axis=2)
    return np.asarray(np.linalg.svd(jacobians, compute_uv=False)[:, 1])
