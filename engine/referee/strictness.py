"""How strict the referee is in one game, and what it lets stand: moves of a house rule."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from typing import Any

from engine.action import Action
from engine.game import Header, Judgement
from engine.placement import PieceMove
from engine.record import HOUSE_RULE
from engine.referee.desk import Desk
from engine.referee.events import TrackerEvent
from engine.referee.explain import Clues, Explanation, Proposer, explain
from engine.referee.judging import RememberingRoom
from engine.referee.readings import Reading
from engine.referee.voice import signature
from engine.verdict import Message, Status, Verdict


class Strictness(StrEnum):
    """REFEREE refuses; COACH warns and shows what is possible, and what is left standing counts
    once the game goes on; SCOREKEEPER accepts what stands there and marks it."""

    REFEREE = "referee"
    COACH = "coach"
    SCOREKEEPER = "scorekeeper"


def strictness_of(header: Header) -> Strictness:
    """The strictness of a record's header (its key ``strictness``); one that is not known counts as
    REFEREE, so that nothing is let pass by mistake."""
    try:
        return Strictness(header.extra.get("strictness", Strictness.REFEREE))
    except (ValueError, TypeError):
        return Strictness.REFEREE


def house_rule(
    proposer: Proposer,
    state: Any,
    action: Action,
    judgement: Judgement,
    moves: tuple[PieceMove, ...],
) -> Action | None:
    """The ``correct`` line that lets a refused action stand, with the rule that it breaks as its
    mark; None where the game cannot write down what stands there."""
    changes = proposer.let_stand(state, action, moves)
    if not changes:
        return None
    mark = {"action": action.to_json(), "rule": judgement.rule, "message": judgement.message.text}
    return Action(action.player, "correct", {**changes, HOUSE_RULE: mark})


def unseen_end(
    room: RememberingRoom,
    proposer: Proposer,
    state: Any,
    moves: tuple[PieceMove, ...],
    clues: Clues,
) -> Explanation | None:
    """The moves as legal ones of the next player, whose predecessor did nothing that can be seen."""
    found = explain(room, proposer, state, moves, replace(clues, acted=True))
    return found if found.complete and found.played else None


def house_rule_verdict(
    correct: Action,
    action: Action,
    judgement: Judgement,
    moves: tuple[PieceMove, ...],
    confidence: float = 1.0,
) -> Verdict:
    """LEGAL, with the rule that is broken and a sentence that says so."""
    rule = judgement.rule or "–"
    what = f"{action.player or ''} {action.do}".strip()
    text = f"Written down as a house rule: {what} (against {rule})."
    message = Message("referee.house_rule", text, {"action": action, "rule": rule})
    return Verdict(
        Status.LEGAL, action.player, (correct,), moves, judgement.rule, judgement.cells, message,
        confidence=confidence,
    )  # fmt: skip


def refused_in(verdict: Verdict) -> tuple[Action, Judgement] | None:
    """The refused action of a verdict with the word on it; None when it refuses nothing."""
    if verdict.status is not Status.ILLEGAL or not verdict.actions:
        return None
    word = Judgement(Status.ILLEGAL, None, verdict.rule, verdict.cells, verdict.message)
    return verdict.actions[-1], word


def let_stand(
    desk: Desk,
    action: Action,
    judgement: Judgement,
    moves: tuple[PieceMove, ...],
    confidence: float,
) -> list[TrackerEvent]:
    """What the rules refuse is written down as it stands, and marked as a house rule; empty where
    that cannot be."""
    found = unseen_end(desk.room, desk.proposer, desk.state, moves, desk.clues())
    if found is not None:
        return desk.accept(list(found.played), moves, confidence)
    correct = house_rule(desk.proposer, desk.state, action, judgement, moves)
    if correct is None:
        return []
    played, ok = desk.try_((correct,))
    if not ok:
        return []
    verdict = house_rule_verdict(correct, action, judgement, moves, confidence)
    given = desk.voice.accept(desk.t_s, verdict, moves)
    return desk.commit(played, moves, given, gone=desk.evidence.gone())


def went_on(desk: Desk, top: Reading) -> list[TrackerEvent]:
    """With a coach: what was warned of and still stands counts once something else is done."""
    old = desk.voice.standing
    refused = None if old is None else refused_in(old.verdict)
    if old is None or refused is None:
        return []
    stands = signature(old.verdict.pieces)
    if not stands or not stands < top.signature:
        return []
    return let_stand(desk, *refused, old.verdict.pieces, old.verdict.confidence)
