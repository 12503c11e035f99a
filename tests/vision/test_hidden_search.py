"""Pieces half behind others are found by what is left in view of them."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.drawn import Table, draw_table, piece
from tests.vision.test_shadows import SEVEN, evidence_of, learnt
from vision.bodies import Body
from vision.hidden_search import Cover, search_hidden, seen_fit
from vision.labels import LabelledPiece
from vision.looks import Enrolment
from vision.pixel_evidence import Evidence
from vision.reading import inventory_counts, read
from vision.types import Detections

# The giant stands a little aside, so that half of what is behind him is seen.
GIANT = LabelledPiece("giant", "black", ("h12",), at_mm=(226.0, 302.0))
BEHIND = piece("wizard", "red", "h13")
WALL = piece("ruin", "grey", "h12", "h11", "i11")


def without(detections: Detections, gone: int) -> Detections:
    """As if the network had overlooked one thing."""
    kept = np.arange(len(detections)) != gone
    return Detections(
        detections.foot_px[kept], detections.top_px[kept], detections.width_px[kept],
        detections.shape_scores[kept], detections.score[kept], detections.piece_mask,
        detections.hand_mask, detections.mask_to_image,
    )  # fmt: skip


def overlooked(table: Table, hidden: LabelledPiece) -> Detections:
    assert hidden.at_mm is not None
    feet = table.pose.to_board(table.detections.foot_px.astype(float))
    return without(table.detections, int(np.argmin(np.linalg.norm(feet - hidden.at_mm, axis=1))))


@pytest.fixture(scope="module")
def known() -> Enrolment:
    return learnt(draw_table(SEVEN, 1))


def cover_of(table: Table, evidence: Evidence, walls: tuple[str, ...] = ()) -> Cover:
    assert GIANT.at_mm is not None
    size = table.board.size_of("giant")
    sure = [] if walls else [Body(0, "h12", GIANT.at_mm, size[0], size[2])]
    return Cover.of(evidence, table.pose, table.board, sure, walls, table.board.size_of("ruin")[2])


@pytest.mark.parametrize("front", [GIANT, WALL], ids=["giant", "wall"])
def test_a_piece_half_behind_another_is_found(known: Enrolment, front: LabelledPiece) -> None:
    table = draw_table((BEHIND, front), 3, low=True)
    evidence = evidence_of(table, known)
    cover = cover_of(table, evidence, front.spots if front is WALL else ())
    look = ("wizard", "red")
    hits = search_hidden(evidence, table.pose, table.board, known, {look: 1}, cover)
    assert [h.look for h in hits] == [look]
    assert np.linalg.norm(np.subtract(hits[0].at_mm, BEHIND.at_mm)) < 0.5 * table.board.cell_size_mm
    ask = (evidence, table.pose, table.board, known, look, np.array([BEHIND.at_mm]))
    everything = Cover(*(np.full_like(cover.pieces, np.inf) for _ in range(2)), cover.camera_mm)
    assert seen_fit(*ask, cover)[0][0] > seen_fit(*ask, everything)[0][0] + 0.5


def test_what_stands_in_front_is_hidden_by_nothing(known: Enrolment) -> None:
    table = draw_table((GIANT,), 3, low=True)
    evidence = evidence_of(table, known)
    near = np.array([table.board.centres["h11"]])
    _, share = seen_fit(
        evidence, table.pose, table.board, known, ("wizard", "red"), near,
        cover_of(table, evidence),
    )  # fmt: skip
    assert share[0] == 1.0


@pytest.mark.parametrize("there", [True, False])
def test_a_reading_names_what_is_half_hidden_and_nothing_else(
    known: Enrolment, there: bool
) -> None:
    others = (GIANT, SEVEN[0], SEVEN[1], *SEVEN[5:])
    shown = (BEHIND, *others) if there else others
    table = draw_table(shown, 4)
    reading = read(
        table.image, table.pose, table.board,
        overlooked(table, BEHIND) if there else table.detections, known,
        inventory_counts(table.board), evidence_of(table, known),
    )  # fmt: skip
    got = sorted((p.kind, p.colour, p.spots) for p in reading.pieces)
    assert got == sorted((p.kind, p.colour, p.spots) for p in shown)


def test_no_more_are_looked_for_than_are_missing(known: Enrolment) -> None:
    table = draw_table((BEHIND, GIANT), 3, low=True)
    evidence = evidence_of(table, known)
    cover = cover_of(table, evidence)
    assert not search_hidden(
        evidence, table.pose, table.board, known, {("wizard", "red"): 0}, cover
    )


def test_a_known_piece_is_not_found_once_more_in_its_own_place(known: Enrolment) -> None:
    table = draw_table((BEHIND, WALL), 3, low=True)
    evidence = evidence_of(table, known)
    bare = cover_of(table, evidence, WALL.spots)
    assert BEHIND.at_mm is not None
    size = table.board.size_of("wizard")
    stands = Body(0, "h13", BEHIND.at_mm, size[0], size[2])
    wall_mm = table.board.size_of("ruin")[2]
    cover = Cover.of(evidence, table.pose, table.board, [stands], WALL.spots, wall_mm)
    ask = (evidence, table.pose, table.board, known, {("wizard", "red"): 1})
    assert search_hidden(*ask, bare)
    far = table.board.cell_size_mm / 2
    assert all(
        np.linalg.norm(np.subtract(h.at_mm, BEHIND.at_mm)) > far for h in search_hidden(*ask, cover)
    )
