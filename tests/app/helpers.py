"""Waiting for what another thread does, without sleeping longer than needed."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path

from companion_app.games import face_of
from companion_app.session import Session
from companion_app.sight import Pipeline
from companion_app.snapshot import Snapshot
from companion_app.store import Recorder
from engine.board import Board
from engine.game import Header
from tests.app.fakes import FakeReferee, FakeRoom

LIMIT_S = 20.0


def make_session(
    board: Board,
    header: Header,
    path: Path | None = None,
    open_pipeline: Callable[[], Pipeline] | None = None,
    cards: object = None,
) -> tuple[Session, FakeReferee]:
    room = FakeRoom()
    referee = FakeReferee(room, board, header)
    session = Session(
        room, board, header, referee, Recorder(path), face_of("magalon"),
        open_pipeline=open_pipeline, cards=cards,
    )  # fmt: skip
    return session, referee


class Watcher:
    """Collects a session's snapshots and waits for one that fits."""

    def __init__(self, session: Session) -> None:
        self.seen: list[Snapshot] = []
        self._news = threading.Condition()
        session.listen(self._take)

    def _take(self, snapshot: Snapshot) -> None:
        with self._news:
            self.seen.append(snapshot)
            self._news.notify_all()

    def wait(self, fits: Callable[[Snapshot], bool]) -> Snapshot:
        with self._news:
            found = self._news.wait_for(lambda: any(map(fits, self.seen)), LIMIT_S)
            assert found, "no such snapshot came"
            return next(filter(fits, self.seen))


def eventually(fits: Callable[[], bool]) -> bool:
    end = time.monotonic() + LIMIT_S
    while not fits():
        if time.monotonic() > end:
            return False
        time.sleep(0.005)
    return True
