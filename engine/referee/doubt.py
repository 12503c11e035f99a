"""Pieces that stand so far off the centre of their cell that they may belong to the next one."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from engine.geometry import Point
from engine.observation import Candidate, Observation, SeenPiece
from engine.placement import track_value

Home = tuple[str, str | None, str]  # kind, colour, spot

# On the border between two cells both are as likely; every hundredth of a cell towards the centre
# takes so many nats from the next one.  Up to 35 % off the centre two legal readings are asked about
# (below 3 to 1); below a quarter there is no doubt.
BORDER, NATS_PER_CELL = 0.5, 0.95 / 0.15
DOUBTED = 0.25


def with_neighbours(
    observation: Observation,
    centres: Mapping[str, Point],
    shared: frozenset[str],
    homes: Collection[Home],
    changed: Collection[str] | None = None,
) -> Observation:
    """The observation where things off the centre have the next cell as a further candidate.

    ``centres``: of all spots, board mm; ``shared``: big fields and marks, which have no such border;
    ``homes``: where which look stood (a step to the next cell is no nudge of what stood there, unless
    nothing but the look of where it stood has changed: then it has been put back); ``changed``: spots
    whose look has changed (None: no comparison).
    """
    seen = frozenset(changed or ())
    if all(p.off_centre <= DOUBTED for p in observation.pieces):
        return observation
    pieces = tuple(
        _doubted(p, centres, shared, homes, seen) if p.off_centre > DOUBTED else p
        for p in observation.pieces
    )
    doubted = any(a is not b for a, b in zip(pieces, observation.pieces, strict=True))
    return replace(observation, pieces=pieces) if doubted else observation


def _doubted(
    piece: SeenPiece,
    centres: Mapping[str, Point],
    shared: frozenset[str],
    homes: Collection[Home],
    changed: frozenset[str],
) -> SeenPiece:
    best = piece.best
    if len(best.spots) != 1 or best.spots[0] in shared or best.spots[0] not in centres:
        return piece
    x, y = piece.at_mm
    away = sorted(
        [((cx - x) ** 2 + (cy - y) ** 2, n) for n, (cx, cy) in enumerate(centres.values())]
    )
    spots = list(centres)
    near = next(
        (
            s for s in (spots[n] for _, n in away)
            if s != best.spots[0] and s not in shared and track_value(s) is None
        ),
        None,
    )  # fmt: skip
    if near is None:
        return piece
    back = near in changed and best.spots[0] not in changed
    if (best.kind, best.colour, near) in homes and not back:
        return piece
    if any(c.spots == (near,) and c.kind == best.kind for c in piece.candidates):
        return piece
    loss = max(0.0, BORDER - piece.off_centre) * NATS_PER_CELL
    further = Candidate(best.kind, best.colour, (near,), best.log_prob - loss)
    ranked = sorted((*piece.candidates, further), key=lambda c: -c.log_prob)
    return replace(piece, candidates=tuple(ranked))
