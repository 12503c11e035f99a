"""How much of the board hands cover, from the network's hand map."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.drawn import draw_table, piece
from vision.eyes import Glance, hand_area
from vision.settle import HAND_AREA

TABLE = draw_table([piece("wizard", "violet", "c3")])


def with_hand(level: float, peak: float, share: float = 0.02):
    """Detections with a hand over so much of the face, sure of itself in one pixel."""
    mask = np.zeros((180, 240), np.float32)
    to_image = np.array([[4.0, 0, 0], [0, 4.0, 0]])
    corners = TABLE.pose.corners_px / 4
    face = float(cv2.contourArea(corners.astype(np.float32)))
    radius = round((share * face / np.pi) ** 0.5)
    x, y = np.round(corners.mean(0)).astype(int)
    cv2.circle(mask, (int(x), int(y)), radius, level, -1)
    mask[y, x] = peak
    return replace(TABLE.detections, hand_mask=mask, mask_to_image=to_image)


@pytest.mark.parametrize(
    ("level", "peak", "hand"),
    [(0.9, 0.9, True), (0.35, 0.6, True), (0.35, 0.45, False), (0.2, 0.9, False)],
)
def test_a_blurred_hand_is_one_that_is_sure_in_a_single_place(level, peak, hand) -> None:
    area = hand_area(with_hand(level, peak), TABLE.pose)
    assert (area > HAND_AREA) is hand
    assert area == pytest.approx(0.02 if hand else 0.0, abs=0.004)


def test_a_hand_beside_the_board_covers_nothing() -> None:
    found = with_hand(0.9, 0.9)
    beside = replace(found, mask_to_image=np.array([[4.0, 0, 900], [0, 4.0, 0]]))
    assert hand_area(beside, TABLE.pose) == 0.0
    assert not Glance(TABLE.pose, beside, None, 0.0).hand  # type: ignore[arg-type]
