"""Which lattice of a picture is the game's: tiles whose kinds are known give turn and origin."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.tiles.growing import FoundTile
from vision.tiles.lattice import Lattice, Place, naming, renamed_place

Scores = NDArray[np.float64]
UNLIKE = -7.0  # no tile speaks stronger against a naming: it may be misread
MISSING, SURPLUS = -2.0, -0.5  # a known tile that is not found in view, a found one not known
LEAST_MEAN = -2.5  # mean log-probability of the known tiles in a naming that is believed


@dataclass(frozen=True, slots=True)
class Naming:
    """``quarters``, ``shift``: as for `Lattice.renamed`; ``score``: log-odds against chance;
    ``lead``: over the next naming; ``mean``: log-probability per known tile that was found; ``met``:
    how many were, ``missing``: how many should have been."""

    quarters: int
    shift: Place
    score: float
    lead: float
    mean: float
    met: int = 0
    missing: int = 0

    @property
    def whole(self) -> bool:
        """Whether most of the known tiles were found."""
        return self.met > 2 * self.missing


def name(
    lattice: Lattice, tiles: Sequence[FoundTile], likelihoods: Scores,
    known: Mapping[Place, tuple[int, int]],
) -> Naming | None:  # fmt: skip
    """The best naming of a found lattice; None if none is believed.

    ``likelihoods`` (N, kinds, 4); ``known``: (number of the kind, quarter turns) by place.
    """
    if not tiles or not known:
        return None
    logs = likelihoods - _log_sum(likelihoods)[:, None, None]
    logs = np.maximum(logs, UNLIKE)
    scored = [
        (_score(lattice, tiles, logs, known, q, shift), q, shift)
        for q in range(4)
        for shift in _shifts(tiles, known, q)
    ]
    scored.sort(key=lambda row: -row[0][0])
    (score, mean, met, missing), quarters, shift = scored[0]
    lead = score - scored[1][0][0] if len(scored) > 1 else np.inf
    if mean < LEAST_MEAN:
        return None
    return Naming(quarters, shift, score, float(lead), mean, met, missing)


def _shifts(
    tiles: Sequence[FoundTile], known: Mapping[Place, tuple[int, int]], quarters: int
) -> set[Place]:
    places = [renamed_place(t.place, quarters, (0, 0)) for t in tiles]
    return {(kx - x, ky - y) for x, y in places for kx, ky in known}


def _score(
    lattice: Lattice, tiles: Sequence[FoundTile], logs: Scores,
    known: Mapping[Place, tuple[int, int]], quarters: int, shift: Place,
) -> tuple[float, float, int, int]:  # fmt: skip
    chance = float(np.log(logs[0].size))  # what a guess would say
    total, told, met = 0.0, 0.0, set()
    for n, tile in enumerate(tiles):
        place = renamed_place(tile.place, quarters, shift)
        if place not in known:
            total += SURPLUS
            continue
        kind, turn = known[place]
        # a turn in the new words is fewer in the old ones
        told += float(logs[n, kind, (turn - quarters) % 4])
        met.add(place)
    total += told + chance * len(met)
    mean = told / max(len(met), 1)
    inverse = np.linalg.inv(naming(quarters, shift))
    missing = 0
    for place in known:
        if place not in met:
            x, y, _ = inverse @ np.array([place[0] + 0.5, place[1] + 0.5, 1.0])
            if lattice.seen((int(np.floor(x)), int(np.floor(y)))):
                total += MISSING
                missing += 1
    return total, mean, len(met), missing


def rename(
    lattice: Lattice, tiles: Mapping[Place, FoundTile], chosen: Naming
) -> tuple[Lattice, dict[Place, NDArray[np.float64]]]:
    """The lattice in the game's words, and where the tiles lie beside their places in it."""
    renamed = lattice.renamed(chosen.quarters, chosen.shift)
    out = {}
    for place, tile in tiles.items():
        u, v = tile.at[:2]
        for _ in range(chosen.quarters % 4):
            u, v = -v, u
        out[renamed_place(place, chosen.quarters, chosen.shift)] = np.array([u, v, *tile.at[2:]])
    return renamed, out


def _log_sum(scores: Scores) -> NDArray[np.float64]:
    flat = scores.reshape(len(scores), -1)
    top = flat.max(1, keepdims=True)
    return np.asarray((top + np.log(np.exp(flat - top).sum(1, keepdims=True)))[:, 0])
