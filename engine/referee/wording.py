"""Verdicts out of decisions: who, what, why not, and what to put back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.placement import PieceMove, Placement
from engine.referee.decide import Decision
from engine.referee.explain import Played, joined, told_of
from engine.verdict import EMPTY, Listed, Message, Status, Verdict


def legal_verdict(
    played: Sequence[Played],
    moves: tuple[PieceMove, ...],
    confidence: float = 1.0,
    *,
    take_back: bool = False,
) -> Verdict:
    """LEGAL, or PENDING when the last action waits for more or obliges to it; a take-back without
    actions."""
    if take_back:
        message = Message("referee.taken_back", "Taken back.", {})
        return Verdict(Status.LEGAL, pieces=moves, message=message, confidence=confidence)
    last = played[-1].judgement
    pending = last.status is Status.PENDING or bool(last.pending.text)
    return Verdict(
        Status.PENDING if pending else Status.LEGAL,
        played[-1].action.player,
        tuple(p.action for p in played),
        moves,
        last.rule,
        last.cells,
        told_of(played),
        pending=last.pending if pending else EMPTY,
        confidence=confidence,
    )


def tap_refusal(played: Played) -> Verdict:
    """The refusal of a tapped action."""
    judgement = played.judgement
    return Verdict(
        judgement.status, played.action.player, (played.action,), (), judgement.rule,
        judgement.cells, judgement.message, choices=judgement.choices,
    )  # fmt: skip


def refusal_verdict(decision: Decision) -> Verdict:
    """ILLEGAL: the rule, the cells, and the way back."""
    refusal = decision.refusal
    assert refusal is not None
    judgement = refusal.judgement
    return Verdict(
        Status.ILLEGAL,
        refusal.action.player,
        (refusal.action,),
        decision.fresh,
        judgement.rule,
        judgement.cells,
        judgement.message,
        way_back=way_back(decision.fresh),
        confidence=decision.confidence,
    )


def pending_verdict(decision: Decision) -> Verdict:
    """PENDING without an action of its own: something has to come first."""
    unfinished = decision.unfinished
    assert unfinished is not None
    return Verdict(
        Status.PENDING, unfinished.player, (), decision.left, pending=unfinished.pending,
        confidence=decision.confidence,
    )  # fmt: skip


def choice_verdict(decision: Decision) -> Verdict:
    """A question with choices: dice that were not seen, or several legal readings."""
    text = Message("referee.which", "Which of these was it?", {})
    player = None
    if decision.unfinished is not None:
        text, player = decision.unfinished.pending, decision.unfinished.player
    status = Status.AMBIGUOUS if decision.status is Status.AMBIGUOUS else Status.PENDING
    return Verdict(
        status, player, (), decision.reading.moves, message=text, pending=text,
        choices=decision.choices, confidence=decision.confidence,
    )  # fmt: skip


def unreadable_verdict(decision: Decision) -> Verdict:
    """No rule is broken, and yet nothing explains what stands there."""
    pieces = ", ".join(m.piece for m in decision.fresh)
    text = f"I do not understand what happened with {pieces}. Please show it once more."
    return Verdict(
        Status.UNREADABLE, None, (), decision.fresh,
        cells=tuple(dict.fromkeys(s for m in decision.fresh for s in (*m.origin, *m.to))),
        message=Message(
            "referee.unreadable", text, {"pieces": Listed(tuple(m.piece for m in decision.fresh), "")}
        ),
        way_back=way_back(decision.fresh), confidence=decision.confidence,
    )  # fmt: skip


def setup_verdict(
    faults: Sequence[Message],
    moves: tuple[PieceMove, ...],
    gone: frozenset[str],
    placement: Placement,
) -> Verdict:
    """No rule is broken, but the pieces do not stand as they should at first."""
    away = tuple(PieceMove(p, placement.pieces[p], ()) for p in sorted(gone))
    pieces = (*moves, *away)
    return Verdict(
        Status.UNREADABLE, None, (), pieces,
        cells=tuple(dict.fromkeys(s for m in pieces for s in (*m.origin, *m.to))),
        message=joined(faults), way_back=way_back(moves),
    )  # fmt: skip


def way_back(moves: Iterable[PieceMove]) -> tuple[PieceMove, ...]:
    """The moves reversed, last first."""
    return tuple(PieceMove(m.piece, m.to, m.origin) for m in reversed(tuple(moves)))
