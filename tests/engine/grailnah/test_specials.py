"""Merlin and Morgane: ways, alternation, sacrifice, sending home (G-19 to G-34)."""

from __future__ import annotations

import pytest

from engine.verdict import Status
from tests.engine.grailnah.support import Table, keys


def test_g30_merlin_goes_any_distance_straight() -> None:
    t = Table({"merlin": "2/5"})
    straight = {f"{r}/5" for r in (1, 3, 4, 5, 6)} | {f"2/{s}" for s in range(24)}
    assert t.hints("merlin") == (straight | {"grail"}) - {"2/5"}
    for to in ("3/6", "1/17", "4/4"):
        t.refused("G-30", "white", "merlin", to=to)
    t.refused("G-A9", "white", "merlin", to="2/5")


def test_ga21_a_way_inwards_ends_in_the_centre() -> None:
    t = Table({"merlin": "2/5"})
    t.do("white", "merlin", to="grail")
    t.move("red", "king", "5/12")
    assert t.hints("merlin") == {f"{r}/{s}" for r in range(1, 7) for s in range(24)} - {
        *(f"{r}/{s}" for s in (3, 10, 14, 21) for r in (5, 6)), "6/0", "6/12", "5/12"
    } | {"5/12"}  # fmt: skip


def test_g33_merlin_passes_nothing_and_stops_on_no_stair_or_castle() -> None:
    t = Table({"merlin": "3/3", "knight/red/1": "3/6", "knight/white/1": "3/1"})
    j = t.refused("G-33", "white", "merlin", to="3/8")
    assert set(j.cells) == {"3/3", "3/6", "3/1", "3/8"} and "the red knight" in j.message.text
    t.refused("G-33", "white", "merlin", to="5/3")
    j = t.refused("G-33", "white", "merlin", to="6/3")
    assert "the stair 5/3" in j.message.text
    t = Table({"merlin": "6/2"})
    t.refused("G-33", "white", "merlin", to="6/0")
    t.refused("G-33", "white", "merlin", to="6/23")


def test_g31_and_g32_what_merlin_meets() -> None:
    t = Table({"merlin": "3/3", "morgane": "3/5", "king/red": "4/3"})
    j = t.do("white", "merlin", to="4/3")
    assert keys(j) == ["home"] and t.cell("king/red") == "6/12"
    t = Table({"merlin": "3/3", "morgane": "3/5"})
    assert keys(t.do("white", "merlin", to="3/5")) == ["to_centre"]
    assert t.cell("morgane") == "grail"
    t.do("red", "morgane", to="1/7")
    assert t.state.sacrificed("red") == ()


def test_merlin_may_come_to_morgane_on_the_centre() -> None:
    t = Table({"merlin": "2/5"})
    assert keys(t.do("white", "merlin", to="grail")) == []
    assert t.cell("merlin") == t.cell("morgane") == "grail"


def test_g34_only_the_circle_is_closed() -> None:
    t = Table({"merlin": "6/5"})
    assert {"5/5", "4/5"} <= t.hints("merlin") and "3/5" not in t.hints("merlin")
    t.refused("G-34", "white", "merlin", to="1/5")
    t.refused("G-34", "white", "merlin", to="grail")


def test_g24_g19_morgane_goes_one_cell_inside() -> None:
    t = Table({"morgane": "3/7"})
    assert t.hints("morgane") == {"2/7", "3/6", "3/8"}
    t.refused("G-19", "white", "morgane", to="4/7", sacrifice="knight/white/1")
    t.refused("G-19", "white", "morgane", to="6/2", sacrifice="knight/white/1")
    for to in ("2/8", "1/7", "3/9"):
        t.refused("G-24", "white", "morgane", to=to, sacrifice="knight/white/1")
    t.refused("G-24", "white", "morgane", to="3/7", sacrifice="knight/white/1")


def test_g27_morgane_does_not_go_home_by_herself() -> None:
    t = Table({"morgane": "1/7"})
    t.refused("G-27", "white", "morgane", to="grail", sacrifice="knight/white/1")
    assert t.hints("morgane") == {"2/7", "1/6", "1/8"}
    t = Table({"morgane": "2/7"})
    t.refused("G-27", "white", "morgane", to="grail", sacrifice="knight/white/1")


def test_g25_g26_what_morgane_meets() -> None:
    t = Table({"morgane": "3/7", "knight/red/1": "3/8", "knight/white/1": "3/8", "merlin": "2/7"})
    j = t.do("white", "morgane", to="3/8", sacrifice="knight/white/2")
    assert keys(j) == ["sacrificed", "home", "home"]
    assert t.cell("knight/red/1") == "6/12" and t.cell("knight/white/1") == "6/0"
    t = Table({"morgane": "3/7", "merlin": "2/7"})
    j = t.do("white", "morgane", to="2/7", sacrifice="knight/white/2")
    assert keys(j) == ["sacrificed", "to_centre"] and t.cell("merlin") == "grail"


def test_ga17_leaving_the_centre_she_may_meet_merlin() -> None:
    t = Table({"merlin": "1/7"})
    assert keys(t.do("white", "morgane", to="1/7")) == ["to_centre"]


def test_the_sacrificed_knight_may_stand_where_she_goes() -> None:
    t = Table({"morgane": "3/7", "knight/white/1": "3/8"})
    assert keys(t.do("white", "morgane", to="3/8", sacrifice="knight/white/1")) == ["sacrificed"]
    assert t.cell("knight/white/1") is None


@pytest.mark.parametrize("knight", ["knight/red/1", "king/white", "queen/white"])
def test_g20_only_a_knight_of_ones_own(knight: str) -> None:
    t = Table({"morgane": "3/7"})
    t.refused("G-20", "white", "morgane", to="3/8", sacrifice=knight)


def test_g20_nothing_is_sacrificed_twice_or_for_nothing() -> None:
    t = Table({"morgane": "3/7", "knight/white/1": None})
    t.refused("G-20", "white", "morgane", to="3/8", sacrifice="knight/white/1")
    t = Table({"knight/white/1": "4/4"})
    j = t.refused("G-20", "white", "morgane", to="1/8", sacrifice="knight/white/1")
    assert "4/4" in j.message.text
    t = Table({"morgane": "3/7", **{f"knight/white/{n}": None for n in range(1, 5)}})
    t.refused("G-20", "white", "morgane", to="3/8")
    t.refused("G-20", "white", "morgane", to="3/8", sacrifice="knight/white/1")


def test_g21_the_free_ones_are_in_the_castle() -> None:
    t = Table({"morgane": "3/7", "knight/white/1": "4/4", "knight/red/1": "4/4"})
    t.do("white", "morgane", to="3/8", sacrifice="knight/white/4")


def test_ga23_the_last_knight_goes_with_a_warning() -> None:
    t = Table({"morgane": "3/7", **{f"knight/white/{n}": None for n in (1, 2, 3)}})
    j = t.do("white", "morgane", to="3/8", sacrifice="knight/white/4")
    assert keys(j) == ["sacrificed", "last_knight"]


def test_g23_morgane_never_twice_running_whoever_moves_her() -> None:
    t = Table({"morgane": "3/7"})
    t.do("white", "morgane", to="3/8", sacrifice="knight/white/1")
    t.refused("G-23", "red", "morgane", to="3/9", sacrifice="knight/red/1")
    assert t.hints("morgane") == set()
    t.do("red", "merlin", to="1/1")
    t.do("white", "morgane", to="3/9", sacrifice="knight/white/2")


def test_g29_other_players_do_not_break_the_run() -> None:
    t = Table({"merlin": "1/0", "king/red": "5/12", "king/blue": "5/16"}, players=3)
    for n in range(3):
        t.do("white", "merlin", to=f"1/{2 * n + 1}")
        t.move("red", "king", ("4/12", "5/12", "4/12")[n])
        if n < 2:
            t.do("blue", "merlin", to=f"1/{2 * n + 2}")
            t.state = t.state.but(last_special="")  # as if a pawn had been moved in between
        else:
            t.move("blue", "king", "5/17")
    t.refused("G-29", "white", "merlin", to="1/9")


def test_g29_morgane_breaks_the_run() -> None:
    t = Table({"merlin": "1/0"}, merlin_run={"white": 3})
    t.refused("G-29", "white", "merlin", to="1/1")
    t.do("white", "morgane", to="1/9")
    t.move("red", "king", "5/12")
    t.do("white", "merlin", to="1/1")
    assert t.state.merlin_run == {"white": 1}


def test_ga13_pawn_merlin_morgane_merlin_morgane() -> None:
    t = Table({"merlin": "1/0"})
    t.do("white", "merlin", to="1/1")
    t.do("red", "morgane", to="1/9")
    t.do("white", "merlin", to="1/2")
    t.do("red", "morgane", to="1/8", sacrifice="knight/red/1")
    t.refused("G-23", "white", "morgane", to="1/7", sacrifice="knight/white/1")


def test_a_question_mark_asks_which_knight_is_sacrificed() -> None:
    t = Table({"morgane": "3/7", "knight/white/1": "4/4"})
    j = t.judge("white", "morgane", to="3/8", sacrifice="?")
    assert j.status is Status.AMBIGUOUS and j.state is t.state
    assert [c.actions[0].args["sacrifice"] for c in j.choices] == [
        "knight/white/1",
        "knight/white/4",
    ]
    t = Table({"morgane": "3/7"})
    t.do("white", "morgane", to="3/8", sacrifice="?")
    assert len(t.state.sacrificed("white")) == 1
    t = Table({"morgane": "3/7", **{f"knight/white/{n}": None for n in range(1, 5)}})
    t.refused("G-20", "white", "morgane", to="3/8", sacrifice="?")
    t = Table({})
    t.do("white", "morgane", to="1/8", sacrifice="?")
