"""Positions: the JSON form from which any game of Magalon can be resumed.

Keys as in the design: ``pieces``, ``energy``, ``items``, ``hands``, ``table`` ([colour, card or
null for a pass] in laying order), ``played`` (face down), ``round``, ``first_layer``, ``to_move``,
``acted``, and of the running turn ``energy_booked`` (of "card", "red", "loss"), ``shield_moved``,
``giant_rolled`` (the dice or null), ``paths`` and ``displaced``, besides ``red``, ``slid``,
``lifted`` and ``winner`` where they are set.  Everything may be left out: then it is as at the
beginning of the game.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.board import Board
from engine.errors import PositionError
from engine.game import Header
from engine.magalon.position_check import check
from engine.magalon.position_read import Reader
from engine.magalon.setup import ITEMS, START_ENERGY, Setup, make_setup
from engine.magalon.state import CARDS, Early, Hit, MagalonState, Part, Path


def start(header: Header, board: Board) -> MagalonState:
    """The state of a header; raises PositionError with one sentence."""
    setup = make_setup(header, board)
    first = beginning(setup)
    if header.position is None:
        if setup.start is None:
            raise PositionError("this board has no start field, so the game needs a position")
        check(first, {})
        return first
    if not isinstance(header.position, Mapping):
        raise PositionError("the position must be an object")
    state = Reader(setup, header.position).read(first)
    check(state, header.position)
    return state


def beginning(setup: Setup) -> MagalonState:
    """The starting position (M-1 to M-4)."""
    board, seats = setup.board, setup.seats
    pieces: dict[str, str | None] = {f"wizard/{c}": setup.start for c in seats}
    pieces |= {f"shield/{c}": None for c in seats}
    giants, goblins = board.with_role("giant_start"), board.with_role("goblin_start")
    pieces["giant"] = giants[0] if giants else None
    for n in (1, 2):
        pieces[f"goblin/{n}"] = goblins[n - 1] if len(goblins) >= n else None
    ruins = board.raw.get("ruin_start", ())
    try:
        footprints = tuple(frozenset(map(str, r)) for r in ruins)
    except TypeError as error:
        raise PositionError("ruin_start must be a list of lists of cells") from error
    for n, cells in enumerate(footprints, 1):
        for cell in cells - board.cells.keys():
            raise PositionError(f"ruin_start {n} names a cell {cell} that does not exist")
    return MagalonState(
        setup=setup,
        pieces=pieces,
        ruins=footprints,
        energy=dict.fromkeys(seats, START_ENERGY),
        items=dict.fromkeys(seats, frozenset()),
        hands=dict.fromkeys(seats, CARDS),
        played=dict.fromkeys(seats, frozenset()),
        round=1,
        first_layer=seats[0],
    )


def export(state: MagalonState) -> dict[str, Any]:
    """The position of a state; ``start`` with it gives an equal state."""
    turn = state.turn
    pieces: dict[str, Any] = dict(state.pieces)
    pieces |= {f"ruin/{n}": sorted(r) or None for n, r in enumerate(state.ruins, 1)}
    out: dict[str, Any] = {
        "pieces": pieces,
        "energy": dict(state.energy),
        "items": {c: [i for i in ITEMS if i in have] for c, have in state.items.items()},
        "hands": {c: sorted(hand) for c, hand in state.hands.items()},
        "table": [[c, card] for c, card in state.table],
        "played": {c: sorted(cards) for c, cards in state.played.items()},
        "round": state.round,
        "first_layer": state.first_layer,
        "to_move": state.to_act,
        "acted": list(state.acted),
        "energy_booked": sorted(turn.booked),
        "shield_moved": turn.shield_moved,
        "giant_rolled": list(turn.dice) if turn.dice else None,
        "paths": _paths(state),
        "displaced": sorted(turn.displaced),
    }
    extra = {"red": turn.red, "slid": turn.slid, "lifted": turn.lifted, "winner": state.winner}
    out |= {key: value for key, value in extra.items() if value}
    if turn.early:
        out["early"] = [_early(e) for e in turn.early]
    return out


def _paths(state: MagalonState) -> dict[str, Any]:
    paths = {piece: _path(path) for piece, path in state.turn.attackers}
    if state.turn.walk is not None:
        paths[f"wizard/{state.to_act or state.winner}"] = _path(state.turn.walk)
    return paths


def _path(path: Path) -> dict[str, Any]:
    out: dict[str, Any] = {"from": path.origin, "parts": [_part(p) for p in path.parts]}
    out["done"] = path.done
    sets = {"items": path.items, "must": path.must, "leave": path.leave}
    out |= {key: sorted(value) for key, value in sets.items() if value}
    if path.hits:
        out["hits"] = [_hit(h) for h in path.hits]
    return out


def _part(part: Part) -> dict[str, Any]:
    out: dict[str, Any] = {"to": part.to, "closed": sorted(part.closed)}
    if part.via is not None:
        out["via"] = list(part.via)
    if part.bonus:
        out["bonus"] = True
    return out


def _hit(hit: Hit) -> dict[str, Any]:
    out: dict[str, Any] = {"player": hit.colour, "from": hit.origin, "steps": hit.steps}
    out |= _part(hit.part)
    sets = {"items": hit.items, "must": hit.must, "leave": hit.leave}
    return out | {key: sorted(value) for key, value in sets.items() if value}


def _early(early: Early) -> dict[str, Any]:
    return _hit(early.hit) | {"black": dict(early.black)}
