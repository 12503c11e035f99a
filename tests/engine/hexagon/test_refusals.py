"""One test per refusal: the rule, the cells, and a sentence that says what to put back."""

from __future__ import annotations

import pytest

from engine.hexagon.messages import CATALOGUE
from tests.engine.hexagon.support import Table, at, hexagon, keys, moving


def _says(judgement, key: str, *cells: str) -> None:
    assert judgement.message.key == key
    assert set(cells) <= set(judgement.cells)


# -- placing ------------------------------------------------------------------------------------


def test_a_taken_cell() -> None:
    t = Table(hexagon())
    start = t.state.setup.starts["blue"][0]
    _says(t.refused("red", "place", "H-3", to=start), "place_taken", start)


def test_a_flame() -> None:
    _says(Table(hexagon()).refused("red", "place", "H-3", to=at(0, 0)), "place_flame", at(0, 0))


def test_out_of_turn_while_placing() -> None:
    _says(Table(hexagon()).refused("blue", "place", "H-3", to=at(1, 0)), "not_your_turn")


def test_no_move_before_all_is_placed() -> None:
    t = Table(hexagon())
    _says(t.refused("red", "push", "H-3", from_=at(0, 3), to=at(0, 2)), "placing_first")


def test_no_placing_after_that() -> None:
    t = moving("red +1+0", "blue +3+0")
    _says(t.refused("red", "place", "H-7", to=at(2, 2)), "all_placed")


@pytest.mark.parametrize("value", [0, 3, "2", True, 1.5])
def test_a_value_that_no_wisdom_has(value: object) -> None:
    t = Table(hexagon())
    _says(t.refused("red", "place", "H-3", to=at(1, 0), value=value), "no_such_value")


# -- whose, and what ----------------------------------------------------------------------------


def test_out_of_turn() -> None:
    t = moving("red +1+0", "blue +3+0")
    _says(t.refused("blue", "push", "H-7", from_=at(3, 0), to=at(2, 0)), "not_your_turn")


@pytest.mark.parametrize("other", ["blue -2+0", "blue* -2+0", "red* -2+0"])
@pytest.mark.parametrize("do", ["push", "jump"])
def test_only_own_wizards_are_moved(other: str, do: str) -> None:
    t = moving("red +1+0", other)
    args = {"to": at(-1, 0)} if do == "push" else {"path": [at(0, 0)]}
    _says(t.refused("red", do, "H-8", from_=at(-2, 0), **args), "not_yours", at(-2, 0))


def test_an_empty_cell() -> None:
    t = moving("red +1+0")
    _says(t.refused("red", "push", "H-8", from_=at(2, 0), to=at(3, 0)), "nothing_there")


# -- pushing ------------------------------------------------------------------------------------


def test_a_step_that_is_too_long() -> None:
    t = moving("red +1+0")
    _says(t.refused("red", "push", "H-10", from_=at(1, 0), to=at(3, 0)), "not_next", at(3, 0))


def test_no_step_at_all() -> None:
    t = moving("red +1+0")
    _says(t.refused("red", "push", "H-10", from_=at(1, 0), to=at(1, 0)), "stays_there")


def test_the_wrong_side_of_the_border() -> None:
    t = moving("red +4+0")
    _says(t.refused("red", "push", "H-10", from_=at(4, 0), to=at(-4, 1)), "not_next")


def test_a_full_line_that_goes_over_the_border() -> None:
    line = [f"blue {at(0, r)}" for r in range(-4, 4)]
    t = moving("red +0+4", *line)
    _says(t.refused("red", "push", "H-A4", from_=at(0, 4), to=at(0, -4)), "line_full", at(0, -4))


def test_own_wisdom_at_the_end_of_a_mixed_chain() -> None:
    t = moving("red -3+0", "blue -2+0", "red* -1+0")
    j = t.refused("red", "push", "H-17", from_=at(-3, 0), to=at(-2, 0))
    _says(j, "own_in_fire", at(-1, 0), at(0, 0))


def test_own_wisdom_over_the_border_into_a_flame_there() -> None:
    board = hexagon(flames=["-4+0"])
    t = moving("red +3+0", "red* +4+0", board=board)
    j = t.refused("red", "push", "H-17", from_=at(3, 0), to=at(4, 0))
    _says(j, "own_in_fire", at(4, 0), at(-4, 0))


def test_back_across_by_the_player_himself_one_turn_later() -> None:
    t = moving("red +4+0", "blue +0+3")
    t.push("red", at(4, 0), at(-4, 0))
    t.push("blue", at(0, 3), at(0, 2))
    _says(t.refused("red", "push", "H-15", from_=at(-4, 0), to=at(4, 0)), "back_across", at(4, 0))
    t.push("red", at(-4, 0), at(-3, 0))
    t.push("blue", at(0, 2), at(0, 1))
    t.push("red", at(-3, 0), at(-4, 0))
    t.push("blue", at(0, 1), at(0, 2))
    t.push("red", at(-4, 0), at(4, 0))


def test_back_across_is_free_after_a_pair_of_turns() -> None:
    t = moving("red +4+0", "red +1+2", "blue +0+3")
    t.push("red", at(4, 0), at(-4, 0))
    t.push("blue", at(0, 3), at(0, 2))
    t.push("red", at(1, 2), at(1, 1))
    t.push("blue", at(0, 2), at(0, 1))
    t.push("red", at(-4, 0), at(4, 0))


def test_each_crossing_is_remembered_for_its_own_pair_of_turns() -> None:
    t = moving("red +4+0", "blue +0+4")
    t.push("red", at(4, 0), at(-4, 0))
    t.push("blue", at(0, 4), at(0, -4))
    assert len(t.state.crossings) == 2
    t.refused("red", "push", "H-15", from_=at(-4, 0), to=at(4, 0))
    t.push("red", at(-4, 0), at(-4, 1))
    t.refused("blue", "push", "H-15", from_=at(0, -4), to=at(0, 4))


def test_back_another_way_is_no_reversal() -> None:
    t = moving("red +4-4", "blue +0+3")
    t.push("red", at(4, -4), at(0, -4))
    t.push("blue", at(0, 3), at(0, 2))
    t.push("red", at(0, -4), at(0, 4))


# -- jumping ------------------------------------------------------------------------------------


def test_nothing_to_jump_over() -> None:
    t = moving("red +1+0")
    j = t.refused("red", "jump", "H-12", from_=at(1, 0), path=[at(3, 0)])
    _says(j, "nothing_to_jump", at(2, 0))


def test_a_taken_landing() -> None:
    t = moving("red +1+0", "blue +2+0", "blue +3+0")
    j = t.refused("red", "jump", "H-A8", from_=at(1, 0), path=[at(3, 0)])
    _says(j, "landing_taken", at(3, 0))


def test_no_straight_jump() -> None:
    t = moving("red +1+0", "blue +2+0")
    _says(t.refused("red", "jump", "H-12", from_=at(1, 0), path=[at(2, 1)]), "no_jump")


def test_no_jump_over_a_piece_that_is_further_away() -> None:
    t = moving("red -3+0", "blue -1+0")
    _says(t.refused("red", "jump", "H-12", from_=at(-3, 0), path=[at(1, 0)]), "no_jump")


def test_no_jump_across_the_border() -> None:
    t = moving("red +3+0", "blue +4+0")
    j = t.refused("red", "jump", "H-A9", from_=at(3, 0), path=[at(-4, 0)])
    _says(j, "jump_border", at(-4, 0))


def test_no_jump_to_where_it_began() -> None:
    t = moving("red +1+0", "blue +2+0")
    j = t.refused("red", "jump", "H-A10", from_=at(1, 0), path=[at(3, 0), at(1, 0)])
    _says(j, "jump_circle", at(1, 0))


def test_a_jump_without_path_looks_for_one() -> None:
    t = moving("red +0+1", "blue +1+1", "red* +2+0")
    t.do("red", "jump", from_=at(0, 1), to=at(2, -1))
    t = moving("red +0+1", "blue +1+1")
    _says(t.refused("red", "jump", "H-12", from_=at(0, 1), to=at(2, -1)), "no_path")


# -- burning ------------------------------------------------------------------------------------


def _burning() -> Table:
    t = moving("red -2+0", "blue* -1+0", "blue +3+0", "blue* -3+3")
    t.push("red", at(-2, 0), at(-1, 0))
    return t


@pytest.mark.parametrize("do", ["push", "jump", "pass", "draw", "resign"])
@pytest.mark.parametrize("player", ["red", "blue"])
def test_other_actions_wait_for_the_value(player: str, do: str) -> None:
    j = _burning().refused(player, do, "H-18", from_=at(3, 0), to=at(2, 0))
    _says(j, "value_first", at(0, 0))


def test_a_value_for_another_cell() -> None:
    _says(_burning().refused("red", "burnt", "H-18", cell=at(1, 0), value=1), "not_burning")


def test_a_value_when_nothing_burns() -> None:
    t = moving("red +1+0")
    _says(t.refused("red", "burnt", "H-18", cell=at(0, 0), value=1), "nothing_burning")


@pytest.mark.parametrize("value", [0, 3, -2, None, "1", True])
def test_a_burnt_value_that_does_not_exist(value: object) -> None:
    j = _burning().refused("red", "burnt", "H-19", cell=at(0, 0), value=value)
    _says(j, "no_such_value", at(0, 0))


def test_values_that_only_the_points_tell_of() -> None:
    """4 points from before the app came may be two +2, or one +2 and two +1: anything can still
    come.  -2 points are both -1: there is none left."""
    t = moving("red -2+0", "blue* -1+0", scores={"red": 4})
    t.push("red", at(-2, 0), at(-1, 0))
    for value in (-1, 1, 2):
        assert t.try_("red", "burnt", cell=at(0, 0), value=value).status.value == "legal"
    t = moving("red -2+0", "blue* -1+0", scores={"red": -2})
    t.push("red", at(-2, 0), at(-1, 0))
    j = t.refused("red", "burnt", "H-19", cell=at(0, 0), value=-1)
    _says(j, "value_used")
    assert str(j.message.params["left"]) == "+1 or +2"


# -- ending -------------------------------------------------------------------------------------


def test_no_pass_for_who_can_move() -> None:
    _says(moving("red +1+0").refused("red", "pass", "H-A22"), "must_move", at(1, 0))


def test_who_cannot_move_passes() -> None:
    t = moving("blue +1+0")
    assert keys(t.do("red", "pass")) == ["passes"]
    assert t.state.to_act == "blue"


def test_giving_up_ends_the_game() -> None:
    t = moving("red +1+0", "blue +3+0")
    t.do("blue", "resign")
    assert (t.state.winner, t.state.to_act) == ("red", None)
    _says(t.refused("red", "push", "H-20", from_=at(1, 0), to=at(2, 0)), "game_over")


def test_a_draw_ends_the_game_without_a_winner() -> None:
    t = moving("red +1+0", "blue +3+0")
    assert keys(t.do("red", "draw")) == ["agreed"]
    assert (t.state.winner, t.state.to_act) == (None, None)
    _says(t.refused("red", "push", "H-A27", from_=at(1, 0), to=at(2, 0)), "drawn")


# -- anything -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("player", "do", "key"),
    [
        ("red", "walk", "unknown_action"),
        ("red", "undo", "record_action"),
        ("green", "push", "nobody"),
        (None, "push", "nobody"),
    ],
)
def test_what_cannot_be_an_action(player: str | None, do: str, key: str) -> None:
    _says(moving("red +1+0").refused(player, do, None), key)


@pytest.mark.parametrize(
    "args",
    [{}, {"from": 3}, {"from": "x"}, {"from": "+1+0"}, {"from": "+1+0", "to": "x"},
     {"from": "+1+0", "path": 4}, {"from": "+1+0", "path": []}, {"from": "+1+0", "path": ["x"]}],
)  # fmt: skip
@pytest.mark.parametrize("do", ["push", "jump"])
def test_malformed_arguments(do: str, args: dict) -> None:
    t = moving("red +1+0")
    j = t.refused("red", do, None, **args)
    assert j.message.key == "malformed"


def test_every_sentence_is_a_sentence() -> None:
    for key, text in CATALOGUE.items():
        assert key.startswith("")
        assert "{owner}s" not in text
