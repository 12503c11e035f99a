"""Which card must have been laid, when a walk is seen before the card was told (M-7, M-19)."""

from __future__ import annotations

from collections.abc import Iterator

from engine.action import Action
from engine.game import Room
from engine.magalon.state import CARDS, MagalonState, Turn
from engine.placement import PieceMove
from engine.verdict import Choice, Message, Status

GOOD = (Status.LEGAL, Status.PENDING)


def card_choices(
    room: Room, state: MagalonState, moves: tuple[PieceMove, ...], before: tuple[Action, ...] = ()
) -> tuple[Choice, ...]:
    """The cards with which the walk that is seen is right, for the player who lays next; none when
    somebody else has walked.  ``state``: cards are being laid; ``before``: what comes before them.

    Where that was the last card, the walk is part of the choice."""
    layer = state.to_act
    walk = next((m for m in moves if m.piece == f"wizard/{layer}" and m.to), None)
    if layer is None or walk is None:
        return ()
    return tuple(_choices(room, state, layer, walk, before))


def _choices(
    room: Room, state: MagalonState, layer: str, walk: PieceMove, before: tuple[Action, ...]
) -> Iterator[Choice]:
    go = Action(layer, "walk", {"to": walk.to[0]})
    for card in sorted(CARDS, reverse=True):
        lay = Action(layer, "lay", {"card": card})
        laid = room.judge(state, lay)
        if laid.status not in GOOD or not _walks(room, state, layer, card, go):
            continue
        after: MagalonState = laid.state
        last = not after.laying
        if last and after.to_act != layer:
            continue  # somebody with a higher card acts first
        text = Message("referee.card", f"{layer} laid {card}", {"player": layer, "card": card})
        yield Choice(text, (*before, lay, go) if last else (*before, lay))


def _walks(room: Room, state: MagalonState, layer: str, card: int, go: Action) -> bool:
    """Whether the walk is right with a card, as if nobody else played."""
    order = state.laying_order
    alone = state.but(table=tuple((c, card if c == layer else None) for c in order), turn=Turn())
    return room.judge(alone, go).status in GOOD
