"""A game ends by agreement or by giving up (H-A27): ``draw`` and ``resign``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.hexagon.messages import say
from engine.hexagon.state import HexagonState, Phase
from engine.outcome import Outcome


def do_draw(state: HexagonState, player: str, args: Mapping[str, Any]) -> Outcome:
    """``draw``: both have agreed."""
    after = state.but(phase=Phase.OVER, crossings=())
    return Outcome(after, (say("agreed"),), rule="H-A27")


def do_resign(state: HexagonState, player: str, args: Mapping[str, Any]) -> Outcome:
    """``resign``: the opponent wins."""
    winner = state.setup.other(player)
    after = state.but(phase=Phase.OVER, winner=winner, crossings=())
    return Outcome(after, (say("resigns", player=player, winner=winner),), rule="H-A27")
