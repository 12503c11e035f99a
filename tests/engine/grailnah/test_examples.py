"""The 16 examples of the rules file, by number."""

from __future__ import annotations

import pytest

from engine.grailnah.setup import KNIGHTS
from tests.engine.grailnah.support import COLOURS, ROOM, Table, keys


def test_example_01_knight_goes_forward_never_back() -> None:
    t = Table({"knight/white/1": "5/10"})
    j = t.not_move("G-11", "white", "knight/1", "6/10")
    assert j.cells == ("5/10", "6/10") and "5/10" in j.message.text
    t.move("white", "knight/1", "4/10")


def test_example_02_sideways_and_the_other_way_round() -> None:
    t = Table({"knight/white/1": "4/0"})
    t.move("white", "knight/1", "4/5")
    t = Table({"knight/white/1": "4/0", "knight/red/1": "4/3"})
    t.move("white", "knight/1", "4/5")
    t = Table({"knight/white/1": "4/0", "knight/red/1": "4/3", "knight/red/2": "4/17"})
    j = t.not_move("G-10", "white", "knight/1", "4/5")
    assert set(j.cells) == {"4/0", "4/3", "4/17", "4/5"}


@pytest.mark.parametrize("sector", range(6, 24))
def test_example_02_any_pawn_on_the_other_way_closes_it(sector: int) -> None:
    t = Table({"knight/white/1": "4/0", "knight/red/1": "4/3", "knight/white/2": f"4/{sector}"})
    t.not_move("G-10", "white", "knight/1", "4/5")


def test_example_03_landing_on_an_opponent_blocks_both() -> None:
    t = Table({"knight/white/1": "4/0", "knight/red/1": "4/3"})
    assert keys(t.move("white", "knight/1", "4/3")) == ["pair"]
    t.not_move("G-12", "red", "knight/1", "3/3")
    t.move("red", "knight/2", "6/13")
    t.not_move("G-12", "white", "knight/1", "3/3")
    assert t.hints("knight/white/1") == set()


def test_example_04_merlin_sends_both_home() -> None:
    t = Table({"knight/white/1": "3/3", "knight/red/1": "3/3", "merlin": "3/6"})
    j = t.do("white", "merlin", to="3/3")
    assert keys(j) == ["home", "home"]
    assert t.cell("knight/white/1") == "6/0" and t.cell("knight/red/1") == "6/12"
    assert t.cell("merlin") == "3/3"


def test_example_05_third_pawn() -> None:
    pieces = {"knight/white/1": "4/3", "knight/red/1": "4/3", "knight/white/2": "4/9",
              "king/red": "4/4", "knight/blue/1": "4/23", "king/blue": "5/2"}  # fmt: skip
    t = Table(pieces, players=3, to_move="white")
    t.not_move("G-A3", "white", "knight/2", "4/3")
    for player, piece in (("red", "king"), ("blue", "king"), ("blue", "knight/1")):
        t = Table(pieces, players=3, to_move=player)
        t.not_move("G-A3", player, piece, "4/3")


def test_example_06_alternation() -> None:
    t = Table(start=True)
    t.refused("G-A12", "white", "merlin", to="1/0")
    t.refused("G-A12", "white", "morgane", to="1/0")
    t.move("white", "knight/1", "6/1")
    t.do("red", "merlin", to="1/0")
    t.refused("G-28", "white", "merlin", to="2/0")
    t.do("white", "morgane", to="1/1")
    t.do("red", "merlin", to="2/0")


def test_example_07_fourth_own_turn_running() -> None:
    t = Table({"merlin": "1/0"})
    for n in range(3):
        t.do("white", "merlin", to=f"1/{n + 1}")
        t.move("red", "king", ("5/12", "5/11", "5/12")[n])
    j = t.refused("G-29", "white", "merlin", to="1/5")
    assert "1/3" in j.message.text
    t.move("white", "knight/1", "6/1")
    t.move("red", "king", "5/11")
    t.do("white", "merlin", to="1/5")


def test_example_08_morgane_leaves_the_centre() -> None:
    t = Table({"knight/red/1": "1/3"})
    j = t.refused("G-22", "white", "morgane", to="1/3")
    assert j.cells == ("grail", "1/3")
    t.do("white", "morgane", to="1/2")
    assert t.state.sacrificed("white") == ()


def test_example_09_a_free_knight_is_sacrificed() -> None:
    pieces = {"morgane": "1/3", "knight/white/1": "4/1", "knight/red/1": "4/1",
              "knight/white/2": "4/3", "knight/red/2": "4/3"}  # fmt: skip
    t = Table(pieces)
    t.refused("G-20", "white", "morgane", to="1/4")
    j = t.refused("G-21", "white", "morgane", to="1/4", sacrifice="knight/white/1")
    assert j.cells[0] == "4/1"
    j = t.do("white", "morgane", to="1/4", sacrifice="knight/white/3")
    assert t.state.sacrificed("white") == ("knight/white/3",)
    assert ROOM.scores(t.state)["white"] == {"knights": 3, "sacrificed": 1}
    assert keys(j) == ["sacrificed"]


def test_example_10_four_blocked_knights() -> None:
    pieces = {f"knight/{c}/{n}": f"4/{2 * n}" for c in ("white", "red") for n in range(1, 5)}
    t = Table({**pieces, "morgane": "1/3"})
    t.refused("G-21", "white", "morgane", to="1/4", sacrifice="knight/white/1")
    t.refused("G-21", "white", "morgane", to="1/4")
    assert t.hints("morgane") == set()
    t = Table(pieces)
    t.do("white", "morgane", to="1/4")


def test_example_11_merlin_does_not_come_back_into_the_circle() -> None:
    t = Table({"merlin": "3/5"})
    t.do("white", "merlin", to="4/5")
    t.move("red", "king", "5/12")
    t.refused("G-34", "white", "merlin", to="3/5")


def test_example_12_from_stair_to_stair() -> None:
    t = Table({"king/white": "5/3"})
    t.move("white", "king", "5/10")
    t = Table({"king/white": "5/3", "queen/red": "5/10"})
    t.not_move("G-15", "white", "king", "5/10")


def test_example_13_royals_stay_outside_the_circle() -> None:
    t = Table({"queen/white": "4/7"})
    for to in ("3/7", "3/6"):
        t.not_move("G-18", "white", "queen", to)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_example_14_recovery(count: int) -> None:
    lost = {f"knight/white/{n}": None for n in (1, 2, 4)}
    t = Table({**lost, "king/white": "6/12", "queen/white": "5/12"})
    assert "may_recover" in keys(t.move("white", "queen", "6/12"))
    t.refused("G-35", "white", "recover", count=4)
    t.do("white", "recover", count=count)
    assert (
        t.state.sacrificed("white")
        == ("knight/white/1", "knight/white/2", "knight/white/4")[count:]
    )
    assert t.cell("knight/white/1") == "6/0"
    assert ROOM.to_act(t.state) == "red"


def test_example_14_only_the_king_inside() -> None:
    t = Table({"knight/white/1": None, "king/white": "5/12"})
    t.move("white", "king", "6/12")
    t.refused("G-35", "white", "recover", count=1)


@pytest.mark.parametrize("there", [{}, {"merlin": "3/3"}, {"morgane": "2/2"},
                                   {"merlin": "4/1", "morgane": "1/8"}])  # fmt: skip
def test_example_15_a_knight_on_the_centre_wins(there: dict[str, str]) -> None:
    t = Table({"knight/white/1": "1/5", **there})
    assert keys(t.move("white", "knight/1", "grail")) == ["wins"]
    assert ROOM.winner(t.state) == "white" and ROOM.to_act(t.state) is None
    t.refused("G-2", "red", "move", piece="king/red", to="5/12")


@pytest.mark.parametrize(("players", "pawns"), [(2, 14), (3, 20), (4, 26)])
def test_example_16_pawn_counts(players: int, pawns: int) -> None:
    t = Table(start=True, players=players)
    assert len(t.state.pieces) == pawns
    assert all(t.cell(f"knight/{c}/{n}") == t.state.setup.castles[c]
               for c in COLOURS[:players] for n in range(1, KNIGHTS + 1))  # fmt: skip
