"""Das Magische Hexagon at a simulated table: what lies where, and what players must not do."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from engine.hexagon import HexagonRoom, HexagonState
from engine.hexagon.legal import changes, changes_from
from engine.hexagon.moves import Change, apply
from engine.hexagon.sight import Looks, look_of, looks_after, looks_of
from engine.hexagon.state import Phase
from engine.placement import Placement
from engine.simulation.table import Table

Spots = tuple[str, ...]
Moves = dict[str, Spots]
TRIES = 12


class LyingRoom(HexagonRoom):
    """A table at which burnt wisdoms lie in their flames until somebody has told their value."""

    def placement(self, state: HexagonState) -> Placement:
        """As the rules have it, but for the burnt wisdoms."""
        placement = super().placement(state)
        away, pieces = list(state.in_hand(state.waiting)), dict(placement.pieces)
        flames = sorted(state.setup.flames)
        for cell in state.pending:
            # The same wisdom as long as it lies there, whatever else is told meanwhile.
            piece = away.pop(flames.index(cell) % len(away))
            pieces[piece] = (cell,)
        return replace(placement, pieces=pieces)


@dataclass(frozen=True, slots=True)
class Attempt:
    """Something that the rules forbid: what it was, and where its pieces stand."""

    kind: str
    moves: Moves


def hexagon_foul(table: Table, rng: random.Random) -> Attempt | None:
    """Something that players get wrong, which no legal action explains; None if chance finds none."""
    state: HexagonState = table.state
    if state.to_act is None or state.pending:
        return None
    makers = [_placed_wrong] if state.phase is Phase.PLACING else list(MOVING)
    rng.shuffle(makers)
    for maker in makers:
        for _ in range(TRIES):
            attempt = maker(state, rng)
            if attempt is not None and not _explained(table, attempt.moves):
                return attempt
    return None


def _free(state: HexagonState, rng: random.Random) -> str:
    return rng.choice([c for c in state.setup.board.cells if c not in state.at])


def _some(state: HexagonState, prefix: str, rng: random.Random) -> str | None:
    found = [p for p, c in state.pieces.items() if c is not None and p.startswith(prefix)]
    return rng.choice(found) if found else None


def _placed_wrong(state: HexagonState, rng: random.Random) -> Attempt | None:
    """A wisdom out of turn, or in a flame."""
    if rng.random() < 0.5:
        hand = state.in_hand(state.waiting)
        cell = _free(state, rng)
        if not hand or cell in state.setup.flames or len(state.in_hand(state.to_move)) == 1:
            return None
        return Attempt("placed out of turn", {hand[0]: (cell,)})
    hand = state.in_hand(state.to_move)
    flames = [c for c in state.setup.flames if c not in state.at]
    if not hand or not flames:
        return None
    return Attempt("placed in a flame", {hand[0]: (rng.choice(sorted(flames)),)})


def _near_miss(state: HexagonState, rng: random.Random) -> Attempt | None:
    """A wizard one cell beside where it could have gone."""
    found = [c for c in changes(state) if len(c.moves) == 1]
    if not found:
        return None
    change = rng.choice(found)
    beside = [c for c in state.setup.board.cells[change.to].neighbours if c not in state.at]
    return Attempt("near miss", {change.piece: (rng.choice(beside),)}) if beside else None


def _wild(state: HexagonState, rng: random.Random) -> Attempt | None:
    piece = _some(state, f"wizard/{state.to_move}/", rng)
    return None if piece is None else Attempt("anywhere", {piece: (_free(state, rng),)})


def _wisdom_by_hand(state: HexagonState, rng: random.Random) -> Attempt | None:
    piece, cell = _some(state, "wisdom/", rng), _free(state, rng)
    if piece is None or cell in state.setup.flames:
        return None
    return Attempt("wisdom by hand", {piece: (cell,)})


def _out_of_turn(state: HexagonState, rng: random.Random) -> Attempt | None:
    other = state.but(to_move=state.waiting, crossings=())
    found = [c for c in changes(other) if not c.burnt]
    return Attempt("out of turn", _shown(rng.choice(found))) if found else None


def _own_wisdom_burnt(state: HexagonState, rng: random.Random) -> Attempt | None:
    """A push of which the own wisdoms burn: as the opponent would be allowed to."""
    grid, found = state.setup.grid, list[Moves]()
    for piece, origin in state.pieces.items():
        if origin is None or not piece.startswith(f"wizard/{state.to_move}/"):
            continue
        for step in grid.step.values():
            chain, to = [origin], step[origin]
            while to in state.at and to != origin:
                chain.append(to)
                to = step[to]
            moved: Moves = {state.at[c]: (step[c],) for c in chain}
            own = f"wisdom/{state.to_move}/"
            burns = any(p.startswith(own) and s[0] in state.setup.flames for p, s in moved.items())
            if to != origin and burns:
                found.append(moved)
    return Attempt("own wisdom burnt", rng.choice(found)) if found else None


def _two_steps(state: HexagonState, rng: random.Random) -> Attempt | None:
    """A wizard that steps twice."""
    piece = _some(state, f"wizard/{state.to_move}/", rng)
    if piece is None:
        return None
    step = rng.choice(list(state.setup.grid.step.values()))
    first = step[str(state.pieces[piece])]
    to = rng.choice(list(state.setup.grid.step.values()))[first]
    if first in state.at or to in state.at:
        return None
    return Attempt("two steps", {piece: (to,)})


def _back_across(state: HexagonState, rng: random.Random) -> Attempt | None:
    """The own wizard goes back across the border at once (H-15)."""
    for crossing in state.crossings:
        own = crossing.piece.startswith(f"wizard/{state.to_move}/")
        if own and crossing.origin not in state.at:
            return Attempt("back across", {crossing.piece: (crossing.origin,)})
    return None


MOVING = (
    _near_miss, _wild, _wisdom_by_hand, _out_of_turn, _own_wisdom_burnt, _two_steps, _back_across,
)  # fmt: skip


def _shown(change: Change) -> Moves:
    return {p: () if c is None else (c,) for p, c in change.moves.items()}


def _explained(table: Table, moves: Mapping[str, Spots]) -> bool:
    """Whether one legal action, now or in place of the last one, or two of both players could have
    led to the arrangement; or whether it is an earlier one, or half of a push."""
    state: HexagonState = table.state
    looks = _after(state, moves)
    if looks is None or _half_a_push(state, looks):
        return True
    past: list[HexagonState] = [s for s in table.earlier[-6:] if s is not state]
    if any(looks_of(s) == looks for s in past):
        return True
    if any(looks in _results(s) for s in (state, *past[-1:])):
        return True
    return any(_two_turns(s, looks) for s in (state, *past[-1:]))


def _two_turns(state: HexagonState, looks: Looks) -> bool:
    """Whether a legal move of each player, one after the other, led to the arrangement."""
    for first in changes(state):
        if first.burnt:
            continue
        middle = looks_after(looks_of(state), state, first)
        then = apply(state, first)
        for cell, piece in then.at.items():
            if cell in looks or not piece.startswith(f"wizard/{then.to_move}/"):
                continue
            for second in changes_from(then, cell):
                after = looks_after(middle, then, second)
                if looks in (after, after | dict.fromkeys(second.burnt, f"wisdom/{then.waiting}")):
                    return True
    return False


def _after(state: HexagonState, moves: Mapping[str, Spots]) -> Looks | None:
    """What stands where after some moves; None when two pieces stand on one cell."""
    looks = {c: look_of(p) for c, p in state.at.items() if p not in moves}
    for piece, spots in moves.items():
        if spots and spots[0] in looks:
            return None
        if spots:
            looks[spots[0]] = look_of(piece)
    return looks


def _results(state: HexagonState) -> Iterator[Looks]:
    """Every arrangement after one legal change, with and without the burnt wisdoms."""
    looks = looks_of(state)
    for change in changes(state):
        after = looks_after(looks, state, change)
        yield after
        if change.burnt:
            yield after | dict.fromkeys(change.burnt, f"wisdom/{state.waiting}")


def _half_a_push(state: HexagonState, looks: Looks) -> bool:
    """Whether pieces have been pushed on and the wizard is still to come."""
    now = looks_of(state)
    changed = {c for c in now.keys() | looks.keys() if now.get(c) != looks.get(c)}
    for change in changes(state):
        if change.do != "push" or len(change.moves) < 2 or change.to in looks:
            continue
        after = looks_after(now, state, change)
        if all(looks.get(c) in (None, after.get(c)) for c in changed):
            return True
    return False
