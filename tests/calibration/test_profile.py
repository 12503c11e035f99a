"""Measured boards as one file: there and back, and what must never come in with one."""

from __future__ import annotations

import argparse
import io
import json
import stat
import warnings
import zipfile
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.profile import (  # fmt: skip
    MAX_PICTURE,
    Profile,
    load_profile,
    make_profile,
    read_packed,
    unpack,
)
from companion_app.commands.finding import add_finding, parse_finding
from engine.board import load_board
from engine.errors import BoardwardenError


def profile(name: str = "Our Magalon, 1987") -> Profile:
    raw = dict(load_board("reference").raw) | {"name": name}
    rng = np.random.default_rng(1)
    face = cv2.GaussianBlur(rng.integers(0, 255, (660, 500, 3), np.uint8), (0, 0), 4)
    return make_profile(raw, face)


def test_the_command_line_takes_an_exported_board_with_its_picture(tmp_path: Path) -> None:
    path = tmp_path / "mine.boardwarden"
    path.write_bytes(profile().pack())
    parser = argparse.ArgumentParser()
    add_finding(parser)
    finding = parse_finding(parser.parse_args(["--board", str(path)]))
    assert finding.board.name == "Our Magalon, 1987"
    assert finding.reference is not None and finding.reference.size_mm == finding.board.size_mm
    path.write_bytes(make_profile(profile().raw, None).pack())
    with pytest.raises(BoardwardenError, match="--reference"):
        parse_finding(parser.parse_args(["--board", str(path)]))


def package(*members: tuple[str | zipfile.ZipInfo, bytes]) -> bytes:
    stream = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as out:
        warnings.simplefilter("ignore", UserWarning)  # a name that is there twice
        for name, data in members:
            out.writestr(name, data)
    return stream.getvalue()


def board() -> bytes:
    return json.dumps(dict(load_board("reference").raw)).encode()


def test_packed_and_unpacked_it_is_the_same_board_with_its_picture(tmp_path: Path) -> None:
    mine = profile()
    assert mine.file_name == "Our-Magalon-1987"
    path = tmp_path / "mine.boardwarden"
    path.write_bytes(mine.pack())
    found = read_packed(path)
    assert {**found.raw, "reference": None} == {**mine.raw, "reference": None}
    for name, data in found.files("there").items():
        (tmp_path / name).write_bytes(data)
    again = load_profile(tmp_path / "there.json")
    assert again.raw["reference"] == "there.jpg"
    one, two = (cv2.imdecode(np.frombuffer(p.picture, np.uint8), 1) for p in (mine, again))
    assert np.abs(one.astype(int) - two).mean() < 3


def test_a_board_without_a_picture_can_be_packed_too() -> None:
    bare = Profile(profile().raw, None)
    assert unpack(bare.pack(), "x").picture is None


@pytest.mark.parametrize("name", ["../../evil.json", "/etc/passwd", "board.json/../x", "games/x.jsonl", "C:\\x", "BOARD.JSON"])  # fmt: skip
def test_paths_that_lead_elsewhere_are_refused(name: str) -> None:
    with pytest.raises(BoardwardenError, match="does not belong"):
        unpack(package(("board.json", board()), (name, b"x")), "x")


def test_links_are_refused() -> None:
    link = zipfile.ZipInfo("reference.jpg")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with pytest.raises(BoardwardenError, match="link"):
        unpack(package(("board.json", board()), (link, b"/etc/passwd")), "x")


def test_a_bomb_is_not_unpacked() -> None:
    bomb = package(("board.json", board()), ("reference.jpg", bytes(MAX_PICTURE + 100)))
    assert len(bomb) < 200_000
    with pytest.raises(BoardwardenError, match="larger"):
        unpack(bomb, "x")
    deep = package(("board.json", b"[" * 20_000_000))
    with pytest.raises(BoardwardenError):
        unpack(deep, "x")


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"PK\x03\x04 nonsense",
        b"\x00" * 1000,
        package(("reference.jpg", b"x")),
        package(("board.json", b"[]")),
        package(("board.json", b"{}")),
        package(("board.json", b"\xff\xfe")),
        package(("board.json", b"{"), ("reference.jpg", b"x")),
        package(("board.json", board()), ("reference.jpg", b"no picture")),
        package(("board.json", board()), ("board.json", board())),
        package(("board.json", board()))[:-40],
    ],
)
def test_damaged_files_get_one_sentence(data: bytes) -> None:
    with pytest.raises(BoardwardenError) as caught:
        unpack(data, "x.boardwarden")
    assert "\n" not in str(caught.value)


def test_a_board_that_nobody_can_play_on_is_refused() -> None:
    raw = dict(load_board("reference").raw)
    raw["cells"] = [{**c, "roles": ["start"]} for c in raw["cells"]]
    with pytest.raises(BoardwardenError):
        unpack(Profile(raw, None).pack(), "x")


def test_a_packed_board_cannot_name_pictures_of_this_device() -> None:
    raw = dict(load_board("reference").raw) | {"reference": "../../private.jpg"}
    data = package(("board.json", json.dumps(raw).encode()))
    assert "reference" not in unpack(data, "x").raw
