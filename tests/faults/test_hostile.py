"""Files made to harm: bombs, links, names that lead out, thousands of parts; and bare surroundings."""

from __future__ import annotations

import io
import json
import os
import socket
import struct
import subprocess
import sys
import tracemalloc
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from calibration.profile import make_profile, unpack
from companion_app import library
from companion_app.cli import main
from companion_app.export import export_report
from companion_app.recall import Remembered
from companion_app.selftest.checks import Outcome, Wanted, carry_out
from companion_app.store import HOME_VARIABLE, Store, default_exports, default_root
from engine.board import load_board
from engine.errors import BoardwardenError
from engine.files import write_whole
from tests.faults.formats import films, shipped
from vision.sources import open_source
from vision.tiles.profile import Profile

MB = 1_000_000
ROOT = Path(__file__).resolve().parents[2]


def packed(*members: tuple[str | zipfile.ZipInfo, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as package:
        for name, data in members:
            package.writestr(name, data)
    return stream.getvalue()


def test_a_print_of_tiles_that_is_a_bomb_is_not_unpacked(tmp_path: Path) -> None:
    version, view = io.BytesIO(), io.BytesIO()
    np.save(version, np.array(1))
    np.save(view, np.zeros((200 * MB,), np.uint8))
    path = tmp_path / "tiles.npz"
    path.write_bytes(packed(("version.npy", version.getvalue()), ("C|0.npy", view.getvalue())))
    del view
    assert path.stat().st_size < MB
    tracemalloc.start()
    try:
        with pytest.raises(BoardwardenError, match="learn it anew"):
            Profile.load(path)
        assert tracemalloc.get_traced_memory()[1] < 40 * MB
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    "header",
    [
        b"{'descr': '|u1', 'fortran_order': False, 'shape': (32, 32, 3), ",
        b"{'descr': '|u1', 'fortran_order': False, 'shape': (10000000000000,), }",
        b"{'descr': '|O', 'fortran_order': False, 'shape': (1,), }",
        b"{'descr': '|V999999999', 'fortran_order': False, 'shape': (9999999,), }",
        b"\xff(((",
        b"9" * 5000,
    ],
)
def test_damage_that_numpy_has_many_words_for(tmp_path: Path, header: bytes) -> None:
    version = io.BytesIO()
    np.save(version, np.array(1))
    array = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header) + 1) + header + b"\n" + bytes(9)
    path = tmp_path / "tiles.npz"
    for members in (
        (("version.npy", version.getvalue()), ("C|0.npy", array)),
        (("version.npy", array), ("C|0.npy", version.getvalue())),
    ):
        path.write_bytes(packed(*members))
        with pytest.raises(BoardwardenError, match="learn it anew"):
            Profile.load(path)


@pytest.mark.parametrize(
    "name",
    ["/etc/x", "../x", "C:\\x", "..\\x", "C:board.json", "\\\\host\\x", "board.json/", "x" * 60_000, "NUL", "é.json"],
)  # fmt: skip
def test_a_board_that_holds_another_name_is_refused(tmp_path: Path, name: str) -> None:
    path = tmp_path / "board.boardwarden"
    path.write_bytes(packed((name, b"{}")))
    store = Store(tmp_path / "home")
    with pytest.raises(BoardwardenError):
        library.import_board(store, path)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["board.boardwarden", "home"]
    assert list(store.root.rglob("*.json")) == []


def test_a_package_of_very_many_parts_is_not_listed() -> None:
    many = packed(*((f"x{n}", b"") for n in range(200)))
    with pytest.raises(BoardwardenError, match="far more than a board"):
        unpack(many, "x")


def test_a_film_of_very_many_streams_is_refused_soon(tmp_path: Path) -> None:
    path = tmp_path / "film.mp4"
    path.write_bytes(with_streams(films()[1], 3000))
    with pytest.raises(BoardwardenError, match="not a film that can be read"):
        open_source(str(path))


def with_streams(film: bytes, count: int) -> bytes:
    """An MP4 whose only stream is told so many times."""
    moov = film.index(b"moov") - 4
    trak = film.index(b"trak") - 4
    (length,) = struct.unpack_from(">I", film, trak)
    one = film[trak : trak + length]
    out = bytearray(film[:trak] + one * count + film[trak:])
    struct.pack_into(">I", out, moov, struct.unpack_from(">I", film, moov)[0] + len(one) * count)
    return bytes(out)


def test_a_board_of_very_many_cells_is_refused(tmp_path: Path) -> None:
    shape = [[0, 0], [1, 0], [0, 1]]
    cells = [{"id": str(n), "polygon_mm": shape, "neighbours": []} for n in range(6000)]
    board = {"version": 1, "game": None, "name": "b", "size_mm": [20, 20], "cells": cells}
    path = tmp_path / "board.json"
    path.write_text(json.dumps(board))
    with pytest.raises(BoardwardenError, match="at most 5000"):
        load_board(path)
    with path.open("wb") as file:
        file.truncate(80 * MB)
    with pytest.raises(BoardwardenError, match="at most 16 MB"):
        load_board(path)


# --- a full disk ------------------------------------------------------------------------------------


@contextmanager
def full_disk() -> Iterator[None]:
    """No file can grow over 4 kB; only for as long as nothing else writes, like the test's report."""
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def left(folder: Path) -> list[str]:
    return sorted(str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_file())


def test_exports_on_a_full_disk_are_told_and_leave_nothing(tmp_path: Path) -> None:
    store = Store(tmp_path)
    noise = np.random.default_rng(1).bytes(50_000)
    board = make_profile(json.loads(shipped("magalon")), None)
    for write in (
        lambda: export_report(store, "game", noise, (Remembered(1.0, noise, None),), {}),
        lambda: library.write_sheets(store, "reference", "magalon"),
        lambda: library.save_profile(store, board),
    ):
        with full_disk(), pytest.raises(BoardwardenError) as caught:
            write()
        assert str(tmp_path) in str(caught.value)
    assert left(tmp_path) == []


def test_commands_on_a_full_disk_leave_what_was_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old = tmp_path / "board.pdf"
    old.write_bytes(b"the old one")
    with full_disk():
        assert main(["print", "board", "--out", str(old)]) == 2
    assert "cannot write" in capsys.readouterr().err
    rng = np.random.default_rng(1)
    prints = Profile({"C": tuple(rng.integers(0, 255, (6, 32, 32, 3), np.uint8))})
    with full_disk(), pytest.raises(OSError, match="large"):
        prints.save(tmp_path / "tiles.npz")
    assert left(tmp_path) == ["board.pdf"]
    assert old.read_bytes() == b"the old one"


def test_a_whole_file_goes_through_links(tmp_path: Path) -> None:
    (tmp_path / "real").write_bytes(b"old")
    (tmp_path / "link").symlink_to("real")
    write_whole(tmp_path / "link", b"new")
    assert (tmp_path / "real").read_bytes() == b"new"
    assert (tmp_path / "link").is_symlink()
    assert left(tmp_path) == ["link", "real"]
    (tmp_path / ".real.part").symlink_to(tmp_path / "of another")
    (tmp_path / "of another").write_bytes(b"theirs")
    with pytest.raises(OSError, match="symbolic"):
        write_whole(tmp_path / "real", b"newer")
    assert (tmp_path / "of another").read_bytes() == b"theirs"


@pytest.mark.skipif(not Path("/dev/null").exists(), reason="needs /dev/null")
def test_what_is_no_file_is_written_to_and_stays(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["print", "lens", "--out", "/dev/null"]) == 0
    assert Path("/dev/null").is_char_device()
    assert not Path("/dev/.null.part").exists()


# --- bare surroundings ------------------------------------------------------------------------------


def test_a_user_without_a_home_of_their_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def nobody() -> Path:
        raise RuntimeError("Could not determine home directory.")

    for name in ("HOME", "XDG_DATA_HOME", HOME_VARIABLE, "USERPROFILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", nobody)
    monkeypatch.chdir(tmp_path)
    assert tmp_path in default_root().parents
    assert tmp_path in default_exports().parents


def test_a_system_without_letters_beyond_ascii(tmp_path: Path) -> None:
    bare = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    words = ["-m", "companion_app.cli", "print", "lens", "--language", "fr", "--out"]
    out = tmp_path / "Blätter ✓.pdf"
    done = subprocess.run(
        [sys.executable, *words, str(out)], env=bare, capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert out.read_bytes().startswith(b"%PDF")


@pytest.mark.skipif(sys.platform == "win32", reason="a folder in use cannot be removed there")
def test_a_working_folder_that_has_been_removed(tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    script = "import os, sys; os.rmdir(os.getcwd()); from companion_app.cli import entry; entry()"
    done = subprocess.run(
        [sys.executable, "-c", script, "print", "lens"], cwd=tmp_path / "here", capture_output=True,
        text=True, check=False, env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert done.returncode == 2
    assert "has been removed: go to another one" in done.stderr


def test_checks_without_a_folder_for_temporary_files(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(wanted: Wanted) -> str:
        raise FileNotFoundError(2, "No usable temporary directory found")

    found = carry_out([("damage", none)], Wanted(Path()), lambda finding: None)[0]
    assert found.outcome is Outcome.FAILED
    assert "TMPDIR" in found.said


# --- files that name addresses ----------------------------------------------------------------------

PLAYLISTS = {
    "hls.mp4": "#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\n{address}\n#EXT-X-ENDLIST\n",
    "hls.m3u8": "#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\n{address}\n#EXT-X-ENDLIST\n",
    "live.m3u8": "#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\n{address}\n",
    "list.mp4": "ffconcat version 1.0\nfile {address}\n",
    "dash.mpd": '<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static"><Period>'
    '<AdaptationSet mimeType="video/mp4"><Representation id="1" bandwidth="1"><BaseURL>{address}'
    "</BaseURL></Representation></AdaptationSet></Period></MPD>",
    "a.sdp": "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video 5004 RTP/AVP 96\n",
}


@pytest.mark.parametrize("name", PLAYLISTS)
def test_a_list_of_films_is_never_opened(tmp_path: Path, name: str, monkeypatch) -> None:
    """Where it is written on, FFmpeg would wait for half a minute."""
    monkeypatch.setattr("cv2.VideoCapture", lambda *_: pytest.fail("it was opened"))
    (tmp_path / name).write_text(PLAYLISTS[name].format(address="film.ts"))
    with pytest.raises(BoardwardenError, match="not a film"):
        open_source(str(tmp_path / name)).open()


@pytest.mark.parametrize("name", PLAYLISTS)
def test_a_film_that_names_an_address_calls_nobody(tmp_path: Path, name: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        address = f"http://127.0.0.1:{listener.getsockname()[1]}/film.mp4"
        (tmp_path / name).write_text(PLAYLISTS[name].format(address=address))
        with pytest.raises(BoardwardenError):
            open_source(str(tmp_path / name)).read(0.0)
        listener.settimeout(0.2)
        with pytest.raises(TimeoutError):
            listener.accept()
