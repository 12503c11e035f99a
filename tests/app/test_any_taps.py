"""Whatever is tapped, in whatever order: no inner error, and the record tells the same game."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from companion_app.opening import open_session
from companion_app.store import Store
from companion_app.taps import AskHints, Choose, Command, Dismiss, Do, Drag, Refuse, TakeAsIs
from engine.action import Action
from engine.board import Board
from engine.game import Header
from tests.app.helpers import Watcher

STEPS = 150


def any_tap(rng: random.Random, board: Board, session) -> Command:
    snapshot = session.snapshot
    spots = list(board.spots)
    pieces = list(snapshot.placement.pieces)
    actor = snapshot.table.to_act
    kind = rng.randrange(12)
    if kind < 4 and not snapshot.table.detail.tokens:
        return Do(Action(actor, "lay", {"card": rng.randrange(11)}))
    if kind < 7:
        piece = rng.choice(pieces)
        count = 3 if piece.startswith("ruin") else 1
        return Drag(piece, tuple(rng.sample(spots, count)), rng.random() < 0.15)
    if kind == 7:
        return Do(Action(actor, "roll", {"dice": [rng.randint(1, 6), rng.randint(1, 6)]}))
    if kind == 8:
        return Do(Action(actor, rng.choice(("end", "pass", "stay", "undo", "nonsense"))))
    if kind == 9:
        question = snapshot.question.id if snapshot.question else "v1"
        return rng.choice((Choose(question, rng.randrange(3)), Refuse("v2"), Dismiss(), TakeAsIs()))
    if kind == 10:
        return AskHints(rng.choice([*pieces, None]))
    hints = snapshot.hints
    if hints is not None and hints.cells:
        return Drag(hints.piece, (rng.choice(sorted(hints.cells)),))
    return AskHints(f"wizard/{actor}")


@pytest.mark.parametrize("seed", range(3))
def test_any_taps(home: Path, header: Header, board: Board, seed: int) -> None:
    rng = random.Random(seed)
    store = Store(home)
    session = open_session(store, header)
    watcher = Watcher(session)
    session.start()
    for _ in range(STEPS):
        serial = session.snapshot.serial
        session.post(any_tap(rng, board, session))
        shown = watcher.wait(lambda s, serial=serial: s.serial > serial)
        assert shown.sentence is None or shown.sentence.message.key != "trouble.inner"
        del watcher.seen[:-1]
    session.close()
    last = session.snapshot
    assert last.lines_written > 10
    saved = store.running()
    assert saved is not None
    assert saved.trouble is None
    again = open_session(store, saved.header, saved=saved)
    assert again.snapshot.placement == last.placement
    assert again.snapshot.table == last.table
