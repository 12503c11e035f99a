"""One picture of many tiles, apart or side by side: where each lies, and which kind it is.

Among many kinds laid out once each, what one tile is speaks against all others being it: all are
named together at least cost.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.assignment import assign
from vision.tiles.first_tile import first_tiles
from vision.tiles.growing import FoundTile, grow
from vision.tiles.lattice import Lattice, tile_corners
from vision.tiles.profile import Profile
from vision.tiles.reading import TileReader, patches_of
from vision.types import Image

SAME_TILE = 0.6  # of a side: middles so near belong to one tile
ALIKE_SIZE = 0.35  # log: all tiles of a picture are about as large
SURPLUS = 1.15  # so many times the kinds may be seen where each lies once: a box is no tile
ROW = 0.5  # of a side: tiles of one row


@dataclass(frozen=True, slots=True, eq=False)
class ShownTile:
    """A tile of the picture.  ``kind``: number of the reader's kinds; ``turn``: quarter turns
    clockwise; ``chance``: probability of the kind; ``corners_px`` (4, 2)."""

    lattice: Lattice
    found: FoundTile
    kind: int
    turn: int
    chance: float
    corners_px: NDArray[np.float64]


def shown_tiles(image: Image, reader: TileReader, most: Mapping[str, int]) -> list[ShownTile]:
    """All tiles of a picture in the order of reading, each named.

    ``most``: how many tiles of each kind there can be; where no more tiles are seen than there are
    kinds, each kind is taken to be there once.
    """
    seen = _found(image, reader)
    if not seen:
        return []
    scores = np.concatenate([reader.likelihoods(image, k, [t]) for k, t in seen])
    kinds = np.logaddexp.reduce(scores, axis=2)  # every turn is as good
    kinds = kinds - np.logaddexp.reduce(kinds, axis=1)[:, None]
    present = np.array([t.present for _, t in seen])
    chosen = _named(kinds, present, [most.get(k, 0) for k in reader.kinds])
    out = [
        ShownTile(
            lattice, tile, kind, int(np.argmax(scores[n, kind])), float(np.exp(kinds[n, kind])),
            _corners(lattice, tile),
        )
        for n, ((lattice, tile), kind) in enumerate(zip(seen, chosen, strict=True))
        if kind >= 0
    ]  # fmt: skip
    return _in_order(out)


def _found(image: Image, reader: TileReader) -> list[tuple[Lattice, FoundTile]]:
    """Every tile once, from whichever first tile it was reached."""
    seen: list[tuple[Lattice, FoundTile]] = []
    places: list[tuple[NDArray[np.float64], float]] = []
    for first, _ in first_tiles(image, reader.network, scan=False):
        middle, side = first.quad((0, 0)).mean(0), first.side_px((0, 0))
        if _known(middle, side, places):
            continue
        lattice, found = grow(image, reader.network, first)
        for tile in found.values():
            corners = _corners(lattice, tile)
            at, size = corners.mean(0), lattice.side_px(tile.place)
            if not _known(at, size, places):
                seen.append((lattice, tile))
                places.append((at, size))
    if not seen:
        return []
    usual = float(np.median([np.log(size) for _, size in places]))
    return [
        pair
        for pair, (_, size) in zip(seen, places, strict=True)
        if abs(np.log(size) - usual) < ALIKE_SIZE
    ]


def _known(
    at: NDArray[np.float64], side: float, places: list[tuple[NDArray[np.float64], float]]
) -> bool:
    return any(np.linalg.norm(at - other) < SAME_TILE * max(side, s) for other, s in places)


def _corners(lattice: Lattice, tile: FoundTile) -> NDArray[np.float64]:
    return lattice.to_image(tile_corners(tile.place, tile.at))


def _named(logs: NDArray[np.float64], present: NDArray[np.float64], most: list[int]) -> list[int]:
    """The kind of each tile, all together at least cost, none more often than it can be; -1 for
    what is taken for a tile and is none.

    ``present`` (N,): log-odds that a tile lies there.
    """
    count, kinds = len(logs), sum(m > 0 for m in most)
    capacity = [min(m, 1) for m in most] if count <= SURPLUS * kinds else most
    columns = [kind for kind, m in enumerate(capacity) for _ in range(m)]
    columns += [-1] * max(0, count - len(columns))
    cost = [
        [float(p) / 2 if kind < 0 else -float(row[kind]) for kind in columns]
        for row, p in zip(logs, present, strict=True)
    ]
    return [columns[c] for c in assign(cost)]


def _in_order(shown: list[ShownTile]) -> list[ShownTile]:
    """Row by row from the top, each from the left, as the picture shows them."""
    left = sorted(shown, key=lambda s: float(s.corners_px[:, 1].mean()))
    out: list[ShownTile] = []
    while left:
        first = left[0]
        reach = ROW * first.lattice.side_px(first.found.place)
        top = float(first.corners_px[:, 1].mean())
        row = [s for s in left if float(s.corners_px[:, 1].mean()) < top + reach]
        out += sorted(row, key=lambda s: float(s.corners_px[:, 0].mean()))
        left = left[len(row) :]
    return out


def learnt_from(
    image: Image, shown: list[ShownTile], names: list[str], reader: TileReader, profile: Profile
) -> Profile:
    """The profile with every tile of the picture.

    ``names``: its kind as confirmed, "" for one that is not to be learnt.  A turn follows from the
    name: what was read of another kind says nothing about it.
    """
    for tile, name in zip(shown, names, strict=True):
        if not name:
            continue
        kind = reader.kinds.index(name)
        turn = tile.turn
        if kind != tile.kind:
            turn = int(np.argmax(reader.likelihoods(image, tile.lattice, [tile.found])[0, kind]))
        patch = patches_of(image, tile.lattice, [tile.found])[0]
        profile = profile.learnt(name, 90 * turn, patch)
    return profile


def named_picture(image: Image, shown: list[ShownTile], labels: list[str]) -> Image:
    """The picture with what every tile was taken for, to be looked over."""
    out = image.copy()
    for tile, label in zip(shown, labels, strict=True):
        corners = np.round(tile.corners_px).astype(np.int32)
        side = tile.lattice.side_px(tile.found.place)
        cv2.polylines(out, [corners], True, (0, 0, 255), max(1, round(side / 40)), cv2.LINE_AA)
        x, y = corners.mean(0)
        size = side / 90
        for colour, thick in (((255, 255, 255), 5), ((0, 0, 160), 2)):
            cv2.putText(
                out, label, (round(float(x) - 0.4 * side), round(float(y) + 0.1 * side)),
                cv2.FONT_HERSHEY_SIMPLEX, size, colour, max(1, round(thick * size)), cv2.LINE_AA,
            )  # fmt: skip
    return out
