"""A head is no piece behind its piece; a piece that is half hidden is one."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from engine.board import Board, load_board
from tests.vision.drawn import Table, draw_table, piece
from vision.appearance import ground_scale
from vision.crop import crop_around, to_crop
from vision.looks import Enrolment
from vision.parts import Taken, parts_of
from vision.pixel_evidence import Evidence
from vision.silhouettes import camera_centre_mm, outline, owner_map
from vision.things import Things, measure_things

GIANT, GOBLIN = ("giant", "black"), ("goblin", "black")
REACHING = 36.0  # mm behind a giant: a goblin's foot is hidden and its head is not


def two_things(apart_mm: float, board: Board) -> tuple[Table, Things]:
    """A giant, and a thing that lies behind him as the camera sees it."""
    table = draw_table((piece("giant", "black", "h11"), piece("goblin", "black", "h3")), 1)
    seen = table.detections
    order = np.argsort(np.linalg.norm(table.pose.to_board(seen.foot_px.astype(float)) - board.centres["h11"], axis=1))  # fmt: skip
    giant = table.pose.to_board(seen.foot_px[order[:1]].astype(float))[0]
    away = giant - camera_centre_mm(table.pose)[:2]
    behind = table.pose.to_image((giant + apart_mm * away / np.linalg.norm(away))[None])[0]
    feet = np.array([seen.foot_px[order[0]], behind], np.float32)
    rows = np.array([order[0], order[0]])
    both = replace(
        seen, foot_px=feet, top_px=feet - (0, 20), width_px=seen.width_px[rows],
        shape_scores=seen.shape_scores[rows], score=seen.score[rows],
    )  # fmt: skip
    owners = owner_map(table.image, table.pose, board, both)
    things = measure_things(
        table.image, table.pose, board, both, owners, Enrolment(), [], None, None, None
    )
    return table, things


def evidence_of(table: Table, things: Things, board: Board, seen: list[tuple[str, int]]) -> Evidence:  # fmt: skip
    """What a picture says that shows these (kind, number of the thing) and nothing else."""
    crop = crop_around(table.pose.corners_px)
    odds = np.full(crop.size[::-1], -3.0, np.float32)
    for kind, i in seen:
        size, at = Enrolment().size(kind, board), things.at_mm[i]
        foot, top = table.pose.to_image(np.array([[*at, 0.0], [*at, size.height_mm]]))
        width = size.width_mm * float(ground_scale(table.pose, at[None])[0])
        hull = to_crop(outline(foot, top, width), crop)
        cv2.fillConvexPoly(odds, np.round(hull).astype(np.int32), 3.0)
    return Evidence(crop, {"black": odds}, None)


def told(apart_mm: float, seen: list[tuple[str, int]]) -> set[int]:
    board = load_board("reference")
    table, things = two_things(apart_mm, board)
    taken = [Taken(0, GIANT, 5.0), Taken(1, GOBLIN, 1.0)]
    evidence = evidence_of(table, things, board, seen)
    return parts_of(taken, things, evidence, table.pose, board, Enrolment())


@pytest.mark.parametrize("apart_mm", [15.0, REACHING])
def test_what_shows_nothing_beside_a_taller_piece_is_a_part_of_it(apart_mm: float) -> None:
    assert told(apart_mm, [("giant", 0)]) == {1}


def test_what_is_seen_beside_a_taller_piece_stands_behind_it() -> None:
    assert told(REACHING, [("giant", 0), ("goblin", 1)]) == set()


def test_the_likelier_one_is_never_a_part() -> None:
    board = load_board("reference")
    table, things = two_things(15.0, board)
    alone = evidence_of(table, things, board, [("giant", 0)])
    taken = [Taken(0, GIANT, 3.0), Taken(1, GOBLIN, 4.0)]
    assert not parts_of(taken, things, alone, table.pose, board, Enrolment())
