"""The room of Das Magische Hexagon: the door through which the rules are asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from engine.action import Action
from engine.board import Board
from engine.game import Header, Judgement, Room
from engine.hexagon import position as positions
from engine.hexagon.arguments import malformed, named_cells
from engine.hexagon.burning import do_burnt
from engine.hexagon.ending import do_draw, do_resign
from engine.hexagon.hints import hints
from engine.hexagon.messages import say
from engine.hexagon.moving import do_jump, do_pass, do_push
from engine.hexagon.placement import placement_of
from engine.hexagon.placing import do_place
from engine.hexagon.state import HexagonState, Phase
from engine.outcome import Outcome, Refusal
from engine.placement import Placement

if TYPE_CHECKING:
    from engine.joining import JoinQuestion
    from engine.referee.explain import Proposer

Reducer = Callable[[HexagonState, str, Mapping[str, Any]], Outcome]

PLACING: dict[str, Reducer] = {"place": do_place}
MOVING: dict[str, Reducer] = {"push": do_push, "jump": do_jump, "pass": do_pass}
ANY_TIME: dict[str, Reducer] = {"draw": do_draw, "resign": do_resign}
BURNING: dict[str, Reducer] = {"burnt": do_burnt}
FOR_THE_RECORD = ("undo", "correct")


class HexagonRoom:
    """Implements ``engine.game.Room``; states are ``HexagonState`` values."""

    name = "hexagon"

    def start(self, header: Header, board: Board) -> HexagonState:
        """The first state, or the one of the header's position.

        Raises PositionError for an impossible position, BoardFileError for a board that is no
        hexagonal one, BoardwardenError for unknown options.
        """
        return positions.start(header, board)

    def judge(self, state: HexagonState, action: Action) -> Judgement:
        """Judges an action; an illegal one leaves the state as it was."""
        try:
            return self._judge(state, action).judgement()
        except Refusal as refusal:
            return refusal.judgement(state)

    def _judge(self, state: HexagonState, action: Action) -> Outcome:
        do, player = action.do, action.player
        if not isinstance(do, str):
            raise malformed('"do" must be a text')
        if do == "note":
            return Outcome(state)
        if do in FOR_THE_RECORD:
            raise Refusal(None, (), say("record_action", do=do))
        if not any(do in known for known in (PLACING, MOVING, ANY_TIME, BURNING)):
            raise Refusal(None, (), say("unknown_action", do=do[:40]))
        if state.phase is Phase.OVER:
            raise _over(state)
        if not isinstance(player, str) or player not in state.setup.seats:
            raise Refusal(None, (), say("nobody"))
        if not isinstance(action.args, Mapping):
            raise malformed("the arguments must be an object")
        if do in BURNING:
            return BURNING[do](state, player, action.args)
        if state.pending:
            raise Refusal("H-18", state.pending, say("value_first", cell=state.pending[0]))
        if do in ANY_TIME:
            return ANY_TIME[do](state, player, action.args)
        return self._in_turn(state, player, do, action.args)

    def _in_turn(
        self, state: HexagonState, player: str, do: str, args: Mapping[str, Any]
    ) -> Outcome:
        placing, cells = state.phase is Phase.PLACING, named_cells(state, args)
        if placing != (do in PLACING):
            key = "placing_first" if placing else "all_placed"
            raise Refusal("H-3" if placing else "H-7", cells, say(key, to_act=state.to_act))
        if player != state.to_act:
            message = say("not_your_turn", to_act=state.to_act, player=player)
            raise Refusal("H-3" if placing else "H-7", cells, message)
        return (PLACING if placing else MOVING)[do](state, player, args)

    def proposer(self, judge: Room) -> Proposer:
        """How the pieces get moved, for the referee."""
        from engine.hexagon.explain import HexagonProposer

        return HexagonProposer()

    def join_questions(
        self, header: Header, board: Board, placement: Placement, answers: Mapping[str, Any]
    ) -> tuple[JoinQuestion, ...]:
        """What has to be told to join a running game."""
        from engine.hexagon import joining

        return joining.questions(header, board, placement, answers)

    def join_position(
        self, header: Header, placement: Placement, answers: Mapping[str, Any]
    ) -> dict[str, Any]:
        """The position of a game that is joined late."""
        from engine.hexagon import joining

        return joining.position(header, placement, answers)

    def placement(self, state: HexagonState) -> Placement:
        """Where every wizard and wisdom stands; an empty tuple is off the board."""
        return placement_of(state)

    def position(self, state: HexagonState) -> dict[str, Any]:
        """The JSON position from which ``start`` makes an equal state."""
        return positions.export(state)

    def scores(self, state: HexagonState) -> dict[str, dict[str, Any]]:
        """Per player the points and the values that were burnt for them."""
        other = state.setup.other
        return {
            c: {"points": state.points[c], "burnt": list(state.burnt[other(c)])}
            for c in state.setup.seats
        }

    def winner(self, state: HexagonState) -> str | None:
        """Colour of the winner, or None."""
        return state.winner

    def to_act(self, state: HexagonState) -> str | None:
        """Who places or moves, or has to tell what burnt; None when the game is over."""
        return state.to_act

    def hints(self, state: HexagonState, piece: str) -> Sequence[str]:
        """All cells that a piece can legally reach now."""
        return hints(state, piece)


def _over(state: HexagonState) -> Refusal:
    if state.winner is None:
        return Refusal("H-A27", (), say("drawn"))
    return Refusal("H-20", (), say("game_over", winner=state.winner))
