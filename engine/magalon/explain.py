"""Which actions of Magalon may have moved which pieces: proposals for the referee.

Nothing is decided here: every proposal goes through ``Room.judge``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, permutations
from typing import Any

from engine.action import Action
from engine.game import Room
from engine.magalon.early import may_come
from engine.magalon.explain_dice import dice_pairs, giant_choices
from engine.magalon.explain_open import kind_of, owner_of, twice_running, unfinished
from engine.magalon.let_stand import let_stand
from engine.magalon.setup import LIFT_CARD
from engine.magalon.state import MagalonState, Path, Turn
from engine.placement import PieceMove, track_value
from engine.referee.explain import Clues, Step, Unfinished, play
from engine.referee.proposers import NoProposer
from engine.verdict import Status

# Order in which an accusation is looked for: what a player most plainly did himself comes first.
# Displacing a wizard before its attacker comes is a little rarer than doing it on the way.
DISPLACED_EARLY = 0.2
# An unfinished way given up for another one in one go.
ANEW = 1.0
# The giant is seldom put down on its way: dice that fit its whole move are likelier by this much.
PART_NATS = 3.0
_NATURAL = ("goblin", "giant", "wizard", "shield", "ruin", "energy_stone")


class MagalonProposer(NoProposer):
    """The referee's knowledge of how pieces get moved in Magalon."""

    def __init__(self, room: Room) -> None:
        self._room = room

    # -- legal steps ---------------------------------------------------------------------------

    def steps(
        self, state: MagalonState, moves: tuple[PieceMove, ...], clues: Clues
    ) -> Sequence[Step]:
        """Steps of the player to act that could explain some of the moves, likeliest first."""
        me = state.to_act
        if me is None or state.laying:
            return ()
        steps: list[Step] = []
        for move in sorted(moves, key=lambda m: owner_of(m.piece) != me):
            steps.extend(self._steps_of(state, me, move, moves, clues))
        return steps

    def _steps_of(
        self,
        state: MagalonState,
        me: str,
        move: PieceMove,
        moves: tuple[PieceMove, ...],
        clues: Clues,
    ) -> Iterator[Step]:
        kind, owner = kind_of(move.piece), owner_of(move.piece)
        if not move.to:
            return
        cancel = Action(me, "cancel", {"piece": move.piece})
        if self._was_origin(state, me, move):
            yield Step((cancel,), frozenset({move.piece}))
        if owner not in (None, me):
            walks_himself = clues.late and owner == self._next(state)
            if len(moves) == 1 and not clues.doubtful:
                walks_himself |= self._walks_next(state, move, clues)
            if kind == "wizard" and not walks_himself and not clues.doubtful:
                action = Action(me, "displace", {"victim": owner, "to": move.to[0]})
                yield Step((action,), frozenset({move.piece}), DISPLACED_EARLY)
            return
        anew = self._open(state, me, move.piece)
        if kind == "wizard":
            yield from self._walks(state, me, move)
            if anew:
                yield Step((cancel, simple_action(state, me, move)), frozenset({move.piece}), ANEW)
        elif kind == "goblin":
            yield from self._attacks(me, move, moves, "goblin", {"piece": move.piece})
            if anew:
                yield Step((cancel, simple_action(state, me, move)), frozenset({move.piece}), ANEW)
        elif kind == "giant":
            yield from sorted(self._giant(state, me, move, moves, clues), key=lambda s: s.cost)
            if anew:
                yield Step((cancel, simple_action(state, me, move)), frozenset({move.piece}), ANEW)
        elif kind != "energy_stone" or not (clues.doubtful and twice_running(state, me)):
            # A stone that jumps two marks is no sign of two turns of its owner in a row.
            yield Step((simple_action(state, me, move),), frozenset({move.piece}))

    def _giant(
        self,
        state: MagalonState,
        me: str,
        move: PieceMove,
        moves: tuple[PieceMove, ...],
        clues: Clues,
    ) -> Iterator[Step]:
        """The giant's move with every roll that may stand before it.

        It is seldom put down on its way: where a whole move fits dice that are less well seen, the
        dice are asked for.
        """
        doubtful: bool | None = None
        for dice in self._rolls(state, me, move, moves, clues):
            for step in self._attacks(me, move, moves, "giant", {}):
                actions = (*dice.actions, *step.actions)
                part = bool(dice.actions) and self._is_part(state, actions)
                if part and doubtful is None:
                    doubtful = bool(giant_choices(self._room, state, me, move, moves, clues.dice))
                if not (part and doubtful):
                    yield Step(actions, step.covers, dice.cost + (PART_NATS if part else 0.0))

    def _walks_next(self, state: MagalonState, move: PieceMove, clues: Clues) -> bool:
        """Whether the wizard that alone has moved may have walked in its own turn, the one before having
        ended: nobody displaces a wizard and leaves it at that."""
        over = self.turn_over(state, clues)
        owner = owner_of(move.piece)
        walk = Action(owner, "walk", {"to": move.to[0]})
        played, ok = play(self._room, state, (*over, walk))
        return bool(over) and ok and played[-1].judgement.status is Status.LEGAL

    @staticmethod
    def _open(state: MagalonState, me: str, piece: str) -> Path | None:
        """The unfinished way of a piece in this turn."""
        own = piece == f"wizard/{me}"
        path = state.turn.walk if own else state.turn.path_of(piece)
        return None if path is None or path.done else path

    def _was_origin(self, state: MagalonState, me: str, move: PieceMove) -> bool:
        """Whether a piece with an unfinished way in this turn was put back where it began."""
        path = self._open(state, me, move.piece)
        if path is not None:
            return move.to == (path.origin,)
        return any(
            move.piece == f"wizard/{early.hit.colour}" and move.to == (early.hit.origin,)
            for early in state.turn.early
        )

    def _walks(self, state: MagalonState, me: str, move: PieceMove) -> Iterator[Step]:
        to, covers = move.to[0], frozenset({move.piece})
        walk = state.turn.walk
        if walk is not None and walk.done:
            yield Step((Action(me, "walk_on", {"to": to}),), covers)
            return
        yield Step((Action(me, "walk", {"to": to}),), covers)
        for red in state.setup.bonus_from.get(to, ()):
            yield Step(
                (Action(me, "walk", {"to": red}), Action(me, "walk_on", {"to": to})), covers, 0.3
            )

    def _attacks(
        self,
        me: str,
        move: PieceMove,
        moves: tuple[PieceMove, ...],
        do: str,
        args: dict[str, object],
    ) -> Iterator[Step]:
        """The attacker's move with every subset of the displaced wizards, largest first."""
        victims = [
            m for m in moves
            if kind_of(m.piece) == "wizard" and owner_of(m.piece) != me and m.to
        ]  # fmt: skip
        to = {**args, "to": move.to[0]}
        for size in range(min(len(victims), 3), -1, -1):
            for group in combinations(victims, size):
                for order in permutations(group):
                    hits = [{"player": owner_of(v.piece), "to": v.to[0]} for v in order]
                    action = Action(me, do, {**to, "attacks": hits} if hits else to)
                    yield Step((action,), frozenset({move.piece, *(v.piece for v in order)}))

    def _is_part(self, state: MagalonState, actions: tuple[Action, ...]) -> bool:
        """Whether these actions leave something half done."""
        judged = None
        for action in actions:
            judged = self._room.judge(state, action)
            state = judged.state
        return judged is not None and judged.status is Status.PENDING

    def _rolls(
        self,
        state: MagalonState,
        me: str,
        move: PieceMove,
        moves: tuple[PieceMove, ...],
        clues: Clues,
    ) -> Iterator[Step]:
        """The rolls that may stand before the giant's move: none if rolled, else by what is seen."""
        if state.turn.dice is not None:
            yield Step((), frozenset())
        elif state.lowest == me:
            if len(clues.dice) < 2:
                # With a die unseen every sum that fits leaves the same table: the least is taken.
                choices = giant_choices(self._room, state, me, move, moves, clues.dice)
                if choices:
                    yield Step(choices[0].actions[:1], frozenset())
                return
            for pair, loss in dice_pairs(clues.dice):
                yield Step((Action(me, "roll", {"dice": list(pair)}),), frozenset(), loss)

    # -- the turn ------------------------------------------------------------------------------

    def turn_over(self, state: MagalonState, clues: Clues) -> tuple[Action, ...]:
        """``end``, and the known cards when a round begins; empty if nothing speaks for an end.

        A player who has done nothing has not ended his turn either (the stone has to move, M-39),
        except with the card 0, after which a forgotten stone is all there is to see.
        """
        me = state.to_act
        if me is None:
            return ()
        if state.laying:
            return self._lays(state, state.round, clues)
        # On 0 the point cannot be paid: the wizard going back to the start is all there is to see.
        if not clues.acted and not state.recovers(me) and state.energy[me] > 0:
            return ()
        end = Action(me, "end", {})
        if state.acting_order[-1:] != (me,):
            return (end,)
        return (end, *self._lays(state, state.round + 1, clues))

    def lays(self, state: MagalonState, clues: Clues) -> tuple[Action, ...]:
        """The known cards of the round that begins, as actions; empty unless cards are due."""
        return self._lays(state, state.round, clues) if state.laying else ()

    def seems_over(self, state: MagalonState) -> bool:
        """Whether the energy stone has been moved: that comes last at most tables."""
        return bool(state.turn.booked)

    def acted(self, state: MagalonState) -> bool:
        """Everything that can be seen of a turn leaves its mark in the state."""
        return state.turn != Turn()

    def sound(self, state: MagalonState) -> bool:
        """Whether some attacker may still come for every wizard that was displaced early."""
        me = state.to_act
        return me is None or all(
            any(may_come(state, me, piece, early) for piece in state.attackers)
            for early in state.turn.early
        )

    def linked(self, moved: frozenset[str], earlier: frozenset[str]) -> bool:
        """A displaced wizard and its attacker belong together; so do the roll and the giant."""
        now, before = {kind_of(p) for p in moved}, {kind_of(p) for p in earlier}
        black = {"goblin", "giant"}
        return (
            ("giant" in now and "dice" in before)
            or ("wizard" in now and bool(before & black))
            or ("wizard" in before and bool(now & black))
        )

    def correction(self, moves: tuple[PieceMove, ...]) -> Action | None:
        """The ``correct`` action that makes the state agree with the table."""
        pieces: dict[str, object] = {}
        energy: dict[str, int] = {}
        for move in moves:
            kind, owner = kind_of(move.piece), owner_of(move.piece)
            if kind == "energy_stone" and owner and move.to:
                mark = track_value(move.to[0])
                energy |= {} if mark is None else {owner: mark}
            elif kind == "ruin":
                pieces[move.piece] = list(move.to) if move.to else None
            else:
                pieces[move.piece] = move.to[0] if move.to else None
        changes = {"pieces": pieces, "energy": energy}
        named = {key: value for key, value in changes.items() if value}
        return Action(None, "correct", named) if named else None

    def let_stand(
        self, state: MagalonState, action: Action, moves: tuple[PieceMove, ...]
    ) -> Mapping[str, Any]:
        """The pieces as they stand, with what the action uses up of the turn."""
        return let_stand(state, action, moves, super().let_stand(state, action, moves))

    def roll(self, state: MagalonState, dice: tuple[int, int]) -> Action | None:
        """The roll of the player with the lowest card, in his own turn, once (M-47)."""
        me = state.to_act
        if me is None or state.laying or state.lowest != me or state.turn.dice is not None:
            return None
        return Action(me, "roll", {"dice": list(dice)})

    def _lays(self, state: MagalonState, round_: int, clues: Clues) -> tuple[Action, ...]:
        laid = len(state.table) if round_ == state.round else 0
        return tuple(
            Action(colour, "pass", {}) if card is None else Action(colour, "lay", {"card": card})
            for colour, card in clues.cards.get(round_, ())[laid:]
        )

    def unfinished(
        self, state: MagalonState, moves: tuple[PieceMove, ...], clues: Clues
    ) -> Unfinished | None:
        """Cards that nobody has told yet, a giant's move without seen dice, a wizard in the hand."""
        return unfinished(self._room, state, moves, clues, self.turn_over(state, clues))

    # -- refusals ------------------------------------------------------------------------------

    def accusations(
        self, state: MagalonState, moves: tuple[PieceMove, ...], clues: Clues
    ) -> Sequence[Step]:
        """The most natural actions behind moves that are not legal, to hear the rule."""
        me = state.to_act
        if me is None:
            return ()
        steps: list[Step] = []
        ordered = sorted(
            (m for m in moves if m.to),
            key=lambda m: (owner_of(m.piece) not in (None, me), _NATURAL.index(kind_of(m.piece))),
        )
        for move in ordered:
            steps.extend(self._accuse(state, me, move, moves, clues))
        return steps

    def _accuse(
        self,
        state: MagalonState,
        me: str,
        move: PieceMove,
        moves: tuple[PieceMove, ...],
        clues: Clues,
    ) -> Iterator[Step]:
        kind, owner = kind_of(move.piece), owner_of(move.piece)
        covers = frozenset({move.piece})
        if kind == "goblin":
            yield from list(self._attacks(me, move, moves, "goblin", {"piece": move.piece}))
        elif kind == "giant":
            rolls = list(self._rolls(state, me, move, moves, clues))[:1] or [Step((), frozenset())]
            for step in self._attacks(me, move, moves, "giant", {}):
                yield Step((*rolls[0].actions, *step.actions), step.covers)
        elif owner in (None, me):
            walk = state.turn.walk
            if kind == "wizard" and walk is not None and walk.done and state.turn.red == "open":
                yield Step((Action(me, "walk_on", {"to": move.to[0]}),), covers)
            yield Step((simple_action(state, me, move),), covers)
        else:
            assert owner is not None
            action = simple_action(state, owner, move)
            over = self.turn_over(state, clues)
            if over and self._next(state) in (owner, None):
                yield Step((*over, action), covers)
            if kind == "wizard" and owner in state.acted:
                yield Step((Action(me, "displace", {"victim": owner, "to": move.to[0]}),), covers)
            yield Step((action,), covers)

    def _next(self, state: MagalonState) -> str | None:
        order = state.acting_order
        me = state.to_act
        at = order.index(me) if me in order else -1
        if at + 1 < len(order):
            return order[at + 1]
        return None


def simple_action(state: MagalonState, player: str, move: PieceMove) -> Action:
    """The action by which a player moves such a piece himself, attacks and dice left out."""
    kind, to = kind_of(move.piece), move.to
    if kind == "wizard":
        return Action(player, "walk", {"to": to[0]})
    if kind == "shield":
        return Action(player, "shield", {"to": to[0]})
    if kind == "ruin":
        do = "lift" if state.card(player) == LIFT_CARD else "slide"
        return Action(player, do, {"ruin": move.piece, "to": list(to)})
    if kind == "energy_stone":
        return Action(player, "energy", {"to": track_value(to[0])})
    if kind == "goblin":
        return Action(player, "goblin", {"piece": move.piece, "to": to[0]})
    return Action(player, kind, {"to": to[0]})
