"""What a drag on the drawing means, hints, and what the screens ask."""

from __future__ import annotations

import random

import pytest

from engine.board import load_board
from engine.game import Header, Player
from engine.hexagon.queries import drag_action, must_pass
from engine.hexagon.simulate import play_game
from engine.verdict import Status
from tests.engine.hexagon.support import ROOM, Table, at, hexagon, moving


@pytest.mark.parametrize("seed", range(3))
def test_a_drag_to_every_hint_is_legal_and_nowhere_else(seed: int) -> None:
    board, rng = load_board("reference", "hexagon"), random.Random(seed)
    players = (Player("a", "red"), Player("b", "blue"))
    state = ROOM.start(Header("hexagon", "reference", players), board)
    for action in play_game(state, rng, 30 + 17 * seed):
        state = ROOM.judge(state, action).state
    if state.pending:
        return
    for piece in list(state.pieces)[:20:3]:
        hints = set(ROOM.hints(state, piece))
        for cell in board.cells:
            if state.pieces[piece] == cell:
                continue
            judgement = ROOM.judge(state, drag_action(state, piece, cell))
            assert (judgement.status is Status.LEGAL) == (cell in hints), (piece, cell)


def test_a_drag_across_the_border_is_a_step() -> None:
    t = moving("red +0+4", "blue -1+4", "red -3+4")
    assert drag_action(t.state, "wizard/red/1", at(-4, 4)).do == "push"
    t = moving("red +0+4", "blue -1+4")
    assert drag_action(t.state, "wizard/red/1", at(-2, 4)).args["path"] == [at(-2, 4)]


@pytest.mark.parametrize(
    ("piece", "to", "rule"),
    [("wizard/blue/1", at(3, 1), "H-7"), ("wisdom/blue/1", at(1, 1), "H-8"),
     ("wizard/red/1", at(4, -2), "H-12"), ("wisdom/red/2", at(0, 2), "H-7")],
)  # fmt: skip
def test_a_drag_that_cannot_be_says_why(piece: str, to: str, rule: str) -> None:
    t = moving("red +1+0", "blue +3+0", "blue* +1+2")
    assert ROOM.judge(t.state, drag_action(t.state, piece, to)).rule == rule


def test_a_wisdom_from_the_hand_is_placed() -> None:
    t = Table(hexagon())
    action = drag_action(t.state, "wisdom/red/1", at(1, 0))
    assert ROOM.judge(t.state, action).status is Status.LEGAL
    assert set(ROOM.hints(t.state, "wisdom/red/1")) >= {at(1, 0), at(2, 0)}
    assert at(0, 0) not in ROOM.hints(t.state, "wisdom/red/1")
    assert ROOM.hints(t.state, "wisdom/blue/1") == ()


def test_who_must_pass() -> None:
    assert must_pass(moving("blue +1+0").state)
    assert not must_pass(moving("red +1+0").state)
    assert not must_pass(Table(hexagon()).state)
