"""Random legal play, for simulations and property tests."""

from __future__ import annotations

import random
from collections.abc import Iterator

from engine.action import Action
from engine.hexagon.burning import possible_values
from engine.hexagon.legal import action_of, changes, legal_actions
from engine.hexagon.moves import Change
from engine.hexagon.room import HexagonRoom
from engine.hexagon.state import HexagonState, Phase

_ROOM = HexagonRoom()
# How much likelier than any other move one that burns something is.
BURNING_WEIGHT = 6.0
JUMP_WEIGHT = 2.0


def random_action(state: HexagonState, rng: random.Random) -> Action | None:
    """A random legal action; None when the game is over.  Moves that burn a wisdom are likelier, so
    that games come to an end."""
    if state.phase is Phase.OVER:
        return None
    if state.pending:
        values = possible_values(state, state.waiting)
        args = {"cell": rng.choice(state.pending), "value": rng.choice(values)}
        return Action(state.to_move, "burnt", args)
    found = list(changes(state))
    if not found:
        return rng.choice(legal_actions(state))
    return action_of(state, rng.choices(found, [_weight(c) for c in found])[0])


def _weight(change: Change) -> float:
    if change.burnt:
        return BURNING_WEIGHT
    return JUMP_WEIGHT if change.do == "jump" and len(change.path) > 1 else 1.0


def play_game(state: HexagonState, rng: random.Random, most: int) -> Iterator[Action]:
    """Random legal actions from a state on, at most so many."""
    for _ in range(most):
        action = random_action(state, rng)
        if action is None:
            return
        state = _ROOM.judge(state, action).state
        yield action
