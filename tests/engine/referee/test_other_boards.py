"""Boards of other sizes: side 6 with other flames; other rings, sectors, castles and stairs."""

from __future__ import annotations

import pytest

from engine.board import Board
from engine.rooms import room_for
from engine.simulation.games import players_of
from engine.simulation.noise import Noise
from engine.simulation.series import Series
from tests.engine.grailnah.support import small_board
from tests.engine.hexagon.support import at, hexagon

FLAMES = (at(0, 0), at(3, -1), at(-3, 1), at(0, -3))
SIDE_6 = hexagon(6, flames=FLAMES)


@pytest.mark.parametrize(("game", "board"), [("hexagon", SIDE_6), ("grailnah", small_board())])
def test_a_game_is_followed_on_a_board_of_another_size(game: str, board: Board) -> None:
    perfect = Noise(jitter=0.0, colour=0.0)
    series = Series(
        room_for(game), board, players_of(game), first=2, seats=(2,), actions=45, noise=perfect
    )
    ((_, figures),) = series.play(lambda: 0.0)
    counts = figures.counts
    assert counts["moves"] > 25
    assert counts["right"] >= counts["moves"] - 1, figures.trouble
    assert counts["false alarms"] == 0, figures.trouble
    assert counts["dead ends"] == 0
