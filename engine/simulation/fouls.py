"""Arrangements of Magalon that no legal action explains, for films."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from engine.action import Action
from engine.magalon.state import MagalonState
from engine.placement import track_spot, track_value
from engine.simulation.film import Table
from engine.verdict import Status

Spots = tuple[str, ...]
TRIES = 30


def magalon_foul(table: Table, rng: random.Random) -> dict[str, Spots] | None:
    """One piece somewhere where nobody could have put it legally; None if chance finds none."""
    state: MagalonState = table.state
    if state.laying or state.winner or any(not p.done for _, p in state.turn.attackers):
        return None
    if state.turn.early or (state.turn.walk and not state.turn.walk.done):
        return None
    pieces = [p for p, s in table.now.items() if s or p.startswith("shield/")]
    if state.acting_order[-1:] == (state.to_act,):
        # Without the next round's cards nobody can say whether it has not begun.
        others = {seat for seat in state.setup.seats if seat != state.to_act}
        pieces = [p for p in pieces if not state.turn.booked and p.split("/")[-1] not in others]
    if not pieces:
        return None
    for _ in range(TRIES):
        piece = rng.choice(pieces)
        spots = _somewhere(state, piece, table.now[piece], rng)
        if spots and not _explained(table, piece, spots):
            return {piece: spots}
    return None


def _somewhere(state: MagalonState, piece: str, now: Spots, rng: random.Random) -> Spots | None:
    setup = state.setup
    if piece.startswith("energy_stone/"):
        value = track_value(now[0])
        assert value is not None
        mark = value + rng.choice((-3, -2, -1, 1, 2, 3))
        return (track_spot(mark),) if 0 <= mark <= setup.top else None
    if piece.startswith("ruin/"):
        lattice = setup.lattice
        if any(c not in lattice.coords for c in now):
            return None
        dx, dy = rng.randint(-4, 4), rng.randint(-4, 4)
        moved = lattice.shifted(frozenset(now), dx, dy)
        if moved is None or moved == frozenset(now):
            return None
        taken = any(set(state.standing(c)) - {piece} for c in moved)
        return None if taken else tuple(sorted(moved))
    cell = rng.choice(list(setup.board.cells))
    free = not state.standing(cell) or setup.bit(cell) & setup.special
    return (cell,) if free and (cell,) != now else None


def _explained(table: Table, piece: str, spots: Spots) -> bool:
    """Whether a single legal action, now or in place of one of this turn, could have done it."""
    past = (*table.earlier, *table.turn_before)
    for state in (table.state, *past):
        if set(table.room.placement(state).pieces[piece]) == set(spots):
            return True
    for state in (*_ended(table), table.state, *past):
        me = state.to_act
        roll = Action(me, "roll", {"dice": list(table.dice)})
        rolled = table.room.judge(state, roll)
        if piece == "giant" and rolled.status is Status.LEGAL:
            state = rolled.state
        if any(_possible(table, state, action) for action in _ways(state, piece, spots)):
            return True
    return False


def _possible(table: Table, state: MagalonState, action: Action) -> bool:
    """Whether the rules allow an action, for a walk also by way of a red cell."""
    if table.room.judge(state, action).status is not Status.ILLEGAL:
        return True
    if action.do != "walk":
        return False
    for red in state.setup.energy_cells:
        first = table.room.judge(state, Action(action.player, "walk", {"to": red}))
        then = Action(action.player, "walk_on", action.args)
        if table.room.judge(first.state, then).status is not Status.ILLEGAL:
            return True
    return False


def _ended(table: Table) -> Iterator[Any]:
    me = table.state.to_act
    judgement = table.room.judge(table.state, Action(me, "end"))
    if judgement.status is Status.LEGAL:
        yield judgement.state


def _ways(state: MagalonState, piece: str, spots: Spots) -> Iterator[Action]:
    me = state.to_act
    kind, _, owner = piece.partition("/")
    to = spots[0]
    if kind == "wizard":
        for seat in state.setup.seats:
            yield Action(seat, "displace", {"victim": owner, "to": to})
        yield Action(owner, "walk", {"to": to})
        yield Action(owner, "walk_on", {"to": to})
    elif kind == "ruin":
        for do in ("slide", "lift"):
            yield Action(me, do, {"ruin": piece, "to": list(spots)})
    elif kind == "energy_stone":
        yield Action(owner, "energy", {"to": track_value(to)})
    elif kind == "shield":
        yield Action(owner, "shield", {"to": to})
    elif kind == "goblin":
        yield Action(me, "goblin", {"piece": piece, "to": to})
    else:
        yield Action(me, "giant", {"to": to})
