"""Which way round a board lies, told by the pieces that are known to stand on it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.drawn import SIZE, Table, draw_table, piece
from vision.registration.pose import pose_from_corners
from vision.turn_by_pieces import turn_by_pieces

START = [
    piece("wizard", "violet", "c3"),
    piece("wizard", "green", "n16"),
    piece("goblin", "black", "e9"),
    piece("goblin", "black", "m4"),
    piece("goblin", "black", "o9"),
]


def turned(table: Table):
    """The same place with the board turned by half."""
    corners = np.roll(table.pose.corners_px, 2, axis=0)
    return pose_from_corners(corners, table.board.size_mm, SIZE, "reference")


def known(table: Table):
    """What is known of the pieces: their cells, not their places in the picture."""
    return tuple(replace(p, at_mm=None) for p in table.pieces)


@pytest.mark.parametrize("seed", range(3))
def test_the_known_pieces_decide(seed: int) -> None:
    table = draw_table(START, seed)
    right, wrong = table.pose, turned(table)
    for poses, answer in (((right, wrong), 0), ((wrong, right), 1)):
        found = turn_by_pieces(table.image, poses, table.board, known(table), table.detections)
        assert found == answer


def test_two_wizards_in_each_others_places_are_told_by_their_colours() -> None:
    """A start in which equal pieces face each other: only the colours say who is who."""
    board = draw_table(START).board
    width, height = board.size_mm

    def opposite(cell: str) -> str:
        x, y = board.centres[cell]
        at = {
            c: (width - cx - x) ** 2 + (height - cy - y) ** 2
            for c, (cx, cy) in board.centres.items()
        }
        return min(at, key=at.__getitem__)

    far = opposite("c3")
    pair = [piece("wizard", "green", "c3"), piece("wizard", "red", far)]
    table = draw_table(pair, 1)
    poses = (turned(table), table.pose)
    assert turn_by_pieces(table.image, poses, board, known(table), table.detections) == 1
    same = [piece("goblin", "black", "c3"), piece("goblin", "black", far)]
    table = draw_table(same, 1)
    assert turn_by_pieces(table.image, poses, board, known(table), table.detections) is None


def test_without_known_pieces_nothing_is_decided() -> None:
    table = draw_table(START)
    poses = (table.pose, turned(table))
    assert turn_by_pieces(table.image, poses, table.board, (), table.detections) is None
    elsewhere = (piece("giant", "grey", "a1"), piece("wizard", "red", "o21"))
    others = tuple(replace(p, at_mm=None) for p in elsewhere)
    assert turn_by_pieces(table.image, poses, table.board, others, table.detections) is None
