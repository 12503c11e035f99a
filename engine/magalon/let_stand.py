"""What a move leaves behind in the turn that is let stand although the rules refuse it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.action import Action
from engine.magalon.setup import FINISH_ENERGY, ITEMS
from engine.magalon.state import MagalonState
from engine.placement import PieceMove

WALKS = ("walk", "walk_on")


def let_stand(
    state: MagalonState, action: Action, moves: tuple[PieceMove, ...], changes: Mapping[str, Any]
) -> dict[str, Any]:
    """``changes`` (pieces and stones as they stand) with what the action of the player to act uses
    up: his walk is done, his shield moved, his stone booked.  A walk that ends on an item field takes
    the item (M-53), one that ends on the start field may win (M-57)."""
    out = dict(changes)
    me = state.to_act
    if not out or me is None or action.player != me or state.laying:
        return out
    mine = f"wizard/{me}"
    ways = {m.piece: _way(m) for m in moves if _walked(state, action, m)}
    if ways:
        out["paths"] = ways
    victims = [m.piece.partition("/")[2] for m in moves if m.piece.startswith("wizard/")]
    hit = [v for v in victims if v != me]
    if hit:
        out["displaced"] = sorted(state.turn.displaced | set(hit))
    if action.do == "shield":
        out["shield_moved"] = True
    if action.do == "energy":
        out["energy_booked"] = sorted(state.turn.booked | {"loss"})
    end = next((m.to[0] for m in moves if m.piece == mine and m.to), None)
    if action.do in WALKS and end is not None:
        out |= _arrived(state, me, end)
    return out


def _walked(state: MagalonState, action: Action, move: PieceMove) -> bool:
    """Whether a piece went its own way by this action (a displaced wizard did not)."""
    own = move.piece == f"wizard/{state.to_act}" and action.do in WALKS
    black = move.piece in state.attackers and action.do in ("goblin", "giant")
    return bool(move.origin and move.to) and (own or black)


def _way(move: PieceMove) -> dict[str, Any]:
    part = {"to": move.to[0], "closed": []}
    return {"from": move.origin[0], "parts": [part], "done": True}


def _arrived(state: MagalonState, me: str, end: str) -> dict[str, Any]:
    held = state.items[me]
    for item in ITEMS:
        if state.setup.items.get(item) == end and item not in held:
            return {"items": {me: [i for i in ITEMS if i in held or i == item]}}
    finished = end == state.setup.start and held >= set(ITEMS)
    return {"winner": me} if finished and state.energy[me] >= FINISH_ENERGY else {}
