"""Which tiles lie where: random maps that follow the rules, and any others."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from engine.carcassonne.faces import Face, Pos, step
from engine.carcassonne.fitting import placements
from engine.carcassonne.tilemap import EMPTY_MAP, TileMap
from engine.carcassonne.tiles import faces, plain, sets, start_tile

Rng = np.random.Generator
ALL_SETS = ("base:1", "mage_and_witch:1", "inns_and_cathedrals:1")
TILE_MM = 45.0


@dataclass(frozen=True, slots=True)
class Laid:
    """A tile on the table: ``askew`` degrees clockwise, ``off_mm`` from the middle of its place;
    ``copy`` tells apart the drawings of equal tiles."""

    face: Face
    pos: Pos
    askew: float = 0.0
    off_mm: tuple[float, float] = (0.0, 0.0)
    copy: int = 0


def deck_of(names: Sequence[str]) -> Counter[str]:
    """Tiles by kind, without the start tile."""
    deck: Counter[str] = Counter()
    for name in names:
        for tile, count in sets()[name].items():
            deck[plain(tile)] += count
    deck[start_tile()] -= 1
    return deck


def random_map(rng: Rng, count: int, names: Sequence[str] = ALL_SETS, spread: int = 6) -> TileMap:
    """``count`` tiles laid one after the other as the rules allow, none farther than ``spread``."""
    dice = random.Random(int(rng.integers(2**31)))
    deck = deck_of(names)
    tilemap = EMPTY_MAP.place(faces(start_tile())[0], (0, 0))
    tries = 0
    while len(tilemap.order) < count and tries < 4 * count:
        tries += 1
        left = [t for t, n in deck.items() if n > 0]
        if not left:
            break
        tile = dice.choices(left, [deck[t] for t in left])[0]
        places = [p for p in placements(tilemap, tile) if max(map(abs, p[0])) <= spread]
        if places:
            # people fill gaps rather than grow in lines
            weights = [_touching(tilemap, p[0]) ** 2 for p in places]
            pos, rot = dice.choices(places, weights)[0]
            tilemap = tilemap.place(faces(tile)[rot // 90], pos)
            deck[tile] -= 1
    return tilemap


def _touching(tilemap: TileMap, pos: Pos) -> int:
    return sum(step(pos, side) in tilemap.placed for side in range(4))


def laid(
    tilemap: TileMap, rng: Rng | None = None, askew: float = 2.0, off_mm: float = 1.0
) -> list[Laid]:
    """The tiles of a map as they lie; with ``rng`` as crooked as people lay them."""
    out = []
    seen: Counter[str] = Counter()
    for pos in tilemap.order:
        face = tilemap.placed[pos].face
        tile = Laid(face, pos, copy=seen[face.tile])
        seen[face.tile] += 1
        if rng is not None:
            off = np.clip(rng.normal(0, off_mm, 2), -4, 4)
            turn = float(np.clip(rng.normal(0, askew), -10, 10))
            tile = replace(tile, askew=turn, off_mm=(float(off[0]), float(off[1])))
        out.append(tile)
    return out
