"""Reads the arguments of an action; anything malformed becomes a kindly refusal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.grailnah.messages import say
from engine.grailnah.setup import KNIGHTS
from engine.grailnah.state import GrailnahState
from engine.outcome import Refusal


def malformed(state: GrailnahState, what: str) -> Refusal:
    """The refusal of an action that cannot be understood."""
    return Refusal(None, (), say(state.setup, "malformed", what=what))


def cell_arg(state: GrailnahState, args: Mapping[str, Any]) -> str:
    """The id of an existing cell under "to"."""
    value = args.get("to")
    if not isinstance(value, str):
        raise malformed(state, '"to" must be the id of a cell')
    if value not in state.setup.board.cells:
        raise malformed(state, f"there is no cell {value[:40]!r} on this board")
    return value


def pawn_arg(state: GrailnahState, args: Mapping[str, Any], key: str = "piece") -> str:
    """The id of a pawn of this game."""
    value = args.get(key)
    if isinstance(value, str) and value in state.pieces and "/" in value:
        return value
    if isinstance(value, str) and value.removeprefix("castle/") in state.setup.castles:
        cell = state.setup.castles[value.removeprefix("castle/")]
        raise Refusal("G-4", (cell,), say(state.setup, "castle_stays", piece=value, origin=cell))
    own = state.setup.pawns(state.to_move)
    raise malformed(state, f'"{key}" must be the id of a pawn such as {own[0]} or {own[-1]}')


def count_arg(state: GrailnahState, args: Mapping[str, Any]) -> int:
    """A number of knights, 1 to 4."""
    value = args.get("count")
    if isinstance(value, bool) or not isinstance(value, int):
        raise malformed(state, '"count" must be a whole number')
    if not 1 <= value <= KNIGHTS:
        raise Refusal("G-35", (), say(state.setup, "count_range", total=KNIGHTS))
    return value
