"""The plans of the films of Carcassonne before the referee, without pictures: every foul is refused,
all else is taken in, and clearing the table counts the game (C-9)."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from companion_app.film_score import score_film
from engine.board import load_board
from engine.carcassonne.room import CarcassonneRoom
from engine.referee.tracker import Tracker
from engine.simulation.noise import Noise
from engine.simulation.script import Script, ScriptedSource, Step
from engine.simulation.tile_eyes import TileEyes
from models.training.tiles.plan import Plan, plan_game, told
from tests.engine.referee.table import judged

HAND_S, STILL_S, FOUL_S = 0.7, 2.4, 8.0
PERFECT = Noise(jitter=0.0, colour=0.0, pips=0.0)


def _events(plan: Plan) -> tuple[list[dict[str, Any]], tuple[Step, ...], float]:
    """Events of a film's truth, and the same as a script."""
    events, steps, t_s = [], [Step(0.0)], 3.0
    for moment in plan.moments:
        start = round(t_s + HAND_S, 2)
        steps += [Step(t_s, hand=True), Step(start, moves=dict(moment.moves), hand=False)]
        t_s = round(start + (FOUL_S if moment.verdict == "illegal" else STILL_S), 2)
        piece, spots = next(iter(moment.moves.items()))
        event: dict[str, Any] = {
            "settled_from": start, "settled_to": t_s, "piece": piece,
            "to": spots[0] if spots else None, "why": moment.why,
        }  # fmt: skip
        events.append(
            event
            | ({"verdict": moment.verdict} if moment.verdict else {})
            | ({"rule": list(moment.rules)} if moment.rules else {})
        )
    return events, tuple(steps), t_s


@pytest.mark.parametrize("seed", [23, 36, 39, 55])
def test_a_whole_planned_game_is_judged_right(seed: int) -> None:
    plan = plan_game(12, seed, 3)
    events, steps, until = _events(plan)
    room, board = CarcassonneRoom(), load_board("reference", "carcassonne")
    tracker = Tracker(room, board, plan.header)
    eyes = TileEyes(tracker.placement.infos, PERFECT, 1)
    script = Script(steps, until, 10.0, 1, PERFECT, paced=True)
    source = ScriptedSource(script, board, tracker.placement, eyes)
    rows = [event.to_json() for event in judged(tracker, source)]
    end = {"points": {c: plan.end.total(c) for c in plan.seats}}
    score = score_film("plan", {"events": events, "end": end}, rows)
    assert room.winner(tracker.state) is not None
    assert score.good, "\n".join(score.lines(True))


def test_a_plan_is_a_whole_game_with_magic_tiles_and_ends_with_an_empty_table() -> None:
    plan = plan_game(12, 39, 3)
    said = told(plan)
    assert plan.end.over and said["tiles"] == 12
    assert said["magic"] == 4 and said["figures"] >= 4 and said["taken back"] >= 3
    assert len(said["fouls"]) == 3
    left = [p for p, spots in plan.moments[-1].shown.items() if spots]
    assert len(left) == 13 and all(p.startswith("tile/") for p in left)
    assert plan_game(12, 39, 3).moments == plan.moments
    for before, after in pairwise(plan.moments):
        changed = {p for p, s in after.shown.items() if s != before.shown[p]}
        assert changed == set(after.moves)
