"""What the screens ask of a state."""

from __future__ import annotations

from engine.grailnah.queries import drag_action, must_pass, recovery_open, special_open
from tests.engine.grailnah.support import Table


def test_special_open() -> None:
    t = Table(start=True)
    assert special_open(t.state, "merlin") == special_open(t.state, "morgane") == "first_move"
    t = Table({"merlin": "1/1"}, last_special="merlin", merlin_run={"red": 3})
    assert special_open(t.state, "merlin") == "twice_running"
    assert special_open(t.state, "morgane") == ""
    t = Table({"merlin": "1/1", "morgane": "2/2"}, merlin_run={"white": 3})
    assert special_open(t.state, "merlin") == "merlin_run"
    assert special_open(t.state, "morgane") == "costs"
    t = Table({"morgane": "2/2", **{f"knight/white/{n}": None for n in range(1, 5)}})
    assert special_open(t.state, "morgane") == "no_victim"
    t.do("white", "draw")
    assert special_open(t.state, "merlin") == "over"
    assert not must_pass(t.state)


def test_recovery_open() -> None:
    lost = {"knight/white/1": None, "knight/white/2": None}
    t = Table({**lost, "king/white": "6/12", "queen/white": "5/12"})
    assert recovery_open(t.state) == (None, 0)
    t.move("white", "queen", "6/12")
    assert recovery_open(t.state) == ("white", 2)
    t.do("white", "recover", count=1)
    assert recovery_open(t.state) == (None, 0)


def test_drags() -> None:
    t = Table({"morgane": "2/2"})
    assert drag_action(t.state, "king/red", "5/12").to_json() == {
        "player": "red", "do": "move", "piece": "king/red", "to": "5/12",
    }  # fmt: skip
    assert drag_action(t.state, "merlin", "1/1").args == {"to": "1/1"}
    assert drag_action(t.state, "morgane", "2/3").args == {"to": "2/3", "sacrifice": "?"}
    t = Table({})
    assert drag_action(t.state, "morgane", "1/3").args == {"to": "1/3"}
