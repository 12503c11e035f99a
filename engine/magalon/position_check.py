"""Whether a game could have come to a position at all."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.errors import PositionError
from engine.magalon.ruins import same_shape
from engine.magalon.state import CARDS, MagalonState


def check(state: MagalonState, raw: Mapping[str, Any]) -> None:
    """Raises PositionError with one sentence for an impossible position."""
    _check_cells(state)
    _check_ruins(state)
    _check_cards(state)
    _check_table(state)
    to_move = raw.get("to_move")
    if to_move is not None and to_move != state.to_act:
        raise PositionError(
            f"position: to_move says {to_move}, but it is the turn of {state.to_act}"
        )


def _check_cells(state: MagalonState) -> None:
    setup = state.setup
    taken: dict[str, str] = {}
    shared = {setup.start} | (set(setup.items.values()) if setup.option("M-A6") == "b" else set())
    for piece, cell in state.pieces.items():
        if cell is None:
            if piece.startswith("wizard/"):
                raise PositionError(f"position: {piece} must stand on the board")
            continue
        special = bool(setup.bit(cell) & setup.special)
        if special and not piece.startswith("wizard/"):
            raise PositionError(f"position: {piece} may not stand on {cell}")
        if cell in taken and cell not in shared:
            raise PositionError(f"position: {piece} and {taken[cell]} both stand on {cell}")
        taken[cell] = piece
    for n, cells in enumerate(state.ruins, 1):
        for cell in sorted(cells):
            if setup.bit(cell) & setup.special:
                raise PositionError(f"position: ruin/{n} may not lie on {cell}")
            if cell in taken:
                raise PositionError(f"position: ruin/{n} and {taken[cell]} both cover {cell}")
            taken[cell] = f"ruin/{n}"


def _check_ruins(state: MagalonState) -> None:
    marks = state.setup.board.raw.get("ruin_start", ())
    for n, (cells, mark) in enumerate(zip(state.ruins, marks, strict=False), 1):
        if cells and not same_shape(state.setup.lattice, frozenset(mark), cells):
            raise PositionError(f"position: ruin/{n} does not have the shape of a ruin")


def _check_cards(state: MagalonState) -> None:
    for colour in state.setup.seats:
        card = state.card(colour)
        lies = set() if card is None else {card}
        if colour in state.acted and card not in (None, 4):
            lies = set()  # turned face down, or back in hand with the 0
        hand, down = state.hands[colour], state.played[colour]
        total = len(hand) + len(down) + len(lies)
        if hand | down | lies != CARDS or total != len(CARDS):
            raise PositionError(
                f"position: hand, played and laid cards of {colour} are not 0 to 10, each once"
            )


def _check_table(state: MagalonState) -> None:
    order = state.laying_order[: len(state.table)]
    if tuple(c for c, _ in state.table) != order or len(state.table) > len(state.setup.seats):
        raise PositionError(
            f"position: the cards on the table must be laid clockwise from {state.first_layer}"
        )
    laid = [card for _, card in state.table if card is not None]
    if len(set(laid)) != len(laid):
        raise PositionError("position: two cards of the same value lie on the table")
    if state.acted:
        if state.laying:
            raise PositionError("position: somebody has acted before all cards were laid")
        if state.acted != state.acting_order[: len(state.acted)]:
            raise PositionError("position: acted must follow the cards in descending order")
        if len(state.acted) == len(state.acting_order):
            raise PositionError("position: all have acted, so the next round has begun")
    has_turn = state.turn != type(state.turn)()
    if has_turn and state.laying:
        raise PositionError("position: a turn has begun before all cards were laid")
