"""Moves of pieces in words."""

from __future__ import annotations

from collections.abc import Sequence

from companion_app.texts import piece_name, spot_name, t
from engine.placement import PieceMove

NAMED = 3


def move_text(move: PieceMove) -> str:
    """Where a piece goes or stands; that it is off the board."""
    piece = piece_name(move.piece)
    if not move.to:
        return t("table.move_off", piece=piece)
    return t("table.move_to", piece=piece, spot=spot_name(move.to))


def seen_text(move: PieceMove) -> str:
    """Where a piece was seen, or that it was not."""
    if not move.to:
        return t("table.gone", piece=piece_name(move.piece))
    return move_text(move)


def differing_text(moves: Sequence[PieceMove]) -> str:
    """What the table shows elsewhere: the first few, and how many more."""
    said = ", ".join(seen_text(m) for m in moves[:NAMED])
    more = len(moves) - NAMED
    if more > 0:
        said = t("table.and_more", said=said, n=more)
    return t("table.differs", moves=said)
