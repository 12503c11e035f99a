"""How the app is started."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from companion_app import opening
from companion_app.sight import PipelineOpener
from companion_app.voice.speech import Mouth, find_mouth
from engine.game import Room


@dataclass(frozen=True)
class AppOptions:
    """How the app is started.

    ``data``: folder of games; ``demo``: begin with the recording of
    this game, "" for none; ``source``, ``board``,
    ``reference``: offered in the new-game screen.  ``opener``, ``rooms``, ``referees``: the parts
    behind the screens, replaced in tests.
    """

    data: Path | None = None
    demo: str = ""
    source: int | str | None = None
    board: str | None = None
    reference: Path | None = None
    opener: PipelineOpener = opening.open_eyes
    rooms: Callable[[str], Room] = opening.room_of
    referees: opening.RefereeMaker = opening.make_referee
    mouths: Callable[[], Mouth | None] = find_mouth
