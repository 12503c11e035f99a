"""A piece that has left its spot and is not seen where it went: change is the second witness.

The net may miss a piece that was put down, while the comparison of views shows that something has
come there.  Every place that has changed at the same time is weighed by how well it accounts for
what else looks changed; the rules then say which of them are legal ends.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import combinations

from engine.observation import CellView, Observation
from engine.placement import PieceMove, track_value
from engine.referee.changes import CAME, ELSEWHERE, NEAR, PLAIN_STRENGTH, WEAK, column
from engine.referee.decide import Decision, choice_of
from engine.referee.desk import Desk
from engine.referee.explain import Explanation, accuse, explain
from engine.referee.readings import Reading
from engine.verdict import Status

Spots = tuple[str, ...]
Moves = tuple[PieceMove, ...]

# Judgements per place, and places at most: after a bump or a change of light half the board differs.
SPEND = 25.0
MOST_PLACES = 12
CONFIDENCE = 0.6
# A piece that is gone may be in somebody's hand, which is as frequent as one that is overlooked: while it
# may be, a place is believed when it is so much likelier.
BELIEVED = math.log(9.0)
# Of the pieces put down so many stand where they may; the others anywhere.
LEGAL_SHARE = 0.85
# About one move in thirty is a foul: so much speaks against a hand without which nothing else is legal.
LOG_FOUL = math.log(1 / 30)
# A piece that comes to its place later than it left its old one has been held meanwhile.
LOG_LATER = math.log(0.1)
# Spots near one where something has come look changed so often, with half of what was measured: flat
# pieces throw hardly any shadow; spots elsewhere.
SHARE_NEAR, SHARE_ELSEWHERE = 0.09, 0.013
# A place is taken without a word when it is so much likelier than another legal one, else it is asked
# for; none is where one on which the piece may not stand is likelier.
AHEAD = math.log(6.0)
MOST_ASKED = 3
LEAST_NEW = 2  # cells of a larger piece that must have changed where it did not lie
TOGETHER_S = 1.0  # a piece leaves and comes between two still views


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a piece may have gone; ``weight`` in nats beside its being nowhere; ``near``: within two
    cells of an end."""

    spots: Spots
    weight: float
    near: bool
    moves: Moves
    explanation: Explanation | None = None


def unseen_move(
    desk: Desk,
    observation: Observation,
    reading: Reading,
    gone: frozenset[str],
    held: bool,
    first: bool = False,
) -> Decision | None:
    """What explains that a piece is gone: LEGAL, or AMBIGUOUS where several places are as likely;
    ILLEGAL where it has plainly come to one that it may not go to; None where none is.

    ``gone``: what cannot be found although its spot is in view; ``held``: it may still be in a hand;
    ``first``: it was gone before anything else moved.
    """
    changed = desk.looker.changed
    if len(gone) != 1 or changed is None:
        return None
    (piece,) = gone
    home = desk.ledger.now.known.get(piece, ())
    if not home or not set(home) <= changed.keys() | _covered(desk, piece):
        return None
    places = _places(desk, observation, reading, home, changed)
    weighed = sorted(
        (_weighed(desk, piece, home, reading, place, changed) for place in places),
        key=lambda p: -p.weight,
    )
    legal, forbidden = _judged(desk, weighed[:MOST_PLACES], piece if first else None, held)
    if forbidden is not None and forbidden.weight > (legal[0].weight if legal else -math.inf):
        if held or not legal:
            plain = _plain(desk, forbidden) and not held
            return _refused(desk, reading, forbidden) if plain else None
        found = _contested(desk, reading, legal, forbidden)
        if found is not None:
            return found
    if not legal:
        return None
    best, rivals = legal[0], [p for p in legal[1:] if p.weight > legal[0].weight - AHEAD]
    if held and (len(home) > 1 or _belief(desk, piece, best) < BELIEVED):
        return None
    return _decision(desk, reading, best, rivals[: MOST_ASKED - 1])


def _contested(
    desk: Desk, reading: Reading, legal: list[_Place], forbidden: _Place
) -> Decision | None:
    """What is made of a place where the piece may not stand, likelier than those where it may: a refusal
    where it is plain, else a question; None where it is no more than a shadow from afar."""
    ahead = forbidden.weight > legal[0].weight + AHEAD
    if ahead and _plain(desk, forbidden) and not any(_plain(desk, place) for place in legal):
        return _refused(desk, reading, forbidden)
    if _distinct(desk, forbidden) or not _distinct(desk, legal[0]):
        return _decision(desk, reading, legal[0], legal[1:MOST_ASKED], ask=True)
    return None


def _plain(desk: Desk, place: _Place) -> bool:
    """Whether something has come to a place beyond doubt: no shadow of anything else."""
    strengths = [desk.looker.strength(s) or 0.0 for s in place.spots]
    return not place.near and min(strengths) >= PLAIN_STRENGTH


def _distinct(desk: Desk, place: _Place) -> bool:
    """Whether the look of a place has changed by more than a shadow from afar."""
    return max(desk.looker.strength(s) or 0.0 for s in place.spots) >= WEAK


def _refused(desk: Desk, reading: Reading, place: _Place) -> Decision | None:
    """The refusal of a piece that is not seen where it plainly stands."""
    found = place.explanation
    if found is None or not found.left or place.spots not in [m.to for m in found.left]:
        return None
    clues = replace(desk.clues(), gone=frozenset())
    refusal = accuse(desk.room, desk.proposer, found.state, found.left, clues)
    if refusal is None:
        return None
    return Decision(
        Status.ILLEGAL, replace(reading, moves=place.moves), found, desk.ledger.now,
        refusal=refusal, confidence=CONFIDENCE, fresh=found.left,
    )  # fmt: skip


def put_back(desk: Desk, piece: str, away_s: float, away: Spots) -> bool:
    """Whether a piece that was seen ``away``, last at ``away_s``, has come back to where it belongs
    without being seen there: the look of it has changed since, and plainly so of no other spot."""
    changed = desk.looker.changed or {}
    home = desk.ledger.now.known.get(piece, ())
    if not home or not all(changed.get(s, 0.0) > away_s for s in home):
        return False
    near = desk.looker.around({*home, *away, *desk.looker.ends})
    return all(
        spot in (*home, *away)
        or spot in near
        or (desk.looker.strength(spot) or 0.0) < PLAIN_STRENGTH
        for spot, when in changed.items()
        if when > away_s
    )


def _decision(
    desk: Desk, reading: Reading, best: _Place, rivals: list[_Place], *, ask: bool = False
) -> Decision:
    assert best.explanation is not None
    choices = [choice_of(p.explanation) for p in (best, *rivals) if p.explanation is not None]
    ask = ask or bool(rivals)
    status = Status.AMBIGUOUS if ask else Status.LEGAL
    return Decision(
        status, replace(reading, moves=best.moves), best.explanation, desk.ledger.now,
        choices=tuple(choices) if ask else (), confidence=CONFIDENCE,
    )  # fmt: skip


def _judged(
    desk: Desk, places: list[_Place], first: str | None, held: bool
) -> tuple[list[_Place], _Place | None]:
    """The places that are legal ends, likeliest first, and the likeliest that is none.

    ``first``: the piece that has moved before the others, if one has; ``held``: it may be in a hand, so
    that it is no sign of the turn before having ended.
    """
    legal: list[_Place] = []
    forbidden: _Place | None = None
    for place in places:
        if legal and place.weight < legal[0].weight - AHEAD:
            break
        place, found = _explained(desk, place, first)
        if not found.complete or not found.played:
            forbidden = forbidden or replace(place, explanation=found)
        elif not (found.weak and held) and found.status is Status.LEGAL:
            legal.append(replace(place, explanation=found))
    return legal, forbidden


def _explained(desk: Desk, place: _Place, first: str | None) -> tuple[_Place, Explanation]:
    """What was done; where one piece has moved before the others, that first if it can be.  What
    went into a shelter before something else moved is taken in, whatever the rest may be."""
    clues = replace(desk.clues(), gone=frozenset())
    before = tuple(m for m in place.moves if m.piece == first)
    if before and len(place.moves) > len(before):
        limit = desk.room.spent + SPEND
        one = explain(desk.room, desk.proposer, desk.state, before, clues, limit)
        rest = tuple(m for m in place.moves if m.piece != first)
        two = explain(desk.room, desk.proposer, one.state, rest, clues, desk.room.spent + SPEND)
        if one.complete and one.played:
            if two.complete:
                both = (*one.played, *two.played)
                return place, replace(two, played=both, weak=one.weak or two.weak)
            if set(place.spots) <= desk.ledger.now.placement.shelters:
                return replace(place, moves=before), one
    limit = desk.room.spent + SPEND
    return place, explain(desk.room, desk.proposer, desk.state, place.moves, clues, limit)


def _weighed(
    desk: Desk,
    piece: str,
    home: Spots,
    reading: Reading,
    place: Spots,
    changed: Mapping[str, float],
) -> _Place:
    """How well a place accounts for what looks changed since the piece left."""
    moves = (*reading.moves, PieceMove(piece, home, place))
    left = max(changed[s] for s in home if s in changed)
    touched = {s for s, when in desk.looker.touched.items() if when >= left - TOGETHER_S}
    together = {s for s, when in changed.items() if abs(when - left) <= TOGETHER_S} | touched
    ends = {s for s, when in desk.looker.ends.items() if when >= left - TOGETHER_S}
    moved = {s for m in reading.moves for s in (*m.origin, *m.to)}
    before = {*home, *ends, *moved}
    near = desk.looker.around({*before, *touched})
    weight, close = 0.0, False
    for spot in place:
        if spot in home or spot in moved or spot not in changed:
            continue
        at = column(desk.looker.strength(spot))
        weight += math.log(CAME[at] / (NEAR[at] if spot in near else ELSEWHERE[at]))
        weight += 0.0 if spot in together else LOG_LATER / len(place)
        close = close or spot in near
    for spot in desk.looker.around(place) - near - before - set(place):
        if spot in together and spot in changed:
            at = column(desk.looker.strength(spot))
            weight += math.log(0.5 * NEAR[at] / ELSEWHERE[at])
        else:
            weight += math.log((1.0 - SHARE_NEAR) / (1.0 - SHARE_ELSEWHERE))
    return _Place(place, weight, close, moves)


def _belief(desk: Desk, piece: str, place: _Place) -> float:
    """How much likelier it is that a piece stands on a legal place, of all that it could have gone to,
    than that it is in somebody's hand, in nats."""
    spots = desk.room.hints(desk.state, piece) or tuple(desk.ledger.game.board.spots)
    belief = place.weight + math.log(LEGAL_SHARE / len(spots))
    others = tuple(m for m in place.moves if m.piece != piece)
    alone = explain(
        desk.room, desk.proposer, desk.state, others, desk.clues(), desk.room.spent + SPEND
    ) if others else None  # fmt: skip
    return belief if alone is None or alone.complete else belief - LOG_FOUL


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
    taken -= desk.ledger.now.placement.shelters  # what is inside need not be seen, nor what comes
    on_track = track_value(home[0]) is not None
    left = max((changed[s] for s in home if s in changed), default=None)
    if left is None:
        return []
    free = [
        spot
        for spot, when in sorted(changed.items())
        if (spot not in taken or on_track)
        and (track_value(spot) is not None) == on_track
        and when >= left - TOGETHER_S
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
