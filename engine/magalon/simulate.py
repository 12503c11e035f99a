"""Random legal play, for simulations and property tests."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

from engine.action import Action
from engine.magalon.cards import layable
from engine.magalon.early import may_come
from engine.magalon.energy import bookings
from engine.magalon.movable import attack_steps, can_attack, ruin_steps_left
from engine.magalon.obstacles import (
    attacker_closed,
    push_steps,
    standing_mask,
    victim_closed,
    why_safe,
    wizard_closed,
)
from engine.magalon.outcome import Refusal
from engine.magalon.queries import open_paths
from engine.magalon.room import MagalonRoom
from engine.magalon.ruins import lift_targets, slide_reach
from engine.magalon.setup import BONUS_STEPS, LIFT_CARD
from engine.magalon.state import MagalonState
from engine.verdict import Status

_ROOM = MagalonRoom()
Maker = Callable[[MagalonState, str, random.Random], Action | None]


def random_action(state: MagalonState, rng: random.Random) -> Action | None:
    """A random action that is legal or pending in this state; None when the game is over.

    Unfinished things are mostly gone on with, so that a turn always comes to its end.
    """
    actor = state.to_act
    if actor is None:
        return None
    if state.laying:
        cards = layable(state, actor)
        return Action(actor, "lay", {"card": rng.choice(cards)}) if cards else Action(actor, "pass")
    for action in _candidates(state, actor, rng):
        judgement = _ROOM.judge(state, action)
        if judgement.status is Status.AMBIGUOUS:
            action = rng.choice(judgement.choices).actions[-1]
            judgement = _ROOM.judge(state, action)
        fine = judgement.status in (Status.LEGAL, Status.PENDING)
        if fine and _can_go_on(judgement.state):
            return action
    return Action(actor, "end")


def play_turn(state: MagalonState, rng: random.Random) -> tuple[MagalonState, list[Action]]:
    """Plays random actions until somebody else acts or the game is over."""
    actor, actions = state.to_act, []
    while state.to_act == actor and actor is not None:
        action = random_action(state, rng)
        if action is None:
            break
        actions.append(action)
        state = _ROOM.judge(state, action).state
        if action.do in ("end", "lay", "pass"):
            break
    return state, actions


def play_game(state: MagalonState, rng: random.Random, limit: int = 2000) -> Iterator[Action]:
    """Random actions until somebody has won or ``limit`` actions have been played."""
    for _ in range(limit):
        action = random_action(state, rng)
        if action is None:
            return
        yield action
        state = _ROOM.judge(state, action).state


def _can_go_on(state: MagalonState) -> bool:
    """Whether everything unfinished could still be taken back, and an attacker could still come
    for every wizard that was displaced before."""
    if state.winner is not None:
        return True
    if not all(
        any(may_come(state, str(state.to_act), piece, early) for piece in state.attackers)
        for early in state.turn.early
    ):
        return False
    for piece in open_paths(state):
        judgement = _ROOM.judge(state, Action(state.to_act, "cancel", {"piece": piece}))
        if judgement.status is Status.ILLEGAL:
            return False
    return True


def _candidates(state: MagalonState, actor: str, rng: random.Random) -> Iterator[Action]:
    pending = open_paths(state)
    if pending and rng.random() < 0.9:
        piece = rng.choice(sorted(pending))
        if rng.random() < 0.8:
            for _ in range(6):
                action = _go_on(state, actor, piece, rng)
                if action is not None:
                    yield action
        yield Action(actor, "cancel", {"piece": piece})
    makers: list[Maker] = [_walk, _walk, _attack, _attack, _shield, _energy, _ruin, _roll, _red]
    rng.shuffle(makers)
    for maker in makers:
        if rng.random() < 0.8:
            action = maker(state, actor, rng)
            if action is not None:
                yield action
    if not pending:
        yield Action(actor, "end")
        action = _shield(state, actor, rng)  # compulsory with M-A38 b
        if action is not None:
            yield action
    for piece in pending:
        yield Action(actor, "cancel", {"piece": piece})


def _go_on(state: MagalonState, actor: str, piece: str, rng: random.Random) -> Action | None:
    if piece == f"wizard/{actor}":
        return _walk(state, actor, rng)
    if piece.startswith("wizard/"):
        early = next(e for e in state.turn.early if f"wizard/{e.hit.colour}" == piece)
        attackers = [p for p in state.attackers if can_attack(state, actor, p)]
        if not attackers:
            return None
        attacker = rng.choice(attackers)
        return _move(state, actor, attacker, rng, early.hit.origin)
    return _move(state, actor, piece, rng, None)


def random_walk(
    state: MagalonState, origin: str, closed: int, steps: int, rng: random.Random
) -> list[str] | None:
    """A random walk of exactly so many steps without its first cell, None after some failures."""
    graph = state.setup.graph
    for _ in range(6):
        at = graph.index[origin]
        used, path = closed | 1 << at, []
        for _ in range(steps):
            free = graph.near[at] & ~used
            options = [i for i in range(graph.size) if free >> i & 1] if free else []
            if not options:
                break
            at = rng.choice(options)
            used |= 1 << at
            path.append(graph.names[at])
        if len(path) == steps:
            return path
    return None


def _shown(path: list[str], rng: random.Random) -> dict[str, Any]:
    """The arguments for a walk: mostly only its end, now and then a part or all cells."""
    if len(path) > 2 and rng.random() < 0.2:
        path = path[: rng.randrange(1, len(path))]
    args: dict[str, Any] = {"to": path[-1]}
    if rng.random() < 0.2:
        args["via"] = path[:-1]
    return args


def _walk(state: MagalonState, actor: str, rng: random.Random) -> Action | None:
    steps, here, walk = state.card(actor), state.wizard(actor), state.turn.walk
    if not steps or here is None or (walk is not None and walk.done):
        return None
    if walk is not None:
        steps = rng.randrange(1, steps + 1)
    path = random_walk(state, here, wizard_closed(state, actor), steps, rng)
    return Action(actor, "walk", _shown(path, rng)) if path else None


def _red(state: MagalonState, actor: str, rng: random.Random) -> Action | None:
    here = state.wizard(actor)
    if state.turn.red != "open" or here is None:
        return None
    if rng.random() < 0.5:
        return Action(actor, "stay")
    path = random_walk(state, here, wizard_closed(state, actor), BONUS_STEPS, rng)
    return Action(actor, "walk_on", {"to": path[-1]}) if path else None


def _roll(state: MagalonState, actor: str, rng: random.Random) -> Action | None:
    if actor != state.lowest or state.turn.dice is not None:
        return None
    return Action(actor, "roll", {"dice": [rng.randint(1, 6), rng.randint(1, 6)]})


def _attack(state: MagalonState, actor: str, rng: random.Random) -> Action | None:
    pieces = [p for p in state.attackers if can_attack(state, actor, p)]
    if not pieces:
        return None
    piece = rng.choice(pieces)
    action = _move(state, actor, piece, rng, None)
    if action is not None and rng.random() < 0.3:
        for attack in action.args.get("attacks", ()):
            args = {"victim": attack["player"], "to": attack["to"]}
            return Action(actor, "displace", args)
    return action


def _move(
    state: MagalonState, actor: str, piece: str, rng: random.Random, goal: str | None
) -> Action | None:
    """An attacker's move, displacing opponents on its way where it can."""
    try:
        steps = attack_steps(state, actor, piece)
    except Refusal:
        return None
    if state.turn.path_of(piece) is not None and steps > 1:
        steps = rng.randrange(1, steps + 1)
    here = str(state.pieces[piece])
    closed = attacker_closed(state, piece, actor)
    path = None
    for _ in range(8 if goal else 1):
        path = random_walk(state, here, closed, steps, rng)
        if path and (goal is None or goal in path):
            break
    if not path:
        return None
    attacks = []
    for cell in path:
        for victim in state.setup.seats:
            wanted = cell == path[-1] or rng.random() < 0.7
            if state.wizard(victim) == cell and wanted:
                attack = _push(state, actor, piece, victim, cell, rng)
                if attack is None:
                    return None
                attacks.append(attack)
    args: dict[str, Any] = _shown(path, rng) if not attacks else {"to": path[-1]}
    if piece != "giant":
        args["piece"] = piece
    if attacks:
        args["attacks"] = attacks
    return Action(actor, "giant" if piece == "giant" else "goblin", args)


def _push(
    state: MagalonState, actor: str, piece: str, victim: str, cell: str, rng: random.Random
) -> dict[str, Any] | None:
    if why_safe(state, piece, actor, victim) is not None:
        return None
    closed = victim_closed(state, victim, piece, cell)
    path = random_walk(state, cell, closed, push_steps(piece), rng)
    return {"player": victim, "to": path[-1]} if path else None


def _shield(state: MagalonState, actor: str, rng: random.Random) -> Action | None:
    if state.turn.shield_moved:
        return None
    setup = state.setup
    free = setup.graph.cells(setup.graph.all & ~standing_mask(state) & ~setup.special)
    return Action(actor, "shield", {"to": rng.choice(free)}) if free else None


def _energy(state: MagalonState, actor: str, rng: random.Random) -> Action | None:
    marks = sorted(set(bookings(state, actor).values()))
    return Action(actor, "energy", {"to": rng.choice(marks)}) if marks else None


def _ruin(state: MagalonState, actor: str, rng: random.Random) -> Action | None:
    lying = [n for n, cells in enumerate(state.ruins) if cells]
    if not lying:
        return None
    n = rng.choice(lying)
    if state.card(actor) == LIFT_CARD and not state.turn.lifted:
        targets = lift_targets(state, n)
        do = "lift"
    else:
        left = ruin_steps_left(state, actor)
        if not left:
            return None
        exact = state.setup.option("M-A12") == "b"
        targets = [
            cells
            for cells, steps in slide_reach(state, n, left).items()
            if steps and not (exact and (left - steps) % 2)
        ]
        do = "slide"
    if not targets:
        return None
    target = sorted(rng.choice(sorted(map(sorted, targets))))
    return Action(actor, do, {"ruin": f"ruin/{n + 1}", "to": target})
