"""The tracker: observations and taps in, events of the game out.

It holds no clock, no thread and no file: times come from the observations, and every event that
it gives must be written down before it is shown.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from engine.action import Action
from engine.board import Board
from engine.game import Header, Room
from engine.observation import Observation
from engine.placement import PieceMove, Placement
from engine.record import Game
from engine.referee.cards import parse_cards
from engine.referee.desk import Desk
from engine.referee.events import TrackerEvent, VerdictGiven
from engine.referee.explain import Proposer
from engine.referee.judging import RememberingRoom
from engine.referee.mending import amended, repaired, withdrawn
from engine.referee.proposers import proposer_for
from engine.referee.repairs import differences, repairs
from engine.referee.strictness import (
    let_stand,
    refused_in,
    strictness_of,
)
from engine.referee.watching import Watching
from engine.referee.wording import (
    legal_verdict,
    tap_refusal,
)
from engine.verdict import Choice, Status, Verdict

# Views are looked at from this stillness on, so that there are several when it is time to speak.
LOOK_S = 0.25
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
        self.strictness = strictness_of(header)
        self._watching = Watching(self._desk, self.strictness)
        self._offered: tuple[object, tuple[Choice, ...]] | None = None
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
    def decisions(self) -> int:
        """How often it had to make up its mind."""
        return self._watching.decisions

    @property
    def differences(self) -> tuple[PieceMove, ...]:
        """Where the table, as seen last, differs from the state; gone pieces go to ()."""
        return differences(self._ledger.now, self._watching.reading)

    @property
    def repairs(self) -> tuple[Choice, ...]:
        """What one tap could do about the differences, the most probable first; for ``repair``."""
        moves = self.differences
        if not moves:
            return ()
        key = (self._ledger.version, moves, tuple(r.signature for _, r in self._watching.seen))
        if self._offered is None or self._offered[0] != key:
            self._offered = (key, repairs(self._desk, moves, self._watching.seen))
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
            self._desk.evidence.clear()
            return tuple(events)
        self._desk.dice.see(observation)
        readings = self._desk.looker.read(
            observation, self._ledger.now, self._ledger.came_lately, self._proposer.arriving
        )
        self._desk.evidence.add(observation.t_s, readings)
        self._watching.reading = readings[0]
        events += self._watching.consider(observation)
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
        chosen = choices[index].actions
        back = sum(action.do == "undo" for action in chosen)
        if back:
            tried, ok = self._desk.try_(chosen)
            if not ok:
                return (*events, VerdictGiven(verdict_id, self._desk.t_s, tap_refusal(tried[-1])))
            events += self._desk.undo(self._ledger.batches_of(back))
        played, ok = self._ledger.try_all(chosen[back:])
        if not ok:
            return (*events, VerdictGiven(verdict_id, self._desk.t_s, tap_refusal(played[-1])))
        # The chosen answer says where the pieces stand, not the likeliest one.
        there = self._room.placement(played[-1].judgement.state).pieces
        moves = tuple(replace(m, to=there.get(m.piece, m.to)) for m in standing.verdict.pieces)
        verdict = legal_verdict(played, moves)
        given = VerdictGiven(verdict_id, self._desk.t_s, verdict, verdict_id)
        self._voice.standing = None
        events += self._desk.commit(played, moves, given, landed=True)
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
            self._watching.reading = None
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
            self._watching.said = None
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
        self._watching.forget()
        return (*self._flush(), *self._desk.lay_known())

    # -- small things --------------------------------------------------------------------------

    def _flush(self) -> list[TrackerEvent]:
        events, self._outbox = self._outbox, []
        return events

    def _forget_standing(self, events: list[TrackerEvent]) -> None:
        self._watching.said = None
        events += self._voice.withdraw(self._desk.t_s)
