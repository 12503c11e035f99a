"""What fits where: legal placements of a tile, and places that no tile fits any more."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import product

from engine.carcassonne.faces import ANY, Pos
from engine.carcassonne.tilemap import TileMap
from engine.carcassonne.tiles import faces, least_turn


@cache
def _turns_of(tile: str) -> Mapping[str, tuple[int, ...]]:
    """By the edges that are wanted the turns of a tile that fit; edges that fit none are left out.

    A turn fits its own edges with any of them not asked for: 64 entries at most, so that nothing has
    to be found out while a game goes on.
    """
    found: dict[str, tuple[int, ...]] = {}
    for face in faces(tile):
        for wanted in product(*((edge, ANY) for edge in face.edges)):
            key = "".join(wanted)
            found[key] = (*found.get(key, ()), face.rot)
    return found


def turns_that_fit(tile: str, wanted: str) -> tuple[int, ...]:
    """The turns in which a tile goes with the edges ``wanted`` (N E S W; C, R, F or "?")."""
    return _turns_of(tile).get(wanted, ())


@cache
def distinct_turns_that_fit(tile: str, wanted: str) -> tuple[int, ...]:
    """As ``turns_that_fit``, without turns that play like a smaller one."""
    return tuple(r for r in turns_that_fit(tile, wanted) if least_turn(tile, r) == r)


def placements(tilemap: TileMap, tile: str) -> Iterator[tuple[Pos, int]]:
    """Every legal (place, turn) for a tile (C-1).

    One look into a small table per empty place: a map of a hundred tiles has some eighty of them.
    """
    turns = _turns_of(tile)
    for pos, wanted in tilemap.frontier.items():
        for rot in turns.get(wanted, ()):
            yield pos, rot


def fits_somewhere(tilemap: TileMap, tile: str) -> bool:
    """Whether a tile can be placed at all (C-2)."""
    return any(turns_that_fit(tile, wanted) for wanted in set(tilemap.frontier.values()))


def dead_places(tilemap: TileMap, deck: Mapping[str, int]) -> tuple[Pos, ...]:
    """Empty places beside tiles that none of the remaining tiles fits."""
    left = [tile for tile, count in deck.items() if count]
    dead = {
        wanted
        for wanted in set(tilemap.frontier.values())
        if not any(turns_that_fit(tile, wanted) for tile in left)
    }
    return tuple(pos for pos, wanted in tilemap.frontier.items() if wanted in dead)


def tiles_for(tilemap: TileMap, pos: Pos, deck: Mapping[str, int]) -> dict[str, int]:
    """The remaining tiles that fit a place, with how many are left of each."""
    wanted = tilemap.frontier.get(pos)
    if wanted is None:
        return {}
    return {t: n for t, n in deck.items() if n and turns_that_fit(t, wanted)}
