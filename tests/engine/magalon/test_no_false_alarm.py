"""Whatever is really walked is never refused, whole or in parts, with or without its cells."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from engine.action import Action
from engine.magalon import MagalonState
from engine.magalon.obstacles import (
    attacker_closed,
    push_steps,
    standing_mask,
    victim_closed,
    why_safe,
    wizard_closed,
)  # fmt: skip
from engine.magalon.simulate import random_action, random_walk
from engine.verdict import Status
from tests.engine.magalon.support import ROOM, Table
from tests.engine.magalon.test_robustness import _crowded

FINE = (Status.LEGAL, Status.PENDING)


def _states(seed: int, count: int) -> Iterator[tuple[MagalonState, random.Random]]:
    """Positions at the beginning of turns."""
    rng = random.Random(seed)
    state = Table(_crowded(), "violet green red orange").state
    while count:
        if not state.laying and state.turn == type(state.turn)():
            yield state, rng
            count -= 1
        action = random_action(state, rng)
        if action is None:
            return
        state = ROOM.judge(state, action).state


def _cut(path: list[str], rng: random.Random) -> list[list[str]]:
    """A walk in one to three parts."""
    inner = range(1, len(path))
    cuts = sorted(rng.sample(inner, min(len(inner), rng.randrange(3))))
    return [path[a:b] for a, b in zip([0, *cuts], [*cuts, len(path)], strict=True)]


def _shield(state: MagalonState, actor: str, ahead: list[str], rng: random.Random) -> MagalonState:
    """Moves the own shield anywhere but onto the cells still to be walked."""
    setup = state.setup
    free = setup.graph.all & ~standing_mask(state) & ~setup.special
    cells = [c for c in setup.graph.cells(free) if c not in ahead]
    if not cells or state.turn.shield_moved or rng.random() < 0.5:
        return state
    judged = ROOM.judge(state, Action(actor, "shield", {"to": rng.choice(cells)}))
    return judged.state


@pytest.mark.parametrize("seed", range(10))
def test_real_walks_in_parts(seed: int) -> None:
    walked = 0
    for state, rng in _states(seed, 40):
        actor = state.to_act
        assert actor is not None
        here, steps = state.wizard(actor), state.card(actor)
        if not steps or here is None:
            continue
        path = random_walk(state, here, wizard_closed(state, actor), steps, rng)
        if path is None or state.setup.start in path:
            continue
        now = state
        parts = _cut(path, rng)
        for n, part in enumerate(parts):
            args = {"to": part[-1]}
            if rng.random() < 0.3:
                args["via"] = part[:-1]
            judged = ROOM.judge(now, Action(actor, "walk", args))
            if judged.status is Status.AMBIGUOUS:
                break
            assert judged.status in FINE, (path, parts, judged.message)
            if n == len(parts) - 1:
                assert judged.status is Status.LEGAL, (path, parts, judged.pending)
            ahead = [c for later in parts[n + 1 :] for c in later]
            now = judged.state
            if ahead:
                now = _shield(now, actor, ahead, rng)
                if now.turn.red == "stay":
                    break
        walked += 1
    assert walked > 10


def _attack(
    state: MagalonState, actor: str, piece: str, steps: int, rng: random.Random
) -> tuple[list[str], list[dict[str, object]], MagalonState] | None:
    """A real way of an attacker, step by step, displacing whom it meets now and then."""
    now, path, attacks = state, [], []
    here = str(state.pieces[piece])
    used = {here}
    for left in range(steps - 1, -1, -1):
        closed = attacker_closed(now, piece, actor) | now.setup.mask(frozenset(used))
        near = now.setup.graph.near[now.setup.graph.index[here]] & ~closed
        options = list(now.setup.graph.cells(near))
        if not options:
            return None
        here = rng.choice(options)
        used.add(here)
        path.append(here)
        victim = next((c for c in now.setup.seats if now.wizard(c) == here), None)
        if victim is None:
            now = now.placed(**{piece: here})
            continue
        if left and rng.random() < 0.3:
            continue
        if why_safe(now, piece, actor, victim) is not None:
            return None
        closed = victim_closed(now, victim, piece, here)
        route = random_walk(now, here, closed, push_steps(piece), rng)
        if route is None:
            return None
        attacks.append({"player": victim, "to": route[-1]})
        now = now.placed(**{piece: here, f"wizard/{victim}": route[-1]})
        now = now.with_turn(displaced=now.turn.displaced | {victim})
    return path, attacks, now


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("early", [False, True])
def test_real_attacks(seed: int, early: bool) -> None:
    walked = 0
    for state, rng in _states(50 + seed, 60):
        actor = state.to_act
        assert actor is not None
        piece = rng.choice(["goblin/1", "goblin/2"])
        steps = state.setup.goblin_steps.get(state.card(actor) or 0)
        if not steps:
            continue
        found = next(
            filter(None, (_attack(state, actor, piece, steps, rng) for _ in range(40))), None
        )
        if found is None:
            continue
        path, attacks, _ = found
        now = state
        args: dict[str, object] = {"piece": piece, "to": path[-1]}
        if rng.random() < 0.3:
            args["via"] = path[:-1]
        if early and len(attacks) == 1:
            victim = {"victim": attacks[0]["player"], "to": attacks[0]["to"]}
            if state.standing(str(victim["to"])):
                continue
            judged = ROOM.judge(now, Action(actor, "displace", victim))
            assert judged.status is Status.PENDING, judged.message
            now = judged.state
        elif attacks:
            args["attacks"] = attacks
        judged = ROOM.judge(now, Action(actor, "goblin", args))
        assert judged.status is Status.LEGAL, (path, attacks, judged)
        for attack in attacks:
            assert judged.state.wizard(str(attack["player"])) == attack["to"]
        walked += 1
    assert walked > 5
