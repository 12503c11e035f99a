"""``watch`` without eyes: its strictness, what would have been possible, and joining late."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from companion_app.cli import main
from companion_app.commands import watch
from companion_app.sight import View
from engine.board import load_board
from engine.game import Header, Player
from engine.placement import Placement
from engine.rooms import room_for
from engine.simulation.noise import Noise
from engine.simulation.script import Script, ScriptedSource, Step
from tests.app.fakes import view

CARDS = {"cards": [{"round": 1, "laid": [["violet", 6], ["green", 9]]}]}


class ScriptedPipeline:
    """The table of a script instead of a camera: green walks too far."""

    def __init__(self, placement: Any, placed: Any = None) -> None:
        steps = (Step(0.0, moves=placed or {}), Step(2.0, moves={"wizard/green": ("g16",)}))
        script = Script(steps, 6.0, noise=Noise(jitter=0.0, colour=0.0))
        self.ending = None
        self._source = ScriptedSource(script, load_board("reference"), placement)

    def views(self) -> Iterator[View]:
        seen = view(0.0, board=True)
        for observation in self._source:
            frame = replace(seen.frame, t_s=observation.t_s)
            yield replace(seen, frame=frame, observation=observation)

    def accepted(self, placement: Any) -> None:
        self._source.accept()


def _scripted(*given: Any) -> ScriptedPipeline:
    """In place of ``watch``'s own pipeline, whatever that needs besides the placement."""
    return ScriptedPipeline(next(g for g in given if isinstance(g, Placement)))


def lines(capsys: Any, monkeypatch: Any, tmp_path: Any, strictness: str) -> list[dict[str, Any]]:
    cards = tmp_path / "cards.json"
    cards.write_text(json.dumps(CARDS), "utf-8")
    monkeypatch.setattr(watch, "_pipeline", _scripted)
    words = ["watch", "0", "--game", "magalon", "--board", "reference", "--cards", str(cards)]
    words += ["--corners", "0,0", "1,0", "1,1", "0,1"]
    assert main([*words, "--strictness", strictness, "--json"]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


@pytest.mark.parametrize(
    ("strictness", "verdict"),
    [("referee", "illegal"), ("coach", "illegal"), ("scorekeeper", "legal")],
)
def test_watch_honours_the_strictness(capsys, monkeypatch, tmp_path, strictness, verdict) -> None:
    said = lines(capsys, monkeypatch, tmp_path, strictness)
    verdicts = [line for line in said if line["type"] == "verdict"]
    assert [v["verdict"] for v in verdicts] == [verdict]
    marked = [s for s in said if s["type"] == "action" and "house_rule" in s["action"]]
    assert len(marked) == (strictness == "scorekeeper")
    possible = [line for line in said if line["type"] == "possible"]
    if strictness == "scorekeeper":
        assert possible == []
    else:
        assert [p["id"] for p in possible] == [verdicts[0]["id"]]
        assert "g10" in possible[0]["cells"] and possible[0]["piece"] == "wizard/green"


def watched(capsys: Any, monkeypatch: Any, tmp_path: Any, position: Any, *words: str) -> Any:
    """The lines of a game that is joined late, the green wizard standing on g10."""
    path = tmp_path / "position.json"
    path.write_text(json.dumps(position), "utf-8")
    room, board = room_for("magalon"), load_board("reference")
    players = (Player("A", "violet"), Player("B", "green"))
    start = room.placement(room.start(Header("magalon", "reference", players), board))
    there = {"wizard/green": ("g10",), "energy_stone/green": ("track/15",)}
    monkeypatch.setattr(watch, "_pipeline", lambda *_: ScriptedPipeline(start, there))
    call = ["watch", "0", "--game", "magalon", "--board", "reference", "--position", str(path)]
    code = main([*call, "--corners", "0,0", "1,0", "1,1", "0,1", *words, "--json"])
    out = capsys.readouterr()
    return code, [json.loads(line) for line in out.out.splitlines()], out.err


LATE = {"table": [["violet", 3], ["green", 5]], "items": {"green": ["ring"]}, "round": 4}


def test_a_running_game_is_joined_and_its_pieces_read(capsys, monkeypatch, tmp_path) -> None:
    labels = tmp_path / "labels.json"
    labels.write_text(json.dumps({"images": [{"image": "first.jpg", "pieces": []}]}), "utf-8")
    code, said, _ = watched(capsys, monkeypatch, tmp_path, LATE, "--enrol", str(labels))
    assert code == 0
    assert said[-1]["players"]["green"] == {"energy": 15, "items": ["ring"]}
    verdicts = [line for line in said if line["type"] == "verdict"]
    assert [(v["verdict"], v["pieces"][0]["from"]) for v in verdicts] == [("illegal", "g10")]


def test_a_position_with_all_its_pieces_needs_nothing_to_be_read(
    capsys, monkeypatch, tmp_path
) -> None:
    position = {**LATE, "pieces": {"wizard/green": "g10"}, "energy": {"green": 15}}
    code, said, _ = watched(capsys, monkeypatch, tmp_path, position)
    assert code == 0 and said[-1]["players"]["green"]["energy"] == 15


def test_pieces_that_were_never_learnt_cannot_be_read(capsys, monkeypatch, tmp_path) -> None:
    code, _, error = watched(capsys, monkeypatch, tmp_path, LATE)
    assert code == 2 and "--enrol" in error and "Traceback" not in error


@pytest.mark.parametrize("position", [[1], {**LATE, "pieces": {"wizard/green": "nowhere"}}])
def test_a_damaged_position_is_one_sentence(capsys, monkeypatch, tmp_path, position) -> None:
    code, _, error = watched(capsys, monkeypatch, tmp_path, position)
    assert code == 2 and error.count("\n") == 1


def test_what_is_not_so_is_not_told(capsys: pytest.CaptureFixture[str]) -> None:
    players = {
        "red": {"knights": 3, "won": True, "items": []},
        "white": {"knights": 0, "won": False},
    }
    watch._print_text({"t": 83.4, "type": "end", "players": players})
    assert capsys.readouterr().out.split("end")[1].strip() == "red 3 knights, won; white 0 knights"
