"""Single pieces set where they lie or stand: ``pieces`` of a position or a correction."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from engine.carcassonne.placement import (
    MEEPLE_KINDS,
    TILE,
    at_of,
    placement_of,
    pos_of,
)
from engine.carcassonne.setup import FIGURES
from engine.carcassonne.state import CarcassonneState
from engine.errors import PositionError

SIZES = {name: size for size, name in MEEPLE_KINDS.items()}


def with_pieces(state: CarcassonneState, position: dict[str, Any], pieces: Any) -> dict[str, Any]:
    """A state's exported position with some pieces elsewhere; raises PositionError.

    ``pieces``: spot (or a list with one) by piece id; null or an empty list: in hand, in the stack.
    """
    if not isinstance(pieces, Mapping):
        raise PositionError('"pieces" of the position must map piece ids to spots')
    known = placement_of(state)
    where = dict(known.pieces)
    for piece, value in pieces.items():
        if piece not in where:
            raise PositionError(
                f'"pieces" of the position names a piece {piece!r} that is not there'
            )
        where[piece] = _spots(piece, value)
    out = dict(position)
    deck = Counter(position["deck"])
    hands = {c: dict(hand) for c, hand in position["hands"].items()}
    out["tiles"], out["meeples"] = [], []
    for piece, spots in where.items():
        info = known.infos[piece]
        came = bool(spots) - bool(known.pieces[piece])
        if info.kind.startswith(TILE):
            deck[info.kind.removeprefix(TILE)] -= came
            if spots:
                out["tiles"].append(_tile(state, info.kind, spots[0], known.pieces[piece]))
        elif info.kind in FIGURES:
            out["figures"] = out["figures"] | {info.kind: _on(spots[0]) if spots else None}
        elif info.colour is not None:
            size = SIZES[info.kind]
            hands[info.colour][size] -= came
            if spots:
                number = int(piece.rpartition("/")[2])
                entry = {"player": info.colour, "kind": size, "n": number}
                out["meeples"].append(entry | _on(spots[0]))
    out["deck"] = {tile: count for tile, count in deck.items() if count > 0}
    out["hands"] = hands
    if "turn" in out and list(out["turn"]["pos"]) not in [t["pos"] for t in out["tiles"]]:
        del out["turn"]  # the tile of this turn is no longer there
    return out


def _spots(piece: str, value: Any) -> tuple[str, ...]:
    spots = () if value is None else (value,) if isinstance(value, str) else tuple(value)
    mark = "@" if piece.startswith(TILE) else ":"
    try:
        if len(spots) > 1 or any(mark not in s for s in spots):
            raise ValueError
        for spot in spots:
            pos_of(spot)
            if mark == "@":
                int(spot.partition("@")[2])
    except (TypeError, ValueError) as error:
        example = '"1,0@90"' if mark == "@" else '"1,0:EW"'
        raise PositionError(f"{piece} needs a spot such as {example}, or null") from error
    return spots


def _tile(state: CarcassonneState, kind: str, spot: str, before: tuple[str, ...]) -> dict[str, Any]:
    """A tile as it lies; one that stays keeps its exact kind and turn."""
    pos = pos_of(spot)
    if before == (spot,):
        face = state.map.placed[pos].face
        return {"tile": face.tile, "rot": face.rot, "pos": list(pos)}
    rot = int(spot.partition("@")[2])
    return {"tile": kind.removeprefix(TILE), "rot": rot, "pos": list(pos)}


def _on(spot: str) -> dict[str, Any]:
    return {"pos": list(pos_of(spot)), "at": at_of(spot)}
