"""Random games before simulated eyes: everything legal is taken in, everything else refused."""

from __future__ import annotations

import random

import pytest

from engine.board import load_board
from engine.game import Header, Player
from engine.hexagon import HexagonRoom
from engine.hexagon.simulate import random_action
from engine.referee.tracker import Tracker
from engine.simulation.film import FilmMaker
from engine.simulation.games import players_of
from engine.simulation.habits import Habits
from engine.simulation.hexagon import LyingRoom, hexagon_foul
from engine.simulation.noise import Noise
from engine.simulation.series import Series
from engine.simulation.trial import Figures, Showing, Trial, compare

NOISE = Noise(0.06, 0.02, 0.02, 0.05, 0.02, 0.01)
HEADER = Header("hexagon", "reference", (Player("a", "red"), Player("b", "blue")))


def trial(seed: int, actions: int, habits: Habits) -> Figures:
    board, room, figures = load_board("reference", "hexagon"), HexagonRoom(), Figures()
    maker = FilmMaker(
        LyingRoom() if seed % 2 else room, room.start(HEADER, board), random_action,
        random.Random(seed), habits, hexagon_foul,
    )  # fmt: skip
    film = maker.make(actions, NOISE, seed, rate_hz=5.0)
    tracker = Tracker(room, board, HEADER)
    Trial(Showing(room, board, film, tracker, figures, label=f"game {seed}", helping=False)).run()
    compare(room, tracker, maker.state, figures, f"game {seed}")
    return figures


@pytest.mark.parametrize("seed", [31, 32, 33])
def test_legal_games_are_taken_in(seed: int) -> None:
    counts = (figures := trial(seed, 45, Habits(idle_hand=0.1, most=2))).counts
    assert counts["false alarms"] == 0, figures.trouble
    assert counts["right"] == counts["moves"] > 20, figures.trouble
    assert counts["same scores"] == counts["same arrangement"] == 1, figures.trouble
    assert counts["judged with a hand in"] == 0


@pytest.mark.parametrize("seed", [41, 42])
def test_fouls_are_refused_once(seed: int) -> None:
    counts = (figures := trial(seed, 45, Habits(foul=0.4, together=0.0, hidden=0.0))).counts
    assert counts["fouls"] > 8
    assert counts["missed"] == counts["said twice"] == counts["false alarms"] == 0, figures.trouble


def test_the_simulator_knows_the_game() -> None:
    room, board = HexagonRoom(), load_board("reference", "hexagon")
    series = Series(room, board, players_of("hexagon"), seats=(2,), actions=20)
    ((_, figures),) = series.play(lambda: 0.0)
    assert figures.counts["moves"] >= 10
    assert figures.counts["dead ends"] == 0
