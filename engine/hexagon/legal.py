"""Every legal action of a position."""

from __future__ import annotations

from collections.abc import Iterator

from engine.action import Action
from engine.hexagon.grid import DIRECTIONS
from engine.hexagon.jumping import jumps
from engine.hexagon.moves import Change
from engine.hexagon.pushing import push
from engine.hexagon.state import HexagonState, Phase
from engine.outcome import Refusal


def changes(state: HexagonState) -> Iterator[Change]:
    """One change for every result that a move of the player to move can have; of several jump
    paths with the same end and the same consequence a shortest one."""
    if state.phase is not Phase.MOVING or state.pending:
        return
    prefix = f"wizard/{state.to_move}/"
    for piece, cell in state.pieces.items():
        if cell is not None and piece.startswith(prefix):
            yield from changes_from(state, cell)


def pushes(state: HexagonState) -> Iterator[Change]:
    """All legal single steps of the player to move."""
    for piece, cell in state.pieces.items():
        if cell is not None and piece.startswith(f"wizard/{state.to_move}/"):
            yield from pushes_from(state, cell)


def pushes_from(state: HexagonState, origin: str) -> Iterator[Change]:
    """The legal single steps of the wizard on one cell."""
    for direction in DIRECTIONS:
        try:
            yield push(state, origin, direction)
        except Refusal:
            continue


def changes_from(state: HexagonState, origin: str) -> Iterator[Change]:
    """The changes that the wizard on one cell can make."""
    yield from pushes_from(state, origin)
    yield from jumps(state, origin)


def free_cells(state: HexagonState) -> tuple[str, ...]:
    """Cells on which a wisdom may be placed (H-3), in the order of the board file."""
    taken, flames = state.at, state.setup.flames
    return tuple(c for c in state.setup.board.cells if c not in taken and c not in flames)


def action_of(state: HexagonState, change: Change) -> Action:
    """The record's action for a change."""
    if change.do == "push":
        return Action(state.to_move, "push", {"from": change.origin, "to": change.to})
    return Action(state.to_move, "jump", {"from": change.origin, "path": list(change.path)})


def legal_actions(state: HexagonState) -> tuple[Action, ...]:
    """Placements, or moves, or the pass of a player who cannot move; values, draws and giving up
    are left out, as they are no choices of the rules."""
    if state.phase is Phase.PLACING:
        if not state.in_hand(state.to_move):
            return ()
        return tuple(Action(state.to_move, "place", {"to": cell}) for cell in free_cells(state))
    actions = tuple(action_of(state, change) for change in changes(state))
    if not actions and state.phase is Phase.MOVING and not state.pending:
        return (Action(state.to_move, "pass", {}),)
    return actions
