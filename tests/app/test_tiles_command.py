"""``boardwarden tiles`` learns a print, and ``evaluate`` reads pictures of single tiles with it."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion_app.cli import main
from engine.carcassonne.tiles import faces
from models.training.tiles.layouts import Laid
from models.training.tiles.style import plain_style
from models.training.tiles.table import Art
from vision.evaluation.tiles import LETTERS


def _pictures(folder: Path, letters: str, grey: int) -> None:
    art = Art(plain_style(), 9, 256)
    folder.mkdir()
    for letter in letters:
        picture = art.turned(Laid(faces(LETTERS[letter])[0], (0, 0)))[0]
        framed = cv2.copyMakeBorder(picture, 12, 12, 12, 12, cv2.BORDER_CONSTANT, value=(grey,) * 3)
        noise = np.random.default_rng(ord(letter)).normal(0, 3, framed.shape)
        cv2.imwrite(str(folder / f"{letter}_1.png"), np.clip(framed + noise, 0, 255))


def test_tiles_are_learnt_and_then_known(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _pictures(tmp_path / "learn", "CEJKMNUV", 60)
    _pictures(tmp_path / "look", "CEJKMNUV", 100)
    out = tmp_path / "mine.npz"
    assert main(["tiles", str(tmp_path / "learn"), "--out", str(out)]) == 0
    assert "8 kinds learnt" in capsys.readouterr().out
    assert main(["evaluate", str(tmp_path / "look"), "--tiles", str(out), "--json"]) == 0
    row = json.loads(capsys.readouterr().out)[0]
    assert (row["tiles"], row["right"]) == (8, 8)


def test_a_folder_without_tiles_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["tiles", str(tmp_path), "--out", str(tmp_path / "x.npz")]) == 2
    assert "A_1.jpg" in capsys.readouterr().err
