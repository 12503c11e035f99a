"""What a late referee of Grailnah has to be told, and the position that follows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.board import Board
from engine.game import Header
from engine.grailnah.setup import SPECIALS, make_setup
from engine.joining import JoinQuestion
from engine.placement import Placement
from engine.verdict import Message

NONE = "–"


def questions(
    header: Header, board: Board, placement: Placement, answers: Mapping[str, Any]
) -> tuple[JoinQuestion, ...]:
    """Who moves, and whether the last move was Merlin's or Morgane's (G-23, G-28)."""
    seats = make_setup(header, board).seats
    last = Message("join.last_special", "Who was moved last?")
    return (
        JoinQuestion("to_move", Message("join.to_move", "Who moves now?"), "one", seats[0], seats),
        JoinQuestion("last_special", last, "one", NONE, (NONE, *SPECIALS)),
    )


def position(header: Header, placement: Placement, answers: Mapping[str, Any]) -> dict[str, Any]:
    """The position of pieces and answers; nobody is taken to have moved Merlin twice running."""
    special = answers["last_special"]
    return {
        "pieces": {p: spots[0] if spots else None for p, spots in placement.pieces.items()},
        "to_move": answers["to_move"],
        "last_special": None if special == NONE else special,
    }
