"""All cells that a piece can legally reach now."""

from __future__ import annotations

from engine.hexagon.legal import changes_from, free_cells
from engine.hexagon.state import HexagonState, Phase


def hints(state: HexagonState, piece: str) -> tuple[str, ...]:
    """Cells in the order of the board file: for a wizard of the player to move where a step or
    jumps can end, for a wisdom in that player's hand where it may be placed."""
    if piece not in state.pieces or state.pending:
        return ()
    kind, owner, _ = piece.split("/")
    cell = state.pieces[piece]
    if owner != state.to_act:
        return ()
    if state.phase is Phase.PLACING:
        return free_cells(state) if kind == "wisdom" and cell is None else ()
    if kind != "wizard" or cell is None:
        return ()
    found = {change.to for change in changes_from(state, cell)}
    return tuple(c for c in state.setup.board.cells if c in found)
