"""The folder of games: every shown event is on the disk before it is shown.

Layout below the root: ``games/NAME.jsonl`` (one record each), ``running`` (the name of the game
that goes on after a restart), ``settings.json``.  The root is ``--data``, else the environment
variable ``BOARDWARDEN_HOME``, else the platform's folder for user data.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.action import Action
from engine.errors import RecordError
from engine.game import Header
from engine.record import format_header, read_record, to_line
from engine.verdict import Message

HOME_VARIABLE = "BOARDWARDEN_HOME"
RUNNING = "running"
SETTINGS = "settings.json"


def default_root() -> Path:
    """Where games are kept: ``BOARDWARDEN_HOME``, else the platform's folder for user data."""
    given = os.environ.get(HOME_VARIABLE)
    if given:
        return Path(given)
    if "ANDROID_PRIVATE" in os.environ:
        return Path(os.environ["ANDROID_PRIVATE"]) / "boardwarden"
    if sys.platform == "win32":
        return Path(os.environ.get("APPDATA", Path.home())) / "Boardwarden"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "Boardwarden"
    base = os.environ.get("XDG_DATA_HOME")
    return (Path(base) if base else Path.home() / ".local" / "share") / "boardwarden"


@dataclass(frozen=True)
class SavedGame:
    """A record as read.

    ``end``: byte up to which the file is sound; ``trouble``: what could not be read, None if all
    is well.
    """

    path: Path
    header: Header
    actions: tuple[Action, ...]
    end: int
    trouble: Message | None = None


class Recorder:
    """Appends lines to one record; every line is on the disk when ``write`` returns True.

    When the disk refuses, lines wait in memory, ``trouble`` says so in one sentence, and the next
    write tries again.
    """

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.trouble: Message | None = None
        self.lines = 0
        self._waiting: list[str] = []

    def write(self, line: Mapping[str, Any]) -> bool:
        """Appends one JSON object and forces it to the disk; False if it waits in memory."""
        self._waiting.append(to_line(line))
        self.lines += 1
        return self.flush()

    def flush(self) -> bool:
        """Tries to bring waiting lines to the disk."""
        if not self._waiting or self.path is None:
            return not self._waiting
        text = "".join(line + "\n" for line in self._waiting).encode()
        try:
            _append(self.path, text)
        except OSError as error:
            reason = error.strerror or "no reason given"
            self.trouble = Message(
                "store.not_saved",
                f"This game cannot be saved ({reason}). It goes on in memory.",
                {"reason": reason},
            )
            return False
        self._waiting.clear()
        self.trouble = None
        return True


def _append(path: Path, text: bytes) -> None:
    """Appends and fsyncs; on failure cuts a half-written tail off again."""
    handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    try:
        before = os.fstat(handle).st_size
        try:
            done = 0
            while done < len(text):
                done += os.write(handle, text[done:])
            os.fsync(handle)
        except OSError:
            with contextlib.suppress(OSError):
                os.ftruncate(handle, before)
            raise
    finally:
        os.close(handle)


def _sync_folder(folder: Path) -> None:
    """Makes a new file's name survive a power cut (POSIX; nothing to do elsewhere)."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


class Store:
    """The folder of games.  No method raises on a full or read-only disk."""

    def __init__(self, root: Path | None = None) -> None:
        self.root = root or default_root()
        self.games = self.root / "games"
        self.trouble: Message | None = None
        try:
            self.games.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            reason = error.strerror or "no reason given"
            self.trouble = Message(
                "store.no_folder",
                f"Games cannot be kept in {self.root} ({reason}). You can play all the same.",
                {"folder": str(self.root), "reason": reason},
            )

    def new_game(self, header: Header) -> Recorder:
        """Starts a record with its header line and makes it the running game."""
        name = time.strftime("%Y%m%d-%H%M%S") + f"-{header.game}"
        path, n = self.games / f"{name}.jsonl", 1
        while path.exists():
            n += 1
            path = self.games / f"{name}-{n}.jsonl"
        recorder = Recorder(path)
        if recorder.write(format_header(header)):
            _sync_folder(self.games)
            self.write_atomically(RUNNING, path.name)
        return recorder

    def running(self) -> SavedGame | None:
        """The game to go on with, or None.  A damaged one is opened up to the damage."""
        try:
            name = (self.root / RUNNING).read_text("utf-8").strip()
        except (OSError, UnicodeDecodeError):
            return None
        path = self.games / Path(name).name
        if not name or not path.is_file():
            return None
        try:
            return read_game(path)
        except (OSError, RecordError) as error:
            self.trouble = Message(
                "store.unreadable",
                f"The saved game {path.name} cannot be opened ({error}). It stays where it is.",
                {"name": path.name, "reason": str(error)},
            )
            return None

    def resume(self, saved: SavedGame) -> Recorder:
        """Goes on writing a saved game, after a copy if it is damaged."""
        recorder = Recorder(saved.path)
        recorder.lines = 1 + len(saved.actions)
        try:
            if saved.trouble is not None:
                _keep_copy(saved.path)
            _cut(saved.path, saved.end)
        except OSError as error:
            reason = error.strerror or "no reason given"
            recorder.trouble = Message(
                "store.not_saved",
                f"This game cannot be saved ({reason}). It goes on in memory.",
                {"reason": reason},
            )
            recorder.path = None
        return recorder

    def finish(self) -> None:
        """There is no running game any more; its record stays."""
        with contextlib.suppress(OSError):
            (self.root / RUNNING).unlink(missing_ok=True)

    def settings(self) -> dict[str, Any]:
        """The settings; empty when there are none or they cannot be read."""
        try:
            found = json.loads((self.root / SETTINGS).read_text("utf-8"))
        except (OSError, ValueError, RecursionError):
            return {}
        return found if isinstance(found, dict) else {}

    def save_settings(self, settings: Mapping[str, Any]) -> bool:
        """Replaces the settings in one step; False when the disk refuses."""
        return self.write_atomically(
            SETTINGS, json.dumps(dict(settings), ensure_ascii=False, indent=1)
        )

    def write_atomically(self, name: str, text: str) -> bool:
        """Writes a file below the root so that a crash leaves the old or the new one."""
        try:
            handle, temporary = tempfile.mkstemp(dir=self.root, prefix=".", suffix=".part")
            try:
                with os.fdopen(handle, "w", encoding="utf-8") as file:
                    file.write(text)
                    file.flush()
                    os.fsync(file.fileno())
                os.replace(temporary, self.root / name)
            except BaseException:
                with contextlib.suppress(OSError):
                    os.unlink(temporary)
                raise
        except OSError:
            return False
        return True


def read_game(path: Path) -> SavedGame:
    """Reads a record as far as it is sound.

    A torn last line (the machine stopped while it was written, so it was never shown) is left
    out silently; other damage is named in ``trouble``.  Raises RecordError without a sound header
    or when the file cannot be read.
    """
    record = read_record(path)
    trouble = None
    if record.error is not None and not record.torn:
        line = record.error.line
        text = (
            f"The saved game is damaged at line {line}. It was opened up to there; "
            "the whole of it is kept in a copy beside it."
        )
        trouble = Message("store.damaged", text, {"line": line})
    return SavedGame(path, record.header, record.actions, record.end, trouble)


def _keep_copy(path: Path) -> None:
    n = 1
    while (copy := path.with_name(f"{path.stem}.damaged-{n}.jsonl")).exists():
        n += 1
    shutil.copy2(path, copy)


def _cut(path: Path, end: int) -> None:
    """Leaves the first ``end`` bytes of a file, in place, and a line end after them."""
    with path.open("r+b") as file:
        file.truncate(end)
        file.seek(end - 1)
        if file.read(1) != b"\n":
            file.write(b"\n")
        file.flush()
        os.fsync(file.fileno())
