"""Which groups of cells an L-wall may cover."""

from __future__ import annotations

from engine.board import load_board
from vision.footprints import Footprint, choose_footprints, possible_footprints


def test_the_marks_are_among_the_footprints_and_all_are_l_shaped() -> None:
    board = load_board("reference")
    groups = {frozenset(g) for g in possible_footprints(board)}
    for mark in board.raw["ruin_start"]:
        assert frozenset(mark) in groups
    for group in groups:
        assert len(group) == 3
        xs = {round(board.centres[c][0]) for c in group}
        ys = {round(board.centres[c][1]) for c in group}
        assert len(xs) == len(ys) == 2  # a corner and two arms, no straight line


def test_the_best_disjoint_set_beats_the_greedy_one() -> None:
    rows = [
        Footprint(("a", "b", "c"), 5.0),
        Footprint(("a", "d", "e"), 4.0),
        Footprint(("b", "f", "g"), 4.0),
        Footprint(("x", "y", "z"), -3.0),
    ]
    assert {f.cells for f in choose_footprints(rows, 2)} == {("a", "d", "e"), ("b", "f", "g")}


def test_a_faint_wall_fills_the_inventory_but_takes_no_place_of_a_sure_one() -> None:
    sure, faint = Footprint(("a", "b", "c"), 5.0), Footprint(("x", "y", "z"), -5.0)
    over = Footprint(("c", "d", "e"), -4.5)  # would fit beside ``faint`` only
    nothing = Footprint(("p", "q", "r"), -9.0)
    assert choose_footprints([sure, over, faint, nothing], 3) == [sure, faint]
    assert choose_footprints([sure, faint], 1) == [sure]
