"""Where a displaced wizard lands: items and finish (M-A32, M-A33)."""

from __future__ import annotations

from dataclasses import replace

from engine.magalon.items import Chooser, Question, item_notes, read_displaced
from engine.magalon.messages import say
from engine.magalon.obstacles import may_finish
from engine.magalon.setup import ITEMS
from engine.magalon.state import Hit, MagalonState
from engine.magalon.ways import part_legs
from engine.verdict import Message


def hit_question(state: MagalonState, hit: Hit) -> Question:
    """Which items lie on the way of a displaced wizard."""
    ways = ((part_legs(state.setup, hit.part), hit.steps),)
    wanted = frozenset(ITEMS) - (state.items[hit.colour] - hit.items)
    return Question(state.setup, hit.origin, ways, wanted, hit.must, hit.leave)


def land(
    state: MagalonState, hit: Hit, choice: Chooser | None = None
) -> tuple[MagalonState, Hit, list[Message]]:
    """Items and finish of a displaced wizard (M-A32, M-A33); the wizard already stands there.

    ``choice`` says how to ask where its way is unclear (see ``items.read_displaced``).
    """
    setup, colour = state.setup, hit.colour
    question = hit_question(state, hit)
    before = state.items[colour] - hit.items
    reading = read_displaced(question, choice)
    notes = [say("displaced", victim=colour, cell=hit.origin, to=hit.part.to)]
    notes += item_notes(colour, hit.items, reading, displaced=True)
    after = state.but(items={**state.items, colour: before | reading.items})
    arrives = hit.part.to == setup.start and may_finish(state, colour)
    if arrives and after.items[colour] == frozenset(ITEMS):
        notes.append(say("wins", player=colour, energy=after.energy[colour]))
        after = after.but(winner=colour)
    return after, replace(hit, items=reading.items), notes
