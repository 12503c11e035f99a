"""Laying, passing, order, ends of turns and rounds (M-6 to M-18, M-37, M-38)."""

from __future__ import annotations

from engine.magalon.queries import cards_laid, layable_cards, next_to_act
from tests.engine.magalon.support import ROOM, Table, acting, at, grid, keys


def _board():
    return grid(fields={"start": [at(4, 9), at(5, 9)]})


def test_first_player_lays_first_clockwise() -> None:
    t = Table(_board(), "violet green red")
    assert ROOM.to_act(t.state) == "violet"
    assert next_to_act(t.state) == "green"
    t.refused("green", "lay", "M-6", card=3)
    t.do("violet", "lay", card=3)
    t.refused("violet", "lay", "M-7", card=4)
    assert next_to_act(t.state) == "red"
    assert layable_cards(t.state, "green") == (0, 1, 2, 4, 5, 6, 7, 8, 9, 10)
    t.do("green", "lay", card=9)
    assert next_to_act(t.state) is None
    j = t.do("red", "lay", card=5)
    assert keys(j) == ["first_of_round"]
    assert cards_laid(t.state) == (("violet", 3), ("green", 9), ("red", 5))
    assert ROOM.to_act(t.state) == "green"
    assert next_to_act(t.state) == "red"


def test_acting_waits_for_the_cards_and_laying_for_the_round() -> None:
    t = Table(_board())
    t.refused("violet", "walk", "M-7", to=at(4, 9))
    t.refused("violet", "end", "M-7")
    t.do("violet", "lay", card=3)
    t.do("green", "lay", card=5)
    t.refused("green", "lay", "M-11", card=6)
    t.refused("violet", "end", "M-11")


def test_card_not_in_hand() -> None:
    t = Table(_board(), position={"played": {"violet": [7]}})
    t.refused("violet", "lay", "M-17", card=7)
    t.refused("violet", "lay", "M-4", card=11)
    t.refused("violet", "lay", None, card="7")
    t.refused("violet", "lay", None, card=True)


def test_pass_is_refused_while_a_card_can_be_laid() -> None:
    t = Table(_board())
    j = t.refused("violet", "pass", "M-10")
    assert "0, 1, 2" in j.message.text


def test_two_passes_first_in_laying_order_lays_first() -> None:
    down = {"green": list(range(1, 11)), "red": list(range(1, 11))}
    t = Table(_board(), "violet green red", position={"played": down})
    t.do("violet", "lay", card=0)
    t.do("green", "pass")
    t.do("red", "pass")
    assert ROOM.to_act(t.state) == "violet"
    assert next_to_act(t.state) == "green"
    t.do("violet", "end")
    assert t.state.laying_order == ("green", "red", "violet")
    assert t.energy("green") == t.energy("red") == 10


def test_passer_with_the_other_reading_moves_the_shield_and_pays() -> None:
    down = {"green": list(range(1, 11))}
    t = Table(_board(), "violet green", {"M-A40": "b"}, {"played": down})
    t.do("violet", "lay", card=0)
    t.do("green", "pass")
    t.do("violet", "end")
    t.refused("green", "walk", "M-A40", to=at(4, 9))
    t.do("green", "shield", to=at(4, 4))
    t.do("green", "end")
    assert t.energy("green") == 9
    assert t.state.to_act == "green"


def test_played_card_is_down_and_card_4_only_after_the_round() -> None:
    t = Table(_board())
    t.do("violet", "lay", card=4)
    t.do("green", "lay", card=3)
    t.do("violet", "end")
    assert t.state.played["violet"] == frozenset()
    assert t.state.protected("violet")
    t.do("green", "end")
    assert t.state.played == {"violet": {4}, "green": {3}}
    assert not t.state.protected("violet")
    t.refused("green", "lay", "M-17", card=3)


def test_an_empty_hand_is_impossible() -> None:
    t = Table(_board(), position={"played": {"violet": list(range(1, 11))}})
    t.do("violet", "lay", card=0)
    t.do("green", "lay", card=1)
    t.do("green", "end")
    t.do("violet", "end")
    assert layable_cards(t.state, "violet") == tuple(range(11))


def test_nothing_goes_on_after_the_end() -> None:
    t = acting(
        _board(),
        {"violet": 2, "green": 1},
        {"wizard/violet": at(4, 9)},
        energy={"violet": 16},
        items={"violet": ["amulet", "ring", "stone"]},
    )
    t.do("violet", "walk", to="start")
    assert ROOM.to_act(t.state) is None
    assert next_to_act(t.state) is None
    t.refused("green", "lay", "M-57", card=1)
    assert ROOM.hints(t.state, "wizard/green") == ()
