"""The tracker's books: the record, the present moment, and what was accepted together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from engine.action import Action
from engine.board import Board
from engine.game import Header, Judgement, Room
from engine.placement import PieceMove, Placement
from engine.record import HOUSE_RULE, Game
from engine.referee.events import ActionRecorded, GameEnded, ScoreChanged, TrackerEvent
from engine.referee.explain import Clues, Played, Proposer, play
from engine.referee.history import Batch, Moment, Spots, Whereabouts, untangled
from engine.verdict import Status

# How many batches back a piece may be taken off the board again.
RECENT = 6
# Actions that are no deed of a turn.
_NO_DEED = frozenset({"lay", "pass", "note", "undo", "correct"})
UNSEEN: Spots = ("",)  # where a piece stands that was not seen: on no spot


class Ledger:
    """Holds the game; everything that changes it goes through ``commit`` and ``undo``."""

    def __init__(
        self,
        room: Room,
        board: Board,
        header: Header,
        events: Iterable[Action],
        acted: Callable[[Any], bool] = lambda state: False,
    ) -> None:
        self._room, self._acted_in = room, acted
        self.game = Game(room, board, header, room.start(header, board))
        self.batches: list[Batch] = []
        self.version = 0
        self.turn = 0
        self._acted = False
        self.now = self._moment(self.game.state, {})
        for action in events:
            self._resume(action)
        self._scores = room.scores(self.now.state)
        self._ended = False

    def _resume(self, action: Action) -> None:
        """One event of a record that is gone on with: a batch of its own, so that it can be undone."""
        before, acting = self.now, self._room.to_act(self.game.state)
        self.game, judgement = self.game.do(action)
        if action.do == "undo" and self.batches and judgement.status is Status.LEGAL:
            self.now = self.batches.pop().before
            self._acted = self.now.acted
            return
        if action.do in ("note", "undo") or judgement.status not in (Status.LEGAL, Status.PENDING):
            return
        self._acted = self._acted_after(action)
        ended = self._ends(action, acting)
        pending = judgement.status is Status.PENDING
        self.now = self._moment(self.game.state, {})
        moves = before.moves_to(self.now.known)
        pieces = frozenset(m.piece for m in moves)
        ident = f"r{len(self.batches) + 1}"
        self.batches.append(
            Batch(ident, before, pieces, 1, ended, pending, False, (action,), moves)
        )

    def _ends(self, action: Action, acting: str | None) -> bool:
        """Whether an action that was just done has ended the turn of who was acting."""
        return action.do == "end" or (
            action.do not in _NO_DEED and self._room.to_act(self.game.state) != acting
        )

    def _moment(self, state: Any, known: Mapping[str, tuple[str, ...]]) -> Moment:
        placement = self._room.placement(state)
        return Moment(state, placement, {**placement.pieces, **known}, self._acted)

    def _standing(self, state: Any, placement: Placement, known: Whereabouts) -> Moment:
        """A moment; equal pieces are taken for each other where that puts them at home."""
        known = untangled(known, placement.pieces, placement.infos, placement.shelters)
        return Moment(state, placement, known, self._acted)

    def _acted_after(self, action: Action) -> bool:
        if action.do == "correct":
            return self._acted_in(self.game.state)
        return action.do != "end" and (self._acted or action.do not in _NO_DEED)

    # -- trying ----------------------------------------------------------------------------------

    def try_all(self, actions: Sequence[Action]) -> tuple[list[Played], bool]:
        """What the rules would say of some actions from now on; nothing is recorded."""
        return play(self._room, self.now.state, actions)

    def try_tap(self, action: Action, proposer: Proposer) -> list[Played]:
        """A tapped action.  What the next player does ends the turn before; so do cards."""
        if action.do in ("note", "correct"):
            return [Played(action, self.game.do(action)[1])]
        played, ok = self.try_all((action,))
        if not ok:
            acted = self.now.acted or action.do in ("lay", "pass")
            over = proposer.turn_over(self.now.state, Clues(acted=acted))
            longer, fine = self.try_all((*over, action))
            if over and fine:
                return longer
        return played

    # -- recording -------------------------------------------------------------------------------

    def commit(
        self,
        ident: str,
        t_s: float,
        played: Sequence[Played],
        moves: Sequence[PieceMove],
        *,
        tapped: bool = False,
        landed: bool = False,
        gone: frozenset[str] = frozenset(),
        lying: Sequence[str] = (),
    ) -> list[TrackerEvent]:
        """Records judged actions.  ``landed``: the moved pieces stand where the rules put them.
        ``gone``: pieces that have left their spots; those that the actions put elsewhere (sent
        home, off the board) have gone there.  ``lying``: where pieces that were taken off the board
        may still lie."""
        before, events = self.now, list[TrackerEvent]()
        ended = False
        for step in played:
            acting = self._room.to_act(self.game.state)
            self.game, judgement = self.game.do(step.action)
            events.append(ActionRecorded(t_s, step.action, judgement))
            self._acted = self._acted_after(step.action)
            ended |= self._ends(step.action, acting)
        self.turn += ended
        pieces = frozenset(m.piece for m in moves) | _touched(played)
        pending = played[-1].judgement.status is Status.PENDING
        actions = tuple(step.action for step in played if step.action.do != "note")
        if actions:
            self.batches.append(
                Batch(
                    ident,
                    before,
                    pieces,
                    len(actions),
                    ended,
                    pending,
                    tapped,
                    actions,
                    tuple(moves),
                )
            )
        after = self._moment(self.game.state, before.known)
        known = dict(before.known) | {m.piece: m.to for m in moves}
        known = _with_unseen(known, before, after, gone, lying)
        known |= _left_lying(before, after, known, {m.piece for m in moves} | gone, lying)
        corrected = [
            step.action.args for step in played
            if step.action.do == "correct" and HOUSE_RULE not in step.action.args
        ]  # fmt: skip
        if corrected:
            named = {p for args in corrected for p in args.get("pieces", ())}
            known = dict(after.placement.pieces)
            # Who corrects nothing says that everything stands where the state has it.
            known |= _still_late(before, after, named) if any(corrected) else {}
        if landed:
            known |= {m.piece: after.placement.pieces[m.piece] for m in moves}
        self.now = self._standing(after.state, after.placement, known)
        self.version += 1
        return events

    def undo(self, count: int, t_s: float, *, put_back: bool = False) -> list[TrackerEvent]:
        """Takes back the last batches.  The pieces stay where they stand on the table, unless they
        have been ``put_back`` to where they were then."""
        events: list[TrackerEvent] = []
        for _ in range(min(count, len(self.batches))):
            batch = self.batches.pop()
            for _ in range(batch.count):
                action = Action(None, "undo", {})
                self.game, judgement = self.game.do(action)
                events.append(ActionRecorded(t_s, action, judgement))
            self._acted = batch.before.acted
            self.turn -= batch.ended
            before = batch.before
            known = before.known if put_back else self.now.known
            self.now = self._standing(before.state, before.placement, known)
            self.version += 1
        return events

    def batches_since(self, ident: str) -> int:
        """How many batches have to go to take back the one with this id; 0 if there is none."""
        counts = [n for n, b in enumerate(reversed(self.batches), 1) if b.id == ident]
        return max(counts, default=0)

    def batches_of(self, actions: int) -> int:
        """How many of the last batches hold so many actions of the record."""
        count = 0
        for batch in reversed(self.batches):
            if actions <= 0:
                break
            actions -= batch.count
            count += 1
        return count

    def came_lately(self) -> frozenset[str]:
        """Pieces on the board that were still beside it a few batches ago."""
        return frozenset(
            piece
            for batch in self.batches[-RECENT:]
            for piece, spots in batch.before.placement.pieces.items()
            if not spots and self.now.placement.pieces[piece]
        )

    def came_out(self) -> frozenset[str]:
        """Pieces that came out of a shelter with the last batch: put back they are out of sight."""
        return frozenset(
            piece
            for batch in self.batches[-1:]
            for piece in batch.pieces
            if piece in batch.before.known
            and batch.before.known[piece]
            and set(batch.before.known[piece]) <= batch.before.placement.shelters
        )

    def stand(self, moves: Sequence[PieceMove]) -> None:
        """Notes where pieces stand now, without any action."""
        known = dict(self.now.known) | {m.piece: m.to for m in moves}
        self.now = self._standing(self.now.state, self.now.placement, known)

    def settle(self, at_home: Mapping[str, tuple[str, ...]]) -> tuple[PieceMove, ...]:
        """Pieces that lagged behind the state and have been put where they belong."""
        caught_up = [
            PieceMove(piece, spots, at_home[piece])
            for piece, spots in self.now.lagging().items()
            if piece in at_home and set(at_home[piece]) == set(self.now.placement.pieces[piece])
        ]
        if caught_up:
            self.stand(caught_up)
        return tuple(caught_up)

    def news(self, t_s: float) -> list[TrackerEvent]:
        """The score if it has changed, and the end of the game, each once."""
        events: list[TrackerEvent] = []
        scores = self._room.scores(self.now.state)
        if scores != self._scores:
            self._scores = scores
            events.append(ScoreChanged(t_s, scores))
        winner = self._room.winner(self.now.state)
        over = self._room.to_act(self.now.state) is None
        if over and not self._ended:
            events.append(GameEnded(t_s, winner, scores))
        self._ended = over
        return events


def _with_unseen(
    known: Whereabouts,
    before: Moment,
    after: Moment,
    gone: frozenset[str],
    lying: Sequence[str],
) -> dict[str, Spots]:
    """Where pieces stand when those that are ``gone``, and that the rules have put elsewhere, have gone
    there.  Of equal pieces one is seen where another one belongs, or lies: then that one was found."""
    put, there = before.placement, after.placement
    unseen = {p for p in gone if set(there.pieces[p]) != set(put.pieces[p])}
    if not unseen:
        return dict(known)
    off = [p for p, spots in there.pieces.items() if put.pieces[p] and not spots]
    homes = {**there.pieces, **{p: (spot,) for p, spot in zip(off, lying, strict=False)}}
    seen = {**known, **dict.fromkeys(unseen, UNSEEN)}
    found = untangled(seen, homes, there.infos, there.shelters)
    return {p: there.pieces[p] if spots == UNSEEN else spots for p, spots in found.items()}


def _still_late(before: Moment, after: Moment, named: set[str]) -> dict[str, Spots]:
    """Pieces that lag behind the state after a correction that has nothing to say of them."""
    return {
        piece: spots
        for piece, spots in before.lagging().items()
        if piece not in named and after.placement.pieces[piece] == before.placement.pieces[piece]
    }


def _left_lying(
    before: Moment, after: Moment, known: Whereabouts, found: set[str], lying: Sequence[str]
) -> dict[str, Spots]:
    """Where pieces lie that the rules took off the board and nobody has seen going."""
    taken = [p for p, s in after.placement.pieces.items() if not s and before.placement.pieces[p]]
    free = [spot for spot in lying if all(known[p] != (spot,) for p in taken)]
    return {p: (spot,) for p, spot in zip([p for p in taken if p not in found], free, strict=False)}


def _touched(played: Sequence[Played]) -> frozenset[str]:
    return frozenset({"dice"}) if any(p.action.do == "roll" for p in played) else frozenset()


def judgement_of(played: Sequence[Played]) -> Judgement:
    """The last word on some actions."""
    return played[-1].judgement
