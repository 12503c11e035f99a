"""When a game is over, nothing holds its board and its rules' knowledge of it any longer."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import pytest

from engine.board import Board, load_board
from engine.rooms import ROOMS, room_for
from engine.simulation.games import players_of
from engine.simulation.series import Series

ACTIONS = 16


def own_board(game: str) -> Board:
    """A board that nobody else holds."""
    return load_board(dict(load_board("reference", game).raw))


def held(game: str) -> dict[str, weakref.ref[Any]]:
    """What must go: of a game that was seen, judged, answered and asked for hints."""
    board, room = own_board(game), room_for(game)
    series = Series(room, board, players_of(game), actions=ACTIONS, seats=(2,))
    list(series.play(lambda: 0.0))
    state = room.start(series.header(1), board)
    for piece in room.placement(state).pieces:
        room.hints(state, piece)
    known = {"board": weakref.ref(board)}
    setup = getattr(state, "setup", None)
    if setup is not None:
        known["setup"] = weakref.ref(setup)
    if hasattr(setup, "graph"):
        known["graph"] = weakref.ref(setup.graph)
    return known


@pytest.mark.parametrize("game", sorted(ROOMS))
def test_a_game_that_is_over_is_forgotten(game: str) -> None:
    known = held(game)
    gc.collect()
    assert {name for name, what in known.items() if what() is not None} == set()
