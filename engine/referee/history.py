"""What has been accepted so far, in batches that were understood together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.placement import PieceMove, Placement

Spots = tuple[str, ...]
Whereabouts = Mapping[str, Spots]


@dataclass(frozen=True, slots=True)
class Moment:
    """The game at one point: the state, where the pieces really stood, as far as it was seen.

    ``acted``: whether the player to act had visibly done something in this turn.
    """

    state: Any
    placement: Placement
    known: Whereabouts
    acted: bool

    def lagging(self) -> dict[str, Spots]:
        """Pieces that stand elsewhere than the state says (a stone not yet moved)."""
        return {
            piece: self.known[piece]
            for piece, spots in self.placement.pieces.items()
            if piece in self.known and set(self.known[piece]) != set(spots)
        }

    def moves_to(self, now: Whereabouts) -> tuple[PieceMove, ...]:
        """What has to move so that the pieces stand as they do now."""
        late = self.lagging()
        moves = []
        for piece, spots in sorted(self.placement.pieces.items()):
            there = now.get(piece, spots)
            home = late.get(piece, spots)
            if set(there) != set(spots) and set(there) != set(home):
                moves.append(PieceMove(piece, home, there))
        return tuple(moves)


@dataclass(frozen=True, slots=True)
class Batch:
    """Actions that were accepted together, under one verdict.

    ``before``: the moment before them; ``pieces``: what was moved; ``ended``: whether they ended a
    turn; ``count``: number of actions; ``pending``: whether the last one waits for more.
    """

    id: str
    before: Moment
    pieces: frozenset[str]
    count: int
    ended: bool
    pending: bool = False
    tapped: bool = False
