"""Recovering knights, passing, agreeing to a draw, resigning (G-35, G-A34, G-A36)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn

from engine.grailnah.arguments import count_arg
from engine.grailnah.legal import can_move, moves
from engine.grailnah.messages import say
from engine.grailnah.recovery import recoverable, recovered
from engine.grailnah.state import GrailnahState
from engine.grailnah.turn import turn_done, won_by
from engine.outcome import Outcome, Refusal


def do_recover(state: GrailnahState, player: str, args: Mapping[str, Any]) -> Outcome:
    """``recover {count}``: right after the own move that brought the second royal in (G-A26)."""
    count, setup = count_arg(state, args), state.setup
    castle = state.royal_castle(player)
    left = len(state.sacrificed(player))
    cells = tuple(
        dict.fromkeys(
            c for c in (state.pieces[f"king/{player}"], state.pieces[f"queen/{player}"]) if c
        )
    )
    if castle is None:
        raise Refusal("G-35", cells, say(setup, "no_recovery", player=player))
    if not state.may_use(player, castle):
        again = setup.option("G-A24") == "a"
        key = "recovery_again" if again else "recovery_same"
        raise Refusal("G-A24", cells, say(setup, key, player=player, cell=castle))
    if not left:
        raise Refusal("G-35", cells, say(setup, "nothing_lost", player=player))
    if count > recoverable(state, player):
        raise Refusal("G-35", cells, say(setup, "too_many", player=player, left=left, count=count))
    own_turn = setup.option("G-A26") == "b"
    if not own_turn and state.may_recover != player:
        raise Refusal("G-A26", cells, say(setup, "recovery_late"))
    after, back = recovered(state, player, count)
    note = say(setup, "recovered", player=player, count=count, cell=next(iter(back.values())))
    after = turn_done(after, "") if own_turn else after.but(may_recover=None)
    return Outcome(after, (note,))


def do_pass(state: GrailnahState, player: str, args: Mapping[str, Any]) -> Outcome:
    """``pass``: only without a legal move (G-A34)."""
    if can_move(state):
        _refuse_pass(state, player)
    return Outcome(turn_done(state, ""), (say(state.setup, "passed", player=player),))


def _refuse_pass(state: GrailnahState, player: str) -> NoReturn:
    example = next(moves(state))
    to = example.args.get("to", "")
    piece = example.args.get("piece", example.do)
    message = say(state.setup, "can_move", player=player, piece=piece, to=to)
    raise Refusal("G-A34", (to,) if to else (), message)


def do_draw(state: GrailnahState, player: str, args: Mapping[str, Any]) -> Outcome:
    """``draw``: all have agreed (G-A36)."""
    return Outcome(state.but(drawn=True, may_recover=None), (say(state.setup, "drawn"),))


def do_resign(state: GrailnahState, player: str, args: Mapping[str, Any]) -> Outcome:
    """``resign``: the others play on; the last one left, or the other team, wins."""
    setup = state.setup
    note = say(setup, "resigned", player=player)
    gone = state.resigned | {player}
    after = state.but(resigned=gone, may_recover=None)
    left = [c for c in setup.seats if c not in gone]
    others = [c for c in left if c not in setup.side_of[player]]
    if len(setup.teams) == 2 or len(left) == 1:
        start = setup.seats.index(player)
        order = (*setup.seats[start:], *setup.seats[:start])
        outcome = won_by(after, next(c for c in order if c in others), by_goal=False)
        return Outcome(outcome.state, (note, *outcome.notes))
    if player == state.to_move:
        after = after.but(to_move=after.next_seat())
    return Outcome(after, (note,))
