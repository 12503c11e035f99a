"""Which cells are closed to which piece (M-22, M-29, M-51, M-56), as bit sets."""

from __future__ import annotations

from collections.abc import Iterable

from engine.magalon.setup import FINISH_ENERGY, GIANT_PUSH, GOBLIN_PUSH, ITEMS
from engine.magalon.state import MagalonState
from engine.paths import Leg, find_walk


def standing_mask(state: MagalonState, but: Iterable[str] = ()) -> int:
    """All cells that carry any piece but the named ones."""
    index, without, mask = state.setup.graph.index, set(but), 0
    for piece, cell in state.pieces.items():
        if cell is not None and piece not in without:
            mask |= 1 << index[cell]
    for n, ruin in enumerate(state.ruins, 1):
        if f"ruin/{n}" not in without:
            for cell in ruin:
                mask |= 1 << index[cell]
    return mask


def may_finish(state: MagalonState, colour: str) -> bool:
    """Whether a wizard may enter the start field now (M-56, M-A34, M-A52)."""
    option = state.setup.option("M-A34")
    energy = energy_on_arrival(state, colour)
    if option == "c":
        return True
    enough = energy >= FINISH_ENERGY
    return enough and (option == "a" or len(state.items[colour]) == len(ITEMS))


def energy_on_arrival(state: MagalonState, colour: str) -> int:
    """The stone's mark once a laid card 1 or 2 has been booked (M-A52)."""
    back = 1 if "loss" in state.turn.booked and state.card_gain(colour) else 0
    return min(state.setup.top, state.energy[colour] + state.card_gain(colour) + back)


def wizard_closed(state: MagalonState, colour: str, without: tuple[str, ...] = ()) -> int:
    """Cells that a wizard may not enter now; pieces in ``without`` are not looked at."""
    setup = state.setup
    own = {f"wizard/{colour}", *without}
    if setup.option("M-A4") == "b":
        own.add(f"shield/{colour}")
    closed = standing_mask(state, own)
    if setup.option("M-A6") == "b":
        closed &= ~setup.graph.mask(setup.items.values())
    closed &= ~setup.start_bit
    return closed if may_finish(state, colour) else closed | setup.start_bit


def push_steps(piece: str) -> int:
    """How far an attacker displaces a wizard (M-27, M-48)."""
    return GIANT_PUSH if piece == "giant" else GOBLIN_PUSH


def victim_closed(state: MagalonState, victim: str, piece: str, cell: str) -> int:
    """Cells closed to a displaced wizard while the attacker stands on ``cell`` (M-A19)."""
    moved = state.placed(**{piece: cell})
    return wizard_closed(moved, victim) | state.setup.bit(cell)


def why_safe(state: MagalonState, piece: str, actor: str, victim: str) -> str | None:
    """Why an attacker may not displace a wizard now; None if it may.

    One of "own" (M-A5), "field" (M-55), "protected" (M-37), "twice" (M-28, M-49, M-50) and
    "no_way" (M-A16).
    """
    cell = state.wizard(victim)
    if victim == actor:
        return "own"
    if cell is None or state.setup.bit(cell) & state.setup.special:
        return "field"
    if state.protected(victim):
        return "protected"
    if victim in state.turn.displaced:
        return "twice"
    leg = Leg(None, victim_closed(state, victim, piece, cell))
    graph = state.setup.graph
    if find_walk(graph, graph.index[cell], (leg,), push_steps(piece)) is None:
        return "no_way"
    return None


def attacker_closed(state: MagalonState, piece: str, actor: str) -> int:
    """Cells that the giant or a goblin may not enter; attackable wizards are open (M-A17)."""
    closed = standing_mask(state, (piece,)) | state.setup.special
    for victim in state.setup.seats:
        cell = state.wizard(victim)
        if cell is not None and why_safe(state, piece, actor, victim) is None:
            closed &= ~state.setup.bit(cell)
    return closed
