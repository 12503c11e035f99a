"""The drawn dice: repeatable, and their labels tell the truth about the picture."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from models.training.dice.looks import DieLook
from models.training.dice.render import TOP, Light, draw, sides_with, view_from
from models.training.dice.scenes import PIPS, SEEN, SIDE, SIZE, X, Y, make_scene


def rng(*seed: int) -> np.random.Generator:
    return np.random.default_rng(seed)


def plain() -> DieLook:
    white, black = np.full(3, 0.9, np.float32), np.full(3, 0.02, np.float32)
    return DieLook(
        rounding=0.08, ball=1.0, body=white, body2=white, marble=0, clear=0, pip=black, shine=0,
        spread=0.26, radius=0.09, one=1.0, dent=0, square=False, odd_pip={}, sign=None,
        sign_of=frozenset(),
    )  # fmt: skip


LIGHT = Light(np.array([0.3, 0.2, 0.93]), 0.6, 0.5, 0.0)


@pytest.mark.parametrize("value", range(1, 7))
@pytest.mark.parametrize("elevation", [90, 60])
def test_the_top_face_shows_its_pips(value: int, elevation: int) -> None:
    view = view_from(np.deg2rad(elevation), 0.4, 0.0, 20.0, 60.0)
    colour, cover = draw(plain(), sides_with(value, rng(1)), 0.3, view, LIGHT, rng(2), (0, 0), 150)
    dark = ((colour.mean(axis=2) < 0.15) & (cover > 0.9)).astype(np.uint8)
    _, _, stats, centres = cv2.connectedComponentsWithStats(dark)
    # The top face alone: its outline in the picture.
    square = np.array(
        [(a, b, 1.0) for a, b in ((-0.45, -0.45), (0.45, -0.45), (0.45, 0.45), (-0.45, 0.45))]
    )
    c, s = np.cos(0.3), np.sin(0.3)
    turned = square @ np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]])
    outline = (view.project(turned) + 75).astype(np.float32)
    inside = [
        k for k in range(1, len(stats))
        if stats[k, cv2.CC_STAT_AREA] > 10 and cv2.pointPolygonTest(outline, tuple(map(float, centres[k])), False) > 0
    ]  # fmt: skip
    assert len(inside) == value


def test_opposite_sides_add_up_to_seven() -> None:
    for seed in range(30):
        values = sides_with(1 + seed % 6, rng(seed))
        assert values[0] == 1 + seed % 6
        assert all(values[k] + values[k + 1] == 7 for k in (0, 2, 4))
        assert sorted(values) == [1, 2, 3, 4, 5, 6]


def test_the_middle_of_the_top_leans_away_from_the_camera() -> None:
    view = view_from(np.deg2rad(45), 1.0, 0.0, 30.0, 40.0)
    x, y = view.project(TOP)[0]
    assert x == pytest.approx(0, abs=1e-9)
    assert y == pytest.approx(-0.5 * 40 * np.cos(np.deg2rad(45)), rel=0.05)


def test_same_seed_same_scene_other_seed_another() -> None:
    a, b, c = (make_scene(rng(3, k), ()) for k in (0, 0, 1))
    assert (a.picture == b.picture).all()
    assert (a.dice == b.dice).all()
    assert (a.picture != c.picture).any()


def test_labels_are_plausible() -> None:
    seen = 0
    for k in range(25):
        scene = make_scene(rng(5, k), ())
        assert scene.picture.shape == (SIZE, SIZE, 3)
        for die in scene.dice:
            assert 10 < die[SIDE] < 60
            assert die[PIPS] in range(7)
            assert 0 <= die[SEEN] <= 1
            if die[SEEN] > 0.5:
                seen += 1
                assert (die[[X, Y]] >= 0).all() and (die[[X, Y]] <= SIZE).all()
    assert seen > 20
