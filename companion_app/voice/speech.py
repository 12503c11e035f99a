"""Speaks through the system's own command, found when the app starts.

The text goes to the command's standard input, never through a shell.  Commands: ``spd-say`` and
``espeak-ng`` or ``espeak`` (Linux), ``say`` (macOS), PowerShell (Windows); on Android the system's
text-to-speech service.
"""

from __future__ import annotations

import logging
import os
import queue
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

log = logging.getLogger(__name__)
LONGEST_S = 30.0
MAC_VOICES = {"de": "Anna", "fr": "Thomas", "en": "Samantha"}
CULTURES = {"de": "de-DE", "fr": "fr-FR", "en": "en-GB"}
WINDOWS = """
[Console]::InputEncoding = [Text.Encoding]::UTF8
Add-Type -AssemblyName System.Speech
$s = New-Object System.Speech.Synthesis.SpeechSynthesizer
$s.Volume = {volume}
try {{ $s.SelectVoiceByHints('NotSet', 'NotSet', 0, [cultureinfo]'{culture}') }} catch {{ }}
$s.Speak([Console]::In.ReadToEnd())
"""


class Mouth(Protocol):
    """Something that can speak."""

    name: str

    def say(self, text: str, language: str, volume: float, *, urgent: bool = False) -> None:
        """Speaks soon, without waiting; an urgent text interrupts the one being said."""

    def close(self) -> None:
        """Falls silent."""


@dataclass(frozen=True, slots=True)
class Engine:
    """A command that speaks its standard input; ``command(language, volume 0 to 1)``."""

    name: str
    command: Callable[[str, float], list[str]]


def _spd(path: str) -> Callable[[str, float], list[str]]:
    return lambda lang, vol: [path, "-w", "-e", "-l", lang, "-i", str(round(vol * 200 - 100))]


def _espeak(path: str) -> Callable[[str, float], list[str]]:
    return lambda lang, vol: [path, "--stdin", "-v", lang, "-a", str(round(vol * 200))]


def _say(path: str) -> Callable[[str, float], list[str]]:
    return lambda lang, vol: [path, "-v", MAC_VOICES.get(lang, "Samantha"), "-f", "-"]


def _powershell(path: str) -> Callable[[str, float], list[str]]:
    def command(lang: str, vol: float) -> list[str]:
        script = WINDOWS.format(volume=round(vol * 100), culture=CULTURES.get(lang, "en-GB"))
        return [path, "-NoProfile", "-NonInteractive", "-Command", script]

    return command


MAKERS = {
    "linux": (("spd-say", _spd), ("espeak-ng", _espeak), ("espeak", _espeak)),
    "darwin": (("say", _say),),
    "win32": (("powershell", _powershell), ("pwsh", _powershell)),
}


def find_engine() -> Engine | None:
    """The command of this system; None where there is none."""
    for name, maker in MAKERS.get(sys.platform, MAKERS["linux"]):
        path = shutil.which(name)
        if path is not None:
            return Engine(name, maker(path))
    return None


def find_mouth() -> Mouth | None:
    """What can speak on this device; None where nothing can."""
    if "ANDROID_ARGUMENT" in os.environ:
        from companion_app.voice.android import AndroidMouth

        return AndroidMouth.open()
    engine = find_engine()
    return None if engine is None else CommandMouth(engine)


class CommandMouth:
    """Speaks one text after another on a thread of its own; only the newest waiting one is kept."""

    def __init__(self, engine: Engine) -> None:
        self.name = engine.name
        self._engine = engine
        self._waiting: queue.Queue[tuple[str, str, float] | None] = queue.Queue()
        self._speaking: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()
        threading.Thread(target=self._run, name="voice", daemon=True).start()

    def say(self, text: str, language: str, volume: float, *, urgent: bool = False) -> None:
        """See ``Mouth``."""
        while True:
            try:
                self._waiting.get_nowait()
            except queue.Empty:
                break
        if urgent:
            self._hush()
        self._waiting.put((text, language, volume))

    def close(self) -> None:
        """See ``Mouth``."""
        self._waiting.put(None)
        self._hush()

    def _hush(self) -> None:
        with self._lock:
            if self._speaking is not None and self._speaking.poll() is None:
                self._speaking.kill()

    def _run(self) -> None:
        while (wanted := self._waiting.get()) is not None:
            try:
                self._speak(*wanted)
            except (OSError, subprocess.SubprocessError) as error:
                log.warning("the voice failed: %s", error)

    def _speak(self, text: str, language: str, volume: float) -> None:
        flags = getattr(subprocess, "CREATE_NO_WINDOW", 0)
        process = subprocess.Popen(
            self._engine.command(language, volume),
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            creationflags=flags,
        )
        with self._lock:
            self._speaking = process
        try:
            process.communicate(text.encode(), timeout=LONGEST_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
