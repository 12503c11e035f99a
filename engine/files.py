"""Reading what comes from outside: ordinary files of a bounded size, JSON of a bounded depth.

Whoever reads a file that somebody else may have written reads it here: no pipe or device can
hang the program, no huge file can fill the memory, and no NaN, infinite or enormous number comes in.
"""

from __future__ import annotations

import contextlib
import errno
import json
import math
import os
import stat
from pathlib import Path
from typing import Any, NoReturn

from engine.errors import BoardwardenError

MAX_JSON_BYTES = 16_000_000
MAX_DEPTH = 60
MAX_INTEGER = 2**63
SHOWN_CHARACTERS = 160


def shown(name: object) -> str:
    """A name from outside fit for a sentence: short, one line, no control characters."""
    text = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in str(name))
    if len(text) <= SHOWN_CHARACTERS:
        return text
    half = SHOWN_CHARACTERS // 2
    return f"{text[:half]}…{text[-half:]}"


def read_bytes(
    path: str | Path,
    what: str,
    limit: int = MAX_JSON_BYTES,
    error: type[BoardwardenError] = BoardwardenError,
) -> bytes:
    """The content of an ordinary file of at most ``limit`` bytes.

    ``what`` names the file in the sentence ("the board file").  Raises ``error`` with what is wrong.
    """
    try:
        with open(path, "rb", opener=_open_without_waiting) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise error(
                    f"{what} {shown(path)} is not an ordinary file: name a file on the disk"
                )
            data = file.read(limit + 1)
    except OSError as fault:
        raise error(f"cannot open {what} {shown(path)}: {read_reason(fault)}") from fault
    except ValueError as fault:  # a NUL in the name
        raise error(f"cannot open {what} {shown(path)}: that is no file name, check it") from fault
    if len(data) > limit:
        raise error(f"{what} {shown(path)} is too large: at most {_megabytes(limit)} can be read")
    return data


def read_json(
    path: str | Path,
    what: str,
    error: type[BoardwardenError] = BoardwardenError,
    limit: int = MAX_JSON_BYTES,
) -> Any:
    """The JSON value in a file; raises ``error`` with one sentence."""
    data = read_bytes(path, what, limit, error)
    try:
        return parse_json(data.decode("utf-8-sig"))
    except ValueError as fault:
        raise error(f"{what} {shown(path)} {json_reason(data, fault)}") from fault


def read_reason(fault: OSError) -> str:
    """Why a file or folder cannot be read, with the remedy."""
    said = {
        errno.ENOENT: "there is nothing of that name, check the name and its folder",
        errno.ENOTDIR: "a part of its path is no folder, check the path",
        errno.EISDIR: "it is a folder, name a file",
        errno.EACCES: "it may not be read, allow it in its permissions",
        errno.EPERM: "it may not be read, allow it in its permissions",
        errno.ENAMETOOLONG: "the name is too long, check it",
        errno.ELOOP: "its links lead round in a circle, name the file itself",
        errno.EMFILE: "too many files are open, close other programs",
    }
    other = f"{fault.strerror or 'it cannot be read'}, copy it to another place"
    return said.get(fault.errno or 0, other)


def write_reason(fault: OSError) -> str:
    """Why a file cannot be written, with the remedy."""
    said = {
        errno.ENOENT: "its folder is not there, make it first or name another",
        errno.ENOTDIR: "a part of its path is no folder, name another",
        errno.EEXIST: "a file of that name is in the way, name another",
        errno.EISDIR: "it is a folder, name a file",
        errno.EACCES: "nothing may be written there, name another place",
        errno.EPERM: "nothing may be written there, name another place",
        errno.EROFS: "nothing may be written there, name another place",
        errno.ENOSPC: "the disk is full, make room",
        errno.ENAMETOOLONG: "the name is too long, name another",
        errno.ELOOP: "its links lead round in a circle, name another place",
    }
    other = f"{fault.strerror or 'the disk refuses'}, name another place"
    return said.get(fault.errno or 0, other)


def check_writable(path: str | Path) -> None:
    """Whether a file can be written there, to be asked before long work; raises BoardwardenError."""
    try:
        path = Path(path)
        _check_name(path)
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, "")
        if not path.parent.is_dir():
            code = errno.ENOTDIR if path.parent.exists() else errno.ENOENT
            raise OSError(code, "")
        _check_place(path if path.exists() else path.parent)
    except OSError as fault:
        raise BoardwardenError(f"cannot write {shown(path)}: {write_reason(fault)}") from fault
    except ValueError as fault:  # a NUL in the name
        raise BoardwardenError(f"cannot write {shown(path)}: that is no file name") from fault


def check_folder(path: str | Path) -> None:
    """Whether files can be written into a folder that is there or can be made; raises BoardwardenError."""
    try:
        found = Path(path)
        _check_name(found)
        while not found.exists() and found != found.parent:
            found = found.parent
        if not found.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, "")
        _check_place(found)
    except OSError as fault:
        raise BoardwardenError(f"cannot write into {shown(path)}: {write_reason(fault)}") from fault
    except ValueError as fault:  # a NUL in the name
        raise BoardwardenError(
            f"cannot write into {shown(path)}: that is no folder name"
        ) from fault


def _check_name(path: Path) -> None:
    """The system looks the name up; raises ValueError for what no name can be."""
    with contextlib.suppress(OSError):
        os.stat(path)


def _check_place(place: Path) -> None:
    if not os.access(place, os.W_OK):
        raise PermissionError(errno.EACCES, "")


def write_whole(path: Path, data: bytes) -> None:
    """Writes a file of the users' own; where the disk refuses, what was there stays.  Raises OSError.

    A link is followed, and what is no ordinary file (/dev/stdout) is written to as it is.
    """
    if path.exists() and not path.is_file():
        path.write_bytes(data)
        return
    path = path.resolve()
    part = path.with_name(f".{path.name}.part")
    try:
        with open(part, "wb", opener=_open_no_link) as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    except OSError:
        with contextlib.suppress(OSError):
            part.unlink()
        raise


def json_reason(data: bytes, fault: ValueError) -> str:
    """What ``parse_json`` or the decoding found, as the end of a sentence about the file."""
    if not data.strip():
        return "is empty: name the file that was meant"
    if isinstance(fault, UnicodeDecodeError):
        return "is no text in UTF-8 and so not JSON: save it as UTF-8, or name another file"
    if isinstance(fault, json.JSONDecodeError):
        where = f"line {fault.lineno}, column {fault.colno}"
        return f"is not JSON: mend it at {where} ({shown(fault.msg)})"
    return f"is not JSON that can be used: {shown(fault)}"


def parse_json(text: str) -> Any:
    """A JSON value without NaN, infinite or enormous numbers, nested at most ``MAX_DEPTH`` deep.

    Raises ValueError with what is wrong.
    """
    try:
        value = json.loads(
            text, parse_constant=_no_constant, parse_float=_finite, parse_int=_bounded
        )
    except RecursionError as fault:
        raise ValueError("it is nested too deeply") from fault
    _check_depth(value)
    return value


def _check_depth(value: Any) -> None:
    level = [value]
    for _ in range(MAX_DEPTH):
        inner: list[Any] = []
        for item in level:
            if isinstance(item, dict):
                inner.extend(v for v in item.values() if isinstance(v, (dict, list)))
            elif isinstance(item, list):
                inner.extend(v for v in item if isinstance(v, (dict, list)))
        if not inner:
            return
        level = inner
    raise ValueError("it is nested too deeply")


def _no_constant(word: str) -> NoReturn:
    raise ValueError(f"{word} is no number that can be used")


def _finite(word: str) -> float:
    value = float(word)
    if not math.isfinite(value):
        raise ValueError(f"the number {shown(word)} is too large")
    return value


def _bounded(word: str) -> int:
    if len(word) > 20 or abs(int(word)) > MAX_INTEGER:
        raise ValueError(f"the number {shown(word)} is too large")
    return int(word)


def _megabytes(count: int) -> str:
    return f"{count // 1_000_000} MB" if count >= 1_000_000 else f"{count} bytes"


def _open_no_link(path: str, flags: int) -> int:
    """A link that somebody laid where the unfinished file goes is not followed."""
    return os.open(path, flags | getattr(os, "O_NOFOLLOW", 0), 0o666)


def _open_without_waiting(path: str, flags: int) -> int:
    """Opens a pipe without a writer instead of waiting for one; for files it is a plain open."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
