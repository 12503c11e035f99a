"""The energy stones (M-36 to M-44, M-A23 to M-A28, M-A51, M-A52)."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Any

from engine.magalon.arguments import whole_arg
from engine.magalon.messages import fragment, listed, say
from engine.magalon.outcome import Outcome, Refusal
from engine.magalon.setup import ENERGY_CARDS, RED_GAIN, START_ENERGY
from engine.magalon.state import MagalonState
from engine.placement import track_spot
from engine.verdict import Listed, Message

RULE_OF = {"card": "M-36", "red": "M-41", "loss": "M-39"}


def gains_due(state: MagalonState, colour: str) -> dict[str, int]:
    """Gains of this turn that the stone has not made yet, by cause ("card", "red")."""
    due: dict[str, int] = {}
    card = state.card(colour)
    if card in ENERGY_CARDS and "card" not in state.turn.booked:
        due["card"] = state.setup.energy_gain.get(card, 0)
    if state.turn.red and "red" not in state.turn.booked:
        due["red"] = RED_GAIN
    return due


def gains_at_all(state: MagalonState, colour: str) -> bool:
    """Whether this turn has a gain, so that the energy point is not lost (M-40, M-A25)."""
    booked = state.turn.booked & {"card", "red"}
    return state.card(colour) in ENERGY_CARDS or bool(state.turn.red) or bool(booked)


def mark_after(state: MagalonState, colour: str, causes: frozenset[str]) -> int:
    """The mark once these causes are booked; -1 when a loss falls below 0."""
    now, due = state.energy[colour], gains_due(state, colour)
    gains = sum(due[c] for c in causes if c in due)
    if causes & due.keys() and "loss" in state.turn.booked:
        now += 1  # the point comes back (M-A51)
    now = min(state.setup.top, now + gains)
    return now - 1 if "loss" in causes else now


def bookings(state: MagalonState, colour: str) -> dict[frozenset[str], int]:
    """Every set of causes that may be booked now, with the mark that it leads to."""
    due = sorted(gains_due(state, colour))
    out: dict[frozenset[str], int] = {}
    for size in range(len(due), 0, -1):
        for causes in combinations(due, size):
            out[frozenset(causes)] = mark_after(state, colour, frozenset(causes))
    lost = "loss" in state.turn.booked
    if not gains_at_all(state, colour) and not lost and state.energy[colour] > 0:
        out[frozenset({"loss"})] = state.energy[colour] - 1
    return out


def book(state: MagalonState, colour: str, causes: frozenset[str]) -> MagalonState:
    """The state with the stone moved for these causes."""
    mark = mark_after(state, colour, causes)
    booked = state.turn.booked | causes
    if causes & {"card", "red"}:
        booked -= {"loss"}
    energy = {**state.energy, colour: mark}
    return state.but(energy=energy).with_turn(booked=booked)


def why(state: MagalonState, colour: str, causes: frozenset[str]) -> Listed:
    """The causes in words."""
    due, parts = gains_due(state, colour), list[Message]()
    if "card" in causes:
        parts.append(fragment("why_card", card=state.card(colour), gain=due.get("card", 0)))
    if "red" in causes:
        parts.append(fragment("why_red", gain=RED_GAIN))
    if "loss" in causes:
        parts.append(fragment("why_loss"))
    if state.energy[colour] + sum(due.get(c, 0) for c in causes) > state.setup.top:
        parts.append(fragment("why_top"))
    return listed(parts, "")


def moved_note(
    key: str, state: MagalonState, after: MagalonState, colour: str, causes: frozenset[str]
) -> Message:
    """The note on a booking."""
    return say(
        key,
        player=colour,
        was=state.energy[colour],
        now=after.energy[colour],
        why=why(state, colour, causes),
        rules=[RULE_OF[cause] for cause in sorted(causes)],
    )


def do_energy(state: MagalonState, actor: str, args: Mapping[str, Any]) -> Outcome:
    """``energy {to}``: the stone's new mark."""
    to = whole_arg(args, "to")
    card = state.card(actor)
    if card in ENERGY_CARDS and card not in state.setup.energy_gain:
        raise Refusal("M-A11", (), say("no_number", card=card))
    now, options = state.energy[actor], bookings(state, actor)
    cells = (track_spot(now), track_spot(to))
    for causes, mark in options.items():
        if mark == to:
            after = book(state, actor, causes)
            note = moved_note("energy_moved", state, after, actor, causes)
            return Outcome(after, (note,), cells=cells)
    if options:
        marks = listed(sorted(set(options.values())))
        message = say("energy_wrong", player=actor, now=now, marks=marks, to=to)
    elif now == 0 and not gains_at_all(state, actor):
        raise Refusal("M-A51", cells, say("energy_at_end"))
    else:
        message = say("energy_nothing", player=actor, now=now)
    due = set().union(*options) if options else set()
    raise Refusal("M-36" if "card" in due else "M-41" if "red" in due else "M-39", cells, message)


def settle(state: MagalonState, colour: str) -> tuple[MagalonState, tuple[Message, ...]]:
    """Books at the end of the turn what the stone has not done yet (M-39, M-44)."""
    causes = frozenset(gains_due(state, colour))
    if causes:
        after = book(state, colour, causes)
        note = moved_note("energy_reminder", state, after, colour, causes)
        moved = after.energy[colour] != state.energy[colour]
        return after, (note,) if moved else ()
    if gains_at_all(state, colour) or "loss" in state.turn.booked:
        return state, ()
    loss = frozenset({"loss"})
    if state.energy[colour] > 0:
        after = book(state, colour, loss)
        return after, (moved_note("energy_reminder", state, after, colour, loss),)
    after = state.but(
        energy={**state.energy, colour: START_ENERGY},
        items={**state.items, colour: frozenset()},
    )
    if state.setup.start:
        after = after.placed(**{f"wizard/{colour}": state.setup.start})
    return after, (say("energy_reset", player=colour, mark=START_ENERGY, rules=["M-44"]),)
