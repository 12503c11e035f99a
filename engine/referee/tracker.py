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
from engine.observation import Observation
from engine.placement import PieceMove, Placement
from engine.record import Game
from engine.referee.cards import parse_cards
from engine.referee.decide import Case, Decision, decide
from engine.referee.events import TrackerEvent, VerdictGiven, Withdrawn
from engine.referee.evidence import Evidence, Signature
from engine.referee.explain import Clues, Played, Proposer
from engine.referee.inquiry import Inquiry
from engine.referee.judging import RememberingRoom
from engine.referee.ledger import Ledger
from engine.referee.matching import Reading, read, with_vanished
from engine.referee.proposers import proposer_for
from engine.referee.repairs import differences, repairs
from engine.referee.senses import Dice, Missing, Overdue, Witness
from engine.referee.voice import Voice, pieces_of
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
# After so long a still view a piece far from its spot is believed even if no change was noticed.
PATIENT_S = 8.0
# A piece that lagged behind has caught up when so many views agree.
SETTLE_VIEWS = 5
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
        self._centres, self._shared = board.centres, self._proposer.shared(board)
        self._cards = {} if cards is None else parse_cards(cards)
        self._ledger = Ledger(room, board, header, events, self._proposer.acted)
        self._evidence = Evidence()
        self._dice = Dice()
        self._missing, self._overdue = Missing(), Overdue()
        self._witness = Witness()
        self._voice = Voice()
        self._inquiry = Inquiry(self._voice.new_id)
        self._said: Signature | None = None
        self._decided: tuple[object, Decision] | None = None
        self._reading: Reading | None = None
        self._looked: tuple[tuple[Any, ...], tuple[Reading, ...]] | None = None
        self._t_s = 0.0
        self.decisions = 0  # how often it had to make up its mind
        self._outbox: list[TrackerEvent] = [*self._lay_known(), *self._ask()]

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
        """What one tap could do about the differences, best first; for ``act``."""
        return repairs(self.differences, self._proposer, self.game.last)

    # -- what comes in ---------------------------------------------------------------------------

    def begin(self) -> tuple[TrackerEvent, ...]:
        """What is to be written and shown before anything has come in."""
        return tuple(self._flush())

    def observe(self, observation: Observation) -> tuple[TrackerEvent, ...]:
        """Takes in one view; gives what has to be written and shown, in order."""
        events = self._flush()
        self._t_s = observation.t_s
        unusable = not observation.pose_found or observation.hand
        if unusable or observation.still_s < LOOK_S - EPSILON_S or self._over():
            self._evidence.clear()
            return tuple(events)
        self._dice.see(observation)
        readings = self._read(observation)
        self._evidence.add(observation.t_s, readings)
        self._reading = readings[0]
        events += self._consider(observation)
        return tuple(events)

    def _read(self, observation: Observation) -> tuple[Reading, ...]:
        """The readings of a view; those of the view before while the eyes have not looked anew."""
        changed = self._witness.see(observation)
        changed = None if changed is None else dict(changed)
        patient = observation.still_s >= PATIENT_S
        look = (observation.pieces, observation.cells, changed, patient, self._ledger.now)
        if self._looked is not None and all(
            a is b or (i in (1, 2, 3) and a == b)
            for i, (a, b) in enumerate(zip(look, self._looked[0], strict=True))
        ):
            return self._looked[1]
        now = self._ledger.now
        readings = read(
            now.placement, observation, lagging=now.lagging(), changed=changed,
            centres=self._centres, patient=patient, may_leave=self._ledger.came_lately(),
            shared=self._shared, arriving=self._proposer.arriving(now.state),
        )  # fmt: skip
        self._looked = (look, readings)
        return readings

    def act(self, action: Action) -> tuple[TrackerEvent, ...]:
        """A tap: any action of the record; ``undo`` takes back all that was understood last."""
        events = self._flush()
        if action.do == "undo":
            events += self._undo(1)
            self._forget_standing(events)
            return tuple(events)
        played = self._ledger.try_tap(action, self._proposer)
        refused = played[-1].judgement
        if refused.status not in (Status.LEGAL, Status.PENDING):
            verdict = tap_refusal(played[-1])
            if verdict.choices:
                return (*events, *self._voice.stand(self._t_s, verdict, ()))
            return (*events, VerdictGiven(self._voice.new_id(), self._t_s, verdict))
        given = VerdictGiven(self._voice.new_id(), self._t_s, legal_verdict(played, ()))
        events += self._commit(played, (), given, tapped=True)
        events += self._lay_known()
        self._forget_standing(events)
        return tuple(events)

    def choose(self, verdict_id: str, index: int) -> tuple[TrackerEvent, ...]:
        """Takes one of the choices of the open verdict; nothing happens for one that has gone."""
        asked = self._inquiry.answer(verdict_id, index)
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
            return (*events, VerdictGiven(verdict_id, self._t_s, tap_refusal(played[-1])))
        verdict = legal_verdict(played, standing.verdict.pieces)
        given = VerdictGiven(verdict_id, self._t_s, verdict, verdict_id)
        self._voice.standing = None
        events += self._commit(played, standing.verdict.pieces, given, landed=True)
        events += self._lay_known()
        return tuple(events)

    def refuse(self, verdict_id: str) -> tuple[TrackerEvent, ...]:
        """One tap against a verdict: an accepted one is undone with all that came after it, an
        open one is dismissed until the table changes."""
        events = self._flush()
        if self.open_id == verdict_id:
            return (*events, *self._voice.withdraw(self._t_s))
        count = self._ledger.batches_since(verdict_id)
        if count:
            events += [*self._undo(count), Withdrawn(verdict_id, self._t_s)]
        return tuple(events)

    def set_cards(self, cards: Any) -> tuple[TrackerEvent, ...]:
        """New known cards (the JSON of a cards file); lays those that are due."""
        self._cards = parse_cards(cards)
        self._said = self._decided = None
        return (*self._flush(), *self._lay_known())

    # -- judging ---------------------------------------------------------------------------------

    def _consider(self, observation: Observation) -> list[TrackerEvent]:
        evidence, still = self._evidence, observation.still_s + EPSILON_S
        steady = observation.t_s - evidence.top_since_s + EPSILON_S
        if len(evidence) < 2 or steady < STEADY_S or still < ACCEPT_S:
            return []
        top = self._ranked()[0][1]
        self._reading = top
        if len(evidence) >= SETTLE_VIEWS:
            self._witness.explained(self._ledger.settle(evidence.at_home()))
        misplaced = self._misplaced(top)
        if misplaced is not None:
            # What only cannot be found may be in somebody's hand.
            wait = REFUSE_S if top.moves else MISPLACED_S
            patient = still >= wait and steady >= REFUSE_STEADY_S
            return self._voice.stand(self._t_s, misplaced, misplaced.pieces) if patient else []
        events = self._missing.update(
            observation, evidence.gone(), self._ledger.now.placement, self._voice.new_id
        )
        if not top.moves:
            self._said = None
            events += self._voice.withdraw(self._t_s)
            return events + self._seen_roll()
        said = top.signature == self._said
        asking = self.open_verdict is not None and self.open_verdict.status is Status.AMBIGUOUS
        if said and not asking:
            return events
        decision = self._decision(top)
        if said and decision.status is not Status.LEGAL:
            return events
        patient = decision.status in (Status.ILLEGAL, Status.UNREADABLE, Status.AMBIGUOUS)
        if (patient or decision.take_back) and (still < REFUSE_S or steady < REFUSE_STEADY_S):
            return events
        return events + self._carry_out(decision)

    def _late(self, top: Reading) -> tuple[PieceMove, ...]:
        """Pieces that are seen where they stood before, and not where the rules have them."""
        home = self.placement.pieces
        return tuple(
            PieceMove(piece, spots, home[piece])
            for piece, spots in self._ledger.now.lagging().items()
            if piece in top.at_home and set(top.at_home[piece]) == set(spots)
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
            case = Case(
                self._room, self._proposer, self._ledger.now, self._ledger.batches,
                self._clues(), ranked, gone, refused,
            )  # fmt: skip
            self._decided = (key, decide(case))
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
            return self._voice.stand(self._t_s, choice_verdict(decision), decision.reading.moves)
        if decision.undo:
            events += self._replace(decision, explained)
        elif decision.explanation.played:
            played = list(decision.explanation.played)
            events += self._accept(played, explained, decision.confidence)
        if not decision.left:
            return events + self._voice.withdraw(self._t_s)
        events += self._voice.prune(self._t_s, decision.left)
        if decision.unfinished is not None:
            verdict = pending_verdict(decision)
        elif not decision.fresh:
            return events
        elif decision.refusal is not None:
            verdict = refusal_verdict(decision)
        else:
            verdict = unreadable_verdict(decision)
        return events + self._voice.stand(self._t_s, verdict, verdict.pieces, decision.left)

    def _replace(self, decision: Decision, explained: tuple[PieceMove, ...]) -> list[TrackerEvent]:
        """Takes batches back, and plays anew what replaces them under the first one's id."""
        old = self._ledger.batches[-decision.undo]
        there = dict(self._ledger.now.known) | {m.piece: m.to for m in explained}
        played, gone = list(decision.explanation.played), self._evidence.gone()
        events = self._ledger.undo(decision.undo, self._t_s, put_back=True)
        self._fresh()
        if not played:
            self._ledger.stand([PieceMove(p, (), spots) for p, spots in there.items()])
            verdict = legal_verdict([], explained, decision.confidence, take_back=True)
            given = VerdictGiven(old.id, self._t_s, verdict, old.id)
            return [*events, given, *self._ledger.news(self._t_s), *self._ask()]
        verdict = legal_verdict(played, explained, decision.confidence)
        given = self._voice.remember(VerdictGiven(old.id, self._t_s, verdict, old.id))
        moves = decision.base.moves_to(there)
        return events + self._commit(played, moves, given, gone=gone)

    def _accept(
        self, played: list[Played], moves: tuple[PieceMove, ...], confidence: float
    ) -> list[TrackerEvent]:
        """Records what was understood, and says it."""
        last = self._ledger.batches[-1] if self._ledger.batches else None
        pieces = pieces_of(moves)
        continued = None
        if last is not None and last.pending:
            if pieces & last.pieces or self._proposer.linked(pieces, last.pieces):
                continued = last.id
        verdict = legal_verdict(played, moves, confidence)
        given = self._voice.accept(self._t_s, verdict, moves, continued)
        return self._commit(played, moves, given, gone=self._evidence.gone())

    # -- keeping the books -----------------------------------------------------------------------

    def _commit(
        self,
        played: list[Played],
        moves: tuple[PieceMove, ...],
        given: VerdictGiven,
        *,
        tapped: bool = False,
        landed: bool = False,
        gone: frozenset[str] = frozenset(),
    ) -> list[TrackerEvent]:
        lying = () if tapped else self._proposer.lying(played[-1].judgement.state)
        events = self._ledger.commit(
            given.id, self._t_s, played, moves, tapped=tapped, landed=landed, gone=gone, lying=lying
        )
        self._fresh()
        self._witness.explained(moves)
        return [*events, given, *self._ledger.news(self._t_s), *self._ask()]

    def _undo(self, count: int) -> list[TrackerEvent]:
        events = self._ledger.undo(count, self._t_s)
        self._fresh()
        return [*events, *self._ledger.news(self._t_s), *self._ask()]

    def _ask(self) -> list[TrackerEvent]:
        return self._inquiry.update(self._t_s, self._proposer.question(self.state))

    def _fresh(self) -> None:
        """After a change of state the table is looked at anew."""
        self._evidence.clear()
        self._decided = None
        self._room.forget()
        self._dice.accepted(self._ledger.turn)

    def _lay_known(self) -> list[TrackerEvent]:
        events: list[TrackerEvent] = []
        actions = self._proposer.lays(self.state, self._clues())
        for action in actions:
            played, ok = self._ledger.try_all((action,))
            if not ok:
                given = VerdictGiven(self._voice.new_id(), self._t_s, tap_refusal(played[-1]))
                return [*events, given]
            events += self._ledger.commit(self._voice.new_id(), self._t_s, played, (), tapped=True)
        return events

    def _seen_roll(self) -> list[TrackerEvent]:
        dice = self._dice.thrown()
        action = None if dice is None else self._proposer.roll(self.state, dice)
        if action is None:
            return []
        played, ok = self._ledger.try_all((action,))
        if not ok:
            return []
        given = VerdictGiven(self._voice.new_id(), self._t_s, legal_verdict(played, ()))
        return self._commit(played, (), given)

    def _clues(self) -> Clues:
        return Clues(
            self._dice.log_pips(), self._cards, self._ledger.now.acted, gone=self._evidence.gone()
        )

    def _over(self) -> bool:
        return self._room.to_act(self.state) is None

    def _flush(self) -> list[TrackerEvent]:
        events, self._outbox = self._outbox, []
        return events

    def _forget_standing(self, events: list[TrackerEvent]) -> None:
        self._said = None
        events += self._voice.withdraw(self._t_s)
