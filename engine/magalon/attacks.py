"""Planning one attacker's part: whom it displaces on the way, and around what (M-27, M-48)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import permutations
from typing import Any

from engine.magalon.arguments import cell_arg, colour_arg, malformed, via_arg
from engine.magalon.messages import say
from engine.magalon.obstacles import attacker_closed, push_steps, victim_closed, why_safe
from engine.magalon.outcome import Refusal
from engine.magalon.state import Early, Hit, MagalonState, Part, Path
from engine.magalon.walk_refusals import via_refusal
from engine.magalon.ways import closed_names, known_cells, part_legs, via_fault, walk_over


@dataclass(frozen=True, slots=True)
class Attack:
    """A displacement as announced; ``early``: it was seen before its attacker came."""

    victim: str
    to: str
    via: tuple[str, ...] | None = None
    early: Early | None = None


@dataclass(frozen=True)
class Plan:
    """A part of an attacker's way with everything it does, before it is judged."""

    state: MagalonState
    actor: str
    piece: str
    here: str
    path: Path
    closed: int
    hits: tuple[Hit, ...]


def attacks_arg(state: MagalonState, args: Mapping[str, Any]) -> tuple[Attack, ...]:
    """``attacks``: [{player, to, via?}] in path order."""
    value = args.get("attacks")
    if value is None:
        return ()
    if not isinstance(value, (list, tuple)) or not all(isinstance(v, Mapping) for v in value):
        raise malformed(say("attacks_shape").text)
    return tuple(
        Attack(colour_arg(state, v.get("player")), cell_arg(state, v), via_arg(state, v))
        for v in value
    )


def told_before(
    attacks: tuple[Attack, ...], early: tuple[Early, ...]
) -> tuple[tuple[Attack, ...], tuple[Early, ...]]:
    """Joins attacks with displacements that were seen before; the others stay as they are."""
    seen = {(e.hit.colour, e.hit.part.to): e for e in early}
    joined = tuple(replace(a, early=seen.get((a.victim, a.to))) for a in attacks)
    known = {a.victim for a in joined if a.early}
    return joined, tuple(e for e in early if e.hit.colour not in known)


def orders(
    attacks: tuple[Attack, ...], early: tuple[Early, ...]
) -> tuple[tuple[tuple[Attack, ...], tuple[Early, ...]], ...]:
    """Ways to explain early displacements by this move, most of them first: (attacks, rest)."""
    out = []
    for count in range(len(early), -1, -1):
        for chosen in permutations(early, count):
            added = tuple(Attack(e.hit.colour, e.hit.part.to, e.hit.part.via, e) for e in chosen)
            rest = tuple(e for e in early if e not in chosen)
            for mixed in _merged(attacks, added):
                out.append((mixed, rest))
    return tuple(out)


def _merged(a: tuple[Attack, ...], b: tuple[Attack, ...]) -> list[tuple[Attack, ...]]:
    if not a or not b:
        return [(*a, *b)]
    first = [(a[0], *rest) for rest in _merged(a[1:], b)]
    return first + [(b[0], *rest) for rest in _merged(a, b[1:])]


def make_plan(
    state: MagalonState,
    actor: str,
    piece: str,
    to: str,
    via: tuple[str, ...] | None,
    attacks: tuple[Attack, ...],
    rest: tuple[Early, ...],
) -> Plan:
    """Goes through the attacks in order; raises Refusal for the first impossible one."""
    here = str(state.pieces[piece])
    back = {f"wizard/{a.victim}": a.early.hit.origin for a in attacks if a.early}
    early_hit = frozenset(a.victim for a in attacks if a.early)
    virtual = state.placed(**back).with_turn(early=rest, displaced=state.turn.displaced - early_hit)
    path = state.turn.path_of(piece) or Path(here)
    cells = [*via, to] if via is not None else None
    parts: list[Part] = []
    hits: list[Hit] = []
    for attack in attacks:
        cell = str(virtual.wizard(attack.victim))
        check_victim(virtual, piece, actor, attack.victim, here, to)
        closed = attacker_closed(virtual, piece, actor) & ~state.setup.bit(cell)
        between, cells = _split(cells, here, cell, to)
        parts.append(Part(cell, closed_names(state.setup, closed), between))
        hit = _route(virtual, piece, attack, cell)
        hits.append(hit)
        virtual = virtual.placed(**{f"wizard/{attack.victim}": attack.to})
        virtual = virtual.with_turn(displaced=virtual.turn.displaced | {attack.victim})
    closed = attacker_closed(virtual, piece, actor)
    if not parts or parts[-1].to != to:
        _check_stop(virtual, piece, actor, here, to, closed)
        between = tuple(cells[:-1]) if cells is not None else None
        parts.append(Part(to, closed_names(state.setup, closed), between))
    _check_cells(virtual, path, here, to, parts)
    virtual = virtual.placed(**{piece: to})
    longer = replace(path, parts=(*path.parts, *parts), done=False, hits=(*path.hits, *hits))
    return Plan(virtual, actor, piece, here, longer, closed, tuple(hits))


def _split(
    cells: list[str] | None, here: str, cell: str, to: str
) -> tuple[tuple[str, ...] | None, list[str] | None]:
    """The given cells up to a victim's cell, and those after it."""
    if cells is None:
        return None, None
    if cell not in cells:
        message = say("via_jump", a=here, b=cell)
        raise Refusal("M-27", (here, to), message)
    at = cells.index(cell)
    return tuple(cells[:at]), cells[at + 1 :]


def check_victim(
    state: MagalonState, piece: str, actor: str, victim: str, here: str, to: str
) -> None:
    """Refuses to displace a wizard that cannot be attacked now, with the reason."""
    giant, cell = piece == "giant", str(state.wizard(victim))
    why = why_safe(state, piece, actor, victim)
    cells = (here, to) if cell == to else (here, to, cell)
    if why == "own":
        raise Refusal("M-A5", cells, say("own_wizard", cell=cell))
    if why == "field":
        rule = "M-51" if giant else "M-29"
        raise Refusal(rule, cells, say("on_field", victim=victim, cell=cell))
    if why == "protected":
        raise Refusal("M-37", cells, say("protected", victim=victim, cell=cell))
    if why == "twice":
        same = any(
            h.colour == victim for p, w in state.turn.attackers if p == piece for h in w.hits
        )
        rule = "M-50" if not same and _other_kind(state, piece, victim) else "M-28"
        rule = "M-49" if giant and rule == "M-28" else rule
        raise Refusal(rule, cells, say("hit_twice", victim=victim, cell=cell))
    if why == "no_way":
        message = say("no_route", victim=victim, cell=cell, push=push_steps(piece))
        raise Refusal("M-A16", cells, message)


def _other_kind(state: MagalonState, piece: str, victim: str) -> bool:
    """Whether the earlier hit came from a goblin and this one is the giant, or the reverse."""
    return any(
        (p == "giant") != (piece == "giant")
        for p, way in state.turn.attackers
        if any(h.colour == victim for h in way.hits)
    )


def _route(state: MagalonState, piece: str, attack: Attack, cell: str) -> Hit:
    """The displacement itself: exactly 5 or 10 cells (M-A15)."""
    setup, victim = state.setup, attack.victim
    if attack.early is not None:
        part = early_part(state, piece, attack.early)
        part = part if attack.via is None else replace(part, via=attack.via)
    else:
        closed = victim_closed(state, victim, piece, cell)
        part = Part(attack.to, closed_names(setup, closed), attack.via)
    push = push_steps(piece)
    hit = Hit(victim, cell, part, push)
    rule = "M-48" if piece == "giant" else "M-27"
    if part.to in part.closed and part.to != cell:
        raise Refusal(
            rule, (cell, part.to), say("push_closed", victim=victim, to=part.to, cell=cell)
        )
    fault = via_fault(setup, cell, part, frozenset()) if part.via is not None else None
    if fault is not None:
        raise via_refusal(fault, cell, part.to, rule)
    if not route_exists(state, hit):
        message = say("push_not_exact", victim=victim, push=push, to=part.to, cell=cell)
        raise Refusal(rule, (cell, part.to), message)
    return hit


def early_part(state: MagalonState, piece: str, early: Early) -> Part:
    """The route of an early displacement, with the attackers where they stood then."""
    others = frozenset(cell for name, cell in early.black if name != piece)
    part = early.hit.part
    return replace(part, closed=part.closed | others | {early.hit.origin})


def route_exists(state: MagalonState, hit: Hit) -> bool:
    """Whether the displaced wizard has a way of the exact number."""
    ways = ((part_legs(state.setup, hit.part), hit.steps),)
    return walk_over(state.setup, hit.origin, ways) is not None


def _check_stop(
    state: MagalonState, piece: str, actor: str, here: str, to: str, closed: int
) -> None:
    """Refuses a cell on which the attacker cannot stop."""
    setup, bit = state.setup, state.setup.bit(to)
    giant = piece == "giant"
    if to == here:
        raise Refusal("M-20", (here,), say("stands_there", to=to))
    if bit & setup.special:
        rule = "M-51" if giant else "M-29"
        raise Refusal(rule, (here, to), say("attacker_field", to=to, origin=here))
    for victim in setup.seats:
        if state.wizard(victim) == to:
            if closed & bit:
                check_victim(state, piece, actor, victim, here, to)
            message = say("stops_on_wizard", to=to, victim=victim, push=push_steps(piece))
            raise Refusal("M-48" if giant else "M-27", (here, to), message)
    if closed & bit:
        by = next((p for p in state.standing(to) if p != piece), "something")
        rule = "M-47" if giant else "M-26"
        raise Refusal(rule, (here, to), say("attacker_occupied", to=to, by=by, origin=here))


def _check_cells(state: MagalonState, path: Path, here: str, to: str, parts: list[Part]) -> None:
    rule = "M-47" if path.origin and state.pieces.get("giant") == here else "M-26"
    before, used = here, known_cells(path)
    for part in parts:
        if part.via is not None:
            fault = via_fault(state.setup, before, part, used)
            if fault is not None:
                raise via_refusal(fault, here, to, rule)
        used |= {part.to, *(part.via or ())}
        before = part.to
