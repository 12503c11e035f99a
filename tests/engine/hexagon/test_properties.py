"""Properties of random play: nothing is lost, what is generated is what is accepted, replays agree."""

from __future__ import annotations

import json
import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.action import Action
from engine.board import load_board
from engine.game import Header, Player
from engine.hexagon import HexagonState
from engine.hexagon.legal import action_of, changes, legal_actions
from engine.hexagon.setup import VALUES
from engine.hexagon.simulate import play_game, random_action
from engine.verdict import Status
from tests.engine.hexagon.oracle import jump_paths, names, places, pushed
from tests.engine.hexagon.support import DIRECTIONS, ROOM, hexagon

PLAYERS = (Player("Ada", "red"), Player("Bo", "blue"))
BOARDS = {
    "reference": load_board("reference", "hexagon"),
    "one flame": hexagon(),
    "side 6": hexagon(6, flames=["+0+0", "+1+1", "-2+0", "+3-3", "+0+5"]),
    "side 4": hexagon(4, flames=["+0+0", "-1-1"], wizards=7, wisdoms=5),
    "crowded": hexagon(3, flames=["+0+0", "+1-1"], wizards=5, wisdoms=3),
}
OPTIONS = [
    {},
    {"H-A10": "b"},
    {"H-A9": "b", "H-A4": "b"},
    {"H-A2": "b", "H-A7": "b", "H-A17": "b"},
    {"H-A2": "c", "H-A3": "b", "H-A15": "b"},
    {"H-A6": "b", "H-A7": "c", "H-6": "open"},
]


def begin(board: str, options: dict | None = None) -> HexagonState:
    return ROOM.start(Header("hexagon", "test", PLAYERS, options or {}), BOARDS[board])


def played(state: HexagonState, rng: random.Random, actions: int) -> HexagonState:
    for action in play_game(state, rng, actions):
        state = ROOM.judge(state, action).state
    return state


CASES = [(board, {}) for board in BOARDS] + [("side 4", options) for options in OPTIONS[1:]]


@pytest.mark.parametrize(("board", "options"), CASES, ids=str)
def test_nothing_is_lost_and_positions_come_back(board: str, options: dict) -> None:
    rng = random.Random(f"{board} {options}")
    state = begin(board, options)
    for _ in range(80):
        action = random_action(state, rng)
        if action is None:
            break
        judgement = ROOM.judge(state, action)
        assert judgement.status in (Status.LEGAL, Status.PENDING), (action, judgement.message)
        _check_step(state, judgement.state, action)
        state = judgement.state
        position = json.loads(json.dumps(ROOM.position(state)))
        again = ROOM.start(Header("hexagon", "t", PLAYERS, options, position), BOARDS[board])
        assert again == state
        assert hash(again) == hash(state)
        assert ROOM.position(again) == position


def _check_step(before: HexagonState, after: HexagonState, action: Action) -> None:
    setup = after.setup
    assert after.pieces.keys() == before.pieces.keys()
    standing = [c for c in after.pieces.values() if c is not None]
    assert len(standing) == len(set(standing))
    wisdoms = {c for c, p in after.at.items() if p.startswith("wisdom")}
    assert not wisdoms & setup.flames
    for colour in setup.seats:
        wizards = [p for p in after.at.values() if p.startswith(f"wizard/{colour}/")]
        assert len(wizards) == setup.wizards[colour]
        burnt = Counter(after.burnt[colour])
        assert all(burnt[v] <= VALUES[v] for v in burnt)
        pending = len(after.pending) if colour == after.waiting else 0
        gone = len(after.burnt[colour]) + pending
        if after.phase.value != "placing":
            assert len(after.in_hand(colour)) == gone
        if setup.option("H-A17") == "a":
            assert after.points[setup.other(colour)] == sum(after.burnt[colour])
    if action.do in ("push", "jump"):
        own = [c for c in before.pieces if c.startswith(f"wisdom/{action.player}/")]
        assert all(after.pieces[p] is not None for p in own if before.pieces[p] is not None)
        assert after.to_move == (before.to_move if after.pending else before.waiting)


@pytest.mark.parametrize("options", OPTIONS[:4], ids=str)
@pytest.mark.parametrize("board", ["crowded"])
def test_everything_generated_is_accepted(board: str, options: dict) -> None:
    rng = random.Random(5)
    state = begin(board, options)
    for _ in range(40):
        for action in legal_actions(state):
            judgement = ROOM.judge(state, action)
            assert judgement.status is Status.LEGAL, (action, judgement.message)
        action = random_action(state, rng)
        if action is None:
            break
        state = ROOM.judge(state, action).state


def _consequences(state: HexagonState, actions: list[Action]) -> set[HexagonState]:
    """The states that accepted actions lead to, without the count of repetitions."""
    judged = (ROOM.judge(state, action) for action in actions)
    return {j.state for j in judged if j.status is Status.LEGAL}


@settings(max_examples=16, deadline=None, derandomize=True)
@given(st.integers(0, 10**6), st.sampled_from(["crowded", "side 4", "one flame"]))
def test_everything_accepted_is_generated(seed: int, board: str) -> None:
    """Pushes to every cell, and every series of jumps that a plain search finds, against the
    generator: the same states come out."""
    rng = random.Random(seed)
    state = played(begin(board), rng, rng.randint(20, 80))
    if state.phase.value != "moving" or state.pending:
        return
    cells, standing = places(state)
    ids, tried = names(state), []
    for piece, cell in state.pieces.items():
        if cell is None or not piece.startswith(f"wizard/{state.to_move}/"):
            continue
        tried += [
            Action(state.to_move, "push", {"from": cell, "to": to})
            for to in state.setup.board.cells
        ]
        start = next(p for p, name in ids.items() if name == cell)
        for path in jump_paths(cells, standing, start, 7):
            args = {"from": cell, "path": [ids[p] for p in path]}
            tried.append(Action(state.to_move, "jump", args))
    generated = [action_of(state, change) for change in changes(state)]
    short = [a for a in generated if len(a.args.get("path", ())) <= 7]
    assert _consequences(state, tried) >= _consequences(state, short)
    assert _consequences(state, tried) <= _consequences(state, generated)


@settings(max_examples=20, deadline=None, derandomize=True)
@given(st.integers(0, 10**6), st.sampled_from(["crowded", "side 4", "side 6"]))
def test_pushes_are_those_of_a_plain_telling(seed: int, board: str) -> None:
    rng = random.Random(seed)
    state = played(begin(board), rng, rng.randint(15, 70))
    if state.phase.value != "moving" or state.pending:
        return
    cells, standing = places(state)
    ids = names(state)
    for place, piece in standing.items():
        if not piece.startswith(f"wizard/{state.to_move}/"):
            continue
        for name, way in DIRECTIONS.items():
            told = pushed(cells, standing, place, way)
            to = state.setup.grid.step[name][ids[place]]
            action = Action(state.to_move, "push", {"from": ids[place], "to": to})
            judgement = ROOM.judge(state, action)
            if told is None:
                assert judgement.rule == "H-A4"
                continue
            fire = {ids[p]: who for p, who in told.items() if ids[p] in state.setup.flames}
            own = [w for w in fire.values() if w.startswith(f"wisdom/{state.to_move}/")]
            assert (judgement.rule == "H-17") == bool(own)
            if judgement.status is Status.LEGAL:
                burnt = {c for c, who in fire.items() if who.startswith("wisdom/")}
                assert set(judgement.state.pending) == burnt
                left = {ids[p]: who for p, who in told.items() if ids[p] not in burnt}
                assert judgement.state.at == left
            else:
                assert judgement.rule in ("H-15", "H-17")


@pytest.mark.parametrize("seed", range(4))
def test_a_game_replayed_ends_in_the_same_state(seed: int) -> None:
    state = begin("reference")
    actions = list(play_game(state, random.Random(seed), 400))
    assert played(state, random.Random(seed), 400) == _replay(state, actions)
    lines = [Action.from_json(json.loads(json.dumps(a.to_json()))) for a in actions]
    assert _replay(state, lines) == _replay(state, actions)


def _replay(state: HexagonState, actions: list[Action]) -> HexagonState:
    for action in actions:
        judgement = ROOM.judge(state, action)
        assert judgement.status in (Status.LEGAL, Status.PENDING)
        state = judgement.state
    return state


def test_random_games_are_won_by_five_points() -> None:
    ends = [played(begin("reference"), random.Random(seed), 900) for seed in range(3)]
    assert all(e.winner and e.points[e.winner] >= 5 for e in ends)
