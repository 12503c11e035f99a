"""A wizard seen displaced by itself: after its attacker passed, or before (then it is pending)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from engine.magalon.arguments import cell_arg, colour_arg, via_arg
from engine.magalon.attacks import early_part, route_exists
from engine.magalon.late import explain_late
from engine.magalon.messages import say
from engine.magalon.movable import attack_steps, can_attack
from engine.magalon.obstacles import attacker_closed, push_steps, wizard_closed
from engine.magalon.outcome import Outcome, Refusal
from engine.magalon.state import Early, Hit, MagalonState, Part
from engine.magalon.ways import closed_names, distance


def do_displace(state: MagalonState, actor: str, args: Mapping[str, Any]) -> Outcome:
    """``displace {victim, to, via?}``: legal when an attacker has passed, pending when one may come.

    This action is no part of a finished record: ``goblin`` and ``giant`` with ``attacks`` say the
    same in one line.
    """
    victim, to, via = (
        colour_arg(state, args.get("victim")),
        cell_arg(state, args),
        via_arg(state, args),
    )
    setup, cell = state.setup, str(state.wizard(victim))
    if victim == actor:
        raise Refusal("M-A5", (cell, to), say("own_wizard", cell=cell))
    if setup.bit(cell) & setup.special:
        raise Refusal("M-29", (cell, to), say("on_field", victim=victim, cell=cell))
    if state.protected(victim):
        raise Refusal("M-37", (cell, to), say("protected", victim=victim, cell=cell))
    if victim in state.turn.displaced:
        raise Refusal("M-28", (cell, to), say("hit_twice", victim=victim, cell=cell))
    late = explain_late(state, actor, victim, to, via)
    if late is not None:
        return late
    black = tuple((p, str(state.pieces[p])) for p in state.attackers if state.pieces[p])
    closed = wizard_closed(state, victim, state.attackers)
    early = Early(Hit(victim, cell, Part(to, closed_names(setup, closed), via), 0), black)
    helpers = [p for p in state.attackers if may_come(state, actor, p, early)]
    taken = closed | setup.graph.mask(at for _, at in black)
    if taken & setup.bit(to) or not helpers:
        message = say("nobody_comes", player=actor, victim=victim, cell=cell)
        raise Refusal("M-27", (cell, to), message)
    after = state.placed(**{f"wizard/{victim}": to}).with_turn(
        early=(*state.turn.early, early), displaced=state.turn.displaced | {victim}
    )
    return Outcome(after, pending=say("attacker_to_come", victim=victim, cell=cell))


def may_come(state: MagalonState, actor: str, piece: str, early: Early) -> bool:
    """Whether an attacker might still come to the cell of an early displaced wizard.

    The giant before its roll counts as far as the dice could carry it.
    """
    if not can_attack(state, actor, piece):
        return False
    rolled = piece != "giant" or state.turn.dice is not None
    steps = attack_steps(state, actor, piece) if rolled else 12
    closed = attacker_closed(state, piece, actor) & ~state.setup.bit(early.hit.origin)
    far = distance(state.setup, str(state.pieces[piece]), early.hit.origin, closed)
    if far is None or far > steps:
        return False
    hit = replace(early.hit, part=early_part(state, piece, early), steps=push_steps(piece))
    return route_exists(state, hit)
