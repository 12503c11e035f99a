"""Films without pictures: a played game as it would look at the table, with what must be said.

Players act, hands come and go, some things happen two at a time, and now and then somebody does
something that the rules forbid and puts it back.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from engine.action import Action
from engine.board import Board
from engine.game import Room
from engine.observation import CellView
from engine.placement import track_value
from engine.simulation.habits import LEGAL_S, USUAL, Habits
from engine.simulation.noise import Noise
from engine.simulation.script import Script, Step
from engine.simulation.table import Spots, Table

Chooser = Callable[[Any, random.Random], Action | None]
Foul = Callable[[Table, random.Random], "Attempted | None"]

HAND_S = 0.7
ILLEGAL_S = 2.2
REST_S = 0.5  # for which a piece is set down on its way
LIFT_S = 2.0  # for which a piece is held in the hand
FINGER_S = 4.5  # for which a finger rests on a piece
LOST_S = 0.8  # for which a bump loses the board
NUDGE = 0.3  # of a cell, at most
# Actions that leave no trace on the table.
FINAL = frozenset({"lay", "pass", "end", "roll"})
# Told to the app by a tap at the moment when they are done.
TOLD = frozenset({"burnt", "unplaceable"})


class Attempted(Protocol):
    """An illegal arrangement: what was tried, and where the pieces stand."""

    @property
    def kind(self) -> str: ...
    @property
    def moves(self) -> Mapping[str, Spots]: ...


@dataclass(frozen=True, slots=True)
class Scene:
    """A still moment from ``start_s`` to ``end_s`` and what led to it.

    ``kind``: "legal" (also a legal thing taken back), "illegal", "back" (put back after an illegal
    one) or "nothing" (a hand, a bump or a nudge that changed nothing).  ``how``: more about it.
    ``state``: what the rules say after it; ``shown``: where the pieces stand.
    """

    start_s: float
    end_s: float
    kind: str
    actions: tuple[Action, ...] = ()
    moves: Mapping[str, Spots] = field(default_factory=dict)
    state: Any = None
    how: str = ""
    shown: Mapping[str, Spots] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Film:
    """A script with its scenes.

    ``cards``: (time, JSON of a cards file up to then); ``taps``: (time, action).
    """

    script: Script
    scenes: tuple[Scene, ...]
    cards: tuple[tuple[float, Mapping[str, Any]], ...]
    taps: tuple[tuple[float, Action], ...]


class FilmMaker:
    """Makes films of random games.

    ``choose`` gives the next action of a state (None: the game is over); ``foul`` an arrangement
    that no legal action explains; ``board``: for pieces that rest on their way; ``covered``: spots
    that can never be seen (roofed castles).
    """

    def __init__(
        self,
        room: Room,
        start: Any,
        choose: Chooser,
        rng: random.Random,
        habits: Habits = USUAL,
        foul: Foul | None = None,
        board: Board | None = None,
        covered: frozenset[str] = frozenset(),
    ) -> None:
        self._covered = dict.fromkeys(covered, CellView.HIDDEN)
        self._room, self._choose, self._rng = room, choose, rng
        self._habits, self._foul = habits, foul
        cells = {} if board is None else board.cells
        self._centres = {c: board.centres[c] for c in cells} if board is not None else {}
        self._near = {c: cell.neighbours for c, cell in cells.items()}
        self._table = Table(room, start, dict(room.placement(start).pieces))
        self._shown = dict(self._table.now)
        self._dice = self._table.dice
        self._steps = [Step(0.0, dice=self._dice, hidden=self._covered)]
        self._scenes: list[Scene] = []
        self._rounds: list[list[list[Any]]] = []
        self._cards: list[tuple[float, Mapping[str, Any]]] = []
        self._taps: list[tuple[float, Action]] = []
        self._t_s = 1.5
        self._stands_wrong = False  # until the coming action puts it right

    def make(
        self,
        max_actions: int,
        noise: Noise,
        seed: int,
        rate_hz: float = 10.0,
        *,
        paced: bool = False,
    ) -> Film:
        """Plays up to ``max_actions`` actions and films them; ``paced``: see ``Script``."""
        waiting: list[Action] = []
        before = self._table.copy()
        for _ in range(max_actions):
            action = self._next()
            if action is None:
                break
            if self._maybe_foul(waiting, action):
                continue
            if action.do == "end" and not self._table.acted:
                self._flush(waiting)
                self._taps.append((self._t_s - 0.05, action))
            if action.do in TOLD:
                self._flush(waiting)
                self._taps.append((self._t_s - 0.05, action))
                self._table.do(action)
                continue
            if self._habits.returns and waiting and self._brings_back(action):
                self._flush(waiting)
            if not waiting:
                before = self._table.copy()
            if not self._table.do(action):
                continue
            self._note_card(action)
            waiting.append(action)
            seen = self._shown != self._table.now or self._dice != self._table.dice
            full = len(waiting) >= self._habits.most
            if seen and (self._rng.random() > self._habits.together or full):
                final = any(a.do in FINAL for a in waiting) or self._goes_on(action.player)
                self._flush(waiting)
                if not final and self._rng.random() < self._habits.take_back:
                    self._table = before
                    self._flush([Action(None, "undo", {})])
        self._flush(waiting)
        script = Script(tuple(self._steps), self._t_s, rate_hz, seed, noise, paced)
        return Film(script, tuple(self._scenes), tuple(self._cards), tuple(self._taps))

    def _goes_on(self, player: str | None) -> bool:
        """Whether taking the last thing back would look like going on, or is none at all."""
        if not self._habits.returns:
            return False
        leaves = any(not s and self._shown[p] for p, s in self._table.now.items())
        return leaves or self._brings_back(Action(player, "end"))

    def _brings_back(self, action: Action) -> bool:
        """Whether an action would move pieces back to where they were shown, or off the table."""
        after = self._table.copy()
        if not after.do(action):
            return False
        now = self._table.now
        return any(
            spots != now[p] and (spots == self._shown[p] or not spots)
            for p, spots in after.now.items()
        )

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
            self._still("legal", tuple(waiting), moves, self._habits.rests_s, dice)
            waiting.clear()
        if self._rng.random() < self._habits.idle_hand:
            self._still("nothing", (), {}, self._habits.rests_s)
        if self._rng.random() < self._habits.nudge:
            self._nudge()
        if self._rng.random() < self._habits.bump:
            self._bump()
        self._dice = self._table.dice

    def _maybe_foul(self, waiting: list[Action], coming: Action) -> bool:
        if self._stands_wrong:
            self._stands_wrong = False
            return False
        if self._foul is None or self._rng.random() >= self._habits.foul:
            return False
        self._flush(waiting)
        attempt = self._foul(self._table, self._rng)
        if attempt is None:
            return False
        back = {p: self._table.now[p] for p in attempt.moves}
        self._still("illegal", (), attempt.moves, self._habits.stands_s, how=attempt.kind)
        self._stands_wrong = self._corrected_by(coming, back)
        if not self._stands_wrong:
            self._still("back", (), back, self._habits.rests_s)
        return True

    def _corrected_by(self, coming: Action, back: Mapping[str, Spots]) -> bool:
        """Whether the pieces that stand wrong go straight on to where the next action puts them."""
        if not self._habits.straight or self._rng.random() >= self._habits.straight:
            return False
        after = self._table.copy()
        return after.do(coming) and all(after.now[p] != spots for p, spots in back.items())

    def _still(
        self,
        kind: str,
        actions: tuple[Action, ...],
        moves: Mapping[str, Spots],
        length_s: float,
        dice: tuple[int, ...] | None = None,
        how: str = "",
    ) -> None:
        """A hand comes, does something and leaves; then the table rests."""
        rng, habits = self._rng, self._habits
        hidden = self._maybe_hidden(kind, moves)
        if moves and kind == "legal":
            how = self._on_the_way(moves)
        hand = not (moves and rng.random() < habits.jump)
        start = round(self._t_s + (HAND_S if hand else 0.0), 3)
        if hand:
            self._steps.append(Step(round(self._t_s, 3), hand=True))
        finger = bool(moves) and kind == "legal" and rng.random() < habits.finger
        if finger:
            start = self._finger(moves, start, dice)
        self._steps.append(
            Step(
                start,
                moves=dict(moves),
                hand=False,
                dice=dice,
                hidden={**self._covered, **(hidden or {})},
            )
        )
        self._shown |= moves
        longer = 4.0 * rng.random() if rng.random() < habits.linger else 0.0
        self._t_s = round(start + length_s + longer, 3)
        self._scenes.append(
            Scene(
                start, self._t_s, kind, actions, dict(moves), self._table.state,
                how or ("finger" if finger else ""), dict(self._shown),
            )
        )  # fmt: skip

    def _maybe_hidden(self, kind: str, moves: Mapping[str, Spots]) -> dict[str, CellView] | None:
        if self._rng.random() >= self._habits.hidden or kind == "back":
            return None
        ends = {s for p in moves for s in (*self._shown[p], *moves[p])}
        others = [s for p, s in self._shown.items() if s and p not in moves and not ends & set(s)]
        return dict.fromkeys(self._rng.choice(others), CellView.HIDDEN) if others else None

    def _on_the_way(self, moves: Mapping[str, Spots]) -> str:
        """A piece that rests on its way, or is held in the hand for a while."""
        rng, piece = self._rng, self._rng.choice(sorted(moves))
        here, there = self._shown[piece], moves[piece]
        centres = self._centres
        if rng.random() < self._habits.lift:
            self._steps.append(Step(round(self._t_s, 3), hand=True))
            start = round(self._t_s + HAND_S, 3)
            self._steps.append(Step(start, moves={piece: None}, hand=False))
            self._t_s = round(start + LIFT_S, 3)
            return "lifted"
        single = len(here) == len(there) == 1
        if single and rng.random() < self._habits.rest and {*here, *there} <= centres.keys():
            (x0, y0), (x1, y1) = centres[here[0]], centres[there[0]]
            middle = ((x0 + x1) / 2, (y0 + y1) / 2)
            cell = min(centres, key=lambda c: math.dist(centres[c], middle))
            if all(cell not in spots for spots in self._shown.values()):
                self._steps.append(Step(round(self._t_s, 3), hand=True))
                start = round(self._t_s + HAND_S, 3)
                self._steps.append(Step(start, moves={piece: (cell,)}, hand=False))
                self._t_s = round(start + REST_S, 3)
                return "rested"
        return ""

    def _finger(
        self, moves: Mapping[str, Spots], start: float, dice: tuple[int, ...] | None
    ) -> float:
        """A finger rests on the moved pieces; gives the time when it leaves."""
        cells = {s for spots in moves.values() for s in spots}
        under = frozenset(cells | {n for c in cells for n in self._near.get(c, ())})
        self._steps.append(Step(start, moves=dict(moves), hand=True, hand_cells=under, dice=dice))
        return round(start + FINGER_S, 3)

    def _nudge(self) -> None:
        """Somebody pushes a piece a little; it stays in its cell."""
        rng = self._rng
        standing = [p for p, s in self._shown.items() if len(s) == 1 and s[0] in self._centres]
        piece, angle = rng.choice(standing), rng.uniform(0.0, math.tau)
        far = rng.uniform(0.1, NUDGE)
        off = {piece: (far * math.cos(angle), far * math.sin(angle))}
        start = round(self._t_s + HAND_S, 3)
        self._steps += [Step(round(self._t_s, 3), hand=True), Step(start, hand=False, off=off)]
        self._quiet(start, "nudged")

    def _bump(self) -> None:
        """Somebody bumps into the table; the board is lost and found again."""
        start = round(self._t_s + LOST_S, 3)
        self._steps += [Step(round(self._t_s, 3), pose=False), Step(start, pose=True)]
        self._quiet(start, "bumped")

    def _quiet(self, start: float, how: str) -> None:
        self._t_s = round(start + LEGAL_S, 3)
        scene = Scene(
            start, self._t_s, "nothing", (), {}, self._table.state, how, dict(self._shown)
        )
        self._scenes.append(scene)
