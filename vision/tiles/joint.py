"""All tiles of a picture named together: an edge that one tile shows speaks for the tile beside it.

Belief propagation on the lattice (Pearl 1988): what each tile may be gives weights to the letters of
its edges, and these weigh what its neighbours may be; a few rounds are enough.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from engine.carcassonne.faces import Face
from vision.tiles.lattice import Place
from vision.tiles.structure import EDGES, TURNS

Logs = NDArray[np.float64]
MISMATCH = 0.004  # how often an edge does not go with its neighbour all the same
ROUNDS = 4
STEPS = ((0, -1), (1, 0), (0, 1), (-1, 0))  # N E S W


def named_together(
    places: Sequence[Place], logs: Logs, faces: Mapping[str, Sequence[Face]]
) -> dict[Place, Logs]:
    """Log-probabilities (kinds, 4) by place.

    ``logs`` (N, kinds, 4): log-likelihoods of each tile by itself; ``faces``: the turns of every
    kind, in the order of ``logs``.
    """
    letters = np.array(
        [[EDGES.index(e) for e in face.edges] for kind in faces for face in faces[kind]]
    )
    flat = logs.reshape(len(places), -1)
    number = {place: n for n, place in enumerate(places)}
    # messages[n, side]: log-weights of the letters that the tile beyond that side asks for
    messages = np.zeros((len(places), 4, len(EDGES)))
    for _ in range(ROUNDS):
        given = np.stack([messages[:, side][:, letters[:, side]] for side in range(4)], 1)
        whole = flat + given.sum(1)
        fresh = np.zeros_like(messages)
        for (x, y), n in number.items():
            for side, (dx, dy) in enumerate(STEPS):
                other = number.get((x + dx, y + dy))
                if other is None:
                    continue
                far = (side + 2) % 4
                # what the neighbour says without what it was told from here
                belief = whole[other] - given[other, far]
                fresh[n, side] = _asked(_normal(belief), letters[:, far])
        messages = fresh
    given = np.stack([messages[:, side][:, letters[:, side]] for side in range(4)], 1)
    whole = flat + given.sum(1)
    return {p: _normal(whole[n]).reshape(-1, TURNS) for p, n in number.items()}


def _asked(logs: Logs, letters: NDArray[np.int_]) -> Logs:
    """(letters,) log-weights: how probable each letter is on an edge, with a little doubt."""
    share = np.bincount(letters, np.exp(logs), minlength=len(EDGES))
    return np.log((1 - MISMATCH) * share + MISMATCH / len(EDGES))


def _normal(logs: Logs) -> Logs:
    return np.asarray(logs - np.logaddexp.reduce(logs))
