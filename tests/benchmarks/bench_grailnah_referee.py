"""Random games of Grailnah shown to the referee through simulated eyes; prints figures.

    PYTHONPATH=. python -m tests.benchmarks.bench_grailnah_referee [games] [actions] [seed] [noise factor]

Every other game has roofed castles, whose pawns are out of sight.  Counted as in ``bench_referee``.
"""

from __future__ import annotations

import random
import sys
import time

from engine.board import load_board
from engine.game import Header, Player
from engine.grailnah.room import GrailnahRoom
from engine.referee.tracker import Tracker
from engine.simulation.film import FilmMaker, Habits
from engine.simulation.grailnah import appearance, grailnah_foul, table_action
from engine.simulation.noise import Noise
from engine.simulation.trial import Figures, compare, watch
from tests.benchmarks.bench_referee import report

COLOURS = ("white", "red", "blue", "yellow")


def main() -> None:
    given = [float(a) for a in sys.argv[1:]] + [12, 60, 1, 1][len(sys.argv) - 1 :]
    games, actions, first = (int(v) for v in given[:3])
    noise = Noise(0.08, 0.03, 0.02, 0.05, 0.03, 0.01).times(given[3])
    board, room, figures = load_board("reference", "grailnah"), GrailnahRoom(), Figures()
    for seed in range(first, first + games):
        players = tuple(Player(c, c) for c in COLOURS[: 2 + seed % 3])
        header = Header("grailnah", "reference", players)
        start, rng = room.start(header, board), random.Random(seed)
        maker = FilmMaker(
            room, start, table_action, rng, Habits(foul=0.08, take_back=0.06, most=2), grailnah_foul,
            appearance(start, bool(seed // 3 % 2), rng),
        )  # fmt: skip
        film = maker.make(actions, noise, seed)
        tracker = Tracker(room, board, header)
        watch(
            film, tracker, board, figures,
            label=f"game {seed}", clock=time.process_time, correct=room,
        )  # fmt: skip
        compare(room, tracker, maker.state, figures, f"game {seed}")
    report(figures)


if __name__ == "__main__":
    main()
