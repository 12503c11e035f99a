"""Random games of Das Magische Hexagon shown to the referee through simulated eyes; prints figures.

    PYTHONPATH=. python -m tests.benchmarks.bench_hexagon_referee [games] [actions] [seed] [noise]

Counted as for the other games: moves understood, corrections needed, refusals where nothing was
wrong (false alarms), illegal moves that were not refused (missed), questions, and the processor
time of ``Tracker.observe`` where it had to make up its mind.  ``noise`` scales the eyes' errors.
"""

from __future__ import annotations

import random
import sys
import time

from engine.board import load_board
from engine.game import Header, Player
from engine.hexagon import HexagonRoom
from engine.hexagon.simulate import random_action
from engine.referee.tracker import Tracker
from engine.simulation.film import FilmMaker, Habits
from engine.simulation.hexagon import LyingRoom, hexagon_foul
from engine.simulation.noise import Noise
from engine.simulation.trial import Figures, compare, watch
from tests.benchmarks.bench_referee import report

PLAYERS = (Player("a", "red"), Player("b", "blue"))


def main() -> None:
    given = [float(a) for a in sys.argv[1:]] + [6, 80, 1, 1][len(sys.argv) - 1 :]
    games, actions, first = (int(v) for v in given[:3])
    f = given[3]
    noise = Noise(0.08 * f, 0.03 * f, 0.02 * f, 0.05 * f, 0.03 * f, 0.01 * f)
    board, room, figures = load_board("reference", "hexagon"), HexagonRoom(), Figures()
    header = Header("hexagon", "reference", PLAYERS)
    for seed in range(first, first + games):
        maker = FilmMaker(
            LyingRoom() if seed % 2 else room, room.start(header, board), random_action,
            random.Random(seed), Habits(foul=0.08, take_back=0.04, most=2), hexagon_foul,
        )  # fmt: skip
        film = maker.make(actions, noise, seed)
        tracker = Tracker(room, board, header)
        watch(
            film,
            tracker,
            board,
            figures,
            label=f"game {seed}",
            clock=time.process_time,
            correct=room,
        )
        compare(room, tracker, maker.state, figures, f"game {seed}")
    report(figures)


if __name__ == "__main__":
    main()
