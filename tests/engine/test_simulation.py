"""Scripted observations: what the eyes would report of an arrangement (design decisions 2, 5, 7)."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest

from engine.action import Action
from engine.board import load_board
from engine.errors import BoardwardenError
from engine.game import Header, Player
from engine.grailnah.room import GrailnahRoom
from engine.observation import CellView, Observation
from engine.placement import PieceInfo, Placement
from engine.referee.cards import parse_cards
from engine.simulation.film import Film, Scene
from engine.simulation.noise import Noise
from engine.simulation.recording import observation_from_json, observation_to_json
from engine.simulation.script import Script, ScriptedSource, Step
from engine.simulation.strengths import Strengths
from engine.simulation.trial import correction_to, laid_out
from engine.simulation.truth import script_from_truth, truth_of_film
from tests.engine.referee.table import CARDS, Table

DATA = Path(__file__).resolve().parents[1] / "data"
GOLDEN = DATA / "scripted_observations.jsonl"
SCRIPT = {
    "script": 1, "rate_hz": 5, "seed": 7, "until_s": 3.0,
    "noise": {"jitter": 0.08, "miss": 0.05, "colour": 0.03, "spurious": 0.1, "flicker": 0.1},
    "steps": [
        {"t_s": 0.0, "dice": [2, 5]},
        {"t_s": 0.6, "hand": True, "hand_cells": ["g10", "g9"]},
        {"t_s": 1.2, "hand": False, "moves": {"wizard/green": ["g10"]}},
        {"t_s": 2.0, "hidden": ["k11"], "off": {"giant": [0.3, 0.0]}},
        {"t_s": 2.6, "pose": False},
    ],
}  # fmt: skip


@pytest.fixture(scope="module")
def board():
    return load_board("reference")


@pytest.fixture
def start() -> Placement:
    pieces = {
        "wizard/green": ("start",), "wizard/violet": ("start",), "giant": ("h11",),
        "goblin/1": ("k11",), "shield/green": (), "energy_stone/green": ("track/10",),
        "ruin/1": ("c7", "c6", "d6"),
    }  # fmt: skip
    colour = {"giant": "black", "goblin/1": "black", "ruin/1": "grey"}
    infos = {p: PieceInfo(p, p.split("/")[0], colour.get(p, p.split("/")[-1])) for p in pieces}
    return Placement(pieces, infos)


def play(script: dict, board, start):
    return list(ScriptedSource(Script.from_json(script), board, start))


def test_golden_observations(board, start) -> None:
    lines = [json.dumps(observation_to_json(o)) for o in play(SCRIPT, board, start)]
    assert lines == GOLDEN.read_text("utf-8").splitlines()


def test_recording_comes_back(board, start) -> None:
    for observation in play(SCRIPT, board, start):
        line = observation_to_json(observation)
        assert observation_to_json(observation_from_json(line)) == line


def test_times_hands_and_stillness(board, start) -> None:
    views = {round(o.t_s, 1): o for o in play(SCRIPT, board, start)}
    assert len(views) == 16
    assert all(b - a == pytest.approx(0.2) for a, b in pairwise(views))
    assert views[0.4].still_s == pytest.approx(0.4)
    assert views[0.8].hand and views[0.8].view("g10") is CellView.HAND
    assert views[1.0].still_s == 0.0
    assert not views[1.2].hand and views[1.2].still_s == 0.0
    assert views[1.8].still_s == pytest.approx(0.6)
    assert not views[2.8].pose_found and not views[2.8].pieces


def test_changed_is_counted_from_the_accepted_view(board, start) -> None:
    source = ScriptedSource(Script.from_json(SCRIPT), board, start)
    for observation in source:
        if observation.t_s < 1.1:
            assert observation.changed == frozenset()
        elif observation.t_s < 1.7:
            assert observation.changed == {"start", "g10"}
            if observation.t_s > 1.5:
                source.accept()
        else:
            assert observation.changed == frozenset()


def test_perfect_eyes_see_what_is_there(board, start) -> None:
    script = SCRIPT | {"noise": {"jitter": 0.0, "colour": 0.0, "miss": 0.0}}
    views = play(script, board, start)
    seen = {(p.best.kind, p.best.colour, p.best.spots) for p in views[7].pieces if not p.pips}
    expected = {
        (start.infos[p].kind, start.infos[p].colour, spots) for p, spots in start.pieces.items()
    }
    assert seen == expected - {("wizard", "green", ("start",))} | {("wizard", "green", ("g10",))}
    late = {p.best.kind for p in views[11].pieces}
    assert "goblin" not in late


def test_candidates_are_normalised_and_sorted(board, start) -> None:
    for view in play(SCRIPT, board, start):
        for piece in view.pieces:
            probs = [c.log_prob for c in piece.candidates]
            assert probs == sorted(probs, reverse=True)
            assert all(p <= 1e-9 for p in probs)
            assert len(piece.pips) in (0, 6)


@pytest.mark.parametrize(
    "damaged",
    [{}, {"script": 1}, {"script": 1, "steps": []}, {"script": 1, "steps": [{"moves": {}}]},
     {"script": 1, "steps": [{"t_s": "soon"}]}, {"script": 1, "steps": [{"t_s": 1, "hidden": 3}]}],
)  # fmt: skip
def test_damaged_scripts_are_refused(damaged) -> None:
    with pytest.raises(BoardwardenError):
        Script.from_json(damaged)


def test_damaged_recording_is_refused() -> None:
    with pytest.raises(BoardwardenError):
        observation_from_json({"t": 1})


def test_script_from_truth() -> None:
    truth = {
        "fps": 10,
        "events": [
            {"t": 0.0, "event": "setup"},
            {"settled_from": 3.7, "settled_to": 5.9, "piece": "wizard/green", "to": "g10"},
            {"settled_from": 5.9, "settled_to": 8.1, "piece": "energy_stone/green", "track": 9,
             "hand": False},
            {"settled_from": 8.1, "settled_to": 10.0, "dice": [4, 3]},
            {"settled_from": 10.0, "settled_to": 12.0, "bump": {"roll": 1}},
        ],
    }  # fmt: skip
    script = script_from_truth(truth, seed=3, noise=Noise())
    assert script.steps[0] == Step(3.0, hand=True)
    assert script.steps[1].moves == {"wizard/green": ("g10",)}
    assert script.steps[2].moves == {"energy_stone/green": ("track/9",)}
    assert [s.dice for s in script.steps if s.dice] == [(4, 3)]
    assert [s.pose for s in script.steps if s.pose is not None] == [False, True]
    assert script.until_s == 12.0


@pytest.mark.parametrize(
    ("action", "moves"),
    [
        (
            Action("white", "morgane", {"to": "2/3", "sacrifice": "knight/white/1"}),
            {"knight/white/1": (), "morgane": ("2/3",)},
        ),
        (
            Action("white", "merlin", {"to": "4/2"}),
            {"knight/red/2": ("6/12",), "merlin": ("4/2",)},
        ),
        (
            Action("white", "move", {"piece": "queen/white", "to": "5/0"}),
            {"king/red": ("6/12",), "queen/white": ("5/0",)},
        ),
    ],
    ids=["a sacrifice", "a pawn sent home", "a pawn of one's own"],
)
def test_the_truth_judges_what_the_player_moved(action: Action, moves: dict) -> None:
    room, header = GrailnahRoom(), Header("grailnah", "reference", tuple(
        Player(c.capitalize(), c) for c in ("white", "red")
    ))  # fmt: skip
    state = room.start(header, load_board("reference", "grailnah"))
    scene = Scene(1.0, 3.0, "legal", (action,), moves, state)
    told = truth_of_film(Film(Script((), 3.0, 5.0, 1), (scene,), (), ()), room, header, state)
    moved = [e for e in told["events"] if "piece" in e]
    assert [e["piece"] for e in moved if "verdict" in e] == [[*moves][1]]
    assert {e["piece"] for e in moved} == set(moves)


def test_where_something_came_the_look_changes_more_than_by_a_shadow() -> None:
    drawn = Strengths(3).draw(
        [f"e{n}" for n in range(200)], [f"n{n}" for n in range(200)], [f"o{n}" for n in range(200)]
    )
    assert min(v for s, v in drawn.items() if s[0] == "e") >= 0.4
    assert max(v for s, v in drawn.items() if s[0] == "o") <= 0.2
    near = sorted(v for s, v in drawn.items() if s[0] == "n")
    assert near[0] >= 0.06 and 0.2 < near[100] < 0.5
    assert drawn == Strengths(3).draw(
        [f"e{n}" for n in range(200)], [f"n{n}" for n in range(200)], [f"o{n}" for n in range(200)]
    )


def test_the_strength_of_changes_is_recorded() -> None:
    observation = Observation(1.0, True, False, changed=frozenset({"a1"}), strength={"a1": 0.5})
    assert observation_from_json(observation_to_json(observation)).strength == {"a1": 0.5}


def test_a_correction_before_known_cards_are_laid_is_no_dead_end() -> None:
    """The referee lays them at once: the state after it is the true one with the cards laid."""
    table = Table()
    room = table.room
    truth = room.start(table.tracker.game.header, table.board)
    for action in (Action("violet", "lay", {"card": 6}), Action("green", "lay", {"card": 9})):
        truth = room.judge(truth, action).state
    for player in ("green", "violet"):
        truth = room.judge(truth, Action(player, "end")).state
    assert truth.laying
    table.tracker.act(correction_to(room, table.tracker.state, truth))
    laid = laid_out(room, truth, parse_cards(CARDS))
    assert not laid.laying
    assert room.position(table.tracker.state) == room.position(laid)
