"""Reads the arguments of an action; anything malformed becomes a kindly refusal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.hexagon.messages import say
from engine.hexagon.state import HexagonState
from engine.outcome import Refusal


def malformed(what: str) -> Refusal:
    """The refusal of an action that cannot be understood."""
    return Refusal(None, (), say("malformed", what=what))


def cell_of(state: HexagonState, value: Any, key: str) -> str:
    """The id of an existing cell."""
    if not isinstance(value, str):
        raise malformed(f'"{key}" must be the id of a cell')
    if value not in state.setup.board.cells:
        raise malformed(f"there is no cell {value[:40]!r} on this board")
    return value


def cell_arg(state: HexagonState, args: Mapping[str, Any], key: str) -> str:
    """The cell under a key."""
    return cell_of(state, args.get(key), key)


def path_arg(state: HexagonState, args: Mapping[str, Any], origin: str) -> tuple[str, ...]:
    """The cells of ``path`` after the first jump's beginning; empty when there is none."""
    value = args.get("path")
    if value is None:
        return ()
    if not isinstance(value, (list, tuple)) or not value:
        raise malformed('"path" must be the list of the cells that the jumps reach')
    path = tuple(cell_of(state, v, "path") for v in value)
    if path[0] == origin and len(path) > 1:
        path = path[1:]
    if len(path) > 10 * len(state.setup.board.cells):
        raise malformed('"path" is too long')
    return path


def wizard_arg(state: HexagonState, player: str, args: Mapping[str, Any]) -> str:
    """The cell under ``from``, on which one of the player's own wizards stands (H-8)."""
    origin = cell_arg(state, args, "from")
    piece = state.at.get(origin)
    if piece is None:
        raise Refusal("H-8", (origin,), say("nothing_there", cell=origin))
    if not piece.startswith(f"wizard/{player}/"):
        message = say("not_yours", by=piece, player=player, origin=origin)
        raise Refusal("H-8", (origin,), message)
    return origin


def named_cells(state: HexagonState, args: Mapping[str, Any]) -> tuple[str, ...]:
    """The cells of the board that an action speaks of, for refusals that look no further."""
    path = args.get("path")
    named = [args.get("from"), args.get("to"), *(path if isinstance(path, (list, tuple)) else ())]
    cells = state.setup.board.cells
    return tuple(dict.fromkeys(c for c in named if isinstance(c, str) and c in cells))
