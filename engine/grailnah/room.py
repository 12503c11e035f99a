"""The room of Grailnah: the door through which the rules are asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from engine.action import Action
from engine.board import Board
from engine.game import Header, Judgement, Room
from engine.grailnah import hints as hint_rules
from engine.grailnah import position as positions
from engine.grailnah.arguments import malformed
from engine.grailnah.messages import say
from engine.grailnah.other_actions import do_draw, do_pass, do_recover, do_resign
from engine.grailnah.pawn_moves import do_move
from engine.grailnah.placement import placement_of
from engine.grailnah.special_moves import do_merlin, do_morgane
from engine.grailnah.state import GrailnahState
from engine.outcome import Outcome, Refusal, Unclear
from engine.placement import Placement

if TYPE_CHECKING:
    from engine.joining import JoinQuestion
    from engine.referee.explain import Proposer

Reducer = Callable[[GrailnahState, str, Mapping[str, Any]], Outcome]

IN_TURN: dict[str, Reducer] = {
    "move": do_move,
    "merlin": do_merlin,
    "morgane": do_morgane,
    "pass": do_pass,
}
ANY_TIME: dict[str, Reducer] = {"draw": do_draw, "resign": do_resign}
FOR_THE_RECORD = ("undo", "correct")


class GrailnahRoom:
    """Implements ``engine.game.Room`` for Grailnah; states are ``GrailnahState`` values."""

    name = "grailnah"

    def start(self, header: Header, board: Board) -> GrailnahState:
        """The first state, or the one of the header's position.

        Raises PositionError for an impossible position, BoardFileError for a board without rings,
        BoardwardenError for unknown options.
        """
        return positions.start(header, board)

    def judge(self, state: GrailnahState, action: Action) -> Judgement:
        """Judges an action; an illegal one leaves the state as it was."""
        try:
            return self._judge(state, action).judgement()
        except (Refusal, Unclear) as stop:
            return stop.judgement(state)

    def _judge(self, state: GrailnahState, action: Action) -> Outcome:
        do, player, setup = action.do, action.player, state.setup
        if not isinstance(do, str):
            raise malformed(state, '"do" must be a text')
        if do == "note":
            return Outcome(state)
        if do in FOR_THE_RECORD:
            raise Refusal(None, (), say(setup, "record_action", do=do))
        if do not in IN_TURN and do not in ANY_TIME and do != "recover":
            raise Refusal(None, (), say(setup, "unknown_action", do=do[:40]))
        if state.winner is not None:
            raise Refusal("G-2", (), say(setup, "game_over", winner=state.winner))
        if state.drawn:
            raise Refusal("G-A36", (), say(setup, "game_drawn"))
        if not isinstance(player, str) or player not in setup.seats:
            raise Refusal(None, (), say(setup, "nobodys_turn"))
        if player in state.resigned:
            raise Refusal("G-6", (), say(setup, "has_resigned", player=player))
        if not isinstance(action.args, Mapping):
            raise malformed(state, "the arguments must be an object")
        return self._allowed(state, player, do, action.args)

    def _allowed(
        self, state: GrailnahState, player: str, do: str, args: Mapping[str, Any]
    ) -> Outcome:
        if do in ANY_TIME:
            return ANY_TIME[do](state, player, args)
        if do == "recover" and state.setup.option("G-A26") == "a":
            return do_recover(state, player, args)
        if player != state.to_move:
            message = say(state.setup, "not_your_turn", to_act=state.to_move, player=player)
            raise Refusal("G-6", (), message)
        return (
            do_recover(state, player, args) if do == "recover" else IN_TURN[do](state, player, args)
        )

    def proposer(self, judge: Room) -> Proposer:
        """How the pieces of Grailnah get moved, for the referee."""
        from engine.grailnah.explain import GrailnahProposer

        return GrailnahProposer(judge)

    def join_questions(
        self, header: Header, board: Board, placement: Placement, answers: Mapping[str, Any]
    ) -> tuple[JoinQuestion, ...]:
        """What has to be told to join a running game."""
        from engine.grailnah import joining

        return joining.questions(header, board, placement, answers)

    def join_position(
        self, header: Header, placement: Placement, answers: Mapping[str, Any]
    ) -> dict[str, Any]:
        """The position of a game that is joined late."""
        from engine.grailnah import joining

        return joining.position(header, placement, answers)

    def placement(self, state: GrailnahState) -> Placement:
        """Where every piece of the game stands; an empty tuple is off the board."""
        return placement_of(state)

    def position(self, state: GrailnahState) -> dict[str, Any]:
        """The JSON position from which ``start`` makes an equal state."""
        return positions.export(state)

    def scores(self, state: GrailnahState) -> dict[str, dict[str, Any]]:
        """Per player knights left and sacrificed, and who has won (with the partner, G-A35)."""
        out: dict[str, dict[str, Any]] = {}
        for colour in state.setup.seats:
            lost = len(state.sacrificed(colour))
            knights = len(state.setup.knights(colour)) - lost
            out[colour] = {"knights": knights, "sacrificed": lost}
            if state.over:
                out[colour]["won"] = colour in state.winners
        return out

    def winner(self, state: GrailnahState) -> str | None:
        """Colour of the player who won, or None."""
        return state.winner

    def to_act(self, state: GrailnahState) -> str | None:
        """Whose turn it is; None when the game is over."""
        return state.to_act

    def hints(self, state: GrailnahState, piece: str) -> Sequence[str]:
        """All cells that a piece can legally reach now."""
        return hint_rules.hints(state, piece)
