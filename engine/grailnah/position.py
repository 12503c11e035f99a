"""Positions: the JSON form from which any game of Grailnah can be resumed.

Keys as in the design: ``pieces`` (pawns, castles, ``merlin``, ``morgane``; null: sacrificed),
``last_special`` ("merlin" or "morgane" when the last move was theirs, else null), ``merlin_run``
(own turns running with Merlin, per colour; a bare number counts for the player to move) and
``pawn_moved`` (whether a coloured pawn has been moved in this game), besides ``to_move``.  Where
they are set: ``may_recover`` (who has just brought the second royal into a castle), ``recovered``
(per colour the castle of the last recovery and which royals have not left it since),
``last_own`` (with G-A13 b), ``resigned``, ``winner`` and ``draw``.  Everything may be left out:
then it is as at the beginning of the game, and a pawn counts as moved when the pieces say so.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.board import Board
from engine.errors import PositionError
from engine.game import Header
from engine.grailnah.position_check import check
from engine.grailnah.position_read import Reader
from engine.grailnah.setup import SPECIALS, Setup, make_setup
from engine.grailnah.state import GrailnahState


def start(header: Header, board: Board) -> GrailnahState:
    """The state of a header; raises BoardwardenError with one sentence."""
    setup = make_setup(header, board)
    first = beginning(setup)
    if header.position is None:
        return first
    if not isinstance(header.position, Mapping):
        raise PositionError("the position must be an object")
    state = Reader(setup, header.position).read(first)
    check(state)
    return state


def beginning(setup: Setup) -> GrailnahState:
    """The starting position (G-3 to G-6)."""
    pieces: dict[str, str | None] = {
        pawn: setup.castles[colour] for colour in setup.seats for pawn in setup.pawns(colour)
    }
    pieces |= dict.fromkeys(SPECIALS, setup.rings.goal)
    return GrailnahState(setup, pieces, setup.first)


def export(state: GrailnahState) -> dict[str, Any]:
    """The position of a state; ``start`` with it gives an equal state."""
    setup = state.setup
    out: dict[str, Any] = {
        "pieces": {**state.pieces, **{f"castle/{c}": cell for c, cell in setup.castles.items()}},
        "to_move": state.to_move,
        "last_special": state.last_special or None,
        "merlin_run": {c: state.merlin_run.get(c, 0) for c in setup.seats},
        "pawn_moved": state.pawn_moved,
    }
    if state.may_recover:
        out["may_recover"] = state.may_recover
    if state.recovered:
        out["recovered"] = {
            c: {"castle": r.castle, "stayed": sorted(r.stayed)} for c, r in state.recovered.items()
        }
    if state.last_own:
        out["last_own"] = dict(state.last_own)
    if state.resigned:
        out["resigned"] = sorted(state.resigned)
    if state.winner:
        out["winner"] = state.winner
    if state.drawn:
        out["draw"] = True
    return out
