"""Whole films without pictures: every event is said as it should be, each exactly once."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.board import load_board
from engine.game import Header, Player
from engine.magalon.room import MagalonRoom
from engine.referee.events import ActionRecorded, ScoreChanged, TrackerEvent, VerdictGiven
from engine.referee.tracker import Tracker
from engine.simulation.noise import Noise
from engine.simulation.script import Script, ScriptedSource
from engine.simulation.truth import script_from_truth
from engine.verdict import Status

ROOT = Path(__file__).resolve().parents[3]
SCENARIO = json.loads((ROOT / "tests" / "data" / "referee_scenario.json").read_text("utf-8"))
TRUTH = ROOT / ".." / "shared" / "renders" / "magalon-dev.json"
REFUSALS = (Status.ILLEGAL, Status.UNREADABLE)


def run(script: Script, players: Iterable[str], cards: Any) -> tuple[Tracker, list[TrackerEvent]]:
    board, room = load_board("reference"), MagalonRoom()
    header = Header("magalon", "reference", tuple(Player(c, c) for c in players))
    tracker = Tracker(room, board, header, cards=cards)
    source = ScriptedSource(script, board, room.placement(tracker.state))
    events: list[TrackerEvent] = []
    for observation in source:
        for event in tracker.observe(observation):
            events.append(event)
            if isinstance(event, ActionRecorded):
                source.accept()
            if isinstance(event, VerdictGiven):
                assert not observation.hand, "judged with a hand in"
    return tracker, events


def verdicts(events: Iterable[TrackerEvent], start: float, end: float) -> list[VerdictGiven]:
    return [e for e in events if isinstance(e, VerdictGiven) and start <= e.t_s < end]


@pytest.mark.parametrize("seed", [11, 12, 13])
def test_scenario(seed: int) -> None:
    script = replace(Script.from_json(SCENARIO["script"]), seed=seed)
    tracker, events = run(script, SCENARIO["players"], {"cards": SCENARIO["cards"]})
    for wanted in SCENARIO["expected"]:
        said = verdicts(events, wanted["from"], wanted["to"])
        words = [(v.verdict.status.value, v.verdict.rule) for v in said]
        if wanted["verdict"] is None:
            assert words == [], wanted
            continue
        assert [w[0] for w in words] == [wanted["verdict"]], (wanted, words)
        if wanted["rule"]:
            assert words[0][1] in wanted["rule"], (wanted, words)
        if wanted["piece"] != "roll":
            assert wanted["piece"] in {m.piece for m in said[0].verdict.pieces}
    room = MagalonRoom()
    assert room.scores(tracker.state) == SCENARIO["end"]
    assert tracker.differences == () and tracker.open_verdict is None


def test_scenario_is_timely() -> None:
    _, events = run(Script.from_json(SCENARIO["script"]), SCENARIO["players"], SCENARIO["cards"])
    for wanted in SCENARIO["expected"]:
        for given in verdicts(events, wanted["from"], wanted["to"]):
            delay = given.t_s - wanted["from"]
            accepted = wanted["verdict"] == "legal" and given.verdict.actions
            assert delay <= (1.2 if accepted else 2.0)
            if given.verdict.status in REFUSALS:
                assert delay >= 1.29


def test_lines_have_the_form_of_watch() -> None:
    _, events = run(Script.from_json(SCENARIO["script"]), SCENARIO["players"], SCENARIO["cards"])
    lines = [json.loads(json.dumps(e.to_json())) for e in events]
    for line in lines:
        assert isinstance(line["t"], float | int) and isinstance(line["type"], str)
    for line in (x for x in lines if x["type"] == "verdict"):
        assert line["verdict"] in {s.value for s in Status}
        assert {"id", "player", "action", "pieces", "rule", "cells", "message", "confidence"} <= (
            line.keys()
        )
        assert all({"piece", "from", "to"} == set(p) for p in line["pieces"])
        assert 0.0 <= line["confidence"] <= 1.0
    refused = [x for x in lines if x.get("verdict") == "illegal"]
    assert all(x["way_back"] and x["message"] for x in refused)
    replaced = [x for x in lines if x.get("replaces") and x["action"]]
    goblin = next(x for x in replaced if x["action"]["do"] == "goblin")
    assert goblin["id"] == goblin["replaces"]
    assert {p["piece"] for p in goblin["pieces"]} == {"wizard/violet", "goblin/2"}


def test_the_record_replays_to_the_same_state() -> None:
    tracker, events = run(
        Script.from_json(SCENARIO["script"]), SCENARIO["players"], SCENARIO["cards"]
    )
    recorded = tuple(e.action for e in events if isinstance(e, ActionRecorded))
    assert recorded == tracker.game.events
    board, room = load_board("reference"), MagalonRoom()
    again = Tracker(room, board, tracker.game.header, events=recorded)
    assert room.position(again.state) == room.position(tracker.state)


@pytest.mark.shared
@pytest.mark.skipif(not TRUTH.exists(), reason="../shared is absent")
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_film(seed: int) -> None:
    truth = json.loads(TRUTH.read_text("utf-8"))
    noise = Noise() if seed == 1 else Noise(0.08, 0.05, 0.03, 0.1, 0.05, 0.02)
    script = script_from_truth(truth, seed=seed, noise=noise)
    tracker, events = run(script, truth["players"], truth["cards"])
    windows = []
    for event in truth["events"]:
        if "verdict" not in event:
            continue
        start, end = event["settled_from"], event["settled_to"]
        said = [
            v for v in verdicts(events, start, end)
            if event["piece"] in {m.piece for m in v.verdict.pieces}
        ]  # fmt: skip
        statuses = [v.verdict.status.value for v in said]
        wanted = "pending" if event.get("pending") else event["verdict"]
        assert statuses == [wanted], event
        if event["verdict"] == "illegal":
            assert said[0].verdict.rule in event["rule"]
            windows.append((start, end))
    refused = [e for e in events if isinstance(e, VerdictGiven) and e.verdict.status in REFUSALS]
    assert len(refused) == len(windows) == 2
    scores = [e for e in events if isinstance(e, ScoreChanged)][-1].players
    assert {c: s["energy"] for c, s in scores.items()} == truth["end"]["energy"]
    assert scores["green"]["items"] == truth["end"]["items"]["green"]
    assert tracker.open_verdict is None
