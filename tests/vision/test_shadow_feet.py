"""Feet seen at the tips of shadows that fall towards the camera go back to where the pieces stand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from tests.vision.drawn import Table, draw_table
from tests.vision.test_shadows import SEVEN, evidence_of, learnt
from vision.fusion import with_things
from vision.looks import Enrolment
from vision.pixel_evidence import Evidence
from vision.shadow_feet import off_shadows
from vision.shadows import cast_scores
from vision.table_light import still_lit
from vision.types import Detections

TOWARDS = (0.0, 0.9)  # the drawn camera stands at the board's lower side
LOOKS = [(p.kind, p.colour) for p in SEVEN]


def lit(seed: int) -> tuple[Table, Evidence, Enrolment]:
    """A drawn table under the lamp, what its pixels say, and what is known of it."""
    table = draw_table(SEVEN, seed, reach=TOWARDS)
    known = learnt(table)
    return table, evidence_of(table, known), known


def at_tips(table: Table, which: list[int]) -> Detections:
    """The table's detections with these pieces' feet at the tips of their shadows."""
    seen = table.detections
    feet = seen.foot_px.copy()
    at = table.pose.to_board(feet.astype(np.float64))
    for i in which:
        truth = nearest(at[i])
        height = table.board.size_of(truth[1])[2]
        feet[i] = table.pose.to_image(at[i][None] + np.array(TOWARDS) * height)[0]
    return replace(seen, foot_px=feet)


def nearest(at: NDArray[np.float64]) -> tuple[NDArray[np.float64], str]:
    """Where the piece nearest to a place stands, and its kind."""
    found = min(SEVEN, key=lambda p: float(np.linalg.norm(np.array(p.at_mm) - at)))
    return np.array(found.at_mm), found.kind


def test_feet_at_the_tips_of_shadows_go_back_to_their_pieces() -> None:
    table, evidence, known = lit(2)
    truth = table.pose.to_board(table.detections.foot_px.astype(np.float64))
    # The black shadow before the black giant may be a goblin as well: he is left out.
    moved = [i for i, at in enumerate(truth) if nearest(at)[1] != "giant"]
    tips = at_tips(table, moved)
    before = table.pose.to_board(tips.foot_px.astype(np.float64))
    assert np.linalg.norm(before - truth, axis=1)[moved].min() > 12
    ask = (evidence, table.pose, table.board, known, LOOKS)
    after = table.pose.to_board(off_shadows(tips, *ask).foot_px.astype(np.float64))
    assert np.linalg.norm(after - truth, axis=1).max() < 9
    unlit = replace(evidence, lamp=None)
    assert np.array_equal(off_shadows(tips, unlit, *ask[1:]).foot_px, tips.foot_px)


def test_feet_that_are_right_stay() -> None:
    table, evidence, known = lit(3)
    ask = (evidence, table.pose, table.board, known, LOOKS)
    kept = off_shadows(table.detections, *ask)
    assert np.array_equal(kept.foot_px, table.detections.foot_px)


def test_a_piece_and_the_tip_of_its_shadow_are_one_thing() -> None:
    table, evidence, known = lit(2)
    seen, tips = table.detections, at_tips(table, [4])
    double = with_things(
        seen, [(tips.foot_px[4], seen.top_px[4], seen.width_px[4], 0.8 * seen.shape_scores[4])]
    )
    ask = (evidence, table.pose, table.board, known, LOOKS)
    found = off_shadows(double, *ask)
    assert len(found) == len(double)  # who hides whom is told by indices
    assert np.array_equal(found.score[:-1], seen.score)
    assert found.score[-1] == 0
    assert not found.shape_scores[-1].any()


def test_the_lamp_is_believed_though_the_feet_lie_at_the_tips_of_shadows() -> None:
    table = draw_table(SEVEN, 4, reach=TOWARDS)
    evidence = evidence_of(table, learnt(draw_table(SEVEN, 3, reach=TOWARDS)))
    kept = still_lit(evidence, table.pose, at_tips(table, list(range(len(SEVEN)))))
    assert kept.lamp is not None


def test_a_shadow_before_its_piece_can_be_seen() -> None:
    """A foot at a tip must throw a shadow on lit ground, also where that lies before the piece."""
    table, evidence, _ = lit(2)
    assert evidence.shadow is not None
    assert evidence.lamp is not None
    height, width = 26.0, 26.0  # as broad as a shield and its shadow hardly longer
    feet = np.array([p.at_mm for p in SEVEN[:4]])
    tips = feet + np.array(TOWARDS) * table.board.size_of("wizard")[2]
    scores = cast_scores(
        evidence.shadow, evidence.crop, table.pose, evidence.lamp, tips, (height, width)
    )
    assert scores.max() < -0.3
