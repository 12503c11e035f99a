"""What the referee has said and what of it stands: every situation is said exactly once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from engine.placement import PieceMove
from engine.referee.events import QuestionAsked, TrackerEvent, VerdictGiven, Withdrawn
from engine.referee.evidence import Signature
from engine.verdict import Status, Verdict

# A half-done thing or a question becomes what answers it; a refusal stays in the log as one.
WHICH = "referee.which"  # which of several readings is right (`wording.choice_verdict`)
SOFT = (Status.PENDING, Status.AMBIGUOUS)


def signature(moves: Iterable[PieceMove]) -> Signature:
    """What tells one arrangement from another."""
    return frozenset((m.piece, frozenset(m.to)) for m in moves)


def pieces_of(moves: Iterable[PieceMove]) -> frozenset[str]:
    """The pieces of some moves."""
    return frozenset(m.piece for m in moves)


def merged(first: Iterable[PieceMove], then: Iterable[PieceMove]) -> tuple[PieceMove, ...]:
    """Moves one after another as one move per piece; pieces that came back are left out."""
    total = {m.piece: m for m in first}
    for move in then:
        before = total.get(move.piece)
        total[move.piece] = move if before is None else replace(move, origin=before.origin)
    return tuple(m for m in total.values() if set(m.origin) != set(m.to))


class Voice:
    """Gives ids to verdicts and keeps those that stand open.

    ``standing``: the last one; refusals before it that still stand are kept beneath it.
    """

    def __init__(self) -> None:
        self.standing: VerdictGiven | None = None
        self._beneath: list[VerdictGiven] = []
        self._accepted: dict[str, VerdictGiven] = {}
        self._count = 0

    def new_id(self) -> str:
        """A fresh verdict id."""
        self._count += 1
        return f"v{self._count}"

    def refused(self) -> Signature:
        """Moves that have been refused and still stand."""
        top = [] if self.standing is None else [self.standing]
        return frozenset().union(
            *(signature(v.verdict.pieces) for v in (*self._beneath, *top) if _hard(v))
        )

    def asked(self) -> frozenset[str]:
        """Pieces of which it was asked which reading of them is right, as long as nobody has said."""
        top = self.standing
        which = top is not None and top.verdict.message.key == WHICH
        return pieces_of(top.verdict.pieces) if top is not None and which else frozenset()

    def prune(self, t_s: float, left: Iterable[PieceMove]) -> list[TrackerEvent]:
        """Withdraws refusals beneath the last one whose pieces stand there no more."""
        present = signature(left)
        gone = [v for v in self._beneath if not signature(v.verdict.pieces) <= present]
        self._beneath = [v for v in self._beneath if v not in gone]
        return [Withdrawn(v.id, t_s) for v in gone]

    def accept(
        self,
        t_s: float,
        verdict: Verdict,
        moves: tuple[PieceMove, ...],
        continued: str | None = None,
    ) -> VerdictGiven:
        """An accepted verdict, under the id of what it completes or answers, or under a new one.

        ``continued``: id of an accepted verdict that was pending for this.
        """
        old = self.standing
        ident, replaces = self.new_id, None
        if old is not None and pieces_of(old.verdict.pieces) & pieces_of(moves):
            self.standing, replaces = None, old.id
            given = old.id if old.verdict.status in SOFT else ident()
        elif continued is not None:
            given = replaces = continued
            before = self._accepted.get(continued)
            if before is not None:
                verdict = replace(
                    verdict,
                    actions=(*before.verdict.actions, *verdict.actions),
                    pieces=merged(before.verdict.pieces, verdict.pieces),
                )
        else:
            given = ident()
        return self.remember(VerdictGiven(given, t_s, verdict, replaces))

    def remember(self, given: VerdictGiven) -> VerdictGiven:
        """Keeps an accepted verdict, for those that complete it."""
        self._accepted[given.id] = given
        return given

    def stand(
        self,
        t_s: float,
        verdict: Verdict,
        moves: tuple[PieceMove, ...],
        left: Iterable[PieceMove] = (),
    ) -> list[TrackerEvent]:
        """Lets a refusal, question or half-done thing stand, unless it stands already.

        ``left``: everything that is not accepted, so that older refusals of it go on standing.
        """
        old = self.standing
        if old is None:
            return self._open(VerdictGiven(self.new_id(), t_s, verdict))
        same = signature(old.verdict.pieces) == signature(moves)
        if same and old.verdict.status is verdict.status:
            return []
        if not pieces_of(old.verdict.pieces) & pieces_of(moves):
            opened = self._open(VerdictGiven(self.new_id(), t_s, verdict))
            if _hard(old) and signature(old.verdict.pieces) <= signature(left):
                self._beneath.append(old)
                return opened
            return [Withdrawn(old.id, t_s), *opened]
        ident = old.id if old.verdict.status in SOFT else self.new_id()
        return self._open(VerdictGiven(ident, t_s, verdict, old.id))

    def _open(self, given: VerdictGiven) -> list[TrackerEvent]:
        self.standing = given
        choices = given.verdict.choices
        if not choices:
            return [given]
        return [given, QuestionAsked(given.id, given.t_s, given.verdict.message, choices)]

    def withdraw(self, t_s: float) -> list[TrackerEvent]:
        """Takes back quietly what stands, if anything does."""
        top = [] if self.standing is None else [self.standing]
        all_of_them = [*self._beneath, *top]
        self._beneath, self.standing = [], None
        return [Withdrawn(v.id, t_s) for v in all_of_them]


def _hard(given: VerdictGiven) -> bool:
    return given.verdict.status in (Status.ILLEGAL, Status.UNREADABLE)
