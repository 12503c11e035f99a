"""The lens: bending and straightening, and learning it from the board."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from tests.vision.artwork import CORNERS, SIZE_MM, VIEW, artwork, checkered_board, photograph
from tests.vision.artwork import reference as print_
from tests.vision.test_registration import camera, seen_corners
from vision.lens import Lens, radial_lens
from vision.registration import find_board, pose_from_corners
from vision.registration.planar import apply
from vision.registration.pose import homography_from_corners
from vision.registration.self_calibration import SelfCalibration
from vision.registration.tracker import BoardTracker
from vision.types import Frame

FOCAL = 0.8 * VIEW[0]


def bent(image, lens: Lens):
    """The picture as this lens would have taken it."""
    height, width = image.shape[:2]
    grid = np.stack(np.meshgrid(np.arange(width), np.arange(height)), -1).reshape(-1, 2)
    places = lens.straighten(grid).astype(np.float32).reshape(height, width, 2)
    return cv2.remap(image, places, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)


def centres(board):
    return np.array([board.centres[c] for c in board.cells])


@pytest.mark.parametrize("k1", [-0.3, -0.1, 0.15])
def test_bending_undoes_straightening(k1):
    lens = Lens(VIEW, radial_lens(VIEW, FOCAL, 0).matrix, np.array([k1, 0.02, 0.001, -0.002, 0]))
    points = np.random.default_rng(1).uniform(0, VIEW, (200, 2))
    assert np.abs(lens.bend(lens.straighten(points)) - points).max() < 1e-5
    middle = lens.matrix[:2, 2]
    assert np.allclose(lens.bend(middle[None]), middle)


def test_a_lens_agrees_with_opencv():
    lens = Lens(VIEW, radial_lens(VIEW, FOCAL, 0).matrix, np.array([-0.2, 0.05, 0.002, 0.001, 0]))
    straight = np.random.default_rng(2).uniform(100, 540, (30, 2))
    rays = np.column_stack([(straight - lens.matrix[:2, 2]) / FOCAL, np.ones(30)])
    seen, _ = cv2.projectPoints(rays, np.zeros(3), np.zeros(3), lens.matrix, lens.distortion)
    assert np.abs(lens.bend(straight) - seen.reshape(-1, 2)).max() < 1e-6


def test_a_lens_is_scaled_to_another_resolution_but_not_to_another_crop():
    lens = radial_lens((1280, 720), 1000, -0.1)
    half = lens.scaled((640, 360))
    assert half is not None
    points = np.array([[100.0, 50], [1200, 700]])
    smaller = (points + 0.5) / 2 - 0.5
    assert np.allclose((lens.bend(points) + 0.5) / 2 - 0.5, half.bend(smaller))
    assert lens.scaled((640, 480)) is None
    again = Lens.from_json(lens.to_json())
    assert np.allclose(again.matrix, lens.matrix)
    for damaged in ({}, {"size": [1, 1], "matrix": [[1]], "distortion": [0] * 5}, None):
        with pytest.raises(ValueError, match="no lens"):
            Lens.from_json(damaged)


@pytest.mark.parametrize("k1", [-0.25, -0.12, 0.1])
def test_a_bent_picture_is_read_as_well_as_a_straight_one(k1):
    board, lens = checkered_board(), radial_lens(VIEW, FOCAL, k1)
    image = bent(photograph(artwork(1)), lens)
    truth = lens.bend(apply(homography_from_corners(CORNERS, SIZE_MM), centres(board)))
    pose = find_board(image, board, reference=print_())
    assert pose.lens is not None
    error = np.linalg.norm(pose.to_board(truth) - centres(board), axis=1) / board.cell_size_mm
    assert error.mean() < 0.02
    assert np.abs(pose.to_image(centres(board)) - truth).max() < 1.5
    assert np.abs(pose.corners_px - lens.bend(CORNERS)).max() < 2.0


def test_a_straight_picture_gets_no_lens():
    pose = find_board(photograph(artwork(1)), checkered_board(), reference=print_())
    assert pose.lens is None


def test_a_calibrated_lens_is_used_by_all_ways():
    board, lens = checkered_board(), radial_lens(VIEW, FOCAL, -0.2)
    image = bent(photograph(artwork(1)), lens)
    for given in ({"reference": print_()}, {"corners": lens.bend(CORNERS)}):
        pose = find_board(image, board, lens=lens, **given)
        assert pose.lens is lens
        truth = lens.bend(apply(homography_from_corners(CORNERS, SIZE_MM), centres(board)))
        assert np.abs(pose.to_image(centres(board)) - truth).max() < 1.0


def test_heights_and_feet_go_through_the_lens():
    lens = radial_lens(VIEW, FOCAL, -0.2)
    pose = find_board(bent(photograph(artwork(1)), lens), checkered_board(), reference=print_())
    foot = np.array([[60.0, 60.0, 0.0]])
    assert np.allclose(pose.to_board(pose.to_image(foot)), foot[:, :2], atol=0.05)
    assert np.allclose(pose.to_image(foot), pose.to_image(foot[:, :2]))


def test_the_focal_length_is_learnt_over_several_views():
    learnt = SelfCalibration(SIZE_MM)
    true = 700.0  # far from the usual one
    for turn, elevation in ((20, 50), (110, 60), (200, 45), (300, 55)):
        corners = seen_corners(camera(true, elevation, turn, VIEW))
        noise = np.random.default_rng(turn).normal(0, 0.4, (4, 2))
        learnt.add(pose_from_corners(corners + noise, SIZE_MM, VIEW, "reference"), VIEW)
    assert learnt.lens is not None
    assert abs(learnt.lens.matrix[0, 0] / true - 1) < 0.05


def test_the_same_view_again_teaches_nothing_new():
    learnt = SelfCalibration(SIZE_MM)
    for _ in range(5):
        learnt.add(pose_from_corners(CORNERS, SIZE_MM, VIEW, "reference"), VIEW)
    assert learnt.lens is None


def test_a_lens_switch_is_survived():
    """From a bent wide view to a straight narrow one, twice, with all that was learnt."""
    wide, narrow = radial_lens(VIEW, FOCAL, -0.2), CORNERS * 1.2 - np.array(VIEW) * 0.1
    shifted = CORNERS + np.array([60.0, 20.0])
    images = [
        bent(photograph(artwork(1)), wide),
        bent(photograph(artwork(1), shifted), wide),
        photograph(artwork(1), narrow),
    ]
    tracker = BoardTracker(checkered_board(), reference=print_())
    states = [
        tracker.update(Frame(images[i // 8], i * 0.25, i)) for i in range(24)
    ]  # fmt: skip
    after = next(i for i in range(16, 24) if states[i].steady)
    assert after <= 16 + 8
    assert states[-1].pose.lens is None
    assert np.abs(states[-1].pose.corners_px - narrow).max() < 1.5


def test_a_calibration_that_does_not_fit_is_dropped_and_said():
    wrong = radial_lens(VIEW, FOCAL, -0.25)
    tracker = BoardTracker(checkered_board(), reference=print_(), lens=wrong)
    images = [photograph(artwork(1), seed=i) for i in range(16)]
    states = [tracker.update(Frame(image, i * 0.2, i)) for i, image in enumerate(images)]
    assert states[-1].steady
    assert tracker.lens_dropped
    assert np.abs(states[-1].pose.corners_px - CORNERS).max() < 1.0


def test_of_several_lenses_that_of_the_resolution_is_used():
    lens = radial_lens(VIEW, FOCAL, -0.2)
    half = (VIEW[0] // 2, VIEW[1] // 2)
    other = radial_lens(half, 0.5 * FOCAL, 0.3)  # measured with another crop of the chip
    image = bent(photograph(artwork(1)), lens)
    for lenses in ([other, lens], [lens, other]):
        tracker = BoardTracker(checkered_board(), reference=print_(), lens=lenses)
        found = tracker.update(Frame(image, 0.0, 0))
        assert found.pose is not None and found.pose.lens is lens
        assert not tracker.lens_dropped
