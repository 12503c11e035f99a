"""Pieces that stand so far off the centre of their cell that they may belong to the next one."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from engine.geometry import Point, distance_to
from engine.observation import Candidate, CellView, Observation, SeenPiece
from engine.placement import track_value
from engine.referee.changes import PLAIN_STRENGTH, WEAK

Home = tuple[str, str | None, str]  # kind, colour, spot

# On the border between two cells both are as likely; every hundredth of a cell towards the centre
# takes so many nats from the next one.  Up to 35 % off the centre two legal readings are asked about
# (below 3 to 1); below a quarter there is no doubt.
BORDER, NATS_PER_CELL = 0.5, 0.95 / 0.15
DOUBTED = 0.25
# A foot so far outside a big field, in cells, may still belong to what stands on it.
REACH = 0.5
SEEN = 0.5  # what is more surely a thing accounts for a change
# A stone seen off the centre of a mark towards the next one lies on that one, where change says so: so much
# less likely is it to lie where it is seen.
LOG_HERE = math.log(1 / 14)


@dataclass(frozen=True, slots=True)
class Fields:
    """Outlines of the big fields, and the size of a cell; board mm."""

    outlines: Mapping[str, Sequence[Point]]
    cell_mm: float


def with_neighbours(
    observation: Observation,
    centres: Mapping[str, Point],
    shared: frozenset[str],
    homes: Collection[Home],
    changed: Collection[str] | None = None,
    fields: Fields | None = None,
    stood: Collection[Home] = (),
) -> Observation:
    """The observation where things off the centre have the next cell as a further candidate.

    ``centres``: of all spots, board mm; ``shared``: big fields and marks, which have no such border:
    what is seen beside one may stand on it where its look has plainly changed, and that of where the
    thing is seen has not; ``homes``: where which look stood (a step to the next cell is no nudge of
    what stood there, unless nothing but the look of where it stood has changed: then it has been put
    back); ``changed``: spots whose look has changed (None: no comparison); ``fields``: the big ones;
    ``stood``: the homes at which looks were seen before this moment and that have changed in it.
    """
    table = _Table(observation, centres, shared, homes, frozenset(changed or ()), stood)
    plain = [] if fields is None else [s for s in fields.outlines if table.plain(s)]
    if not plain and all(p.off_centre <= DOUBTED for p in observation.pieces):
        return observation
    pieces = []
    for piece in observation.pieces:
        found = table.doubted(piece) if piece.off_centre > DOUBTED else piece
        if plain and fields is not None:
            found = table.beside_field(found, plain, fields)
        pieces.append(found)
    doubted = any(a is not b for a, b in zip(pieces, observation.pieces, strict=True))
    return replace(observation, pieces=tuple(pieces)) if doubted else observation


@dataclass(frozen=True, slots=True)
class _Table:
    """What the neighbours of a thing are judged by; as in ``with_neighbours``."""

    observation: Observation
    centres: Mapping[str, Point]
    shared: frozenset[str]
    homes: Collection[Home]
    changed: frozenset[str]
    stood: Collection[Home]

    def plain(self, spot: str) -> bool:
        """Whether the look of a spot has changed beyond a shadow from afar."""
        strength = self.observation.strength.get(spot, 0.0)
        return spot in self.changed and strength >= PLAIN_STRENGTH

    def _quiet(self, spot: str) -> bool:
        """Whether a spot that can be seen looks as it did."""
        still = spot not in self.changed or self.observation.strength.get(spot, 1.0) < WEAK
        return still and self.observation.view(spot) is CellView.SEEN

    def doubted(self, piece: SeenPiece) -> SeenPiece:
        """The thing with the next cell, or the next mark, as a further candidate."""
        best = piece.best
        if len(best.spots) != 1 or best.spots[0] not in self.centres:
            return piece
        here = best.spots[0]
        if track_value(here) is not None:
            return self._between_marks(piece, here)
        near = None if here in self.shared else self._next(piece, here)
        if near is None:
            return piece
        back = near in self.changed and here not in self.changed
        if (best.kind, best.colour, near) in self.homes and not back:
            return piece
        return _further(piece, near, max(0.0, BORDER - piece.off_centre) * NATS_PER_CELL)

    def _next(self, piece: SeenPiece, here: str) -> str | None:
        """The spot of the same sort nearest to a foot but for the one ``here``; no big field."""
        x, y = piece.at_mm
        marks = track_value(here) is not None
        spots = (
            s for s in self.centres
            if s != here and (track_value(s) is not None) == marks and (marks or s not in self.shared)
        )  # fmt: skip
        centres = self.centres
        return min(
            spots, key=lambda s: (centres[s][0] - x) ** 2 + (centres[s][1] - y) ** 2, default=None
        )

    def _between_marks(self, piece: SeenPiece, here: str) -> SeenPiece:
        """A stone off the centre of its mark, where change tells that it lies on the next one."""
        near = self._next(piece, here)
        if near is None or not self.plain(near) or self._taken(piece, (here, near)):
            return piece
        home = (piece.best.kind, piece.best.colour, here)
        left = home in self.stood and self.plain(here)
        told = left if home in self.homes else self._quiet(here)
        return _further(piece, near, 0.0, LOG_HERE) if told else piece

    def _taken(self, piece: SeenPiece, spots: Sequence[str]) -> bool:
        """Whether something else stood or is seen on some spots: the change may be its doing."""
        best = piece.best
        stood = any(s in spots and (k, c) != (best.kind, best.colour) for k, c, s in self.homes)
        return stood or any(
            p is not piece and p.confidence >= SEEN and set(p.best.spots) & set(spots)
            for p in self.observation.pieces
        )

    def beside_field(self, piece: SeenPiece, plain: Sequence[str], fields: Fields) -> SeenPiece:
        """The thing with a big field beside it as a further candidate."""
        best = piece.best
        here = best.spots[0] if len(best.spots) == 1 else ""
        if here not in self.centres or track_value(here) is not None or here in self.shared:
            return piece
        if not self._quiet(here) or (best.kind, best.colour, here) in self.homes:
            return piece
        for field in plain:
            if self._taken(piece, (field,)):
                continue
            off = distance_to(fields.outlines[field], piece.at_mm) / fields.cell_mm
            if off <= REACH:
                return _further(piece, field, off * NATS_PER_CELL)
        return piece


def _further(piece: SeenPiece, near: str, loss: float, rest: float = 0.0) -> SeenPiece:
    """The thing with its likeliest look on another spot; ``rest``: what all others gain by that."""
    best = piece.best
    if any(c.spots == (near,) and c.kind == best.kind for c in piece.candidates):
        return piece
    others = [replace(c, log_prob=c.log_prob + rest) if rest else c for c in piece.candidates]
    further = Candidate(best.kind, best.colour, (near,), best.log_prob - loss)
    return replace(piece, candidates=tuple(sorted((*others, further), key=lambda c: -c.log_prob)))
