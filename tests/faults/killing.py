"""Kills a playing program with SIGKILL, again and again, and looks at what is left.

``python -m tests.faults.killing FOLDER ROUNDS SEED``.  Every round a child goes on with the game that
waits (or begins one) and reports what it shows; it is killed at a random moment.
"""

from __future__ import annotations

import os
import random
import select
import signal
import sys
import time
from pathlib import Path

from companion_app.selftest.playing import REPORT, compare, play


def one_round(home: Path, seed: int) -> int:
    """How many shown events a kill has lost."""
    rng = random.Random(seed)
    inward, outward = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(inward)
        try:
            play(home, seed, outward)
        finally:
            os._exit(1)
    os.close(outward)
    shown = b""
    for _ in range(rng.randrange(8)):
        ready, _, _ = select.select([inward], [], [], 10.0)
        if ready:
            shown += os.read(inward, REPORT.size)
    time.sleep(rng.random() * 0.02)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    while rest := os.read(inward, 65536):
        shown += rest
    os.close(inward)
    return compare(home, shown)


def main() -> None:
    home, rounds, seed = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    lost = sum(one_round(home, 1000 * seed + n) for n in range(rounds))
    games = len(list((home / "games").glob("*.jsonl")))
    damaged = len(list((home / "games").glob("*.damaged*")))
    print(f"kill -9: {rounds} kills in {games} games, {lost} shown events lost, {damaged} damaged")
    assert not lost
    assert not damaged


if __name__ == "__main__":
    main()
