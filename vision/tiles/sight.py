"""The eyes for one table of tiles: finds the lattice, keeps it, reads what lies on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from engine.errors import BoardwardenError
from vision.tiles.bare import BareTable
from vision.tiles.first_tile import first_tiles, settle
from vision.tiles.growing import FoundTile, grow, is_tile, look_at, refit
from vision.tiles.lattice import Lattice, Place, beside, lattice_from_quad
from vision.tiles.naming import Naming, name, rename
from vision.tiles.reading import Known, ReadTile, Scores, TileReader
from vision.types import BoardPose, Image

TILE_MM = 45.0
MOST_FIRST = 8  # first tiles that are followed up in one picture
KEPT = 0.5  # share of the known tiles in view that must be seen to keep the lattice
ALIKE = -3.0  # mean log-probability of the known tiles from which a kept lattice is the right one
LEAST_LEAD = 1.5  # lead of a naming over the next one
FRESH = 1.0  # log-odds from which a new tile is believed
NEAR_WINDOW, WIDE_WINDOW = 0.35, 1.6  # tiles about the layout
STILL_PX = 1.2  # by which the lattice may tremble
FIGURE_WINDOW = 8.0  # tiles on the longer side at least
# A game of so few tiles is taken for one only where they are plainly the known ones: mean
# log-probability, log-odds of the surest tile, and how many others may lie beside them.
FEW_KNOWN, FIRST_MEAN, FIRST_PRESENT, MOST_STRAY = 2, -0.6, 4.5, 3


@dataclass(frozen=True, slots=True, eq=False)
class SeenLayout:
    """What was read in one picture, in the game's own words for places and turns.

    ``hidden``: known places that are not wholly in the picture; ``missing``: known places in view
    where no tile is seen.
    """

    lattice: Lattice
    tiles: tuple[ReadTile, ...]
    hidden: frozenset[Place] = field(default_factory=frozenset)
    missing: frozenset[Place] = field(default_factory=frozenset)


class TileSight:
    """``reader``: for the kinds in play.  `expect` tells which tiles are known to lie where; the
    start tile gives the lattice its origin and its directions."""

    def __init__(self, reader: TileReader, corners_px: NDArray[np.float64] | None = None) -> None:
        self.reader = reader
        self.lattice: Lattice | None = None
        self._corners = corners_px
        self._known: dict[Place, tuple[int, int]] = {}
        self._at: dict[Place, NDArray[np.float64]] = {}
        self.priors: Mapping[Place, Scores] = {}
        self.bare = BareTable()
        self._poses: dict[tuple[int, int, float], BoardPose | None] = {}
        self._lens: tuple[tuple[int, int], int, NDArray[np.float64]] | None = None

    # -- what is known ---------------------------------------------------------------------------

    @property
    def known(self) -> Known:
        """(number of the kind, quarter turns) by place."""
        return self._known

    def expect(self, known: Known, priors: Mapping[Place, Scores] | None = None) -> None:
        """The tiles that the game knows, and what may lie where (log-priors, see `TileReader`)."""
        self._known = dict(known)
        self.priors = priors or {}
        self._at = {p: at for p, at in self._at.items() if p in self._known}

    # -- finding ---------------------------------------------------------------------------------

    def find(self, image: Image, scan: bool = True) -> Lattice | None:
        """Looks for the known tiles in a picture of which nothing is known; keeps the lattice."""
        self.lattice = None
        best: tuple[Naming, Lattice, dict[Place, FoundTile]] | None = None
        for lattice, found in self._starts(image, scan):
            tiles = list(found.values())
            scores = self.reader.likelihoods(image, lattice, tiles)
            naming = name(lattice, tiles, scores, self._known)
            if naming is None:
                continue
            if best is None or naming.score > best[0].score:
                best = (naming, lattice, found)
            if naming.lead > LEAST_LEAD and naming.mean > ALIKE / 2 and naming.whole:
                break
        if best is None or best[0].met < best[0].missing or self._doubtful(*best):
            return None
        self.lattice, self._at = rename(best[1], best[2], best[0])
        return self.lattice

    def _doubtful(self, naming: Naming, lattice: Lattice, found: Mapping[Place, FoundTile]) -> bool:
        """Whether what looks like the first tiles of a game may be something else: anything square
        looks a little like some tile, and one tile alone has no neighbours to speak for it."""
        if len(self._known) > FEW_KNOWN or self._corners is not None:
            return False
        sure = max(tile.present for tile in found.values())
        many = len(found) > len(self._known) + MOST_STRAY
        return naming.mean < FIRST_MEAN or sure < FIRST_PRESENT or many

    def _starts(self, image: Image, scan: bool):  # type: ignore[no-untyped-def]
        """Lattices with all tiles that hang together: from the given corners, else from first tiles."""
        network, size = self.reader.network, (image.shape[1], image.shape[0])
        if self._corners is not None:
            settled = settle(image, network, lattice_from_quad(self._corners, size))
            if settled is not None:
                yield grow(image, network, settled[0])
        tried: list[tuple[NDArray[np.float64], float]] = []
        for lattice, _ in first_tiles(image, network, scan):
            middle, side = lattice.quad((0, 0)).mean(0), lattice.side_px((0, 0))
            if any(
                np.linalg.norm(m - middle) < s / 2 and abs(np.log(s / side)) < 0.1 for m, s in tried
            ):
                continue  # a tile of a layout that was already followed
            grown, found = grow(image, network, lattice)
            if found:
                tried += [(grown.quad(p).mean(0), grown.side_px(p)) for p in found]
                yield grown, found
            if len(tried) > MOST_FIRST * 12:
                return

    def follow(self, image: Image) -> bool:
        """Whether the kept lattice still holds in this picture, after small movements too."""
        if self.lattice is None or (image.shape[1], image.shape[0]) != self.lattice.size_px:
            return False
        seen = look_at(image, self.reader.network, self.lattice, self._known, self._at)
        there = {p: t for p, t in seen.items() if is_tile(t)}
        if not there or len(there) < KEPT * len(seen):
            return False
        lattice, tiles = refit(self.lattice, there)
        if not self._alike(image, lattice, tiles):
            return False
        self._keep(lattice, tiles)
        return True

    def _alike(self, image: Image, lattice: Lattice, tiles: Mapping[Place, FoundTile]) -> bool:
        """Whether the tiles are the known ones: the lattice may have slipped by a place."""
        rows = list(tiles.values())
        scores = self.reader.likelihoods(image, lattice, rows)
        logs = scores - _log_sum(scores)
        told = [
            max(float(logs[n, k, q]), -7.0)
            for n, (k, q) in enumerate(self._known[t.place] for t in rows)
        ]
        return float(np.mean(told)) > ALIKE

    def _keep(self, lattice: Lattice, tiles: Mapping[Place, FoundTile]) -> None:
        self.lattice = lattice
        self._at = {p: t.at for p, t in tiles.items() if p in self._known}

    # -- reading ---------------------------------------------------------------------------------

    def read(self, image: Image) -> SeenLayout | None:
        """All tiles on known places and beside them; None while no lattice is known."""
        if self.lattice is None:
            return None
        network = self.reader.network
        seen = look_at(image, network, self.lattice, self._known, self._at)
        there = {p: t for p, t in seen.items() if is_tile(t)}
        fresh = self._fresh(image, there)
        tiles = there | fresh
        if tiles:
            lattice, fitted = refit(self.lattice, tiles)
            if self._moved(lattice, tiles):
                self._keep(lattice, fitted)
                tiles = fitted
        rows = list(tiles.values())
        read = self.reader.read(image, self.lattice, rows, self.priors, self._known)
        hidden = frozenset(p for p in self._known if p not in seen)
        return SeenLayout(
            self.lattice, tuple(read), hidden, frozenset(p for p in seen if p not in there)
        )

    def _moved(self, lattice: Lattice, tiles: Mapping[Place, FoundTile]) -> bool:
        """Whether the fitted lattice is another one: what trembles by less is left, so that what was
        read stays comparable."""
        assert self.lattice is not None
        quads = [(lattice.quad(p), self.lattice.quad(p)) for p in tiles]
        trembles = max(float(np.abs(a - b).max()) for a, b in quads) < STILL_PX
        known = all(p in self._at for p in tiles if p in self._known)
        return not (trembles and known)

    def _fresh(self, image: Image, there: Mapping[Place, FoundTile]) -> dict[Place, FoundTile]:
        """Tiles beside the known ones, and beside those again."""
        assert self.lattice is not None
        taken = set(self._known) | set(there)
        fresh: dict[Place, FoundTile] = {}
        todo = beside(taken)
        while todo:
            seen = look_at(image, self.reader.network, self.lattice, todo)
            new = {p: t for p, t in seen.items() if is_tile(t, FRESH)}
            table = self.bare.unchanged(image, self.lattice, new)
            new = {p: t for p, t in new.items() if p not in table}
            fresh |= new
            todo = beside([*taken, *fresh]) - todo - beside(taken) if new else set()
        return fresh

    # -- windows ---------------------------------------------------------------------------------

    def window(self, rim: float) -> tuple[tuple[float, float], tuple[float, float]]:
        """(low, high) of the layout with a rim, in the lattice."""
        places = np.array(list(self._known) or [(0, 0)], float)
        low, high = places.min(0) - rim, places.max(0) + 1 + rim
        return (float(low[0]), float(low[1])), (float(high[0]), float(high[1]))

    def figure_rim(self) -> float:
        """The rim of the window in which figures are looked for: a small layout seen too large
        would look like no figures that the detector knows."""
        places = np.array(list(self._known) or [(0, 0)])
        wanted = (FIGURE_WINDOW - float((np.ptp(places, axis=0) + 1).max())) / 2
        for rim in (wanted, 0.7 * wanted, 0.4 * wanted):
            if rim > NEAR_WINDOW and self.pose(rim) is not None:
                return rim
        return NEAR_WINDOW

    def pose(self, rim: float) -> BoardPose | None:
        """The window about the layout as a board; None if it cannot be seen as one."""
        if self.lattice is None:
            return None
        key = (id(self.lattice), len(self._known), rim)
        if key not in self._poses:
            self._poses = {k: v for k, v in self._poses.items() if k[:2] == key[:2]}
            self._poses[key] = self._posed(self.lattice, rim)
        return self._poses[key]

    def _posed(self, lattice: Lattice, rim: float) -> BoardPose | None:
        """The focal length stays as it is while the table does."""
        window = self.window(rim)
        if self._lens is None or self._lens[:2] != (lattice.size_px, len(self._known)):
            camera = lattice.camera(*window, TILE_MM)
            self._lens = (lattice.size_px, len(self._known), camera)
        try:
            return lattice.pose(*window, TILE_MM, self._lens[2])
        except BoardwardenError:
            return None


def _log_sum(scores: Scores) -> Scores:
    flat = scores.reshape(len(scores), -1)
    top = flat.max(1)
    return np.asarray((top + np.log(np.exp(flat - top[:, None]).sum(1)))[:, None, None])
