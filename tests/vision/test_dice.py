"""Pips on drawn dice of several looks, turned and blurred."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.dice import FACE_PX, PATCH_PX, read_pips

LAYOUT = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (1, -1), (-1, 1), (1, 1)],
    5: [(-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)],
    6: [(-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)],
}


def drawn_die(
    pips: int, degrees: float, face: int, spot: int, ground: int, seed: int
) -> np.ndarray:
    """A (PATCH_PX, PATCH_PX, 3) patch with a turned face, drawn large and made small."""
    big = 8
    picture = np.full((PATCH_PX * big, PATCH_PX * big), ground, np.uint8)
    middle, side = PATCH_PX * big / 2, FACE_PX * big
    turn = np.deg2rad(degrees)
    rot = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    square = middle + (np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * side / 2) @ rot.T
    cv2.fillConvexPoly(picture, square.astype(np.int32), face)
    for u, v in LAYOUT[pips]:
        x, y = middle + rot @ np.array([u, v]) * 0.25 * side
        cv2.circle(picture, (int(x), int(y)), int(0.1 * side), spot, -1)
    small = cv2.resize(picture, (PATCH_PX, PATCH_PX), interpolation=cv2.INTER_AREA)
    rng = np.random.default_rng(seed)
    noisy = cv2.GaussianBlur(small, (0, 0), 0.8) + rng.normal(0, 4, small.shape)
    return cv2.cvtColor(np.clip(noisy, 0, 255).astype(np.uint8), cv2.COLOR_GRAY2BGR)


@pytest.mark.parametrize("pips", range(1, 7))
@pytest.mark.parametrize("degrees", [0, 17, 45, 80])
@pytest.mark.parametrize("look", [(235, 30, 120), (40, 230, 150), (110, 240, 60)])
def test_pips_are_read(pips: int, degrees: float, look: tuple[int, int, int]) -> None:
    log_probs = read_pips(drawn_die(pips, degrees, *look, seed=pips))
    assert int(np.argmax(log_probs)) + 1 == pips
    assert np.exp(log_probs).sum() == pytest.approx(1.0)
