"""``boardwarden selftest``: figures where all is well, one sentence with its remedy where not."""

from __future__ import annotations

import json
import re
from pathlib import Path
from types import SimpleNamespace

import pytest

import models
from companion_app.cli import main
from companion_app.commands import selftest
from companion_app.selftest import program, sight, storage
from companion_app.selftest.checks import Outcome, Wanted, carry_out
from engine.board import load_board
from engine.errors import BoardwardenError


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storage, "KILLS", 2)
    monkeypatch.setattr(storage, "DAMAGED", 25)


@pytest.fixture
def wanted(tmp_path: Path) -> Wanted:
    return Wanted(tmp_path / "home")


def test_all_is_well_here_and_every_check_tells_a_figure(tmp_path: Path, capsys) -> None:
    home = tmp_path / "home"
    assert main(["selftest", "--data", str(home), "--page", "--json"]) == 0
    found = {f["check"]: f for f in json.loads(capsys.readouterr().out)}
    assert list(found) == [name for name, _ in selftest.CHECKS]
    assert [n for n, f in found.items() if f["outcome"] == "not tried"] == ["camera", "window"]
    for name, finding in found.items():
        if finding["outcome"] == "passed":
            assert re.search(r"\d", finding["said"]), name
    assert "0 events lost" in found["kills"]["said"]
    assert list(home.iterdir()) == []  # nothing is left behind


def test_a_failure_is_one_sentence_and_status_1(tmp_path: Path, capsys, monkeypatch) -> None:
    monkeypatch.setattr(selftest, "CHECKS", (("disk", storage.disk), ("texts", program.texts)))
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    assert main(["selftest", "--data", str(blocked)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 3
    assert lines[0].startswith("failed")
    assert "BOARDWARDEN_HOME" in lines[0]
    assert lines[1].startswith("passed")
    assert lines[2].startswith("1 passed, 1 failed, 0 not tried")


def test_a_damaged_model_is_named(tmp_path: Path, monkeypatch, wanted: Wanted) -> None:
    for path in (*models._FOLDER.glob("*.onnx"), models._FOLDER / "manifest.json"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    monkeypatch.setattr(models, "_FOLDER", tmp_path)
    assert program.model_files(wanted).startswith(f"{len(models.MODELS)} of {len(models.MODELS)}")
    path = tmp_path / "dice_reader.onnx"
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(BoardwardenError, match=r"dice_reader\.onnx is damaged: install"):
        program.model_files(wanted)


def test_a_library_that_is_missing_or_too_old_is_named(monkeypatch, wanted: Wanted) -> None:
    for asked, said in (
        ("numpy>=99.1", "pip install --upgrade numpy"),
        ("nowhere-1", "is missing"),
    ):
        monkeypatch.setattr(program, "requirements", lambda asked=asked: [asked])
        with pytest.raises(BoardwardenError, match=said):
            program.libraries(wanted)


def test_versions_are_compared_as_numbers() -> None:
    assert program.numbers("4.12.0.88") == (4, 12, 0, 88)
    assert program.numbers("4.9") < program.numbers("4.12")
    assert program.numbers("5.0.0rc1") == (5, 0, 0)


def test_a_text_that_is_missing_is_named(monkeypatch, wanted: Wanted) -> None:
    monkeypatch.setattr(
        program, "missing", lambda language, domain: ["table.undo"][: language == "fr"]
    )
    with pytest.raises(
        BoardwardenError, match=r"1 texts of app are missing in fr, such as table\.undo"
    ):
        program.texts(wanted)


def test_a_full_disk_is_told(monkeypatch, wanted: Wanted) -> None:
    monkeypatch.setattr(storage, "LEAST_FREE_MB", 1e12)
    with pytest.raises(BoardwardenError, match="are free"):
        storage.disk(wanted)


def test_lost_events_are_noticed(monkeypatch, wanted: Wanted) -> None:
    """A record that is cut between the kill and the restart counts as lost events."""
    killed = storage._killed

    def cut(folder: Path, seed: int) -> bytes:
        shown = killed(folder, seed)
        path = next((folder / "games").glob("*.jsonl"))
        path.write_bytes(path.read_bytes().splitlines(keepends=True)[0])
        return shown

    monkeypatch.setattr(storage, "_killed", cut)
    with pytest.raises(BoardwardenError, match=r"lost|offered"):
        storage.kills(wanted)


def test_a_camera_that_is_not_there_and_a_film_that_is(wanted: Wanted) -> None:
    with pytest.raises(BoardwardenError, match="no camera 77"):
        sight.camera(Wanted(wanted.home, camera="77"))
    film = str(sight.demo_folder() / "magalon.mp4")
    assert "pictures a second" in sight.camera(Wanted(wanted.home, camera=film))


def test_eyes_that_read_badly_are_told(monkeypatch, wanted: Wanted) -> None:
    nothing = SimpleNamespace(
        look=lambda image, pose: SimpleNamespace(reading=SimpleNamespace(pieces=()))
    )
    frames = [SimpleNamespace(image=None)] * (sight.LATER + 1)
    table = SimpleNamespace(eyes=nothing, frames=frames, pose=None, board=load_board("reference"))
    monkeypatch.setattr(sight, "demo_table", lambda *_: table)
    with pytest.raises(BoardwardenError, match=r"badly \(0 of 13 pieces right"):
        sight.eyes(wanted)


def test_a_fault_of_a_check_does_not_stop_the_others(wanted: Wanted) -> None:
    def broken(wanted: Wanted) -> str:
        raise ZeroDivisionError

    told = []
    found = carry_out((("a", broken), ("b", lambda w: "7 of 7")), wanted, told.append)
    assert [f.outcome for f in found] == [Outcome.FAILED, Outcome.PASSED]
    assert "please report it" in found[0].said
    assert told == found


@pytest.mark.window
def test_a_window_opens_and_tells_who_draws_it(wanted: Wanted) -> None:
    said = program.window(Wanted(wanted.home, window=True))
    assert re.match(r"first screen after \d+\.\d s, \d+ frames a second at \d+x\d+", said)
