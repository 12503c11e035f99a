"""Shields (M-45, M-46, M-A37 to M-A39)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.magalon.arguments import cell_arg
from engine.magalon.messages import fragment, say
from engine.magalon.obstacles import may_finish, wizard_closed
from engine.magalon.outcome import Outcome, Refusal
from engine.magalon.state import MagalonState
from engine.verdict import Message


def do_shield(state: MagalonState, actor: str, args: Mapping[str, Any]) -> Outcome:
    """``shield {to}``."""
    piece = f"shield/{actor}"
    here = state.pieces[piece]
    if "to" in args and args["to"] is None:
        raise Refusal("M-45", (here,) if here else (), say("shield_stays", origin=here))
    to = cell_arg(state, args)
    place = fragment("place_on", cell=here) if here else fragment("place_off")
    if state.turn.shield_moved:
        raise Refusal("M-45", (to,), say("shield_moved", player=actor, origin=here))
    if to == here:
        raise Refusal("M-45", (to,), say("stands_there", to=to))
    if state.setup.bit(to) & state.setup.special:
        raise Refusal("M-45", (to,), say("shield_field", to=to, place=place))
    by = state.standing(to)
    if by:
        raise Refusal("M-45", (to,), say("shield_occupied", to=to, by=by[0], place=place))
    after = state.placed(**{piece: to}).with_turn(shield_moved=True)
    for victim in state.setup.seats:
        if victim != actor and encloses(after, victim, to):
            cell = str(state.wizard(victim))
            message = say("shield_encloses", victim=victim, cell=cell, place=place)
            raise Refusal("M-46", (to, cell), message)
    return Outcome(after, _warnings(after, to))


def encloses(state: MagalonState, victim: str, to: str) -> bool:
    """Whether the shield on ``to`` completes a ring of opposing shields (M-46, M-A37 a)."""
    cell = state.wizard(victim)
    if cell not in state.setup.edge:
        return False
    near = state.setup.board.cells[cell].neighbours
    if to not in near:
        return False
    opposing = {state.pieces[f"shield/{c}"] for c in state.setup.seats if c != victim}
    closed_start = {state.setup.start} if not may_finish(state, victim) else set()
    return set(near) <= opposing | closed_start


def _warnings(state: MagalonState, to: str) -> tuple[Message, ...]:
    """Wizards beside the shield that have no free neighbour left, for any reason (M-A37 b)."""
    notes = []
    for colour in state.setup.seats:
        cell = state.wizard(colour)
        if cell and to in state.setup.board.cells[cell].neighbours:
            near = state.setup.graph.near[state.setup.graph.index[cell]]
            if not near & ~wizard_closed(state, colour):
                notes.append(say("shut_in", victim=colour, cell=cell))
    return tuple(notes)
