"""All legal actions of the player to act."""

from __future__ import annotations

from collections.abc import Iterator

from engine.action import Action
from engine.grailnah.moves import targets
from engine.grailnah.recovery import recoverable
from engine.grailnah.specials import needs_sacrifice, special_targets, turn_fault
from engine.grailnah.state import GrailnahState


def moves(state: GrailnahState) -> Iterator[Action]:
    """Every move of the player to act, each consequence once: pawns, Merlin, Morgane with every
    knight that may be sacrificed; with G-A26 b also recoveries.  None when the game is over."""
    me = state.to_act
    if me is None:
        return
    for piece in state.setup.pawns(me):
        for to in targets(state, piece):
            yield Action(me, "move", {"piece": piece, "to": to})
    if turn_fault(state, me, "merlin") is None:
        for to in special_targets(state, "merlin"):
            yield Action(me, "merlin", {"to": to})
    if turn_fault(state, me, "morgane") is None:
        yield from _morgane(state, me)
    if state.setup.option("G-A26") == "b":
        for count in range(1, recoverable(state, me) + 1):
            yield Action(me, "recover", {"count": count})


def _morgane(state: GrailnahState, me: str) -> Iterator[Action]:
    victims = state.victims(me) if needs_sacrifice(state) else (None,)
    if victims:
        for to in special_targets(state, "morgane"):
            for knight in victims:
                args = {"to": to} if knight is None else {"to": to, "sacrifice": knight}
                yield Action(me, "morgane", args)


def recoveries(state: GrailnahState) -> Iterator[Action]:
    """The free recoveries that the player who has just moved may still do (G-A26)."""
    who = state.may_recover
    if who is not None and not state.over:
        for count in range(1, recoverable(state, who) + 1):
            yield Action(who, "recover", {"count": count})


def legal_actions(state: GrailnahState) -> tuple[Action, ...]:
    """Everything that may be done now but agreeing to a draw and resigning; ``pass`` only when
    there is no move (G-A34)."""
    found = tuple(moves(state))
    if not found and state.to_act is not None:
        found = (Action(state.to_act, "pass", {}),)
    return (*found, *recoveries(state))


def can_move(state: GrailnahState) -> bool:
    """Whether the player to act has any legal move."""
    return next(moves(state), None) is not None
