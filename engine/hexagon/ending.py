"""A game ends by agreement or by giving up (H-A27): ``draw`` and ``resign``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.hexagon.messages import say
from engine.hexagon.state import HexagonState, Phase
from engine.outcome import Outcome, Refusal


def do_draw(state: HexagonState, player: str, args: Mapping[str, Any]) -> Outcome:
    """``draw``: an offer, and with the opponent's own ``draw`` the agreement."""
    other = state.setup.other(player)
    if state.draw == player:
        raise Refusal("H-A27", (), say("offered", player=player, other=other))
    if state.draw == other:
        after = state.but(phase=Phase.OVER, draw=None, crossings=())
        return Outcome(after, (say("agreed"),), rule="H-A27")
    return Outcome(state.but(draw=player), (), say("offers_draw", player=player, other=other))


def do_resign(state: HexagonState, player: str, args: Mapping[str, Any]) -> Outcome:
    """``resign``: the opponent wins."""
    winner = state.setup.other(player)
    after = state.but(phase=Phase.OVER, winner=winner, draw=None, crossings=())
    return Outcome(after, (say("resigns", player=player, winner=winner),), rule="H-A27")
