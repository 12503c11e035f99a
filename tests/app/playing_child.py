"""Plays for ever and prints every snapshot that it shows; the test kills it."""

from __future__ import annotations

import json
import random
import sys
from pathlib import Path

from companion_app.games import face_of
from companion_app.session import Session
from companion_app.snapshot import Snapshot
from companion_app.store import Store
from companion_app.taps import Do
from engine.action import Action
from engine.board import load_board
from engine.game import Header, Player
from tests.app.fakes import FakeReferee, FakeRoom
from tests.app.helpers import Watcher


def main() -> None:
    home, seed = Path(sys.argv[1]), int(sys.argv[2])
    rng = random.Random(seed)
    board = load_board("reference")
    header = Header("magalon", "reference", (Player("Ada", "violet"), Player("Ben", "green")))
    room = FakeRoom()
    referee = FakeReferee(room, board, header)
    session = Session(
        room, board, header, referee, Store(home).new_game(header), face_of("magalon")
    )

    def show(snapshot: Snapshot) -> None:
        line = {"lines": snapshot.lines_written, "position": room.position(referee.state)}
        sys.stdout.write(json.dumps(line) + "\n")
        sys.stdout.flush()

    session.listen(show)
    watcher = Watcher(session)
    session.start()
    for n in range(100_000):
        player = session.snapshot.table.to_act
        laid = [v for _, v in session.snapshot.table.detail.laid]
        if len(laid) < 2:
            free = [v for v in range(11) if v not in laid]
            action = Action(player, "lay", {"card": rng.choice(free)})
        else:
            do = rng.choice(("energy", "undo", "end", "energy"))
            action = Action(player, do, {"to": rng.randint(0, 20)} if do == "energy" else {})
        session.post(Do(action))
        watcher.wait(lambda s, n=n: s.lines_written > n)
        del watcher.seen[:-1]


if __name__ == "__main__":
    main()
