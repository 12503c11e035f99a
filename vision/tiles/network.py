"""The tile network on one of the runners of ``vision.detector``."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from models import model_entry, model_path
from vision.detector import open_runner
from vision.tiles.patch import patches_input
from vision.tiles.structure import KIND_AT, PLACE_AT, PRESENT_AT
from vision.types import FloatArray, Image

# Units of the four numbers of a tile's place in the output: u, v, angle, log of the size.
PLACE_SCALE = 8.0
BATCH = 16  # the arrays of so many patches stay in the cache


@dataclass(frozen=True, slots=True, eq=False)
class Looked:
    """What the network says of N patches.

    ``logits`` (N, outputs): see ``vision.tiles.structure``.  ``present`` (N,): log-odds that a tile
    lies there.  ``place`` (N, 4): its middle beside the patch's (u, v) in tiles, its angle in
    radians clockwise, the log of its size against what the patch was cut for.
    """

    logits: FloatArray
    present: NDArray[np.float64]
    place: NDArray[np.float64]


class TileNetwork:
    """``backend`` and ``threads`` as for the detector; ``kinds``: those that the network names.

    Raises BoardwardenError if the model file is missing or damaged or the runner is unknown.
    """

    def __init__(self, backend: str | None = None, threads: int = 1) -> None:
        self.backend, self._run = open_runner(model_path("tile_reader"), backend, threads)
        self.kinds = tuple(str(k) for k in model_entry("tile_reader")["kinds"])

    def look(self, patches: list[Image], keys: Sequence[Hashable] | None = None) -> Looked:
        """Judges patches of ``vision.tiles.patch``; ``keys`` are for those that remember."""
        parts = [
            self._run(patches_input(patches[k : k + BATCH])) for k in range(0, len(patches), BATCH)
        ]
        out = (
            np.concatenate(parts)
            if parts
            else np.zeros((0, KIND_AT + 4 * len(self.kinds)), np.float32)
        )
        place = out[:, PLACE_AT:KIND_AT].astype(np.float64) / PLACE_SCALE
        return Looked(out, out[:, PRESENT_AT].astype(np.float64), place)


@lru_cache(maxsize=2)
def network(backend: str | None = None) -> TileNetwork:
    """The shipped network, opened once."""
    return TileNetwork(backend)


__all__ = ["Looked", "TileNetwork", "network"]
