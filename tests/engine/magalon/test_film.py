"""The moves of the development film, as actions, are judged as its table of contents says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.board import load_board
from tests.engine.magalon.support import Table

RENDERS = Path(__file__).resolve().parents[3] / ".." / "shared" / "renders"
FILM = RENDERS / "magalon-dev.json"


def _action(t: Table, event: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    actor = event["actor"]
    if "dice" in event:
        return "roll", {"dice": event["dice"]}
    if "track" in event:
        return "energy", {"to": event["track"]}
    kind, _, which = event["piece"].partition("/")
    if kind == "wizard":
        if which != actor:
            return "displace", {"victim": which, "to": event["to"]}
        return "walk", {"to": event["to"]}
    if kind == "ruin":
        do = "lift" if t.state.card(actor) == 5 else "slide"
        return do, {"ruin": event["piece"], "to": event["to"]}
    if kind == "goblin":
        return "goblin", {"piece": event["piece"], "to": event["to"]}
    return kind, {"to": event["to"]}


@pytest.mark.shared
@pytest.mark.skipif(not FILM.exists(), reason="the shared film is not here")
@pytest.mark.parametrize("together", [False, True])
def test_film(together: bool) -> None:
    """``together``: the displaced wizard is named as an attack of its goblin."""
    film = json.loads(FILM.read_text("utf-8"))
    t = Table(load_board(RENDERS / film["board"]), " ".join(film["players"]))
    rounds = {r["round"]: r["laid"] for r in film["cards"]}
    now, actor = 0, None
    held: list[dict[str, Any]] = []
    for event in film["events"]:
        if "actor" not in event:
            continue
        if actor is not None and (event["round"], event["actor"]) != (now, actor):
            t.do(actor, "end")
        if event["round"] != now:
            now = event["round"]
            for colour, card in rounds[now]:
                t.do(colour, "lay", card=card)
        actor = event["actor"]
        do, args = _action(t, event)
        verdict = "pending" if event.get("pending") else event.get("verdict", "legal")
        if together and event.get("pending"):
            held.append({"player": args["victim"], "to": args["to"]})
            continue
        if held:
            args["attacks"] = held
            held = []
        judgement = t.do(actor, do, verdict, **args)
        if verdict == "illegal":
            assert judgement.rule in event["rule"]
            assert list(judgement.cells) == event["cells"]
    assert actor is not None
    t.do(actor, "end")
    assert dict(t.state.energy) == film["end"]["energy"]
    for colour in film["players"]:
        assert sorted(t.state.items[colour]) == film["end"]["items"].get(colour, [])
