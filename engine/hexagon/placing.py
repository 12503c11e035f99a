"""The wisdoms are placed face down, one after another (H-3 to H-6): ``place {to, value?}``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from engine.hexagon.arguments import cell_arg
from engine.hexagon.messages import listed, say, signed
from engine.hexagon.setup import VALUES
from engine.hexagon.state import HexagonState, Phase
from engine.outcome import Outcome, Refusal


def do_place(state: HexagonState, player: str, args: Mapping[str, Any]) -> Outcome:
    """``place {to, value?}``.  A told value is only counted: which wisdom has it is not kept."""
    to = cell_arg(state, args, "to")
    hand = state.in_hand(player)
    if not hand:
        raise Refusal("H-3", (to,), say("none_left", player=player))
    if to in state.setup.flames:
        raise Refusal("H-3", (to,), say("place_flame", to=to))
    if to in state.at:
        raise Refusal("H-3", (to,), say("place_taken", to=to, by=state.at[to]))
    after = state.placed_at({hand[0]: to})
    if args.get("value") is not None:
        values = _checked(state, player, args["value"], to)
        after = after.but(placed={**state.placed, player: values})
    return _next(after, player)


def _checked(state: HexagonState, player: str, value: Any, to: str) -> tuple[int, ...]:
    if isinstance(value, bool) or not isinstance(value, int) or value not in VALUES:
        raise Refusal("H-3", (to,), say("no_such_value", value=str(value)[:40]))
    used = Counter(state.placed[player])
    if used[value] >= VALUES[value]:
        left = listed(v for v in sorted(VALUES) if used[v] < VALUES[v])
        message = say("value_used", colour=player, value=signed(value), left=left)
        raise Refusal("H-3", (to,), message)
    return tuple(sorted((*state.placed[player], value)))


def _next(state: HexagonState, player: str) -> Outcome:
    """The opponent places, or all is placed and the first player moves (H-7)."""
    setup, other = state.setup, state.setup.other(player)
    if state.in_hand(other):
        return Outcome(state.but(to_move=other))
    if state.in_hand(player):
        return Outcome(state)
    first, nothing = setup.seats[0], dict.fromkeys(setup.seats, ())
    after = state.but(phase=Phase.MOVING, to_move=first, placed=nothing)
    return Outcome(after, (say("moves_begin", player=first),))
