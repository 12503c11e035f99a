"""The placement that a state expects on the table."""

from __future__ import annotations

from engine.grailnah.setup import SPECIALS
from engine.grailnah.state import GrailnahState, kind_of, owner_of
from engine.placement import PieceInfo, Placement


def placement_of(state: GrailnahState) -> Placement:
    """Castles, pawns, Merlin and Morgane; a sacrificed knight is off the board."""
    setup = state.setup
    colours = {i.kind: i.colour for i in setup.board.inventory if i.kind in SPECIALS}
    pieces: dict[str, tuple[str, ...]] = {
        f"castle/{c}": (cell,) for c, cell in setup.castles.items()
    }
    pieces |= {p: () if cell is None else (cell,) for p, cell in state.pieces.items()}
    infos = {
        p: PieceInfo(p, kind_of(p), colours.get(p) if p in SPECIALS else owner_of(p))
        for p in pieces
    }
    return Placement(pieces, infos, frozenset(setup.castle_at))
