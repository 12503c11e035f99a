"""The tracker's desk: the books, what is remembered of the views, and what has been said.

Everything that changes the game goes through ``commit`` and ``undo`` here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from engine.action import Action
from engine.board import Board
from engine.game import Header, Room
from engine.placement import PieceMove
from engine.record import HOUSE_RULE
from engine.referee.cards import Cards
from engine.referee.events import TrackerEvent, VerdictGiven
from engine.referee.evidence import Evidence
from engine.referee.explain import Clues, Played, Proposer
from engine.referee.history import Spots
from engine.referee.inquiry import Inquiry
from engine.referee.judging import RememberingRoom
from engine.referee.ledger import Ledger
from engine.referee.looking import Looker
from engine.referee.senses import Dice
from engine.referee.voice import Voice, pieces_of
from engine.referee.wording import legal_verdict, tap_refusal
from engine.verdict import Status


class Desk:
    """What the parts of the tracker share.  ``t_s``: time of the last view, in seconds of the
    source; ``cards``: the cards that are known in advance."""

    def __init__(
        self,
        room: Room,
        judge: RememberingRoom,
        proposer: Proposer,
        board: Board,
        header: Header,
        events: Iterable[Action],
        cards: Cards,
    ) -> None:
        self.room, self.proposer, self.cards = judge, proposer, cards
        self.ledger = Ledger(room, board, header, events, proposer.acted)
        self.looker = Looker(board, proposer.shared(board), proposer.alike)
        self.evidence = Evidence()
        self.dice = Dice()
        self.voice = Voice()
        self._inquiry = Inquiry(self.voice.new_id)
        self.t_s = 0.0

    @property
    def state(self) -> Any:
        """The rules' state."""
        return self.ledger.now.state

    def clues(self) -> Clues:
        """What is known besides where pieces stand."""
        return Clues(
            self.dice.log_pips(), self.cards, self.ledger.now.acted, gone=self.evidence.gone()
        )

    def accept(
        self, played: list[Played], moves: tuple[PieceMove, ...], confidence: float
    ) -> list[TrackerEvent]:
        """Records what was understood, and says it."""
        last = self.ledger.batches[-1] if self.ledger.batches else None
        pieces = pieces_of(moves)
        continued = None
        if last is not None and last.pending:
            if pieces & last.pieces or self.proposer.linked(pieces, last.pieces):
                continued = last.id
        verdict = legal_verdict(played, moves, confidence)
        given = self.voice.accept(self.t_s, verdict, moves, continued)
        return self.commit(played, moves, given, gone=self.evidence.gone())

    def commit(
        self,
        played: Sequence[Played],
        moves: tuple[PieceMove, ...],
        given: VerdictGiven,
        *,
        tapped: bool = False,
        landed: bool = False,
        gone: frozenset[str] = frozenset(),
    ) -> list[TrackerEvent]:
        """Records judged actions under a verdict; see ``Ledger.commit``."""
        lying = () if tapped else self.proposer.lying(played[-1].judgement.state)
        before, stood = self.ledger.now.placement.pieces, self.ledger.now.known
        events = self.ledger.commit(
            given.id, self.t_s, played, moves, tapped=tapped, landed=landed, gone=gone, lying=lying
        )
        self.fresh()
        self.looker.explained((*moves, *self._unseen(moves, stood, gone)))
        for step in played:
            if step.action.do == "correct" and HOUSE_RULE not in step.action.args:
                self.looker.corrected(self._named(step.action, before), self.ledger.now.known)
        return [*events, given, *self.news()]

    def _unseen(
        self, moves: tuple[PieceMove, ...], stood: Mapping[str, Spots], gone: frozenset[str]
    ) -> list[PieceMove]:
        """The moves of pieces that were not found and that the rules have put where something has come."""
        seen, changed = {m.piece for m in moves}, self.looker.changed or {}
        known = self.ledger.now.known if gone else stood
        return [
            PieceMove(piece, stood[piece], spots)
            for piece, spots in known.items()
            if piece not in seen and spots and set(spots) != set(stood[piece])
            and set(spots) <= changed.keys()
        ]  # fmt: skip

    def _named(self, correction: Action, before: Mapping[str, Spots]) -> frozenset[str]:
        """The pieces of which a correction says where they stand: all where it changes nothing."""
        after = self.ledger.now.placement.pieces
        if not correction.args:
            return frozenset(after)
        moved = {p for p, spots in after.items() if set(spots) != set(before.get(p, ()))}
        return frozenset(correction.args.get("pieces", ())) | moved

    def undo(self, count: int) -> list[TrackerEvent]:
        """Takes back the last batches; the pieces stay where they stand."""
        events = self.ledger.undo(count, self.t_s)
        self.fresh()
        return [*events, *self.news()]

    def news(self) -> list[TrackerEvent]:
        """What has changed in score, end and open question, each once."""
        told = self._told()
        return [*told, *self.ledger.news(self.t_s), *self.ask()]

    def _told(self) -> list[TrackerEvent]:
        """Answers to what the rules would ask, as far as they are known in advance."""
        events: list[TrackerEvent] = []
        while self.proposer.question(self.state) is not None:
            before = self.ledger.version
            events += self.lay_known()
            if self.ledger.version == before:
                break
            self.fresh()
        return events

    def ask(self) -> list[TrackerEvent]:
        """What the rules have to be told."""
        return self._inquiry.update(self.t_s, self.proposer.question(self.state))

    def answer(self, question: str, index: int) -> tuple[Action, ...]:
        """The actions of an answer to the rules' own question."""
        return self._inquiry.answer(question, index)

    def fresh(self) -> None:
        """After a change of state the table is looked at anew."""
        self.evidence.clear()
        self.room.forget()
        self.dice.accepted(self.ledger.turn)

    def try_(self, actions: Sequence[Action]) -> tuple[list[Played], bool]:
        """What the game would say of some actions from now on, corrections among them; nothing is
        recorded.  False where one is refused."""
        game, played = self.ledger.game, list[Played]()
        for action in actions:
            game, judgement = game.do(action)
            played.append(Played(action, judgement))
            if judgement.status not in (Status.LEGAL, Status.PENDING):
                return played, False
        return played, True

    def lay_known(self) -> list[TrackerEvent]:
        """Lays the known cards that are due."""
        events: list[TrackerEvent] = []
        for action in self.proposer.lays(self.state, self.clues()):
            played, ok = self.ledger.try_all((action,))
            if not ok:
                given = VerdictGiven(self.voice.new_id(), self.t_s, tap_refusal(played[-1]))
                return [*events, given]
            events += self.ledger.commit(self.voice.new_id(), self.t_s, played, (), tapped=True)
        return events

    def over(self) -> bool:
        """Whether nobody is to act any more."""
        return self.room.to_act(self.state) is None
