"""How an artist's signs look to the network: told from those tiles of a table that are known.

A network that never saw an artist takes his blue houses for pennants, or misses his banners, on every tile
of the table alike.  Where tiles are known, the log-odds of each sign are moved by as much as makes the known
ones most probable; where none is, by as much as brings the number of its signs near to how many such tiles
have as a rule (both maximum a posteriori, by Newton's method).
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
# Variance of how many signs are on a table beside chance: of none at all, and a share of those that are due.
LEAST_VARIANCE, UNUSUAL = 0.25, 0.2
PLACED = len(SIGNS) - 1  # the last one, "divided", is no sign that an artist draws


class Artist:
    """``faces``: the hypotheses in the order of the scores; ``weights`` (faces,): how many tiles there are
    of each one's kind."""

    def __init__(self, faces: Sequence[Face], weights: Sequence[float]) -> None:
        structures = [structure_of(f) for f in faces]
        number = {s: n for n, s in enumerate(dict.fromkeys(structures))}
        self._group = np.array([number[s] for s in structures])
        self._signs = np.array([s.signs[:PLACED] for s in structures], float)
        weight = np.maximum(np.asarray(weights, float), 1e-6)
        self._prior = np.log(weight)
        edges = np.array([s.edges for s in structures])
        alike = (edges[:, None] == edges).all(2) * weight
        # (faces, PLACED): how often tiles with the edges of a face have each sign
        self._due = alike @ self._signs / alike.sum(1, keepdims=True)

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
            step = _step(slope, bend)
            moved += step
            if float(np.abs(step).max()) < CLOSE:
                break
        return np.asarray(self._signs @ moved)

    def guessed(self, scores: Logs) -> Logs:
        """(faces,): what to add to the scores of all tiles of a table of which none is known.

        ``scores`` (N, faces): log-likelihoods of the tiles.
        """
        moved = np.zeros(PLACED)
        start = scores + self._prior
        due = _shares(start) @ self._due
        variance = (due * (1 - due)).sum(0) + (UNUSUAL * due.sum(0)) ** 2 + LEAST_VARIANCE
        for _ in range(ROUNDS):
            seen = _shares(start + self._signs @ moved) @ self._signs
            change = (seen * (1 - seen)).sum(0)
            slope = (due - seen).sum(0) / variance * change - moved / SPREAD**2
            step = _step(slope, change**2 / variance + 1 / SPREAD**2)
            moved += step
            if float(np.abs(step).max()) < CLOSE:
                break
        return np.asarray(self._signs @ moved)


def _step(slope: Logs, bend: Logs) -> Logs:
    return np.asarray(np.clip(0.7 * slope / bend, -LONGEST, LONGEST))


def _shares(logs: Logs) -> Logs:
    out = np.exp(logs - logs.max(1, keepdims=True))
    return np.asarray(out / out.sum(1, keepdims=True))
