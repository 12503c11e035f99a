"""The switches: what every second reading changes."""

from __future__ import annotations

import pytest

from engine.errors import BoardwardenError
from engine.grailnah.setup import SWITCHES
from tests.engine.grailnah.support import ROOM, Table, keys


@pytest.mark.parametrize("key", SWITCHES)
def test_both_readings_can_be_named(key: str) -> None:
    for value in SWITCHES[key]:
        t = Table(start=True, options={key: value})
        assert t.state.setup.option(key) == value


@pytest.mark.parametrize("options", [{"G-A1": "c"}, {"M-A8": "b"}, {"G-A1": 1}, {"G-1": "a"}])
def test_unknown_options_name_the_known_ones(options: dict) -> None:
    with pytest.raises(BoardwardenError, match="G-A30"):
        Table(start=True, options=options)


def table(option: str, pieces: dict, **more: object) -> Table:
    return Table(pieces, options={option: "b"}, **more)  # type: ignore[arg-type]


def test_ga1_nobody_lands_on_an_opponent() -> None:
    t = table("G-A1", {"knight/white/1": "4/4", "knight/red/1": "4/7"})
    t.not_move("G-A1", "white", "knight/1", "4/7")


def test_ga2_a_block_ends_when_one_moves_away() -> None:
    t = table("G-A2", {"knight/white/1": "4/4", "knight/red/1": "4/4"})
    t.move("white", "knight/1", "3/4")
    assert not t.state.blocked("knight/red/1")


def test_ga3_a_third_pawn() -> None:
    t = table("G-A3", {"knight/white/1": "4/4", "knight/red/1": "4/4", "king/blue": "4/5"},
              players=3, to_move="blue")  # fmt: skip
    t.move("blue", "king", "4/4")
    assert t.state.blocked("king/blue")
    t.not_move("G-12", "white", "knight/1", "3/4")


def test_ga4_two_own_pawns_share_a_cell_freely() -> None:
    t = table("G-A4", {"knight/white/1": "4/4", "knight/white/2": "4/7", "knight/red/1": "4/9"})
    t.move("white", "knight/1", "4/7")
    t.not_move("G-A3", "red", "knight/1", "4/7")
    t.move("red", "knight/1", "4/8")
    t.move("white", "knight/1", "3/7")


def test_ga5_a_team_counts_as_one() -> None:
    pieces = {"knight/white/1": "4/4", "knight/blue/1": "4/7"}
    t = Table(pieces, players=4)
    assert keys(t.move("white", "knight/1", "4/7")) == ["pair"]
    t = table("G-A5", pieces, players=4)
    t.not_move("G-A5", "white", "knight/1", "4/7")


def test_ga7_only_ones_own_royals_keep_off() -> None:
    t = table("G-A7", {"king/white": "5/4", "queen/red": "5/3"})
    t.move("white", "king", "5/3")
    assert not t.state.blocked("queen/red")
    t = table("G-A7", {"king/white": "5/4", "queen/white": "5/3"})
    t.not_move("G-15", "white", "king", "5/3")


def test_ga8_forward_and_sideways_in_one_move() -> None:
    t = table("G-A8", {"knight/white/1": "4/4", "knight/red/1": "3/6"})
    reach = t.hints("knight/white/1")
    assert {"3/5", "3/6", "3/0", "4/9"} <= reach
    assert "2/4" not in reach


def test_ga9_a_full_round() -> None:
    t = table("G-A9", {"knight/white/1": "4/4", "merlin": "1/1"})
    t.move("white", "knight/1", "4/4")
    t.do("red", "merlin", to="1/1")


def test_ga11_the_centre_is_held() -> None:
    t = table("G-A11", {"knight/white/1": "1/4", "merlin": "3/3"})
    t.not_move("G-A11", "white", "knight/1", "grail")
    t = table("G-A11", {"knight/white/1": "1/4", "merlin": "3/3", "morgane": "2/2"})
    t.move("white", "knight/1", "grail")
    assert ROOM.winner(t.state) == "white"


def test_ga13_per_player() -> None:
    t = table("G-A13", {"merlin": "1/0"})
    t.do("white", "merlin", to="1/1")
    t.do("red", "merlin", to="1/2")
    t.refused("G-28", "white", "merlin", to="1/3")
    t.move("white", "king", "5/0")
    t.refused("G-28", "red", "merlin", to="1/3")


def test_ga14_three_times_in_the_game() -> None:
    t = table("G-A14", {"merlin": "1/0"}, merlin_run={"white": 2})
    t.do("white", "merlin", to="1/1")
    t.move("red", "king", "5/12")
    t.move("white", "king", "5/0")
    t.move("red", "king", "5/11")
    t.refused("G-29", "white", "merlin", to="1/2")


def test_ga16_leaving_the_centre_costs_a_knight() -> None:
    t = table("G-A16", {})
    t.refused("G-20", "white", "morgane", to="1/1")
    t.do("white", "morgane", to="1/1", sacrifice="knight/white/1")


def test_ga17_leaving_onto_nobody() -> None:
    t = table("G-A17", {"merlin": "1/1"})
    t.refused("G-A17", "white", "morgane", to="1/1")


def test_ga18_morgane_outside() -> None:
    t = table("G-A18", {"morgane": "3/1", "king/red": "4/1"})
    t.do("white", "morgane", to="4/1", sacrifice="knight/white/1")
    assert t.cell("king/red") == "6/12"
    t.move("red", "king", "5/12")
    assert t.hints("morgane") == {"3/1", "4/0", "4/2", "5/1"}


def test_ga20_merlin_one_cell_in_and_out() -> None:
    t = table("G-A20", {"merlin": "2/1"})
    t.refused("G-A20", "white", "merlin", to="4/1")
    t.do("white", "merlin", to="2/9")


def test_ga22_only_knights_outside() -> None:
    t = table("G-A22", {"morgane": "3/1", "knight/white/1": "4/4"})
    t.refused("G-A22", "white", "morgane", to="3/2", sacrifice="knight/white/2")
    t.do("white", "morgane", to="3/2", sacrifice="knight/white/1")


INSIDE = {
    "king/white": "6/12",
    "queen/white": "5/12",
    "knight/white/1": None,
    "knight/white/2": None,
}


def test_ga24_another_castle_each_time() -> None:
    t = table("G-A24", INSIDE)
    t.move("white", "queen", "6/12")
    t.do("white", "recover", count=1)
    way = (("queen", "5/12"), ("queen", "4/12"), ("king", "5/12"), ("king", "6/12"),
           ("queen", "5/12"), ("queen", "6/12"))  # fmt: skip
    for n, (piece, to) in enumerate(way):
        t.move("red", "knight/1", f"6/{13 + n}")
        said = keys(t.move("white", piece, to))
    assert said == []
    t.refused("G-A24", "white", "recover", count=1)


def test_ga25_into_the_castle_of_the_royals() -> None:
    t = table("G-A25", INSIDE)
    t.move("white", "queen", "6/12")
    t.do("white", "recover", count=2)
    assert t.cell("knight/white/1") == "6/12"
    t.move("red", "knight/1", "6/14")
    t.move("white", "knight/1", "6/11")


def test_ga26_a_recovery_costs_a_turn() -> None:
    t = table("G-A26", INSIDE)
    t.move("white", "queen", "6/12")
    t.refused("G-6", "white", "recover", count=1)
    t.move("red", "knight/1", "6/14")
    t.do("white", "recover", count=2)
    assert t.state.to_move == "red"


def test_ga30_first_cell_only() -> None:
    t = table("G-A30", {})
    assert t.hints("knight/white/1") == {"6/1", "6/23"}
    t.not_move("G-A30", "white", "knight/1", "6/2")
