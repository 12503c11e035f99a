"""A program that plays for ever, to be killed at any moment: ``python -m companion_app.selftest.playing
FOLDER SEED`` goes on with the game that waits in the folder (or begins one) and reports on standard
output what it shows.  ``compare`` looks at what is left of it.
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import struct
import sys
import threading
from pathlib import Path

from companion_app.opening import open_session
from companion_app.snapshot import Snapshot
from companion_app.store import SavedGame, Store
from companion_app.taps import Do
from engine.game import Header, Player
from engine.magalon.simulate import random_action
from engine.record import Record, resume

HEADER = Header("magalon", "reference", (Player("Ada", "violet"), Player("Ben", "green")))
REPORT = struct.Struct("<I8s")  # lines written, hash of the position
GAME_LINES = 60


def print_of(position: object) -> bytes:
    """A short hash of a position."""
    return hashlib.sha256(json.dumps(position, sort_keys=True).encode()).digest()[:8]


def play(home: Path, seed: int, out: int) -> None:
    """Plays until it is killed, and reports every snapshot into the file handle ``out``."""
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


def compare(home: Path, shown: bytes) -> int:
    """How many shown events are lost; AssertionError where something else than the shown game is
    found, such as half an event or another state."""
    shown = shown[: len(shown) // REPORT.size * REPORT.size]
    saved = Store(home).running()
    if not shown:
        return 0
    lines, position = REPORT.unpack(shown[-REPORT.size :])
    assert saved is not None, "the game is not offered"
    assert saved.trouble is None, saved.trouble
    actions = saved.actions
    if len(actions) < lines:
        return lines - len(actions)
    notes = sum(a.do == "note" for a in actions)  # of refusals and results: not counted as shown
    assert len(actions) <= lines + notes + 4, "lines that nobody played"
    ends = range(lines, len(actions) + 1)
    assert any(_print_after(saved, end) == position for end in ends), "another state"
    return 0


def _print_after(saved: SavedGame, end: int) -> bytes:
    game = resume(Record(saved.header, saved.actions[:end]))
    return print_of(game.room.position(game.state))


if __name__ == "__main__":
    play(Path(sys.argv[1]), int(sys.argv[2]), sys.stdout.fileno())
