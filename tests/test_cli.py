"""The command line on bad input: one sentence, exit status 2, never a traceback."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion_app.cli import main

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
    said = fails(capsys, "read", str(picture), "--board", "reference", "--reference", str(flat))
    assert "table.png" in said


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
    said = fails(capsys, "read", str(picture), "--board", str(path))
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
    words = ["watch", str(picture), "--game", "magalon", "--board", "reference"]
    assert "cards.json" in fails(capsys, *words, "--cards", str(cards))


def test_a_missing_record(capsys: pytest.CaptureFixture[str]) -> None:
    assert "none.jsonl" in fails(capsys, "judge", "none.jsonl")


def test_a_record_is_judged_line_by_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    header = {
        "boardwarden": 1,
        "game": "magalon",
        "board": "reference",
        "players": [{"name": "Ada", "colour": "violet"}, {"name": "Bo", "colour": "green"}],
    }
    lines = [
        header,
        {"player": "violet", "do": "lay", "card": 6},
        {"player": "green", "do": "lay", "card": 6},
    ]
    path = tmp_path / "game.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert main(["judge", str(path), "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(r["verdict"], r["rule"]) for r in rows[:2]] == [("legal", None), ("illegal", "M-8")]
    assert set(rows[-1]) == {"scores", "winner", "state"}
    assert rows[-1]["scores"]["violet"]["energy"] == 10
