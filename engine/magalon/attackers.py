"""Goblins and giant (M-25 to M-30, M-47 to M-52): ``roll``, ``goblin``, ``giant``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, NoReturn

from engine.action import Action
from engine.magalon.arguments import cell_arg, dice_arg, piece_arg, via_arg
from engine.magalon.attacks import (
    Plan,
    attacks_arg,
    check_victim,
    make_plan,
    orders,
    told_before,
)
from engine.magalon.early import may_come as may_come
from engine.magalon.items import Chooser
from engine.magalon.landing import land
from engine.magalon.messages import listed, say
from engine.magalon.movable import attack_steps, movable_pieces
from engine.magalon.obstacles import attacker_closed, standing_mask
from engine.magalon.outcome import Outcome, Refusal
from engine.magalon.state import Early, Hit, MagalonState, Path
from engine.magalon.ways import (
    boxed_in,
    distance,
    known_cells,
    legs_and_steps,
    open_tail,
    possible_steps,
    walk_over,
)  # fmt: skip
from engine.paths import reachable
from engine.verdict import Message


def do_roll(state: MagalonState, actor: str, args: Mapping[str, Any]) -> Outcome:
    """``roll {dice}``: the lowest card rolls, once (M-13, M-47)."""
    if actor != state.lowest:
        raise Refusal("M-13", (), say("not_lowest_dice", lowest=state.lowest))
    if state.turn.dice is not None:
        dice = listed(state.turn.dice, "and")
        raise Refusal("M-47", (), say("rolled_already", dice=dice))
    return Outcome(state.with_turn(dice=dice_arg(args)))


def do_giant(state: MagalonState, actor: str, args: Mapping[str, Any]) -> Outcome:
    """``giant {to, via?, attacks?}``."""
    return _attack(state, actor, "giant", args)


def do_goblin(state: MagalonState, actor: str, args: Mapping[str, Any]) -> Outcome:
    """``goblin {piece, to, via?, attacks?}``."""
    return _attack(state, actor, piece_arg(state, args, ("goblin/",)), args)


@dataclass(frozen=True)
class Judged:
    """A plan together with how far it gets: "done", "part" or "stuck"."""

    plan: Plan
    how: str
    rest: tuple[Early, ...]


def _attack(state: MagalonState, actor: str, piece: str, args: Mapping[str, Any]) -> Outcome:
    to, via, attacks = cell_arg(state, args), via_arg(state, args), attacks_arg(state, args)
    try:
        steps = attack_steps(state, actor, piece)
    except Refusal as refusal:
        raise Refusal(refusal.rule, (*refusal.cells, to), refusal.message) from None
    first: Refusal | None = None
    judged: list[Judged] = []
    attacks, early = told_before(attacks, state.turn.early)
    for chosen, rest in orders(attacks, early):
        try:
            plan = make_plan(state, actor, piece, to, via, chosen, rest)
            how = _how_far(state, plan, steps)
        except Refusal as refusal:
            first = first or refusal
            continue
        judged.append(Judged(plan, how, rest))
    if not judged:
        assert first is not None
        raise first
    return _outcome(state, _best(state, judged), steps, args)


def _best(state: MagalonState, judged: list[Judged]) -> Judged:
    """Complete before unfinished, then as many early displacements explained as possible."""
    rank = {"done": 0, "part": 1, "stuck": 2}

    def key(j: Judged) -> tuple[int, int]:
        others = [p for p in state.attackers if p != j.plan.piece]
        helpless = bool(j.rest) and not any(
            may_come(j.plan.state, j.plan.actor, p, j.rest[0]) for p in others
        )
        return rank[j.how] + 3 * helpless, len(j.rest)

    return min(judged, key=key)


def _how_far(state: MagalonState, plan: Plan, steps: int) -> str:
    """Whether the way is complete, a possible part, or stuck as things stand; else a Refusal."""
    setup, path = state.setup, plan.path
    if plan.piece != "giant" and setup.option("M-A8") == "b":
        return _how_far_split(state, plan, steps)
    ways = legs_and_steps(setup, path, steps)
    if walk_over(setup, path.origin, ways) is not None:
        return "done"
    tail = open_tail(setup, plan.closed)
    if walk_over(setup, path.origin, ways, tail=tail) is not None:
        return "part"
    freed = plan.closed
    if not _boxed_in(state, plan, steps):
        freed &= ~_movable(plan)
    if freed != plan.closed:
        tail = open_tail(setup, freed)
        if walk_over(setup, path.origin, ways, tail=tail) is not None:
            return "stuck"
    _refuse(state, plan, steps)


def _how_far_split(state: MagalonState, plan: Plan, steps: int) -> str:
    """M-A8 b: both goblins share the number."""
    own = possible_steps(state.setup, plan.path, steps)
    other = other_goblin_steps(state, plan.piece, steps)
    if any(a + b == steps for a in own for b in other):
        return "done"
    if any(a + b < steps for a in own for b in other):
        return "part"
    _refuse(state, plan, steps)


def other_goblin_steps(state: MagalonState, piece: str, steps: int) -> tuple[int, ...]:
    """Steps that the other goblin may have used in this turn."""
    for name, path in state.turn.attackers:
        if name != piece and name != "giant":
            return possible_steps(state.setup, path, steps)
    return (0,)


def _boxed_in(state: MagalonState, plan: Plan, steps: int) -> bool:
    """Whether the attacker begins its way and can walk the full number nowhere (M-30, M-52)."""
    if state.turn.path_of(plan.piece) is not None:
        return False
    closed = attacker_closed(state, plan.piece, plan.actor)
    return boxed_in(state.setup, plan.here, closed, steps)


def _movable(plan: Plan) -> int:
    pieces = set(movable_pieces(plan.state, plan.actor)) - {plan.piece}
    return standing_mask(plan.state) & ~standing_mask(plan.state, pieces)


def _refuse(state: MagalonState, plan: Plan, steps: int) -> NoReturn:
    setup, here, piece, to = state.setup, plan.here, plan.piece, plan.path.parts[-1].to
    giant = piece == "giant"
    _blame_victims(plan, steps)
    far = distance(setup, here, to, plan.closed)
    full = "M-52" if giant else "M-30"
    if far is None:
        rule = "M-47" if giant else "M-26"
        raise Refusal(rule, (here, to), say("attacker_no_way", origin=here, to=to, piece=piece))
    if far > steps:
        message = say(
            "attacker_too_far", to=to, origin=here, distance=far, piece=piece, steps=steps
        )
        raise Refusal("M-47" if giant else "M-25", (here, to), message)
    before = state.turn.path_of(piece)
    rule = "M-20" if before and to in known_cells(before) else full
    key = "attacker_boxed_in" if _boxed_in(state, plan, steps) else "attacker_not_exact"
    message = say(key, piece=piece, origin=here, to=to, steps=steps)
    raise Refusal(rule, (here, to), message)


def _blame_victims(plan: Plan, steps: int) -> None:
    """Refuses with the wizard that bars the way, if the way were free without it."""
    setup, to = plan.state.setup, plan.path.parts[-1].to
    for victim in setup.seats:
        cell = plan.state.wizard(victim)
        if victim == plan.actor or cell is None or not plan.closed & setup.bit(cell):
            continue
        parts = tuple(replace(p, closed=p.closed - {cell}) for p in plan.path.parts)
        freed = replace(plan.path, parts=parts)
        if walk_over(setup, freed.origin, legs_and_steps(setup, freed, steps)) is not None:
            check_victim(plan.state, plan.piece, plan.actor, victim, plan.here, to)


def _asking(plan: Plan, args: Mapping[str, Any], hit: Hit) -> Chooser:
    """Turns a route of one displaced wizard into the whole action with that route."""

    def choice(walk: tuple[str, ...], items: frozenset[str]) -> tuple[Action, ...]:
        attacks: list[dict[str, Any]] = []
        for other in plan.hits:
            attack: dict[str, Any] = {"player": other.colour, "to": other.part.to}
            via = walk[1:-1] if other.colour == hit.colour else other.part.via
            attacks.append(attack if via is None else attack | {"via": list(via)})
        do = "giant" if plan.piece == "giant" else "goblin"
        return (Action(plan.actor, do, {**args, "attacks": attacks}),)

    return choice


def _outcome(state: MagalonState, judged: Judged, steps: int, args: Mapping[str, Any]) -> Outcome:
    plan, done = judged.plan, judged.how == "done"
    path = replace(plan.path, done=done)
    after, notes = plan.state, []
    for hit in plan.hits:
        after, hit, said = land(after, hit, _asking(plan, args, hit))
        path = replace(path, hits=tuple(hit if h.colour == hit.colour else h for h in path.hits))
        notes += said
    others = tuple(e for e in state.turn.attackers if e[0] != plan.piece)
    if plan.piece != "giant" and state.setup.option("M-A8") == "b":
        others = tuple((p, replace(w, done=done) if p != "giant" else w) for p, w in others)
    ways = tuple(sorted((*others, (plan.piece, path))))
    after = after.with_turn(attackers=ways)
    pending = _pending(state, judged, path, steps)
    return Outcome(after, tuple(notes), None if after.winner else pending)


def _pending(state: MagalonState, judged: Judged, path: Path, steps: int) -> Message | None:
    if judged.how != "done":
        piece = judged.plan.piece
        split = piece != "giant" and state.setup.option("M-A8") == "b"
        used = min(possible_steps(state.setup, path, steps), default=0)
        if split:
            used += min(other_goblin_steps(state, piece, steps), default=0)
            return say("goblins_left", steps=steps, left=steps - used)
        key = "attacker_left" if judged.how == "part" else "attacker_stuck"
        return say(key, piece=piece, left=steps - used, steps=steps, origin=path.origin)
    if judged.rest:
        hit = judged.rest[0].hit
        return say("attacker_to_come", victim=hit.colour, cell=hit.origin)
    return None


def plan_reach(state: MagalonState, actor: str, piece: str, steps: int) -> set[str]:
    """Cells on which an attacker can end; those of attackable wizards count (it displaces them
    first), while further displacements on the way are not looked into."""
    setup, graph = state.setup, state.setup.graph
    path = state.turn.path_of(piece) or Path(str(state.pieces[piece]))
    closed = attacker_closed(state, piece, actor)
    counts: tuple[int, ...] = (steps,)
    if piece != "giant" and setup.option("M-A8") == "b":
        counts = tuple({steps - n for n in other_goblin_steps(state, piece, steps)})
    mask = 0
    for count in counts:
        for legs, total in legs_and_steps(setup, path, count):
            mask |= reachable(graph, graph.index[path.origin], legs, closed, total)
    return set(graph.cells(mask))
