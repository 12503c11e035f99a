"""The folder of games: every shown event is on the disk before it is shown.

Layout below the root: ``games/NAME.jsonl`` (one record each), ``running`` (the name of the game
that goes on after a restart), ``settings.json``.  The root is ``--data``, else the environment
variable ``BOARDWARDEN_HOME``, else the platform's folder for user data.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion_app.recorder import Recorder, keep_copy, replace_file, sync_folder, write_all
from engine.action import Action
from engine.errors import BoardwardenError, NewerRecordError, RecordError
from engine.files import read_bytes, read_json, shown
from engine.game import Header
from engine.record import format_header, read_record
from engine.verdict import Message

HOME_VARIABLE = "BOARDWARDEN_HOME"
RUNNING = "running"
MOVED_ON = "this game has gone on in another window meanwhile: open it once more"
SETTINGS = "settings.json"


def default_root() -> Path:
    """Where games are kept: ``BOARDWARDEN_HOME``, else the platform's folder for user data."""
    given = os.environ.get(HOME_VARIABLE)
    if given:
        return Path(given)
    if "ANDROID_PRIVATE" in os.environ:
        return Path(os.environ["ANDROID_PRIVATE"]) / "boardwarden"
    if sys.platform == "win32":
        return Path(os.environ.get("APPDATA") or _home()) / "Boardwarden"
    if sys.platform == "darwin":
        return _home() / "Library" / "Application Support" / "Boardwarden"
    base = os.environ.get("XDG_DATA_HOME")
    return (Path(base) if base else _home() / ".local" / "share") / "boardwarden"


def default_exports() -> Path:
    """Where users look for what they saved: their documents, on Android the app's own folder."""
    if "ANDROID_PRIVATE" in os.environ:
        from jnius import autoclass

        activity = autoclass("org.kivy.android.PythonActivity").mActivity
        return Path(activity.getExternalFilesDir(None).getAbsolutePath())
    documents = _home() / "Documents"
    return (documents if os.path.isdir(documents) else _home()) / "Boardwarden"


def _home() -> Path:
    """The user's own folder; the working one for a user who has none, as in a container."""
    try:
        return Path.home()
    except (RuntimeError, KeyError):
        return Path.cwd()


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


class Store:
    """The folder of games.  No method raises on a full or read-only disk.

    ``trouble``: why nothing can be kept there; ``unopened``: why the game asked for last could
    not be opened.
    """

    def __init__(self, root: Path | None = None) -> None:
        self.root = root or default_root()
        self.games = self.root / "games"
        self.boards = self.root / "boards"
        self.exports = default_exports() if root is None else self.root / "exports"
        self.unopened: Message | None = None
        self.trouble: Message | None = None
        self.look()

    def look(self) -> None:
        """Finds out anew whether games can be kept: ``trouble`` says why not."""
        self.trouble = None
        try:
            self.games.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=self.games):
                pass
        except OSError as error:
            reason = error.strerror or "no reason given"
            self.trouble = Message(
                "store.no_folder",
                f"Games cannot be kept in {shown(self.root)} ({reason}). You can play all the same.",
                {"folder": shown(self.root), "reason": reason},
            )

    def new_game(self, header: Header) -> Recorder:
        """Starts a record with its header line and makes it the running game."""
        name = time.strftime("%Y%m%d-%H%M%S") + f"-{header.game}"
        path, n = self.games / f"{name}.jsonl", 1
        while not _is_free(path):
            n += 1
            path = self.games / f"{name}-{n}.jsonl"

        def announce() -> None:
            sync_folder(self.games)
            self._run(path)

        recorder = Recorder(path, announce=announce)
        recorder.write(format_header(header))
        recorder.claim()
        return recorder

    def running(self) -> SavedGame | None:
        """The game to go on with, or None (then ``unopened`` says why, where one waits)."""
        self.unopened = None
        try:
            name = read_bytes(self.root / RUNNING, "the running game", 1000).decode().strip()
            path = self.games / Path(name).name
            if not name or not os.path.isfile(path):
                return None
        except (BoardwardenError, OSError, ValueError):
            return None
        return self.open_game(path)

    def open_game(self, path: Path) -> SavedGame | None:
        """A saved game; a damaged one up to the damage.  None, and ``unopened``, if it cannot be
        read at all."""
        self.unopened = None
        try:
            return read_game(path)
        except NewerRecordError as error:
            text = f"A newer Boardwarden wrote the saved game {path.name}. Update to go on with it."
            self.unopened = Message("store.newer", text, {"name": path.name, "reason": str(error)})
        except (OSError, RecordError) as error:
            self.unopened = Message(
                "store.unreadable",
                f"The saved game {path.name} cannot be opened ({error}). It stays where it is.",
                {"name": path.name, "reason": str(error)},
            )
        return None

    def resume(self, saved: SavedGame) -> Recorder:
        """Goes on writing a saved game, after a copy if it is damaged.

        Raises BoardwardenError when another window has it, or has gone on with it since it was read.
        """

        def repair() -> None:
            if saved.trouble is not None:
                keep_copy(saved.path)
            _cut(saved.path, saved.end)

        recorder = Recorder(
            saved.path,
            _ended(read_bytes(saved.path, "the saved game")[: saved.end]),
            repair=repair,
            announce=lambda: self._run(saved.path),
        )
        recorder.claim()
        if not _is_still(saved):
            recorder.abandon()
            raise BoardwardenError(MOVED_ON, key="store.moved_on")
        recorder.flush()
        return recorder

    def _run(self, path: Path) -> None:
        replace_file(self.root / RUNNING, path.name.encode())

    def finish(self) -> None:
        """There is no running game any more; its record stays."""
        with contextlib.suppress(OSError):
            (self.root / RUNNING).unlink(missing_ok=True)

    def settings(self) -> dict[str, Any]:
        """The settings; empty when there are none or they cannot be read."""
        try:
            found = read_json(self.root / SETTINGS, "the settings")
        except BoardwardenError:
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
            replace_file(self.root / name, text.encode("utf-8", "surrogatepass"))
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


def _is_still(saved: SavedGame) -> bool:
    """Whether the file holds what was read; what others wrote meanwhile must not be cut off."""
    try:
        now = read_record(saved.path)
    except RecordError:
        return False
    return now.end == saved.end and now.actions == saved.actions


def _is_free(path: Path) -> bool:
    """Takes a name for a new file; where none can be made the name counts as free."""
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644))
    except FileExistsError:
        return False
    except OSError:
        return True
    return True


def _ended(data: bytes) -> bytes:
    """The lines with a line end after the last one."""
    return data if data.endswith(b"\n") else data + b"\n"


def _cut(path: Path, end: int) -> None:
    """Leaves the first ``end`` bytes of a file, in place, and a line end after them."""
    handle = os.open(path, os.O_RDWR | getattr(os, "O_BINARY", 0))
    try:
        os.ftruncate(handle, end)
        os.lseek(handle, end - 1, os.SEEK_SET)
        if os.read(handle, 1) != b"\n":
            write_all(handle, b"\n")
        os.fsync(handle)
    finally:
        os.close(handle)
