"""A piece that has come from beside the board and is not seen where it was put.

Nothing is missed where it lay, so that change alone tells of it: a free place, away from everything
else that has moved, whose look has changed as only a piece changes it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from engine.observation import CellView, Observation
from engine.placement import PieceMove
from engine.referee.changes import PLAIN_STRENGTH
from engine.referee.decide import Decision, choice_of
from engine.referee.desk import Desk
from engine.referee.explain import Explanation, explain
from engine.referee.readings import Reading
from engine.verdict import Status

SPEND = 25.0
CONFIDENCE = 0.6
SEEN = 0.5  # what is more surely a thing is taken for what it looks like


def unseen_arrival(desk: Desk, observation: Observation, reading: Reading) -> Decision | None:
    """What explains the one plain change of a free place by a piece that comes from beside the board.

    LEGAL where the game waits for just that, or where what else has moved is not legal without it;
    AMBIGUOUS, a question, where it could be as well that nothing has come; None where nothing fits.
    """
    place = _place(desk, observation, reading)
    if place is None:
        return None
    waited_for = desk.proposer.arriving(desk.state)
    found = []
    for piece in _comers(desk, place, waited_for):
        moves = (*reading.moves, PieceMove(piece, (), (place,)))
        one = _explained(desk, moves)
        if one.complete and one.played and one.status is Status.LEGAL and not one.weak:
            found.append((piece, moves, one))
    if len(found) != 1:
        return None
    ((piece, moves, explanation),) = found
    needed = piece in waited_for or (
        bool(reading.moves) and not _explained(desk, reading.moves).complete
    )
    return Decision(
        Status.LEGAL if needed else Status.AMBIGUOUS,
        replace(reading, moves=tuple(sorted(moves, key=lambda m: m.piece))),
        explanation,
        desk.ledger.now,
        choices=() if needed else (choice_of(explanation),),
        confidence=CONFIDENCE,
    )


def _explained(desk: Desk, moves: tuple[PieceMove, ...]) -> Explanation:
    limit = desk.room.spent + SPEND
    return explain(desk.room, desk.proposer, desk.state, moves, desk.clues(), limit)


def _place(desk: Desk, observation: Observation, reading: Reading) -> str | None:
    """The one free spot in view that has plainly changed in this still moment and lies near nothing that
    has moved; None where there are none or several."""
    looker, began_s = desk.looker, observation.t_s - observation.still_s
    ends = {s for s, when in looker.ends.items() if when >= began_s}
    ends |= {s for m in reading.moves for s in (*m.origin, *m.to)}
    ends |= {s for s, when in looker.touched.items() if when >= began_s}
    taken = {s for spots in desk.ledger.now.known.values() for s in spots}
    taken |= {s for p in observation.pieces if p.confidence >= SEEN for s in p.best.spots}
    far = [
        spot
        for spot, when in (looker.changed or {}).items()
        if when >= began_s
        and (looker.strength(spot) or 0.0) >= PLAIN_STRENGTH
        and observation.view(spot) is CellView.SEEN
        and spot not in ends | looker.around(ends)
    ]
    # What has come changes the look of what is near it too.
    free = [s for s in far if s not in taken]
    strongest = max(free, key=lambda s: looker.strength(s) or 0.0, default=None)
    if strongest is None or set(far) - looker.around((strongest,)) - {strongest}:
        return None
    plain = [s for s in free if (looker.strength(s) or 0.0) >= (looker.strength(strongest) or 0.0)]
    return strongest if len(plain) == 1 else None


def _comers(desk: Desk, place: str, waited_for: frozenset[str]) -> Iterator[str]:
    """One of every look of the pieces beside the board that may come to a place now."""
    looks = set()
    placement, known = desk.ledger.now.placement, desk.ledger.now.known
    for piece in sorted(placement.pieces):
        look = placement.infos[piece].kind, placement.infos[piece].colour
        if known.get(piece) or placement.pieces[piece] or look in looks:
            continue
        if piece in waited_for or place in desk.room.hints(desk.state, piece):
            looks.add(look)
            yield piece
