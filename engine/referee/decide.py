"""One word on an arrangement: the readings of it weighed against what the rules allow."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from engine.action import Action
from engine.placement import PieceMove
from engine.referee.evidence import Signature
from engine.referee.explain import (
    Clues,
    Explanation,
    Proposer,
    Refusal,
    Unclear,
    Unfinished,
    accuse,
    explain,
    play,
)
from engine.referee.history import Batch, Moment
from engine.referee.judging import RememberingRoom
from engine.referee.readings import Reading
from engine.verdict import Choice, Listed, Message, Status

# A reading may be given up for a legal one that is up to 6 times less probable.  About one move in
# thirty at a table is illegal, mostly by one cell; five times that, because a missed illegal move
# is what a referee must not have.  Beyond it the arrangement is plainly there and is reported.
BEND_NATS = math.log(6.0)
# Two legal readings nearer than 3 to 1 are asked about when it makes a difference.
ASK_NATS = math.log(3.0)
# A piece is seldom put down on its way: an arrangement that finishes something is likelier.
PART_NATS = 2.0
MAX_UNDO = 6
# Judgements per decision: some 20 ms on one slow core.  An arrangement that needs more is far out
# of step, and is put right by hand sooner than by searching.
MAX_SPENT = 100.0
# Of these per earlier moment from which the turn is understood anew.
REPLACED_SPENT = 24.0
MAX_REPLACED = 4
# Of these besides, for another throw: what does not fit at all has used up the others.
DICE_SPENT = 60.0
UNDO = Action(None, "undo", {})


@dataclass(frozen=True, slots=True)
class Decision:
    """What the referee makes of an arrangement.

    ``explanation`` starts at ``base`` (the present moment, or the one before the last ``undo``
    batches); its ``left`` is refused or waits.  ``fresh``: what of it has not been refused before.
    ``doubted``: nothing of that is surely there: it may be a shadow.
    """

    status: Status
    reading: Reading
    explanation: Explanation
    base: Moment
    undo: int = 0
    refusal: Refusal | None = None
    unfinished: Unfinished | None = None
    choices: tuple[Choice, ...] = ()
    confidence: float = 1.0
    fresh: tuple[PieceMove, ...] = ()
    doubted: bool = False

    @property
    def left(self) -> tuple[PieceMove, ...]:
        """Moves that are not accepted."""
        return self.explanation.left

    @property
    def take_back(self) -> bool:
        """Whether pieces were simply put back."""
        return self.undo > 0 and not self.explanation.played


@dataclass(frozen=True, slots=True)
class Case:
    """All that a decision rests on.

    ``batches``: history, oldest first; ``gone``: pieces that cannot be found although their spot is
    in view; ``refused``: moves that have been refused already and still stand; ``asked``: pieces of which
    the players were asked where they are, and have not said.
    """

    room: RememberingRoom
    proposer: Proposer
    now: Moment
    batches: Sequence[Batch]
    clues: Clues
    ranked: Sequence[tuple[float, Reading]]
    gone: frozenset[str] = frozenset()
    refused: Signature = frozenset()
    asked: frozenset[str] = frozenset()
    limit: float = math.inf
    explained: dict[tuple[object, ...], Explanation] = field(default_factory=dict)

    def explain(
        self,
        moment: Moment,
        moves: tuple[PieceMove, ...],
        reading: Reading,
        spend: float = math.inf,
    ) -> Explanation:
        """The best explanation of the moves of a reading from a moment on, for at most so many
        judgements."""
        gone = self.gone_in(reading)
        key = (id(moment), moves, gone)
        if key not in self.explained:
            limit = min(self.limit, self.room.spent + spend)
            clues = replace(self.clues, acted=moment.acted, gone=gone)
            self.explained[key] = explain(
                self.room, self.proposer, moment.state, moves, clues, limit
            )
        return self.explained[key]

    def played_on(self, reading: Reading) -> bool:
        """Whether more has moved since the players were asked."""
        return bool(self.asked) and self.asked < {m.piece for m in reading.moves}

    def gone_in(self, reading: Reading) -> frozenset[str]:
        """Pieces that cannot be found if this is what the views show."""
        return frozenset(reading.gone) | (self.gone - {m.piece for m in reading.moves})


def decide(case: Case) -> Decision:
    """Weighs legal continuations, take-backs, replaced moves, half-done things and refusals."""
    case = replace(case, limit=case.room.spent + MAX_SPENT)
    best = case.ranked[0][0]
    window = [(ll, r) for ll, r in case.ranked if ll > best - BEND_NATS and r.moves]
    confidence = _confidence(case.ranked)
    back = take_back(case, window[0][1])
    goes_on = case.proposer.goes_on(case.now.state, window[0][1].moves)
    if back is not None and back.undo == 1 and not goes_on:
        # What exactly undoes the last thing is hardly ever a new move, and as a take-back it is
        # never worse for the mover.
        return back
    legal = _legal(case, window, confidence)
    if legal is not None and not legal.explanation.weak:
        return _better(case, legal, confidence)
    if back is not None:
        return back
    # A piece that simply goes on is likelier than a turn that ended without a sign.
    reach = MAX_REPLACED if legal is None else 1
    for _, reading in window:
        replaced = _replaced(case, reading, confidence, reach)
        if replaced is not None:
            return replaced
    if legal is not None:
        return legal
    return _short_of_legal(case, window[0][1], confidence)


def _better(case: Case, legal: Decision, confidence: float) -> Decision:
    """Something finished, where the last action is understood anew, before something half done."""
    if legal.status is not Status.PENDING:
        return legal
    anew = _replaced(case, legal.reading, confidence, 1)
    return legal if anew is None or anew.status is Status.PENDING else anew


def _confidence(ranked: Sequence[tuple[float, Reading]]) -> float:
    margin = ranked[0][0] - ranked[1][0] if len(ranked) > 1 else 6.0
    return (1.0 / (1.0 + math.exp(-margin))) * 0.9 ** min(3, ranked[0][1].spurious)


def _legal(
    case: Case, window: Sequence[tuple[float, Reading]], confidence: float
) -> Decision | None:
    found: list[tuple[float, Reading, Explanation]] = []
    for ll, reading in window:
        explanation = case.explain(case.now, reading.moves, reading)
        if not explanation.complete:
            continue
        part = PART_NATS if explanation.status is Status.PENDING else 0.0
        found.append((ll - explanation.cost - part, reading, explanation))
    if not found:
        return None
    found.sort(key=lambda f: -f[0])
    score, reading, explanation = found[0]
    rivals = [
        f for f in found[1:]
        if f[0] > score - ASK_NATS and _differs(case, found[0], f)
        # What is seen and allowed is believed: that a part of it was a shadow is not asked.
        and not f[1].signature < reading.signature
    ]  # fmt: skip
    if case.played_on(reading):
        # Nobody has answered, and the game goes on: what is likeliest of that stands until it is corrected.
        rivals = [f for f in rivals if _beside(f[1], case.asked) != _beside(reading, case.asked)]
    if rivals:
        choices = tuple(choice_of(f[2]) for f in (found[0], *rivals))
        return Decision(
            Status.AMBIGUOUS, reading, explanation, case.now, 0, None, None, choices, confidence
        )
    return Decision(explanation.status, reading, explanation, case.now, confidence=confidence)


def _differs(
    case: Case,
    first: tuple[float, Reading, Explanation],
    second: tuple[float, Reading, Explanation],
) -> bool:
    """Whether it makes a difference which one is taken: equal pieces swapped make none."""
    arrangements = []
    for _, _, explanation in (first, second):
        placement = case.room.placement(explanation.state)
        arrangements.append(
            sorted(
                (case.proposer.alike(info.kind), info.colour or "", tuple(sorted(spots)))
                for info, spots in placement
            )
        )
    return arrangements[0] != arrangements[1]


def _beside(reading: Reading, pieces: frozenset[str]) -> Signature:
    """Where a reading has moved pieces other than these."""
    return frozenset((m.piece, frozenset(m.to)) for m in reading.moves if m.piece not in pieces)


def choice_of(explanation: Explanation) -> Choice:
    """An explanation as one of several answers."""
    actions = tuple(p.action for p in explanation.played)
    text = "; ".join(describe(a) for a in actions)
    return Choice(Message("referee.reading", text, {"actions": Listed(actions, "")}), actions)


def describe(action: Action) -> str:
    """A few words for an action, for choices and logs."""
    to = action.args.get("to", action.args.get("dice", action.args.get("card", "")))
    what = action.args.get("piece", action.args.get("ruin", action.do))
    where = " ".join(str(v) for v in to) if isinstance(to, (list, tuple)) else str(to)
    return " ".join(part for part in (action.player or "", str(what), where) if part)


def take_back(case: Case, reading: Reading) -> Decision | None:
    """An earlier arrangement of this turn or the one before, exactly as it stands now."""
    now = dict(case.now.known) | {m.piece: m.to for m in reading.moves}
    turns = 0
    for undo, batch in enumerate(reversed(case.batches), 1):
        if undo > MAX_UNDO or batch.tapped:
            break
        if not batch.before.moves_to(now):
            nothing = Explanation((), batch.before.state, ())
            return Decision(Status.LEGAL, reading, nothing, batch.before, undo)
        turns += batch.ended
        if turns > 1:
            break
    return None


def _replaced(case: Case, reading: Reading, confidence: float, reach: int) -> Decision | None:
    """The same turn understood anew, because a piece went on or a late victim was moved."""
    now = dict(case.now.known) | {m.piece: m.to for m in reading.moves}
    moved = frozenset(m.piece for m in reading.moves)
    for undo, batch in enumerate(reversed(case.batches), 1):
        if undo > reach or batch.tapped:
            break
        # An end that was only inferred a moment ago may have been inferred too early.
        early = batch.ended and undo == 1
        touched = bool(moved & batch.pieces) or batch.pending or early
        if touched or case.proposer.linked(moved, batch.pieces):
            moves = batch.before.moves_to(now)
            explanation = case.explain(batch.before, moves, reading, REPLACED_SPENT)
            # What was finished is not taken for a beginning: going on is no excuse then.
            open_ended = any(b.pending for b in case.batches[-undo:])
            finished = explanation.status is Status.LEGAL or open_ended
            ended = max(batch.ended, sum(a.do == "end" for a in batch.actions))
            few = explanation.ends <= ended + batch.pending
            if explanation.complete and finished and few:
                return Decision(
                    explanation.status, reading, explanation, batch.before, undo,
                    confidence=confidence,
                )  # fmt: skip
        if batch.ended:
            break
    return None


def _ask(case: Case, reading: Reading, unclear: Unclear, confidence: float) -> Decision:
    """The rules' own question, with what was done before it put in front of every choice."""
    prefix = tuple(p.action for p in unclear.played)
    asked = unclear.asked
    choices = tuple(Choice(c.text, (*prefix, *c.actions)) for c in asked.choices)
    nothing = Explanation((), case.now.state, reading.moves)
    half = Unfinished(asked.message, case.room.to_act(case.now.state), choices)
    return Decision(
        Status.AMBIGUOUS, reading, nothing, case.now, 0, None, half, choices, confidence
    )


def _misread_dice(case: Case, reading: Reading, confidence: float) -> Decision | None:
    """The question what the dice of this turn showed, where what was moved by them is half done, something
    else has moved since, and only another throw makes all of it legal.  Its answers take the throw back
    first.  What is moved against clear dice itself is refused."""
    now = dict(case.now.known) | {m.piece: m.to for m in reading.moves}
    moved = frozenset(m.piece for m in reading.moves)
    back, half_done = 0, frozenset[str]()
    for batch in reversed(case.batches[-MAX_REPLACED:]):
        if batch.tapped or batch.ended or moved & half_done:
            break
        back += batch.count
        if batch.pending:
            half_done |= batch.pieces
        if not half_done or all(a.do != "roll" for a in batch.actions):
            continue
        moves = batch.before.moves_to(now)
        clues = replace(case.clues, acted=batch.before.acted, gone=frozenset())
        half = case.proposer.unfinished(batch.before.state, moves, clues)
        if half is None or not half.choices or half.ambiguous:
            return None
        choices = tuple(
            Choice(c.text, (UNDO,) * back + c.actions)
            for choice in half.choices
            for c in _gone_on(case, batch, moves, choice)
        )
        if not choices:
            return None
        nothing = Explanation((), case.now.state, reading.moves)
        half = replace(half, choices=choices)
        return Decision(
            Status.PENDING, reading, nothing, case.now, 0, None, half, choices, confidence
        )
    return None


def _gone_on(
    case: Case, batch: Batch, moves: tuple[PieceMove, ...], choice: Choice
) -> list[Choice]:
    """The answer with what was done after it, where that is legal then."""
    played, ok = play(case.room, batch.before.state, choice.actions)
    if not ok:
        return []
    state = played[-1].judgement.state
    there = case.room.placement(state).pieces
    rest = tuple(m for m in moves if set(there[m.piece]) != set(m.to))
    clues = replace(case.clues, acted=True, gone=frozenset())
    limit = min(case.limit, case.room.spent + REPLACED_SPENT)
    found = explain(case.room, case.proposer, state, rest, clues, limit)
    if not found.complete:
        return []
    return [Choice(choice.text, (*choice.actions, *(p.action for p in found.played)))]


def _short_of_legal(case: Case, reading: Reading, confidence: float) -> Decision:
    """What is left when no order of actions explains everything: wait for more, or refuse."""
    partial = case.explain(case.now, reading.moves, reading)
    if partial.unclear is not None:
        return _ask(case, reading, partial.unclear, confidence)
    acted = True if partial.played else case.now.acted
    clues = replace(case.clues, acted=acted, gone=case.gone_in(reading))
    half = case.proposer.unfinished(partial.state, partial.left, clues)
    if half is not None:
        prefix = tuple(p.action for p in partial.played)
        choices = tuple(Choice(c.text, (*prefix, *c.actions)) for c in half.choices)
        status = Status.AMBIGUOUS if half.ambiguous else Status.PENDING
        return Decision(status, reading, partial, case.now, 0, None, half, choices, confidence)
    more = replace(case, limit=max(case.limit, case.room.spent) + DICE_SPENT)
    misread = _misread_dice(more, reading, confidence)
    if misread is not None:
        return misread
    fresh = tuple(m for m in partial.left if (m.piece, frozenset(m.to)) not in case.refused)
    sure = tuple(m for m in fresh if _surely_there(case, m))
    refusal = accuse(case.room, case.proposer, partial.state, sure or fresh or partial.left, clues)
    status = Status.UNREADABLE if refusal is None else Status.ILLEGAL
    return Decision(
        status, reading, partial, case.now, 0, refusal, None, (), confidence, sure or fresh,
        doubted=bool(fresh) and not sure,
    )  # fmt: skip


def _surely_there(case: Case, move: PieceMove) -> bool:
    """Whether no reading that is nearly as probable does without anything having come there."""
    best = case.ranked[0][0]
    return not move.to or all(
        any(set(m.to) & set(move.to) for m in reading.moves)
        for ll, reading in case.ranked
        if ll > best - BEND_NATS
    )
