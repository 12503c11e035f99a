"""The project's own printed boards, found by their corner markers."""

from __future__ import annotations

import copy
from functools import lru_cache

import cv2
import numpy as np
import pytest

from calibration.drawn_views import View, printed_face, view_number
from engine.board import load_board
from vision.registration.by_markers import detect_markers, marker_layout
from vision.registration.errors import BoardNotFound
from vision.registration.find import find_board
from vision.registration.marker_search import dictionary_named
from vision.types import BoardPose

# seen obliquely and small; with a bent lens; one marker too blurred to be read bit by bit
HARD = (11, 15, 17, 21, 27, 47, 51)
seen = lru_cache(view_number)


def off_percent(view: View, pose: BoardPose) -> float:
    """The worst corner, in percent of the shortest side."""
    sides = np.linalg.norm(np.roll(view.corners_px, -1, axis=0) - view.corners_px, axis=1)
    off = np.linalg.norm(pose.corners_px - view.corners_px, axis=1)
    return float(100 * off.max() / sides.min())


@pytest.mark.parametrize("number", HARD)
def test_two_markers_and_the_lines_of_the_print_suffice(number: int) -> None:
    view = seen(number)
    pose = find_board(view.image, view.board)
    assert pose.how == "markers"
    assert off_percent(view, pose) < 1.0
    assert pose.residual_px is not None and pose.residual_px < 1.5


def test_a_bent_lens_is_found_with_two_markers() -> None:
    lens = find_board(seen(17).image, seen(17).board).lens
    assert lens is not None and -0.15 < lens.distortion[0] < -0.02


def test_a_marker_that_was_not_read_is_looked_for_where_three_others_say() -> None:
    view = seen(6)
    layout = marker_layout(view.board.raw)
    # OpenCV 5 reads three by itself, 4.12 all of them
    assert layout is not None and len(detect_markers(view.image, layout)) in (3, 4)
    assert off_percent(view, find_board(view.image, view.board)) < 0.3


@pytest.mark.parametrize("number", [0, 2, 4])
@pytest.mark.parametrize("beside_mm", [10, -20, 40])
def test_markers_that_all_lie_beside_their_places_are_given_away_by_the_lines(
    number: int, beside_mm: float
) -> None:
    view = seen(number)
    raw = copy.deepcopy(dict(view.board.raw))
    for ident, (x, y) in raw["markers"]["corners"].items():
        raw["markers"]["corners"][ident] = [x + beside_mm, y + beside_mm / 2]
    with pytest.raises(BoardNotFound) as found:
        find_board(view.image, load_board(raw))
    assert found.value.key == "board.lines_elsewhere"


def test_two_markers_on_another_print_are_no_board() -> None:
    """The two markers of one game's print with the lines of another one beside them."""
    board, face = printed_face("magalon")
    _, other = printed_face("grailnah")
    mixed = np.asarray(cv2.resize(other, face.shape[1::-1]), np.uint8)
    book = dictionary_named("DICT_5X5_50")
    side = round(2 * board.raw["markers"]["side_mm"])
    for ident, (x, y) in board.raw["markers"]["corners"].items():
        left, top = round(2 * x - side / 2), round(2 * y - side / 2)
        mixed[top - 8 : top + side + 8, left - 8 : left + side + 8] = 255
        if ident in ("0", "1"):
            drawn = cv2.aruco.generateImageMarker(book, int(ident), side)
            mixed[top : top + side, left : left + side] = drawn[..., None]
    corners = np.array([[420, 90], [860, 90], [1010, 640], [270, 640]], np.float32)
    rim = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32) * mixed.shape[1::-1] - 0.5
    warp = cv2.getPerspectiveTransform(rim.astype(np.float32), corners)
    lying = cv2.warpPerspective(mixed, warp, (1280, 720), borderValue=(60, 90, 40))
    view = np.asarray(cv2.GaussianBlur(lying, (0, 0), 0.8), np.uint8)
    try:
        pose = find_board(view, board)
    except BoardNotFound:
        return
    # found all the same: then it must be right
    assert np.linalg.norm(pose.corners_px - corners, axis=1).max() < 8
