"""How long Grailnah takes to list all legal actions: python -m tests.benchmarks.bench_grailnah [games]

Random games with two to four players on the reference board.  In every position the whole list, a
verdict on a random action, and the hints of a random piece are timed in processor time; the middle
game is what lies between the first and the last tenth of a game.
"""

from __future__ import annotations

import random
import sys
import time
from collections import defaultdict

from engine.action import Action
from engine.board import load_board
from engine.game import Header, Player
from engine.grailnah import GrailnahRoom, GrailnahState
from engine.grailnah.legal import legal_actions
from engine.grailnah.simulate import random_action

ROOM = GrailnahRoom()
SEATS = ("white", "red", "blue", "yellow")


def main(games: int = 24) -> None:
    """Plays and prints median, 99th percentile and maximum in milliseconds."""
    times: dict[str, list[float]] = defaultdict(list)
    counts: list[int] = []
    board = load_board("reference", "grailnah")
    for seed in range(games):
        rng = random.Random(seed)
        seats = tuple(Player(c, c) for c in SEATS[: 2 + seed % 3])
        states = [ROOM.start(Header("grailnah", "reference", seats), board)]
        while (action := random_action(states[-1], rng)) is not None and len(states) < 400:
            states.append(ROOM.judge(states[-1], action).state)
        for state in states[len(states) // 10 : -len(states) // 10 or None]:
            fresh = state.but()
            begin = time.process_time()
            actions = legal_actions(fresh)
            times["all legal actions, middle game"].append(time.process_time() - begin)
            counts.append(len(actions))
            _timed(times, state.but(), rng)
    print(f"legal actions per position: {sum(counts) / len(counts):.1f}, at most {max(counts)}")
    for name, values in times.items():
        values.sort()
        n = len(values)
        print(
            f"{name:32} n {n:5}  median {1e3 * values[n // 2]:.3f}  "
            f"p99 {1e3 * values[int(0.99 * (n - 1))]:.3f}  max {1e3 * values[-1]:.3f} ms"
        )


def _timed(times: dict[str, list[float]], state: GrailnahState, rng: random.Random) -> None:
    pieces = sorted(state.pieces)
    cells = list(state.setup.board.cells)
    action = Action(
        state.to_move, "move", {"piece": rng.choice(pieces[:-2]), "to": rng.choice(cells)}
    )  # fmt: skip
    begin = time.process_time()
    ROOM.judge(state, action)
    times["verdict on a random move"].append(time.process_time() - begin)
    begin = time.process_time()
    ROOM.hints(state, rng.choice(pieces))
    times["hints of a random piece"].append(time.process_time() - begin)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
