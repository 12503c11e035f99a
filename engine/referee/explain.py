"""From what has moved to what was done: the search for a legal order of actions.

The rules decide (``Room.judge``); a game's ``Proposer`` only says which actions could have moved
which pieces.  Single actions, several of one turn in any order, and turns that ended in between
are tried, fewest ended turns first (design decision 1).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from engine.action import Action
from engine.board import Board
from engine.game import Judgement, Room
from engine.placement import PieceMove
from engine.referee.judging import RememberingRoom
from engine.referee.readings import Reading
from engine.verdict import EMPTY, Choice, Message, Status

# The search is cut off here: enough for three pieces in any order with the turn changing twice.
# Where more has moved, the first orders tried are the natural ones, and time is short.
MAX_JUDGED = 60
MAX_ENDS = 4


@dataclass(frozen=True, slots=True)
class Clues:
    """What is known besides where pieces stand.

    ``dice``: per die seen, the log-probabilities of 1 to 6; ``cards``: per round the cards laid, in
    laying order; ``acted``: whether the player to act has visibly done something in this turn;
    ``late``: the turn is probably over, so that the next player's pieces are moved by himself;
    ``doubtful``: nothing but the moves to be explained says that the turn before has ended;
    ``gone``: pieces in somebody's hand, as it seems.
    """

    dice: tuple[tuple[float, ...], ...] = ()
    cards: Mapping[int, tuple[tuple[str, int | None], ...]] = field(default_factory=dict)
    acted: bool = False
    late: bool = False
    doubtful: bool = False
    gone: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Step:
    """Actions that belong together and the pieces whose moves they explain.

    ``cost``: how improbable this step is beside others, in nats.
    """

    actions: tuple[Action, ...]
    covers: frozenset[str]
    cost: float = 0.0


@dataclass(frozen=True, slots=True)
class Unfinished:
    """Moves that make sense only when something else follows; ``choices`` could settle it.

    ``ambiguous``: nothing has to follow, the choices are readings of what is there; ``cells``: where.
    """

    pending: Message
    player: str | None = None
    choices: tuple[Choice, ...] = ()
    ambiguous: bool = False
    cells: tuple[str, ...] = ()


class Proposer(Protocol):
    """What a game knows of how its pieces get moved; it proposes, the room judges."""

    def lays(self, state: Any, clues: Clues) -> tuple[Action, ...]:
        """The known cards that are due now, as actions; empty where there are none."""

    def steps(self, state: Any, moves: tuple[PieceMove, ...], clues: Clues) -> Sequence[Step]:
        """Steps of the player to act that could explain some of the moves, most natural first."""

    def turn_over(self, state: Any, clues: Clues) -> tuple[Action, ...]:
        """Actions that end the turn (and lay known cards); empty when that cannot be inferred."""

    def seems_over(self, state: Any) -> bool:
        """Whether the player to act has probably finished his turn (his stone has moved)."""

    def acted(self, state: Any) -> bool:
        """Whether the state shows that the player to act has done something in this turn; asked
        when the state was set by hand."""

    def sound(self, state: Any) -> bool:
        """Whether everything that was left pending can still be completed."""

    def linked(self, moved: frozenset[str], earlier: frozenset[str]) -> bool:
        """Whether moves may belong to an earlier action of other pieces (a late victim)."""

    def correction(self, moves: tuple[PieceMove, ...]) -> Action | None:
        """The ``correct`` action that makes the state agree with the table."""

    def let_stand(
        self, state: Any, action: Action, moves: tuple[PieceMove, ...]
    ) -> Mapping[str, Any]:
        """Keys of a position for ``correct`` that let a refused action stand as if it were legal: the
        pieces as they stand, and what the action uses up of the turn.  Empty: impossible."""

    def alike(self, kind: str) -> str:
        """What stands for a kind where the rules treat some kinds alike, so that it makes no
        difference which of them a piece is taken for."""

    def shared(self, board: Board) -> frozenset[str] | None:
        """Spots that may hold several pieces; None: every spot."""

    def arriving(self, state: Any) -> frozenset[str]:
        """Pieces beside the board that are to be put on it now."""

    def may_vanish(self, state: Any, reading: Reading, came_out: frozenset[str]) -> frozenset[str]:
        """Pieces whose going from sight may be a move or part of one: a sacrifice, or into a shelter.
        ``came_out``: those that the last action brought out of one."""

    def roll(self, state: Any, dice: tuple[int, int]) -> Action | None:
        """The action of throwing dice, if this is a moment for it."""

    def misplaced(
        self, state: Any, moves: tuple[PieceMove, ...], gone: frozenset[str]
    ) -> tuple[Message, ...]:
        """What is wrong with the set-up, at a time when no rule moves these pieces."""

    def closing(self, state: Any) -> tuple[Action, ...]:
        """What ends the game where nothing more can come to the table."""

    def lying(self, state: Any) -> tuple[str, ...]:
        """Spots on which pieces may still lie that the rules have just taken off the board."""

    def question(self, state: Any) -> Unfinished | None:
        """What the rules have to be told before the game goes on, with its answers as choices."""

    def unfinished(
        self, state: Any, moves: tuple[PieceMove, ...], clues: Clues
    ) -> Unfinished | None:
        """What would complete these moves, if they can be half of something legal."""

    def accusations(self, state: Any, moves: tuple[PieceMove, ...], clues: Clues) -> Sequence[Step]:
        """The most natural actions behind moves that are not legal, to hear the rule against them."""

    def goes_on(self, state: Any, moves: tuple[PieceMove, ...]) -> bool:
        """Whether moves that would undo the last thing are the next one all the same."""

    def overdue(self, state: Any, late: tuple[PieceMove, ...]) -> Message | None:
        """What to say when pieces have long stood where the rules do not have them any more, as
        what a scored feature gave back: from where they stand to where they belong."""

    def missed(self, state: Any, piece: str) -> tuple[str, Message] | None:
        """The rule by which a piece that cannot be found may not have left, in the game's words."""


@dataclass(frozen=True, slots=True)
class Played:
    """An action with the rules' word on it."""

    action: Action
    judgement: Judgement


@dataclass(frozen=True, slots=True)
class Unclear:
    """An action that the rules can take in several ways (Judgement AMBIGUOUS), after ``played``."""

    played: tuple[Played, ...]
    asked: Judgement


@dataclass(frozen=True, slots=True)
class Explanation:
    """What was done, in a legal order.

    ``left``: moves that it does not explain; ``ends``: turns that were inferred to have ended;
    ``weak``: nothing but the moves themselves says that a turn has ended; ``unclear``: where the
    search met an action of which the rules leave open what it did.
    """

    played: tuple[Played, ...]
    state: Any
    left: tuple[PieceMove, ...]
    ends: int = 0
    cost: float = 0.0
    weak: bool = False
    unclear: Unclear | None = None

    @property
    def complete(self) -> bool:
        """Whether every move is explained."""
        return not self.left

    @property
    def status(self) -> Status:
        """LEGAL, or PENDING while the last word of a piece's action is (part of a walk)."""
        pending = any(p.judgement.status is Status.PENDING for p in self.played[-1:])
        return Status.PENDING if pending else Status.LEGAL


@dataclass(frozen=True, slots=True)
class Refusal:
    """The action that is refused, and the rules' word on it."""

    action: Action
    judgement: Judgement
    moves: tuple[PieceMove, ...]


def play(room: Room, state: Any, actions: Sequence[Action]) -> tuple[list[Played], bool]:
    """Judges actions one after another; stops at the first that is refused (then False)."""
    played: list[Played] = []
    for action in actions:
        judgement = room.judge(state, action)
        played.append(Played(action, judgement))
        if judgement.status not in (Status.LEGAL, Status.PENDING):
            return played, False
        state = judgement.state
    return played, True


@dataclass(frozen=True, slots=True)
class _Node:
    played: tuple[Played, ...]
    state: Any
    left: tuple[PieceMove, ...]
    acted: bool
    ends: int
    cost: float
    fruitful: bool  # the last step explained something
    doubtful: bool = False  # a turn has just ended without any other sign of it
    weak: bool = False  # one of them has, at some time


class _Search:
    def __init__(
        self, room: RememberingRoom, proposer: Proposer, clues: Clues, limit: float
    ) -> None:
        self._room, self._proposer, self._clues = room, proposer, clues
        self._limit = min(room.spent + MAX_JUDGED, limit)
        self.best: Explanation | None = None
        self._unclear: Unclear | None = None
        self._seen: set[tuple[int, frozenset[str], int, bool]] = set()
        self._clued: dict[tuple[bool, bool, bool], Clues] = {}
        self._keep: list[Any] = []  # holds visited states, so that their ids stay theirs

    def run(self, state: Any, moves: tuple[PieceMove, ...]) -> Explanation:
        root = _Node((), state, moves, self._clues.acted, 0, 0.0, True)
        for ends in range(MAX_ENDS + 1):
            self._seen.clear()
            if self._visit(root, ends) or self._spent():
                break
        assert self.best is not None
        return self.best if self.best.complete else replace(self.best, unclear=self._unclear)

    def _clues_at(self, node: _Node) -> Clues:
        late = self._clues.late and not node.ends
        key = (node.acted, late, node.doubtful)
        if key not in self._clued:
            acted, late, doubtful = key
            self._clued[key] = replace(self._clues, acted=acted, late=late, doubtful=doubtful)
        return self._clued[key]

    def _spent(self) -> bool:
        return self._room.spent >= self._limit

    def _visit(self, node: _Node, ends: int) -> bool:
        """Depth first; True when a complete explanation with this many ended turns was found."""
        if node.fruitful:
            self._note(node)
        if not node.left:
            return True
        left = frozenset(m.piece for m in node.left)
        key = (id(node.state), left, node.ends, node.acted)
        if key in self._seen or self._spent():
            return False
        self._seen.add(key)
        self._keep.append(node.state)
        clues = self._clues_at(node)
        for step in self._proposer.steps(node.state, node.left, clues):
            after = self._after(node, step)
            if after is not None and self._visit(after, ends):
                return True
        return node.ends < ends and self._end_turn(node, clues, ends)

    def _end_turn(self, node: _Node, clues: Clues, ends: int) -> bool:
        actions = self._proposer.turn_over(node.state, clues)
        if not actions:
            return False
        played, ok = play(self._room, node.state, actions)
        if not ok:
            return False
        state = played[-1].judgement.state
        left = self._still_wrong(state, node.left)
        fruitful = len(left) < len(node.left)
        doubtful = not fruitful and not self._proposer.seems_over(node.state)
        after = _Node(
            (*node.played, *played), state, left, False, node.ends + 1, node.cost + 0.5,
            fruitful, doubtful, node.weak or doubtful,
        )  # fmt: skip
        return self._visit(after, ends)

    def _still_wrong(self, state: Any, left: tuple[PieceMove, ...]) -> tuple[PieceMove, ...]:
        """Moves that the end of a turn did not make by itself (a wizard sent back to the start)."""
        pieces = self._room.placement(state).pieces
        return tuple(m for m in left if set(pieces[m.piece]) != set(m.to))

    def _after(self, node: _Node, step: Step) -> _Node | None:
        played, ok = play(self._room, node.state, step.actions)
        if not ok:
            asked = played[-1].judgement
            if asked.status is Status.AMBIGUOUS and self._unclear is None:
                self._unclear = Unclear((*node.played, *played[:-1]), asked)
            return None
        state = played[-1].judgement.state
        if played[-1].judgement.status is Status.PENDING and not self._proposer.sound(state):
            return None
        left = tuple(m for m in node.left if m.piece not in step.covers)
        return _Node(
            (*node.played, *played), state, left, True,
            node.ends, node.cost + step.cost, True, False, node.weak,
        )  # fmt: skip

    def _note(self, node: _Node) -> None:
        old = self.best
        if old is None or (len(node.left), node.ends, node.cost) < (
            len(old.left), old.ends, old.cost,
        ):  # fmt: skip
            self.best = Explanation(
                node.played, node.state, node.left, node.ends, node.cost, node.weak
            )


def explain(
    room: RememberingRoom,
    proposer: Proposer,
    state: Any,
    moves: tuple[PieceMove, ...],
    clues: Clues,
    limit: float = math.inf,
) -> Explanation:
    """The explanation that leaves fewest moves over, then ends fewest turns.

    The state is never changed by moves that no legal order of actions explains: they stay in
    ``left``.  ``limit``: the search stops when ``room.spent`` has reached it.
    """
    if proposer.seems_over(state):
        late = _Search(room, proposer, replace(clues, late=True), limit).run(state, moves)
        if late.complete:
            return late
    return _Search(room, proposer, clues, limit).run(state, moves)


def accuse(
    room: Room, proposer: Proposer, state: Any, moves: tuple[PieceMove, ...], clues: Clues
) -> Refusal | None:
    """The rule against moves that no legal action explains; None when no rule forbids them."""
    for step in proposer.accusations(state, moves, clues):
        played, ok = play(room, state, step.actions)
        if ok or played[-1].judgement.status is not Status.ILLEGAL:
            continue
        covered = tuple(m for m in moves if m.piece in step.covers)
        return Refusal(played[-1].action, played[-1].judgement, covered or moves)
    return None


def told_of(played: Sequence[Played]) -> Message:
    """One message out of the notes of several actions and what the last of them obliges to."""
    owed = played[-1].judgement.pending
    return joined([*(n for p in played for n in p.judgement.notes), *([owed] if owed.text else ())])


def joined(notes: Sequence[Message]) -> Message:
    """One message out of several."""
    if not notes:
        return EMPTY
    if len(notes) == 1:
        return notes[0]
    text = " ".join(n.text for n in notes)
    return Message("notes", text, {"notes": tuple((n.key, dict(n.params)) for n in notes)})
