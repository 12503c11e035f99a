"""Shadows: the lamp is learnt from known pieces, and tells pieces from the shadows of others."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import numpy as np
import pytest

from engine.placement import PieceInfo, Placement
from tests.vision.drawn import DARK, GROUND, Table, draw_table, piece
from vision.bodies import Body, bodies_of, known_shadows
from vision.detector import Detector
from vision.enrolment import enrol
from vision.eyes import Eyes, Glance
from vision.labels import LabelledPiece
from vision.looks import Enrolment
from vision.pixel_evidence import Evidence, gather
from vision.reading import inventory_counts, read
from vision.reference import Reference
from vision.shadows import cast_scores
from vision.silhouette_search import unshadowed
from vision.silhouettes import owner_map
from vision.table_light import lamp_of, still_lit
from vision.things import measure_things
from vision.walls import cover_shares

REACH = (0.9, -0.5)
SEVEN = (
    piece("wizard", "violet", "c12"),
    piece("wizard", "green", "d4"),
    piece("wizard", "red", "n2"),
    piece("wizard", "orange", "m9"),
    piece("giant", "black", "b10"),
    piece("goblin", "black", "g17"),
    piece("goblin", "black", "k14"),
)


def print_of(table: Table) -> Reference:
    w, h = (round(v) for v in table.board.size_mm)
    return Reference(np.full((h, w, 3), GROUND, np.uint8), table.board.size_mm)


def learnt(table: Table) -> Enrolment:
    known = enrol(table.image, table.pose, table.board, table.pieces, table.detections)
    lamp = lamp_of(table.image, table.pose, table.board, print_of(table), table.pieces, Enrolment())
    return replace(known, lamp=lamp)


def evidence_of(table: Table, known: Enrolment) -> Evidence:
    return gather(table.image, table.pose, print_of(table), known, table.detections.piece_mask)


@pytest.mark.parametrize("reach", [REACH, (-0.6, 0.7), (0.0, 1.2)])
def test_the_lamp_is_learnt_from_the_shadows_of_known_pieces(reach: tuple[float, float]) -> None:
    lamp = learnt(draw_table(SEVEN, 1, reach=reach)).lamp
    assert lamp is not None
    at = np.array([p.at_mm for p in SEVEN])
    assert np.abs(lamp.reach_at(at) - reach).max() < 0.25
    assert lamp.dark < 0.6 * np.log(DARK)


def test_walls_that_are_bare_plates_hide_no_lamp() -> None:
    table = draw_table(SEVEN, 1, reach=REACH)
    marks = table.board.raw["ruin_start"]
    plates = [piece("ruin", "grey", *mark) for mark in marks]  # they throw no shadow: none is drawn
    lamp = lamp_of(
        table.image, table.pose, table.board, print_of(table), [*table.pieces, *plates], Enrolment()
    )
    assert lamp is not None
    assert np.abs(lamp.reach_at(np.array([p.at_mm for p in SEVEN])) - REACH).max() < 0.25


def test_no_lamp_is_learnt_where_nothing_throws_a_shadow() -> None:
    assert learnt(draw_table(SEVEN, 1)).lamp is None


def test_no_lamp_is_learnt_from_two_pieces() -> None:
    assert learnt(draw_table(SEVEN[:2], 1, reach=REACH)).lamp is None


def placement(pieces: tuple[LabelledPiece, ...]) -> Placement:
    ids = {f"{p.kind}/{n}": p for n, p in enumerate(pieces)}
    infos = {i: PieceInfo(i, p.kind, p.colour) for i, p in ids.items()}
    return Placement({i: p.spots for i, p in ids.items()}, infos)


def test_the_lamp_is_learnt_when_enough_pieces_have_come_into_the_open() -> None:
    first, later = draw_table(SEVEN[:2], 1, reach=REACH), draw_table(SEVEN, 2, reach=REACH)
    eyes = Eyes(first.board, cast(Detector, None), print_of(first))
    eyes.enrol(first.image, first.pose, first.pieces, first.detections)
    assert eyes.enrolment.lamp is None
    reading = read(
        later.image, later.pose, later.board, later.detections, learnt(later),
        inventory_counts(later.board),
    )  # fmt: skip
    glance = Glance(later.pose, later.detections, reading, 0.0)
    eyes.know(placement(SEVEN))
    assert eyes.learn_later(later.image, later.pose, glance, {})
    lamp = eyes.enrolment.lamp
    assert lamp is not None and np.abs(np.array(lamp.reach) - REACH).max() < 0.25
    lit = eyes.enrolment
    eyes.learn_later(later.image, later.pose, glance, {})
    assert eyes.enrolment.lamp is lit.lamp


def test_a_piece_has_its_shadow_and_the_tip_of_a_shadow_has_none() -> None:
    table = draw_table(SEVEN, 2, reach=REACH)
    known = learnt(table)
    evidence = evidence_of(table, known)
    assert evidence.shadow is not None
    assert evidence.lamp is not None
    size = table.board.size_of("wizard")
    feet = np.array([p.at_mm for p in SEVEN[:4]])
    tips = feet + np.array(REACH) * size[2]
    scores = cast_scores(
        evidence.shadow, evidence.crop, table.pose, evidence.lamp, np.vstack([feet, tips]),
        (size[2], size[0]),
    )  # fmt: skip
    assert scores[:4].min() > 0.5
    assert scores[4:].max() < -0.5


def test_the_search_prefers_a_foot_to_the_tip_of_its_shadow() -> None:
    table = draw_table(SEVEN, 2, reach=REACH)
    known = learnt(table)
    evidence = evidence_of(table, known)
    assert evidence.lamp is not None
    for kind in ("giant", "goblin"):
        height = known.size(kind, table.board).height_mm
        feet = np.array([p.at_mm for p in SEVEN if p.kind == kind])
        tips = feet + evidence.lamp.reach_at(feet) * height
        ask = (evidence, table.pose, table.board, known, kind)
        assert (unshadowed(*ask, feet) > -0.3).all()
        assert (unshadowed(*ask, tips) < -0.8).all()
        assert not unshadowed(replace(evidence, lamp=None), *ask[1:], tips).any()


def test_a_lamp_that_was_moved_is_not_believed() -> None:
    known = learnt(draw_table(SEVEN, 3, reach=REACH))
    same = draw_table(SEVEN, 4, reach=REACH)
    moved = draw_table(SEVEN, 4, reach=(-0.9, 0.6))
    for table, believed in ((same, True), (moved, False)):
        kept = still_lit(evidence_of(table, known), table.pose, table.detections)
        assert (kept.lamp is not None) == believed


def test_a_shadow_that_is_known_speaks_for_no_black_piece() -> None:
    table = draw_table(SEVEN, 5, reach=REACH)
    known = learnt(table)
    evidence = evidence_of(table, known)
    size = table.board.size_of("wizard")
    wizards = [Body(i, p.spots[0], p.at_mm, size[0], size[2]) for i, p in enumerate(SEVEN[:4]) if p.at_mm]  # fmt: skip
    shadows = known_shadows(evidence, table.pose, table.board, wizards, (), 0.0)
    assert shadows is not None
    assert shadows.sum() > 500
    before, after = evidence.colours["black"], evidence.darkened(shadows).colours["black"]
    assert (after[shadows] < before[shadows] - 1).all()
    np.testing.assert_array_equal(after[~shadows], before[~shadows])


def test_what_a_piece_hides_speaks_for_no_wall() -> None:
    table = draw_table((piece("giant", "black", "k12"),), 6)
    things = measure_things(
        table.image, table.pose, table.board, table.detections,
        owner_map(table.image, table.pose, table.board, table.detections), Enrolment(), [], None,
        None, None,
    )  # fmt: skip
    size = table.board.size_of("giant")
    at = (float(things.at_mm[0][0]), float(things.at_mm[0][1]))
    bodies = bodies_of(
        table.image, table.pose, things, [Body(0, "k12", at, size[0], size[2])], None
    )
    assert bodies.spots == {"k12"}
    cells = sorted(table.board.cells)
    with_it = cover_shares(table.detections, table.pose, table.board, cells)
    without = cover_shares(table.detections, table.pose, table.board, cells, bodies)
    assert max(with_it.values()) > 0.5
    assert max(v for c, v in without.items() if c != "k12" and with_it[c] > 0.05) < 0.62


def test_pieces_under_a_hard_lamp_are_read_where_they_stand() -> None:
    table = draw_table(SEVEN, 7, reach=REACH)
    known = learnt(table)
    counts = inventory_counts(table.board)
    reading = read(
        table.image, table.pose, table.board, table.detections, known, counts,
        evidence_of(table, known),
    )  # fmt: skip
    got = sorted((p.kind, p.colour, p.spots) for p in reading.pieces)
    assert got == sorted((p.kind, p.colour, p.spots) for p in SEVEN)
