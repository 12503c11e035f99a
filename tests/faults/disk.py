"""A disk that fails, fills up, or stops with the machine, at a chosen call of the program.

``FaultyOs`` stands in for the module ``os`` in the modules that write.  What has not been forced to
the disk (``fsync`` of the file, and of the folder for names) can be lost when the machine stops.
"""

from __future__ import annotations

import errno
import os
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

WATCHED = ("open", "write", "fsync", "ftruncate", "replace", "close", "unlink", "read", "fstat")


class Killed(BaseException):
    """The machine stops here."""


@dataclass
class Plan:
    """What happens at which call (counted from 0).

    ``kill_at``: the machine stops before this call, after it (``late``), or in the middle of it
    (``half``, of writes).  ``fail``: calls that fail with ``error``.
    """

    kill_at: int = -1
    late: bool = False
    half: bool = False
    fail: range = range(0)
    error: int = errno.ENOSPC


@dataclass
class FaultyOs:
    """``os``, with a plan."""

    plan: Plan
    calls: int = 0
    names: list[str] = field(default_factory=list)
    _paths: dict[int, str] = field(default_factory=dict)
    _unsynced: dict[str, int] = field(default_factory=dict)
    _unnamed: list[tuple[str, bytes | None]] = field(default_factory=list)

    def __getattr__(self, name: str) -> Any:
        real = getattr(os, name)
        if name not in WATCHED:
            return real
        return lambda *args, **how: self._call(name, real, args, how)

    def _call(self, name: str, real: Callable[..., Any], args: Any, how: Any) -> Any:
        number, self.calls = self.calls, self.calls + 1
        self.names.append(name)
        plan = self.plan
        if number == plan.kill_at and not plan.late:
            if plan.half and name == "write":
                real(args[0], args[1][: len(args[1]) // 2])
            raise Killed
        if number in plan.fail and name != "close":
            if name == "write":
                self._note_write(args)
                real(args[0], args[1][: len(args[1]) // 3])
            raise OSError(plan.error, os.strerror(plan.error))
        if name == "write":
            self._note_write(args)
        if name == "replace":
            self._unnamed.append((str(args[1]), _content(args[1])))
        fresh = name == "open" and not os.path.exists(args[0])
        result = real(*args, **how)
        self._note(name, args, result, fresh)
        if number == plan.kill_at:
            raise Killed
        return result

    def _note_write(self, args: Any) -> None:
        path = self._paths.get(args[0])
        if path is not None:
            self._unsynced.setdefault(path, os.path.getsize(path))

    def _note(self, name: str, args: Any, result: Any, fresh: bool) -> None:
        if name == "open":
            self._paths[result] = str(args[0])
            if fresh and os.path.isfile(args[0]):
                self._unnamed.append((str(args[0]), None))
        elif name == "replace":
            moved = self._unsynced.pop(str(args[0]), None)
            if moved is not None:
                self._unsynced[str(args[1])] = moved
        elif name == "fsync":
            path = self._paths.get(args[0], "")
            self._unsynced.pop(path, None)
            if os.path.isdir(path):
                self._unnamed = [u for u in self._unnamed if os.path.dirname(u[0]) != path]

    def lose(self, rng: random.Random) -> None:
        """The power fails: of what was not forced to the disk, anything may be missing."""
        for path, size in self._unsynced.items():
            if os.path.exists(path):
                os.truncate(
                    path, rng.randint(min(size, os.path.getsize(path)), os.path.getsize(path))
                )
        for path, before in reversed(self._unnamed):
            if rng.random() < 0.5:
                continue
            if before is None:
                Path(path).unlink(missing_ok=True)
            else:
                Path(path).write_bytes(before)


def _content(path: Any) -> bytes | None:
    try:
        return Path(path).read_bytes()
    except OSError:
        return None
