"""The watched pose, and finding it again after a bump."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from engine.errors import BoardwardenError
from tests.vision.artwork import (
    CORNERS,
    SIZE_MM,
    VIEW,
    artwork,
    checkered_board,
    photograph,
    reference,
    with_arm,
    with_pieces,
)
from vision.registration import pose_from_corners
from vision.registration.tracker import BoardTracker
from vision.types import Frame
from vision.watching import PoseWatch, Steadiness

PIECES = [(75.0, 75.0), (225.0, 125.0), (325.0, 225.0), (175.0, 225.0)]


@pytest.fixture(name="view", scope="module")
def make_view():
    return with_pieces(photograph(artwork(1)), CORNERS, PIECES)


@pytest.fixture(name="watch")
def make_watch(view):
    return PoseWatch(view, pose_from_corners(CORNERS, SIZE_MM, VIEW, "corners"), SIZE_MM)


def moved(image, shift=(0.0, 0.0), angle=0.0):
    matrix = cv2.getRotationMatrix2D((VIEW[0] / 2, VIEW[1] / 2), angle, 1.0)
    matrix[:, 2] += shift
    return cv2.warpAffine(image, matrix, VIEW, borderMode=cv2.BORDER_REPLICATE)


def lit(image, gain=1.0, offset=0.0):
    return np.clip(image * gain + offset, 0, 255).astype(np.uint8)


def test_noise_exposure_light_and_hands_do_not_move_the_board(view, watch):
    rng = np.random.default_rng(2)
    noisy = np.clip(view + rng.normal(0, 5, view.shape), 0, 255).astype(np.uint8)
    for image in (
        view, noisy, lit(view, 1.3), lit(view, 0.7), lit(view, 0.3), lit(view, 1.0, 25),
        with_arm(view, CORNERS, 150, 100), with_arm(view, CORNERS, 320, 60),
        photograph(artwork(1), seed=9), moved(view, (0.7, -0.5)),
    ):  # fmt: skip
        assert watch.check(image).steadiness is Steadiness.STILL


@pytest.mark.parametrize(
    ("shift", "angle"),
    [((3, 0), 0), ((0, -4), 0), ((5, 5), 0), ((0, 0), 0.5), ((0, 0), -0.8), ((20, 0), 0),
     ((9, 12), 2), ((60, -30), 0)],
)  # fmt: skip
def test_a_bump_is_noticed_in_the_same_frame(view, watch, shift, angle):
    result = watch.check(moved(view, shift, angle))
    assert result.steadiness is not Steadiness.STILL


def test_a_small_lasting_shift_is_noticed_as_well(view, watch):
    drifted = moved(view, (1.6, 0.0))
    results = [watch.check(drifted).steadiness for _ in range(12)]
    assert results[0] is Steadiness.STILL
    assert results[-1] is Steadiness.MOVED


@pytest.mark.parametrize("value", [0, 120, 255])
def test_a_dark_or_covered_camera_is_unsure(watch, value):
    result = watch.check(np.full((VIEW[1], VIEW[0], 3), value, np.uint8))
    assert result.steadiness is Steadiness.UNSURE


def test_patches_that_pieces_have_covered_are_taken_anew(view, watch):
    crossings = [(x, y) for x in (50, 100, 150) for y in range(50, 300, 50)]
    crowded = with_pieces(view, CORNERS, crossings)
    first = watch.check(crowded).seen
    for _ in range(60):
        result = watch.check(crowded)
    assert result.steadiness is Steadiness.STILL
    assert result.seen > first


# --- the tracker -----------------------------------------------------------------------------


def follow(tracker, images, fps=10.0):
    return [tracker.update(Frame(image, i / fps, i)) for i, image in enumerate(images)]


def corners_after(shift, angle):
    matrix = cv2.getRotationMatrix2D((VIEW[0] / 2, VIEW[1] / 2), angle, 1.0)
    matrix[:, 2] += shift
    return CORNERS @ matrix[:, :2].T + matrix[:, 2]


def test_a_still_film_has_one_pose_for_all_frames():
    images = [photograph(artwork(1), seed=i) for i in range(30)]
    states = follow(BoardTracker(checkered_board(), reference=reference()), images)
    assert [s.event for s in states] == ["found"] + [None] * 29
    # the corners do not jitter
    assert len({s.pose.corners_px.tobytes() for s in states}) == 1
    assert all(s.steady for s in states)


def test_a_bump_is_followed_at_once(view):
    shift, angle = (14.0, -9.0), 2.0
    images = [view] * 5 + [moved(view, shift, angle)] * 5
    states = follow(BoardTracker(checkered_board(), reference=reference()), images)
    assert [s.event for s in states] == ["found", *[None] * 4, "moved", *[None] * 4]
    assert states[-1].pose.how == "tracked"
    assert np.abs(states[-1].pose.corners_px - corners_after(shift, angle)).max() < 1.0


def test_a_large_bump_is_found_from_nothing(view):
    turned = cv2.rotate(view, cv2.ROTATE_180)
    states = follow(BoardTracker(checkered_board(), reference=reference()), [view, view, turned])
    assert states[2].event == "moved"
    assert states[2].pose.how == "reference"
    assert np.abs(states[2].pose.corners_px - (np.array(VIEW) - 1 - CORNERS)).max() < 1.0


def test_tapped_corners_survive_a_bump_without_any_reference(view):
    shift, angle = (10.0, 6.0), -1.5
    tracker = BoardTracker(checkered_board(), corners=CORNERS)
    states = follow(tracker, [view, view, view, moved(view, shift, angle)])
    assert np.array_equal(states[0].pose.corners_px, CORNERS)
    assert states[-1].event == "moved"
    assert np.abs(states[-1].pose.corners_px - corners_after(shift, angle)).max() < 1.5


def test_a_dark_moment_is_not_judged_and_the_pose_is_kept(view):
    dark = np.zeros_like(view)
    states = follow(
        BoardTracker(checkered_board(), reference=reference()), [view] * 3 + [dark] * 8 + [view] * 3
    )
    assert [s.steady for s in states] == [True] * 3 + [False] * 8 + [True] * 3
    assert [s.event for s in states] == ["found"] + [None] * 13


def test_a_board_that_is_taken_away_is_lost_and_found_again(view):
    table = np.full_like(view, 120)
    tracker = BoardTracker(checkered_board(), reference=reference())
    states = follow(tracker, [view] * 2 + [table] * 25 + [view] * 12)
    events = [(i, s.event) for i, s in enumerate(states) if s.event]
    assert [e for _, e in events] == ["found", "lost", "found"]
    lost = events[1][0]
    assert states[lost].pose is None
    assert "not found" in states[lost].sentence
    assert states[lost].why is not None and states[lost].why.key == "board.not_found"
    assert states[-1].steady


def test_impossible_corners_are_bad_input_and_not_a_lost_board(view):
    tracker = BoardTracker(checkered_board(), corners=CORNERS[[1, 0, 3, 2]])
    with pytest.raises(BoardwardenError, match="mirrored"):
        tracker.update(Frame(view, 0.0, 0))


def test_a_board_that_nothing_tells_how_to_find_says_so(view):
    state = BoardTracker(checkered_board()).update(Frame(view, 0.0, 0))
    assert state.pose is None
    assert "reference picture" in state.sentence


def test_another_resolution_starts_anew(view):
    tracker = BoardTracker(checkered_board(), reference=reference())
    small = cv2.resize(view, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    states = follow(tracker, [view, small])
    assert [s.event for s in states] == ["found", "found"]
    assert np.abs(states[1].pose.corners_px - ((CORNERS + 0.5) / 2 - 0.5)).max() < 1.0
