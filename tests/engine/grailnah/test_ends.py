"""Recovery, passing, draws, resigning, winning, teams (G-1, G-2, G-6, G-35)."""

from __future__ import annotations

import random

import pytest

from engine.action import Action
from engine.errors import BoardwardenError
from engine.grailnah.legal import legal_actions, recoveries
from tests.engine.grailnah.support import ROOM, Table, keys

LOST = {f"knight/white/{n}": None for n in (1, 2)}
INSIDE = {"king/white": "6/12", "queen/white": "5/12"}


def test_g35_right_after_the_own_move() -> None:
    t = Table({**LOST, **INSIDE})
    t.refused("G-35", "white", "recover", count=1)
    t.move("white", "queen", "6/12")
    t.refused("G-35", "red", "recover", count=1)
    t.refused("G-35", "white", "recover", count=3)
    t.refused("G-35", "white", "recover", count=0)
    t.refused("G-35", "white", "recover", count=5)
    t.refused(None, "white", "recover", count="two")
    assert [a.args["count"] for a in recoveries(t.state)] == [1, 2]
    t.do("white", "recover", count=1)
    t.refused("G-A24", "white", "recover", count=1)
    t.move("red", "knight/1", "6/13")


def test_ga26_too_late_after_the_next_move() -> None:
    t = Table({**LOST, **INSIDE})
    t.move("white", "queen", "6/12")
    t.move("red", "knight/1", "6/13")
    t.refused("G-A26", "white", "recover", count=1)


def test_g35_not_in_the_own_castle_and_not_without_losses() -> None:
    t = Table({**LOST, "king/white": "6/0", "queen/white": "5/0"})
    assert keys(t.move("white", "queen", "6/0")) == []
    t.refused("G-35", "white", "recover", count=1)
    t = Table(INSIDE)
    assert keys(t.move("white", "queen", "6/12")) == []
    t.refused("G-35", "white", "recover", count=1)


def test_g35_both_in_one_castle() -> None:
    t = Table({**LOST, "king/white": "6/8", "queen/white": "5/16"}, players=3)
    t.move("white", "queen", "6/16")
    t.refused("G-35", "white", "recover", count=1)


def _again(t: Table, *moves: tuple[str, str]) -> list[str]:
    """White moves the royals, red a knight to and fro; the notes of white's last move."""
    said: list[str] = []
    for n, (piece, to) in enumerate(moves):
        t.move("red", "knight/1", f"6/{13 + n}")
        said = keys(t.move("white", piece, to))
    return said


def test_ga24_both_must_leave_and_come_back() -> None:
    t = Table({**LOST, **INSIDE})
    t.move("white", "queen", "6/12")
    t.do("white", "recover", count=1)
    assert _again(t, ("queen", "5/12"), ("queen", "6/12")) == []
    t.refused("G-A24", "white", "recover", count=1)
    assert _again(t, ("king", "5/12"), ("king", "6/12")) == ["may_recover"]
    t.do("white", "recover", count=1)
    assert t.state.sacrificed("white") == ()


def test_ga24_entering_without_a_recovery_uses_nothing_up() -> None:
    t = Table({**LOST, **INSIDE})
    t.move("white", "queen", "6/12")
    assert _again(t, ("queen", "5/12"), ("queen", "6/12")) == ["may_recover"]
    t.do("white", "recover", count=2)


def test_ga34_pass_only_without_a_move() -> None:
    t = Table(start=True)
    j = t.refused("G-A34", "white", "pass")
    assert "the white knight" in j.message.text
    pairs = {f"knight/{c}/{n}": f"4/{2 * n}" for c in ("white", "red") for n in range(1, 5)}
    pairs |= {f"king/{c}": "5/6" for c in ("white", "red")}
    pairs |= {f"queen/{c}": "5/8" for c in ("white", "red")}
    t = Table({**pairs, "morgane": "1/1", "merlin": "1/2"}, last_special="merlin")
    assert legal_actions(t.state) == (Action("white", "pass", {}),)
    t.do("white", "pass")
    t.refused("G-28", "red", "merlin", to="1/3")
    t.do("red", "pass")
    assert t.state.to_move == "white"


def test_ga36_draw() -> None:
    t = Table(start=True)
    assert keys(t.do("red", "draw")) == ["drawn"]
    assert ROOM.winner(t.state) is None and ROOM.to_act(t.state) is None
    t.refused("G-A36", "white", "move", piece="king/white", to="5/0")
    assert legal_actions(t.state) == ()
    assert ROOM.scores(t.state)["white"]["won"] is False


def test_resigning() -> None:
    t = Table(start=True)
    assert keys(t.do("red", "resign")) == ["resigned", "wins_left"]
    assert ROOM.winner(t.state) == "white"
    t = Table(start=True, players=3)
    t.do("white", "resign")
    assert ROOM.to_act(t.state) == "red"
    t.refused("G-6", "white", "resign")
    t.move("red", "king", "5/8")
    t.move("blue", "king", "5/16")
    assert ROOM.to_act(t.state) == "red"
    t.do("blue", "resign")
    assert ROOM.winner(t.state) == "red"


def test_g1_two_teams_of_two() -> None:
    t = Table({"knight/blue/1": "1/3"}, players=4, to_move="blue")
    j = t.move("blue", "knight/1", "grail")
    assert keys(j) == ["team_wins"]
    assert ROOM.winner(t.state) == "blue"
    assert {c for c, s in ROOM.scores(t.state).items() if s["won"]} == {"white", "blue"}
    t = Table(start=True, players=4, options={"teams": [["white", "red"], ["blue", "yellow"]]})
    t.do("red", "resign")
    assert ROOM.winner(t.state) == "blue"
    assert t.state.winners == {"blue", "yellow"}


@pytest.mark.parametrize(
    "teams",
    ["white", [["white", "red"]], [["white"], ["red", "blue", "yellow"]], [["white", "red"], ["red", "blue"]],
     [[1, 2], [3, 4]], {}],
)  # fmt: skip
def test_bad_teams_are_refused_in_one_sentence(teams: object) -> None:
    with pytest.raises(BoardwardenError, match="two pairs"):
        Table(start=True, players=4, options={"teams": teams})
    with pytest.raises(BoardwardenError):
        Table(start=True, players=2, options={"teams": [["white", "red"], ["blue", "yellow"]]})


def test_g6_white_begins_and_turns_go_clockwise() -> None:
    t = Table(start=True, players=4)
    order = []
    for _ in range(5):
        order.append(ROOM.to_act(t.state))
        action = random.Random(1).choice([a for a in legal_actions(t.state) if a.do == "move"])
        t.do(action.player, action.do, **action.args)
    assert order == ["white", "red", "blue", "yellow", "white"]
