"""Items that a way leads over (M-53, M-A32), where the way itself is not seen.

For the owner's own walk taking an item is never worse, so the reading with the most items is
taken and said; where no reading has them all the choice is asked.  For a wizard that an opponent
displaced the mover is the opponent: there an item is taken only if the way cannot avoid it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations

from engine.action import Action
from engine.magalon.messages import listed, say
from engine.magalon.outcome import Unclear
from engine.magalon.setup import ITEMS, Setup
from engine.magalon.ways import Ways, iter_items, pieces_via, walk_over
from engine.paths import Leg
from engine.verdict import Choice, Message

Walk = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Reading:
    """The items of a way: taken for certain or by the better reading, and left open."""

    items: frozenset[str]
    perhaps: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Question:
    """Which of ``wanted`` items lie on a way; ``must`` and ``leave`` are what people said."""

    setup: Setup
    origin: str
    ways: Ways
    wanted: frozenset[str]
    must: frozenset[str] = frozenset()
    leave: frozenset[str] = frozenset()
    tail: tuple[Leg, ...] = ()

    def walk(
        self, more: frozenset[str] = frozenset(), less: frozenset[str] = frozenset()
    ) -> Walk | None:
        """A walk over the items in ``more`` and none of ``less``, None if there is none."""
        must = frozenset(iter_items(self.setup, self.must | more))
        avoid = frozenset(iter_items(self.setup, self.leave | less))
        if must & avoid:
            return None
        return walk_over(self.setup, self.origin, self.ways, must, avoid, self.tail)

    def near(self) -> frozenset[str]:
        """Wanted items that could lie on the way at all."""
        return frozenset(
            i
            for i in self.wanted - self.leave
            if i in self.setup.items and self.setup.items[i] != self.origin
        )

    def sorted_out(self) -> tuple[frozenset[str], frozenset[str]]:
        """(certain, possible) items of the way."""
        near = self.near()
        possible = frozenset(i for i in near if self.walk(frozenset({i})) is not None)
        certain = frozenset(
            i for i in possible if i in self.must or self.walk(less=frozenset({i})) is None
        )
        return certain, possible - certain


Chooser = Callable[[Walk, frozenset[str]], tuple[Action, ...]]


def read_displaced(question: Question, choice: Chooser | None = None) -> Reading:
    """The items of a displaced wizard: only those that its way cannot avoid (M-A32).

    Where it cannot avoid all, but could avoid any, that is asked; without ``choice`` the first
    possibility is taken.
    """
    certain, possible = question.sorted_out()
    if not possible or question.walk(less=possible) is not None:
        return Reading(certain, possible)
    least = _least(question, possible)
    if len(least) == 1 or choice is None:
        return Reading(certain | least[0][0], possible - least[0][0])
    raise _unclear(question, possible, least, choice)


def _least(question: Question, possible: frozenset[str]) -> list[tuple[frozenset[str], Walk]]:
    """The smallest sets of items that a way may touch, with such a way."""
    least: list[tuple[frozenset[str], Walk]] = []
    for size in range(1, len(possible) + 1):
        for chosen in combinations(sorted(possible), size):
            items = frozenset(chosen)
            if not any(other <= items for other, _ in least):
                walk = question.walk(items, possible - items)
                if walk is not None:
                    least.append((items, walk))
    return least


def _unclear(
    question: Question,
    possible: frozenset[str],
    readings: list[tuple[frozenset[str], Walk]],
    choice: Chooser,
) -> Unclear:
    cells = tuple(iter_items(question.setup, possible))
    choices = tuple(
        Choice(say("which_choice", items=listed(sorted(items), "and")), choice(walk, items))
        for items, walk in readings
    )
    message = say("which_items", items=listed(sorted(possible), "and"))
    return Unclear("M-53", cells, message, choices)


def read_own(question: Question, choice: Chooser) -> Reading:
    """The items of one's own walk; raises Unclear where no reading is the best."""
    certain, possible = question.sorted_out()
    if not possible or question.walk(possible) is not None:
        return Reading(certain | possible, possible)
    best: list[tuple[frozenset[str], Walk]] = []
    for size in range(len(possible) - 1, 0, -1):
        for chosen in combinations(sorted(possible), size):
            items = frozenset(chosen)
            if not any(items < other for other, _ in best):
                walk = question.walk(items)
                if walk is not None:
                    best.append((items, walk))
    if len(best) == 1:
        return Reading(certain | best[0][0], best[0][0])
    raise _unclear(question, possible, best, choice)


def item_notes(
    colour: str, before: frozenset[str], reading: Reading, displaced: bool = False
) -> tuple[Message, ...]:
    """What to say of a reading; ``before``: what this way had brought before."""
    notes = [say("item_back", item=i) for i in ITEMS if i in before - reading.items]
    for item in ITEMS:
        if item in reading.items - before:
            perhaps = item in reading.perhaps and not displaced
            key = "item_perhaps" if perhaps else "item_taken"
            notes.append(say(key, player=colour, item=item, rules=["M-53"]))
        elif displaced and item in reading.perhaps - reading.items:
            notes.append(say("item_missed", player=colour, item=item))
    return tuple(notes)


def choice_maker(setup: Setup, actor: str, do: str, here: str, to: str) -> Chooser:
    """Turns a walk into the actions that say it: items of earlier parts, then the last part."""

    def choice(walk: Walk, items: frozenset[str]) -> tuple[Action, ...]:
        fields = [c for c in walk[1 : walk.index(here) + 1] if setup.item_at.get(c) in items]
        takes = [Action(actor, "take", {"item": setup.item_at[c]}) for c in fields]
        return (*takes, Action(actor, do, {"to": to, "via": pieces_via(walk, here)}))

    return choice
