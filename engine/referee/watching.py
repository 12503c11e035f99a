"""What a still table shows, judged when it is time to speak."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from engine.observation import CellView, Observation
from engine.placement import PieceMove
from engine.referee.arrivals import unseen_arrival
from engine.referee.decide import Case, Decision, decide, take_back
from engine.referee.desk import Desk
from engine.referee.events import TrackerEvent, VerdictGiven
from engine.referee.evidence import Signature
from engine.referee.mending import amended
from engine.referee.readings import Reading, with_vanished
from engine.referee.senses import Missing, Overdue
from engine.referee.strictness import Strictness, let_stand, went_on
from engine.referee.unseen import put_back, unseen_move
from engine.referee.wording import (
    choice_verdict,
    legal_verdict,
    pending_verdict,
    refusal_verdict,
    setup_verdict,
    unreadable_verdict,
)
from engine.verdict import Status, Verdict

T = TypeVar("T")

ACCEPT_S = 0.6
REFUSE_S = 1.3
MISPLACED_S = 3.0
# The same arrangement must have been the best reading for so long (three views at 10 a second).
STEADY_S = 0.2
REFUSE_STEADY_S = 0.5
# A piece that lagged behind has caught up when so many views agree.
SETTLE_VIEWS = 5
# Who holds a piece puts it down again within so long; after that it has been put down unseen.
NOT_HELD_S = 2.4
# A refusal without a changed look where the piece is said to have come waits for so long.
UNWITNESSED_S = 3.0
# Readings of a moment from which repairs are made.
MOST_READINGS = 4
# Times come from counting pictures: a hair below a limit is the limit.
EPSILON_S = 1e-6


class _Once(Generic[T]):
    """The answer to the last question, worked out anew only for another one."""

    def __init__(self) -> None:
        self._known: tuple[object, T] | None = None

    def of(self, question: object, answer: Callable[[], T]) -> T:
        """What ``answer`` gave for this question."""
        if self._known is None or self._known[0] != question:
            self._known = question, answer()
        return self._known[1]

    def forget(self) -> None:
        """The same question would have another answer now."""
        self._known = None


class Watching:
    """Judges the views of one table, and says every arrangement once.

    ``said``: what was spoken of already; ``reading``: what the last view shows; ``seen``: the likeliest
    readings of this moment with their log-likelihoods; ``decisions``: how often it had to make up its
    mind.
    """

    def __init__(self, desk: Desk, strictness: Strictness) -> None:
        self._desk, self._strictness = desk, strictness
        self._missing, self._overdue = Missing(), Overdue()
        self._decided = _Once[Decision]()
        self._searched, self._waited_for = _Once[Decision | None](), _Once[Decision | None]()
        self._astray: dict[str, tuple[float, tuple[str, ...]]] = {}
        self.said: Signature | None = None
        self.reading: Reading | None = None
        self.seen: list[tuple[float, Reading]] = []
        self.decisions = 0

    def forget(self) -> None:
        """Something else is known now: what stands is judged and said anew."""
        self.said = None
        self._decided.forget()

    def consider(self, observation: Observation) -> list[TrackerEvent]:
        """Judges what the views of this still moment show, when it is time to speak."""
        evidence, still = self._desk.evidence, observation.still_s + EPSILON_S
        steady = observation.t_s - evidence.top_since_s + EPSILON_S
        if len(evidence) < 2 or steady < STEADY_S or still < ACCEPT_S:
            return []
        self.seen = self._ranked()[:MOST_READINGS]
        top = self.seen[0][1]
        self.reading = top
        if len(evidence) >= SETTLE_VIEWS:
            self._desk.looker.explained(self._desk.ledger.settle(evidence.at_home()))
        if self._desk.over():
            patient = still >= REFUSE_S and steady >= REFUSE_STEADY_S
            return self._after_the_end(top) if patient else []
        misplaced = self._misplaced(top)
        if misplaced is not None:
            # What only cannot be found may be in somebody's hand.
            wait = REFUSE_S if top.moves else MISPLACED_S
            covered = CellView.HAND in observation.cells.values()
            patient = still >= wait and steady >= REFUSE_STEADY_S and not covered
            return (
                self._desk.voice.stand(self._desk.t_s, misplaced, misplaced.pieces)
                if patient
                else []
            )
        anew = self._seen_elsewhere(observation, top)
        if anew:
            self.said = None
            return anew
        gone = evidence.gone()
        self._missing.note(gone, observation.t_s)
        events = self._overdue.update(
            self._desk.t_s, self._late(top), lambda late: self._desk.proposer.overdue(self._desk.state, late),
            self._desk.voice.new_id,
        )  # fmt: skip
        waited = still >= REFUSE_S and steady >= REFUSE_STEADY_S
        found = self._gone(observation, top, waited)
        if found is not None:
            return events + self._carry_out(found)
        come = None if gone or not waited else self._come(observation, top)
        if come is not None:
            return events + self._carry_out(come)
        if waited or not gone:
            events += self._missing.update(
                observation, gone, self._desk.ledger.now.placement, self._desk.voice.new_id,
                lambda piece: self._desk.proposer.missed(self._desk.state, piece),
                {piece for piece, _ in self._desk.voice.refused()},
            )  # fmt: skip
        if not top.moves:
            self.said = None
            events += self._desk.voice.withdraw(self._desk.t_s)
            return events + self._seen_roll()
        said = top.signature == self.said
        open_ = self._desk.voice.standing
        asking = open_ is not None and open_.verdict.status is Status.AMBIGUOUS
        if said and not asking:
            return events
        if self._strictness is Strictness.COACH:
            stands = went_on(self._desk, top)
            if stands:
                self.said = None
                return events + stands
        decision = self._decision(top)
        if said and decision.status is not Status.LEGAL:
            return events
        patient = decision.status in (Status.ILLEGAL, Status.UNREADABLE, Status.AMBIGUOUS)
        patient = patient or bool(decision.choices)
        if patient and CellView.HAND in observation.cells.values():
            return events  # somebody is thinking with a finger on a piece
        if decision.doubted or (patient and still < UNWITNESSED_S and self._unwitnessed(decision)):
            return events + self._legal_part(decision)
        if (patient or decision.take_back) and not waited:
            return events
        return events + self._carry_out(decision)

    def _after_the_end(self, top: Reading) -> list[TrackerEvent]:
        """After the end of a game only a take-back counts; what else moves is being cleared away."""
        back = take_back(self._case(self.seen), top) if top.moves else None
        return [] if back is None else self._carry_out(back)

    def _case(self, ranked: list[tuple[float, Reading]]) -> Case:
        return Case(
            self._desk.room, self._desk.proposer, self._desk.ledger.now, self._desk.ledger.batches,
            self._desk.clues(), ranked, self._desk.evidence.gone(), self._desk.voice.refused(),
            self._desk.voice.asked(),
        )  # fmt: skip

    def _late(self, top: Reading) -> tuple[PieceMove, ...]:
        """Pieces that are seen where they stood before, and not where the rules have them."""
        home = self._desk.ledger.now.placement.pieces
        return tuple(
            PieceMove(piece, spots, home[piece])
            for piece, spots in self._desk.ledger.now.lagging().items()
            if piece in top.at_home and set(top.at_home[piece]) == set(spots)
        )

    def _unwitnessed(self, decision: Decision) -> bool:
        """Whether a refusal rests on a piece where nothing looks changed: a thing that is none, or
        that stands beside it."""
        changed = self._desk.looker.changed
        return changed is not None and any(
            m.to and changed.keys().isdisjoint(m.to) for m in decision.fresh
        )

    def _gone(self, observation: Observation, top: Reading, waited: bool) -> Decision | None:
        """What has become of a piece that cannot be found.  It may be in somebody's hand, unless it has
        been gone for long or since before something else was moved."""
        gone = self._desk.evidence.gone()
        self._astray |= {m.piece: (observation.t_s, m.to) for m in top.moves}
        if waited:
            gone -= self._back(gone, top)
        if not gone:
            return None
        long = min(self._missing.gone_for_s(p, observation.t_s) for p in gone)
        earlier = long > observation.still_s + STEADY_S
        if not waited and not earlier:
            return None
        held = not earlier and long < NOT_HELD_S - EPSILON_S
        found = self._unseen(observation, top, gone, held, earlier)
        if found is None or found.status is Status.LEGAL:
            return found
        if found.status is Status.AMBIGUOUS and held:
            return None  # what may still be in a hand is not asked for
        touched = CellView.HAND in observation.cells.values()
        return found if waited and not touched else None

    def _unseen(
        self,
        observation: Observation,
        top: Reading,
        gone: frozenset[str],
        held: bool,
        earlier: bool,
    ) -> Decision | None:
        """Where a piece went that is not seen; the same look is searched once."""
        desk = self._desk
        key = (
            desk.ledger.version, desk.looker.looks, top.signature, gone, held, earlier,
            desk.dice.values(),
        )  # fmt: skip
        return self._searched.of(
            key, lambda: unseen_move(desk, observation, top, gone, held, earlier)
        )

    def _seen_elsewhere(self, observation: Observation, top: Reading) -> list[TrackerEvent]:
        """A piece that was taken in unseen and is now seen elsewhere, where nothing has changed since, has
        stood there all the time."""
        looker, began_s = self._desk.looker, observation.t_s - observation.still_s
        changed = looker.changed or {}
        for move in top.moves:
            lasting = all(changed.get(s, 0.0) < began_s for s in (*move.origin, *move.to))
            if move.to and lasting and looker.guessed(move.piece):
                return amended(self._desk, move.piece, move.to)
        return []

    def _come(self, observation: Observation, top: Reading) -> Decision | None:
        """A piece that has come from beside the board without being seen; the same look is searched
        once."""
        desk = self._desk
        key = (desk.ledger.version, desk.looker.looks, top.signature)
        return self._waited_for.of(key, lambda: unseen_arrival(desk, observation, top))

    def _legal_part(self, decision: Decision) -> list[TrackerEvent]:
        """What was done legally is taken in while something else is not refused yet."""
        explanation = decision.explanation
        sure = explanation.status is Status.LEGAL and not explanation.weak and not decision.undo
        if not explanation.played or not sure:
            return []
        explained = tuple(m for m in decision.reading.moves if m not in decision.left)
        return self._desk.accept(list(explanation.played), explained, decision.confidence)

    def _misplaced(self, top: Reading) -> Verdict | None:
        """A set-up that is not right, where the game knows what it should be."""
        gone = self._desk.evidence.gone()
        faults = self._desk.proposer.misplaced(self._desk.state, top.moves, gone)
        return (
            setup_verdict(faults, top.moves, gone, self._desk.ledger.now.placement)
            if faults
            else None
        )

    def _decision(self, top: Reading) -> Decision:
        ranked = self._ranked()
        likely = frozenset(r.signature for ll, r in ranked if ll > ranked[0][0] - 2.0)
        gone, refused = self._desk.evidence.gone(), self._desk.voice.refused()
        key = (
            self._desk.ledger.version,
            top.signature,
            likely,
            gone,
            refused,
            self._desk.voice.asked(),
            self._desk.dice.values(),
        )

        def anew() -> Decision:
            self.decisions += 1
            return decide(self._case(ranked))

        return self._decided.of(key, anew)

    def _ranked(self) -> list[tuple[float, Reading]]:
        """The readings of this moment; a piece whose going may mean something counts as moved."""
        ranked, gone = self._desk.evidence.ranked(), self._desk.evidence.gone()
        if not gone:
            return ranked
        vanished = gone & self._desk.proposer.may_vanish(
            self._desk.state, ranked[0][1], self._desk.ledger.came_out()
        )
        known = self._desk.ledger.now.known
        return [(ll, with_vanished(r, vanished, known)) for ll, r in ranked]

    def _carry_out(self, decision: Decision) -> list[TrackerEvent]:
        events: list[TrackerEvent] = []
        explained = tuple(m for m in decision.reading.moves if m not in decision.left)
        self.said = frozenset((m.piece, frozenset(m.to)) for m in decision.left)
        if decision.status is Status.AMBIGUOUS or (
            decision.unfinished is not None and decision.unfinished.choices
        ):
            self.said = decision.reading.signature
            return self._desk.voice.stand(
                self._desk.t_s, choice_verdict(decision), decision.reading.moves
            )
        if decision.undo:
            events += self._replace(decision, explained)
        elif decision.explanation.played:
            played = list(decision.explanation.played)
            events += self._desk.accept(played, explained, decision.confidence)
        if not decision.left:
            return events + self._desk.voice.withdraw(self._desk.t_s)
        events += self._desk.voice.prune(self._desk.t_s, decision.left)
        if decision.unfinished is not None:
            verdict = pending_verdict(decision)
        elif not decision.fresh:
            return events
        elif decision.refusal is not None:
            verdict = refusal_verdict(decision)
            if self._strictness is Strictness.SCOREKEEPER:
                refusal = decision.refusal
                moves = tuple(m for m in refusal.moves if m in decision.fresh)
                stands = let_stand(
                    self._desk, refusal.action, refusal.judgement, moves, decision.confidence
                )
                if stands:
                    self.said = None
                    return events + stands
        else:
            verdict = unreadable_verdict(decision)
        return events + self._desk.voice.stand(
            self._desk.t_s, verdict, verdict.pieces, decision.left
        )

    def _back(self, gone: frozenset[str], top: Reading) -> frozenset[str]:
        """Pieces that were seen astray and are back, seen there or not.  What has changed by their
        going and coming is explained: it must not be taken for a new move of theirs later."""
        back = set()
        for piece, (when, away) in self._astray.items():
            home = self._desk.ledger.now.known.get(piece, ())
            if piece in gone and put_back(self._desk, piece, when, away):
                self._desk.looker.stands(piece, home)
            elif not home or set(top.at_home.get(piece, ())) != set(home):
                continue
            self._desk.looker.explained((PieceMove(piece, away, home),))
            back.add(piece)
        for piece in back:
            del self._astray[piece]
        return frozenset(back)

    def _replace(self, decision: Decision, explained: tuple[PieceMove, ...]) -> list[TrackerEvent]:
        """Takes batches back, and plays anew what replaces them under the first one's id."""
        old = self._desk.ledger.batches[-decision.undo]
        there = dict(self._desk.ledger.now.known) | {m.piece: m.to for m in explained}
        played, gone = list(decision.explanation.played), self._desk.evidence.gone()
        events = self._desk.ledger.undo(decision.undo, self._desk.t_s, put_back=True)
        self._desk.fresh()
        if not played:
            self._desk.ledger.stand([PieceMove(p, (), spots) for p, spots in there.items()])
            verdict = legal_verdict([], explained, decision.confidence, take_back=True)
            given = VerdictGiven(old.id, self._desk.t_s, verdict, old.id)
            return [*events, given, *self._desk.news()]
        verdict = legal_verdict(played, explained, decision.confidence)
        given = self._desk.voice.remember(VerdictGiven(old.id, self._desk.t_s, verdict, old.id))
        moves = decision.base.moves_to(there)
        return events + self._desk.commit(played, moves, given, gone=gone)

    def _seen_roll(self) -> list[TrackerEvent]:
        dice = self._desk.dice.thrown()
        action = None if dice is None else self._desk.proposer.roll(self._desk.state, dice)
        if action is None:
            return []
        played, ok = self._desk.ledger.try_all((action,))
        if not ok:
            return []
        given = VerdictGiven(self._desk.voice.new_id(), self._desk.t_s, legal_verdict(played, ()))
        return self._desk.commit(played, (), given)
