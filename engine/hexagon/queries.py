"""Small questions about a state, for the referee and the screens."""

from __future__ import annotations

from engine.action import Action
from engine.hexagon.legal import action_of, changes, changes_from
from engine.hexagon.sight import meant
from engine.hexagon.state import HexagonState, Phase, owner_of

__all__ = ["drag_action", "must_pass"]


def must_pass(state: HexagonState) -> bool:
    """Whether the player to move cannot move at all (H-A22)."""
    moving = state.phase is Phase.MOVING and not state.pending
    return moving and next(changes(state), None) is None


def drag_action(state: HexagonState, piece: str, to: str) -> Action:
    """What is meant by a piece taken from where it stands to a cell: a legal action where there is
    one, else the most natural one, to hear what is wrong with it."""
    owner, origin = owner_of(piece), state.pieces[piece]
    if origin is None:
        return Action(owner, "place", {"to": to})
    if piece.startswith(f"wizard/{state.to_act}/"):
        found = [change for change in changes_from(state, origin) if change.to == to]
        if found:
            # Where both would do, a step across the border is meant rather than a row of jumps.
            change = meant(state, found) or found[0]
            steps = [c for c in found if c.do == "push"]
            return action_of(state, steps[0] if steps else change)
    player = owner if piece.startswith("wizard/") else state.to_act
    if state.setup.grid.direction(origin, to) is not None:
        return Action(player, "push", {"from": origin, "to": to})
    return Action(player, "jump", {"from": origin, "to": to})
