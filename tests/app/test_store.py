from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from companion_app.store import Store, read_game
from engine.action import Action
from engine.board import load_board
from engine.errors import RecordError
from engine.game import Header, Player
from tests.app.fakes import FakeReferee, FakeRoom

ROOT = Path(__file__).resolve().parents[2]


def actions(n: int) -> list[Action]:
    return [Action("violet", "energy", {"to": 3 + i % 15}) for i in range(n)]


def write(store: Store, header: Header, n: int) -> Path:
    recorder = store.new_game(header)
    for action in actions(n):
        assert recorder.write(action.to_json())
    assert recorder.path is not None
    return recorder.path


def test_a_game_comes_back_as_it_was(home: Path, header: Header) -> None:
    write(Store(home), header, 5)
    saved = Store(home).running()
    assert saved is not None
    assert saved.header == header
    assert list(saved.actions) == actions(5)
    assert saved.trouble is None


def test_the_home_variable_is_used(home: Path, header: Header, monkeypatch) -> None:
    monkeypatch.setenv("BOARDWARDEN_HOME", str(home))
    write(Store(), header, 1)
    assert len(list((home / "games").glob("*.jsonl"))) == 1


def test_a_finished_game_does_not_wait_any_more(home: Path, header: Header) -> None:
    store = Store(home)
    path = write(store, header, 1)
    store.finish()
    assert Store(home).running() is None
    assert path.exists()


@pytest.mark.parametrize("cut", [2, 5, 20])
def test_a_torn_last_line_is_left_out_and_the_game_goes_on(
    home: Path, header: Header, cut: int
) -> None:
    path = write(Store(home), header, 4)
    path.write_bytes(path.read_bytes()[:-cut])
    store = Store(home)
    saved = store.running()
    assert saved is not None
    assert list(saved.actions) == actions(3)
    assert saved.trouble is None
    assert store.resume(saved).write(actions(4)[3].to_json())
    again = Store(home).running()
    assert again is not None
    assert list(again.actions) == actions(4)


def test_a_last_line_that_lacks_only_its_end_counts(home: Path, header: Header) -> None:
    path = write(Store(home), header, 4)
    path.write_bytes(path.read_bytes()[:-1])
    store = Store(home)
    saved = store.running()
    assert saved is not None
    assert list(saved.actions) == actions(4)
    assert store.resume(saved).write({"do": "undo"})
    assert [a.do for a in read_game(path).actions] == ["energy"] * 4 + ["undo"]


def test_damage_in_the_middle_is_told_and_a_copy_is_kept(home: Path, header: Header) -> None:
    path = write(Store(home), header, 6)
    lines = path.read_bytes().splitlines(keepends=True)
    lines[3] = b"\x00\xff garbage\n"
    path.write_bytes(b"".join(lines))
    store = Store(home)
    saved = store.running()
    assert saved is not None
    assert list(saved.actions) == actions(2)
    assert saved.trouble is not None
    assert "line 4" in saved.trouble.text
    store.resume(saved)
    copies = list(path.parent.glob("*.damaged-1.jsonl"))
    assert [c.read_bytes() for c in copies] == [b"".join(lines)]
    assert list(read_game(path).actions) == actions(2)


def test_a_damaged_header_is_told_and_the_file_stays(home: Path, header: Header) -> None:
    path = write(Store(home), header, 2)
    path.write_text("nonsense\n")
    store = Store(home)
    assert store.running() is None
    assert store.trouble is None
    assert store.unopened is not None
    assert path.name in store.unopened.text
    assert path.read_text() == "nonsense\n"


@pytest.mark.parametrize("text", ["", "\n", "[]\n", '{"boardwarden": 2}\n', '{"boardwarden": 1}\n'])
def test_what_is_no_record_is_refused_in_one_sentence(tmp_path: Path, text: str) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(text)
    with pytest.raises(RecordError):
        read_game(path)


def test_an_unusable_folder_is_told_and_play_goes_on(tmp_path: Path, header: Header) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    store = Store(blocked)
    assert store.trouble is not None
    recorder = store.new_game(header)
    assert not recorder.write({"do": "undo"})
    assert recorder.trouble is not None
    assert store.running() is None
    assert not store.save_settings({"a": 1})


def test_a_full_disk_leaves_no_half_line(home: Path, header: Header, monkeypatch) -> None:
    recorder = Store(home).new_game(header)
    before = recorder.path.read_bytes()
    with monkeypatch.context() as full:
        full.setattr(os, "fsync", _refuse)
        assert not recorder.write({"do": "undo"})
        assert "No space left" in recorder.trouble.text
    assert recorder.path.read_bytes() == before
    assert recorder.write({"do": "undo"})
    assert recorder.trouble is None
    assert [a.do for a in read_game(recorder.path).actions] == ["undo", "undo"]


def test_settings_are_replaced_whole(home: Path, monkeypatch) -> None:
    store = Store(home)
    assert store.save_settings({"a": 1})
    monkeypatch.setattr(os, "replace", _refuse)
    assert not store.save_settings({"a": 2})
    assert Store(home).settings() == {"a": 1}
    assert [p.name for p in home.iterdir() if p.name.startswith(".")] == []


def _refuse(*_: object) -> None:
    raise OSError(28, "No space left on device")


@pytest.mark.parametrize("text", ["{", "[1]", "\udcff"])
def test_damaged_settings_count_as_none(home: Path, text: str) -> None:
    store = Store(home)
    (home / "settings.json").write_bytes(text.encode("utf-8", "surrogateescape"))
    assert store.settings() == {}


def test_two_games_begun_in_the_same_second_get_files_of_their_own(
    home: Path, header: Header
) -> None:
    store = Store(home)
    assert store.new_game(header).path != store.new_game(header).path


# --- killed at any moment ----------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
def test_nothing_that_was_shown_is_lost_by_a_kill(home: Path, seed: int) -> None:
    """A child plays and prints every snapshot that it shows; it is killed at a random one."""
    after = random.Random(seed).randint(1, 60)
    child = subprocess.Popen(
        [sys.executable, "-m", "tests.app.playing_child", str(home), str(seed)],
        cwd=ROOT, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert child.stdout is not None
    shown = [json.loads(line) for _, line in zip(range(after), child.stdout, strict=False)]
    child.send_signal(signal.SIGKILL)
    shown += [json.loads(line) for line in child.stdout if line.endswith("}\n")]
    child.wait()
    child.stdout.close()
    assert len(shown) >= after
    last = shown[-1]
    saved = Store(home).running()
    assert saved is not None
    assert saved.trouble is None
    assert len(saved.actions) - last["lines"] in (0, 1)
    board = load_board("reference")
    players = Header("magalon", "reference", (Player("Ada", "violet"), Player("Ben", "green")))
    assert saved.header == players
    room = FakeRoom()
    referee = FakeReferee(room, board, players, saved.actions[: last["lines"]])
    assert json.loads(json.dumps(room.position(referee.state))) == last["position"]
