"""All cells that a piece can legally reach now."""

from __future__ import annotations

from engine.grailnah.moves import targets
from engine.grailnah.setup import SPECIALS
from engine.grailnah.specials import needs_sacrifice, special_targets, turn_fault
from engine.grailnah.state import GrailnahState, owner_of


def hints(state: GrailnahState, piece: str) -> tuple[str, ...]:
    """Cells to which the player to act could move a pawn of his own, Merlin or Morgane, in the
    order of the board file."""
    me = state.to_act
    if me is None or piece not in state.pieces:
        return ()
    cells: tuple[str, ...] = ()
    if piece in SPECIALS:
        held = piece == "morgane" and needs_sacrifice(state) and not state.victims(me)
        if turn_fault(state, me, piece) is None and not held:
            cells = special_targets(state, piece)
    elif owner_of(piece) == me:
        cells = targets(state, piece)
    return tuple(c for c in state.setup.board.cells if c in cells)
