"""Tile after tile: where tiles lie in the picture, from one that is known to all of them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.tiles.lattice import Lattice, Place, beside, fit
from vision.tiles.memory import Looking
from vision.tiles.patch import cut_patches
from vision.types import FloatArray, Image

PRESENT = 0.0  # log-odds from which a tile is believed
REACH = 0.27  # of a tile: what lies farther off is another place's tile
STRAIGHT = 0.035  # tiles nearer than this to where they were cut need no second look
CROOKED = 0.06  # radians
MOST_TILES = 160


@dataclass(frozen=True, slots=True, eq=False)
class FoundTile:
    """A tile in the picture.

    ``at`` (4,): its middle beside the middle of its place in tiles, its angle in radians
    clockwise, the log of its size; ``present``: log-odds that a tile lies there; ``logits``: what
    the network says of the tile cut out as it lies.
    """

    place: Place
    at: NDArray[np.float64]
    present: float
    logits: FloatArray


def look_at(
    image: Image, network: Looking, lattice: Lattice, places: Iterable[Place],
    known: Mapping[Place, NDArray[np.float64]] | None = None, rounds: int = 2,
) -> dict[Place, FoundTile]:  # fmt: skip
    """What lies on these places; those that are not wholly in the picture are left out.

    ``known``: how tiles lay beside their places when last seen.  Tiles that turn out to lie
    crooked are cut out again as they lie, up to ``rounds`` looks in all.
    """
    known = known or {}
    at = {p: np.asarray(known.get(p, np.zeros(4)), float) for p in lattice.seen_of(places)}
    found: dict[Place, FoundTile] = {}
    todo = list(at)
    for number in range(rounds):
        if not todo:
            break
        centres = np.array([np.array(p) + 0.5 + at[p][:2] for p in todo])
        turns = np.array([at[p][2] for p in todo])
        patches = cut_patches(image, lattice.homography, centres, turns)
        looked = network.look(patches, [(p, number) for p in todo])
        again = []
        for n, place in enumerate(todo):
            step = looked.place[n]
            moved = _moved(at[place], step)
            present = float(looked.present[n])
            if np.abs(moved[:2]).max() > REACH + 0.15:
                present = min(present, -2.0)
            found[place] = FoundTile(place, moved, present, looked.logits[n])
            askew = np.hypot(*step[:2]) > STRAIGHT or abs(step[2]) > CROOKED
            if present > PRESENT - 2 and askew:
                at[place] = moved
                again.append(place)
        todo = again
    return found


def _moved(at: NDArray[np.float64], step: NDArray[np.float64]) -> NDArray[np.float64]:
    """A tile's place after a look at where it was thought to be."""
    c, s = np.cos(at[2]), np.sin(at[2])
    u, v = step[0], step[1]
    return np.array([at[0] + c * u - s * v, at[1] + s * u + c * v, at[2] + step[2], step[3]])


def is_tile(tile: FoundTile, least: float = PRESENT) -> bool:
    """Whether a tile is believed to lie there."""
    return tile.present > least and bool(np.abs(tile.at[:2]).max() < REACH)


def grow(
    image: Image, network: Looking, lattice: Lattice, start: Collection[Place] = ((0, 0),)
) -> tuple[Lattice, dict[Place, FoundTile]]:
    """All tiles that hang together with those at ``start``, and the lattice fitted to them."""
    found = {
        p: t for p, t in look_at(image, network, lattice, start, rounds=3).items() if is_tile(t)
    }
    rejected: set[Place] = set()
    while found and len(found) < MOST_TILES:
        lattice, found = refit(lattice, found)
        fresh = [p for p in beside(found) if p not in rejected]
        seen = look_at(image, network, lattice, fresh)
        new = {p: t for p, t in seen.items() if is_tile(t, 1.0)}
        rejected |= set(fresh) - set(new)
        if not new:
            break
        found |= new
    return lattice, found


def refit(
    lattice: Lattice, found: Mapping[Place, FoundTile]
) -> tuple[Lattice, dict[Place, FoundTile]]:
    """The lattice fitted anew, and the tiles as they lie in it."""
    fitted = fit(lattice, {p: t.at for p, t in found.items()})
    if not found:
        return fitted, {}
    middles = np.array(list(found), float) + 0.5
    at = np.array([t.at for t in found.values()])
    off = fitted.to_lattice(lattice.to_image(middles + at[:, :2])) - middles
    turns = at[:, 2] + _turns(lattice, fitted, middles)
    return fitted, {
        place: FoundTile(place, np.array([*off[n], turns[n], at[n, 3]]), tile.present, tile.logits)
        for n, (place, tile) in enumerate(found.items())
    }


def _turns(old: Lattice, new: Lattice, middles: NDArray[np.float64]) -> NDArray[np.float64]:
    """(N,) angles by which directions turn from the old lattice to the new one at places."""
    ends = np.concatenate([middles, middles + np.array([0.5, 0.0])])
    seen = new.to_lattice(old.to_image(ends))
    way = seen[len(middles) :] - seen[: len(middles)]
    return np.asarray(np.arctan2(way[:, 1], way[:, 0]))
