"""The placement that a state expects on the table."""

from __future__ import annotations

from engine.magalon.state import MagalonState
from engine.placement import PieceInfo, Placement, track_spot


def placement_of(state: MagalonState) -> Placement:
    """Wizards, shields, energy stones, giant, goblins and ruins of the players in the game."""
    board = state.setup.board
    pieces: dict[str, tuple[str, ...]] = {}
    infos: dict[str, PieceInfo] = {}
    colours = {i.kind: i.colour for i in board.inventory if i.kind in ("giant", "goblin", "ruin")}
    for piece, cell in state.pieces.items():
        kind, _, which = piece.partition("/")
        colour = which if kind in ("wizard", "shield") else colours.get(kind)
        pieces[piece] = () if cell is None else (cell,)
        infos[piece] = PieceInfo(piece, kind, colour)
    for n, cells in enumerate(state.ruins, 1):
        piece = f"ruin/{n}"
        pieces[piece] = tuple(sorted(cells))
        infos[piece] = PieceInfo(piece, "ruin", colours.get("ruin"))
    for colour in state.setup.seats:
        piece = f"energy_stone/{colour}"
        pieces[piece] = (track_spot(state.energy[colour]),)
        infos[piece] = PieceInfo(piece, "energy_stone", colour)
    return Placement(pieces, infos)
