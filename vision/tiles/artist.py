"""How an artist's signs look to the network: told from those tiles of a table that are known.

A network that never saw an artist takes his blue houses for pennants, or misses his banners, on every tile
of the table alike.  Where tiles are known, the log-odds of each sign are moved by as much as makes the known
ones most probable (maximum a posteriori, Newton's method).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.carcassonne.faces import Face
from vision.tiles.structure import SIGNS, structure_of

Logs = NDArray[np.float64]
SPREAD = 1.0  # of the offsets from artist to artist: log-odds, one standard deviation
ROUNDS, LONGEST, CLOSE = 25, 1.0, 1e-3  # Newton's steps: how many, their length, when it is enough
PLACED = len(SIGNS) - 1  # the last one, "divided", is no sign that an artist draws


class Artist:
    """``faces``: the hypotheses in the order of the scores; ``weights`` (faces,): how many tiles there are
    of each one's kind."""

    def __init__(self, faces: Sequence[Face], weights: Sequence[float]) -> None:
        structures = [structure_of(f) for f in faces]
        number = {s: n for n, s in enumerate(dict.fromkeys(structures))}
        self._group = np.array([number[s] for s in structures])
        self._signs = np.array([s.signs[:PLACED] for s in structures], float)
        self._prior = np.log(np.maximum(np.asarray(weights, float), 1e-6))

    def offsets(self, scores: Logs, known: Sequence[int]) -> Logs:
        """(faces,): what to add to the scores of other tiles of the same table.

        ``scores`` (N, faces): log-likelihoods of the known tiles; ``known``: the number of the face that
        each of them shows; faces that look alike count as one.
        """
        moved = np.zeros(PLACED)
        if not len(known):
            return np.zeros(len(self._group))
        true = self._group[np.asarray(known)][:, None] == self._group
        start = scores + self._prior
        for _ in range(ROUNDS):
            share = _shares(start + self._signs @ moved)
            right = share * true
            right /= right.sum(1, keepdims=True) + 1e-30
            mean = share @ self._signs
            slope = (right @ self._signs - mean).sum(0) - moved / SPREAD**2
            bend = (share @ self._signs**2 - mean**2).sum(0) + 1 / SPREAD**2
            step = np.clip(0.7 * slope / bend, -LONGEST, LONGEST)
            moved += step
            if float(np.abs(step).max()) < CLOSE:
                break
        return np.asarray(self._signs @ moved)


def _shares(logs: Logs) -> Logs:
    out = np.exp(logs - logs.max(1, keepdims=True))
    return np.asarray(out / out.sum(1, keepdims=True))
