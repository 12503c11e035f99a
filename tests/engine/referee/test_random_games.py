"""Random legal games through noisy eyes: no false alarm, no foul missed, the same end."""

from __future__ import annotations

import random

import pytest

from engine.board import load_board
from engine.game import Header, Player
from engine.magalon.room import MagalonRoom
from engine.magalon.simulate import random_action
from engine.referee.tracker import Tracker
from engine.simulation.film import FilmMaker
from engine.simulation.fouls import magalon_foul
from engine.simulation.habits import Habits
from engine.simulation.noise import Noise
from engine.simulation.trial import Figures, Showing, Trial, compare

COLOURS = ("violet", "green", "red", "orange")


def trial(seed: int, actions: int, noise: Noise, habits: Habits) -> Figures:
    board, room, figures = load_board("reference"), MagalonRoom(), Figures()
    header = Header("magalon", "reference", tuple(Player(c, c) for c in COLOURS[: 2 + seed % 3]))
    start, rng = room.start(header, board), random.Random(seed)
    maker = FilmMaker(room, start, random_action, rng, habits, magalon_foul)
    film = maker.make(actions, noise, seed, rate_hz=5.0)
    tracker = Tracker(room, board, header)
    Trial(Showing(room, board, film, tracker, figures, label=f"game {seed}", helping=False)).run()
    compare(room, tracker, maker.state, figures, f"game {seed}")
    return figures


@pytest.mark.parametrize("seed", range(400, 406))
def test_legal_games_are_accepted(seed: int) -> None:
    noise = Noise(0.05, 0.02, 0.02, 0.05, 0.03, 0.01)
    figures = trial(seed, 50, noise, Habits(foul=0.0, together=0.0, idle_hand=0.1))
    counts = figures.counts
    assert counts["false alarms"] == 0, figures.trouble
    assert counts["right"] == counts["moves"] > 5, figures.trouble
    assert counts["same scores"] == counts["same arrangement"] == 1, figures.trouble
    assert counts["judged with a hand in"] == 0


@pytest.mark.parametrize("seed", range(500, 506))
def test_fouls_are_refused_once(seed: int) -> None:
    noise = Noise(0.05, 0.02, 0.02, 0.05, 0.03, 0.01)
    figures = trial(seed, 70, noise, Habits(foul=0.3, together=0.0))
    counts = figures.counts
    assert counts["fouls"] > 3
    assert counts["missed"] == counts["said twice"] == counts["false alarms"] == 0, figures.trouble
