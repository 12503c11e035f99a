"""Pieces over several cells that are seen beside where they lie: change says which cells they cover.

Walls are read from their sides, and now and then a whole cell off.  The look of every cell that such a
piece has left or taken has changed, whatever the eyes make of the piece itself (design decision 4).
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import replace
from itertools import combinations

from engine.geometry import Point
from engine.observation import Candidate, CellView, Observation, SeenPiece
from engine.placement import PieceInfo
from engine.referee.changes import CAME, NEAR, PLAIN_STRENGTH, column

Spots = tuple[str, ...]

# How often a larger piece is read beside its cells (tests.benchmarks.bench_noise_stills), on one of some
# twenty others, in nats.
LOG_BESIDE = math.log(0.05 / 20)
STILL = 1.0 - sum(NEAR[:-1])  # of the cells near an end look as before
SELDOM = 0.03  # an end looks as before
DISTINCT = 0.5
TOGETHER = 1.6  # cells of a piece lie no further apart, in cells
MOST_CELLS = 12
MOST_FURTHER = 3  # the rules tell them apart


def with_footprints(
    observation: Observation,
    homes: Mapping[str, Spots],
    infos: Mapping[str, PieceInfo],
    changed: Collection[str] | None,
    centres: Mapping[str, Point],
    cell_mm: float,
) -> Observation:
    """The observation in which a larger piece that has moved may also lie where the look of the cells has
    changed; as it is unless just one such piece has left its cells and one is seen elsewhere.

    ``homes`` and ``infos``: of all pieces; ``changed``: spots that look changed (None: no comparison);
    ``centres``: of the printed cells, in board mm.
    """
    if changed is None or not observation.strength:
        return observation
    large = {p: frozenset(s) for p, s in homes.items() if len(s) > 1}
    there = set(large.values())
    astray = [
        t for t in observation.pieces
        if len(t.best.spots) > 1 and frozenset(t.best.spots) not in there
        and t.confidence >= DISTINCT
    ]  # fmt: skip
    if len(astray) != 1:
        return observation
    (thing,) = astray
    seen = {frozenset(t.best.spots) for t in observation.pieces if len(t.best.spots) > 1}
    left = [p for p, s in large.items() if s not in seen and _alike(infos[p], thing)]
    if len(left) != 1 or not any(_plain(observation, s, changed) for s in large[left[0]]):
        return observation
    found = _better(observation, thing, large[left[0]], changed, centres, cell_mm)
    if found is None:
        return observation
    pieces = tuple(found if t is thing else t for t in observation.pieces)
    return replace(observation, pieces=pieces)


def _plain(observation: Observation, spot: str, changed: Collection[str]) -> bool:
    """Whether the look of a cell has changed beyond doubt."""
    return spot in changed and observation.strength.get(spot, 0.0) >= PLAIN_STRENGTH


def _alike(info: PieceInfo, thing: SeenPiece) -> bool:
    return (info.kind, info.colour) == (thing.best.kind, thing.best.colour)


def _better(
    observation: Observation,
    thing: SeenPiece,
    home: frozenset[str],
    changed: Collection[str],
    centres: Mapping[str, Point],
    cell_mm: float,
) -> SeenPiece | None:
    """The thing with the cells that account best for the change as a further candidate; None where what
    is seen accounts for it as well."""
    own = frozenset(thing.best.spots)
    around = [s for s in own if s in centres]
    reach = 2.0 * cell_mm
    cells = sorted(
        s
        for s in {*own, *home, *changed}
        if s in centres
        and observation.view(s) is CellView.SEEN
        and any(math.dist(centres[s], centres[a]) <= reach for a in around)
    )
    if len(cells) > MOST_CELLS:
        return None

    def support(spots: frozenset[str]) -> float:
        ends = spots ^ home if spots != home else home
        return sum(_end(observation, s, changed) for s in ends)

    groups = [
        frozenset(g)
        for g in combinations(cells, len(own))
        if all(
            math.dist(centres[a], centres[b]) < TOGETHER * cell_mm for a, b in combinations(g, 2)
        )
    ]
    ranked = sorted((g for g in groups if g != own), key=lambda g: -support(g))[:MOST_FURTHER]
    further = [
        Candidate(
            thing.best.kind, thing.best.colour, tuple(sorted(g)),
            thing.best.log_prob + LOG_BESIDE + support(g) - support(own),
        )
        for g in ranked
        if support(g) > support(own)
    ]  # fmt: skip
    if not further:
        return None
    every = sorted((*thing.candidates, *further), key=lambda c: -c.log_prob)
    top = every[0].log_prob
    total = top + math.log(sum(math.exp(c.log_prob - top) for c in every))
    return replace(thing, candidates=tuple(replace(c, log_prob=c.log_prob - total) for c in every))


def _end(observation: Observation, spot: str, changed: Collection[str]) -> float:
    """How much speaks for a cell having been left or taken rather than lying near, in nats."""
    if spot not in changed:
        return math.log(SELDOM / STILL)
    strength = observation.strength.get(spot)
    if strength is None:
        return 0.0
    at = column(strength)
    return math.log(CAME[at] / NEAR[at])
