"""Small questions about a state, for the referee and the screens."""

from __future__ import annotations

from engine.action import Action
from engine.grailnah.legal import can_move
from engine.grailnah.recovery import recoverable
from engine.grailnah.special_moves import ASK
from engine.grailnah.specials import needs_sacrifice, turn_fault
from engine.grailnah.state import GrailnahState, owner_of

__all__ = ["drag_action", "must_pass", "recovery_open", "special_open"]


def must_pass(state: GrailnahState) -> bool:
    """Whether the player to act has no legal move (G-A34)."""
    return state.to_act is not None and not can_move(state)


def recovery_open(state: GrailnahState) -> tuple[str | None, int]:
    """Who may recover knights right now, and how many at most (G-35)."""
    who = state.may_recover
    if state.setup.option("G-A26") == "b":
        who = state.to_act
    count = recoverable(state, who) if who is not None and not state.over else 0
    return (who, count) if count else (None, 0)


def special_open(state: GrailnahState, special: str) -> str:
    """Whether the player to act may move Merlin or Morgane: "" if so, "costs" for Morgane at the
    price of a knight, else the key of what forbids it."""
    me = state.to_act
    if me is None:
        return "over"
    fault = turn_fault(state, me, special)
    if fault is not None:
        return fault.key
    if special == "merlin" or not needs_sacrifice(state):
        return ""
    return "costs" if state.victims(me) else "no_victim"


def drag_action(state: GrailnahState, piece: str, to: str) -> Action:
    """What is meant by a piece taken to a cell: out of turn too, so that the rules can say so."""
    me = state.to_move
    if piece == "merlin":
        return Action(me, "merlin", {"to": to})
    if piece == "morgane":
        costs = needs_sacrifice(state)
        return Action(me, "morgane", {"to": to, "sacrifice": ASK} if costs else {"to": to})
    return Action(owner_of(piece), "move", {"piece": piece, "to": to})
