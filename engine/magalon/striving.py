"""Play that wants to win, so that simulated games come to an end; everything else is random."""

from __future__ import annotations

import random

from engine.action import Action
from engine.magalon.energy import bookings
from engine.magalon.obstacles import energy_on_arrival, wizard_closed
from engine.magalon.room import MagalonRoom
from engine.magalon.setup import FINISH_ENERGY, ITEMS
from engine.magalon.simulate import random_action, random_walk
from engine.magalon.state import MagalonState
from engine.verdict import Status

_ROOM = MagalonRoom()
WALKS = 10  # random walks of which the most useful one is taken
STRIVES = 0.8  # how often a wizard walks with a purpose
IN_PARTS = 0.15  # how often a half-done thing is left so
FAR = 99


def striving_action(state: MagalonState, rng: random.Random) -> Action | None:
    """As ``random_action``, but wizards mostly walk towards what their owner still needs."""
    actor = state.to_act
    if actor is None or state.laying or state.turn.walk is not None:
        return _gaining(state, actor, rng) or _whole(state, rng)
    if rng.random() < STRIVES:
        action = _walk(state, actor, rng)
        if action is not None:
            return action
    return _whole(state, rng)


def _whole(state: MagalonState, rng: random.Random) -> Action | None:
    """A random action; people seldom put a piece down on its way."""
    action = random_action(state, rng)
    for _ in range(3):
        if action is None or rng.random() < IN_PARTS:
            break
        if _ROOM.judge(state, action).status is not Status.PENDING:
            break
        action = random_action(state, rng)
    return action


def _gaining(state: MagalonState, actor: str | None, rng: random.Random) -> Action | None:
    """A stay on a red cell, and gains booked before the turn ends by chance."""
    if actor is None or state.laying:
        return None
    if state.turn.red == "open" and rng.random() < 0.5:
        return Action(actor, "stay")
    marks = [mark for mark in bookings(state, actor).values() if mark > state.energy[actor]]
    return Action(actor, "energy", {"to": max(marks)}) if marks and rng.random() < 0.3 else None


def _walk(state: MagalonState, actor: str, rng: random.Random) -> Action | None:
    setup, here, steps = state.setup, state.wizard(actor), state.card(actor)
    if here is None or not steps:
        return None
    goals = _goals(state, actor)
    far = _distances(state, goals, wizard_closed(state, actor))
    if setup.start in goals and far.get(here, FAR) <= steps:
        win = Action(actor, "walk", {"to": setup.start})
        if _ROOM.judge(state, win).status is Status.LEGAL:
            return win
    best: tuple[int, str] | None = None
    for _ in range(WALKS):
        path = random_walk(state, here, wizard_closed(state, actor), steps, rng)
        if path:
            left = -1 if goals & set(path) else far.get(path[-1], FAR)
            best = min(best or (left, path[-1]), (left, path[-1]))
    if best is None:
        return None
    action = Action(actor, "walk", {"to": best[1]})
    judgement = _ROOM.judge(state, action)
    if judgement.status is Status.AMBIGUOUS:
        action = judgement.choices[0].actions[-1]
        judgement = _ROOM.judge(state, action)
    return action if judgement.status is Status.LEGAL else None


def _goals(state: MagalonState, actor: str) -> frozenset[str]:
    """Item fields that are missing; with all items the finish, or a red cell for energy."""
    setup = state.setup
    missing = [c for i, c in setup.items.items() if i in ITEMS and i not in state.items[actor]]
    if missing:
        return frozenset(missing)
    if energy_on_arrival(state, actor) >= FINISH_ENERGY and setup.start:
        return frozenset({setup.start})
    return setup.energy_cells - {state.wizard(actor)}


def _distances(state: MagalonState, goals: frozenset[str], closed: int) -> dict[str, int]:
    """Steps to the nearest goal around what is closed."""
    graph = state.setup.graph
    edge = graph.mask(goals)
    seen, far, out = edge, 0, dict.fromkeys(goals, 0)
    while edge:
        far += 1
        edge = graph.expand(edge) & ~seen & ~closed
        seen |= edge
        out |= dict.fromkeys(graph.cells(edge), far)
    return out
