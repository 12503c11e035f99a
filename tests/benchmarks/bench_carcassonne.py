"""Carcassonne's rules: python -m tests.benchmarks.bench_carcassonne [--games N] [--recount N [--first SEED]]

``--games``: so many random games, tile placements a second with all legal placements of the next
tile listed, per tenth of the game.  ``--recount``: so many random games whose scores are counted
anew from the final map (20,000 take about ten minutes), in portions with ``--first``.  All times are processor time.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import defaultdict

from engine.action import Action
from engine.carcassonne.fitting import placements
from engine.carcassonne.simulate import draw
from engine.game import Header, Player
from tests.engine.carcassonne.random_games import play_and_recount
from tests.engine.carcassonne.support import ALL_SETS, ROOM

PARTS = 10


def place(games: int) -> None:
    """Places whole decks of 98 tiles; prints placements a second along the game."""
    header = Header(
        "carcassonne", "", (Player("a", "red"), Player("b", "blue")), {"sets": ALL_SETS}
    )  # fmt: skip
    took: dict[int, list[float]] = defaultdict(list)
    undo = 0.0
    for seed in range(games):
        rng = random.Random(seed)
        state = ROOM.start(header)
        whole = state.tiles_left
        while (tile := draw(state, rng)) is not None:
            begin = time.process_time()
            options = list(placements(state.map, tile))
            if not options:
                state = ROOM.judge(
                    state, Action(state.to_move, "unplaceable", {"tile": tile})
                ).state
                continue
            pos, rot = rng.choice(options)
            action = Action(state.to_move, "tile", {"tile": tile, "rot": rot, "pos": list(pos)})
            placed = ROOM.judge(state, action).state
            mid = time.process_time()
            before, placed = placed, state  # taking it back is keeping the older state
            undo += time.process_time() - mid
            took[PARTS * (whole - state.tiles_left) // whole].append(mid - begin)
            state = before.but(turn=type(before.turn)())
    print(f"{'part of the game':>18}{'placements':>12}{'a second':>10}")
    for part, times in sorted(took.items()):
        print(f"{part + 1:>15}/{PARTS}{len(times):>12}{len(times) / sum(times):>10.0f}")
    total = [t for times in took.values() for t in times]
    print(
        f"all: {len(total) / sum(total):.0f} a second; taking back {undo / len(total) * 1e6:.2f} µs"
    )


def recounted(games: int, first: int) -> None:
    """Plays games and compares both scores; prints what differs, and now and then how far it is."""
    begin, wrong, tiles = time.process_time(), 0, 0
    for seed in range(first, first + games):
        if seed > first and (seed - first) % 1000 == 0:
            print(f"{seed - first} games, {wrong} with other scores", flush=True)
        scores, counted, count = play_and_recount(seed)
        tiles += count
        if scores != counted:
            wrong += 1
            print(f"game {seed}: {scores}, counted anew {counted}")
    took = time.process_time() - begin
    print(f"{games} games, {tiles} tiles, {wrong} with other scores; {took:.0f} s")


def main() -> None:
    """Runs what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=0)
    parser.add_argument("--recount", type=int, default=0)
    parser.add_argument("--first", type=int, default=0)
    options = parser.parse_args()
    if options.recount:
        recounted(options.recount, options.first)
    if options.games or not options.recount:
        place(options.games or 20)


if __name__ == "__main__":
    main()
