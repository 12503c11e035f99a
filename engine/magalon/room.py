"""The room of Magalon: the door through which the rules are asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from engine.action import Action
from engine.board import Board
from engine.game import Header, Judgement, Room
from engine.magalon import hints as hint_rules
from engine.magalon import position as positions
from engine.magalon.attackers import do_giant, do_goblin, do_roll
from engine.magalon.cards import do_lay, do_pass
from engine.magalon.early import do_displace
from engine.magalon.energy import do_energy
from engine.magalon.messages import say
from engine.magalon.outcome import Outcome, Refusal, Unclear
from engine.magalon.placement import placement_of
from engine.magalon.ruins import do_lift, do_slide
from engine.magalon.setup import ITEMS, RED_GAIN
from engine.magalon.shields import do_shield
from engine.magalon.state import MagalonState
from engine.magalon.takeback import do_cancel, do_leave, do_take
from engine.magalon.turn import do_end
from engine.magalon.walking import do_stay, do_walk, do_walk_on
from engine.placement import Placement
from engine.verdict import Message

if TYPE_CHECKING:
    from engine.joining import JoinQuestion
    from engine.referee.explain import Proposer

Reducer = Callable[[MagalonState, str, Mapping[str, Any]], Outcome]

LAYING: dict[str, Reducer] = {"lay": do_lay, "pass": do_pass}
ACTING: dict[str, Reducer] = {
    "walk": do_walk,
    "walk_on": do_walk_on,
    "stay": do_stay,
    "goblin": do_goblin,
    "giant": do_giant,
    "displace": do_displace,
    "cancel": do_cancel,
    "roll": do_roll,
    "slide": do_slide,
    "lift": do_lift,
    "shield": do_shield,
    "energy": do_energy,
    "end": do_end,
}
DECIDING: dict[str, Reducer] = {"take": do_take, "leave": do_leave}
FOR_THE_RECORD = ("undo", "correct")
KEEPS_RED_OPEN = ("walk", "walk_on", "stay")
PASSER_MAY = ("shield", "energy", "end")


class MagalonRoom:
    """Implements ``engine.game.Room`` for Magalon; states are ``MagalonState`` values."""

    name = "magalon"

    def start(self, header: Header, board: Board) -> MagalonState:
        """The first state, or the one of the header's position.

        Raises PositionError for an impossible position, BoardwardenError for unknown options.
        """
        return positions.start(header, board)

    def judge(self, state: MagalonState, action: Action) -> Judgement:
        """Judges an action; an illegal or ambiguous one leaves the state as it was."""
        try:
            return self._judge(state, action).judgement()
        except Refusal as refusal:
            return refusal.judgement(state)
        except Unclear as unclear:
            return unclear.judgement(state)

    def _judge(self, state: MagalonState, action: Action) -> Outcome:
        do, player = action.do, action.player
        if not isinstance(do, str):
            raise Refusal(None, (), say("malformed", what='"do" must be a text'))
        if do == "note":
            return Outcome(state)
        if do in FOR_THE_RECORD:
            raise Refusal(None, (), say("record_action", do=do))
        known = do in LAYING or do in ACTING or do in DECIDING
        if not known:
            raise Refusal(None, (), say("unknown_action", do=do[:40]))
        if state.winner is not None:
            raise Refusal("M-57", (), say("game_over", winner=state.winner))
        if not isinstance(player, str) or player not in state.setup.seats:
            raise Refusal(None, (), say("nobodys_turn"))
        if not isinstance(action.args, Mapping):
            raise Refusal(None, (), say("malformed", what="the arguments must be an object"))
        if do in DECIDING and not state.laying:
            return DECIDING[do](state, player, action.args)
        return self._in_turn(state, player, do, action.args)

    def _in_turn(
        self, state: MagalonState, player: str, do: str, args: Mapping[str, Any]
    ) -> Outcome:
        to_act = state.to_act
        if state.laying != (do in LAYING):
            key = "cards_first" if state.laying else "cards_are_laid"
            rule = "M-7" if state.laying else "M-11"
            raise Refusal(rule, (), say(key, to_act=to_act))
        if player != to_act:
            rule = _order_rule(state)
            raise Refusal(rule, (), say("not_your_turn", to_act=to_act, player=player))
        if do in LAYING:
            return LAYING[do](state, player, args)
        if state.card(player) is None and do not in PASSER_MAY:
            raise Refusal("M-A40", (), say("passer_only", player=player))
        notes: tuple[Message, ...] = ()
        if state.turn.red == "open" and do not in KEEPS_RED_OPEN:
            state = state.with_turn(red="stay")
            notes = (say("red_stays", player=player, gain=RED_GAIN),)
        outcome = ACTING[do](state, player, args)
        return replace(outcome, notes=(*notes, *outcome.notes)) if notes else outcome

    def proposer(self, judge: Room) -> Proposer:
        """How the pieces of Magalon get moved, for the referee."""
        from engine.magalon.explain import MagalonProposer

        return MagalonProposer(judge)

    def join_questions(
        self, header: Header, board: Board, placement: Placement, answers: Mapping[str, Any]
    ) -> tuple[JoinQuestion, ...]:
        """What has to be told to join a running game."""
        from engine.magalon import joining

        return joining.questions(header, board, placement, answers)

    def join_position(
        self, header: Header, placement: Placement, answers: Mapping[str, Any]
    ) -> dict[str, Any]:
        """The position of a game that is joined late."""
        from engine.magalon import joining

        return joining.position(header, placement, answers)

    def placement(self, state: MagalonState) -> Placement:
        """Where every piece of the game stands; an empty tuple is off the board."""
        return placement_of(state)

    def position(self, state: MagalonState) -> dict[str, Any]:
        """The JSON position from which ``start`` makes an equal state."""
        return positions.export(state)

    def scores(self, state: MagalonState) -> dict[str, dict[str, Any]]:
        """Energy and items per player."""
        return {
            c: {"energy": state.energy[c], "items": [i for i in ITEMS if i in state.items[c]]}
            for c in state.setup.seats
        }

    def winner(self, state: MagalonState) -> str | None:
        """Colour of the winner, or None."""
        return state.winner

    def to_act(self, state: MagalonState) -> str | None:
        """Who lays the next card, or whose turn it is; None when the game is over."""
        return state.to_act

    def hints(self, state: MagalonState, piece: str) -> Sequence[str]:
        """All cells (or ``track/N``) that a piece can legally reach now."""
        return hint_rules.hints(state, piece)


def _order_rule(state: MagalonState) -> str:
    """The rule that says whose turn it is."""
    if not state.laying:
        return "M-11"
    if state.table:
        return "M-7"
    return "M-6" if state.round == 1 else "M-9"
