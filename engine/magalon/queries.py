"""Small questions about a state, for the referee and the screens."""

from __future__ import annotations

from typing import Any

from engine.magalon.cards import layable
from engine.magalon.energy import bookings, gains_at_all, gains_due
from engine.magalon.movable import attack_steps, can_attack, movable_pieces, ruin_steps_left
from engine.magalon.obstacles import why_safe
from engine.magalon.outcome import Refusal
from engine.magalon.setup import LIFT_CARD, START_ENERGY
from engine.magalon.state import MagalonState
from engine.magalon.turn import next_round

__all__ = [
    "attackable",
    "cards_laid", "due_mark", "expected_marks", "giant_sums", "is_laying", "layable_cards",
    "may_stay_or_walk_on", "movable_pieces", "next_to_act", "open_paths", "ruin_budget",
    "steps_of", "turn_used",
]  # fmt: skip


def is_laying(state: MagalonState) -> bool:
    """Whether cards are being laid, rather than turns taken."""
    return state.laying


def cards_laid(state: MagalonState) -> tuple[tuple[str, int | None], ...]:
    """(colour, card) of this round in laying order; card None for a pass."""
    return state.table


def layable_cards(state: MagalonState, colour: str) -> tuple[int, ...]:
    """Cards that a player could lay now; empty means that only passing is left."""
    return layable(state, colour)


def next_to_act(state: MagalonState) -> str | None:
    """Whose turn comes after the acting player's ``end`` (the first layer of the next round when
    this was the last turn), or after the next card is laid, while it is known; else None."""
    if state.winner is not None:
        return None
    if state.laying:
        at = len(state.table) + 1
        order = state.laying_order
        return order[at] if at < len(order) else None
    rest = [c for c in state.acting_order if c not in state.acted]
    return rest[1] if len(rest) > 1 else next_round(state).first_layer


def turn_used(state: MagalonState) -> dict[str, Any]:
    """What the acting player has used in this turn.

    ``walk``: None, "part" or "done"; ``red``: "", "open" or "stay"; ``attackers``: piece id to
    "part" or "done"; ``dice``; ``slid``: ruin steps; ``lifted``; ``shield_moved``; ``booked``:
    of "card", "red", "loss"; ``displaced`` colours; ``waiting``: colour to cell for wizards
    displaced before their attacker came.
    """
    turn = state.turn
    walk = None if turn.walk is None else "done" if turn.walk.done else "part"
    return {
        "walk": walk,
        "red": turn.red,
        "attackers": {p: "done" if w.done else "part" for p, w in turn.attackers},
        "dice": turn.dice,
        "slid": turn.slid,
        "lifted": turn.lifted,
        "shield_moved": turn.shield_moved,
        "booked": tuple(sorted(turn.booked)),
        "displaced": tuple(sorted(turn.displaced)),
        "waiting": {e.hit.colour: e.hit.origin for e in turn.early},
    }


def open_paths(state: MagalonState) -> dict[str, str]:
    """Piece id to origin of every walk that is not complete."""
    turn = state.turn
    out = {p: w.origin for p, w in turn.attackers if not w.done}
    if turn.walk is not None and not turn.walk.done:
        out[f"wizard/{state.to_act}"] = turn.walk.origin
    return out | {f"wizard/{e.hit.colour}": e.hit.origin for e in turn.early}


def expected_marks(state: MagalonState, colour: str) -> frozenset[int]:
    """All marks that the player's stone may legally be moved to now (empty out of turn)."""
    if colour != state.to_act or state.laying:
        return frozenset()
    return frozenset(bookings(state, colour).values())


def due_mark(state: MagalonState, colour: str) -> int:
    """Where the stone stands once everything due by the end of the turn is booked."""
    now = state.energy[colour]
    if colour != state.to_act or state.laying:
        return now
    options = bookings(state, colour)
    if gains_due(state, colour):
        return max(options.values())
    if gains_at_all(state, colour) or "loss" in state.turn.booked:
        return now
    return now - 1 if now > 0 else START_ENERGY


def giant_sums(state: MagalonState) -> frozenset[int]:
    """Step numbers that the giant may walk now: the roll, or 2 to 12 before it; empty when the
    acting player may not move it (any more)."""
    actor = state.to_act
    if actor is None or not can_attack(state, actor, "giant"):
        return frozenset()
    dice = state.turn.dice
    return frozenset({sum(dice)}) if dice else frozenset(range(2, 13))


def steps_of(state: MagalonState, piece: str) -> int | None:
    """Steps that the acting player may walk with the own wizard, a goblin or the giant (after
    the roll); None when it may not move."""
    actor = state.to_act
    if actor is None or state.laying:
        return None
    if piece == f"wizard/{actor}":
        return state.card(actor) or None
    try:
        return attack_steps(state, actor, piece) if piece in state.attackers else None
    except Refusal:
        return None


def attackable(state: MagalonState, piece: str) -> tuple[str, ...]:
    """Colours whose wizards the attacker may displace now, if it comes to them."""
    actor = state.to_act
    if actor is None or not can_attack(state, actor, piece):
        return ()
    return tuple(c for c in state.setup.seats if why_safe(state, piece, actor, c) is None)


def ruin_budget(state: MagalonState) -> tuple[int, bool]:
    """(slide steps left, whether one ruin may be lifted) for the acting player."""
    actor = state.to_act
    if actor is None or state.laying:
        return 0, False
    lift = state.card(actor) == LIFT_CARD and not state.turn.lifted
    return ruin_steps_left(state, actor), lift


def may_stay_or_walk_on(state: MagalonState) -> bool:
    """Whether the acting wizard has just stopped on a red cell (M-41, M-42)."""
    return state.turn.red == "open"
