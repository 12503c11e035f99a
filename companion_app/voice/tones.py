"""Short tones, made by the app itself, for devices without a voice and players who want none."""

from __future__ import annotations

import array
import logging
import math
import tempfile
import wave
from pathlib import Path
from typing import Any

log = logging.getLogger(__name__)
RATE = 22050
# Notes of each tone: (frequency in Hz, seconds).
TONES = {
    "turn": ((523.25, 0.09), (659.25, 0.14)),
    "score": ((880.0, 0.06),),
    "question": ((587.33, 0.1), (587.33, 0.1), (783.99, 0.16)),
    "refused": ((220.0, 0.16), (174.61, 0.26)),
    "trouble": ((329.63, 0.12), (261.63, 0.12), (329.63, 0.12)),
    "win": ((523.25, 0.11), (659.25, 0.11), (783.99, 0.11), (1046.5, 0.32)),
}


def samples(name: str) -> array.array[int]:
    """16-bit samples of a tone at ``RATE``; every note swells and fades, so that nothing clicks."""
    out = array.array("h")
    for frequency, seconds in TONES[name]:
        count = round(seconds * RATE)
        for i in range(count):
            edge = min(1.0, i / (0.008 * RATE), (count - i) / (0.03 * RATE))
            angle = 2 * math.pi * frequency * i / RATE
            value = math.sin(angle) + 0.3 * math.sin(2 * angle)
            out.append(round(14000 * edge * value))
    return out


def write_tone(name: str, path: Path) -> None:
    """A tone as a WAV file."""
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(samples(name).tobytes())


class Tones:
    """Plays tones; silent where the device has no sound."""

    def __init__(self) -> None:
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._loaded: dict[str, Any] = {}

    def play(self, name: str, volume: float) -> None:
        """Plays a tone, without waiting; on the interface's thread."""
        try:
            if name not in self._loaded:
                self._loaded[name] = self._load(name)
            sound = self._loaded[name]
            if sound is not None:
                sound.stop()
                sound.volume = volume
                sound.play()
        except Exception:  # a device without sound must not disturb the game
            log.exception("the tone could not be played")
            self._loaded[name] = None

    def _load(self, name: str) -> Any:
        from kivy.core.audio import SoundLoader

        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="boardwarden-tones-")
        path = Path(self._folder.name) / f"{name}.wav"
        write_tone(name, path)
        return SoundLoader.load(str(path))

    def close(self) -> None:
        """Forgets everything."""
        for sound in self._loaded.values():
            if sound is not None:
                sound.stop()
        self._loaded.clear()
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None
