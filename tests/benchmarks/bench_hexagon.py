"""How long the rules of Das Magische Hexagon take: python -m tests.benchmarks.bench_hexagon [games]

Random games on the reference board and on one of side 6.  In every position of the middle game (all
wisdoms placed) all legal actions are generated, and every one of them is judged; processor time.
"""

from __future__ import annotations

import random
import sys
import time
from collections import defaultdict

from engine.board import load_board
from engine.game import Header, Player
from engine.hexagon import HexagonRoom, HexagonState
from engine.hexagon.legal import legal_actions
from engine.hexagon.simulate import random_action
from tests.engine.hexagon.support import hexagon

ROOM = HexagonRoom()
MOST = 300
FLAMES = ("+0+0", "+2+0", "-2+0", "+0+2", "+0-2", "+2-2", "-2+2")


def _measure(times: dict[str, list[float]], name: str, state: HexagonState) -> None:
    fresh = state.but()  # nothing remembered from the move before
    begin = time.thread_time()
    actions = legal_actions(fresh)
    times[f"{name}: all legal actions"].append(1e3 * (time.thread_time() - begin))
    times[f"{name}: their number"].append(len(actions))
    for action in actions[::7]:
        begin = time.thread_time()
        ROOM.judge(fresh, action)
        times[f"{name}: one verdict"].append(1e3 * (time.thread_time() - begin))


def main(games: int = 4) -> None:
    """Plays and prints median, 99th percentile and maximum in milliseconds."""
    times: dict[str, list[float]] = defaultdict(list)
    players = (Player("a", "red"), Player("b", "blue"))
    boards = {"reference": load_board("reference", "hexagon"), "side 6": hexagon(6, flames=FLAMES)}
    for name, board in boards.items():
        for seed in range(games):
            rng, state = random.Random(seed), ROOM.start(Header("hexagon", "x", players), board)
            for _ in range(MOST):
                if state.phase.value == "moving" and not state.pending:
                    _measure(times, name, state)
                action = random_action(state, rng)
                if action is None:
                    break
                state = ROOM.judge(state, action).state
    print(f"{'':32}{'n':>7}{'median':>9}{'p99':>9}{'max':>9}  ms")
    for key, values in sorted(times.items()):
        values.sort()
        p99 = values[min(len(values) - 1, int(len(values) * 0.99))]
        print(f"{key:32}{len(values):7}{values[len(values) // 2]:9.2f}{p99:9.2f}{values[-1]:9.2f}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
