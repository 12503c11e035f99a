"""Random games shown to the referee through simulated eyes; prints figures.

    PYTHONPATH=. python tests/benchmarks/bench_referee.py [games] [actions] [seed] [noise factor]

Counted: moves accepted, refusals where nothing was wrong (false alarms), fouls not refused
(missed), refusals said more than once, and how much processor time ``Tracker.observe`` took when it had to decide.
"""

from __future__ import annotations

import random
import sys
import time

from engine.board import load_board
from engine.game import Header, Player
from engine.magalon.room import MagalonRoom
from engine.magalon.simulate import random_action
from engine.referee.tracker import Tracker
from engine.simulation.film import FilmMaker, Habits
from engine.simulation.fouls import magalon_foul
from engine.simulation.noise import Noise
from engine.simulation.trial import Figures, compare, watch

COLOURS = ("violet", "green", "red", "orange")
SHOWN = 40


def main() -> None:
    given = [float(a) for a in sys.argv[1:]] + [20, 80, 1, 1][len(sys.argv) - 1 :]
    games, actions, first = (int(v) for v in given[:3])
    f = given[3]
    noise = Noise(0.08 * f, 0.03 * f, 0.02 * f, 0.05 * f, 0.03 * f, 0.01 * f)
    board, room, figures = load_board("reference"), MagalonRoom(), Figures()
    for seed in range(first, first + games):
        players = tuple(Player(c, c) for c in COLOURS[: 2 + seed % 3])
        header = Header("magalon", "reference", players)
        maker = FilmMaker(
            room, room.start(header, board), random_action, random.Random(seed),
            Habits(foul=0.08, take_back=0.06), magalon_foul,
        )  # fmt: skip
        film = maker.make(actions, noise, seed)
        tracker = Tracker(room, board, header)
        watch(film, tracker, board, figures, label=f"game {seed}", clock=time.process_time)
        compare(room, tracker, maker.state, figures, f"game {seed}")
    report(figures)


def report(figures: Figures) -> None:
    for line in figures.trouble[:SHOWN]:
        print(line)
    for name, count in sorted(figures.counts.items()):
        print(f"{name:24} {count}")
    moves, fouls = figures.counts["moves"], figures.counts["fouls"]
    print(f"accepted {figures.counts['accepted'] / max(1, moves):.2%}, "
          f"missed {figures.counts['missed']} of {fouls}")  # fmt: skip
    for name, times in (("view", figures.view_times_s), ("decision", figures.decision_times_s)):
        times.sort()
        if times:
            n = len(times)
            print(
                f"{name:10} n {n}  median {1e3 * times[n // 2]:.2f} ms  "
                f"p99 {1e3 * times[int(0.99 * (n - 1))]:.2f} ms  max {1e3 * times[-1]:.2f} ms"
            )


if __name__ == "__main__":
    main()
