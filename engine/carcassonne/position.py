"""Positions: the JSON form from which any game of Carcassonne can be resumed.

Keys: ``tiles`` ([{tile, rot, pos}] in the order of placement), ``meeples`` ([{player, kind,
n, feature, at, pos}], n telling equal ones apart), ``figures`` ({mage, witch}: {pos, at} or null), ``hands`` ({colour: {small,
large}}), ``deck`` ({tile: count}), ``set_aside`` (tile ids), ``scores`` ({colour: points}),
``points`` ({colour: {Road, City, Monastery, Field, before}}), ``to_move``, ``turn`` ({pos, meeple,
duty, moved}) and ``over``; ``pieces`` ({piece id: spot or null}, as in the placement) sets single
pieces over all that.  Everything may be left out: then it is as at the beginning, the deck
is what the sets have besides the tiles named, and hands are full but for the meeples named.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from engine.carcassonne.faces import Kind
from engine.carcassonne.position_pieces import with_pieces
from engine.carcassonne.position_read import Reader
from engine.carcassonne.setup import FIGURES, Setup, make_setup
from engine.carcassonne.state import CarcassonneState, Spot
from engine.carcassonne.tilemap import EMPTY_MAP
from engine.carcassonne.tiles import faces, start_tile
from engine.errors import PositionError
from engine.game import Header

POINT_KINDS = (*(k.value for k in Kind), "before")


def start(header: Header) -> CarcassonneState:
    """The state of a header; raises PositionError or BoardwardenError with one sentence."""
    setup = make_setup(header)
    first = beginning(setup)
    if header.position is None:
        return first
    raw = header.position
    if isinstance(raw, Mapping) and "pieces" in raw:
        rest = {key: value for key, value in raw.items() if key != "pieces"}
        before = Reader(setup, rest).read(first)
        raw = with_pieces(before, export(before), raw["pieces"])
    return Reader(setup, raw).read(first)


def beginning(setup: Setup) -> CarcassonneState:
    """The start tile on the table, everybody with a full hand."""
    tile = start_tile()
    deck = Counter(setup.counts)
    if not deck[tile]:
        raise PositionError(f"the sets have no start tile {tile}; name the tiles in the position")
    deck[tile] -= 1
    return CarcassonneState(
        setup=setup,
        map=EMPTY_MAP.place(faces(tile)[0], (0, 0)),
        deck=dict(deck),
        hands={c: setup.full_hand() for c in setup.seats},
        points={c: dict.fromkeys(POINT_KINDS, 0) for c in setup.seats},
        to_move=setup.seats[0],
        figures=dict.fromkeys(FIGURES),
    )


def export(state: CarcassonneState) -> dict[str, Any]:
    """The position of a state; ``start`` with it gives an equal state."""
    placed = [state.map.placed[pos] for pos in state.map.order]
    turn = state.turn
    out: dict[str, Any] = {
        "tiles": [{"tile": p.tile, "rot": p.face.rot, "pos": list(p.pos)} for p in placed],
        "meeples": [
            {"player": m.owner, "kind": m.kind, "n": m.number, **_feature(state, spot)}
            for spot, m in state.meeples.items()
        ],
        "figures": {
            who: None if spot is None else _feature(state, spot)
            for who, spot in state.figures.items()
        },
        "hands": {c: dict(hand) for c, hand in state.hands.items()},
        "deck": {tile: count for tile, count in state.deck.items() if count},
        "set_aside": list(state.set_aside),
        "scores": {c: state.total(c) for c in state.setup.seats},
        "points": {c: dict(p) for c, p in state.points.items()},
        "to_move": state.to_move,
    }
    if turn.tile is not None:
        out["turn"] = {
            "pos": list(turn.tile), "meeple": turn.meeple,
            "duty": sorted(turn.duty), "moved": turn.moved,
        }  # fmt: skip
    if state.over:
        out["over"] = True
    return out


def _feature(state: CarcassonneState, spot: Spot) -> dict[str, Any]:
    pos, number = spot
    feature = state.map.placed[pos].face.features[number]
    return {"feature": feature.kind.value, "at": feature.at, "pos": list(pos)}
