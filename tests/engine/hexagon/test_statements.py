"""The statements H-1 to H-20 and the defaults without a switch, each by its id (rules file)."""

from __future__ import annotations

import json
from itertools import accumulate, permutations

import pytest

from engine.board import load_board
from engine.hexagon.burning import possible_values
from engine.hexagon.grid import DIRECTIONS
from tests.engine.hexagon.support import ROOM, Table, at, hexagon, keys, moving


def test_h1_wizards_begin_on_the_start_cells_of_their_colour() -> None:
    t = Table(load_board("reference", "hexagon"))
    for colour in ("red", "blue"):
        starts = set(t.state.setup.starts[colour])
        standing = {c for p, c in t.state.pieces.items() if p.startswith(f"wizard/{colour}/")}
        assert standing == starts
        assert len(starts) == 10


def test_h2_both_scores_begin_at_nothing() -> None:
    assert Table().points() == (0, 0)


def test_h3_own_wisdoms_are_placed_in_turn_red_first_on_any_free_cell_without_a_flame() -> None:
    t = Table(hexagon())
    t.refused("blue", "place", "H-3", to=at(1, 0))
    t.do("red", "place", to=at(1, 0))
    t.refused("red", "place", "H-3", to=at(2, 0))
    for cell in (at(1, 0), at(0, 0), t.state.setup.starts["red"][0]):
        t.refused("blue", "place", "H-3", to=cell)
    t.do("blue", "place", to=at(2, 0))
    assert (t.on(at(1, 0)), t.on(at(2, 0))) == ("wisdom/red", "wisdom/blue")


def test_h4_ha24_a_placed_value_is_never_told_nor_kept() -> None:
    t = Table(hexagon())
    open_, hidden = Table(hexagon()), Table(hexagon())
    open_.do("red", "place", to=at(1, 0), value=2)
    hidden.do("red", "place", to=at(1, 0))
    told = [json.dumps(ROOM.position(x.state)["pieces"]) for x in (open_, hidden)]
    assert told[0] == told[1]
    assert ROOM.scores(open_.state) == ROOM.scores(t.state)


def test_h5_ha25_on_the_board_only_the_owner_tells_wisdoms_apart() -> None:
    t = Table(hexagon())
    for n in range(4):
        t.do(("red", "blue")[n % 2], "place", to=at(n - 2, 1))
    infos = t.placement.infos
    wisdoms = [infos[p] for p, s in t.placement.pieces.items() if s and p.startswith("wisdom/")]
    assert {(i.kind, i.colour) for i in wisdoms} == {("wisdom", "red"), ("wisdom", "blue")}


def test_h6_in_the_open_variant_every_value_is_told_while_placing() -> None:
    t = Table(hexagon(), options={"H-6": "open"})
    t.do("red", "place", to=at(1, 0), value=2)
    t.do("blue", "place", to=at(2, 0), value=-1)
    t.refused("red", "place", "H-3", to=at(3, 0), value=3)


def test_h7_red_moves_first_and_turns_alternate() -> None:
    t = moving("red +1+0", "blue +3+0")
    t.refused("blue", "push", "H-7", from_=at(3, 0), to=at(4, 0))
    t.push("red", at(1, 0), at(1, 1))
    t.refused("red", "push", "H-7", from_=at(1, 1), to=at(1, 2))
    t.push("blue", at(3, 0), at(4, 0))
    assert t.state.to_act == "red"


@pytest.mark.parametrize("standing", ["blue +1+0", "red* +1+0", "blue* +1+0"])
def test_h8_only_own_wizards_are_moved(standing: str) -> None:
    t = moving("red -3+0", standing)
    t.refused("red", "push", "H-8", from_=at(1, 0), to=at(2, 0))


def test_h9_one_move_a_turn() -> None:
    t = moving("red +0+1", "blue +1+1", "blue +3+0")
    t.jump("red", at(0, 1), at(2, 1))
    t.refused("red", "push", "H-7", from_=at(2, 1), to=at(2, 2))


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_h10_one_cell_to_any_side_and_what_is_there_is_pushed_on(direction: str) -> None:
    t = moving("red +2-1", "blue -4+4")
    step = t.state.setup.grid.step[direction]
    to = step[at(2, -1)]
    pushed = moving("red +2-1", f"blue {to}")
    pushed.push("red", at(2, -1), to)
    assert (pushed.on(to), pushed.on(step[to])) == ("wizard/red", "wizard/blue")
    t.push("red", at(2, -1), to)
    assert t.on(to) == "wizard/red"


def test_h11_any_number_of_any_pieces_of_both_players() -> None:
    t = moving("red -4+1", "red -3+1", "blue* -2+1", "red* -1+1", "blue +0+1", "blue* +1+1")
    t.push("red", at(-4, 1), at(-3, 1))
    row = [t.on(at(q, 1)) for q in range(-3, 3)]
    assert row == ["wizard/red", "wizard/red", "wisdom/blue", "wisdom/red", "wizard/blue", "wisdom/blue"]  # fmt: skip


@pytest.mark.parametrize("over", ["red", "blue", "red*", "blue*"])
def test_h12_ha11_a_jump_goes_over_any_piece_which_stays(over: str) -> None:
    t = moving("red +1+1", f"{over} +2+1", "blue -4+4")
    before = t.on(at(2, 1))
    t.jump("red", at(1, 1), at(3, 1))
    assert (t.on(at(1, 1)), t.on(at(2, 1)), t.on(at(3, 1))) == (None, before, "wizard/red")


def test_h13_out_at_the_border_and_in_at_the_other_side() -> None:
    t = moving("red +4-2", "blue +0+3")
    t.push("red", at(4, -2), at(-2, -2))
    assert t.on(at(-2, -2)) == "wizard/red"


def test_h14_pieces_are_pushed_across_the_border_as_well() -> None:
    t = moving("red +3+0", "blue* +4+0", "red -4+0")
    t.push("red", at(3, 0), at(4, 0))
    assert [t.on(at(q, 0)) for q in (4, -4, -3)] == ["wizard/red", "wisdom/blue", "wizard/red"]


def test_h15_what_crossed_is_not_brought_back_at_once() -> None:
    t = moving("red +4+0", "blue +0+3")
    t.push("red", at(4, 0), at(-4, 0))
    t.push("blue", at(0, 3), at(0, 2))
    t.refused("red", "push", "H-15", from_=at(-4, 0), to=at(4, 0))


def test_h16_ha12_wizards_cross_flames_and_stand_on_them() -> None:
    t = moving("red -2+0", "blue -1+0", "blue +3+0")
    t.jump("red", at(-2, 0), at(0, 0))
    assert (t.on(at(0, 0)), t.state.pending) == ("wizard/red", ())
    t.push("blue", at(3, 0), at(4, 0))
    t.push("red", at(0, 0), at(1, 0))


def test_h17_ha13_a_chain_that_brings_an_own_wisdom_into_the_fire_stays_as_a_whole() -> None:
    t = moving("red -3+0", "blue* -2+0", "red* -1+0")
    j = t.refused("red", "push", "H-17", from_=at(-3, 0), to=at(-2, 0))
    assert at(0, 0) in j.cells
    assert (t.on(at(-2, 0)), t.on(at(-1, 0))) == ("wisdom/blue", "wisdom/red")


def test_h18_a_foreign_wisdom_burns_at_once_and_is_off_the_board() -> None:
    t = moving("red -2+0", "blue* -1+0", "blue +3+0")
    assert keys(t.push("red", at(-2, 0), at(-1, 0))) == ["burns"]
    assert t.on(at(0, 0)) is None
    assert t.placement.pieces["wisdom/blue/1"] == ()
    t.refused("blue", "push", "H-18", from_=at(3, 0), to=at(2, 0))


@pytest.mark.parametrize("value", [1, 2, -1])
def test_h19_ha17_the_burner_scores_the_value(value: int) -> None:
    t = moving("red -2+0", "blue* -1+0", "blue +3+0")
    t.push("red", at(-2, 0), at(-1, 0))
    t.do("red", "burnt", cell=at(0, 0), value=value)
    assert t.points() == (value, 0)


def test_h20_ha18_five_points_or_more_win_at_once() -> None:
    scored = {"burnt": {"blue": [2, 1, 1]}, "scores": {"red": 4}}
    t = moving("red -2+0", "blue* -1+0", "blue +3+0", **scored)
    t.push("red", at(-2, 0), at(-1, 0))
    j = t.do("red", "burnt", cell=at(0, 0), value=2)
    assert (t.state.winner, j.rule, t.points()) == ("red", "H-20", (6, 0))
    t.refused("blue", "push", "H-20", from_=at(3, 0), to=at(2, 0))


def test_ha1_seven_wisdoms_have_values_and_wizards_none() -> None:
    t = Table(load_board("reference", "hexagon"))
    kinds = [p.split("/")[:2] for p in t.state.pieces]
    assert kinds.count(["wisdom", "red"]) == kinds.count(["wisdom", "blue"]) == 7
    assert sorted(possible_values(t.state, "red")) == [-1, 1, 2]


def test_ha16_a_wisdom_that_comes_to_a_flame_burns_there() -> None:
    t = moving("red -3+0", "red -2+0", "blue* -1+0", "blue +3+0")
    t.push("red", at(-3, 0), at(-2, 0))
    assert t.state.pending == (at(0, 0),)
    assert t.on(at(1, 0)) is None


def test_ha19_every_order_of_the_seven_values_ends_with_five_points() -> None:
    for order in set(permutations([1, 1, 1, 2, 2, -1, -1])):
        won = [burnt for burnt, points in enumerate(accumulate(order), 1) if points >= 5]
        assert won
        assert won[0] >= 3


def test_ha20_wizards_are_never_removed() -> None:
    t = moving("red -2+0", "blue -1+0", "blue +3+0")
    t.push("red", at(-2, 0), at(-1, 0))
    assert t.on(at(0, 0)) == "wizard/blue"


def test_ha23_start_cells_are_taken_while_wisdoms_are_placed() -> None:
    t = Table(hexagon())
    for cell in t.state.setup.starts["blue"]:
        assert t.try_("red", "place", to=cell).rule == "H-3"
