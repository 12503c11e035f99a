"""Hears every snapshot and lets voice or tones say what changed."""

from __future__ import annotations

from collections.abc import Callable

from companion_app import texts
from companion_app.settings import Settings
from companion_app.snapshot import Snapshot
from companion_app.voice.news import changes
from companion_app.voice.speech import Mouth, find_mouth
from companion_app.voice.tones import Tones


class Announcer:
    """``hear`` may be called from any thread.  ``later`` runs a function on the interface's
    thread, where tones are played."""

    def __init__(
        self,
        settings: Callable[[], Settings],
        later: Callable[[Callable[[], None]], None],
        mouths: Callable[[], Mouth | None] = find_mouth,
    ) -> None:
        self._settings, self._later = settings, later
        self._tones = Tones()
        self._mouth = mouths()
        self._before: Snapshot | None = None

    @property
    def voice_name(self) -> str:
        """What speaks; "" where nothing can."""
        return self._mouth.name if self._mouth is not None else ""

    def forget(self) -> None:
        """Another game begins."""
        self._before = None

    def hear(self, snapshot: Snapshot) -> None:
        """The next snapshot of the game."""
        before, self._before = self._before, snapshot
        heard = changes(before, snapshot)
        if heard is not None:
            text = " ".join(texts.show(m) for m in heard.said)
            self.say(text, heard.tone, urgent=heard.urgent)

    def say(self, text: str, tone: str = "turn", *, urgent: bool = False) -> None:
        """Says a text aloud, or plays its tone."""
        chosen = self._settings()
        if chosen.volume <= 0:
            return
        if chosen.voice and self._mouth is not None:
            self._mouth.say(text, chosen.spoken, chosen.volume, urgent=urgent)
        elif chosen.sounds:
            self._later(lambda: self._tones.play(tone, chosen.volume))

    def close(self) -> None:
        """Falls silent for good."""
        if self._mouth is not None:
            self._mouth.close()
        self._tones.close()
