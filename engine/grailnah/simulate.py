"""Random legal play, for simulations and property tests."""

from __future__ import annotations

import random
from collections.abc import Iterator

from engine.action import Action
from engine.grailnah.legal import legal_actions
from engine.grailnah.room import GrailnahRoom
from engine.grailnah.setup import ROYALS, SPECIALS
from engine.grailnah.state import GrailnahState, kind_of

_ROOM = GrailnahRoom()


def random_action(state: GrailnahState, rng: random.Random) -> Action | None:
    """A random legal action; None when the game is over.

    Weighted so that games look like games and come to an end: knights go forward, blocks are rare
    and broken up, royals visit castles and stairs; every legal action has its chance.
    """
    actions = legal_actions(state)
    if not actions:
        return None
    return rng.choices(actions, [_weight(state, a) for a in actions])[0]


def play_game(state: GrailnahState, rng: random.Random, limit: int = 400) -> Iterator[Action]:
    """Random actions until somebody has won or ``limit`` actions have been played."""
    for _ in range(limit):
        action = random_action(state, rng)
        if action is None:
            return
        yield action
        state = _ROOM.judge(state, action).state


def _weight(state: GrailnahState, action: Action) -> float:
    to = action.args.get("to")
    if action.do == "recover":
        return 200.0
    if not isinstance(to, str):
        return 1.0
    met = len(state.at.get(to, ()))
    if action.do in SPECIALS:
        cost = 0.3 if "sacrifice" in action.args else 1.0
        return cost * (1.0, 10.0, 40.0)[min(met, 2)]
    piece = str(action.args["piece"])
    share = 0.3 if met else 1.0
    if kind_of(piece) in ROYALS:
        special = to in state.setup.castle_at or to in state.setup.rings.stairs
        return 12.0 if special else 3.0 * share
    rings = state.setup.rings
    forward = rings.ring[to] < rings.ring[str(state.pieces[piece])]
    return (16.0 if forward else 1.0) * share
