"""A tablet held any way round: the same pieces at the same places (case 31)."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from companion_app.benchmark.table import demo_table
from companion_app.demo_game import demo_folder
from tests.vision.drawn import draw_table, piece
from vision.crop import crop_of, cut, to_crop
from vision.detector import Detector
from vision.registration.pose import pose_from_corners

TURNS = {90: cv2.ROTATE_90_CLOCKWISE, 180: cv2.ROTATE_180, 270: cv2.ROTATE_90_COUNTERCLOCKWISE}


def rolled(image, board, corners, degrees):
    """The picture and the pose as they are with the camera turned, and the way of points into it."""
    height, width = image.shape[:2]
    way = {
        90: lambda p: np.column_stack([height - 1 - p[:, 1], p[:, 0]]),
        180: lambda p: np.array([width - 1, height - 1]) - p,
        270: lambda p: np.column_stack([p[:, 1], width - 1 - p[:, 0]]),
    }[degrees]
    turned = cv2.rotate(image, TURNS[degrees])
    size = (turned.shape[1], turned.shape[0])
    return turned, pose_from_corners(way(corners), board.size_mm, size, "corners"), way


@pytest.mark.parametrize("degrees", TURNS)
def test_the_window_stands_upright_and_shows_the_same(degrees: int) -> None:
    table = draw_table([piece("wizard", "violet", "c3"), piece("goblin", "black", "m4")])
    image, pose, way = rolled(table.image, table.board, table.pose.corners_px, degrees)
    upright, turned = crop_of(table.pose), crop_of(pose)
    assert turned.size == upright.size
    points = np.array([[300.0, 200.0], [500.0, 400.0]])
    assert to_crop(way(points), turned) == pytest.approx(to_crop(points, upright), abs=1e-6)
    difference = cv2.absdiff(cut(image, turned), cut(table.image, upright))
    assert difference.mean() < 1.0  # the size of the shrunk picture is rounded


def test_seen_from_straight_above_any_way_round_is_as_good() -> None:
    board = draw_table([]).board
    corners = np.array([[100.0, 100.0], [100.0 + 500, 100.0], [600.0, 760.0], [100.0, 760.0]])
    for turns in range(4):
        pose = pose_from_corners(
            np.roll(corners, turns, axis=0), board.size_mm, (700, 860), "corners"
        )
        if turns % 2 == 0:
            assert crop_of(pose).image_to_crop[0, 0] > 0 and crop_of(pose).image_to_crop[0, 1] == 0


@pytest.mark.parametrize("degrees", TURNS)
def test_the_network_finds_the_same_pieces_however_the_tablet_is_held(degrees: int) -> None:
    detector = Detector()
    table = demo_table(demo_folder(), detector)
    image = table.frames[0].image
    upright = detector.detect(image, table.pose, table.reference)
    turned, pose, way = rolled(image, table.board, table.pose.corners_px, degrees)
    found = detector.detect(turned, pose, table.reference)
    sure = upright.foot_px[upright.score > 0.5]
    assert len(sure) >= 10
    gaps = np.linalg.norm(way(sure)[:, None] - found.foot_px[None], axis=2).min(axis=1)
    assert np.median(gaps) < 1.0 and (gaps < 5.0).mean() > 0.95
