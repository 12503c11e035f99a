"""Kills a playing program with SIGKILL, again and again, and looks at what is left.

``python -m tests.faults.killing FOLDER ROUNDS SEED``.  Every round a child goes on with the game that
waits (or begins one) and reports what it shows; it is killed at a random moment.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import select
import signal
import struct
import sys
import threading
import time
from pathlib import Path

from companion_app.opening import open_session
from companion_app.snapshot import Snapshot
from companion_app.store import Store
from companion_app.taps import Do
from engine.game import Header, Player
from engine.magalon.simulate import random_action
from engine.record import Record, resume

HEADER = Header("magalon", "reference", (Player("Ada", "violet"), Player("Ben", "green")))
REPORT = struct.Struct("<I8s")
GAME_LINES = 60


def print_of(position: object) -> bytes:
    """A short hash of a position."""
    return hashlib.sha256(json.dumps(position, sort_keys=True).encode()).digest()[:8]


def play(home: Path, seed: int, out: int) -> None:
    """Plays for ever and reports every snapshot: how many lines, and the position's hash."""
    store = Store(home)
    saved = store.running()
    if saved is not None and len(saved.actions) >= GAME_LINES:
        store.finish()
        saved = None
    session = open_session(store, saved.header if saved is not None else HEADER, saved=saved)
    room, referee = session._room, session._referee
    news = threading.Event()

    def show(snapshot: Snapshot) -> None:
        os.write(out, REPORT.pack(snapshot.lines_written, print_of(room.position(referee.state))))
        news.set()

    session.listen(show)
    session.start()
    rng = random.Random(seed)
    while True:
        action = random_action(referee.state, rng)
        if action is None:
            os._exit(0)
        news.clear()
        session.post(Do(action))
        news.wait()


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
    return compare(home, shown[: len(shown) // REPORT.size * REPORT.size])


def compare(home: Path, shown: bytes) -> int:
    """Compares what the restart finds with what was shown last."""
    saved = Store(home).running()
    if not shown:
        return 0
    lines, position = REPORT.unpack(shown[-REPORT.size :])
    assert saved is not None, "the game is not offered"
    assert saved.trouble is None, saved.trouble
    assert len(saved.actions) <= lines + 4, "lines that nobody played"
    game = resume(Record(saved.header, saved.actions[:lines]))
    if len(saved.actions) < lines:
        return lines - len(saved.actions)
    assert print_of(game.room.position(game.state)) == position, "another state"
    return 0


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
