"""The room of Carcassonne: the door through which the rules are asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from engine.action import Action
from engine.board import Board
from engine.carcassonne import position as positions
from engine.carcassonne import queries
from engine.carcassonne.figures import do_figure
from engine.carcassonne.meeples import do_meeple
from engine.carcassonne.messages import say
from engine.carcassonne.outcome import Outcome, Refusal
from engine.carcassonne.placement import placement_of
from engine.carcassonne.placing import do_tile, do_unplaceable
from engine.carcassonne.state import CarcassonneState
from engine.carcassonne.turn import do_end, do_finish, winners
from engine.game import Header, Judgement, Room
from engine.placement import Placement

if TYPE_CHECKING:
    from engine.referee.explain import Proposer

Reducer = Callable[[CarcassonneState, str, Mapping[str, Any]], Outcome]

ACTING: dict[str, Reducer] = {
    "tile": do_tile,
    "unplaceable": do_unplaceable,
    "meeple": do_meeple,
    "figure": do_figure,
    "end": do_end,
}
# The rule by which somebody else may not do it now.
ORDER = {"tile": "C-1", "unplaceable": "C-1", "meeple": "C-3", "figure": "W-1", "end": "C-1"}
FOR_THE_RECORD = ("undo", "correct")


class CarcassonneRoom:
    """Implements ``engine.game.Room`` for Carcassonne; states are ``CarcassonneState`` values.

    There is no board: the tiles make it, and the one given is not looked at.
    """

    name = "carcassonne"
    board: ClassVar[Board] = Board("tiles on the table", "carcassonne", (1.0, 1.0), {}, (), {})

    def start(self, header: Header, board: Board | None = None) -> CarcassonneState:
        """The first state, or the one of the header's position.

        Raises PositionError for an impossible position, BoardwardenError for unknown options.
        """
        return positions.start(header)

    def judge(self, state: CarcassonneState, action: Action) -> Judgement:
        """Judges an action; an illegal one leaves the state as it was."""
        try:
            return self._judge(state, action).judgement()
        except Refusal as refusal:
            return refusal.judgement(state)

    def _judge(self, state: CarcassonneState, action: Action) -> Outcome:
        do, player = action.do, action.player
        if not isinstance(do, str):
            raise Refusal(None, (), say("malformed", what='"do" must be a text'))
        if do == "note":
            return Outcome(state)
        if do in FOR_THE_RECORD:
            raise Refusal(None, (), say("record_action", do=do))
        if do not in ACTING and do != "finish":
            raise Refusal(None, (), say("unknown_action", do=do[:40]))
        if state.over:
            raise Refusal("C-9", (), say("game_over"))
        if not isinstance(action.args, Mapping):
            raise Refusal(None, (), say("malformed", what="the arguments must be an object"))
        if do == "finish" and player is None:
            return do_finish(state, None, action.args)
        if not isinstance(player, str) or player not in state.setup.seats:
            raise Refusal(None, (), say("nobodys_turn"))
        if do == "finish":
            return do_finish(state, player, action.args)
        if player != state.to_move:
            message = say("not_your_turn", to_act=state.to_move, player=player)
            raise Refusal(ORDER[do], (), message)
        return ACTING[do](state, player, action.args)

    def proposer(self, judge: Room) -> Proposer:
        """How pieces get moved, for the referee."""
        from engine.carcassonne.explain import CarcassonneProposer

        return CarcassonneProposer(judge)

    def placement(self, state: CarcassonneState) -> Placement:
        """Where every piece of the game is; an empty tuple is in hand or in the stack."""
        return placement_of(state)

    def position(self, state: CarcassonneState) -> dict[str, Any]:
        """The JSON position from which ``start`` makes an equal state."""
        return positions.export(state)

    def scores(self, state: CarcassonneState) -> dict[str, dict[str, Any]]:
        """Points per player, in all and by kind of feature."""
        return {
            c: {"points": state.total(c)}
            | {
                kind.lower(): n
                for kind, n in state.points[c].items()
                if n or kind != "before"
            }
            for c in state.setup.seats
        }  # fmt: skip

    def winner(self, state: CarcassonneState) -> str | None:
        """Colour of the winner, several joined by commas (C-12); None while the game goes on."""
        return ",".join(winners(state)) if state.over else None

    def to_act(self, state: CarcassonneState) -> str | None:
        """Whose turn it is; None when the game is over."""
        return state.to_act

    def hints(self, state: CarcassonneState, piece: str) -> Sequence[str]:
        """All spots where a piece can go now."""
        return queries.hints(state, piece)
