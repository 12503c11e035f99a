"""Films without pictures: a played game as it would look at the table, with what must be said.

Players act, hands come and go, some things happen two at a time, and now and then somebody does
something that the rules forbid and puts it back.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from engine.action import Action
from engine.game import Room
from engine.observation import CellView
from engine.placement import Placement, track_value
from engine.simulation.noise import Noise
from engine.simulation.script import Script, Step
from engine.verdict import Status

Spots = tuple[str, ...]
Chooser = Callable[[Any, random.Random], Action | None]
Foul = Callable[["Table", random.Random], dict[str, Spots] | None]

HAND_S = 0.7
LEGAL_S = 1.6
ILLEGAL_S = 2.2
# Actions that leave no trace on the table.
FINAL = frozenset({"lay", "pass", "end", "roll"})
# Told to the app by a tap at the moment when they are done.
TOLD = frozenset({"burnt"})
UNSEEN = frozenset({"lay", "pass", "end", "stay", "take", "leave", "note"})


@dataclass(frozen=True, slots=True)
class Scene:
    """A still moment from ``start_s`` to ``end_s`` and what led to it.

    ``kind``: "legal" (also a legal thing taken back), "illegal", "back" (put back after an illegal
    one) or "nothing" (a hand that changed nothing).  ``state``: what the rules say after it.
    """

    start_s: float
    end_s: float
    kind: str
    actions: tuple[Action, ...] = ()
    moves: Mapping[str, Spots] = field(default_factory=dict)
    state: Any = None


@dataclass(frozen=True, slots=True)
class Film:
    """A script with its scenes.

    ``cards``: (time, JSON of a cards file up to then); ``taps``: (time, action).
    """

    script: Script
    scenes: tuple[Scene, ...]
    cards: tuple[tuple[float, Mapping[str, Any]], ...]
    taps: tuple[tuple[float, Action], ...]


@dataclass(frozen=True, slots=True)
class Habits:
    """Probabilities per action: of a foul before it, of showing it together with the next one,
    of taking it back at once, of a hand that changes nothing, and of something hidden meanwhile;
    ``forget``: of ending a turn without moving the stone.  ``most``: how many actions are shown
    together at most."""

    foul: float = 0.0
    together: float = 0.15
    take_back: float = 0.0
    idle_hand: float = 0.05
    hidden: float = 0.05
    forget: float = 0.1
    most: int = 99


@dataclass
class Table:
    """The rules' state beside the arrangement on the table while a film is made."""

    room: Room
    state: Any
    now: dict[str, Spots]
    earlier: list[Any] = field(default_factory=list)
    turn_before: list[Any] = field(default_factory=list)
    dice: tuple[int, ...] = (1, 2)
    acted: bool = False

    def copy(self) -> Table:
        """The table as it is now."""
        return replace(
            self, now=dict(self.now), earlier=list(self.earlier), turn_before=list(self.turn_before)
        )

    def do(self, action: Action) -> bool:
        """Plays an action as far as it can be seen: without the cells in between."""
        seen = Action(action.player, action.do, _without_via(action.args))
        judgement = self.room.judge(self.state, seen)
        if judgement.status not in (Status.LEGAL, Status.PENDING):
            return False
        if action.do == "end":
            self.turn_before, self.earlier, self.acted = [*self.earlier, self.state], [], False
        else:
            self.earlier.append(self.state)
        if action.do == "roll":
            self.dice = tuple(seen.args["dice"])
        before = self.room.placement(self.state)
        self.state = judgement.state
        self.acted |= action.do not in UNSEEN
        self._move(before, self.room.placement(self.state), action)
        return True

    def _move(self, before: Placement, after: Placement, action: Action) -> None:
        for piece, spots in after.pieces.items():
            changed = set(spots) != set(before.pieces[piece])
            # A stone that was forgotten stays behind, unless the wizard goes back to the start.
            late = action.do == "end" and after.infos[piece].kind == "energy_stone"
            home = late and any(
                after.infos[p].kind == "wizard" and set(s) != set(before.pieces[p])
                for p, s in after.pieces.items()
            )
            if changed and (not late or home):
                self.now[piece] = spots


def _without_via(args: Mapping[str, Any]) -> dict[str, Any]:
    kept = {k: v for k, v in args.items() if k != "via"}
    if "attacks" in kept:
        kept["attacks"] = [{k: v for k, v in a.items() if k != "via"} for a in kept["attacks"]]
    return kept


class FilmMaker:
    """Makes films of random games.

    ``choose`` gives the next action of a state (None: the game is over); ``foul`` an arrangement
    that no legal action explains.
    """

    def __init__(
        self,
        room: Room,
        start: Any,
        choose: Chooser,
        rng: random.Random,
        habits: Habits = Habits(),
        foul: Foul | None = None,
    ) -> None:
        self._room, self._choose, self._rng = room, choose, rng
        self._habits, self._foul = habits, foul
        self._table = Table(room, start, dict(room.placement(start).pieces))
        self._shown = dict(self._table.now)
        self._dice = self._table.dice
        self._steps = [Step(0.0, dice=self._dice)]
        self._scenes: list[Scene] = []
        self._rounds: list[list[list[Any]]] = []
        self._cards: list[tuple[float, Mapping[str, Any]]] = []
        self._taps: list[tuple[float, Action]] = []
        self._t_s = 1.5

    def make(self, max_actions: int, noise: Noise, seed: int, rate_hz: float = 10.0) -> Film:
        """Plays up to ``max_actions`` actions and films them."""
        waiting: list[Action] = []
        before = self._table.copy()
        for _ in range(max_actions):
            action = self._next()
            if action is None:
                break
            if self._maybe_foul(waiting):
                continue
            if action.do == "end" and not self._table.acted:
                self._flush(waiting)
                self._taps.append((self._t_s - 0.05, action))
            if action.do in TOLD:
                self._flush(waiting)
                self._taps.append((self._t_s - 0.05, action))
                self._table.do(action)
                continue
            if not waiting:
                before = self._table.copy()
            if not self._table.do(action):
                continue
            self._note_card(action)
            waiting.append(action)
            seen = self._shown != self._table.now or self._dice != self._table.dice
            full = len(waiting) >= self._habits.most
            if seen and (self._rng.random() > self._habits.together or full):
                final = any(a.do in FINAL for a in waiting)
                self._flush(waiting)
                if not final and self._rng.random() < self._habits.take_back:
                    self._table = before
                    self._flush([Action(None, "undo", {})])
        self._flush(waiting)
        script = Script(tuple(self._steps), self._t_s, rate_hz, seed, noise)
        return Film(script, tuple(self._scenes), tuple(self._cards), tuple(self._taps))

    def _next(self) -> Action | None:
        """The next action; mostly a turn does not end before the stone has been moved."""
        action = self._choose(self._table.state, self._rng)
        if action is None or action.do != "end" or self._rng.random() < self._habits.forget:
            return action
        for mark in self._room.hints(self._table.state, f"energy_stone/{action.player}"):
            return Action(action.player, "energy", {"to": track_value(mark)})
        return action

    @property
    def state(self) -> Any:
        """The rules' state at the end of the film."""
        return self._table.state

    def _note_card(self, action: Action) -> None:
        if action.do not in ("lay", "pass"):
            return
        if not self._rounds or len(self._rounds[-1]) == self._players():
            self._rounds.append([])
        self._rounds[-1].append([action.player, action.args.get("card")])
        if len(self._rounds[-1]) == self._players():
            known = [{"round": n, "laid": list(laid)} for n, laid in enumerate(self._rounds, 1)]
            self._cards.append((self._t_s - 0.1, {"cards": known}))

    def _players(self) -> int:
        return len(self._room.scores(self._table.state))

    def _flush(self, waiting: list[Action]) -> None:
        """Shows what has been done since the last still moment."""
        moves = {p: s for p, s in self._table.now.items() if s != self._shown[p]}
        dice = self._table.dice if self._table.dice != self._dice else None
        if moves or dice is not None:
            self._still("legal", tuple(waiting), moves, LEGAL_S, dice)
            waiting.clear()
        if self._rng.random() < self._habits.idle_hand:
            self._still("nothing", (), {}, LEGAL_S)
        self._dice = self._table.dice

    def _maybe_foul(self, waiting: list[Action]) -> bool:
        if self._foul is None or self._rng.random() >= self._habits.foul:
            return False
        self._flush(waiting)
        moves = self._foul(self._table, self._rng)
        if moves is None:
            return False
        back = {p: self._table.now[p] for p in moves}
        self._still("illegal", (), moves, ILLEGAL_S)
        self._still("back", (), back, LEGAL_S)
        return True

    def _still(
        self,
        kind: str,
        actions: tuple[Action, ...],
        moves: Mapping[str, Spots],
        length_s: float,
        dice: tuple[int, ...] | None = None,
    ) -> None:
        hidden = None
        if self._rng.random() < self._habits.hidden and kind != "back":
            others = [p for p, s in self._shown.items() if s and p not in moves]
            hidden = dict.fromkeys(self._shown[self._rng.choice(others)], CellView.HIDDEN)
        start = round(self._t_s + HAND_S, 3)
        self._steps.append(Step(round(self._t_s, 3), hand=True))
        self._steps.append(
            Step(start, moves=dict(moves), hand=False, dice=dice, hidden=hidden or {})
        )
        self._shown |= moves
        self._t_s = round(start + length_s, 3)
        self._scenes.append(Scene(start, self._t_s, kind, actions, dict(moves), self._table.state))
