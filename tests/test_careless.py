"""A careless user at the command line: what is wrong, and what helps, in one sentence."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion_app.cli import main
from tests.test_cli import CORNERS, fails

REFERENCE = ["--board", "reference", *CORNERS]
MAGALON = ["--game", "magalon", *REFERENCE]


@pytest.fixture(autouse=True)
def _place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder with a picture, an empty file, a file of bytes and a folder."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(3)
    image = cv2.GaussianBlur(rng.integers(0, 255, (480, 640, 3), np.uint8), (0, 0), 3)
    Path("Tisch ü.png").write_bytes(cv2.imencode(".png", image)[1].tobytes())
    Path("empty.json").touch()
    Path("bytes.json").write_bytes(b"\xff\xfe\x00")
    Path("cut.json").write_text('{"a": [1,\n 2')
    Path("folder").mkdir()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        # what is not there, and of two faults the first
        ("read none.jpg --board reference", "none.jpg: there is nothing of that name, check"),
        ("watch none.mp4 --game magalon --board reference", "there is no 'none.mp4': name"),
        ("judge none.jsonl", "there is nothing of that name, check"),
        ("judge folder", "it is a folder, name a file"),
        ("judge a\0b", "that is no file name"),
        ("evaluate none", "there is no none: name a folder with labels.json"),
        ("evaluate folder", "has no labels.json: boardwarden collect makes one"),
        ("tiles none --out a.npz", "there is no folder none: name"),
        # what is no such file
        ("print board --board empty.json", "is empty: name the file that was meant"),
        ("print board --board bytes.json", "save it as UTF-8"),
        ("print board --board cut.json", "mend it at line 2, column 3"),
        ("simulate --sum bytes.json", "--results has written"),
        ("simulate --sum counts.json", "simulate them again"),
        ("simulate --sum other.json", "--results has written"),
        # where nothing can be written is told before the work
        ("evaluate folder --worst empty.json", "cannot write into empty.json: a part of its path"),
        ("evaluate folder --worst empty.json/a", "cannot write into empty.json/a"),
        ("tiles folder --out none/a.npz", "its folder is not there, make it first"),
        ("tiles folder --out folder", "it is a folder, name a file"),
        ("simulate --games 1 --results none/a", "its folder is not there"),
        ("simulate --film folder", "it is a folder, name a file"),
        ("print lens --out folder", "it is a folder, name a file"),
        # words of the parser
        ("simulate --games x", "--games needs a whole number and not 'x'"),
        ("simulate --noise x", "--noise needs a number and not 'x'"),
        ("simulate --games", "--games needs a value after it"),
        ("read", "PICTURE is missing"),
        ("cameras all", "nothing is known of all: leave it out"),
        ("print table", "cannot be 'table': choose from 'board'"),
        ("watch 0 --game magalon --corners 1,2", "--corners needs 4 values after it"),
    ],
)  # fmt: skip
def test_the_fault_and_the_remedy(
    capsys: pytest.CaptureFixture[str], words: str, told: str
) -> None:
    Path("counts.json").write_text('{"counts": {"moves": "many"}}')
    Path("other.json").write_text('{"rounds": []}')
    said = fails(capsys, *words.split(" "))
    assert told in said
    assert not any(word in said for word in ("Errno", "codec", "No such file", "Is a directory"))


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("--game grailnah --cards cards.json", "no cards are laid in grailnah"),
        ("--game magalon --tiles a.npz", "there are no tiles in magalon"),
        ("--game magalon --players violet", "--players names 1 colour:"),
        ("--game magalon --players red,pink", "no pink wizard"),
    ],
)
def test_what_another_game_needs(capsys: pytest.CaptureFixture[str], words: str, told: str) -> None:
    Path("cards.json").write_text('[{"round": 1, "laid": [["red", 6]]}]')
    assert told in fails(capsys, "watch", "Tisch ü.png", *words.split(" "), *REFERENCE)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("--players red,pink", "no pink meeples; the colours are red, blue"),
        ("--players red", "--players names 1 colour:"),
        ("--players , --corners 0,0 9,0 9,9 0,9", "--players names 0 colours:"),
        ("--players red,blue --enrol labels.json", "leave --enrol out"),
    ],
)
def test_players_of_carcassonne(capsys: pytest.CaptureFixture[str], words: str, told: str) -> None:
    call = ["watch", "Tisch ü.png", "--game", "carcassonne", *words.split(" ")]
    assert told in fails(capsys, *call)


def test_a_board_of_another_kind_is_told_as_such(capsys: pytest.CaptureFixture[str]) -> None:
    cell = {"id": "a", "polygon_mm": [[0, 0], [9, 0], [9, 9], [0, 9]], "neighbours": []}
    board = {"version": 1, "game": None, "name": "ludo", "size_mm": [20, 20], "cells": [cell]}
    Path("ludo.json").write_text(
        json.dumps(board | {"inventory": [{"kind": "pawn", "colour": "red", "count": 4}]})
    )
    call = ["watch", "Tisch ü.png", "--game", "magalon", "--board", "ludo.json", *CORNERS]
    assert "the board ludo has none of the pieces of magalon: give" in fails(capsys, *call)


@pytest.mark.parametrize("cards", ["[]", '{"cards": []}'])
def test_a_file_without_cards_is_no_cards(capsys: pytest.CaptureFixture[str], cards: str) -> None:
    Path("cards.json").write_text(cards)
    assert main(["watch", "Tisch ü.png", *MAGALON, "--cards", "cards.json"]) == 0
    assert "name those of round 1 with --cards" in capsys.readouterr().err


def test_the_picture_that_is_learnt_from_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    rows = [{"image": name, "pieces": []} for name in ("first.png", "second.png")]
    Path("labels.json").write_text(json.dumps({"images": rows}))
    call = ["read", "Tisch ü.png", *REFERENCE, "--enrol"]
    assert main([*call, "labels.json"]) == 2
    said = capsys.readouterr().err
    assert "learnt from first.png, the first of 2 labelled pictures" in said
    assert "second.png" not in said
    assert "they have first.png, second.png" in fails(capsys, *call, "labels.json#none.png")


def test_a_film_that_breaks_off_is_judged_and_told(capsys: pytest.CaptureFixture[str]) -> None:
    rng = np.random.default_rng(1)
    writer = cv2.VideoWriter("film.avi", cv2.VideoWriter.fourcc(*"MJPG"), 10.0, (64, 48))
    for _ in range(20):
        writer.write(rng.integers(0, 255, (48, 64, 3), np.uint8))
    writer.release()
    data = Path("film.avi").read_bytes()
    call = ["watch", "film.avi", *MAGALON, "--json"]
    Path("cards.json").write_text(
        '{"cards": [{"round": 1, "laid": [["violet", 6], ["green", 9]]}]}'
    )
    assert main([*call, "--cards", "cards.json"]) == 0
    assert capsys.readouterr().err == ""
    Path("film.avi").write_bytes(data[: len(data) // 2])
    assert main([*call, "--cards", "cards.json"]) == 2
    out, err = capsys.readouterr()
    assert json.loads(out.splitlines()[-1])["type"] == "end"
    assert "breaks off" in err and "of 2.0 seconds" in err and "copy it again" in err


def test_a_broken_picture_among_others_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    Path("folder/a.png").write_bytes(Path("Tisch ü.png").read_bytes())
    Path("folder/b.png").write_bytes(b"no picture")
    Path("folder/c.png").write_bytes(Path("Tisch ü.png").read_bytes())
    assert main(["watch", "folder", *MAGALON]) == 2
    out, err = capsys.readouterr()
    assert " end " in out
    assert "left out: b.png; save them" in err


@pytest.mark.skipif(not Path("/sys/kernel").is_dir(), reason="needs a folder that takes no files")
def test_a_folder_where_nobody_may_write(capsys: pytest.CaptureFixture[str]) -> None:
    said = fails(capsys, "print", "lens", "--out", "/sys/kernel/a.pdf")
    assert "nothing may be written there, name another place" in said
