"""The game record: header, damage, writing, undo, corrections, replay."""

from __future__ import annotations

import json
import os
import random
from pathlib import Path

import pytest

from engine.action import Action
from engine.board import load_board
from engine.errors import BoardwardenError, RecordError
from engine.game import Header, Player
from engine.judge import judge_record
from engine.magalon.simulate import random_action
from engine.record import (
    Game,
    RecordWriter,
    corrected,
    find_board,
    format_header,
    parse_header,
    read_record,
    resume,
    to_line,
)  # fmt: skip
from engine.rooms import room_for
from engine.verdict import Status

PLAYERS = (Player("Ada", "violet"), Player("Bo", "green"))
HEADER = Header("magalon", "reference", PLAYERS)
LAY = Action("violet", "lay", {"card": 6})


def _write(path: Path, *lines: str | bytes) -> Path:
    path.write_bytes(b"".join(x if isinstance(x, bytes) else (x + "\n").encode() for x in lines))
    return path


def _head(header: Header = HEADER) -> str:
    return to_line(format_header(header))


def test_header_round_trip() -> None:
    header = Header("magalon", "b.json", PLAYERS, {"M-A8": "b"}, {"round": 2}, {"venue": "club"})
    assert parse_header(json.loads(to_line(format_header(header)))) == header


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ([], "no header"),
        ({"do": "lay"}, "no header"),
        ({"boardwarden": 2}, "version 1"),
        ({"boardwarden": True}, "version 1"),
        ({"boardwarden": 1, "players": [{"colour": "red"}]}, "game"),
        ({"boardwarden": 1, "game": "magalon"}, "players"),
        ({"boardwarden": 1, "game": "magalon", "players": [{"name": "x"}]}, "colour"),
        ({"boardwarden": 1, "game": "magalon", "players": [], "board": 3}, "board"),
        ({"boardwarden": 1, "game": "magalon", "options": []}, "options"),
        ({"boardwarden": 1, "game": "magalon", "position": []}, "position"),
    ],
)
def test_bad_headers_say_what_is_wrong(value: object, words: str) -> None:
    with pytest.raises(RecordError, match="line 1") as caught:
        parse_header(value)
    assert words in str(caught.value)


def test_unknown_game_names_the_known_ones() -> None:
    with pytest.raises(BoardwardenError, match="magalon"):
        room_for("chess")


def test_read_blank_lines_and_marks(tmp_path: Path) -> None:
    path = _write(
        tmp_path / "r", b"\xef\xbb\xbf" + _head().encode() + b"\r\n", "", to_line(LAY.to_json())
    )
    record = read_record(path)
    assert record.header == HEADER
    assert record.actions == (LAY,)
    assert record.lines == (3,)
    assert record.error is None


@pytest.mark.parametrize(
    "damage", [b'{"do": \n', b"\xff\xfe\n", b"[1]\n", b'{"player": 3, "do": "x"}\n']
)
def test_damage_in_the_middle(tmp_path: Path, damage: bytes) -> None:
    line = to_line(LAY.to_json())
    path = _write(tmp_path / "r", _head(), line, damage, line)
    record = read_record(path)
    assert record.actions == (LAY,)
    assert record.error is not None
    assert record.error.line == 3
    assert not record.torn
    with pytest.raises(RecordError, match="line 3"):
        RecordWriter(path)


def test_missing_and_empty_files(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="cannot open"):
        read_record(tmp_path / "none")
    with pytest.raises(RecordError, match="empty"):
        read_record(_write(tmp_path / "r"))


def test_writer_puts_every_event_on_the_disk(tmp_path: Path, monkeypatch) -> None:
    synced: list[int] = []
    real = os.fsync
    monkeypatch.setattr(os, "fsync", lambda handle: (synced.append(handle), real(handle))[1])
    path = tmp_path / "r"
    with RecordWriter(path, HEADER) as writer:
        count = len(synced)
        writer.append(LAY)
        assert len(synced) == count + 1
        assert read_record(path).actions == (LAY,)


@pytest.mark.parametrize("cut", range(1, 40, 3))
def test_torn_last_line_is_cut_off_and_the_game_goes_on(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "r"
    with RecordWriter(path, HEADER) as writer:
        writer.append(LAY)
        writer.append(Action("green", "lay", {"card": 9}))
    data = path.read_bytes()
    path.write_bytes(data[:-cut])
    whole = 2 if cut == 1 else 1
    with RecordWriter(path) as writer:
        assert len(writer.record.actions) == whole
        writer.append(Action(None, "note", {"text": "Grüße \ud800"}))
    record = read_record(path)
    assert record.error is None
    assert len(record.actions) == whole + 1
    assert record.actions[-1].args["text"].startswith("Grüße")


def test_file_with_a_torn_header_starts_anew(tmp_path: Path) -> None:
    path = tmp_path / "r"
    path.write_bytes(_head().encode()[:30])
    with RecordWriter(path, HEADER) as writer:
        writer.append(LAY)
    assert read_record(path).actions == (LAY,)


def test_undo_goes_back_step_by_step_and_is_an_event() -> None:
    game = Game.begin(HEADER)
    states = [game.state]
    for action in (
        LAY,
        Action("green", "lay", {"card": 9}),
        Action("green", "walk", {"to": "g10"}),
    ):
        game, judgement = game.do(action)
        assert judgement.status is Status.LEGAL
        states.append(game.state)
    game, _ = game.do(Action(None, "note", {"text": "hm"}))
    for before in reversed(states[:-1]):
        game, judgement = game.do(Action(None, "undo"))
        assert judgement.status is Status.LEGAL
        assert game.state == before
    again, judgement = game.do(Action("violet", "undo"))
    assert judgement.status is Status.ILLEGAL
    assert again is game
    assert len(game.events) == 7
    assert game.last is None


def test_refused_actions_are_no_events() -> None:
    game = Game.begin(HEADER)
    after, judgement = game.do(Action("green", "lay", {"card": 3}))
    assert judgement.status is Status.ILLEGAL
    assert after is game


def test_correct_sets_what_it_names() -> None:
    game = Game.begin(HEADER)
    for action in (
        LAY,
        Action("green", "lay", {"card": 9}),
        Action("green", "walk", {"to": "g10"}),
    ):
        game, _ = game.do(action)
    fix = Action(None, "correct", {"pieces": {"wizard/green": "g8"}, "energy": {"violet": 7}})
    after, judgement = game.do(fix)
    assert judgement.status is Status.LEGAL
    assert after.state.wizard("green") == "g8"
    assert after.state.wizard("violet") == "start"
    assert dict(after.state.energy) == {"violet": 7, "green": 10}
    assert after.state.turn.walk is None
    back, _ = after.do(Action(None, "undo"))
    assert back.state == game.state
    bad, judgement = game.do(Action(None, "correct", {"energy": {"violet": 99}}))
    assert bad is game
    assert judgement.status is Status.ILLEGAL
    assert "from 0 to 20" in judgement.message.text


def test_corrected_replaces_lists_and_merges_objects() -> None:
    out = corrected({"a": {"x": 1, "y": 2}, "b": [1]}, {"a": {"x": 3}, "b": [2], "c": 4})
    assert out == {"a": {"x": 3, "y": 2}, "b": [2], "c": 4}


@pytest.mark.parametrize("seed", range(8))
def test_replay_equals_the_live_game(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    seats = rng.sample(["violet", "green", "red", "orange"], rng.randint(2, 4))
    header = Header("magalon", "reference", tuple(Player(c, c) for c in seats))
    game = Game.begin(header)
    path = tmp_path / "r"
    with RecordWriter(path, header) as writer:
        for _ in range(60):
            if rng.random() < 0.15 and game.last is not None:
                action = Action(None, "undo")
            else:
                chosen = random_action(game.state, rng)
                if chosen is None:
                    break
                action = chosen
            game, judgement = game.do(action)
            assert judgement.status in (Status.LEGAL, Status.PENDING)
            writer.append(action)
    record = read_record(path)
    replayed = resume(record)
    assert replayed.state == game.state
    assert replayed.events == game.events
    position = json.loads(json.dumps(game.room.position(game.state)))
    resumed = Game.begin(Header("magalon", "reference", header.players, {}, position))
    assert resumed.state == game.state
    *lines, end = judge_record(path)
    assert [x["line"] for x in lines] == list(record.lines)
    assert end["state"] == position
    assert end["scores"] == game.room.scores(game.state)


def test_board_is_sought_beside_the_record_first(tmp_path: Path, monkeypatch) -> None:
    raw = dict(find_board(HEADER).raw)
    beside, working = tmp_path / "beside", tmp_path / "working"
    for folder, name in ((beside, "one"), (working, "two")):
        folder.mkdir()
        (folder / "b.json").write_text(json.dumps({**raw, "name": name}))
    monkeypatch.chdir(working)
    header = Header("magalon", "b.json", PLAYERS)
    assert find_board(header, beside).name == "one"
    assert find_board(header, tmp_path).name == "two"
    path = _write(beside / "r", _head(header), to_line(LAY.to_json()))
    first, _ = judge_record(path)
    assert first["verdict"] == "legal"


def test_judge_goes_on_after_refusals_and_names_the_damage(tmp_path: Path) -> None:
    wrong = Action("violet", "lay", {"card": 6})
    path = _write(
        tmp_path / "r", _head(), to_line(LAY.to_json()), to_line(wrong.to_json()), '{"do"'
    )
    lines = judge_record(path)
    assert next(lines)["verdict"] == "legal"
    refused = next(lines)
    assert refused == {
        "line": 3,
        "verdict": "illegal",
        "rule": "M-7",
        "cells": [],
        "message": refused["message"],
    }
    assert "green" in refused["message"]
    assert next(lines)["winner"] is None
    with pytest.raises(RecordError, match="line 4"):
        next(lines)


def test_judge_of_a_bad_header(tmp_path: Path) -> None:
    path = _write(
        tmp_path / "r", '{"boardwarden": 1, "game": "chess", "players": [{"colour": "x"}]}'
    )
    with pytest.raises(BoardwardenError, match="chess"):
        next(judge_record(path))


@pytest.mark.parametrize("name", ["x" * 5000, "a\0b", "../" * 2000])
def test_names_that_no_file_has_are_refused(tmp_path: Path, name: str) -> None:
    for head in ({"game": "magalon", "board": name}, {"game": name, "board": "reference"}):
        path = tmp_path / "game.jsonl"
        players = [{"name": "A", "colour": "violet"}, {"name": "B", "colour": "green"}]
        path.write_text(json.dumps({"boardwarden": 1, "players": players, **head}))
        with pytest.raises(BoardwardenError):
            list(judge_record(path))
        with pytest.raises(BoardwardenError):
            load_board("reference", name)
