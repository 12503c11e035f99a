"""The placement that a state expects on the table.

Spots: ``"x,y@90"`` for a tile in its least equal turn, ``"x,y:EW"`` or ``"x,y:NL.NR"`` for what
stands on a feature of the tile there (``at`` of the record).  Pieces: ``tile/BA/RCr/2`` (the second
of its kind to be placed), ``meeple/red/3``, ``large_meeple/red/1``, ``mage``, ``witch``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from engine.carcassonne.faces import Face, Pos, cell
from engine.carcassonne.setup import LARGE, SMALL
from engine.carcassonne.state import CarcassonneState, Spot
from engine.carcassonne.tiles import faces, least_turn, plain
from engine.placement import PieceInfo, Placement

MEEPLE_KINDS = {SMALL: "meeple", LARGE: "large_meeple"}
TILE = "tile/"
_MADE = "_placement"

Put = Callable[..., None]


def tile_spot(face: Face, pos: Pos) -> str:
    """The spot of a tile that lies as ``face`` does."""
    return f"{cell(pos)}@{least_turn(face.tile, face.rot)}"


def feature_spot(state: CarcassonneState, spot: Spot) -> str:
    """The spot of what stands on a feature."""
    pos, number = spot
    return f"{cell(pos)}:{state.map.placed[pos].face.features[number].at}"


def pos_of(spot: str) -> Pos:
    """The place of a spot."""
    x, _, y = spot.partition("@")[0].partition(":")[0].partition(",")
    return int(x), int(y)


def tile_of(spot: str, kind: str) -> Face:
    """The face that a tile's spot and piece kind mean."""
    return faces(kind.removeprefix(TILE))[int(spot.partition("@")[2]) // 90]


def at_of(spot: str) -> str:
    """Where on its tile a meeple's spot is, as ``at`` of the record."""
    return spot.partition(":")[2]


def placement_of(state: CarcassonneState) -> Placement:
    """Every tile, meeple and figure of the game; an empty tuple is in hand or in the stack.

    Made once for a state, which never changes: the referee asks for it again and again.
    """
    known: Placement | None = vars(state).get(_MADE)
    if known is None:
        known = vars(state)[_MADE] = _made(state)
    return known


def _made(state: CarcassonneState) -> Placement:
    pieces: dict[str, tuple[str, ...]] = {}
    infos: dict[str, PieceInfo] = {}

    def put(piece: str, kind: str, colour: str | None, *spots: str) -> None:
        pieces[piece], infos[piece] = spots, PieceInfo(piece, kind, colour)

    seen: Counter[str] = Counter()
    for pos in state.map.order:
        placed = state.map.placed[pos]
        kind = TILE + plain(placed.tile)
        seen[kind] += 1
        put(f"{kind}/{seen[kind]}", kind, None, tile_spot(placed.face, pos))
    aside = Counter(plain(tile) for tile in state.set_aside)
    for tile in dict.fromkeys((*state.deck, *aside)):
        kind = TILE + tile
        for _ in range(state.deck.get(tile, 0) + aside[tile]):
            seen[kind] += 1
            put(f"{kind}/{seen[kind]}", kind, None)
    _put_meeples(state, put)
    for who, spot in state.figures.items() if state.setup.magic else ():
        put(who, who, None, *(() if spot is None else (feature_spot(state, spot),)))
    return Placement(pieces, infos)


def _put_meeples(state: CarcassonneState, put: Put) -> None:
    """The meeples of everybody, and one more of each: it counts on the scoring track, or lies in the
    box, and is seen on the map only when somebody takes it from there (C-3)."""
    standing = {
        (m.owner, m.kind, m.number): feature_spot(state, spot) for spot, m in state.meeples.items()
    }
    for colour, hand in state.hands.items():
        for size, held in hand.items():
            out = [n for owner, kind, n in standing if (owner, kind) == (colour, size)]
            kind, most = MEEPLE_KINDS[size], state.setup.full_hand().get(size, 0) + 1
            for number in range(1, max([most, held + len(out), *out]) + 1):
                spot = standing.get((colour, size, number))
                spots = () if spot is None else (spot,)
                put(f"{kind}/{colour}/{number}", kind, colour, *spots)
