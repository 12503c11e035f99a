"""Where table and state differ, and what one tap could do about it (design decision 8)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from engine.action import Action
from engine.placement import PieceMove
from engine.referee.decide import UNDO, describe
from engine.referee.desk import Desk
from engine.referee.explain import Explanation, Played, explain
from engine.referee.history import Moment
from engine.referee.readings import Reading
from engine.verdict import Choice, Listed, Message, Status

# How much less likely something is than what the rules explain at once, in nats: that a turn ended
# unseen, that the last things were understood wrongly (each), that they were put back (each), that
# the table is right against the rules (and each piece more), that only one of the pieces is, and
# that the last thing was wrong but nothing explains the table all the same.
UNSEEN_END, MISUNDERSTOOD, PUT_BACK = 1.0, 1.5, 1.0
AGAINST_RULES, EACH_MORE, ONLY_ONE, LEAVES_REST = 3.0, 0.3, 1.5, 5.0
MOST_UNDONE = 3
MOST = 4
SPEND = 40.0  # judgements per search

Scored = tuple[float, Choice]


def differences(now: Moment, reading: Reading | None) -> tuple[PieceMove, ...]:
    """From where the state has a piece to where it was seen last; gone pieces go to ()."""
    seen = dict(now.known)
    gone: tuple[str, ...] = ()
    if reading is not None:
        seen |= {m.piece: m.to for m in reading.moves} | dict(reading.at_home)
        gone = reading.gone
    moves = [
        PieceMove(piece, spots, seen[piece])
        for piece, spots in sorted(now.placement.pieces.items())
        if piece in seen and piece not in gone and set(seen[piece]) != set(spots)
    ]
    return (*moves, *(PieceMove(p, now.placement.pieces[p], ()) for p in gone))


def repairs(
    desk: Desk, moves: tuple[PieceMove, ...], ranked: Sequence[tuple[float, Reading]]
) -> tuple[Choice, ...]:
    """What one tap could do, the most probable first; putting pieces back needs no tap.

    ``moves``: the differences; ``ranked``: the readings of the last still moment, best first.
    Every ``undo`` in a choice takes back all that was understood together.  Only what the game can
    write down is offered, and nothing twice.
    """
    found: list[Scored] = []
    if ranked:
        best, reading_now = ranked[0]
        found += _as_done(desk, tuple(m for m in moves if m.to), 0.0)
        for log_likelihood, reading in ranked:
            found += _as_done(desk, reading.moves, log_likelihood - best)
        found += _instead(desk, reading_now)
    found += _by_hand(desk, moves)
    if desk.ledger.game.last is not None and desk.ledger.batches:
        found.append((-LEAVES_REST, _taken_back(desk, 1)))
    choices: dict[str, Choice] = {}
    for _, choice in sorted(found, key=lambda f: -f[0]):
        after = result(desk, choice.actions)
        if after is not None:
            choices.setdefault(repr(desk.room.position(after[1])), choice)
    return tuple(choices.values())[:MOST]


def result(desk: Desk, actions: Sequence[Action]) -> tuple[list[Played], Any] | None:
    """What a repair comes to: the actions after its undos with the word on each, and the state;
    None where it cannot be written down."""
    undone = sum(a == UNDO for a in actions)
    if undone > len(desk.ledger.batches):
        return None
    game = desk.ledger.game
    if undone:
        game = replace(game, state=desk.ledger.batches[-undone].before.state)
    played: list[Played] = []
    for action in actions[undone:]:
        game, judgement = game.do(action)
        played.append(Played(action, judgement))
        if judgement.status not in (Status.LEGAL, Status.PENDING):
            return None
    return played, game.state


# -- candidates ----------------------------------------------------------------------------------


def _explained(desk: Desk, base: Moment, moves: tuple[PieceMove, ...]) -> Explanation | None:
    clues = replace(desk.clues(), acted=True)
    limit = desk.room.spent + SPEND
    found = explain(desk.room, desk.proposer, base.state, moves, clues, limit)
    return found if found.complete and found.played else None


def _as_done(desk: Desk, moves: tuple[PieceMove, ...], score: float) -> Iterator[Scored]:
    """What is seen, as something legal done now."""
    found = _explained(desk, desk.ledger.now, moves) if moves else None
    if found is not None:
        unseen = UNSEEN_END if found.ends and not desk.ledger.now.acted else 0.0
        actions = tuple(p.action for p in found.played)
        said = Message("referee.was_done", f"It was: {_told(actions)}.", _named(actions))
        yield score - found.cost - unseen, Choice(said, actions)


def _instead(desk: Desk, reading: Reading) -> Iterator[Scored]:
    """What is seen, as something else in place of what was understood last."""
    after = desk.ledger.now
    now = dict(after.known) | {m.piece: m.to for m in reading.moves}
    for undo, batch in enumerate(reversed(desk.ledger.batches[-MOST_UNDONE:]), 1):
        moves = batch.before.moves_to(now)
        changed = batch.before.placement.pieces != after.placement.pieces
        after = batch.before
        if not changed:
            continue  # cards laid, a turn ended: that is not what differs
        if not moves:
            yield -PUT_BACK * undo, _taken_back(desk, undo)
            continue
        found = _explained(desk, batch.before, moves)
        if found is not None:
            actions = tuple(p.action for p in found.played)
            said = Message(
                "referee.was_instead", f"It was rather: {_told(actions)}.", _named(actions)
            )
            score = -MISUNDERSTOOD * undo - found.cost
            yield score, Choice(said, (*[UNDO] * undo, *actions))


def _by_hand(desk: Desk, moves: tuple[PieceMove, ...]) -> Iterator[Scored]:
    """The table taken as it is, whole or one piece of it, and without what cannot be found."""
    whole = desk.proposer.correction(moves) if moves else None
    visible = tuple(m for m in moves if m.to)
    if whole is not None:
        text = "The table is right: take everything as it stands."
        score = -AGAINST_RULES - EACH_MORE * (len(moves) - 1) - ONLY_ONE * (visible != moves)
        yield score, Choice(Message("referee.take_over", text), (whole,))
    if visible != moves and visible:
        part = desk.proposer.correction(visible)
        if part is not None:
            text = "What can be seen is right: take it as it stands."
            score = -AGAINST_RULES - EACH_MORE * (len(visible) - 1)
            yield score, Choice(Message("referee.take_seen", text), (part,))
    for move in visible if len(moves) > 1 else ():
        single = desk.proposer.correction((move,))
        if single is not None:
            to = Listed(move.to, "")
            said = Message(
                "referee.set_piece", f"Only set {move.piece} to {to}.",
                {"piece": move.piece, "cells": to},
            )  # fmt: skip
            yield -AGAINST_RULES - ONLY_ONE, Choice(said, (single,))


def _taken_back(desk: Desk, undo: int) -> Choice:
    last = desk.ledger.batches[-undo].actions[-1:]
    what = describe(last[0]) if last else ""
    params = {"what": what, **({"action": last[0]} if last else {})}
    if undo == 1:
        text = f"Take back what was understood last ({what})."
        return Choice(Message("referee.undo_last", text, params), (UNDO,))
    text = f"Everything since then was taken back ({what})."
    return Choice(Message("referee.undo_since", text, params), (UNDO,) * undo)


def _told(actions: tuple[Action, ...]) -> str:
    return "; ".join(describe(a) for a in actions)


def _named(actions: tuple[Action, ...]) -> dict[str, Any]:
    return {"actions": Listed(actions, "")}
