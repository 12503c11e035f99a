"""A turn of the wizards (H-7 to H-18): ``push``, ``jump`` and ``pass``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.hexagon.arguments import cell_arg, path_arg, wizard_arg
from engine.hexagon.jumping import jump, jumps
from engine.hexagon.legal import changes
from engine.hexagon.messages import say
from engine.hexagon.moves import Change, age, apply, turn_over
from engine.hexagon.pushing import push
from engine.hexagon.state import HexagonState
from engine.outcome import Outcome, Refusal
from engine.verdict import Message

THIRD_TIME = 3


def do_push(state: HexagonState, player: str, args: Mapping[str, Any]) -> Outcome:
    """``push {from, to}``: one step, also across the border, with everything that is in the way."""
    origin = wizard_arg(state, player, args)
    to = cell_arg(state, args, "to")
    if to == origin:
        raise Refusal("H-10", (origin,), say("stays_there", to=to))
    direction = state.setup.grid.direction(origin, to)
    if direction is None:
        raise Refusal("H-10", (origin, to), say("not_next", origin=origin, to=to))
    return _moved(state, push(state, origin, direction))


def do_jump(state: HexagonState, player: str, args: Mapping[str, Any]) -> Outcome:
    """``jump {from, path}``; with ``to`` instead of ``path`` a shortest path is looked for."""
    origin = wizard_arg(state, player, args)
    path = path_arg(state, args, origin)
    if path:
        return _moved(state, jump(state, origin, path))
    to = cell_arg(state, args, "to")
    if to == origin:
        raise Refusal("H-A10", (origin,), say("jump_circle", origin=origin))
    for change in jumps(state, origin):
        if change.to == to:
            return _moved(state, change)
    raise Refusal("H-12", (origin, to), say("no_path", origin=origin, to=to))


def _moved(state: HexagonState, change: Change) -> Outcome:
    after = apply(state, change)
    notes: tuple[Message, ...] = tuple(
        say("burns", colour=state.waiting, cell=cell) for cell in change.burnt
    )
    if change.burnt:
        return Outcome(after.but(seen={}), notes)
    count = after.seen.get(after.arrangement, 0) + 1
    if count >= THIRD_TIME:
        notes = (say("third_time", count=count),)
    return Outcome(after.but(seen={**after.seen, after.arrangement: count}), notes)


def do_pass(state: HexagonState, player: str, args: Mapping[str, Any]) -> Outcome:
    """``pass``: only for a player who cannot move at all (H-A21, H-A22)."""
    for change in changes(state):
        message = say(
            "must_move", player=player, piece=change.piece, origin=change.origin, to=change.to
        )
        raise Refusal("H-A22", (change.origin, change.to), message)
    return Outcome(turn_over(age(state)), (say("passes", player=player),))
