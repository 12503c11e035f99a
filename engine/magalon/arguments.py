"""Reads the arguments of an action; anything malformed becomes a kindly refusal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.magalon.messages import say
from engine.magalon.outcome import Refusal
from engine.magalon.setup import ITEMS
from engine.magalon.state import MagalonState


def malformed(what: str) -> Refusal:
    """The refusal of an action that cannot be understood."""
    return Refusal(None, (), say("malformed", what=what))


def cell_arg(state: MagalonState, args: Mapping[str, Any], key: str = "to") -> str:
    """The id of an existing cell."""
    return _cell(state, args.get(key), key)


def _cell(state: MagalonState, value: Any, key: str) -> str:
    if not isinstance(value, str):
        raise malformed(f'"{key}" must be the id of a cell')
    if value not in state.setup.board.cells:
        raise malformed(f"there is no cell {value[:40]!r} on this board")
    return value


def via_arg(state: MagalonState, args: Mapping[str, Any]) -> tuple[str, ...] | None:
    """All cells in between, or None when they are not given."""
    value = args.get("via")
    if value is None:
        return None
    if not isinstance(value, (list, tuple)):
        raise malformed('"via" must be the list of the cells in between')
    return tuple(_cell(state, v, "via") for v in value)


def cells_arg(state: MagalonState, args: Mapping[str, Any]) -> frozenset[str]:
    """The cells of a ruin."""
    value = args.get("to")
    if not isinstance(value, (list, tuple)) or not value:
        raise malformed('"to" must be the list of the cells that the ruin covers')
    cells = frozenset(_cell(state, v, "to") for v in value)
    if len(cells) != len(value):
        raise malformed('"to" names a cell twice')
    return cells


def whole_arg(args: Mapping[str, Any], key: str) -> int:
    """A whole number."""
    value = args.get(key)
    if isinstance(value, bool) or not isinstance(value, int):
        raise malformed(f'"{key}" must be a whole number')
    return value


def ruin_arg(state: MagalonState, args: Mapping[str, Any]) -> int:
    """The index (from 0) of a ruin given as ``ruin/3``, ``"3"`` or 3."""
    value = args.get("ruin")
    text = str(value).removeprefix("ruin/") if not isinstance(value, bool) else ""
    if isinstance(value, (str, int)) and text.isascii() and text.isdigit() and len(text) < 4:
        n = int(text)
        if 1 <= n <= len(state.ruins):
            if not state.ruins[n - 1]:
                raise Refusal("M-1", (), say("off_board", piece=f"ruin/{n}"))
            return n - 1
    raise malformed(f'"ruin" must be ruin/1 to ruin/{len(state.ruins)}')


def piece_arg(state: MagalonState, args: Mapping[str, Any], prefixes: tuple[str, ...]) -> str:
    """A piece id that exists and starts with one of the prefixes."""
    value = args.get("piece")
    if isinstance(value, int) and not isinstance(value, bool):
        value = f"goblin/{value}"
    if isinstance(value, str) and value in state.pieces and value.startswith(prefixes):
        return value
    names = ", ".join(p for p in state.pieces if p.startswith(prefixes))
    raise malformed(f'"piece" must be one of {names}')


def colour_arg(state: MagalonState, value: Any) -> str:
    """The colour of a player in this game."""
    if isinstance(value, str) and value in state.setup.seats:
        return value
    raise malformed(f"the players are {', '.join(state.setup.seats)}")


def item_arg(args: Mapping[str, Any]) -> str:
    """The name of an item."""
    value = args.get("item")
    if isinstance(value, str) and value in ITEMS:
        return value
    raise malformed(f'"item" must be one of {", ".join(ITEMS)}')


def dice_arg(args: Mapping[str, Any]) -> tuple[int, int]:
    """Two dice."""
    value = args.get("dice")
    if isinstance(value, (list, tuple)) and len(value) == 2:
        a, b = value
        whole = all(isinstance(v, int) and not isinstance(v, bool) for v in (a, b))
        if whole and 1 <= a <= 6 and 1 <= b <= 6:
            return a, b
    raise malformed('"dice" must be two numbers from 1 to 6')
