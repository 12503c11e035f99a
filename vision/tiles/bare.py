"""The table without figures, as far as it was seen: what stands on it is what was added."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from vision.reference import Reference
from vision.tiles.lattice import Lattice, Place
from vision.tiles.patch import TILE_PX, cut_patches
from vision.types import Image

Matrix = NDArray[np.float64]
Flags = NDArray[np.bool_]
Window = tuple[tuple[float, float], tuple[float, float]]
CLEAR = 0.55  # tiles from a foot: so far a figure may hide the table
# A tile that lies elsewhere than it did by so much, or in another turn, is seen anew; and what is
# no tile when the camera or the layout has moved by so many pixels.
MOVED, TURNED, MOVED_PX = 0.05, 0.06, 2.5
SAME = 9.0  # grey levels of difference up to which a view is the old one in another light
BLOCKS, LEAST_KNOWN = (
    4,
    0.2,
)  # blocks along a side, and the share of one that must be known to count


class BareTable:
    """Views of places of the lattice, of tiles and of the free table beside them, and which of their
    pixels are known."""

    def __init__(self) -> None:
        self._views: dict[Place, Image] = {}
        self._known: dict[Place, Flags] = {}
        self._at: dict[Place, Matrix | None] = {}
        self._quads: dict[Place, Matrix] = {}

    def forget(self, places: Iterable[Place]) -> None:
        """Another tile lies there now, or none any more."""
        for place in places:
            self._views.pop(place, None)

    def keep(
        self, image: Image, lattice: Lattice, tiles: Mapping[Place, Matrix],
        window: Window, feet: Matrix, waiting: Collection[Place] = (),
    ) -> None:  # fmt: skip
        """Takes what a picture shows where no foot is near.

        ``tiles``: how they lie beside their places; ``feet`` (N, 2): in the lattice; ``waiting``:
        places where a figure should stand that is not seen: nothing new is learnt there.  A pixel
        is kept for good: a figure that is not noticed must not become a part of the table.
        """
        (x0, y0), (x1, y1) = window
        places = [
            (x, y)
            for x in range(int(np.ceil(x0)), int(x1))
            for y in range(int(np.ceil(y0)), int(y1))
            if lattice.seen((x, y))
        ]
        centres = np.array(places, float).reshape(-1, 2) + 0.5
        fresh = cut_patches(image, lattice.homography, centres, None, TILE_PX, TILE_PX)
        for place, view in zip(places, fresh, strict=True):
            clear = _clear(place, feet)
            if clear.any():
                at, quad = tiles.get(place), lattice.quad(place)
                self._take(place, view, clear, at, quad, place not in waiting)

    def _take(
        self, place: Place, view: Image, clear: Flags, at: Matrix | None, quad: Matrix, new: bool
    ) -> None:  # fmt: skip
        old = self._views.get(place)
        if old is None or self._moved(place, at, quad):
            if new:
                self._views[place], self._known[place] = view.copy(), clear
                self._at[place], self._quads[place] = at, quad
            return
        both = self._known[place] & clear
        if not _alike(old, view, both):
            return
        taken = clear if new else both
        old[taken] = view[taken]
        self._known[place] = self._known[place] | taken
        self._at[place], self._quads[place] = at, quad

    def _moved(self, place: Place, at: Matrix | None, quad: Matrix) -> bool:
        before = self._at[place]
        if at is not None and before is not None:
            off = np.abs(at - before)
            return bool(off[:2].max() > MOVED or off[2] > TURNED)
        if (at is None) != (before is None):
            return True
        return bool(np.abs(quad - self._quads[place]).max() > MOVED_PX)

    def reference(
        self, window: Window, tile_mm: float, tiles: Collection[Place], table: bool = True
    ) -> Reference | None:
        """A window without figures, as far as its places are known.

        ``tiles``: where tiles lie now; what was seen of such a place before its tile came, or of one
        whose tile has gone, is left out: a tile is not to be taken for something put there.
        ``table``: with the free places, which are seen again only where nothing has moved.
        """
        if not self._views:
            return None
        low, high = window
        size = (round((high[0] - low[0]) * TILE_PX), round((high[1] - low[1]) * TILE_PX))
        canvas = np.zeros((size[1], size[0], 3), np.uint8)
        valid = np.zeros(size[::-1], np.uint8)
        for (x, y), view in self._views.items():
            tile = (x, y) in tiles
            if tile != (self._at[x, y] is not None) or not (tile or table):
                continue
            a, b = round((x - low[0]) * TILE_PX), round((y - low[1]) * TILE_PX)
            if 0 <= a <= size[0] - TILE_PX and 0 <= b <= size[1] - TILE_PX:
                canvas[b : b + TILE_PX, a : a + TILE_PX] = view
                valid[b : b + TILE_PX, a : a + TILE_PX] = 255 * self._known[x, y].astype(np.uint8)
        mm = ((high[0] - low[0]) * tile_mm, (high[1] - low[1]) * tile_mm)
        return Reference(canvas, mm, valid)


def _clear(place: Place, feet: Matrix) -> Flags:
    """(TILE_PX, TILE_PX): the pixels of a place that no figure with one of these feet can hide."""
    near = feet[(np.abs(feet - (np.array(place) + 0.5)) < 0.5 + CLEAR).all(1)]
    if not len(near):
        return np.ones((TILE_PX, TILE_PX), bool)
    steps = (np.arange(TILE_PX) + 0.5) / TILE_PX
    dx = place[0] + steps[None, :, None] - near[:, 0]
    dy = place[1] + steps[:, None, None] - near[:, 1]
    return np.asarray((np.hypot(dx, dy) > CLEAR).all(2))


def _alike(old: Image, new: Image, known: Flags) -> bool:
    """Whether two views show the same but for the light's brightness, as far as both are known."""
    if not known.any():
        return True
    a, b = old.astype(np.float32), new.astype(np.float32)
    gain = float((a[known].mean() + 8) / (b[known].mean() + 8))
    # a figure covers a part of the tile: its worst quarter tells
    gap = np.where(known, np.abs(a - gain * b).max(2), 0)
    side = gap.shape[0] // BLOCKS
    cut = np.s_[: BLOCKS * side, : BLOCKS * side]
    sums = gap[cut].reshape(BLOCKS, side, BLOCKS, side).sum((1, 3))
    share = known[cut].reshape(BLOCKS, side, BLOCKS, side).mean((1, 3))
    blocks = np.where(share > LEAST_KNOWN, sums / (side * side * np.maximum(share, LEAST_KNOWN)), 0)
    return bool(blocks.max() < SAME)
