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
from vision.tiles.joint import named_together
from vision.tiles.profile import Profile


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


def _laid_out(path: Path, tiles: list[tuple[str, int, int, int]], pitch: int) -> None:
    """A picture of tiles (kind, turn, x, y) seen from straight above, ``pitch`` px apart."""
    art = Art(plain_style(), 9, 256)
    columns, rows = (max(t[k] for t in tiles) + 1 for k in (2, 3))
    picture = np.full((rows * pitch + 200, columns * pitch + 200, 3), (70, 95, 120), np.uint8)
    rng = np.random.default_rng(4)
    picture = np.clip(picture + rng.normal(0, 3, picture.shape), 0, 255).astype(np.uint8)
    for kind, rot, x, y in tiles:
        face = faces(kind)[rot // 90]
        tile = cv2.resize(
            art.turned(Laid(face, (0, 0)))[0], (110, 110), interpolation=cv2.INTER_AREA
        )
        a, b = 100 + x * pitch, 100 + y * pitch
        picture[b : b + 110, a : a + 110] = tile
    cv2.imwrite(str(path), picture)


def test_one_picture_of_many_tiles_teaches_them_all(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Eight kinds apart from each other; a wrong name is put right, a tile left out."""
    letters = "CEJKMNUV"
    tiles = [(LETTERS[k], 90 * (n % 4), n % 4, n // 4) for n, k in enumerate(letters)]
    picture, out = tmp_path / "all.png", tmp_path / "mine.npz"
    _laid_out(picture, tiles, 150)
    assert main(["tiles", str(picture), "--out", str(out)]) == 0
    said = capsys.readouterr().out
    for n, letter in enumerate(letters, 1):
        assert f"{n} {letter} " in said
    assert "8 kinds learnt" in said and (tmp_path / "mine.png").exists()
    assert set(Profile.load(out).views) == {LETTERS[k] for k in letters}

    assert main(["tiles", str(picture), "--out", str(out), "--fix", "1=B,2=-"]) == 0
    assert set(Profile.load(out).views) == {LETTERS[k] for k in "BJKMNUV"}
    capsys.readouterr()
    for wrong in ("9=B", "1=Ö", "x"):
        assert main(["tiles", str(picture), "--out", str(out), "--fix", wrong]) == 2
        assert "8 tiles are seen" in capsys.readouterr().err


def test_a_table_of_tiles_is_read_without_knowing_anything(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Places and turns follow from the start tile, wherever it lies in the picture."""
    tiles = [("BA/Rr", 90, 0, 0), ("BA/RCr", 0, 1, 0), ("BA/RFr", 0, 2, 0), ("BA/L", 0, 1, 1)]
    picture = tmp_path / "table.png"
    _laid_out(picture, tiles, 110)
    turned = cv2.rotate(cv2.imread(str(picture)), cv2.ROTATE_90_CLOCKWISE)
    cv2.imwrite(str(picture), turned)
    assert main(["read", str(picture), "--game", "carcassonne", "--json"]) == 0
    row = json.loads(capsys.readouterr().out)
    seen = {p["cell"]: p["kind"] for p in row["pieces"] if p["kind"].startswith("tile/")}
    assert seen == {
        "-1,0@90": "tile/BA/Rr", "0,0@0": "tile/BA/RCr", "1,0@0": "tile/BA/RFr", "0,1@0": "tile/BA/L",
    }  # fmt: skip
    cv2.imwrite(str(picture), np.full((240, 320, 3), 90, np.uint8))
    assert main(["read", str(picture), "--game", "carcassonne"]) == 2
    assert "no tiles are to be seen" in capsys.readouterr().err


def test_neighbours_speak_for_a_tile_that_is_doubtful() -> None:
    """A road to the east, seen for sure, makes the doubtful tile there one with a road."""
    kinds = {k: faces(k) for k in ("BA/RFr", "BA/L")}
    sure, doubt = np.full((2, 4), -9.0), np.full((2, 4), -9.0)
    sure[0, 0], doubt[0, 0], doubt[1, 0] = 0.0, -1.0, -0.4
    alone = named_together([(0, 0)], doubt[None], kinds)
    assert np.argmax(alone[0, 0]) == 4
    both = named_together([(0, 0), (1, 0)], np.stack([sure, doubt]), kinds)
    assert np.argmax(both[1, 0]) == 0
    assert np.exp(both[1, 0]).sum() == pytest.approx(1.0)
