"""A running game with a camera over the table, and waiting for what it shows."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from companion_app.session import Session
from companion_app.snapshot import Light, Snapshot
from companion_app.taps import Do
from engine.action import Action
from engine.game import Header, Player

HEADER = Header("magalon", "reference", (Player("Ada", "violet"), Player("Ben", "green")))
LIMIT_S = 60.0


def until(fits: Callable[[], object], what: str) -> None:
    end = time.monotonic() + LIMIT_S
    while not fits():
        assert time.monotonic() < end, what
        time.sleep(0.01)


@dataclass
class Evening:
    """A running game with a camera over the table."""

    session: Session
    device: Any  # what is plugged in, or answers
    answers_s: list[float] = field(default_factory=list)
    before: list[threading.Thread] = field(default_factory=threading.enumerate)

    @property
    def shown(self) -> Snapshot:
        return self.session.snapshot

    def sees(self) -> bool:
        return self.shown.camera.light is Light.LOOK

    def threads(self, name: str) -> int:
        """How many threads of a name have been started for this game and still run."""
        return sum(t.name == name and t not in self.before for t in threading.enumerate())

    def told(self) -> str:
        camera = self.shown.camera
        return f"{camera.text.text} {camera.detail.text if camera.detail else ''}"

    def tap(self) -> None:
        """A note by hand is handled, whatever the camera does; how long it took is kept."""
        lines = self.shown.lines_written
        began = time.monotonic()
        self.session.post(Do(Action("violet", "note", {"text": "by hand"})))
        until(lambda: self.shown.lines_written > lines, "the game does not go on by hand")
        self.answers_s.append(time.monotonic() - began)
