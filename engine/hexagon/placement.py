"""The placement that a state expects on the table."""

from __future__ import annotations

from engine.hexagon.state import HexagonState
from engine.placement import PieceInfo, Placement


def placement_of(state: HexagonState) -> Placement:
    """All wizards and wisdoms; the score markers lie beside the cells and follow no rule."""
    pieces = {p: () if cell is None else (cell,) for p, cell in state.pieces.items()}
    infos = {}
    for piece in pieces:
        kind, colour, _ = piece.split("/")
        infos[piece] = PieceInfo(piece, kind, colour)
    return Placement(pieces, infos)
