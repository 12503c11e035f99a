"""What the tile network sees on a tile: sides, what joins them, and signs.

The network knows structure, not prints; a face of the game's data is turned into the same words, so
that a log-probability follows for every kind and turn, also of kinds it was never taught.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from engine.carcassonne.faces import Face, Kind, side_of
from vision.types import FloatArray

EDGES = "FRC"
PAIRS = tuple(combinations(range(4), 2))
SIGNS = ("monastery", "pennant", "magic", "inn", "cathedral", "divided")
TURNS = 4
# Layout of the network's output: logits.
EDGE_AT, PAIR_AT, SIGN_AT = 0, 12, 18
PRESENT_AT = SIGN_AT + len(SIGNS)
PLACE_AT = PRESENT_AT + 1  # no logits: where the tile lies in the patch, see `vision.tiles.network`
KIND_AT = PLACE_AT + 4


@dataclass(frozen=True, slots=True)
class Structure:
    """``edges``: index into EDGES for N E S W.  ``pairs``: for each of PAIRS whether one road or
    city joins the two sides; None where their kinds differ or both are fields.  ``signs``: as
    SIGNS; "divided": a city parts the field of a tile without roads."""

    edges: tuple[int, ...]
    pairs: tuple[bool | None, ...]
    signs: tuple[bool, ...]


def structure_of(face: Face) -> Structure:
    """The structure of a tile as it lies."""
    features, at = face.features, face.feature_at
    edges = tuple(EDGES.index(e) for e in face.edges)
    pairs = tuple(
        at[a] == at[b] if edges[a] == edges[b] and edges[a] > 0 else None for a, b in PAIRS
    )
    roads = any(f.kind is Kind.ROAD for f in features)
    cities = sum(f.kind is Kind.CITY for f in features)
    fields = sum(f.kind is Kind.FIELD for f in features)
    sides = {side_of(p) for f in features if f.kind is Kind.CITY for p in f.ports}
    signs = (
        face.monastery is not None,
        any(f.pennants for f in features),
        face.magic,
        any(f.inn for f in features),
        any(f.cathedral for f in features),
        not roads and cities == 1 and len(sides) == 1 and fields == 2,
    )
    return Structure(edges, pairs, signs)


class Scorer:
    """Log-probabilities of many faces from the network's logits.

    ``faces``: the hypotheses, in the order of the answers.  ``kinds``: the kinds that the network
    names, in its order; faces of other kinds are judged by structure alone.
    """

    def __init__(self, faces: Sequence[Face], kinds: Sequence[str], plain: Sequence[str]) -> None:
        self.faces = tuple(faces)
        structures = [structure_of(f) for f in faces]
        self._edges = np.array([s.edges for s in structures])
        self._pairs = np.array([[-1 if p is None else int(p) for p in s.pairs] for s in structures])
        self._signs = np.array([s.signs for s in structures], bool)
        known = {name: n for n, name in enumerate(kinds)}
        self._column = np.array(
            [known[k] * TURNS + f.rot // 90 if k in known else -1 for f, k in zip(faces, plain, strict=True)]
        )  # fmt: skip
        self._kinds = len(kinds)

    def __call__(self, logits: FloatArray, named: float = 1.0) -> NDArray[np.float64]:
        """(N, outputs) to (N, faces): log-likelihoods up to a constant per row.

        ``named``: weight of the network's own naming against the sum over the structure.
        """
        out = logits.astype(np.float64)
        edges = _log_softmax(out[:, :PAIR_AT].reshape(-1, 4, 3))
        score = sum(edges[:, side, self._edges[:, side]] for side in range(4))
        score = score + _bits(out[:, PAIR_AT:SIGN_AT], self._pairs)
        score = score + _bits(out[:, SIGN_AT:PRESENT_AT], self._signs.astype(int))
        if self._kinds and named:
            names = _log_softmax(out[:, KIND_AT:])
            taken = np.where(self._column >= 0, names[:, self._column], score / 2)
            score = (score + named * taken) / (1 + named)
        return np.asarray(score)


def _bits(logits: NDArray[np.float64], wanted: NDArray[np.int_]) -> NDArray[np.float64]:
    """(N, faces): log-probability of the wanted bits; -1 does not matter."""
    yes = -np.logaddexp(0, -logits)
    no = -np.logaddexp(0, logits)
    return np.asarray(yes @ (wanted == 1).T.astype(float) + no @ (wanted == 0).T.astype(float))


def _log_softmax(x: NDArray[np.float64]) -> NDArray[np.float64]:
    x = x - x.max(-1, keepdims=True)
    return np.asarray(x - np.log(np.exp(x).sum(-1, keepdims=True)))
