"""The whole of ``boardwarden evaluate`` on a small folder that is drawn for it."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import pytest

from companion_app.cli import main
from tests.vision.drawn import draw_table, piece

FIRST = (piece("wizard", "violet", "f1"), piece("giant", "black", "h11"), piece("die", None, "d3"))
SECOND = (piece("wizard", "violet", "g3"), piece("giant", "black", "h9"), piece("die", None, "d3"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("tables") / "drawn"
    path.mkdir()
    images = []
    for name, pieces in (("a.png", FIRST), ("b.png", SECOND)):
        table = draw_table(pieces, 3)
        cv2.imwrite(str(path / name), table.image)
        rows = [
            {"kind": p.kind, "colour": p.colour, "cell": p.spots[0], "at_mm": p.at_mm,
             **({"pips": 5} if p.kind == "die" else {})}
            for p in pieces
        ]  # fmt: skip
        corners = table.pose.corners_px.tolist()
        images.append({"image": name, "corners_px": corners, "hand": False, "pieces": rows})
    labels = {"board": "reference", "images": images}
    (path / "labels.json").write_text(json.dumps(labels))
    return path


def rows(capsys: pytest.CaptureFixture[str], *words: str) -> list[dict]:
    assert main(["evaluate", *words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_every_figure_is_there(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:  # fmt: skip
    words = [str(folder), "--board", "reference", "--worst", str(tmp_path / "worst")]
    pieces, dice = rows(capsys, *words)
    assert pieces["folder"] == "drawn"
    assert (pieces["boards"], pieces["pieces"]) == (2, 4)
    assert pieces["cell"] >= pieces["right"]
    assert pieces["missed"] == 4 - pieces["cell"]
    assert pieces["shares"]["hands_false"]["of"] == 2
    assert {"giant", "wizard"} <= set(pieces["kinds"])
    assert all(Path(p).stat().st_size > 0 for p in pieces["written"])
    assert dice["dice"] == 2
    assert dice["given_place"]["of"] == 2


def test_each_tells_of_all_rounds(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pieces, _ = rows(capsys, str(folder), "--board", "reference", "--enrol", "each")
    assert len(pieces["rounds"]) == 1
    assert pieces["rounds"][0]["pieces"] == 4


def test_the_lines_for_people(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", str(folder), "--board", "reference", "--enrol", "none"]) == 0
    said = capsys.readouterr().out
    assert "drawn: pieces right" in said
    assert "drawn dice: dice read right at the labelled place" in said


def test_dice_only_needs_no_detector(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    [dice] = rows(capsys, str(folder), "--board", "reference", "--dice", "--pictures", "b*")
    assert dice["folder"] == "drawn dice"
    assert dice["dice"] == 1
