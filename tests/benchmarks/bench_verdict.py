"""How long a verdict of Magalon takes: python -m tests.benchmarks.bench_verdict [games] [actions]

Random games with four players on the reference board.  In every position a legal action, random
refused ones, and the hints of the acting wizard are timed with a cold walk-search cache.
"""

from __future__ import annotations

import random
import sys
import time
from collections import defaultdict

from engine.action import Action
from engine.board import load_board
from engine.game import Header, Player
from engine.magalon import MagalonRoom, MagalonState
from engine.magalon.simulate import random_action

ROOM = MagalonRoom()
SEATS = ("violet", "green", "red", "orange")


def _timed(times: dict[str, list[float]], key: str, state: MagalonState, action: Action) -> None:
    state.setup.graph.walks.cache_clear()
    begin, cpu = time.perf_counter(), time.thread_time()
    judgement = ROOM.judge(state, action)
    took = (time.perf_counter() - begin) * 1000
    times["all verdicts, CPU time"].append((time.thread_time() - cpu) * 1000)
    times[f"{key} {judgement.status.value}"].append(took)
    times["all verdicts"].append(took)
    times[f"do {action.do}"].append(took)


def _probe(state: MagalonState, rng: random.Random) -> list[Action]:
    """Actions that are mostly refused: walks and attacks to anywhere."""
    cells, actor = list(state.setup.board.cells), state.to_act
    out = [Action(actor, "walk", {"to": rng.choice(cells)})]
    for piece in state.attackers:
        do = "giant" if piece == "giant" else "goblin"
        victim = rng.choice([c for c in SEATS if c != actor])
        attack = {"player": victim, "to": rng.choice(cells)}
        args = {"piece": piece, "to": rng.choice(cells)}
        out.append(Action(actor, do, args))
        out.append(Action(actor, do, {**args, "attacks": [attack]}))
    return out


def main(games: int = 10, actions: int = 200) -> None:
    """Plays and prints median, 99th percentile and maximum in milliseconds."""
    times: dict[str, list[float]] = defaultdict(list)
    board, players = load_board("reference"), tuple(Player(c, c) for c in SEATS)
    for seed in range(games):
        rng = random.Random(seed)
        state = ROOM.start(Header("magalon", "reference", players), board)
        for _ in range(actions):
            begin = time.perf_counter()
            action = random_action(state, rng)
            times["generator"].append((time.perf_counter() - begin) * 1000)
            if action is None:
                break
            _timed(times, "legal move", state, action)
            if not state.laying:
                for probe in _probe(state, rng):
                    _timed(times, "random probe", state, probe)
                state.setup.graph.walks.cache_clear()
                begin = time.perf_counter()
                ROOM.hints(state, f"wizard/{state.to_act}")
                times["hints of the wizard"].append((time.perf_counter() - begin) * 1000)
            state = ROOM.judge(state, action).state
    print(f"{'':28}{'n':>7}{'median':>9}{'p99':>9}{'max':>9}  ms")
    for key, values in sorted(times.items()):
        values.sort()
        p99 = values[min(len(values) - 1, int(len(values) * 0.99))]
        print(f"{key:28}{len(values):7}{values[len(values) // 2]:9.2f}{p99:9.2f}{values[-1]:9.2f}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:3]))
