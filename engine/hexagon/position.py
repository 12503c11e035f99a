"""Positions: the JSON form from which any game of Das Magische Hexagon can be resumed.

Keys: ``phase`` ("placing", "moving" or "over"), ``to_move``, ``pieces``, ``scores`` (points per
player), ``burnt`` (revealed values per owner), ``last_crossing`` ({piece, from, to, by, age}, null, or
the list of them when two may not be reversed yet), ``pending_burnt`` (flame cells whose wisdoms are
still to be turned over); ``placed_values`` and ``winner`` where they are set.  A draw is "over" without a winner.

Everything may be left out.  Wizards that are not named stand on their start cells while wisdoms are
placed; later whatever is not named is off the board.  No value lies under any named piece.
"""

from __future__ import annotations

from typing import Any

from engine.board import Board
from engine.errors import PositionError
from engine.game import Header
from engine.hexagon.position_read import Reader
from engine.hexagon.setup import Setup, make_setup
from engine.hexagon.state import Crossing, HexagonState, Phase


def start(header: Header, board: Board) -> HexagonState:
    """The state of a header; raises PositionError with one sentence."""
    setup = make_setup(header, board)
    if header.position is not None:
        return Reader(setup, header.position).read()
    for colour in setup.seats:
        cells, wizards = len(setup.starts[colour]), setup.wizards[colour]
        if cells < wizards:
            raise PositionError(
                f"the board has {cells} start cells for {wizards} {colour} wizards; mark more of "
                "them in the board file, or give a position"
            )
    return beginning(setup)


def beginning(setup: Setup) -> HexagonState:
    """The starting position (H-1, H-2): wizards on their start cells, wisdoms in hand."""
    pieces: dict[str, str | None] = dict.fromkeys(setup.piece_ids)
    for colour in setup.seats:
        for n, cell in enumerate(setup.starts[colour][: setup.wizards[colour]], 1):
            pieces[f"wizard/{colour}/{n}"] = cell
    return HexagonState(
        setup=setup,
        pieces=pieces,
        phase=Phase.PLACING if any(setup.wisdoms.values()) else Phase.MOVING,
        to_move=setup.seats[0],
        points=dict.fromkeys(setup.seats, 0),
        burnt=dict.fromkeys(setup.seats, ()),
        placed=dict.fromkeys(setup.seats, ()),
    )


def export(state: HexagonState) -> dict[str, Any]:
    """The position of a state; ``start`` with it gives an equal state."""
    out: dict[str, Any] = {
        "phase": state.phase.value,
        "to_move": state.to_move,
        "pieces": dict(state.pieces),
        "scores": dict(state.points),
        "burnt": {c: list(values) for c, values in state.burnt.items()},
        "last_crossing": _crossings(state),
        "pending_burnt": list(state.pending),
    }
    if any(state.placed.values()):
        out["placed_values"] = {c: list(values) for c, values in state.placed.items()}
    if state.winner is not None:
        out["winner"] = state.winner
    return out


def _crossings(state: HexagonState) -> Any:
    found = [_crossing(c) for c in state.crossings]
    return None if not found else found[0] if len(found) == 1 else found


def _crossing(crossing: Crossing) -> dict[str, Any]:
    return {
        "piece": crossing.piece,
        "from": crossing.origin,
        "to": crossing.to,
        "by": crossing.by,
        "age": crossing.age,
    }
