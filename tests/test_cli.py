"""The command line on bad input: one sentence, exit status 2, never a traceback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion_app.cli import main

CORNERS = ["--corners", "0,0", "90,0", "90,90", "0,90"]
RED_CARD = {"round": 1, "laid": [["violet", 6], ["green", 9]]}


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    """A picture without any board."""
    rng = np.random.default_rng(3)
    image = cv2.GaussianBlur(rng.integers(0, 255, (480, 640, 3), np.uint8), (0, 0), 3)
    path = tmp_path / "table.png"
    cv2.imwrite(str(path), image)
    return path


def fails(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """The one line that a failing call prints."""
    assert main(list(words)) == 2
    said = capsys.readouterr().err.strip()
    assert said.startswith("boardwarden: ")
    assert "\n" not in said
    assert "Traceback" not in said
    return said


def test_no_such_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert "read" in fails(capsys, "reed")


def test_missing_option(capsys: pytest.CaptureFixture[str]) -> None:
    assert "--board" in fails(capsys, "read", "x.jpg")


def test_missing_picture(capsys: pytest.CaptureFixture[str]) -> None:
    corners = ["--corners", "0,0", "9,0", "9,9", "0,9"]
    assert "nowhere.jpg" in fails(capsys, "read", "nowhere.jpg", "--board", "reference", *corners)


def test_a_picture_without_a_board(capsys: pytest.CaptureFixture[str], picture: Path) -> None:
    flat = picture.with_name("flat.png")
    rng = np.random.default_rng(5)
    cv2.imwrite(str(flat), rng.integers(0, 255, (660, 500, 3), np.uint8))
    words = ("read", str(picture), "--board", "reference", "--reference", str(flat))
    assert main(list(words)) == 2
    told = capsys.readouterr()
    # said once, not on both streams
    assert told.out == "" and told.err.count("table.png") == told.err.count("\n") == 1
    assert main([*words, "--json"]) == 2
    assert "show the whole board" in json.loads(capsys.readouterr().out)["why"]


def test_a_board_file_with_a_broken_neighbour(
    capsys: pytest.CaptureFixture[str], picture: Path, tmp_path: Path
) -> None:
    square = [[0, 0], [9, 0], [9, 9], [0, 9]]
    board = {
        "version": 1,
        "game": None,
        "size_mm": [20, 20],
        "cells": [{"id": "a", "polygon_mm": square, "neighbours": ["nowhere"]}],
    }
    path = tmp_path / "board.json"
    path.write_text(json.dumps(board))
    said = fails(capsys, "read", str(picture), "--board", str(path), *CORNERS)
    assert "a" in said
    assert "nowhere" in said


def test_corners_that_are_none(capsys: pytest.CaptureFixture[str], picture: Path) -> None:
    words = ["read", str(picture), "--board", "reference", "--corners", "1,2", "x", "3,4", "5,6"]
    assert "four points" in fails(capsys, *words)


def test_no_camera(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["watch", "42", "--game", "magalon", "--board", "reference"]
    assert "42" in fails(capsys, *words, "--corners", "0,0", "90,0", "90,90", "0,90")


def test_an_unknown_game(capsys: pytest.CaptureFixture[str]) -> None:
    assert "chess" in fails(capsys, "watch", "0", "--game", "chess", "--board", "reference")


def test_a_damaged_cards_file(
    capsys: pytest.CaptureFixture[str], picture: Path, tmp_path: Path
) -> None:
    cards = tmp_path / "cards.json"
    cards.write_text("{")
    words = ["watch", str(picture), "--game", "magalon", "--board", "reference", *CORNERS]
    assert "cards.json" in fails(capsys, *words, "--cards", str(cards))


@pytest.mark.parametrize(
    ("laid", "words"),
    [
        ([["mauve", 3]], "mauve"),
        ([["violet", 99]], "round 1"),
        ([["violet", 3], ["green", 3]], "round 1"),
        ([["violet", 1], ["violet", 2]], "round 1"),
        ([["violet", [1]]], "entry 1"),
    ],
)
def test_cards_that_nobody_can_have_laid(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, laid: list, words: str
) -> None:
    cards = tmp_path / "cards.json"
    cards.write_text(json.dumps({"cards": [{"round": 1, "laid": laid}]}))
    call = ["watch", "98", "--game", "magalon", "--board", "reference", *CORNERS]
    assert words in fails(capsys, *call, "--cards", str(cards))


def test_labels_of_another_board(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    row = {"image": "x.jpg", "pieces": [{"kind": "pawn", "colour": "red", "cell": "r0c0"}]}
    (tmp_path / "labels.json").write_text(json.dumps({"images": [row]}))
    assert "--board" in fails(capsys, "evaluate", str(tmp_path), "--board", "reference")


def test_a_refusal_is_never_long(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = a_record(tmp_path)
    head, *rest = path.read_text().splitlines()
    position = {"paths": {"giant": [["a1"] * 50_000]}}
    path.write_text("\n".join([json.dumps({**json.loads(head), "position": position}), *rest]))
    assert len(fails(capsys, "judge", str(path))) < 1200


def test_options_that_are_no_object(
    capsys: pytest.CaptureFixture[str], picture: Path, tmp_path: Path
) -> None:
    options = tmp_path / "options.json"
    options.write_text("[]")
    words = ["watch", str(picture), "--game", "magalon", "--board", "reference", *CORNERS]
    assert "options.json" in fails(capsys, *words, "--options", str(options))


def test_nothing_says_where_the_board_lies(
    capsys: pytest.CaptureFixture[str], picture: Path
) -> None:
    assert "--reference" in fails(capsys, "read", str(picture), "--board", "reference")
    words = ["watch", str(picture), "--game", "magalon", "--board", "reference"]
    assert "--corners" in fails(capsys, *words)


def test_a_film_in_which_the_board_is_never_seen(
    capsys: pytest.CaptureFixture[str], picture: Path
) -> None:
    flat = picture.with_name("flat.png")
    rng = np.random.default_rng(5)
    cv2.imwrite(str(flat), rng.integers(0, 255, (660, 500, 3), np.uint8))
    words = ["watch", str(picture), "--game", "magalon", "--board", "reference"]
    said = fails(capsys, *words, "--reference", str(flat))
    assert "table.png" in said
    assert "board" in said


def test_corners_may_lie_outside_the_picture(
    capsys: pytest.CaptureFixture[str], picture: Path
) -> None:
    corners = ["--corners", "-10,-20.5", "600,0", "600,470", "-5,470"]
    assert main(["read", str(picture), "--board", "reference", *corners, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["pose"]["corners_px"][0] == [-10.0, -20.5]


@pytest.mark.parametrize("name", ["x\0y.jpg", "x" * 5000, "\x1b[2J\n.jpg", "\udcff.jpg", "~/\t"])
def test_names_that_no_file_has(capsys: pytest.CaptureFixture[str], name: str) -> None:
    corners = ["--corners", "0,0", "9,0", "9,9", "0,9"]
    for words in (
        ["read", name, "--board", "reference", *corners],
        ["read", "x.jpg", "--board", name, *corners],
        ["watch", name, "--game", "magalon", "--board", "reference", *corners],
        ["judge", name],
        ["evaluate", name],
        [name],
    ):
        assert len(fails(capsys, *words)) < 600


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_that_nobody_writes_hangs_nothing(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    corners = ["--corners", "0,0", "9,0", "9,9", "0,9"]
    fails(capsys, "judge", str(pipe))
    fails(capsys, "read", str(pipe), "--board", "reference", *corners)
    fails(capsys, "read", "x.jpg", "--board", str(pipe), *corners)
    fails(capsys, "watch", str(pipe), "--game", "magalon", "--board", "reference", *corners)


def test_an_inner_fault_is_one_sentence(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion_app.commands.judge.judge_record", lambda _: 1 / 0)
    monkeypatch.delenv("BOARDWARDEN_DEBUG", raising=False)
    assert main(["judge", "x"]) == 1
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "ZeroDivisionError" in said
    monkeypatch.setenv("BOARDWARDEN_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        main(["judge", "x"])


def run(*words: object, **how: Any) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "companion_app.cli", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, check=False, **how)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_output_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    path = a_record(tmp_path)
    with open("/dev/full", "w") as full:
        command = [sys.executable, "-m", "companion_app.cli", "judge", str(path)]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert "disk full" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_an_error_that_cannot_be_written_is_told_by_the_exit_status() -> None:
    with open("/dev/full", "w") as full:
        command = [sys.executable, "-m", "companion_app.cli", "judge", "none.jsonl"]
        assert subprocess.run(command, stderr=full, check=False).returncode == 2


STREAMS = """
import os, sys
from companion_app import cli
how = cli.main(["judge", sys.argv[1]])
own = os.open(sys.argv[1], os.O_RDONLY)
open(sys.argv[2], "w").write(f"{how} {own > 2}")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="streams are closed by a shell here")
@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_a_launcher_that_closes_the_standard_streams(closed: str, tmp_path: Path) -> None:
    """Nothing fails, and no file of ours is where libraries print."""
    path, told = a_record(tmp_path), tmp_path / "told"
    words = [sys.executable, "-c", STREAMS, str(path), str(told)]
    done = subprocess.run(["sh", "-c", f'exec "$@" {closed}', "sh", *words], check=False)
    assert (done.returncode, told.read_text()) == (0, "0 True")


def test_a_terminal_without_the_letters_of_a_name(tmp_path: Path) -> None:
    path = a_record(tmp_path, name="Zoë ✓")
    ascii_only = {**os.environ, "PYTHONIOENCODING": "ascii", "LC_ALL": "C"}
    done = run("judge", path, env=ascii_only)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_missing_record(capsys: pytest.CaptureFixture[str]) -> None:
    assert "none.jsonl" in fails(capsys, "judge", "none.jsonl")


def a_record(folder: Path, name: str = "Ada") -> Path:
    header = {
        "boardwarden": 1,
        "game": "magalon",
        "board": "reference",
        "players": [{"name": name, "colour": "violet"}, {"name": "Bo", "colour": "green"}],
    }
    lines = [
        header,
        {"player": "violet", "do": "lay", "card": 6},
        {"player": "green", "do": "lay", "card": 6},
    ]
    path = folder / "game.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def test_a_damaged_record_is_judged_up_to_the_damage(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = a_record(tmp_path)
    path.write_text(path.read_text() + '{"player": NaN}\n')
    assert main(["judge", str(path), "--json"]) == 2
    said = capsys.readouterr()
    assert len(said.out.splitlines()) == 3
    assert "game.jsonl" in said.err
    assert "line 4" in said.err


def test_a_record_is_judged_line_by_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = a_record(tmp_path)
    assert main(["judge", str(path), "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(r["verdict"], r["rule"]) for r in rows[:2]] == [("legal", None), ("illegal", "M-8")]
    assert set(rows[-1]) == {"scores", "winner", "state"}
    assert rows[-1]["scores"]["violet"]["energy"] == 10
