"""Change against the last accepted view, hands over the rim, motion; and all of it on a film."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.artwork import (
    CORNERS,
    SIZE_MM,
    VIEW,
    artwork,
    at,
    checkered_board,
    photograph,
    reference,
    with_arm,
    with_pieces,
)
from vision.board_grid import grid_of, print_view, view_of
from vision.change import compare
from vision.measure_film import evaluate_film
from vision.motion import MotionMeter
from vision.registration import pose_from_corners
from vision.scene import SceneWatch
from vision.settle import MOVING
from vision.types import Frame

SHARED = Path(__file__).resolve().parents[2] / ".." / "shared"
BOARD = checkered_board()
GRID = grid_of(BOARD)
POSE = pose_from_corners(CORNERS, SIZE_MM, VIEW, "corners")
BEFORE = [(75.0, 75.0), (225.0, 125.0), (325.0, 225.0), (175.0, 225.0)]
AFTER = [(75.0, 75.0), (225.0, 125.0), (325.0, 225.0), (275.0, 175.0)]


def table(pieces=(), seed=0, corners=CORNERS):
    return with_pieces(photograph(artwork(1), corners, seed=seed), corners, list(pieces))


def change(now, before, pose=POSE, empty=None):
    return compare(view_of(now, pose, GRID), view_of(before, POSE, GRID), GRID, empty)


def lit(image, factor):
    return np.clip(image * factor, 0, 255).astype(np.uint8)


def test_the_grid_covers_the_face_and_a_margin():
    corner = GRID.to_px(np.array([[0.0, 0.0], [400, 300]]))
    assert (corner[0] > 10).all()
    assert (corner[1] < np.array(GRID.size) - 10).all()
    assert GRID.step_mm <= 2.0
    assert abs(GRID.face.sum() * GRID.step_mm**2 / 120_000 - 1) < 0.03
    back = np.column_stack([corner, np.ones(2)]) @ GRID.to_mm.T
    assert np.allclose(back[:, :2], [[0, 0], [400, 300]])


def test_a_move_changes_where_the_piece_left_and_where_it_came():
    result = change(table(AFTER, seed=1), table(BEFORE))
    strongest = sorted(result.spots, key=lambda s: -result.spots[s])[:2]
    # cells are named by their top left corner: (175, 225) lies in 150,200; (275, 175) in 250,150
    assert set(strongest) == {"150,200", "250,150"}
    assert set(strongest) <= result.changed()
    assert not result.hand


def test_nothing_changes_when_nothing_happens():
    result = change(table(BEFORE, seed=1), table(BEFORE))
    assert result.changed() == frozenset()
    assert max(result.spots.values()) < 0.05
    assert not result.hand


@pytest.mark.parametrize("gain", [0.7, 1.3])
def test_exposure_is_no_change(gain):
    result = change(lit(table(BEFORE, seed=1), gain), table(BEFORE))
    assert result.changed() == frozenset()


def test_a_lamp_and_a_shadow_over_the_rim_are_no_hand_and_no_move():
    x, y = np.meshgrid(np.arange(VIEW[0]), np.arange(VIEW[1]))
    pool = 1 + 0.4 * np.exp(-((x - 480) ** 2 + (y - 330) ** 2) / (2 * 150.0**2))
    shadow = 1 - 0.4 / (1 + np.exp(-(x - 520) / 25.0))
    for factor in (pool, shadow):
        result = change(lit(table(AFTER, seed=1), factor[..., None]), table(BEFORE))
        assert not result.hand
        assert result.spots["250,150"] > 3 * np.median(list(result.spots.values()))
        calm = change(lit(table(BEFORE, seed=1), factor[..., None]), table(BEFORE))
        assert not calm.hand
        assert len(calm.changed()) <= 4, sorted(calm.changed())


def test_a_bump_between_the_views_does_not_matter():
    corners = CORNERS + np.array([[14, 9], [20, 4], [12, -8], [5, 7]])
    pose = pose_from_corners(corners, SIZE_MM, VIEW, "tracked")
    calm = change(table((), 1, corners), table(()), pose)
    assert calm.changed() == frozenset()
    moved = change(table([(275, 175)], 1, corners), table(()), pose)
    assert moved.changed() >= {"250,150"}
    assert len(moved.changed()) <= 3


@pytest.mark.parametrize("place", [(60, 60), (200, 150), (350, 250), (380, 40), (30, 280)])
def test_an_arm_over_the_rim_is_a_hand(place):
    result = change(with_arm(table(BEFORE, seed=1), CORNERS, *place), table(BEFORE))
    assert result.hand
    cell = f"{int(place[0] // 50) * 50},{int(place[1] // 50) * 50}"
    assert cell in result.under_hand
    assert cell not in result.changed()


def tall_piece(image, x_mm, y_mm, height=70):
    """A dark tower that leans over the far rim in the picture."""
    image = image.copy()
    x, y = at(CORNERS, x_mm, y_mm)
    cv2.rectangle(image, (x - 11, y - height), (x + 11, y), (25, 25, 30), -1)
    return image


def test_tall_pieces_at_the_rim_and_things_beside_the_board_are_no_hands():
    before = table(BEFORE)
    towers = tall_piece(tall_piece(table(BEFORE, seed=1), 80, 12), 300, 8)
    assert not change(towers, before).hand
    beside = table(BEFORE, seed=1)
    cv2.rectangle(beside, (20, 300), (100, 420), (60, 60, 200), -1)
    cv2.circle(beside, (900, 250), 40, (220, 220, 220), -1)
    assert not change(beside, before).hand
    card = table(BEFORE, seed=1)
    x, y = at(CORNERS, 395, 150)
    cv2.rectangle(card, (x - 25, y - 20), (x + 35, y + 20), (240, 240, 240), -1)
    assert not change(card, before).hand


def test_many_changes_at_once_are_no_hand():
    rng = np.random.default_rng(6)
    places = [(float(x), float(y)) for x, y in rng.uniform([10, 10], [390, 290], (40, 2))]
    assert not change(table(places, seed=1), table(())).hand


def test_a_hand_that_has_left_is_known_by_the_print_that_it_uncovers():
    empty = print_view(reference(), GRID)
    arm = with_arm(table(BEFORE), CORNERS, 200, 150)
    assert change(arm, table(BEFORE, seed=1), empty=empty).hand
    assert not change(table(BEFORE, seed=1), arm, empty=empty).hand


def test_views_that_share_nothing_show_no_change():
    black = np.zeros((VIEW[1], VIEW[0], 3), np.uint8)
    far = pose_from_corners(CORNERS + np.array([1200.0, 0.0]), SIZE_MM, VIEW, "corners")
    result = compare(view_of(black, far, GRID), view_of(table(()), POSE, GRID), GRID)
    assert result.changed() == frozenset()
    assert not result.hand


def test_motion_sees_a_piece_but_neither_noise_nor_exposure_nor_jitter():
    meter = MotionMeter()
    assert meter.update(table(BEFORE), POSE) == 0
    jitter = cv2.warpAffine(
        table(BEFORE, seed=2), np.array([[1, 0, 0.6], [0, 1, -0.4]]), VIEW,
        borderMode=cv2.BORDER_REPLICATE,
    )  # fmt: skip
    for image in (table(BEFORE, seed=1), lit(table(BEFORE, seed=3), 0.9), jitter):
        assert meter.update(image, POSE) <= MOVING
    assert meter.update(table(AFTER, seed=4), POSE) > MOVING
    assert meter.update(table(AFTER, seed=5), POSE) <= MOVING
    assert meter.update(table(AFTER, seed=5)[:300], POSE) == 1


def test_a_scene_is_watched_from_hand_to_judgement():
    watch = SceneWatch(BOARD, reference=reference())
    arm = with_arm(table(BEFORE), CORNERS, 275, 175)
    film = [table(BEFORE)] * 14 + [arm] * 7 + [table(AFTER)] * 14
    scenes = []
    for i, image in enumerate(film):
        scene = watch.update(Frame(image, i / 10, i))
        if i == 13:
            watch.accept()
        scenes.append(scene)
    assert scenes[0].tracked.event == "found"
    assert [i for i, s in enumerate(scenes) if s.stillness.ready_legal] == [
        *range(6, 14), *range(27, 35),
    ]  # fmt: skip
    assert [s.stillness.hand for s in scenes[14:21]] == [True] * 7
    assert scenes[-1].change is not None
    assert scenes[-1].change.changed() >= {"150,200", "250,150"}
    watch.accept()
    assert watch.update(Frame(table(AFTER, seed=3), 3.5, 35)).change.changed() == frozenset()


def test_what_was_changed_and_put_back_has_not_changed_since_the_game_went_on():
    watch = SceneWatch(BOARD, reference=reference())
    assert watch.since_kept() is None
    for i in range(14):
        watch.update(Frame(table(BEFORE, seed=i), i / 10, i))
    watch.accept()
    watch.keep()
    watch.update(Frame(table(AFTER), 1.4, 14))
    assert watch.since_kept().changed() >= {"150,200", "250,150"}
    watch.accept()
    back = watch.update(Frame(table(BEFORE, seed=3), 1.5, 15))
    assert back.change.changed() >= {"150,200", "250,150"}
    assert watch.since_kept().changed() == frozenset()


@pytest.mark.shared
def test_hands_stillness_and_the_bump_of_the_development_film():
    truth = SHARED / "renders" / "magalon-dev.json"
    if not truth.is_file():
        pytest.skip("the development film is not here")
    figures = evaluate_film(truth, 52.0, 65.0)
    assert figures["hand_frames"] == figures["hand_frames_found"] == 14
    assert figures["hand_intervals"] == figures["hand_intervals_whole"] == 2
    assert figures["ready_under_hand"] == figures["false_hand_frames"] == 0
    assert figures["ready_legal"] == {
        "events": 4, "never": 0, "min_s": 0.6, "max_s": 0.6, "mean_s": pytest.approx(0.6),
    }  # fmt: skip
    assert figures["ready_refusal"]["max_s"] == 1.3
    assert figures["poses"] == [
        {"t": 52.0, "event": "found", "how": "reference"},
        {"t": 54.8, "event": "moved", "how": "tracked"},
    ]
