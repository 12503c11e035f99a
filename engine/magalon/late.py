"""A wizard moved after its attacker had passed over its cell: the same attack, told backwards."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from engine.magalon.landing import land
from engine.magalon.messages import say
from engine.magalon.movable import attack_steps
from engine.magalon.obstacles import attacker_closed, push_steps, victim_closed, why_safe
from engine.magalon.outcome import Outcome
from engine.magalon.state import Hit, MagalonState, Part, Path
from engine.magalon.ways import (
    closed_names,
    legs_and_steps,
    open_tail,
    part_legs,
    possible_steps,
    walk_over,
)


def explain_late(
    state: MagalonState, actor: str, victim: str, to: str, via: tuple[str, ...] | None
) -> Outcome | None:
    """The displacement as an attack on a way that was walked already, None if no way fits."""
    shared = state.setup.bit(to) & state.setup.special
    if state.standing(to) and not shared:
        return None
    for piece, path in state.turn.attackers:
        if why_safe(state, piece, actor, victim) is None:
            hit = _hit(state, piece, victim, to, via)
            for longer in _insertions(path, hit) if hit else ():
                if _fits(state, actor, piece, longer):
                    return _outcome(state, actor, piece, longer)
    return None


def _hit(
    state: MagalonState, piece: str, victim: str, to: str, via: tuple[str, ...] | None
) -> Hit | None:
    cell = str(state.wizard(victim))
    closed = closed_names(state.setup, victim_closed(state, victim, piece, cell))
    hit = Hit(victim, cell, Part(to, closed, via), push_steps(piece))
    ways = ((part_legs(state.setup, hit.part), hit.steps),)
    fits = to not in closed and walk_over(state.setup, cell, ways) is not None
    return hit if fits else None


def _insertions(path: Path, hit: Hit) -> Iterator[Path]:
    """The way with the victim's cell put in at every part that may have led over it."""
    for n, part in enumerate(path.parts):
        if hit.origin in part.closed:
            continue
        before: tuple[str, ...] | None = None
        after: tuple[str, ...] | None = None
        if part.via is not None:
            if hit.origin not in part.via:
                continue
            at = part.via.index(hit.origin)
            before, after = part.via[:at], part.via[at + 1 :]
        rest = (replace(part, via=after), *path.parts[n + 1 :])
        rest = tuple(replace(p, closed=p.closed | {hit.part.to}) for p in rest)
        parts = (*path.parts[:n], Part(hit.origin, part.closed, before), *rest)
        yield replace(path, parts=parts, hits=(*path.hits, hit))


def _fits(state: MagalonState, actor: str, piece: str, path: Path) -> bool:
    setup, steps = state.setup, attack_steps(state, actor, piece)
    if piece != "giant" and setup.option("M-A8") == "b":
        return bool(possible_steps(setup, path, steps))
    tail = () if path.done else open_tail(setup, attacker_closed(state, piece, actor))
    ways = legs_and_steps(setup, path, steps)
    return walk_over(setup, path.origin, ways, tail=tail) is not None


def _outcome(state: MagalonState, actor: str, piece: str, path: Path) -> Outcome:
    hit = path.hits[-1]
    displaced = state.turn.displaced | {hit.colour}
    after = state.placed(**{f"wizard/{hit.colour}": hit.part.to}).with_turn(displaced=displaced)
    after, landed, notes = land(after, hit)
    path = replace(path, hits=(*path.hits[:-1], landed))
    others = (e for e in state.turn.attackers if e[0] != piece)
    after = after.with_turn(attackers=tuple(sorted((*others, (piece, path)))))
    if path.done or after.winner:
        return Outcome(after, tuple(notes))
    steps = attack_steps(state, actor, piece)
    used = min(possible_steps(state.setup, path, steps), default=0)
    pending = say("attacker_left", piece=piece, left=steps - used, steps=steps, origin=path.origin)
    return Outcome(after, tuple(notes), pending)
