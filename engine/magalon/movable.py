"""What the acting player may still move in this turn."""

from __future__ import annotations

from engine.magalon.messages import listed, say
from engine.magalon.outcome import Refusal
from engine.magalon.setup import GOBLIN_CARDS, LIFT_CARD, SLIDE_CARDS
from engine.magalon.state import MagalonState


def attack_steps(state: MagalonState, actor: str, piece: str) -> int:
    """How many steps an attacker walks this turn; raises Refusal when it may not move."""
    here = state.pieces.get(piece)
    if here is None:
        raise Refusal("M-3", (), say("off_board", piece=piece))
    if piece == "giant":
        if actor != state.lowest:
            message = say("not_lowest", lowest=state.lowest, origin=here)
            raise Refusal("M-13", (here,), message)
        if state.turn.dice is None:
            raise Refusal("M-47", (here,), say("roll_first", origin=here))
        return sum(state.turn.dice)
    card = state.card(actor)
    if card not in GOBLIN_CARDS:
        cards = listed(GOBLIN_CARDS)
        raise Refusal("M-25", (here,), say("no_goblins", card=card, cards=cards, origin=here))
    if card not in state.setup.goblin_steps:
        raise Refusal("M-A9", (here,), say("no_number", card=card))
    return state.setup.goblin_steps[card]


def ruin_steps_left(state: MagalonState, actor: str) -> int:
    """Slide steps that the card still gives (M-31)."""
    card = state.card(actor)
    if card not in SLIDE_CARDS:
        return 0
    return max(0, state.setup.ruin_steps.get(card, 0) - state.turn.slid)


def can_attack(state: MagalonState, actor: str, piece: str) -> bool:
    """Whether an attacker may still begin or go on in this turn; the giant also before the roll."""
    path = state.turn.path_of(piece)
    if path is not None and path.done:
        return False
    if piece == "giant" and actor == state.lowest and state.turn.dice is None:
        return state.pieces.get(piece) is not None
    try:
        return attack_steps(state, actor, piece) > 0
    except Refusal:
        return False


def movable_pieces(state: MagalonState, actor: str) -> tuple[str, ...]:
    """Pieces besides the own wizard that the acting player may still move in this turn."""
    out = [] if state.turn.shield_moved else [f"shield/{actor}"]
    ruins = [f"ruin/{n}" for n in range(1, len(state.ruins) + 1)]
    if state.card(actor) == LIFT_CARD and not state.turn.lifted:
        out += ruins
    if ruin_steps_left(state, actor):
        out += ruins
    attackers = [p for p in state.attackers if can_attack(state, actor, p)]
    out += attackers
    if attackers:
        out += [
            f"wizard/{c}"
            for c in state.setup.seats
            if c != actor and c not in state.turn.displaced and not state.protected(c)
        ]
    return tuple(out)
