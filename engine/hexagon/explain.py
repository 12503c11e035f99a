"""Which actions of Das Magische Hexagon may lie behind what is seen: proposals for the referee.

Nothing is decided here: every proposal goes through ``Room.judge``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from engine.action import Action
from engine.hexagon.burning import possible_values
from engine.hexagon.legal import action_of, changes, pushes
from engine.hexagon.messages import say, signed
from engine.hexagon.moves import Change, apply
from engine.hexagon.setup_check import arrangement, faults
from engine.hexagon.sight import (
    Sight,
    consequence,
    explaining,
    look_of,
    looks_after,
    looks_touched,
    meant,
    owners,
    partial,
    sight_of,
    two_turns,
)
from engine.hexagon.state import HexagonState, Phase, is_wisdom, owner_of
from engine.placement import PieceMove
from engine.referee.explain import Clues, Step, Unfinished
from engine.referee.proposers import NoProposer
from engine.verdict import Choice, Message

Moves = tuple[PieceMove, ...]
# Two turns that nobody saw one by one are rarer than one.
TOGETHER_NATS = 0.5
REMEMBERED = 12


class HexagonProposer(NoProposer):
    """The referee's knowledge of how pieces get moved in Das Magische Hexagon."""

    def __init__(self) -> None:
        # The search comes back with the same question; what it asks of is compared by identity.
        self._asked: list[tuple[HexagonState, Moves, frozenset[str], Sequence[Step]]] = []

    def lays(self, state: HexagonState, clues: Clues) -> tuple[Action, ...]:
        """The value of a burnt wisdom, where it is known in advance: the cards of round n are the n-th
        value that was revealed, ``[colour of the burner, value]``."""
        if not state.pending:
            return ()
        told = clues.cards.get(1 + sum(len(v) for v in state.burnt.values()), ())
        known = [v for colour, v in told if colour == state.to_move and v is not None]
        args = {"cell": state.pending[0], "value": known[0]} if known else {}
        return (Action(state.to_move, "burnt", args),) if known else ()

    def steps(self, state: HexagonState, moves: Moves, clues: Clues) -> Sequence[Step]:
        """One move that explains everything, else two of both players, else one that explains its
        own part."""
        for known, what, gone, steps in self._asked:
            if known is state and what == moves and gone == clues.gone:
                return steps
        steps = self._steps(state, moves, clues)
        self._asked = [(state, moves, clues.gone, steps), *self._asked[:REMEMBERED]]
        return steps

    def _steps(self, state: HexagonState, moves: Moves, clues: Clues) -> Sequence[Step]:
        if state.to_act is None or state.pending or not moves:
            return ()
        if state.phase is Phase.PLACING:
            return _placings(state, moves)
        sight = sight_of(state, moves, clues.gone)
        found = explaining(state, sight)
        every = frozenset(m.piece for m in moves)
        if found:
            change = meant(state, found)
            return () if change is None else (Step((action_of(state, change),), every),)
        pair = two_turns(state, sight)
        if pair is None:
            return list(_own_parts(state, sight, moves))
        one, two = pair
        actions = (action_of(state, one), action_of(apply(state, one), two))
        return (Step(actions, every, TOGETHER_NATS),)

    def turn_over(self, state: HexagonState, clues: Clues) -> tuple[Action, ...]:
        """A turn passes by itself; only who cannot move at all has to pass (H-A22)."""
        if state.phase is not Phase.MOVING or state.pending or next(changes(state), None):
            return ()
        return (Action(state.to_move, "pass", {}),)

    def linked(self, moved: frozenset[str], earlier: frozenset[str]) -> bool:
        """Whatever moves next may be the same move going on: more jumps, or a pushed piece that was
        put down late."""
        return True

    def correction(self, moves: Moves) -> Action | None:
        """The ``correct`` action that makes the state agree with the table."""
        pieces = {m.piece: m.to[0] if m.to else None for m in moves}
        return Action(None, "correct", {"pieces": pieces}) if pieces else None

    def let_stand(self, state: HexagonState, action: Action, moves: Moves) -> Mapping[str, Any]:
        """The pieces as they stand; the other player is to move.  Nothing is to be reversed."""
        changes = dict(super().let_stand(state, action, moves))
        if changes and action.player == state.to_act and not state.pending:
            changes |= {"to_move": state.waiting, "last_crossing": None}
        return changes

    def arriving(self, state: HexagonState) -> frozenset[str]:
        """Wisdoms in hand while they are placed (H-3)."""
        if state.phase is not Phase.PLACING:
            return frozenset()
        return frozenset(p for colour in state.setup.seats for p in state.in_hand(colour))

    def lying(self, state: HexagonState) -> tuple[str, ...]:
        """Burnt wisdoms in their flames."""
        return state.pending

    def question(self, state: HexagonState) -> Unfinished | None:
        """The value of a burnt wisdom (H-18, H-A24)."""
        if not state.pending:
            return None
        cell, owner = state.pending[0], state.waiting
        choices = tuple(
            Choice(
                say("value", value=signed(value)),
                (Action(state.to_move, "burnt", {"cell": cell, "value": value}),),
            )
            for value in possible_values(state, owner)
        )
        text = say("ask_value", colour=owner, cell=cell)
        return Unfinished(text, state.to_move, choices, cells=(cell,))

    def misplaced(
        self, state: HexagonState, moves: Moves, gone: frozenset[str]
    ) -> tuple[Message, ...]:
        """Wizards that do not stand on their start cells while wisdoms are placed (H-1).  A wisdom
        that has come is judged first."""
        wizards = gone | {m.piece for m in moves if m.origin}
        come = any(not m.origin for m in moves)
        if state.phase is not Phase.PLACING or come or all(is_wisdom(p) for p in wizards):
            return ()
        return faults(state, arrangement(state, moves, gone))

    def unfinished(self, state: HexagonState, moves: Moves, clues: Clues) -> Unfinished | None:
        """A value that has to be told first, a move that can be read in two ways, or pieces that have
        been pushed on before their wizard followed."""
        if state.to_act is None or not moves:
            return None
        if state.pending:
            return Unfinished(say("value_told_first", cell=state.pending[0]), state.to_move)
        if state.phase is Phase.PLACING:
            return None
        sight = sight_of(state, moves, clues.gone)
        found = explaining(state, sight)
        if found:
            text = say("ask_how", to=found[0].to)
            return Unfinished(text, state.to_move, tuple(_choices(state, found)), ambiguous=True)
        for change in pushes(state):
            if _half_done(state, sight, moves, change):
                message = say("wizard_to_come", origin=change.origin, to=change.to)
                return Unfinished(message, state.to_move)
        return _lost(state, moves, clues.gone)

    def accusations(self, state: HexagonState, moves: Moves, clues: Clues) -> Sequence[Step]:
        """The most natural actions behind moves that are not legal, to hear the rule."""
        me = state.to_act
        if me is None:
            return ()
        if state.phase is Phase.PLACING:
            return [step for m in moves for step in _accuse_placing(state, me, m)]
        ordered = sorted(moves, key=lambda m: (is_wisdom(m.piece), owner_of(m.piece) != me))
        steps = [step for m in ordered for step in _accuse(state, me, m)]
        return [*steps, *_one_after_another(steps)]


def _placings(state: HexagonState, moves: Moves) -> list[Step]:
    """Wisdoms put down in turn; what is out of turn is left over."""
    waiting: dict[str, list[PieceMove]] = {c: [] for c in state.setup.seats}
    for move in moves:
        if is_wisdom(move.piece) and not move.origin and move.to:
            waiting[owner_of(move.piece)].append(move)
    hands = {c: len(state.in_hand(c)) for c in state.setup.seats}
    actions, covers, actor = list[Action](), set[str](), state.to_move
    while waiting[actor] and hands[actor]:
        move = waiting[actor].pop(0)
        actions.append(Action(actor, "place", {"to": move.to[0]}))
        covers.add(move.piece)
        hands[actor] -= 1
        other = state.setup.other(actor)
        actor = other if hands[other] else actor
    return [Step(tuple(actions), frozenset(covers))] if actions else []


def _own_parts(state: HexagonState, sight: Sight, moves: Moves) -> Iterator[Step]:
    """A move that explains its own cells completely, while what is left was not done by the same
    player's wizards: which of two moves of one player counts is not for the referee to say."""
    for change, looks in partial(state, sight):
        cells = set(looks_touched(state, change))
        fire = set(change.burnt)
        if any(looks.get(c) != sight.after.get(c) and c not in fire for c in cells):
            continue
        covers = frozenset(m.piece for m in moves if {*m.origin, *m.to} <= cells | fire)
        left = [m for m in moves if m.piece not in covers]
        tangled = any({*m.origin, *m.to} & cells for m in left)
        if covers and left and not tangled and state.to_move not in owners(left):
            yield Step((action_of(state, change),), covers)


def _half_done(state: HexagonState, sight: Sight, moves: Moves, change: Change) -> bool:
    """Whether what is seen is a push, and nothing else, of which the wizard itself is still to
    come."""
    if len(change.moves) < 2 or change.to in sight.after:
        return False
    if not {c for m in moves for c in (*m.origin, *m.to)} <= looks_touched(state, change).keys():
        return False
    looks = looks_after(sight.before, state, change)
    return sight.partly(looks) and sight.after.get(change.origin) == look_of(change.piece)


def _lost(state: HexagonState, moves: Moves, gone: frozenset[str]) -> Unfinished | None:
    """A wizard that its player seems to have moved to where it is not found, while nothing else of
    his has moved: what has come since may well be in turn."""
    me = state.to_move
    lost = [p for p in sorted(gone) if not is_wisdom(p) and owner_of(p) == me]
    if not lost or me in owners(moves):
        return None
    return Unfinished(say("where_is", colour=me, cell=state.pieces[lost[0]]), me)


def _choices(state: HexagonState, found: Sequence[Change]) -> Iterator[Choice]:
    """One choice for every consequence."""
    seen = set()
    for change in found:
        what = consequence(state, change)
        if what in seen:
            continue
        seen.add(what)
        if change.do == "jump":
            text = say("jumped")
        elif change.crossings and len(change.moves) == 1:
            text = say("stepped")
        else:
            text = say("pushed_here", origin=change.origin, to=change.to)
        yield Choice(text, (action_of(state, change),))


def _accuse_placing(state: HexagonState, me: str, move: PieceMove) -> Iterator[Step]:
    covers, owner = frozenset({move.piece}), owner_of(move.piece)
    if not move.to:
        return
    if is_wisdom(move.piece) and not move.origin:
        yield Step((Action(owner, "place", {"to": move.to[0]}),), covers)
    if move.origin:
        args = {"from": move.origin[0], "to": move.to[0]}
        yield Step((Action(me, "push", args),), covers)


def _accuse(state: HexagonState, me: str, move: PieceMove) -> Iterator[Step]:
    """The mover of a wizard is its owner; a wisdom was moved by whoever is to move."""
    if not move.to:
        return
    covers, to = frozenset({move.piece}), move.to[0]
    if not move.origin:
        yield Step((Action(owner_of(move.piece), "place", {"to": to}),), covers)
        return
    # What has not been found where the rules put it stands there for them all the same.
    here = state.pieces[move.piece]
    origin = move.origin[0] if move.origin[0] in state.at or here is None else here
    actor = me if is_wisdom(move.piece) else owner_of(move.piece)
    if state.setup.grid.direction(origin, to) is not None:
        yield Step((Action(actor, "push", {"from": origin, "to": to}),), covers)
    else:
        hop: dict[str, object] = {"path": [to]} if _straight(state, origin, to) else {"to": to}
        yield Step((Action(actor, "jump", {"from": origin, **hop}),), covers)
    if actor != me:
        yield Step((Action(me, "push", {"from": origin, "to": to}),), covers)


def _one_after_another(steps: Sequence[Step]) -> Iterator[Step]:
    """Moves that are legal one by one, but not in one turn (H-9)."""
    for first, second in combinations(steps, 2):
        if not first.covers & second.covers:
            yield Step((*first.actions, *second.actions), first.covers | second.covers)


def _straight(state: HexagonState, origin: str, to: str) -> bool:
    """Whether a cell is where one jump would end, were there a piece in between."""
    step = state.setup.grid.step
    return any(way[way[origin]] == to for way in step.values())
