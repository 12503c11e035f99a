"""Where pieces were seen standing when it was understood where they stand (design decision 4).

A piece that the eyes see beside its cell, and that was taken for standing on it (by the rules, by a
tap), is seen beside it in the next view as well: it is compared with its own last foot.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from engine.geometry import Point
from engine.observation import Candidate, Observation, SeenPiece
from engine.placement import PieceMove, Placement

Spots = tuple[str, ...]
SAME_PLACE = 0.2  # of a cell: a foot this near to where it was has not moved


class Feet:
    """Remembers the feet of pieces that are seen on another spot than they stand on.

    ``cell_mm``: the size of a cell.
    """

    def __init__(self, cell_mm: float) -> None:
        self._near_mm = SAME_PLACE * cell_mm
        self._feet: dict[str, tuple[frozenset[str], Point]] = {}

    def understood(
        self,
        seen: Observation,
        taken: Observation,
        moves: Iterable[PieceMove],
        placement: Placement,
    ) -> list[PieceMove]:
        """These moves were accepted in this view, as it was ``seen`` and what it was ``taken`` for, thing
        by thing; gives those of pieces that nothing in it shows where they came."""
        unseen = []
        for move in moves:
            self._feet.pop(move.piece, None)
            things = _things(taken, move, placement)
            if move.to and not things:
                unseen.append(move)
            at = next((n for n, t in enumerate(taken.pieces) if things and t is things[0]), None)
            raw = None if at is None or at >= len(seen.pieces) else seen.pieces[at]
            if raw is not None and set(raw.best.spots) != set(move.to):
                self._feet[move.piece] = frozenset(move.to), raw.at_mm
        return unseen

    def corrected(
        self,
        seen: Observation,
        there: Mapping[str, Spots],
        named: Collection[str],
        known: Mapping[str, Spots],
        placement: Placement,
    ) -> None:
        """Pieces were seen ``there`` in this view, and somebody said of some where they really stand."""
        for piece in named:
            spots, to = known.get(piece, ()), there.get(piece, ())
            if not spots or not to or set(spots) == set(to):
                continue
            if _stand(placement, piece, known, to):
                continue  # what is seen there is an equal piece
            things = _things(seen, PieceMove(piece, spots, to), placement)
            if things:
                self._feet[piece] = frozenset(spots), things[0].at_mm

    def at_home(
        self, seen: Observation, known: Mapping[str, Spots], placement: Placement
    ) -> Observation:
        """The view in which pieces that have not stirred since stand where they were understood to
        stand."""
        for piece in [p for p, (spots, _) in self._feet.items() if spots != set(known.get(p, ()))]:
            del self._feet[piece]
        if not self._feet:
            return seen
        pieces = tuple(self._stands(thing, known, placement) for thing in seen.pieces)
        return replace(seen, pieces=pieces)

    def _stands(
        self, thing: SeenPiece, known: Mapping[str, Spots], placement: Placement
    ) -> SeenPiece:
        best = thing.best
        for piece, (spots, foot) in self._feet.items():
            info = placement.infos[piece]
            if (info.kind, info.colour) != (best.kind, best.colour):
                continue
            near = math.dist(foot, thing.at_mm) <= self._near_mm and spots != set(best.spots)
            if near and not _stand(placement, piece, known, best.spots):
                home = Candidate(info.kind, info.colour, tuple(sorted(spots)), best.log_prob)
                return replace(thing, candidates=(home,), off_centre=0.0)
        return thing


def _stand(placement: Placement, piece: str, known: Mapping[str, Spots], spots: Spots) -> bool:
    """Whether another piece of the same look stands on some spots."""
    info = placement.infos[piece]
    return any(
        set(there) == set(spots)
        and other != piece
        and (placement.infos[other].kind, placement.infos[other].colour) == (info.kind, info.colour)
        for other, there in known.items()
        if other in placement.infos
    )


def _things(seen: Observation, move: PieceMove, placement: Placement) -> list[SeenPiece]:
    """The things that may be a moved piece where it came to, the likeliest first."""
    info, to = placement.infos[move.piece], frozenset(move.to)
    found = [
        (c.log_prob, -at, thing)
        for at, thing in enumerate(seen.pieces)
        for c in thing.candidates
        if (c.kind, c.colour) == (info.kind, info.colour) and frozenset(c.spots) == to
    ]
    return [thing for _, _, thing in sorted(found, key=lambda f: f[:2], reverse=True)]
