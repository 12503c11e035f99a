"""Where the camera stands, against cameras that were put there."""

from __future__ import annotations

import numpy as np
import pytest

from calibration.standing import standing_of
from engine.board import load_board
from vision.registration.pose import pose_from_corners

SIZE = (1280, 720)


def pose_at(elevation_deg: float, distance: float = 1100.0, turn_deg: float = 0.0, aside: float = 0.0):  # fmt: skip
    """A pose of the reference board seen by a camera at an elevation, focal length 0.9 widths."""
    board = load_board("reference", "hexagon")
    width, height = board.size_mm
    up, turn, focal = np.radians(elevation_deg), np.radians(turn_deg), 0.9 * SIZE[0]
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]]) - board.size_mm[0] / 2
    x = np.cos(turn) * corners[:, 0] - np.sin(turn) * corners[:, 1]
    y = np.sin(turn) * corners[:, 0] + np.cos(turn) * corners[:, 1]
    # camera: x right, y down, z away; the table's y runs towards the camera
    depth = distance - y * np.cos(up)
    u = SIZE[0] / 2 - 0.5 + aside + focal * x / depth
    v = SIZE[1] / 2 - 0.5 + focal * y * np.sin(up) / depth
    pose = pose_from_corners(np.stack([u, v], axis=1), board.size_mm, SIZE, "corners")
    return standing_of(pose, board, SIZE)


@pytest.mark.parametrize("elevation", [30.0, 45.0, 60.0, 75.0])
@pytest.mark.parametrize("turn", [0.0, 90.0, 200.0])
def test_the_elevation_is_measured_from_any_side(elevation: float, turn: float) -> None:
    assert pose_at(elevation, turn_deg=turn).elevation_deg == pytest.approx(elevation, abs=4)


def test_from_straight_above_the_cell_has_the_size_it_has() -> None:
    found = pose_at(89.9)
    board = load_board("reference", "hexagon")
    assert found.cell_px == pytest.approx(board.cell_size_mm * 0.9 * SIZE[0] / 1100, rel=0.02)
    assert found.in_view == 1.0


@pytest.mark.parametrize(
    ("standing", "advice"),
    [
        (pose_at(65), ""),
        (pose_at(35), "higher"),
        (pose_at(65, distance=4500), "nearer"),
        (pose_at(65, aside=600), "into_view"),
        (pose_at(89.9), "lower"),
    ],
)
def test_the_advice_names_the_one_thing_to_change(standing, advice: str) -> None:
    assert standing.advice == advice
