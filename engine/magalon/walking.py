"""The acting player's own wizard: ``walk``, ``walk_on`` and ``stay`` (M-19 to M-24, M-41 to M-43)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from engine.magalon.arguments import cell_arg, via_arg
from engine.magalon.energy import book, moved_note
from engine.magalon.items import Question, Reading, choice_maker, item_notes, read_own
from engine.magalon.messages import say
from engine.magalon.movable import movable_pieces
from engine.magalon.obstacles import energy_on_arrival, standing_mask, wizard_closed
from engine.magalon.outcome import Outcome, Refusal
from engine.magalon.setup import BONUS_STEPS, FINISH_ENERGY, ITEMS, RED_GAIN
from engine.magalon.state import MagalonState, Part, Path
from engine.magalon.walk_refusals import check_target, check_via, refuse_boxed_in, refuse_walk
from engine.magalon.ways import (
    Ways,
    boxed_in,
    closed_names,
    least_steps,
    legs_and_steps,
    open_tail,
    walk_over,
)
from engine.verdict import Message


@dataclass(frozen=True)
class Trial:
    """A walk with one part more, before it is judged."""

    state: MagalonState
    actor: str
    here: str
    path: Path
    steps: int
    closed: int
    do: str

    @property
    def to(self) -> str:
        """Where the part leads."""
        return self.path.parts[-1].to

    @property
    def owned(self) -> frozenset[str]:
        """Items that the player had before this walk."""
        return self.state.items[self.actor] - self.path.items

    def question(self, ways: Ways, tail: bool = False) -> Question:
        """Which items lie on the way."""
        path, setup = self.path, self.state.setup
        rest = open_tail(setup, self.closed) if tail else ()
        wanted = frozenset(ITEMS) - self.owned
        return Question(setup, path.origin, ways, wanted, path.must, path.leave, rest)


def do_walk(state: MagalonState, actor: str, args: Mapping[str, Any]) -> Outcome:
    """``walk {to, via?}``: the whole walk or a part of it."""
    here = str(state.wizard(actor))
    steps = state.card(actor)
    path = state.turn.walk or Path(here)
    cells = (here, cell_arg(state, args))
    if not steps:
        raise Refusal("M-19", cells, say("no_walk", origin=here))
    if any(p.bonus for p in path.parts) or "red" in state.turn.booked:
        raise Refusal("M-21", cells, say("walk_over", origin=here))
    trial = _trial(state, actor, args, path, steps, bonus=False)
    ways = legs_and_steps(state.setup, trial.path, steps)
    outcome = _finish(trial) or _complete(trial, ways) or _partial(trial, ways)
    return outcome or _stuck(trial)


def do_walk_on(state: MagalonState, actor: str, args: Mapping[str, Any]) -> Outcome:
    """``walk_on {to, via?}``: exactly three more cells from a red cell (M-42, M-A36)."""
    here = str(state.wizard(actor))
    path, steps = state.turn.walk, state.card(actor)
    if path is None or steps is None or state.turn.red != "open":
        raise Refusal("M-42", (here, cell_arg(state, args)), say("not_on_red"))
    trial = _trial(state, actor, args, path, steps, bonus=True)
    ways = legs_and_steps(state.setup, trial.path, steps)
    outcome = _finish(trial) or _complete(trial, ways)
    if outcome is None:
        message = say("bonus_walk", origin=here, to=trial.to, more=BONUS_STEPS)
        raise Refusal("M-42", (here, trial.to), message)
    return outcome


def do_stay(state: MagalonState, actor: str, args: Mapping[str, Any]) -> Outcome:
    """``stay`` on a red cell (M-41)."""
    here = str(state.wizard(actor))
    if state.turn.red != "open":
        raise Refusal("M-41", (here,), say("not_on_red"))
    note = say("red_stays", player=actor, gain=RED_GAIN)
    return Outcome(state.with_turn(red="stay"), (note,), cells=(here,))


def wins(state: MagalonState, actor: str, do: str) -> bool:
    """Whether walking to the start field now would win."""
    here, path, steps = state.wizard(actor), state.turn.walk, state.card(actor)
    if here is None or not steps or here == state.setup.start:
        return False
    args = {"to": state.setup.start}
    trial = _trial(state, actor, args, path or Path(here), steps, do == "walk_on")
    return _finish(trial) is not None


def _trial(
    state: MagalonState,
    actor: str,
    args: Mapping[str, Any],
    path: Path,
    steps: int,
    bonus: bool,
) -> Trial:
    here, closed = str(state.wizard(actor)), wizard_closed(state, actor)
    part = Part(
        cell_arg(state, args), closed_names(state.setup, closed), via_arg(state, args), bonus
    )
    check_target(state, actor, here, part.to, closed)
    check_via(state, path, here, part)
    longer = replace(path, parts=(*path.parts, part), done=False)
    return Trial(state, actor, here, longer, steps, closed, "walk_on" if bonus else "walk")


def _finish(trial: Trial) -> Outcome | None:
    """The winning walk: on arrival at the finish the number need not be used up (M-57)."""
    state, setup = trial.state, trial.state.setup
    if trial.to != setup.start or energy_on_arrival(state, trial.actor) < FINISH_ENERGY:
        return None
    missing = frozenset(ITEMS) - trial.owned
    if missing & trial.path.leave or missing - setup.items.keys():
        return None
    bonus = any(p.bonus for p in trial.path.parts)
    ways = legs_and_steps(setup, trial.path, trial.steps, finishing=bonus)
    if not bonus:
        ways = tuple((legs, n) for legs, total in ways for n in range(total, 0, -1))
    if trial.question(ways).walk(missing) is None:
        return None
    after, notes = _placed(trial, missing, True)
    return _won(after, trial.actor, notes)


def _won(state: MagalonState, actor: str, notes: tuple[Message, ...]) -> Outcome:
    after, booked = _book_card(state, actor)
    energy = after.energy[actor]
    win = say("wins", player=actor, energy=energy)
    return Outcome(after.but(winner=actor), (*notes, *booked, win), rule="M-57")


def _book_card(state: MagalonState, actor: str) -> tuple[MagalonState, tuple[Message, ...]]:
    """On entering the start field a laid card 1 or 2 is booked first (M-A52)."""
    if not state.card_gain(actor):
        return state, ()
    causes = frozenset({"card"})
    after = book(state, actor, causes)
    return after, (moved_note("energy_reminder", state, after, actor, causes),)


def _placed(
    trial: Trial, items: frozenset[str], done: bool, red: str = ""
) -> tuple[MagalonState, tuple[Message, ...]]:
    """The state with the wizard on its new cell and the items of the walk."""
    state, actor = trial.state, trial.actor
    path = replace(trial.path, items=items, done=done)
    after = state.placed(**{f"wizard/{actor}": trial.to}).with_turn(walk=path, red=red)
    after = after.but(items={**state.items, actor: trial.owned | items})
    return after, ()


def _complete(trial: Trial, ways: Ways) -> Outcome | None:
    question = trial.question(ways)
    if question.walk() is None:
        return None
    return _read(trial, question, done=True)


def _partial(trial: Trial, ways: Ways) -> Outcome | None:
    question = trial.question(ways, tail=True)
    if question.walk() is None:
        return None
    left = trial.steps - (least_steps(trial.state.setup, trial.path, trial.steps) or 0)
    outcome = _read(trial, question, done=False)
    pending = say("walk_left", left=left, steps=trial.steps, origin=trial.path.origin)
    return outcome if outcome.state.winner else replace(outcome, pending=pending)


def _read(trial: Trial, question: Question, done: bool) -> Outcome:
    """Items, red cell and finish of a walk that is possible."""
    state, actor, setup = trial.state, trial.actor, trial.state.setup
    if done:
        choice = choice_maker(setup, actor, trial.do, trial.here, trial.to)
        reading = read_own(question, choice)
    else:
        certain, _ = question.sorted_out()
        reading = Reading(certain)
    chainless = setup.option("M-A36") == "c" and trial.do == "walk_on"
    red = "open" if done and trial.to in setup.energy_cells else ""
    if red and chainless:
        red = "stay"
    after, _ = _placed(trial, reading.items, done, red)
    notes = item_notes(actor, trial.path.items, reading)
    if _passes_start(trial, question, reading.items):
        if after.items[actor] == frozenset(ITEMS):
            enough = energy_on_arrival(state, actor) >= FINISH_ENERGY
            if enough and not trial.path.leave:
                return _won(after, actor, notes)
        after, booked = _book_card(after, actor)
        notes += booked
    if red == "open":
        key = "red_choice" if can_walk_on(after, actor) else "red_only_stay"
        notes += (say(key, gain=RED_GAIN, more=BONUS_STEPS),)
    return Outcome(after, notes)


def can_walk_on(state: MagalonState, actor: str) -> bool:
    """Whether three more steps can be walked from the red cell (M-A36)."""
    path, steps, setup = state.turn.walk, state.card(actor), state.setup
    if path is None or not steps:
        return False
    here = Part(path.parts[-1].to, frozenset(), (), bonus=True)
    followed = replace(path, parts=(*path.parts, here))
    tail = open_tail(setup, wizard_closed(state, actor))
    ways = tuple((legs[:-1], n) for legs, n in legs_and_steps(setup, followed, steps))
    if walk_over(setup, path.origin, ways, tail=tail) is not None:
        return True
    closed = wizard_closed(state, actor) & setup.start_bit
    return bool(setup.start_bit and not closed and wins(state, actor, "walk_on"))


def _passes_start(trial: Trial, question: Question, items: frozenset[str]) -> bool:
    """Whether the walk certainly enters the start field."""
    setup = trial.state.setup
    if not setup.start or trial.path.origin == setup.start or trial.closed & setup.start_bit:
        return False
    if trial.to == setup.start:
        return True
    must = frozenset(setup.items[i] for i in items)
    avoid = frozenset({setup.start}) | frozenset(setup.items[i] for i in trial.path.leave)
    args = (setup, trial.path.origin, question.ways, must, avoid, question.tail)
    return walk_over(*args) is None


def _stuck(trial: Trial) -> Outcome:
    """A part that cannot be completed as things stand: allowed while the player can make way."""
    state, setup = trial.state, trial.state.setup
    if len(trial.path.parts) == 1 and boxed_in(setup, trial.here, trial.closed, trial.steps):
        refuse_boxed_in(state, trial.path, trial.here, trial.steps, trial.closed)
    freed = trial.closed & ~_movable(state, trial.actor)
    ways = legs_and_steps(setup, trial.path, trial.steps)
    relaxed = replace(trial, closed=freed)
    if freed == trial.closed or relaxed.question(ways, tail=True).walk() is None:
        refuse_walk(state, trial.path, trial.here, trial.steps, trial.closed)
    left = trial.steps - (least_steps(setup, trial.path, trial.steps) or 0)
    outcome = _read(relaxed, relaxed.question(ways, tail=True), done=False)
    message = say("walk_stuck", left=left, steps=trial.steps, origin=trial.path.origin)
    return replace(outcome, pending=message)


def _movable(state: MagalonState, actor: str) -> int:
    """Cells of obstacles that the acting player can still move away in this turn."""
    pieces = movable_pieces(state, actor)
    every = standing_mask(state)
    return every & ~standing_mask(state, pieces)
