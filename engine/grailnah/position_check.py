"""Whether a game could have come to a position at all."""

from __future__ import annotations

from engine.errors import PositionError
from engine.grailnah.setup import ROYALS, SPECIALS
from engine.grailnah.state import GrailnahState, kind_of, owner_of


def check(state: GrailnahState) -> None:
    """Raises PositionError with one sentence for an impossible position."""
    for cell, pieces in state.at.items():
        if cell in state.setup.castle_at:
            _check_castle(state, cell, pieces)
        elif cell == state.setup.rings.goal:
            _check_goal(pieces)
        elif cell in state.setup.rings.stairs:
            _check_stair(state, cell, pieces)
        else:
            _check_cell(state, cell, pieces)
    _check_turn(state)


def _check_castle(state: GrailnahState, cell: str, pieces: tuple[str, ...]) -> None:
    foreign = state.setup.option("G-A25") == "b"
    for piece in pieces:
        if piece in SPECIALS:
            raise PositionError(f"position: {piece} may not stand in a castle")
        knight = kind_of(piece) == "knight"
        if knight and not foreign and owner_of(piece) != state.setup.castle_at[cell]:
            raise PositionError(f"position: {piece} stands in a foreign castle")


def _check_goal(pieces: tuple[str, ...]) -> None:
    pawns = [p for p in pieces if p not in SPECIALS]
    if len(pawns) > 1 or any(kind_of(p) in ROYALS for p in pawns):
        raise PositionError(
            "position: the centre holds one knight at most, besides Merlin and Morgane"
        )


def _check_stair(state: GrailnahState, cell: str, pieces: tuple[str, ...]) -> None:
    """One piece at most (G-A7).  A knight or Merlin that stands there is taken as it is: no move
    leads there (G-A39), but nothing forbids to begin so, and the rules' first example does."""
    owners = [owner_of(p) for p in pieces]
    crowded = len(set(owners)) < len(owners) or state.setup.option("G-A7") == "a"
    if len(pieces) > 1 and crowded:
        raise PositionError(f"position: {' and '.join(pieces)} stand on one stair")


def _check_cell(state: GrailnahState, cell: str, pieces: tuple[str, ...]) -> None:
    setup = state.setup
    inside = cell in setup.rings.inside
    for piece in pieces:
        if kind_of(piece) in ROYALS and inside:
            raise PositionError(f"position: {piece} may not stand inside the magic circle")
        if piece == "morgane" and not inside and setup.option("G-A18") == "a":
            raise PositionError("position: morgane must stand inside the magic circle")
    if len(pieces) == 1:
        return
    names = " and ".join(pieces)
    if any(p in SPECIALS for p in pieces):
        raise PositionError(f"position: {names} cannot share {cell}")
    if len(pieces) > 2 and setup.option("G-A3") == "a":
        raise PositionError(f"position: {names} are too many on {cell}")
    owners = [str(owner_of(p)) for p in pieces]
    pairs = [(a, b) for n, a in enumerate(owners) for b in owners[n + 1 :]]
    if setup.option("G-A4") == "a" and any(setup.friends(a, b) for a, b in pairs):
        raise PositionError(f"position: {names} of one player cannot share {cell}")


def _check_turn(state: GrailnahState) -> None:
    if len(state.setup.seats) - len(state.resigned) < 1:
        raise PositionError("position: everybody has resigned")
    if state.to_move in state.resigned and not state.over:
        raise PositionError(f"position: it cannot be the turn of {state.to_move}, who has resigned")
    if state.may_recover is not None and state.royal_castle(state.may_recover) is None:
        raise PositionError(
            f"position: {state.may_recover} may recover only with both royals in a foreign castle"
        )
