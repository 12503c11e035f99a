"""The second look at parts of a picture: what is doubtful gets it whole, the rest stays as it is."""

from __future__ import annotations

import numpy as np
import pytest

from vision.second_look import ROOM, STRIDE, WINDOW, doubtful, looked_again, windows
from vision.types import SHAPES

CHANNELS = len(SHAPES) + 5 + 2
MEEPLE, LYING = SHAPES.index("meeple"), SHAPES.index("meeple_lying")
HAND = len(SHAPES) + 6
SIZE = (704, 480)


def blank() -> np.ndarray:
    return np.zeros((CHANNELS, SIZE[1] // STRIDE, SIZE[0] // STRIDE), np.float32)


@pytest.mark.parametrize("count", [1, 5, 40, 300])
def test_every_point_has_its_room_in_a_window(count: int) -> None:
    rng = np.random.default_rng(count)
    points = rng.integers(0, np.array(SIZE) // STRIDE, (count, 2)) * STRIDE
    corners = np.array(windows(points, SIZE))
    assert len(corners) <= count
    assert (corners >= 0).all() and (corners + WINDOW <= np.array(SIZE)).all()
    # Beyond the picture's edge no room is asked for.
    low = np.maximum(points - ROOM, 0)[:, None]
    high = np.minimum(points + ROOM, np.array(SIZE))[:, None]
    held = ((corners <= low) & (corners + WINDOW >= high)).all(2)
    assert held.any(1).all()


def test_points_that_lie_together_share_a_window() -> None:
    points = np.array([(320, 200), (328, 204), (324, 196)])
    assert len(windows(points, SIZE)) == 1


def test_a_sure_figure_is_not_doubtful_but_a_faint_one_and_one_of_unclear_posture_are() -> None:
    output = blank()
    output[MEEPLE, 10, 10], output[LYING, 10, 10] = 0.95, 0.02
    assert len(doubtful(output)) == 0
    output[MEEPLE, 30, 40] = 0.2
    output[MEEPLE, 60, 90], output[LYING, 60, 90] = 0.9, 0.5
    assert {tuple(p) for p in doubtful(output)} == {(160, 120), (360, 240)}


def test_a_hand_is_looked_at_again() -> None:
    output = blank()
    output[HAND, 40:70, 40:70] = 0.6
    points = doubtful(output)
    assert len(points) and (points >= 40 * STRIDE).all() and (points < 70 * STRIDE).all()


def test_only_about_the_doubt_is_the_answer_a_mean_of_both_looks() -> None:
    inputs = np.zeros((1, 7, SIZE[1], SIZE[0]), np.float32)
    output = blank()
    output[MEEPLE, 50, 60] = 0.4
    seen: list[tuple[int, ...]] = []

    def look(part: np.ndarray) -> np.ndarray:
        seen.append(part.shape)
        return np.ones((CHANNELS, part.shape[2] // STRIDE, part.shape[3] // STRIDE), np.float32)

    out = looked_again(inputs, output, look)
    assert seen == [(1, 7, WINDOW, WINDOW)]
    assert out[MEEPLE, 50, 60] == pytest.approx(0.7)
    assert (out[:, :, :20] == 0).all() and (out[:, 90:] == 0).all()
    assert output[MEEPLE, 50, 60] == pytest.approx(0.4)


def test_much_doubt_means_one_look_at_the_whole() -> None:
    inputs = np.zeros((1, 7, SIZE[1], SIZE[0]), np.float32)
    output = blank()
    output[MEEPLE, 5::12, 5::12] = 0.4
    seen: list[tuple[int, ...]] = []

    def look(part: np.ndarray) -> np.ndarray:
        seen.append(part.shape)
        return np.ones_like(output)

    assert np.allclose(looked_again(inputs, output, look), (output + 1) / 2)
    assert seen == [inputs.shape]


def test_the_window_is_put_back_where_it_was_cut() -> None:
    rng = np.random.default_rng(3)
    inputs = rng.random((1, 7, SIZE[1], SIZE[0])).astype(np.float32)
    output = blank()
    output[MEEPLE, 3, 4] = output[MEEPLE, 118, 174] = output[MEEPLE, 50, 60] = 0.4

    def look(part: np.ndarray) -> np.ndarray:
        cells = part[0, 0, ::STRIDE, ::STRIDE]
        return np.repeat(cells[None], CHANNELS, 0)

    out = looked_again(inputs, output, look)
    changed = out[0] != output[0]
    assert changed[3, 4] and changed[118, 174] and changed[50, 60]
    expected = (output[0] + inputs[0, 0, ::STRIDE, ::STRIDE]) / 2
    assert np.allclose(out[0][changed], expected[changed])
