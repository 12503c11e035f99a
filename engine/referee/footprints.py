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

# How often a larger piece is read beside its cells (tests.benchmarks.bench_noise_stills), in nats: mostly
# all of it one cell off, to one of four sides; else on one of some twenty other places.
LOG_SHIFTED = math.log(0.04 / 4)
LOG_BESIDE = math.log(0.01 / 20)
# Of some 230 on stills the eight read beside their cells had another reading within 2.2 nats: one that is
# clearer than that is seldom wrong.
CLEARER, LOG_CLEAR, MOST_CLEAR = 2.2, -0.5, 3.0  # nats; for each beyond; at most
STILL = 1.0 - sum(NEAR[:-1])  # of the cells near an end look as before
SELDOM = 0.03  # an end looks as before
SAME = 0.5  # of the cells that a moved piece still covers look as if nothing had come or gone
DISTINCT = 0.5
TOGETHER = 1.6  # cells of a piece lie no further apart, in cells
ASIDE = 0.3  # of a cell: so exactly do cells one step aside lie where they should
MOST_CELLS = 12
MOST_FURTHER = 3  # the rules tell them apart

Cells = frozenset[str]


def with_footprints(
    observation: Observation,
    homes: Mapping[str, Spots],
    infos: Mapping[str, PieceInfo],
    changed: Collection[str] | None,
    centres: Mapping[str, Point],
    cell_mm: float,
    strayed: Collection[Cells] = (),
    last: Cells | None = None,
    away: Collection[str] = (),
) -> Observation:
    """The observation in which larger pieces that have moved may also lie where the look of the cells has
    changed: those seen elsewhere than one lay, and those seen where they lay although the look of it has
    plainly changed.

    ``homes`` and ``infos``: of all pieces; ``changed``: spots that look changed (None: no comparison);
    ``centres``: of the printed cells, in board mm; ``strayed``: where such pieces were seen of late: one
    that is seen back where it lay has been put back; ``last``: where the one that strayed was seen before
    this moment: from there it has come; ``away``: pieces that were not seen at home before this moment: one
    of which the look of its home has changed in it has come back.
    """
    large = {p: frozenset(s) for p, s in homes.items() if len(s) > 1}
    if changed is None or not observation.strength or not large:
        return observation
    things = [t for t in observation.pieces if len(t.best.spots) > 1 and t.confidence >= DISTINCT]
    seen = {frozenset(t.best.spots) for t in things}
    pieces = {}
    for thing in things:
        own = frozenset(thing.best.spots)
        lay = [s for p, s in large.items() if _alike(infos[p], thing)]
        left = [s for s in lay if s not in seen and any(_plain(observation, c, changed) for c in s)]
        before = own if own in lay else frozenset().union(*left)
        moved = own in lay and any(_plain(observation, c, changed) for c in own)
        moved = (
            moved and not strayed and _fresh(observation, own, changed) != _among(own, away, large)
        )
        if moved or (own not in lay and left):
            came = None if moved else last
            stood = came or before
            found = _better(
                observation, thing, stood, changed, centres, cell_mm, moved, came is not None
            )
            if found is not None:
                pieces[id(thing)] = found
    if not pieces:
        return observation
    return replace(observation, pieces=tuple(pieces.get(id(t), t) for t in observation.pieces))


def _plain(observation: Observation, spot: str, changed: Collection[str]) -> bool:
    """Whether the look of a cell has changed beyond doubt."""
    return spot in changed and observation.strength.get(spot, 0.0) >= PLAIN_STRENGTH


def _fresh(observation: Observation, cells: Cells, changed: Collection[str]) -> bool:
    """Whether the look of some cells has plainly changed in this moment (without times: at any)."""
    began_s = observation.t_s - observation.still_s
    times = changed if isinstance(changed, Mapping) else {}
    plain = (c for c in cells if _plain(observation, c, changed))
    return any(times.get(c, began_s) >= began_s for c in plain)


def _among(cells: Cells, pieces: Collection[str], lying: Mapping[str, Cells]) -> bool:
    """Whether one of some pieces is at home on these cells."""
    return any(lying.get(piece) == cells for piece in pieces)


def _alike(info: PieceInfo, thing: SeenPiece) -> bool:
    return (info.kind, info.colour) == (thing.best.kind, thing.best.colour)


def _better(
    observation: Observation,
    thing: SeenPiece,
    before: Cells,
    changed: Collection[str],
    centres: Mapping[str, Point],
    cell_mm: float,
    at_home: bool,
    known: bool,
) -> SeenPiece | None:
    """The thing with the cells that account best for the change as further candidates; None where what
    is seen accounts for it as well.  ``before``: the cells that such pieces have left, or on which this
    one is seen ``at_home``; ``known``: it is known to be this one."""
    own = frozenset(thing.best.spots)

    def support(spots: Cells) -> float:
        if spots == before and not (at_home or known):
            return sum(_end(observation, s, changed) for s in before)
        ends = sum(_end(observation, s, changed) for s in spots ^ before)
        if spots == before:
            return ends
        return ends + sum(_kept(observation, s, changed) for s in spots & before)

    seen = {c: at for c, at in centres.items() if observation.view(c) is CellView.SEEN}
    shifted = _shifted(own, seen, cell_mm)
    clear = 0.0 if at_home else _clear(thing)
    groups = dict.fromkeys(shifted, LOG_SHIFTED + clear)
    if not at_home:
        others = _compact(own | before, own, changed, seen, cell_mm)
        groups |= dict.fromkeys((g for g in others if g not in groups), LOG_BESIDE + clear)
    now = support(own)
    ranked = sorted(
        ((support(g) - now + prior, g) for g, prior in groups.items() if g != own),
        key=lambda f: -f[0],
    )
    further = [
        Candidate(
            thing.best.kind, thing.best.colour, tuple(sorted(g)), thing.best.log_prob + gain
        )
        for gain, g in ranked[:MOST_FURTHER]
        if gain > groups[g] and not (at_home and (g ^ before) - set(changed))
    ]  # fmt: skip
    if not further:
        return None
    every = sorted((*thing.candidates, *further), key=lambda c: -c.log_prob)
    top = every[0].log_prob
    total = top + math.log(sum(math.exp(c.log_prob - top) for c in every))
    return replace(thing, candidates=tuple(replace(c, log_prob=c.log_prob - total) for c in every))


def _clear(thing: SeenPiece) -> float:
    """What it speaks against another place, in nats, that the eyes prefer the best one by much; where they
    name no other, nothing is known of that."""
    others = [c.log_prob for c in thing.candidates[1:]]
    margin = thing.best.log_prob - max(others) if others else 0.0
    return max(LOG_CLEAR * max(0.0, margin - CLEARER), -MOST_CLEAR)


def astray(observation: Observation, homes: Mapping[str, Spots]) -> Collection[Cells]:
    """Where larger things are seen on which none lies."""
    lying = {frozenset(s) for s in homes.values()}
    seen = [frozenset(t.best.spots) for t in observation.pieces if len(t.best.spots) > 1]
    return {cells for cells in seen if cells not in lying}


def _shifted(own: Cells, centres: Mapping[str, Point], cell_mm: float) -> list[Cells]:
    """The same cells one step to each of the four sides, as far as there are such."""
    out = []
    for dx, dy in ((cell_mm, 0.0), (-cell_mm, 0.0), (0.0, cell_mm), (0.0, -cell_mm)):
        moved = set()
        for cell in own & centres.keys():
            x, y = centres[cell]
            to = min(centres, key=lambda c: math.dist(centres[c], (x + dx, y + dy)))
            if math.dist(centres[to], (x + dx, y + dy)) < ASIDE * cell_mm:
                moved.add(to)
        if len(moved) == len(own):
            out.append(frozenset(moved))
    return out


def _compact(
    near: Cells,
    own: Cells,
    changed: Collection[str],
    centres: Mapping[str, Point],
    cell_mm: float,
) -> list[Cells]:
    """All groups of as many neighbouring cells about the thing that may have been left or taken; none
    where too many have changed."""
    around = [centres[s] for s in own if s in centres]
    cells = sorted(
        s
        for s in {*near, *changed}
        if s in centres and any(math.dist(centres[s], at) <= 2.0 * cell_mm for at in around)
    )
    if len(cells) > MOST_CELLS:
        return []
    return [
        frozenset(g)
        for g in combinations(cells, len(own))
        if all(
            math.dist(centres[a], centres[b]) < TOGETHER * cell_mm for a, b in combinations(g, 2)
        )
    ]


def _kept(observation: Observation, spot: str, changed: Collection[str]) -> float:
    """How much speaks for another part of the same piece lying on a cell now, in nats: nothing against
    it, as its parts may look alike."""
    return max(0.0, math.log(SAME + (1.0 - SAME) * math.exp(_end(observation, spot, changed))))


def _end(observation: Observation, spot: str, changed: Collection[str]) -> float:
    """How much speaks for a cell having been left or taken rather than lying near, in nats."""
    if spot not in changed:
        return math.log(SELDOM / STILL)
    strength = observation.strength.get(spot)
    if strength is None:
        return 0.0
    at = column(strength)
    return math.log(CAME[at] / NEAR[at])
