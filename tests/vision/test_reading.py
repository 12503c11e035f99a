"""Reading drawn tables: cells, colours, ruins, what is hidden."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from engine.observation import CellView, SeenPiece
from tests.vision.drawn import Table, draw_table, piece
from vision.enrolment import enrol
from vision.looks import Enrolment
from vision.reading import Reading, inventory_counts, likely, read
from vision.seen import ReadPiece
from vision.silhouettes import cell_views

START = (
    piece("wizard", "violet", "f1"),
    piece("wizard", "green", "h3"),
    piece("wizard", "red", "j1"),
    piece("wizard", "orange", "f2"),
    piece("giant", "black", "h11"),
    piece("goblin", "black", "e11"),
    piece("goblin", "black", "k11"),
    piece("ruin", "grey", "c7", "c6", "d6"),
    piece("ruin", "grey", "m7", "m6", "l6"),
    piece("energy_stone", "violet", "track/10"),
)
LATER = (
    piece("wizard", "violet", "c12"),
    piece("wizard", "green", "d12"),
    piece("wizard", "red", "n2"),
    piece("wizard", "orange", "m2"),
    piece("giant", "black", "b10"),
    piece("goblin", "black", "g14"),
    piece("goblin", "black", "o19"),
    piece("shield", "green", "l14"),
    piece("ruin", "grey", "e6", "e7", "f6"),
    piece("ruin", "grey", "m17", "m18", "l18"),
    piece("energy_stone", "violet", "track/7"),
)


def look(table: Table, enrolment: Enrolment | None = None) -> Reading:
    return read(table.image, table.pose, table.board, table.detections, enrolment)


def found(reading: Reading) -> Counter[tuple[str, str | None, frozenset[str]]]:
    return Counter((p.kind, p.colour, frozenset(p.spots)) for p in reading.pieces)


def truth(table: Table) -> Counter[tuple[str, str | None, frozenset[str]]]:
    return Counter((p.kind, p.colour, frozenset(p.spots)) for p in table.pieces)


@pytest.mark.parametrize("seed", range(4))
def test_every_piece_is_read_after_enrolment(seed: int) -> None:
    start, later = draw_table(START, seed), draw_table(LATER, seed + 10)
    learnt = enrol(start.image, start.pose, start.board, start.pieces, start.detections)
    assert found(look(later, learnt)) == truth(later)


def test_a_warm_lamp_between_enrolment_and_reading_swaps_no_colours() -> None:
    start = draw_table(START, 1)
    warm = draw_table(LATER, 2, light=(0.62, 0.85, 1.0))
    learnt = enrol(start.image, start.pose, start.board, start.pieces, start.detections)
    assert found(look(warm, learnt)) == truth(warm)


def test_each_seen_piece_keeps_its_rivals_with_normalised_probabilities() -> None:
    reading = look(draw_table(LATER, 3))
    for seen in reading.seen:
        total = sum(np.exp(c.log_prob) for c in seen.candidates)
        assert 0 < total <= 1.0001
        assert 0 <= seen.confidence <= 1


def test_a_piece_between_two_cells_is_unsure() -> None:
    table = draw_table(
        (replace(piece("wizard", "red", "e5"), at_mm=(166.0, 498.0)),), 0, noise_px=0
    )
    reading = look(table)
    assert next(spot for spot, _ in reading.unsure) in ("e5", "f5")


def test_a_colour_that_is_not_in_the_game_is_not_read() -> None:
    table = draw_table(LATER, 4)
    counts = inventory_counts(table.board, frozenset({"violet", "green"}))
    reading = read(table.image, table.pose, table.board, table.detections, None, counts)
    assert all(p.colour not in ("red", "orange") for p in reading.pieces)


def test_no_detections_make_an_empty_reading() -> None:
    table = draw_table((), 0)
    assert look(table).pieces == ()


def test_a_giant_hides_the_cell_behind_it_and_not_the_one_before_it() -> None:
    table = draw_table((piece("giant", "black", "h6"),), 0, low=True)
    reading = look(table)
    assert reading.owners is not None
    views = cell_views(table.image, table.pose, table.board, table.detections, reading.owners, {})
    assert views.get("h7") is CellView.HIDDEN
    assert "h5" not in views
    assert "k12" not in views


def test_an_unlikely_chip_on_the_board_is_not_told() -> None:
    at = (100.0, 100.0)
    seen = SeenPiece(at, (1.0, 0.0, 1.0), at, (), 0.4)
    chip = ReadPiece("chip", None, ("ring",), at, at, 0.4, seen)
    others = [
        replace(chip, confidence=0.6),  # a likely one
        replace(chip, kind="goblin", colour="black"),  # must be somewhere
        replace(chip, kind="die", spots=()),  # beside the board nobody is misled
    ]
    assert likely([chip, *others]) == others


def test_who_hides_whom_is_told_by_the_indices_of_the_things_of_the_reading() -> None:
    table = draw_table((piece("giant", "black", "k12"), piece("goblin", "black", "g12")), 3)
    reading = read(table.image, table.pose, table.board, table.detections)
    assert reading.owners is not None
    assert reading.detections is not None
    assert len(reading.detections) == len(reading.owners.distance_mm)
