"""Walks of one's own wizard: parts, obstacles, red cells, the finish."""

from __future__ import annotations

import pytest

from engine.board import load_board
from tests.engine.magalon.support import ROOM, acting, at, grid, keys

L = [at(2, 0), at(2, 1), at(3, 1)]


def _t(card: int = 5, board=None, **more):
    where = {"wizard/violet": at(0, 0), **more.pop("pieces", {})}
    return acting(board or grid(), {"violet": card, "green": 0}, where, **more)


def test_too_far_names_rule_and_cells() -> None:
    j = _t(5).refused("violet", "walk", "M-19", to=at(3, 3))
    assert j.cells == (at(0, 0), at(3, 3))
    assert "exactly 5" in j.message.text


def test_occupied_target_names_what_stands_there() -> None:
    t = _t(5, pieces={"shield/violet": at(0, 5)})
    j = t.refused("violet", "walk", "M-22", to=at(0, 5))
    assert "violet shield" in j.message.text


def test_boxed_in_wizard_stays_and_may_do_the_rest() -> None:
    t = _t(5, grid(ruins=[[at(1, 0), at(1, 1), at(2, 1)]]), pieces={"shield/green": at(0, 1)})
    t.refused("violet", "walk", "M-22", to=at(4, 1))
    t.do("violet", "shield", to=at(7, 7))
    t.do("violet", "end")


def test_parts_are_interleaved_with_a_ruin() -> None:
    t = _t(7, grid(ruins=[L]))
    t.do("violet", "walk", to=at(1, 0))
    t.do("violet", "slide", ruin=1, to=[at(2, 1), at(2, 2), at(3, 2)])
    t.do("violet", "walk", to=at(7, 0), via=[at(x, 0) for x in range(2, 7)])
    t.refused("violet", "walk", "M-19", to=at(8, 0))


def _lane(card: int, violet: int, shield: int):
    """A lane of ten cells along the upper edge."""
    holes = [at(x, y) for x in range(10) for y in range(1, 10) if (x, y) != (9, 9)]
    where = {"wizard/violet": at(violet, 0), "shield/violet": at(shield, 0)}
    return acting(grid(holes=holes), {"violet": card, "green": 0}, where)


def test_the_obstacle_of_the_earlier_part_counts_for_the_earlier_part_only() -> None:
    t = _lane(4, 4, 7)
    t.refused("violet", "walk", "M-22", to=at(8, 0))
    j = t.do("violet", "walk", "pending", to=at(6, 0))
    assert j.pending.key == "walk_stuck"
    t.do("violet", "shield", to=at(5, 0))
    t.refused("violet", "walk", "M-22", to=at(4, 0))
    t.do("violet", "walk", to=at(8, 0))


def test_boxed_in_wizard_has_to_make_way_before_it_walks() -> None:
    t = _lane(5, 3, 6)
    j = t.refused("violet", "walk", "M-21", to=at(5, 0))
    assert j.message.key == "boxed_in"
    t.refused("violet", "walk", "M-22", to=at(8, 0))
    t.do("violet", "shield", to=at(0, 0))
    t.do("violet", "walk", to=at(8, 0))


def test_end_with_a_part_walk_is_refused_and_the_next_player_waits() -> None:
    t = _t(5)
    t.do("violet", "walk", "pending", to=at(2, 0))
    j = t.refused("violet", "end", "M-A3")
    assert j.cells == (at(0, 0), at(2, 0))
    t.refused("green", "walk", "M-11", to=at(5, 5))
    t.do("violet", "cancel", piece="wizard/violet")
    assert t.cell("wizard/violet") == at(0, 0)
    t.do("violet", "walk", to=at(1, 4))
    t.refused("violet", "cancel", "M-A3", piece="wizard/violet")
    t.do("violet", "end")


def test_a_complete_walk_may_turn_out_to_have_been_a_part() -> None:
    t = _t(5)
    t.do("violet", "walk", to=at(3, 0))
    t.do("violet", "walk", to=at(5, 0))
    t.refused("violet", "walk", "M-19", to=at(6, 0))


def test_cells_of_an_unknown_part_are_free_as_long_as_some_walk_fits() -> None:
    t = _t(7)
    t.do("violet", "walk", "pending", to=at(1, 1))
    t.do("violet", "walk", to=at(1, 0))
    u = _t(7)
    u.do("violet", "walk", "pending", to=at(1, 1), via=[at(1, 0)])
    u.refused("violet", "walk", "M-20", to=at(1, 0))


def test_origin_counts_as_used() -> None:
    t = _t(6)
    t.do("violet", "walk", to=at(1, 1))
    j = t.refused("violet", "walk", "M-20", to=at(0, 0))
    assert j.cells == (at(1, 1), at(0, 0))
    t.refused("violet", "walk", "M-20", to=at(1, 1))


@pytest.mark.parametrize(
    ("via", "rule"),
    [
        ([at(1, 0), at(3, 0), at(4, 0), at(4, 1)], "M-19"),
        ([at(1, 0), at(0, 0), at(0, 1), at(0, 2)], "M-20"),
        ([at(0, 1), at(1, 1), at(2, 1), at(3, 1)], "M-22"),
        ([at(0, 1)], "M-19"),
    ],
)
def test_given_cells_that_are_no_walk(via: list[str], rule: str) -> None:
    t = _t(5, pieces={"shield/green": at(1, 1)})
    t.refused("violet", "walk", rule, to=at(4, 1), via=via)


def test_part_that_nothing_can_complete_is_refused() -> None:
    lane = grid(holes=[at(x, y) for x in range(10) for y in range(1, 10) if (x, y) != (9, 9)])
    t = acting(lane, {"violet": 5, "green": 0}, {"wizard/violet": at(6, 0)})
    t.refused("violet", "walk", "M-21", to=at(8, 0))
    t.do("violet", "walk", to=at(1, 0))


def test_leaving_the_start_field_over_any_bordering_cell() -> None:
    board = grid(fields={"start": [at(4, 9), at(5, 9)]})
    t = acting(board, {"violet": 2, "green": 1})
    reached = set(ROOM.hints(t.state, "wizard/violet"))
    assert reached == {at(4, 8), at(5, 8), at(3, 9), at(6, 9), at(4, 9), at(5, 9)}
    t.refused("violet", "walk", "M-56", to="start") if t.cell("wizard/violet") != "start" else None
    t.do("violet", "walk", to=at(5, 9))


def test_start_field_is_shared_and_never_an_obstacle() -> None:
    board = grid(fields={"start": [at(4, 9), at(5, 9)]})
    t = acting(board, {"violet": 2, "green": 1}, {"wizard/violet": at(4, 8)}, energy={"violet": 16})
    t.do("violet", "walk", to="start")
    assert t.cell("wizard/green") == "start"


def test_walk_through_the_start_field_that_must_pass_it_wins() -> None:
    row = [at(x, y) for x in range(10) for y in range(10) if y and (x, y) != (9, 9)]
    board = grid(fields={"start": [at(3, 0), at(5, 0)]}, holes=[*row, at(4, 0)])
    t = acting(
        board,
        {"violet": 6, "green": 0},
        {"wizard/violet": at(1, 0)},
        energy={"violet": 17},
        items={"violet": ["amulet", "ring", "stone"]},
    )
    t.do("violet", "walk", to=at(7, 0))
    assert t.state.winner == "violet"


def test_red_choice_comes_before_everything_else() -> None:
    board = grid(roles={"energy": [at(3, 0)]})
    t = _t(3, board)
    j = t.do("violet", "walk", to=at(3, 0))
    assert "red_choice" in keys(j)
    j = t.do("violet", "shield", to=at(8, 8))
    assert "red_stays" in keys(j)
    t.refused("violet", "walk_on", "M-42", to=at(6, 0))
    t.refused("violet", "stay", "M-41")


def test_bonus_walk_is_exactly_three_cells_in_one_go() -> None:
    board = grid(roles={"energy": [at(3, 0), at(3, 3)]})
    t = _t(3, board)
    t.refused("violet", "walk_on", "M-42", to=at(1, 0))
    t.do("violet", "walk", to=at(3, 0))
    t.refused("violet", "walk_on", "M-42", to=at(5, 0))
    t.refused("violet", "walk_on", "M-42", to=at(2, 0))
    j = t.do("violet", "walk_on", to=at(3, 3))
    assert "red_choice" in keys(j)
    t.do("violet", "walk_on", to=at(6, 3))
    t.do("violet", "end")
    assert t.energy("violet") == 9


def test_standing_on_a_red_cell_gives_nothing_again() -> None:
    t = _t(3, grid(roles={"energy": [at(0, 0)]}))
    t.do("violet", "end")
    assert t.energy("violet") == 9


def test_finish_on_the_bonus_walk_with_fewer_than_three_steps() -> None:
    board = grid(fields={"start": [at(4, 0)]}, roles={"energy": [at(3, 0)]})
    t = _t(
        3,
        board,
        energy={"violet": 16},
        items={"violet": ["amulet", "ring", "stone"]},
    )
    t.do("violet", "walk", to=at(3, 0))
    t.do("violet", "walk_on", to="start")
    assert t.state.winner == "violet"


def test_hints_are_what_the_judge_allows() -> None:
    board = grid(ruins=[L], fields={"stone": [at(0, 3), at(0, 4)], "start": [at(9, 4)]})
    t = _t(5, board, pieces={"wizard/violet": at(2, 3), "shield/green": at(3, 3)})
    hinted = set(ROOM.hints(t.state, "wizard/violet"))
    for cell in board.cells:
        judged = t.try_("violet", "walk", to=cell)
        assert (judged.status.value == "legal") == (cell in hinted), cell


def test_hint_of_the_winning_finish() -> None:
    board = grid(fields={"start": [at(4, 9)]})
    full = {"energy": {"violet": 16}, "items": {"violet": ["amulet", "ring", "stone"]}}
    t = acting(board, {"violet": 7, "green": 0}, {"wizard/violet": at(4, 5)}, **full)
    assert "start" in ROOM.hints(t.state, "wizard/violet")
    t = acting(board, {"violet": 4, "green": 0}, {"wizard/violet": at(4, 5)}, **full)
    assert "start" not in ROOM.hints(t.state, "wizard/violet")


def test_only_staying_is_offered_where_three_steps_are_impossible() -> None:
    holes = [at(x, y) for x in range(10) for y in range(1, 10) if (x, y) != (9, 9)]
    board = grid(holes=holes, roles={"energy": [at(7, 0)]})
    where = {"wizard/violet": at(4, 0), "wizard/green": at(9, 9)}
    t = acting(board, {"violet": 3, "green": 0}, where)
    j = t.do("violet", "walk", to=at(7, 0))
    assert keys(j) == ["red_only_stay"]
    t.refused("violet", "walk_on", "M-42", to=at(9, 0))
    t.do("violet", "stay")


def test_small_start_field_inside_the_lattice_is_no_cell_for_ruins() -> None:
    raw = dict(grid(4, 3).raw)
    cells = [dict(c) for c in raw["cells"]]
    for cell in cells:
        if cell["id"] == at(1, 1):
            cell["roles"] = ["start"]
    raw |= {"cells": cells, "ruin_start": [[at(0, 1), at(0, 0)]]}
    t = acting(load_board(raw), {"violet": 7, "green": 0})
    far = [at(2, 1), at(2, 0)]
    t.refused("violet", "slide", "M-33", ruin=1, to=far)
