"""Arrangements of Magalon that no legal sequence explains, plain ones and near-legal ones."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from engine.action import Action
from engine.lattice import Lattice
from engine.magalon.hints import hints
from engine.magalon.movable import attack_steps
from engine.magalon.obstacles import push_steps
from engine.magalon.outcome import Refusal
from engine.magalon.state import MagalonState
from engine.placement import PieceMove, track_spot, track_value
from engine.referee.explain import Clues, Proposer, explain
from engine.referee.judging import RememberingRoom
from engine.referee.proposers import proposer_for
from engine.simulation.table import Table
from engine.verdict import Status

Spots = tuple[str, ...]
Moves = dict[str, Spots]
TRIES = 40
# So many judgements prove that nothing legal explains an attempt (the referee itself takes fewer).
PROOF = 400.0


@dataclass(frozen=True, slots=True)
class Attempt:
    """``kind`` names the way of cheating or erring; ``moves``: where the pieces stand after it."""

    kind: str
    moves: Mapping[str, Spots]


Maker = Callable[[Table, MagalonState, str, random.Random], Moves | None]


def magalon_foul(table: Table, rng: random.Random) -> Attempt | None:
    """An attempt somewhere between plain and near-legal; None if chance finds none."""
    state: MagalonState = table.state
    if state.laying or state.winner or any(not p.done for _, p in state.turn.attackers):
        return None
    if state.turn.early or (state.turn.walk and not state.turn.walk.done):
        return None
    me = state.to_act
    assert me is not None
    for _ in range(TRIES):
        kind = rng.choice(sorted(MAKERS))
        moves = MAKERS[kind](table, state, me, rng)
        if not moves or any(set(s) == set(table.now[p]) for p, s in moves.items()):
            continue
        if _possible_place(state, moves) and not _unclear_round(state, moves):
            if not explained(table, moves):
                return Attempt(kind, moves)
    return None


# -- ways to break a rule ------------------------------------------------------------------------


def _near(cells: tuple[str, ...], state: MagalonState, rng: random.Random) -> str | None:
    """A free cell beside a legal end that is none itself."""
    if not cells:
        return None
    cell = rng.choice(cells)
    for _ in range(rng.randint(1, 2)):
        cell = rng.choice(state.setup.board.cells[cell].neighbours)
    return None if cell in cells else cell


def _walk_beside(table: Table, state: MagalonState, me: str, rng: random.Random) -> Moves | None:
    piece = f"wizard/{me}"
    cell = _near(hints(state, piece), state, rng)
    return {piece: (cell,)} if cell else None


def _walk_anywhere(table: Table, state: MagalonState, me: str, rng: random.Random) -> Moves | None:
    seat = rng.choice(state.setup.seats)
    return {f"wizard/{seat}": (rng.choice(list(state.setup.board.cells)),)}


def _walk_out_of_turn(
    table: Table, state: MagalonState, me: str, rng: random.Random
) -> Moves | None:
    """A walk that would be right if it were this player's turn."""
    others = [c for c in state.acting_order if c != me and c not in state.acted]
    if not others:
        return None
    seat = rng.choice(others)
    before = tuple(c for c in state.acting_order[: state.acting_order.index(seat)])
    turn = state.but(acted=before, turn=type(state.turn)())
    cells = hints(turn, f"wizard/{seat}") if turn.to_act == seat else ()
    return {f"wizard/{seat}": (rng.choice(cells),)} if cells else None


def _stone(table: Table, state: MagalonState, me: str, rng: random.Random) -> Moves | None:
    seat = rng.choice((me, rng.choice(state.setup.seats)))
    piece = f"energy_stone/{seat}"
    value = track_value(table.now[piece][0])
    assert value is not None
    mark = value + rng.choice((-3, -2, -1, 1, 2, 3, 4))
    return {piece: (track_spot(mark),)} if 0 <= mark <= state.setup.top else None


def _shield(table: Table, state: MagalonState, me: str, rng: random.Random) -> Moves | None:
    """Somebody else's shield, a second time in a turn, or onto a field."""
    seat = rng.choice((me, rng.choice(state.setup.seats)))
    fields = [*state.setup.items.values(), str(state.setup.start)]
    cell = rng.choice((rng.choice(list(state.setup.board.cells)), rng.choice(fields)))
    return {f"shield/{seat}": (cell,)}


def _attacker_beside(
    table: Table, state: MagalonState, me: str, rng: random.Random
) -> Moves | None:
    """Goblin or giant, a cell from where it could go; the giant by another sum."""
    piece = rng.choice(state.attackers)
    here = state.pieces[piece]
    if here is None:
        return None
    cell = _near(hints(state, piece) or (here,), state, rng)
    return {piece: (cell,)} if cell else None


def _attacker_anywhere(
    table: Table, state: MagalonState, me: str, rng: random.Random
) -> Moves | None:
    return {rng.choice(state.attackers): (rng.choice(list(state.setup.board.cells)),)}


def _push_wrong(table: Table, state: MagalonState, me: str, rng: random.Random) -> Moves | None:
    """A wizard is displaced by a wrong number, with its attacker on its cell."""
    piece = rng.choice(state.attackers)
    try:
        steps = attack_steps(state, me, piece)
    except Refusal:
        return None
    victims = [
        (c, cell) for c in state.setup.seats
        if c != me and (cell := state.wizard(c)) and not state.setup.bit(cell) & state.setup.special
    ]  # fmt: skip
    if not victims or not steps:
        return None
    seat, cell = rng.choice(victims)
    wrong = push_steps(piece) + rng.choice((-2, -1, 1, 2))
    end = cell
    for _ in range(wrong):
        end = rng.choice(state.setup.board.cells[end].neighbours)
    return {piece: (cell,), f"wizard/{seat}": (end,)}


def _ruin(table: Table, state: MagalonState, me: str, rng: random.Random) -> Moves | None:
    """A ruin slid, turned or lifted as this card does not allow."""
    lying = [n for n, cells in enumerate(state.ruins, 1) if cells]
    if not lying:
        return None
    n = rng.choice(lying)
    cells, lattice = state.ruins[n - 1], state.setup.lattice
    if any(c not in lattice.coords for c in cells):
        return None
    if rng.random() < 0.3:
        turned = _turned(lattice, cells, rng)
        return {f"ruin/{n}": turned} if turned else None
    moved = lattice.shifted(cells, rng.randint(-4, 4), rng.randint(-4, 4))
    return {f"ruin/{n}": tuple(sorted(moved))} if moved else None


def _turned(lattice: Lattice, cells: frozenset[str], rng: random.Random) -> Spots | None:
    """The L of three cells with another corner of its square left out."""
    at = [lattice.coords[c] for c in cells]
    left, top = min(x for x, _ in at), min(y for _, y in at)
    square = [lattice.cells.get((left + x, top + y)) for x in (0, 1) for y in (0, 1)]
    if None in square or len(cells) != 3:
        return None
    without = rng.choice(sorted(cells))
    return tuple(sorted(str(c) for c in square if c != without))


def _with_something_legal(
    table: Table, state: MagalonState, me: str, rng: random.Random
) -> Moves | None:
    """A foul hidden beside a legal thing that happens at the same time."""
    if state.turn.shield_moved:
        return None
    cells = hints(state, f"shield/{me}")
    maker = MAKERS[rng.choice(("attacker beside", "stone", "ruin", "walk beside"))]
    foul = maker(table, state, me, rng)
    if not cells or not foul:
        return None
    return {f"shield/{me}": (rng.choice(cells),), **foul}


MAKERS: dict[str, Maker] = {
    "walk beside": _walk_beside,
    "walk anywhere": _walk_anywhere,
    "walk out of turn": _walk_out_of_turn,
    "stone": _stone,
    "shield": _shield,
    "attacker beside": _attacker_beside,
    "attacker anywhere": _attacker_anywhere,
    "push by a wrong number": _push_wrong,
    "ruin": _ruin,
    "beside something legal": _with_something_legal,
}


# -- whether nothing legal explains it -----------------------------------------------------------


def _possible_place(state: MagalonState, moves: Moves) -> bool:
    """Whether the pieces could stand so at all: one cell holds one piece, fields hold wizards."""
    setup = state.setup
    taken: set[str] = set()
    for piece, spots in moves.items():
        for spot in spots:
            if spot not in setup.board.cells:
                continue
            shared = piece.startswith("wizard/") and setup.bit(spot) & setup.special
            standing = [p for p in state.standing(spot) if p != piece and p not in moves]
            if (standing and not shared) or spot in taken:
                return False
            taken.add(spot)
    return True


def _unclear_round(state: MagalonState, moves: Moves) -> bool:
    """Without the next round's cards nobody can say whether it has not begun."""
    if state.acting_order[-1:] != (state.to_act,):
        return False
    owners = {p.split("/")[-1] for p in moves} & set(state.setup.seats)
    return bool(state.turn.booked) or bool(owners - {state.to_act})


def explained(table: Table, moves: Moves) -> bool:
    """Whether a legal sequence from now on, or one legal step in place of something done in this
    turn or the one before, could have led to these ends."""
    past = (*table.earlier, *table.turn_before)
    room = RememberingRoom(table.room)
    proposer = proposer_for(table.room, room)
    for state in (table.state, *past):
        here = table.room.placement(state).pieces
        if all(set(here[p]) == set(s) for p, s in moves.items()):
            return True
        if all(_one_step(table, state, p, s) for p, s in moves.items()):
            return True
    return _sequence(table, room, proposer, table.state, {**table.now, **moves})


def _sequence(
    table: Table, room: RememberingRoom, proposer: Proposer, state: MagalonState, wanted: Moves
) -> bool:
    """Whether the search finds a legal sequence from a state to an arrangement."""
    now = table.room.placement(state).pieces
    changed = tuple(
        PieceMove(p, tuple(now[p]), s) for p, s in sorted(wanted.items()) if set(now[p]) != set(s)
    )
    dice = tuple(tuple(0.0 if n == d else -9.0 for n in range(1, 7)) for d in table.dice)
    clues = Clues(dice, acted=True)
    return explain(room, proposer, state, changed, clues, room.spent + PROOF).complete


def _one_step(table: Table, state: MagalonState, piece: str, spots: Spots) -> bool:
    """Whether a single legal action of anybody whose turn it may be moves the piece so."""
    for now in (*_ended(table, state), state):
        me = now.to_act
        roll = Action(me, "roll", {"dice": list(table.dice)})
        rolled = table.room.judge(now, roll)
        if piece == "giant" and rolled.status is Status.LEGAL:
            now = rolled.state
        if any(_possible(table, now, action) for action in _ways(now, piece, spots)):
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


def _ended(table: Table, state: MagalonState) -> Iterator[Any]:
    judgement = table.room.judge(state, Action(state.to_act, "end"))
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
