"""Whether a board's printed lines lie where a pose puts them."""

from __future__ import annotations

from itertools import pairwise

import cv2
import numpy as np
import pytest

from vision.registration.board_lines import PrintedLines
from vision.registration.line_check import lines_lie_elsewhere

SIZE = (400.0, 300.0)
PX_PER_MM, ORIGIN = 2.0, (140.0, 100.0)
POSE = np.array([[PX_PER_MM, 0, ORIGIN[0]], [0, PX_PER_MM, ORIGIN[1]], [0, 0, 1]])
# an irregular print: like lines would lie on each other again, moved by one field
ACROSS, DOWN = (0, 60, 150, 180, 290, 400), (0, 90, 130, 220, 300)
LINES = np.array(
    [[[x, 0], [x, SIZE[1]]] for x in ACROSS] + [[[0, y], [SIZE[0], y]] for y in DOWN], np.float64
)


def moved(dx: float, dy: float) -> np.ndarray:
    """The pose with the board so many mm beside its place."""
    return POSE @ np.array([[1, 0, dx], [0, 1, dy], [0, 0, 1]])


def picture(printed: bool = True) -> np.ndarray:
    """A grey table with the board on it, its fields of other greys where they are printed."""
    rng = np.random.default_rng(3)
    image = np.full((800, 1080), 90, np.uint8)
    for x0, x1 in pairwise(ACROSS):
        for y0, y1 in pairwise(DOWN):
            corners = [(round(PX_PER_MM * x + ORIGIN[0]), round(PX_PER_MM * y + ORIGIN[1])) for x, y in ((x0, y0), (x1, y1))]  # fmt: skip
            grey = int(rng.integers(60, 220)) if printed else 90
            cv2.rectangle(image, *corners, grey, -1)
    noise = rng.normal(0, 3, image.shape)
    return np.clip(cv2.GaussianBlur(image, (0, 0), 0.8) + noise, 0, 255).astype(np.uint8)


def test_lines_in_their_place() -> None:
    lines = PrintedLines(LINES, thin=False, outline=True)
    assert not lines_lie_elsewhere(picture(), POSE, SIZE, lines)


@pytest.mark.parametrize(("dx", "dy"), [(8, 0), (0, -8), (20, 10), (-30, 30)])
def test_lines_beside_their_place(dx: float, dy: float) -> None:
    lines = PrintedLines(LINES, thin=False, outline=True)
    assert lines_lie_elsewhere(picture(), moved(dx, dy), SIZE, lines)
    thin = PrintedLines(LINES, thin=True, outline=True)
    assert not lines_lie_elsewhere(picture(), moved(dx, dy), SIZE, thin)


def test_lines_that_do_not_show_tell_nothing() -> None:
    lines = PrintedLines(LINES, thin=False, outline=True)
    assert not lines_lie_elsewhere(picture(printed=False), moved(20, 10), SIZE, lines)
