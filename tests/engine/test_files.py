"""Files from outside: nothing hangs, nothing fills the memory, no number is out of bounds."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path

import pytest

from engine.errors import BoardFileError, BoardwardenError
from engine.files import (
    MAX_DEPTH,
    check_folder,
    check_writable,
    parse_json,
    read_bytes,
    read_json,
    read_reason,
    shown,
    write_reason,
)


def test_a_file_is_read_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "bräu ✓.json"
    path.write_bytes(b'\xef\xbb\xbf{"a": [1, 2.5, "x"]}')
    assert read_json(path, "the file") == {"a": [1, 2.5, "x"]}
    assert read_bytes(path, "the file").endswith(b"}")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_without_a_writer_does_not_hang(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(BoardwardenError, match="not an ordinary file"):
        read_bytes(tmp_path / "pipe", "the record")


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="needs /dev/zero")
def test_a_device_without_an_end_is_refused() -> None:
    with pytest.raises(BoardwardenError, match="not an ordinary file"):
        read_bytes("/dev/zero", "the record")


def test_a_file_that_is_too_large_is_not_read_whole(tmp_path: Path) -> None:
    with (tmp_path / "big").open("wb") as file:
        file.truncate(10**12)  # sparse: it takes no room
    with pytest.raises(BoardFileError, match="at most 16 MB"):
        read_json(tmp_path / "big", "the board file", BoardFileError)


@pytest.mark.parametrize("name", ["none.json", ".", "a\0b", "x" * 5000, "\udcff\udc80"])
def test_names_that_lead_nowhere(tmp_path: Path, name: str) -> None:
    with pytest.raises(BoardwardenError) as caught:
        read_bytes(tmp_path / name, "the file")
    said = str(caught.value)
    assert said.startswith("cannot open the file")
    assert len(said) < 500
    assert said.isprintable()


def test_a_name_is_shown_on_one_short_line() -> None:
    assert shown("a\n\x1b[31mb\u202e") == "a�␛[31mb�".replace("␛", "�")
    assert len(shown("x" * 10_000)) < 200


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[NaN]", "NaN"),
        ("[-Infinity]", "Infinity"),
        ("[1e999]", "too large"),
        (f"[{'9' * 5000}]", "too large"),
        ("[9223372036854775809]", "too large"),
        ("[" * 100_000, "deep"),
        ('{"a":' * 5000 + "1" + "}" * 5000, "deep"),
        ("[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1), "deep"),
        ("", "Expecting value"),
        ('{"a" 1}', "delimiter"),
    ],
)
def test_json_that_is_refused(text: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        parse_json(text)


def test_json_at_the_bounds_is_read() -> None:
    value = [9223372036854775808, -9223372036854775808, 1e308, -0.0, True, None]
    assert parse_json(json.dumps(value)) == value
    assert parse_json("[" * (MAX_DEPTH - 1) + "]" * (MAX_DEPTH - 1))


@pytest.mark.parametrize(
    ("code", "read", "written"),
    [
        (errno.ENOENT, "check the name", "make it first"),
        (errno.EACCES, "allow it", "name another place"),
        (errno.ENOSPC, "copy it", "make room"),
        (errno.EROFS, "copy it", "name another place"),
        (errno.EIO, "copy it", "name another place"),
        (None, "copy it", "name another place"),
    ],
)
def test_every_reason_names_a_remedy(code: int | None, read: str, written: str) -> None:
    fault = OSError("it broke") if code is None else OSError(code, os.strerror(code))
    assert read in read_reason(fault)
    assert written in write_reason(fault)


def test_where_a_file_could_be_written_is_asked_beforehand(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for fine in ("new", "file"):
        check_writable(tmp_path / fine)
    check_folder(tmp_path / "a" / "b")
    for wrong in ("none/new", ".", "file/new", "a\0"):
        with pytest.raises(BoardwardenError, match="cannot write"):
            check_writable(tmp_path / wrong)
    for wrong in ("file", "file/new", "a\0"):
        with pytest.raises(BoardwardenError, match="cannot write into"):
            check_folder(tmp_path / wrong)
    assert [p.name for p in tmp_path.iterdir()] == ["file"]
