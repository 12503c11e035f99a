"""The table without figures, as far as it was seen: what stands on it is what was added.

Two pictures are kept: of the tiles without figures, and of the table without tiles.  The second tells
a tile that was laid from stripes of a cloth that have always been there.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reference import Reference
from vision.tiles.backdrop import Backdrop, Mask, fill
from vision.tiles.lattice import Lattice, Place, tile_corners
from vision.tiles.patch import TILE_PX, cut_patches
from vision.tiles.registering import lies_at
from vision.types import Image

Matrix = NDArray[np.float64]
Window = tuple[tuple[float, float], tuple[float, float]]
CLEAR = 0.55  # tiles from a foot: so far a figure may hide the table
RIM = 0.1  # tiles about a tile that are no free table: it has an edge and a shadow
MOVED = 0.06  # of a tile: one that is read elsewhere than it was by so much is looked at anew
MOVED_PX = 0.7  # less is left as it is: every move blurs a little
SAME = 8.0  # grey levels of difference up to which a part of a place is as it was
BLOCKS, SAME_SHARE = (
    4,
    0.42,
)  # blocks along a place; a tile changes nearly all, a shadow from beside some
KNOWN_SHARE = 0.8  # of a place that must have been seen free


class BareTable:
    """Everything in pixels of the picture; the lattice says where they are."""

    def __init__(self) -> None:
        self._tiles, self._table = Backdrop(), Backdrop()
        self._quads: dict[Place, Matrix] = {}
        self._forgotten: set[Place] = set()

    def forget(self, places: Iterable[Place]) -> None:
        """Another tile lies there now, or none any more."""
        self._forgotten |= set(places)

    def keep(
        self, image: Image, lattice: Lattice, tiles: Mapping[Place, Matrix], feet: Matrix,
        waiting: Collection[Place] = (),
    ) -> None:  # fmt: skip
        """Takes what a picture shows where no foot is near.

        ``tiles``: how they lie beside their places; ``feet`` (N, 2): in the lattice; ``waiting``:
        places where a figure should stand that is not seen: nothing new is learnt there.
        """
        self._follow(image, lattice)
        quads = {p: lattice.to_image(tile_corners(p, at)) for p, at in tiles.items()}
        self._tiles.forget(self._other(image, lattice, quads))
        clear = np.full(image.shape[:2], 255, np.uint8)
        circle = np.linspace(0, 2 * np.pi, 16, endpoint=False)
        for foot in feet:
            round_it = foot + CLEAR * np.column_stack([np.cos(circle), np.sin(circle)])
            fill(clear, lattice.to_image(round_it), 0)
        lying, free = np.zeros_like(clear), clear.copy()
        for quad in quads.values():
            fill(lying, quad, 255)
            middle = quad.mean(0)
            fill(free, middle + (1 + 2 * RIM) * (quad - middle), 0)
        lying = np.asarray(cv2.bitwise_and(lying, clear), np.uint8)
        fresh = lying.copy()
        for place in waiting:
            fill(fresh, lattice.quad(place), 0)
        self._tiles.take(image, lying, fresh)
        self._table.take(image, free, free)

    def _follow(self, image: Image, lattice: Lattice) -> None:
        warp = self._tiles.follow(image, lattice)
        self._table.follow(image, lattice)
        if warp is None:
            return
        self._quads = {
            p: cv2.perspectiveTransform(q[None], warp)[0] for p, q in self._quads.items()
        }
        # Both lattices are a little off: every tile is laid to where it is seen.
        self._carry(image, {p: q for p, q in self._quads.items() if p not in self._forgotten})

    def _carry(self, image: Image, read: Mapping[Place, Matrix]) -> set[Place]:
        """Those of the tiles that look as they did, wherever they lie now: their pixels go with them.

        ``read``: their corners as they were read in the picture.
        """
        picture, known = self._tiles.image, self._tiles.known
        if picture is None:
            return set()
        found = {p: lies_at(image, picture, known, self._quads[p], q) for p, q in read.items()}
        now = {p: q for p, q in found.items() if q is not None}
        moved = {p: q for p, q in now.items() if np.abs(q - self._quads[p]).max() > MOVED_PX}
        self._tiles.lay([(self._quads[p], q) for p, q in moved.items()])
        self._quads |= moved
        return set(now)

    def _other(self, image: Image, lattice: Lattice, quads: Mapping[Place, Matrix]) -> Mask:
        """Where tiles lie that did not lie so before, and those that have gone; keeps the new ones."""
        region = np.zeros(image.shape[:2], np.uint8)
        both = (self._quads.keys() & quads.keys()) - self._forgotten
        far = {
            p: quads[p] for p in both
            if np.abs(self._quads[p] - quads[p]).max() >= MOVED * lattice.side_px(p)
        }  # fmt: skip
        # Corners tremble, more so where figures stand: what looks as it did is the same tile.
        same = (both - far.keys()) | self._carry(image, far)
        for place in (self._quads.keys() | quads.keys()) - same:
            old, new = self._quads.get(place), quads.get(place)
            for quad in (old, new):
                if quad is not None:
                    fill(region, quad, 255)
            if new is None:
                self._quads.pop(place)
            else:
                self._quads[place] = new
        self._forgotten.clear()
        return region

    def behind(self, tiles: Iterable[Place], table: bool = True) -> tuple[Image, Mask] | None:
        """The picture without figures and, 255, where it is known.

        ``tiles``: where tiles lie now: what was seen of such a place before its tile came, or of one
        whose tile has gone, is left out.  ``table``: with the free table beside them.
        """
        if self._tiles.image is None or self._table.image is None:
            return None
        now = {p: self._quads[p] for p in tiles if p in self._quads and p not in self._forgotten}
        lying, taken = (np.zeros(self._tiles.known.shape, np.uint8) for _ in range(2))
        for place in self._quads:
            fill(taken, self._quads[place], 255)
        for quad in now.values():
            fill(lying, quad, 255)
        known = cv2.bitwise_and(self._tiles.known, lying)
        if not table:
            return self._tiles.image, np.asarray(known, np.uint8)
        beside = cv2.bitwise_and(self._table.known, cv2.bitwise_not(taken))
        seen = self._tiles.image.copy()
        cv2.copyTo(self._table.image, beside, seen)
        return seen, np.asarray(cv2.bitwise_or(known, beside), np.uint8)

    def reference(
        self, lattice: Lattice, window: Window, tile_mm: float, tiles: Iterable[Place],
        table: bool = True,
    ) -> Reference | None:  # fmt: skip
        """A window of the lattice without figures, as far as it is known; see `behind`."""
        seen = self.behind(tiles, table)
        if seen is None or not seen[1].any():
            return None
        low, high = window
        size = (round((high[0] - low[0]) * TILE_PX), round((high[1] - low[1]) * TILE_PX))
        middle = 0.5 / TILE_PX
        to_lattice = np.array(
            [[1 / TILE_PX, 0, low[0] + middle], [0, 1 / TILE_PX, low[1] + middle], [0, 0, 1]]
        )
        warp = lattice.homography @ to_lattice
        canvas, valid = (
            np.asarray(
                cv2.warpPerspective(p, warp, size, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP),
                np.uint8,
            )
            for p in seen
        )
        mm = ((high[0] - low[0]) * tile_mm, (high[1] - low[1]) * tile_mm)
        return Reference(canvas, mm, np.where(valid > 200, 255, 0).astype(np.uint8))

    def unchanged(self, image: Image, lattice: Lattice, places: Iterable[Place]) -> set[Place]:
        """Those of the places that look as they did when no tile lay there."""
        asked = list(places)
        if not asked:
            return set()
        self._follow(image, lattice)
        if self._table.image is None:
            return set()
        centres = np.array(asked, float) + 0.5
        now, before, told = (
            cut_patches(picture, lattice.homography, centres, None, TILE_PX, TILE_PX)
            for picture in (image, self._table.image, cv2.merge([self._table.known] * 3))
        )
        return {
            p for p, a, b, k in zip(asked, now, before, told, strict=True)
            if float((k[..., 0] > 200).mean()) > KNOWN_SHARE and _same(a, b)
        }  # fmt: skip


def _same(now: Image, before: Image) -> bool:
    """Whether most blocks of two views of a place show the same, but for the light's brightness."""
    a, b = now.astype(np.float32), before.astype(np.float32)
    gain = np.clip((a.mean() + 8) / (b.mean() + 8), 0.8, 1.25)
    gap = np.abs(a - gain * b).max(2)
    side = gap.shape[0] // BLOCKS
    blocks = gap.reshape(BLOCKS, side, BLOCKS, side).mean((1, 3))
    return float((blocks < SAME).mean()) >= SAME_SHARE
