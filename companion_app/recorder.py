"""Brings the lines of a running game to the disk, whatever the disk does meanwhile.

The whole record is kept in memory too (a long evening has about 100 kB): a file that was cut,
removed or changed behind the program's back is written anew from there.
"""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import threading
import weakref
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from engine.errors import BoardwardenError
from engine.record import to_line
from engine.verdict import Message

try:
    import fcntl
except ImportError:  # Windows: two windows on one game are not noticed there
    fcntl = None  # type: ignore[assignment]

NOT_FOR_FOLDERS = (errno.EINVAL, errno.ENOTSUP, errno.EBADF)
_BINARY = getattr(os, "O_BINARY", 0)
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
BUSY = "this game is open in another window of Boardwarden: go on there, or close that one first"


class Recorder:
    """Appends lines to one record; every line is on the disk when ``write`` returns True.

    When the disk refuses, lines wait in memory, ``trouble`` says so in one sentence, and the next
    write tries again.  ``path``: None for a game that is not kept.  ``content``: what the file
    holds already.  ``repair``: makes the file hold just that, before the first write;
    ``announce``: makes it the running game, after that.  Both raise OSError, and are tried again.
    """

    def __init__(
        self,
        path: Path | None,
        content: bytes = b"",
        *,
        repair: Callable[[], None] | None = None,
        announce: Callable[[], None] | None = None,
    ) -> None:
        self.path = path
        self.trouble: Message | None = None
        self.lines = content.count(b"\n")
        self._content = bytearray(content)
        self._waiting = bytearray()
        self._lock = threading.RLock()
        self._repair, self._announce = repair, announce
        self._unlock: Callable[[], object] | None = None

    @property
    def unwritten(self) -> tuple[str, ...]:
        """Lines that are in memory only."""
        with self._lock:
            return tuple(bytes(self._waiting).decode().splitlines())

    def write(self, line: Mapping[str, Any]) -> bool:
        """Appends one JSON object and forces it to the disk; False if it waits in memory."""
        with self._lock:
            self._waiting += to_line(line).encode() + b"\n"
            self.lines += 1
            return self.flush()

    def flush(self) -> bool:
        """Tries to bring waiting lines to the disk."""
        if self.path is None:
            return not self._waiting
        with self._lock:
            return self._flush(self.path)

    def _flush(self, path: Path) -> bool:
        try:
            if self._repair is not None:
                self._repair()
                self._repair = None
            if self._waiting:
                self._bring(path)
            if self._announce is not None:
                self._announce()
                self._announce = None
        except OSError as error:
            self.trouble = not_saved(error)
            return False
        self.trouble = None
        return True

    def claim(self) -> None:
        """Keeps other programs from going on with the same game until this one ends.

        Raises BoardwardenError when another one has it.
        """
        if self.path is not None and self._unlock is None:
            self._unlock = _lock(self.path, self)

    def abandon(self) -> None:
        """Lets go of the game without writing anything."""
        if self._unlock is not None:
            self._unlock()
            self._unlock = None

    def close(self) -> None:
        """The last try to save what waits; other programs may go on with the game."""
        self.flush()
        self.abandon()

    def _bring(self, path: Path) -> None:
        text = bytes(self._waiting)
        flags = os.O_RDWR | os.O_APPEND | _BINARY
        try:
            handle = os.open(path, flags if self._content else flags | os.O_CREAT, 0o644)
        except FileNotFoundError:
            if not self._content:
                raise
            os.makedirs(path.parent, exist_ok=True)
            replace_file(path, bytes(self._content) + text)
        else:
            try:
                sound = self._is_sound(handle, text)
                if sound:
                    append(handle, text)
            finally:
                os.close(handle)
            if not sound:
                keep_copy(path)
                replace_file(path, bytes(self._content) + text)
        self._content += text
        self._waiting.clear()

    def _is_sound(self, handle: int, text: bytes) -> bool:
        """Whether the file ends where this recorder left it; half a line of ours is cut off."""
        size, known = os.fstat(handle).st_size, len(self._content)
        if known < size <= known + len(text):
            os.lseek(handle, known, os.SEEK_SET)
            if os.read(handle, size - known) == text[: size - known]:
                os.ftruncate(handle, known)
                return True
        return size == known


def not_saved(error: OSError) -> Message:
    """What a person is told when the disk refuses."""
    reason = error.strerror or "no reason given"
    text = (
        f"This game cannot be saved ({reason}). It goes on in memory: make room, or choose another"
        " folder."
    )
    return Message("store.not_saved", text, {"reason": reason})


def append(handle: int, data: bytes) -> None:
    """Appends and fsyncs; on failure cuts a half-written tail off again."""
    before = os.fstat(handle).st_size
    try:
        write_all(handle, data)
        os.fsync(handle)
    except OSError:
        with contextlib.suppress(OSError):
            os.ftruncate(handle, before)
        raise


def write_all(handle: int, data: bytes) -> None:
    """Writes every byte; raises OSError when the disk takes no more."""
    done = 0
    while done < len(data):
        count = os.write(handle, data[done:])
        if count <= 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        done += count


def replace_file(path: Path, data: bytes) -> None:
    """Writes a file so that a crash leaves the old or the new one; raises OSError."""
    part = path.with_name(f".{path.name}.part")
    try:
        handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | _BINARY | _NO_LINK, 0o644)
        try:
            write_all(handle, data)
            os.fsync(handle)
        finally:
            os.close(handle)
        os.replace(part, path)
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(part)
        raise
    sync_folder(path.parent)


def keep_copy(path: Path) -> None:
    """Leaves a copy of a damaged record beside it, once; raises OSError."""
    n = 1
    while (copy := path.with_name(f"{path.stem}.damaged-{n}{path.suffix}")).exists():
        if copy.read_bytes() == path.read_bytes():
            return
        n += 1
    replace_file(copy, path.read_bytes())
    with contextlib.suppress(OSError):
        shutil.copystat(path, copy)


def sync_folder(folder: Path) -> None:
    """Makes a new file's name survive a power cut; raises OSError when the disk refuses.

    Nothing to do where folders cannot be opened (Windows) or forced to the disk (some network disks).
    """
    try:
        handle = os.open(folder, os.O_RDONLY)
    except PermissionError:
        return
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in NOT_FOR_FOLDERS:
            raise
    finally:
        os.close(handle)


def _lock(path: Path, owner: object) -> Callable[[], object] | None:
    """A lock that ends with ``owner``, with the process, or when called; None where there are none."""
    if fcntl is None:
        return None
    try:
        handle = os.open(path, os.O_RDONLY)
    except OSError:
        return None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        os.close(handle)
        if error.errno in (errno.EACCES, errno.EAGAIN):
            raise BoardwardenError(BUSY, key="store.busy") from error
        return None
    return weakref.finalize(owner, os.close, handle)
