"""Corrections of what was understood earlier: what followed is judged again, and only what is
different then is said."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from engine.action import Action
from engine.placement import PieceMove, track_value
from engine.referee.decide import UNDO
from engine.referee.desk import Desk
from engine.referee.events import TrackerEvent, VerdictGiven, Withdrawn
from engine.referee.explain import Played, explain, play
from engine.referee.history import Batch, Moment, Spots
from engine.referee.repairs import result
from engine.referee.wording import legal_verdict, tap_refusal
from engine.verdict import Choice

# How many verdicts back a piece may be set elsewhere as a correction of its reading.
MOST_AMENDED = 12
SPEND = 60.0  # judgements


def repaired(desk: Desk, choice: Choice, moves: tuple[PieceMove, ...]) -> list[TrackerEvent]:
    """Carries a repair out as one thing: one verdict, one score.  ``moves``: the differences, which
    are where the pieces stand."""
    outcome = result(desk, choice.actions)
    if outcome is None:
        return []
    undone = sum(a == UNDO for a in choice.actions)
    events = desk.ledger.undo(undone, desk.t_s)
    played, ident = outcome[0], desk.voice.new_id()
    verdict = legal_verdict(played, moves) if played else None
    if played:
        events += desk.ledger.commit(ident, desk.t_s, played, (), tapped=True)
    desk.ledger.stand([m for m in moves if m.to])
    desk.fresh()
    desk.looker.explained(moves)
    given = [] if verdict is None else [VerdictGiven(ident, desk.t_s, verdict)]
    return [*events, *given, *desk.news()]


def amended(desk: Desk, piece: str, to: Spots) -> list[TrackerEvent]:
    """A piece stands elsewhere than was understood: what moved it last is understood anew, and what
    followed is judged again.  Empty where the rules do not allow that, or nothing moved it."""
    batches, now = desk.ledger.batches, desk.ledger.now
    after = now
    if set(now.placement.pieces.get(piece, ())) == set(to):
        return []
    for undo, batch in enumerate(reversed(batches[-MOST_AMENDED:]), 1):
        before = batch.before.placement.pieces.get(piece, ())
        if set(before) != set(after.placement.pieces.get(piece, ())):
            played = _anew(desk, batch, after, piece, to)
            if played is None:
                return []
            there = {**now.known, piece: to}
            return _redone(desk, undo, played, there)
        after = batch.before
    return []


def _anew(
    desk: Desk, batch: Batch, after: Moment, piece: str, to: Spots
) -> tuple[list[Played], tuple[PieceMove, ...]] | None:
    """The batch with this piece gone elsewhere: the same actions where only their end differs, else
    whatever legal order explains it; with the moves."""
    base = batch.before
    moves = base.moves_to({**after.known, piece: to})
    old = after.placement.pieces[piece]
    for n, action in enumerate(batch.actions):
        if _end(action) == tuple(old):
            changed = Action(action.player, action.do, {**action.args, "to": _like(action, to)})
            actions = (*batch.actions[:n], changed, *batch.actions[n + 1 :])
            played, ok = play(desk.room, base.state, actions)
            if ok:
                return played, moves
    clues = replace(desk.clues(), acted=base.acted, gone=frozenset())
    limit = desk.room.spent + SPEND
    found = explain(desk.room, desk.proposer, base.state, moves, clues, limit)
    if not found.complete or not found.played or found.ends > batch.ended:
        return None
    return list(found.played), moves


def _end(action: Action) -> Spots | None:
    to = action.args.get("to")
    if isinstance(to, str):
        return (to,)
    if isinstance(to, (list, tuple)):
        return tuple(map(str, to))
    return (f"track/{to}",) if isinstance(to, int) else None


def _like(action: Action, to: Spots) -> Any:
    """A place in the form in which an action names it."""
    old = action.args.get("to")
    if isinstance(old, int):
        return track_value(to[0]) if to else None
    return list(to) if isinstance(old, (list, tuple)) else (to[0] if to else None)


def _redone(
    desk: Desk,
    undo: int,
    instead: tuple[list[Played], tuple[PieceMove, ...]],
    there: dict[str, Spots],
) -> list[TrackerEvent]:
    """The last batches with the first of them replaced."""
    first, later = (
        desk.ledger.batches[-undo],
        desk.ledger.batches[len(desk.ledger.batches) - undo :],
    )
    played, moves = instead
    events = desk.ledger.undo(undo, desk.t_s, put_back=True)
    events += desk.ledger.commit(first.id, desk.t_s, played, moves, tapped=first.tapped)
    again, refused = _followed(desk, later[1:])
    given = VerdictGiven(first.id, desk.t_s, legal_verdict(played, moves), first.id)
    _settle(desk, there)
    return [*events, *again, desk.voice.remember(given), *refused, *desk.news()]


def withdrawn(desk: Desk, ident: str) -> list[TrackerEvent]:
    """An accepted verdict is taken back; what followed is judged again.  Empty if there is none."""
    count = desk.ledger.batches_since(ident)
    if not count:
        return []
    later = desk.ledger.batches[-count:]
    there = dict(desk.ledger.now.known)
    events = desk.ledger.undo(count, desk.t_s, put_back=count > 1)
    again, refused = _followed(desk, [b for b in later if b.id != ident])
    _settle(desk, there)
    return [*events, *again, Withdrawn(ident, desk.t_s), *refused, *desk.news()]


def _followed(
    desk: Desk, batches: Iterable[Batch]
) -> tuple[list[TrackerEvent], list[TrackerEvent]]:
    """Plays again what followed; what is not allowed any more is left out and refused."""
    events, refused = list[TrackerEvent](), list[TrackerEvent]()
    for batch in batches:
        played, ok = desk.try_(batch.actions)
        if ok and played:
            events += desk.ledger.commit(
                batch.id, desk.t_s, played, batch.moves, tapped=batch.tapped
            )
        elif played:
            verdict = replace(tap_refusal(played[-1]), pieces=batch.moves)
            refused.append(VerdictGiven(batch.id, desk.t_s, verdict, batch.id))
    return events, refused


def _settle(desk: Desk, there: dict[str, Spots]) -> None:
    """The pieces stand on the table where they stood before."""
    desk.ledger.stand([PieceMove(p, (), spots) for p, spots in there.items()])
    desk.fresh()
