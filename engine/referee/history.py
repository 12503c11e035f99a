"""What has been accepted so far, in batches that were understood together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.action import Action
from engine.placement import PieceInfo, PieceMove, Placement

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
        stand = {p: now.get(p, spots) for p, spots in self.placement.pieces.items()}
        homes = {**self.placement.pieces, **late}
        stand = untangled(stand, homes, self.placement.infos, self.placement.shelters)
        moves = []
        for piece, spots in sorted(self.placement.pieces.items()):
            there = stand[piece]
            home = late.get(piece, spots)
            if set(there) != set(spots) and set(there) != set(home):
                moves.append(PieceMove(piece, home, there))
        return tuple(moves)


def untangled(
    seen: Whereabouts,
    homes: Whereabouts,
    infos: Mapping[str, PieceInfo],
    shelters: frozenset[str] = frozenset(),
) -> dict[str, Spots]:
    """Where pieces are seen, with equal ones exchanged so that as many as can be are at home.

    Pieces of one kind and colour cannot be told apart by sight: when one pushes another on, it looks
    as if the first had gone over to the far end.  One that is out of sight, in a shelter or beside
    the board, is at home where that is out of sight as well.
    """
    out = dict(seen)
    astray: dict[tuple[str, str | None], list[str]] = {}
    for piece, spots in seen.items():
        if set(spots) != set(homes[piece]):
            astray.setdefault((infos[piece].kind, infos[piece].colour), []).append(piece)
    for pieces in astray.values():
        places = [seen[p] for p in pieces]
        left = []
        for piece in pieces:
            home = next((s for s in places if set(s) == set(homes[piece])), None)
            if home is None:
                left.append(piece)
            else:
                places.remove(home)
                out[piece] = home
        for piece in [p for p in left if shelters and set(homes[p]) <= shelters]:
            hidden = next((s for s in places if set(s) <= shelters), None)
            if hidden is not None:
                places.remove(hidden)
                left.remove(piece)
                out[piece] = homes[piece]
        if len(left) < len(pieces):
            out |= zip(left, places, strict=True)
    return out


@dataclass(frozen=True, slots=True)
class Batch:
    """Actions that were accepted together, under one verdict.

    ``before``: the moment before them; ``pieces``: what was moved; ``ended``: whether they ended a
    turn; ``count``: number of actions; ``pending``: whether the last one waits for more;
    ``actions``: what was recorded; ``moves``: how it was seen.
    """

    id: str
    before: Moment
    pieces: frozenset[str]
    count: int
    ended: bool
    pending: bool = False
    tapped: bool = False
    actions: tuple[Action, ...] = ()
    moves: tuple[PieceMove, ...] = ()
