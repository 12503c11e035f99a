"""Laying cards (M-6 to M-10, face up as M-A44 says)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.magalon.arguments import whole_arg
from engine.magalon.messages import listed, say
from engine.magalon.outcome import Outcome, Refusal
from engine.magalon.state import MagalonState


def layable(state: MagalonState, colour: str) -> tuple[int, ...]:
    """Cards in hand whose value has not been laid in this round (M-8)."""
    laid = {card for _, card in state.table}
    return tuple(sorted(state.hands[colour] - laid))


def do_lay(state: MagalonState, actor: str, args: Mapping[str, Any]) -> Outcome:
    """``lay {card}``."""
    card = whole_arg(args, "card")
    for other, value in state.table:
        if value == card:
            message = say("card_already_laid", card=card, other=other, player=actor)
            raise Refusal("M-8", (), message)
    if card not in state.hands[actor]:
        hand = listed(sorted(state.hands[actor]), "")
        rule = "M-17" if card in state.played[actor] else "M-4"
        raise Refusal(rule, (), say("card_not_in_hand", player=actor, card=card, hand=hand))
    hands = {**state.hands, actor: state.hands[actor] - {card}}
    after = state.but(hands=hands, table=(*state.table, (actor, card)))
    return Outcome(after, _first_note(after))


def do_pass(state: MagalonState, actor: str, args: Mapping[str, Any]) -> Outcome:
    """``pass``: only when every value in hand has been laid (M-10)."""
    cards = layable(state, actor)
    if cards:
        raise Refusal("M-10", (), say("must_lay", player=actor, cards=listed(cards)))
    after = state.but(table=(*state.table, (actor, None)))
    return Outcome(after, (say("passed", player=actor), *_first_note(after)))


def _first_note(state: MagalonState) -> tuple[Any, ...]:
    return () if state.laying else (say("first_of_round", player=state.to_act),)
