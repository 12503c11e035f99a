"""``watch --strictness``: the command line honours it and tells what would have been possible."""

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
from engine.simulation.noise import Noise
from engine.simulation.script import Script, ScriptedSource, Step
from tests.app.fakes import view

CARDS = {"cards": [{"round": 1, "laid": [["violet", 6], ["green", 9]]}]}


class ScriptedPipeline:
    """The table of a script instead of a camera: green walks too far."""

    def __init__(self, placement: Any) -> None:
        steps = (Step(0.0), Step(2.0, moves={"wizard/green": ("g16",)}))
        script = Script(steps, 6.0, noise=Noise(jitter=0.0, colour=0.0))
        self._source = ScriptedSource(script, load_board("reference"), placement)

    def views(self) -> Iterator[View]:
        seen = view(0.0, board=True)
        for observation in self._source:
            frame = replace(seen.frame, t_s=observation.t_s)
            yield replace(seen, frame=frame, observation=observation)

    def accepted(self, placement: Any) -> None:
        self._source.accept()


def lines(capsys: Any, monkeypatch: Any, tmp_path: Any, strictness: str) -> list[dict[str, Any]]:
    cards = tmp_path / "cards.json"
    cards.write_text(json.dumps(CARDS), "utf-8")
    monkeypatch.setattr(watch, "_pipeline", lambda o, f, start, c: ScriptedPipeline(start))
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
