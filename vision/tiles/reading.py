"""Kinds and turns of tiles: what the network sees, a learnt print, and what can lie there at all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.carcassonne.faces import Face
from vision.tiles.artist import Artist
from vision.tiles.growing import FoundTile
from vision.tiles.lattice import Lattice, Place
from vision.tiles.memory import Looking
from vision.tiles.patch import cut_patches
from vision.tiles.profile import Matcher, Profile
from vision.tiles.structure import TURNS, Scorer
from vision.types import Image

Scores = NDArray[np.float64]
Known = Mapping[Place, tuple[int, int]]
NAMED = 1.0  # weight of the network's naming against its structure
TEMPERATURE = 1.3  # the network is surer than it is right
BESIDE_PRINT = 0.5  # weight of the network where a known print fits
# Likelihood from which a print plainly fits; below it a figure may stand on the tile, or its kind is not
# learnt: then prints are compared with less and less trust.
FITTING, LEAST_FITTING, LEAST_TRUST = 8.0, -60.0, 0.2
# The most that prints say against a kind, where none fits at all and where one plainly does: a figure or a
# lamp's glare may hide what tells them apart, and may look like what another kind has there.
LEAST_AGAINST, MOST_AGAINST = 2.0, 10.0
# Tiles that lead by less are looked at the other way up too.  All four turns cost more and tell no more.
DOUBT, OTHER_WAY_UP = 1.0, 2
# What the prior rules out may still be seen: a tile that plainly lies wrong is reported.
RULED_OUT = -7.0


@dataclass(frozen=True, slots=True, eq=False)
class ReadTile:
    """``log_probs`` (kinds, 4): natural logarithms over the kinds of `TileReader.kinds` and their
    quarter turns clockwise."""

    found: FoundTile
    log_probs: Scores

    def best(self) -> tuple[int, int]:
        """(number of the kind, quarter turns) of the most probable one."""
        kind, turn = np.unravel_index(int(np.argmax(self.log_probs)), self.log_probs.shape)
        return int(kind), int(turn)


class TileReader:
    """Reads tiles of a set of kinds.

    ``faces``: for every kind in play the four turns of its tile, 0, 90, 180, 270 degrees.
    ``profile``: the owner's edition, if learnt; ``counts``: how many tiles of each kind there are, as
    many of each if not told.
    """

    def __init__(
        self,
        faces: Mapping[str, Sequence[Face]],
        network: Looking,
        profile: Profile | None = None,
        counts: Mapping[str, int] | None = None,
    ) -> None:
        self.kinds = tuple(faces)
        self.network = network
        flat = [face for kind in self.kinds for face in faces[kind]]
        names = [kind for kind in self.kinds for _ in faces[kind]]
        self._scorer = Scorer(flat, network.kinds, names)
        self._artist = Artist(flat, [1.0 if counts is None else counts[k] for k in names])
        self.profile = profile or Profile()
        self._matcher = Matcher(self.profile, self.kinds)

    def learn(self, profile: Profile) -> None:
        """Another profile from now on."""
        self.profile = profile
        self._matcher = Matcher(profile, self.kinds)

    def likelihoods(
        self, image: Image, lattice: Lattice, tiles: Sequence[FoundTile], known: Known | None = None,
        whole: bool = False,
    ) -> NDArray[np.float64]:  # fmt: skip
        """(N, kinds, 4): log-likelihoods up to a constant per tile.

        ``known``: see `read`; ``whole``: these are all tiles of a table, and none is known.
        """
        if not tiles:
            return np.zeros((0, len(self.kinds), TURNS))
        scores = self._scores(np.array([t.logits for t in tiles]))
        doubtful = np.flatnonzero(_leads(scores) < DOUBT).tolist()
        if doubtful:
            patches = patches_of(image, lattice, [tiles[n] for n in doubtful])
            where = [tiles[n].place for n in doubtful]
            scores[doubtful] = self._turned(patches, where, scores[doubtful])
        if whole:
            scores += self._artist.guessed(scores.reshape(len(tiles), -1)).reshape(-1, TURNS)
        scores = self._by_the_known(scores, [t.place for t in tiles], known or {})
        if not self.profile.views:
            return np.asarray(scores)
        return _with_print(scores, self._matcher(patches_of(image, lattice, tiles)))

    def _by_the_known(self, scores: Scores, places: Sequence[Place], known: Known) -> Scores:
        """The scores with those of tiles that are not known moved by what the known ones teach about
        how this artist's signs look."""
        told = [n for n, place in enumerate(places) if place in known]
        asked = [n for n, place in enumerate(places) if place not in known]
        if told and asked:
            faces = [known[places[n]][0] * TURNS + known[places[n]][1] for n in told]
            moved = self._artist.offsets(scores[told].reshape(len(told), -1), faces)
            scores[asked] += moved.reshape(-1, TURNS)
        return scores

    def _scores(self, logits: Scores) -> Scores:
        return self._scorer(logits, NAMED).reshape(len(logits), -1, TURNS) / TEMPERATURE

    def _turned(self, patches: Sequence[Image], places: Sequence[Place], upright: Scores) -> Scores:
        """The mean of what the network says of the patches as they lie and the other way up."""
        turned = [np.ascontiguousarray(np.rot90(p, -OTHER_WAY_UP)) for p in patches]
        looked = self.network.look(turned, [(p, "turned") for p in places])
        other = np.roll(self._scores(looked.logits), -OTHER_WAY_UP, axis=2)
        return np.asarray((upright + other) / 2)

    def read(
        self, image: Image, lattice: Lattice, tiles: Sequence[FoundTile],
        priors: Mapping[Place, Scores] | None = None, known: Known | None = None,
    ) -> list[ReadTile]:  # fmt: skip
        """Every tile with its probabilities.

        ``priors``: log-priors (kinds, 4) by place, up to a constant; -inf is taken as RULED_OUT
        below the rest: what the neighbours and the tiles still unplayed allow.  ``known``: (number of
        the kind, quarter turns) of tiles that are known: they teach how this artist's signs look.
        """
        priors = priors or {}
        out = []
        found = self.likelihoods(image, lattice, tiles, known)
        for tile, scores in zip(tiles, found, strict=True):
            prior = priors.get(tile.place)
            if prior is not None:
                top = float(prior.max()) if np.isfinite(prior.max()) else 0.0
                scores = scores + np.maximum(
                    np.where(np.isfinite(prior), prior - top, -np.inf), RULED_OUT
                )
            out.append(ReadTile(tile, scores - _log_sum(scores)))
        return out


def _with_print(scores: Scores, match: Scores) -> Scores:
    """What the network says and what the learnt prints say, together.

    ``match``: NaN for kinds that are not learnt: they may look as much like the tile as the learnt
    kind that does so best, but none plainly fits.
    """
    best = np.nanmax(match, axis=(1, 2), keepdims=True)
    fits = np.clip((best - LEAST_FITTING) / (FITTING - LEAST_FITTING), 0, 1)
    most = LEAST_AGAINST + fits * (MOST_AGAINST - LEAST_AGAINST)
    match = np.where(np.isnan(match), np.minimum(best, FITTING), match)
    weight = np.where(best < FITTING, 1.0, BESIDE_PRINT)
    against = np.maximum(fits, LEAST_TRUST) * (match - best)
    return np.asarray(weight * scores + np.maximum(against, -most))


def _leads(scores: Scores) -> Scores:
    """(N,) by how much the best face leads over the next."""
    top = np.partition(scores.reshape(len(scores), -1), -2, axis=1)[:, -2:]
    return np.asarray(top[:, 1] - top[:, 0])


def patches_of(image: Image, lattice: Lattice, tiles: Sequence[FoundTile]) -> list[Image]:
    """Patches of tiles as they lie."""
    centres = np.array([np.array(t.place) + 0.5 + t.at[:2] for t in tiles]).reshape(-1, 2)
    return cut_patches(image, lattice.homography, centres, np.array([t.at[2] for t in tiles]))


def prior_of(allowed: Mapping[tuple[str, int], float], kinds: Sequence[str]) -> Scores:
    """(kinds, 4) log-prior from the weights of (kind, turn in degrees); the rest is ruled out."""
    prior = np.full((len(kinds), TURNS), -np.inf)
    number = {kind: n for n, kind in enumerate(kinds)}
    for (kind, rot), weight in allowed.items():
        if kind in number and weight > 0:
            prior[number[kind], rot // 90] = np.log(weight)
    return prior


def _log_sum(scores: Scores) -> float:
    top = float(scores.max())
    return top + float(np.log(np.exp(scores - top).sum()))
