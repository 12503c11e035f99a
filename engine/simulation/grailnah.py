"""Grailnah at a simulated table: what is out of sight, how people play, what they must not do."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from engine.action import Action
from engine.grailnah.legal import legal_actions
from engine.grailnah.simulate import random_action
from engine.grailnah.state import GrailnahState, kind_of, owner_of
from engine.placement import Placement
from engine.simulation.table import Table

Spots = tuple[str, ...]
Arrangement = frozenset[tuple[str, Spots]]
TRIES = 40


def roofs(start: GrailnahState, seed: int) -> frozenset[str]:
    """In every other game the castles have roofs: what stands in them cannot be seen."""
    return frozenset(start.setup.castle_at) if seed // 3 % 2 else frozenset()


def table_action(state: GrailnahState, rng: random.Random) -> Action | None:
    """A random action; who may recover knights takes all of them at once."""
    open_ones = [a for a in legal_actions(state) if a.do == "recover" and state.may_recover]
    return open_ones[-1] if open_ones else random_action(state, rng)


@dataclass(frozen=True, slots=True)
class Attempt:
    """Something that the rules forbid: whose piece, and where it stands."""

    kind: str
    moves: Mapping[str, Spots]


def grailnah_foul(table: Table, rng: random.Random) -> Attempt | None:
    """One piece somewhere where nobody could have put it legally; None if chance finds none.

    Half of them are near misses: a knight going back or passing something, a royal going too far,
    a pawn out of turn, Merlin twice running.
    """
    state: GrailnahState = table.state
    if state.over or state.may_recover:
        return None
    castles = set(state.setup.castle_at)
    standing = [p for p, s in table.now.items() if s and not set(s) & castles]
    if not standing:
        return None
    for _ in range(TRIES):
        piece = rng.choice(standing)
        cell = _somewhere(state, piece, rng)
        if piece == "morgane" and cell and _half_done(state, cell):
            continue
        if cell is not None and not _explained(table, {piece: (cell,)}):
            return Attempt(_kind(state, piece), {piece: (cell,)})
    return None


def _kind(state: GrailnahState, piece: str) -> str:
    owner = owner_of(piece)
    if owner is None:
        return piece
    return f"{kind_of(piece)} {'' if owner == state.to_move else 'out of turn'}".strip()


def _half_done(state: GrailnahState, cell: str) -> bool:
    """Whether Morgane may go there if only a knight is taken off as well."""
    return any(a.do == "morgane" and a.args["to"] == cell for a in legal_actions(state))


def _somewhere(state: GrailnahState, piece: str, rng: random.Random) -> str | None:
    setup, here = state.setup, str(state.pieces[piece])
    if rng.random() < 0.5:
        near = [*setup.rings.steps[here], *setup.rings.diagonal[here]]
        cell = rng.choice(near)
    else:
        cell = rng.choice(list(setup.board.cells))
    crowded = len(state.at.get(cell, ())) > 1
    return None if cell == here or cell in setup.castle_at or crowded else cell


def _explained(table: Table, moves: Mapping[str, Spots]) -> bool:
    """Whether one legal action, or two one after the other, could have led to the arrangement,
    from now or from before the last action; or whether it is an earlier arrangement."""
    past = [table.state, *reversed(table.earlier[-2:])]
    target = _seen(table.room.placement(table.state), moves)
    if any(_seen(table.room.placement(s), {}) == target for s in past):
        return True
    for n, state in enumerate(past[:2]):
        now = table.room.placement(state).pieces
        then = table.room.placement(table.state).pieces
        touched = {p for p in now if set(now[p]) != set(then[p])} | set(moves)
        if _leads_to(table, state, target, touched, 2 if n else 1):
            return True
    return False


def _leads_to(
    table: Table, state: GrailnahState, target: Arrangement, touched: set[str], depth: int
) -> bool:
    for after in _after(table, state, touched):
        if _seen(table.room.placement(after), {}) == target:
            return True
        if depth > 1 and _leads_to(table, after, target, touched, depth - 1):
            return True
    return False


def _after(table: Table, state: GrailnahState, touched: set[str]) -> Iterator[Any]:
    """States after the legal actions that move some of these pieces, or nothing."""
    looks = {p.rpartition("/")[0] if p.startswith("knight/") else p for p in touched}
    for action in legal_actions(state):
        piece = str(action.args.get("piece", action.do))
        look = piece.rpartition("/")[0] if piece.startswith("knight/") else piece
        if look in looks or action.do in ("pass", "recover"):
            yield table.room.judge(state, action).state


def _seen(placement: Placement, moves: Mapping[str, Spots]) -> Arrangement:
    """What can be told apart: kinds and colours outside the castles."""
    found = []
    for info, spots in placement:
        spots = moves.get(info.id, spots)
        if spots and not set(spots) & placement.shelters:
            found.append(f"{info.kind}/{info.colour}@{spots[0]}")
    return frozenset((name, (str(found.count(name)),)) for name in found)
