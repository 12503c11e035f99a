"""The two dice networks on one of the runners of ``vision.detector``."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from models import model_path
from vision.detector import open_backend
from vision.dice.patch import patch_input
from vision.types import FloatArray, Image

CLASSES = 7  # no readable die, then 1 to 6 pips


class DiceNetworks:
    """``backend`` and ``threads`` as for the detector.

    Raises BoardwardenError if a model file is missing or damaged or the runner is unknown.
    """

    def __init__(self, backend: str | None = None, threads: int = 1) -> None:
        self.backend, self._read = open_backend(model_path("dice_reader"), backend, threads)
        _, self._find = open_backend(model_path("dice_finder"), backend, threads)

    def read(self, patch: Image) -> tuple[FloatArray, tuple[float, float], float]:
        """Log-probabilities (7,) of no readable die and 1 to 6 pips; offset of the top face's
        middle in sides, and the side's factor, against what the patch was cut for."""
        out = self._read(patch_input(patch))
        x, y, log_side = (float(v) for v in out[CLASSES:])
        return out[:CLASSES], (x, y), float(np.exp(log_side))

    def find(self, image: Image) -> tuple[FloatArray, FloatArray]:
        """Heat (H/4, W/4) of top faces' middles, and their sides as log2 of their share of
        FINDER_SIDE_PX; H and W multiples of 4."""
        planes = image.astype(np.float32).transpose(2, 0, 1) * np.float32(1 / 255)
        out = self._find(np.ascontiguousarray(planes[None]))
        return out[0], out[1]


@lru_cache(maxsize=2)
def networks(backend: str | None = None) -> DiceNetworks:
    """The shipped networks, opened once."""
    return DiceNetworks(backend)
