"""A piece that has left its spot and is not seen where it went: change is the second witness.

The net may miss a piece that was put down, while the comparison of views shows that something has
come there.  Where exactly one such place is a legal end for the piece, it has gone there.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations

from engine.observation import CellView, Observation
from engine.placement import PieceMove, track_value
from engine.referee.desk import Desk
from engine.referee.explain import Explanation, explain
from engine.referee.matching import Reading
from engine.verdict import Status

Spots = tuple[str, ...]

# Judgements per place, and places at most: after a bump or a change of light half the board differs.
SPEND = 25.0
MOST_PLACES = 12
CONFIDENCE = 0.6
# A piece that is gone may be in somebody's hand, while other spots look changed by chance.  While
# fewer than so many of these are to be expected to be a legal end, one that is one is believed.
BY_CHANCE = 0.02
LEAST_NEW = 2  # cells of a larger piece that must have changed where it did not lie
TOGETHER_S = 1.0  # a piece leaves and comes between two still views


def unseen_moves(
    desk: Desk,
    observation: Observation,
    reading: Reading,
    gone: frozenset[str],
    held: bool,
) -> list[tuple[Explanation, tuple[PieceMove, ...]]]:
    """What may explain that a piece is gone, with all moves, one for each place where it can be.

    ``gone``: what cannot be found although its spot is in view; ``held``: it may still be in a hand.
    """
    changed = desk.looker.changed
    if len(gone) != 1 or changed is None:
        return []
    (piece,) = gone
    home = desk.ledger.now.known.get(piece, ())
    if not home or not set(home) <= changed.keys() | _covered(desk, piece):
        return []
    places = _places(desk, observation, reading, home, changed)
    if len(places) > MOST_PLACES:
        return []
    if held and len(home) == 1 and _by_chance(desk, piece, len(places)) > BY_CHANCE:
        return []
    found: list[tuple[Explanation, tuple[PieceMove, ...]]] = []
    for place in places:
        moves = (*reading.moves, PieceMove(piece, home, place))
        clues = replace(desk.clues(), gone=frozenset())
        limit = desk.room.spent + SPEND
        explanation = explain(desk.room, desk.proposer, desk.state, moves, clues, limit)
        fine = explanation.complete and explanation.played and not explanation.weak
        if fine and explanation.status is Status.LEGAL:
            found.append((explanation, moves))
    return found


def _by_chance(desk: Desk, piece: str, places: int) -> float:
    """How many of so many spots would be legal ends if they had changed by chance; all of them where
    the rules do not say where the piece could go now."""
    spots = max(1, len(desk.ledger.game.board.spots))
    ends = len(desk.room.hints(desk.state, piece)) or spots
    return places * ends / spots


def _covered(desk: Desk, piece: str) -> frozenset[str]:
    """Spots of a piece over several cells on which it may lie again: their look stays."""
    known = desk.ledger.now.known[piece]
    return frozenset(known) if len(known) > 1 else frozenset()


def _places(
    desk: Desk,
    observation: Observation,
    reading: Reading,
    home: Spots,
    changed: Mapping[str, float],
) -> list[Spots]:
    """Free spots in view whose look has changed together with that of the piece's old ones."""
    taken = {s for spots in desk.ledger.now.known.values() for s in spots} - set(home)
    taken |= {s for m in reading.moves for s in (*m.origin, *m.to)}
    on_track = track_value(home[0]) is not None
    left = max((changed[s] for s in home if s in changed), default=None)
    if left is None:
        return []
    free = [
        spot
        for spot, when in sorted(changed.items())
        if (spot not in taken or on_track)
        and (track_value(spot) is not None) == on_track
        and abs(when - left) <= TOGETHER_S
        and observation.view(spot) is CellView.SEEN
    ]
    if len(home) == 1:
        return [(spot,) for spot in free if spot != home[0]]
    return [
        f
        for f in _footprints(desk, [*free, *home], len(home))
        if len(set(f) - set(home)) >= LEAST_NEW and (set(home) - set(f)) <= changed.keys()
    ]


def _footprints(desk: Desk, spots: list[str], size: int) -> list[Spots]:
    """Groups of neighbouring spots of which most have changed, of a piece over several cells."""
    centres, side = desk.ledger.game.board.centres, desk.ledger.game.board.cell_size_mm
    spots = sorted({s for s in spots if s in desk.ledger.game.board.cells})
    return [
        group
        for group in combinations(spots, size)
        if all(math.dist(centres[a], centres[b]) < 1.6 * side for a, b in combinations(group, 2))
    ]
