"""Energy (M-36 to M-44 and the readings of M-A23 to M-A28, M-A51, M-A52)."""

from __future__ import annotations

import pytest

from engine.magalon.queries import due_mark, expected_marks
from tests.engine.magalon.support import acting, at, grid, keys

RED = grid(roles={"energy": [at(3, 0), at(1, 0)]})


def _t(card: int, energy: int = 10, **more):
    other = 0 if card else 5
    cards = {"violet": card, "green": other}
    t = acting(RED, cards, {"wizard/violet": at(0, 0)}, energy={"violet": energy}, **more)
    if not card:
        t.do("green", "end")
    return t


def test_plain_turn_costs_one_whenever_it_is_paid() -> None:
    t = _t(5)
    assert expected_marks(t.state, "violet") == {9}
    assert expected_marks(t.state, "green") == frozenset()
    t.do("violet", "energy", to=9)
    assert expected_marks(t.state, "violet") == frozenset()
    t.refused("violet", "energy", "M-39", to=8)
    t.do("violet", "walk", to=at(3, 2))
    j = t.do("violet", "end")
    assert "energy_reminder" not in keys(j)
    assert t.energy("violet") == 9


def test_forgotten_stone_is_booked_with_a_reminder() -> None:
    t = _t(5)
    assert due_mark(t.state, "violet") == 9
    j = t.do("violet", "end")
    assert "energy_reminder" in keys(j)


def test_wrong_mark_names_the_right_one_and_both_spots() -> None:
    t = _t(5)
    j = t.refused("violet", "energy", "M-39", to=8)
    assert j.cells == ("track/10", "track/8")
    assert "may go to 9" in j.message.text


def test_point_paid_early_comes_back_with_a_gain() -> None:
    t = _t(3)
    t.do("violet", "energy", to=9)
    t.do("violet", "walk", to=at(3, 0))
    assert expected_marks(t.state, "violet") == {13}
    t.refused("violet", "energy", "M-41", to=12)
    t.do("violet", "energy", to=13)
    t.do("violet", "end")
    assert t.energy("violet") == 13


def test_point_paid_early_comes_back_at_the_end_too() -> None:
    t = _t(3)
    t.do("violet", "energy", to=9)
    t.do("violet", "walk", to=at(3, 0))
    t.do("violet", "end")
    assert t.energy("violet") == 13


def test_several_amounts_in_one_or_more_lines() -> None:
    t = _t(1, 8)
    t.do("violet", "walk", to=at(1, 0))
    assert expected_marks(t.state, "violet") == {11, 12, 15}
    t.do("violet", "energy", to=12)
    t.do("violet", "energy", to=15)
    t.refused("violet", "energy", "M-39", to=14)
    t.do("violet", "end")
    assert t.energy("violet") == 15


def test_card_gain_at_the_top_still_saves_the_point() -> None:
    t = _t(2, 20)
    t.do("violet", "energy", to=20)
    t.do("violet", "end")
    assert t.energy("violet") == 20


def test_walking_on_from_red_costs_the_point() -> None:
    t = _t(3)
    t.do("violet", "walk", to=at(3, 0))
    t.do("violet", "walk_on", to=at(6, 0))
    t.refused("violet", "energy", "M-39", to=13)
    t.do("violet", "energy", to=9)
    t.do("violet", "end")


def test_at_zero_the_point_waits_for_the_end() -> None:
    t = _t(3, 0)
    t.refused("violet", "energy", "M-A51", to=10)
    t.do("violet", "walk", to=at(3, 0))
    t.do("violet", "end")
    assert t.energy("violet") == 3


def test_displaced_onto_red_gains_nothing() -> None:
    where = {"goblin/1": at(0, 2), "wizard/green": at(1, 2), "wizard/violet": at(9, 9)}
    t = acting(RED, {"violet": 6, "green": 1}, where)
    attack = {"player": "green", "to": at(3, 0)}
    args = {"piece": "goblin/1", "to": at(6, 2), "attacks": [attack]}
    judged = t.try_("violet", "goblin", **args)
    assert judged.status.value == "illegal"
    attack = {"player": "green", "to": at(1, 0), "via": None}
    where["wizard/green"] = at(1, 5)
    t = acting(RED, {"violet": 3, "green": 1}, {**where, "goblin/1": at(1, 8)})
    t.do("violet", "goblin", piece="goblin/1", to=at(1, 5), attacks=[attack])
    assert t.energy("green") == 10
    assert t.cell("wizard/green") == at(1, 0)


def test_walk_that_turns_out_longer_gives_no_red_gain() -> None:
    board = grid(roles={"energy": [at(3, 0)]})
    t = acting(board, {"violet": 5, "green": 0}, {"wizard/violet": at(0, 0)})
    t.do("violet", "walk", to=at(3, 0))
    t.do("violet", "walk", to=at(5, 0))
    assert expected_marks(t.state, "violet") == {9}


def test_red_gain_that_was_booked_ends_the_walk() -> None:
    board = grid(roles={"energy": [at(3, 0)]})
    t = acting(board, {"violet": 5, "green": 0}, {"wizard/violet": at(0, 0)})
    t.do("violet", "walk", to=at(3, 0))
    t.do("violet", "energy", to=13)
    t.refused("violet", "walk", "M-21", to=at(5, 0))


@pytest.mark.parametrize(("option", "legal"), [("a", False), ("b", True)])
def test_bonus_up_to_three_as_an_option(option: str, legal: bool) -> None:
    t = _t(3, options={"M-A36": option})
    t.do("violet", "walk", to=at(3, 0), via=[at(1, 0), at(2, 0)])
    judged = t.try_("violet", "walk_on", to=at(5, 0))
    assert (judged.status.value == "legal") == legal


def test_no_second_bonus_as_an_option() -> None:
    board = grid(roles={"energy": [at(3, 0), at(6, 0)]})
    t = acting(board, {"violet": 3, "green": 0}, {"wizard/violet": at(0, 0)}, {"M-A36": "c"})
    t.do("violet", "walk", to=at(3, 0))
    t.do("violet", "walk_on", to=at(6, 0))
    t.refused("violet", "walk_on", "M-42", to=at(9, 0))
    t.do("violet", "end")
    assert t.energy("violet") == 13


def test_entering_the_finish_books_the_card_first() -> None:
    board = grid(fields={"start": [at(1, 0)]})
    t = acting(board, {"violet": 2, "green": 0}, {"wizard/violet": at(0, 0)}, energy={"violet": 8})
    t.do("violet", "walk", to="start")
    assert t.energy("violet") == 16
    assert t.state.winner is None
    assert t.state.turn.booked == {"card"}
