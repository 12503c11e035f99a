"""Das Magische Hexagon in a real window: placed, moved, burnt and won by touches, real rules."""

from __future__ import annotations

import random

import pytest

from companion_app.texts import t
from engine.game import Header, Player
from models.training.films.games import play_of
from tests.app.driver import Driver

pytestmark = pytest.mark.window

PLAYERS = (Player("Ada", "red"), Player("Ben", "blue"))


def begin(user: Driver, position: dict | None = None, **options: str) -> None:
    user.app._sit_down(user.app._make(Header("hexagon", "reference", PLAYERS, options, position)))
    user.until(lambda: user.app.manager.current == "table" and user.shown is not None)
    user.until(lambda: not user.app.manager.transition.is_active)
    user.until(lambda: user.table.ids.board.geometry is not None)
    user.until(lambda: user.table.ids.board._places)


def state(user: Driver):
    return user.shown.table.detail.state


def moving(*standing: str, **more: object) -> dict:
    pieces = {}
    for entry in standing:
        piece, cell = entry.split()
        pieces[piece] = cell
    return {"phase": "moving", "to_move": "red", "pieces": pieces, **more}


def test_wisdoms_are_dragged_from_the_tray(start) -> None:
    user = start()
    begin(user)
    assert "Ada" in user.table.ids.whose.text
    user.drag("wisdom/red/1", "+1+0")
    user.until(lambda: state(user).to_act == "blue")
    user.drag("wisdom/blue/1", "+0+0")
    user.until(lambda: user.shown.sentence is not None and user.shown.sentence.rule == "H-3")
    assert "Ben" in user.talk
    left = [step.caption.params["n"] for step in user.shown.table.steps]
    assert left == [6, 7]


def test_a_wizard_is_dragged_and_jumps(start) -> None:
    user = start()
    begin(user, moving("wizard/red/1 +0+1", "wizard/blue/1 +1+1", "wizard/blue/2 +2+0"))
    user.drag("wizard/red/1", "+2-1")
    user.until(lambda: state(user).to_act == "blue")
    assert user.shown.placement.pieces["wizard/red/1"] == ("+2-1",)
    assert [m.piece for m in user.shown.last_move] == ["wizard/red/1"]


def test_a_refused_push_marks_the_cells_and_says_why(start) -> None:
    user = start()
    begin(user, moving("wizard/red/1 -4+0", "wisdom/red/1 -3+0", "wizard/blue/1 +3+1"))
    user.drag("wizard/red/1", "-3+0")
    user.until(lambda: user.shown.sentence is not None and user.shown.sentence.rule == "H-17")
    assert "Ada · " + t("table.rule", rule="H-17") in user.talk
    assert "-2+0" in user.shown.sentence.cells


def test_the_value_of_a_burnt_wisdom_is_tapped_and_wins(start) -> None:
    user = start()
    position = moving(
        "wizard/red/1 -4+0", "wisdom/blue/1 -3+0", "wizard/blue/1 +3+1",
        scores={"red": 3}, burnt={"blue": [1, 2]},
    )  # fmt: skip
    begin(user, position)
    user.drag("wizard/red/1", "-3+0")
    user.until(lambda: user.shown.question is not None)
    assert user.shown.question.cells == ("-2+0",)
    user.tap(user.button("+2"))
    user.until(lambda: user.shown.table.winner == "red")
    assert "Ada" in user.table.ids.whose.text
    assert user.shown.table.seats[0].number == 5


def test_the_question_stands_after_a_restart(start) -> None:
    user = start()
    position = moving("wizard/red/1 -3+0", "wizard/blue/1 +3+1", pending_burnt=["-2+0"])
    begin(user, position)
    user.until(lambda: user.shown.question is not None)
    user.tap(user.button("-1"))
    user.until(lambda: state(user).points["red"] == -1)


def test_hints_show_where_a_wizard_can_go(start) -> None:
    user = start()
    begin(user, moving("wizard/red/1 +4+0", "wizard/blue/1 +3+1"))
    board = user.table.ids.board
    user.table.grabbed("wizard/red/1")
    user.until(lambda: user.shown.hints is not None)
    assert {"-4+0", "+3+0"} <= user.shown.hints.cells
    assert board.snapshot is not None


def test_a_whole_game_is_set_up_and_won_by_hand(start) -> None:
    """Every touch of a short game is taken as it was meant, from the first wisdom to five points."""
    user, choose, rng = start(), play_of("hexagon", 1).choose, random.Random(5)
    begin(user)
    while not user.shown.table.over:
        before = state(user)
        action = choose(before, rng)
        assert action is not None
        if action.do == "burnt":
            user.until(lambda: user.shown.question is not None)
            user.tap(user.button(f"{action.args['value']:+d}"))
        elif action.do == "place":
            user.drag(before.in_hand(action.player)[0], action.args["to"])
        else:
            to = action.args["to"] if action.do == "push" else action.args["path"][-1]
            user.drag(before.at[action.args["from"]], to)
        user.until(lambda before=before: state(user) != before)
    assert user.shown.table.winner is not None
    assert max(state(user).points.values()) >= 5
