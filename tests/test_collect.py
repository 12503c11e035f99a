"""The whole of ``boardwarden collect`` with a picture folder and a stand-in for a camera."""

from __future__ import annotations

import io
import json
import socket
import time
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.collecting import plan_shots
from companion_app.cli import main
from companion_app.commands import collect
from engine.board import load_board
from tests.vision.drawn import draw_table, oblique_pose, piece
from vision.labels import load_labels
from vision.sources import ScriptedSource, SourceKind, SourceState
from vision.types import Frame

BOARD = load_board("reference")
CORNERS = [f"{x:.3f},{y:.3f}" for x, y in oblique_pose(BOARD).corners_px]
USUAL = ["--game", "magalon", "--board", "reference", "--language", "en", "--corners", *CORNERS]


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The placements that are asked for, drawn; three of seed 0."""
    folder = tmp_path_factory.mktemp("photographed")
    for shot in plan_shots(BOARD, 0, 3, camera_moves=False):
        standing = [piece(s.kind, s.colour, *s.spots, board=BOARD) for s in shot.stands]
        cv2.imwrite(str(folder / f"p{shot.number}.png"), draw_table(standing, 3).image)
    return folder


def call(monkeypatch: pytest.MonkeyPatch, answers: str, *words: str) -> int:
    monkeypatch.setattr("sys.stdin", io.StringIO(answers))
    return main(["collect", *words, *USUAL])


def no_network(*_: object, **__: object) -> None:
    raise AssertionError("collecting opened a network connection")


def test_a_folder_is_collected_and_then_measured(
    pictures: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys
) -> None:  # fmt: skip
    own = tmp_path / "own"
    monkeypatch.setattr(socket.socket, "connect", no_network)
    assert call(monkeypatch, "\n" * 3, str(pictures), str(own), "--count", "3") == 0
    said = capsys.readouterr().out
    assert "Placement 1 of 3" in said
    assert "the red wizard: on" in said
    assert "Turn the lamp off." in said
    assert "3 of 3 placements" in said
    drawn = [cv2.imread(str(pictures / f"p{n}.png")).astype(int) for n in (1, 2, 3)]
    for n, picture in enumerate(load_labels(own / "labels.json").pictures):
        kept = cv2.imread(str(picture.path)).astype(int)
        assert int(np.argmin([np.abs(kept - d).mean() for d in drawn])) == n
    assert main(["evaluate", str(own), "--json"]) == 0
    [row, dice] = json.loads(capsys.readouterr().out)
    stands = plan_shots(BOARD, 0, 3)[0].stands
    counted = [s for s in stands if s.kind not in ("die", "energy_stone")]
    assert row["boards"] == 3
    assert row["pieces"] == 3 * len(counted)
    assert row["cell"] > 0.5 * row["pieces"]  # the labels lie where the pieces were drawn
    assert dice["dice"] == 6


def test_a_folder_that_was_begun_goes_on(
    pictures: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys
) -> None:  # fmt: skip
    own = tmp_path / "own"
    assert call(monkeypatch, "\nq\n", str(pictures), str(own), "--count", "3") == 0
    assert "1 of 3 placements" in capsys.readouterr().out
    first = (own / "01.jpg").read_bytes()
    assert call(monkeypatch, "s\n\n", str(pictures), str(own)) == 0
    said = capsys.readouterr().out
    assert "Placement 1" not in said
    assert said.count("Put everything up like this") == 2  # at the start, and after passing over
    rows = json.loads((own / "labels.json").read_text())["images"]
    assert [(r["image"], r["shot"], r["frame"]) for r in rows] == [("01.jpg", 1, 0), ("03.jpg", 3, 1)]  # fmt: skip
    assert (own / "01.jpg").read_bytes() == first


def test_a_source_that_ends_and_an_input_that_ends(
    pictures: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys
) -> None:  # fmt: skip
    own = tmp_path / "own"
    assert call(monkeypatch, "\n" * 9, str(pictures), str(own), "--count", "5") == 0
    said = capsys.readouterr().out
    assert "no more pictures" in said
    assert "3 of 5 placements" in said
    assert call(monkeypatch, "", str(pictures), str(own)) == 0
    assert "3 of 5 placements" in capsys.readouterr().out


def test_a_camera_without_a_picture_is_told_and_asked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys
) -> None:  # fmt: skip
    view = draw_table([], 1).image
    lost = SourceState(SourceKind.LOST, "the camera is lost: check its plug")
    camera = ScriptedSource([lost, *[view] * 9], live=True)
    camera.open()
    monkeypatch.setattr(collect, "open_source", lambda *_, **__: camera)
    monkeypatch.setattr(collect, "SETTLE_S", 0.0)
    monkeypatch.setattr(collect, "WAIT_S", 0.5)
    silent, read = iter([True]), camera.read

    def late(timeout_s: float) -> Frame | None:
        if next(silent, False):
            time.sleep(0.6)
        return read(timeout_s)

    monkeypatch.setattr(camera, "read", late)
    assert call(monkeypatch, "\n\nq\n", "0", str(tmp_path), "--count", "2") == 0
    said = capsys.readouterr().out
    assert "check its plug" in said
    assert "1 of 2 placements" in said


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--game", "carcassonne"], "boardwarden tiles"),
        (["--count", "0"], "--count must be from 1 to 99"),
        (["--every", "-1"], "--every must be"),
    ],
)
def test_bad_calls_are_refused(words: list[str], why: str, tmp_path: Path, capsys) -> None:
    assert main(["collect", "0", str(tmp_path / "own"), *USUAL, *words]) == 2
    assert why in capsys.readouterr().err
    assert not (tmp_path / "own").exists()
