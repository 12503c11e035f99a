"""The tracker: observations and taps in, events of the game out.

It holds no clock, no thread and no file: times come from the observations, and every event that
it gives must be written down before it is shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from engine.action import Action
from engine.board import Board
from engine.game import Header, Room
from engine.observation import CellView, Observation
from engine.placement import PieceMove, Placement
from engine.record import Game
from engine.referee.cards import parse_cards
from engine.referee.decide import Case, Decision, decide, take_back
from engine.referee.desk import Desk
from engine.referee.events import TrackerEvent, VerdictGiven
from engine.referee.evidence import Signature
from engine.referee.explain import Proposer
from engine.referee.judging import RememberingRoom
from engine.referee.matching import Reading, with_vanished
from engine.referee.mending import amended, repaired, withdrawn
from engine.referee.proposers import proposer_for
from engine.referee.repairs import differences, repairs
from engine.referee.senses import Missing, Overdue
from engine.referee.strictness import (
    Strictness,
    let_stand,
    refused_in,
    strictness_of,
    went_on,
)
from engine.referee.unseen import unseen_move
from engine.referee.wording import (
    choice_verdict,
    legal_verdict,
    pending_verdict,
    refusal_verdict,
    setup_verdict,
    tap_refusal,
    unreadable_verdict,
)
from engine.verdict import Choice, Status, Verdict

# Views are looked at from this stillness on, so that there are several when it is time to speak.
LOOK_S = 0.25
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


class Tracker:
    """Follows one game at the table.

    ``cards``: the JSON of a cards file, laid as soon as a round begins.  ``events``: actions of a
    record that is resumed.  Raises PositionError, BoardFileError or BoardwardenError for a header,
    board or cards that cannot be played.
    """

    def __init__(
        self,
        room: Room,
        board: Board,
        header: Header,
        *,
        cards: Any = None,
        events: Iterable[Action] = (),
        proposer: Proposer | None = None,
    ) -> None:
        self._room = RememberingRoom(room)
        self._proposer = proposer or proposer_for(room, self._room)
        known = {} if cards is None else parse_cards(cards)
        self._desk = Desk(room, self._room, self._proposer, board, header, events, known)
        self._ledger, self._voice = self._desk.ledger, self._desk.voice
        self._evidence, self._dice = self._desk.evidence, self._desk.dice
        self._missing, self._overdue = Missing(), Overdue()
        self.strictness = strictness_of(header)
        self._said: Signature | None = None
        self._decided: tuple[object, Decision] | None = None
        self._reading: Reading | None = None
        self._seen: list[tuple[float, Reading]] = []
        self._offered: tuple[object, tuple[Choice, ...]] | None = None
        self.decisions = 0  # how often it had to make up its mind
        self._outbox: list[TrackerEvent] = [*self._desk.lay_known(), *self._desk.ask()]

    # -- what can be asked -----------------------------------------------------------------------

    @property
    def game(self) -> Game:
        """The game as recorded so far (immutable)."""
        return self._ledger.game

    @property
    def state(self) -> Any:
        """The rules' state, for ``room``."""
        return self._ledger.now.state

    @property
    def placement(self) -> Placement:
        """Where every piece stands according to the state."""
        return self._ledger.now.placement

    @property
    def whereabouts(self) -> Mapping[str, tuple[str, ...]]:
        """Where the pieces really stand, as far as it was seen and accepted."""
        return self._ledger.now.known

    @property
    def open_verdict(self) -> Verdict | None:
        """The refusal, question or half-done thing that stands, if any."""
        standing = self._voice.standing
        return None if standing is None else standing.verdict

    @property
    def open_id(self) -> str | None:
        """The id of the open verdict."""
        return None if self._voice.standing is None else self._voice.standing.id

    @property
    def differences(self) -> tuple[PieceMove, ...]:
        """Where the table, as seen last, differs from the state; gone pieces go to ()."""
        return differences(self._ledger.now, self._reading)

    @property
    def repairs(self) -> tuple[Choice, ...]:
        """What one tap could do about the differences, the most probable first; for ``repair``."""
        moves = self.differences
        if not moves:
            return ()
        key = (self._ledger.version, moves, tuple(r.signature for _, r in self._seen))
        if self._offered is None or self._offered[0] != key:
            self._offered = (key, repairs(self._desk, moves, self._seen))
        return self._offered[1]

    # -- what comes in ---------------------------------------------------------------------------

    def begin(self) -> tuple[TrackerEvent, ...]:
        """What is to be written and shown before anything has come in."""
        return tuple(self._flush())

    def observe(self, observation: Observation) -> tuple[TrackerEvent, ...]:
        """Takes in one view; gives what has to be written and shown, in order."""
        events = self._flush()
        self._desk.t_s = observation.t_s
        unusable = not observation.pose_found or observation.hand
        if unusable or observation.still_s < LOOK_S - EPSILON_S:
            self._evidence.clear()
            return tuple(events)
        self._dice.see(observation)
        readings = self._desk.looker.read(
            observation, self._ledger.now, self._ledger.came_lately, self._proposer.arriving
        )
        self._evidence.add(observation.t_s, readings)
        self._reading = readings[0]
        events += self._consider(observation)
        return tuple(events)

    def act(self, action: Action) -> tuple[TrackerEvent, ...]:
        """A tap: any action of the record; ``undo`` takes back all that was understood last."""
        events = self._flush()
        if action.do == "undo":
            events += self._desk.undo(1)
            self._forget_standing(events)
            return tuple(events)
        played = self._ledger.try_tap(action, self._proposer)
        refused = played[-1].judgement
        if refused.status not in (Status.LEGAL, Status.PENDING):
            verdict = tap_refusal(played[-1])
            if verdict.choices:
                return (*events, *self._voice.stand(self._desk.t_s, verdict, ()))
            return (*events, VerdictGiven(self._voice.new_id(), self._desk.t_s, verdict))
        given = VerdictGiven(self._voice.new_id(), self._desk.t_s, legal_verdict(played, ()))
        events += self._desk.commit(played, (), given, tapped=True)
        events += self._desk.lay_known()
        self._forget_standing(events)
        return tuple(events)

    def close(self) -> tuple[TrackerEvent, ...]:
        """The source has ended: a game in which nothing more can come is counted."""
        events = self._flush()
        for action in self._proposer.closing(self.state):
            played, ok = self._ledger.try_all((action,))
            if ok:
                given = VerdictGiven(
                    self._voice.new_id(), self._desk.t_s, legal_verdict(played, ())
                )
                events += self._desk.commit(played, (), given)
        return tuple(events)

    def choose(self, verdict_id: str, index: int) -> tuple[TrackerEvent, ...]:
        """Takes one of the choices of the open verdict; nothing happens for one that has gone."""
        asked = self._desk.answer(verdict_id, index)
        if asked:
            return tuple(event for action in asked for event in self.act(action))
        standing = self._voice.standing
        events = self._flush()
        if standing is None or standing.id != verdict_id:
            return tuple(events)
        choices = standing.verdict.choices
        if not 0 <= index < len(choices):
            return tuple(events)
        played, ok = self._ledger.try_all(choices[index].actions)
        if not ok:
            return (*events, VerdictGiven(verdict_id, self._desk.t_s, tap_refusal(played[-1])))
        verdict = legal_verdict(played, standing.verdict.pieces)
        given = VerdictGiven(verdict_id, self._desk.t_s, verdict, verdict_id)
        self._voice.standing = None
        events += self._desk.commit(played, standing.verdict.pieces, given, landed=True)
        events += self._desk.lay_known()
        return tuple(events)

    def refuse(self, verdict_id: str) -> tuple[TrackerEvent, ...]:
        """One tap against a verdict: an accepted one is undone, and what came after it is judged
        again; an open one is dismissed until the table changes."""
        events = self._flush()
        if self.open_id == verdict_id:
            return (*events, *self._voice.withdraw(self._desk.t_s))
        return (*events, *withdrawn(self._desk, verdict_id))

    def repair(self, index: int) -> tuple[TrackerEvent, ...]:
        """Does what ``repairs`` offers under this index, as one thing."""
        offered, events = self.repairs, self._flush()
        if 0 <= index < len(offered):
            events += repaired(self._desk, offered[index], self.differences)
            self._reading = None
            self._forget_standing(events)
        return tuple(events)

    def amend(self, piece: str, to: tuple[str, ...]) -> tuple[TrackerEvent, ...]:
        """A piece stands elsewhere than was understood: what moved it is understood anew, what
        followed is judged again, and only what is different then is said.  Nothing happens where the
        rules do not allow that; a ``correct`` sets the piece all the same."""
        events = [*self._flush(), *amended(self._desk, piece, to)]
        if events:
            self._forget_standing(events)
        return tuple(events)

    def allow(
        self, verdict: Verdict, moves: tuple[PieceMove, ...] = ()
    ) -> tuple[TrackerEvent, ...]:
        """One tap for what was refused: it stands as a house rule, marked in the record.  ``moves``:
        how the pieces stand (default: as the verdict says).  Nothing happens where that cannot be
        written down."""
        refused = refused_in(verdict)
        events = self._flush()
        if refused is not None:
            events += let_stand(self._desk, *refused, moves or verdict.pieces, verdict.confidence)
            self._said = None
        return tuple(events)

    def possible(self, verdict: Verdict) -> tuple[str, tuple[str, ...]] | None:
        """Of a refused move the piece, and all cells that it could have reached (up to 150 ms);
        None where the piece could not be moved at all."""
        for move in verdict.pieces if verdict.status is Status.ILLEGAL else ():
            cells = tuple(self._room.hints(self.state, move.piece))
            if cells:
                return move.piece, cells
        return None

    def set_cards(self, cards: Any) -> tuple[TrackerEvent, ...]:
        """New known cards (the JSON of a cards file); lays those that are due."""
        self._desk.cards = parse_cards(cards)
        self._said = self._decided = None
        return (*self._flush(), *self._desk.lay_known())

    # -- judging ---------------------------------------------------------------------------------

    def _consider(self, observation: Observation) -> list[TrackerEvent]:
        evidence, still = self._evidence, observation.still_s + EPSILON_S
        steady = observation.t_s - evidence.top_since_s + EPSILON_S
        if len(evidence) < 2 or steady < STEADY_S or still < ACCEPT_S:
            return []
        self._seen = self._ranked()[:MOST_READINGS]
        top = self._seen[0][1]
        self._reading = top
        if len(evidence) >= SETTLE_VIEWS:
            self._desk.looker.explained(self._ledger.settle(evidence.at_home()))
        if self._desk.over():
            patient = still >= REFUSE_S and steady >= REFUSE_STEADY_S
            return self._after_the_end(top) if patient else []
        misplaced = self._misplaced(top)
        if misplaced is not None:
            # What only cannot be found may be in somebody's hand.
            wait = REFUSE_S if top.moves else MISPLACED_S
            covered = CellView.HAND in observation.cells.values()
            patient = still >= wait and steady >= REFUSE_STEADY_S and not covered
            return self._voice.stand(self._desk.t_s, misplaced, misplaced.pieces) if patient else []
        events = self._missing.update(
            observation, evidence.gone(), self._ledger.now.placement, self._voice.new_id,
            lambda piece: self._proposer.missed(self.state, piece),
        )  # fmt: skip
        events += self._overdue.update(
            self._desk.t_s, self._late(top), lambda late: self._proposer.overdue(self.state, late),
            self._voice.new_id,
        )  # fmt: skip
        waited = still >= REFUSE_S and steady >= REFUSE_STEADY_S
        gone = evidence.gone()
        if waited and gone:
            long = [self._missing.gone_for_s(p, observation.t_s) for p in gone]
            held = min(long) < NOT_HELD_S - EPSILON_S
            first = min(long) > observation.still_s + STEADY_S
            found = unseen_move(self._desk, observation, top, gone, held, first)
            if found is not None:
                return events + self._carry_out(found)
        if not top.moves:
            self._said = None
            events += self._voice.withdraw(self._desk.t_s)
            return events + self._seen_roll()
        said = top.signature == self._said
        asking = self.open_verdict is not None and self.open_verdict.status is Status.AMBIGUOUS
        if said and not asking:
            return events
        if self.strictness is Strictness.COACH:
            stands = went_on(self._desk, top)
            if stands:
                self._said = None
                return events + stands
        decision = self._decision(top)
        if said and decision.status is not Status.LEGAL:
            return events
        patient = decision.status in (Status.ILLEGAL, Status.UNREADABLE, Status.AMBIGUOUS)
        if patient and CellView.HAND in observation.cells.values():
            return events  # somebody is thinking with a finger on a piece
        if (patient or decision.take_back) and not waited:
            return events
        if patient and still < UNWITNESSED_S and self._unwitnessed(decision):
            return events
        return events + self._carry_out(decision)

    def _after_the_end(self, top: Reading) -> list[TrackerEvent]:
        """After the end of a game only a take-back counts; what else moves is being cleared away."""
        back = take_back(self._case(self._seen), top) if top.moves else None
        return [] if back is None else self._carry_out(back)

    def _case(self, ranked: list[tuple[float, Reading]]) -> Case:
        return Case(
            self._room, self._proposer, self._ledger.now, self._ledger.batches,
            self._desk.clues(), ranked, self._evidence.gone(), self._voice.refused(),
        )  # fmt: skip

    def _late(self, top: Reading) -> tuple[PieceMove, ...]:
        """Pieces that are seen where they stood before, and not where the rules have them."""
        home = self.placement.pieces
        return tuple(
            PieceMove(piece, spots, home[piece])
            for piece, spots in self._ledger.now.lagging().items()
            if piece in top.at_home and set(top.at_home[piece]) == set(spots)
        )

    def _unwitnessed(self, decision: Decision) -> bool:
        """Whether a refusal rests on a piece where nothing looks changed: a thing that is none, or
        that stands beside it."""
        changed = self._desk.looker.changed
        return changed is not None and any(
            m.to and changed.keys().isdisjoint(m.to) for m in decision.fresh
        )

    def _misplaced(self, top: Reading) -> Verdict | None:
        """A set-up that is not right, where the game knows what it should be."""
        gone = self._evidence.gone()
        faults = self._proposer.misplaced(self.state, top.moves, gone)
        return setup_verdict(faults, top.moves, gone, self.placement) if faults else None

    def _decision(self, top: Reading) -> Decision:
        ranked = self._ranked()
        likely = frozenset(r.signature for ll, r in ranked if ll > ranked[0][0] - 2.0)
        gone, refused = self._evidence.gone(), self._voice.refused()
        key = (self._ledger.version, top.signature, likely, gone, refused, self._dice.values())
        if self._decided is None or self._decided[0] != key:
            self._decided = (key, decide(self._case(ranked)))
            self.decisions += 1
        return self._decided[1]

    def _ranked(self) -> list[tuple[float, Reading]]:
        """The readings of this moment; a piece whose going may mean something counts as moved."""
        ranked, gone = self._evidence.ranked(), self._evidence.gone()
        if not gone:
            return ranked
        vanished = gone & self._proposer.may_vanish(
            self.state, ranked[0][1], self._ledger.came_out()
        )
        known = self._ledger.now.known
        return [(ll, with_vanished(r, vanished, known)) for ll, r in ranked]

    def _carry_out(self, decision: Decision) -> list[TrackerEvent]:
        events: list[TrackerEvent] = []
        explained = tuple(m for m in decision.reading.moves if m not in decision.left)
        self._said = frozenset((m.piece, frozenset(m.to)) for m in decision.left)
        if decision.status is Status.AMBIGUOUS or (
            decision.unfinished is not None and decision.unfinished.choices
        ):
            self._said = decision.reading.signature
            return self._voice.stand(
                self._desk.t_s, choice_verdict(decision), decision.reading.moves
            )
        if decision.undo:
            events += self._replace(decision, explained)
        elif decision.explanation.played:
            played = list(decision.explanation.played)
            events += self._desk.accept(played, explained, decision.confidence)
        if not decision.left:
            return events + self._voice.withdraw(self._desk.t_s)
        events += self._voice.prune(self._desk.t_s, decision.left)
        if decision.unfinished is not None:
            verdict = pending_verdict(decision)
        elif not decision.fresh:
            return events
        elif decision.refusal is not None:
            verdict = refusal_verdict(decision)
            if self.strictness is Strictness.SCOREKEEPER:
                refusal = decision.refusal
                moves = tuple(m for m in refusal.moves if m in decision.fresh)
                stands = let_stand(
                    self._desk, refusal.action, refusal.judgement, moves, decision.confidence
                )
                if stands:
                    self._said = None
                    return events + stands
        else:
            verdict = unreadable_verdict(decision)
        return events + self._voice.stand(self._desk.t_s, verdict, verdict.pieces, decision.left)

    def _replace(self, decision: Decision, explained: tuple[PieceMove, ...]) -> list[TrackerEvent]:
        """Takes batches back, and plays anew what replaces them under the first one's id."""
        old = self._ledger.batches[-decision.undo]
        there = dict(self._ledger.now.known) | {m.piece: m.to for m in explained}
        played, gone = list(decision.explanation.played), self._evidence.gone()
        events = self._ledger.undo(decision.undo, self._desk.t_s, put_back=True)
        self._desk.fresh()
        if not played:
            self._ledger.stand([PieceMove(p, (), spots) for p, spots in there.items()])
            verdict = legal_verdict([], explained, decision.confidence, take_back=True)
            given = VerdictGiven(old.id, self._desk.t_s, verdict, old.id)
            return [*events, given, *self._desk.news()]
        verdict = legal_verdict(played, explained, decision.confidence)
        given = self._voice.remember(VerdictGiven(old.id, self._desk.t_s, verdict, old.id))
        moves = decision.base.moves_to(there)
        return events + self._desk.commit(played, moves, given, gone=gone)

    # -- small things --------------------------------------------------------------------------

    def _seen_roll(self) -> list[TrackerEvent]:
        dice = self._dice.thrown()
        action = None if dice is None else self._proposer.roll(self.state, dice)
        if action is None:
            return []
        played, ok = self._ledger.try_all((action,))
        if not ok:
            return []
        given = VerdictGiven(self._voice.new_id(), self._desk.t_s, legal_verdict(played, ()))
        return self._desk.commit(played, (), given)

    def _flush(self) -> list[TrackerEvent]:
        events, self._outbox = self._outbox, []
        return events

    def _forget_standing(self, events: list[TrackerEvent]) -> None:
        self._said = None
        events += self._voice.withdraw(self._desk.t_s)
