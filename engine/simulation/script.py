"""A scripted observation source: placements over time, shown as noisy observations.

Script, version 1 (JSON)::

    {"script": 1, "rate_hz": 10, "seed": 7, "until_s": 60.0,
     "noise": {"jitter": 0.08, "miss": 0.01, "colour": 0.02, "spurious": 0.0, "flicker": 0.0},
     "steps": [{"t_s": 0.0, "placement": {"giant": ["h11"], ...}},
               {"t_s": 3.0, "hand": true, "hand_cells": ["g9"]},
               {"t_s": 3.7, "hand": false, "moves": {"wizard/green": ["g10"]}},
               {"t_s": 5.0, "hidden": ["h9"], "dice": [4, 3], "pose": true, "off": {...}}]}

A step changes what it names and leaves the rest.  ``placement`` replaces all pieces; ``moves`` some
(an empty list: beside the board; null: out of sight).  ``hidden``: spots that cannot be seen, also
``{"hidden": {"h9": "glare"}}``.  ``off``: feet off the centre of their cell, as fractions of the
cell's size: ``{"wizard/green": [0.45, 0.0]}``.  ``dice``: the pips shown, null for no dice.
``pose``: false while the board is lost.  ``chips``: how many item chips lie on which cell.
``noise``: the rates of ``engine.simulation.noise.Noise``.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from engine.board import Board
from engine.errors import BoardwardenError
from engine.observation import CellView, Observation, SeenPiece
from engine.placement import Placement
from engine.simulation.eyes import Eyes
from engine.simulation.noise import PLAIN, Noise
from engine.simulation.strengths import NEAR_SHARE, Strengths

Spots = tuple[str, ...]
# When the pipeline looks at a still table, and when a hand is taken to rest.
LOOKS_S = (0.25, 0.6, 1.3)
LOOK_AGAIN_S = 1.0
HAND_RESTS_S = 3.0


class Seeing(Protocol):
    """Simulated eyes; see ``engine.simulation.eyes.Eyes``."""

    def settle(self) -> None: ...
    def misread(self) -> Mapping[str, str]: ...
    def flushed(self) -> frozenset[str]: ...
    def notices(self) -> bool: ...
    def look(
        self,
        pieces: Mapping[str, Spots | None],
        hidden: Mapping[str, CellView],
        off: Mapping[str, tuple[float, float]],
        dice: Sequence[int],
        chips: Mapping[str, int] | None = None,
    ) -> tuple[SeenPiece, ...]: ...


@dataclass(frozen=True, slots=True)
class Step:
    """What changes at ``t_s`` seconds; None: nothing changes in this respect."""

    t_s: float
    placement: Mapping[str, Spots] | None = None
    moves: Mapping[str, Spots | None] = field(default_factory=dict)
    hand: bool | None = None
    hand_cells: frozenset[str] = frozenset()
    hidden: Mapping[str, CellView] | None = None
    off: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    dice: tuple[int, ...] | None = None
    pose: bool | None = None
    chips: Mapping[str, int] | None = None

    @staticmethod
    def from_json(value: Mapping[str, Any]) -> Step:
        """Reads one step; raises BoardwardenError when it is none."""
        try:
            hidden = value.get("hidden")
            if isinstance(hidden, Mapping):
                views = {str(k): CellView(v) for k, v in hidden.items()}
            else:
                views = {str(k): CellView.HIDDEN for k in hidden or ()}
            placement = value.get("placement")
            dice = value.get("dice")
            return Step(
                float(value["t_s"]),
                None if placement is None else {k: tuple(v) for k, v in placement.items()},
                {k: None if v is None else tuple(v) for k, v in value.get("moves", {}).items()},
                value.get("hand"),
                frozenset(value.get("hand_cells", ())),
                None if hidden is None else views,
                {k: (float(v[0]), float(v[1])) for k, v in value.get("off", {}).items()},
                None if dice is None else tuple(int(d) for d in dice),
                value.get("pose"),
                None if value.get("chips") is None else dict(value["chips"]),
            )
        except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
            raise BoardwardenError(f"a step of the script is damaged: {error!r}") from error


@dataclass(frozen=True, slots=True)
class Script:
    """A film without pictures.  Steps are sorted by time.

    ``paced``: the eyes look when the real pipeline does (soon after the table has come to rest, when
    something may be accepted or refused, then once a second), keep what they saw in between, and
    compare with the last still view; otherwise every view is a new look, compared with the last
    accepted one.
    """

    steps: tuple[Step, ...]
    until_s: float
    rate_hz: float = 10.0
    seed: int = 1
    noise: Noise = PLAIN
    paced: bool = False

    @staticmethod
    def from_json(value: Mapping[str, Any]) -> Script:
        """Reads a script; raises BoardwardenError when it is none."""
        if value.get("script") != 1 or not isinstance(value.get("steps"), Sequence):
            raise BoardwardenError('this is no script: it needs "script": 1 and "steps"')
        steps = tuple(sorted((Step.from_json(s) for s in value["steps"]), key=lambda s: s.t_s))
        if not steps:
            raise BoardwardenError("the script has no steps")
        return Script(
            steps,
            float(value.get("until_s", steps[-1].t_s + 2.5)),
            float(value.get("rate_hz", 10.0)),
            int(value.get("seed", 1)),
            Noise(**value.get("noise", {})),
            bool(value.get("paced", False)),
        )


@dataclass
class _Scene:
    """What the table looks like at one moment of a script."""

    pieces: dict[str, Spots | None]
    hand: bool = False
    pose: bool = True
    hidden: Mapping[str, CellView] = field(default_factory=dict)
    under_hand: frozenset[str] = frozenset()
    off: dict[str, tuple[float, float]] = field(default_factory=dict)
    dice: tuple[int, ...] = ()
    chips: Mapping[str, int] = field(default_factory=dict)
    quiet_s: float = 0.0  # when the last thing happened
    free_s: float = 0.0  # when a hand was last in, or the board lost

    def apply(self, step: Step) -> None:
        """Changes what the step names."""
        if step.placement is not None:
            self.pieces = dict.fromkeys(self.pieces, ()) | dict(step.placement)
        self.pieces |= step.moves
        self.hand = self.hand if step.hand is None else step.hand
        self.under_hand = step.hand_cells if self.hand else frozenset()
        self.pose = self.pose if step.pose is None else step.pose
        self.hidden = self.hidden if step.hidden is None else dict(step.hidden)
        self.off = {p: o for p, o in self.off.items() if p not in step.moves} | dict(step.off)
        self.dice = self.dice if step.dice is None else step.dice
        self.chips = self.chips if step.chips is None else dict(step.chips)
        self.quiet_s = step.t_s

    def views(self) -> dict[str, CellView]:
        """The spots that cannot be seen."""
        return dict(self.hidden) | dict.fromkeys(self.under_hand, CellView.HAND)


class ScriptedSource:
    """Plays a script: iterate for the observations; tell it ``accept()`` when a view is accepted.

    ``changed`` of the observations names the spots that differ from the view to compare with.
    ``eyes``: those of the board, unless others are given.
    """

    def __init__(
        self, script: Script, board: Board, start: Placement, eyes: Seeing | None = None
    ) -> None:
        self._script = script
        self._eyes = eyes or Eyes(board, start.infos, script.noise, script.seed)
        self._now = _Scene(dict(start.pieces))
        self._compared: dict[str, Spots | None] = dict(start.pieces)
        self._near = {s: _neighbours(board, s) for s in board.spots}
        self._look: tuple[SeenPiece, ...] | None = None
        self._looked_s = 0.0
        self._flushed: frozenset[str] = frozenset()
        # Without false changes a look changes wholly or not at all, and nothing is told of it.
        self._strengths = Strengths(script.seed) if script.noise.flushed > 0.0 else None
        self._strength: dict[str, float] = {}
        self._random = random.Random(f"beside {script.seed}")
        self._unnoticed: frozenset[str] = frozenset()
        self._covered: frozenset[str] = frozenset()

    @property
    def truth(self) -> Mapping[str, Spots | None]:
        """Where the pieces stand now."""
        return self._now.pieces

    @property
    def misread(self) -> Mapping[str, str]:
        """Which standing pieces the eyes read wrongly now, and how."""
        there = self._now.pieces
        return {p: how for p, how in self._eyes.misread().items() if there.get(p)}

    def accept(self) -> None:
        """From now on changes are counted from the view shown last."""
        if not self._script.paced:
            self._compared = dict(self._now.pieces)

    def __iter__(self) -> Iterator[Observation]:
        script, now = self._script, self._now
        steps = list(script.steps)
        for tick in range(math.floor(script.until_s * script.rate_hz) + 1):
            t_s = tick / script.rate_hz
            happened = False
            while steps and steps[0].t_s <= t_s + 1e-9:
                now.apply(steps.pop(0))
                now.quiet_s, happened = t_s, True
            resting = now.hand and script.paced and t_s - now.quiet_s >= HAND_RESTS_S - 1e-9
            if (now.hand and not resting) or not now.pose:
                now.free_s = t_s
            if happened:
                self._begin_moment()
            still_s = t_s - now.quiet_s if resting else t_s - max(now.quiet_s, now.free_s)
            yield self._paced(t_s, still_s, resting) if script.paced else self._plain(t_s, still_s)

    def _begin_moment(self) -> None:
        if not self._script.paced:
            return
        self._look = None
        self._eyes.settle()
        ends = self._ends()
        beside = sorted({s for end in ends for s in self._near.get(end, ())} - ends)
        near: set[str] = set()
        others: set[str] = set()
        for spot in sorted(self._eyes.flushed()):
            if beside and self._random.random() < NEAR_SHARE:
                near.add(self._random.choice(beside))
            else:
                others.add(spot)
        self._flushed = frozenset(near | others)
        self._unnoticed = frozenset(s for s in sorted(ends) if not self._eyes.notices())
        if self._strengths is not None:
            self._strength = self._strengths.draw(ends, near, others)

    def _plain(self, t_s: float, still_s: float) -> Observation:
        """Every view is a look of its own."""
        now, views = self._now, self._now.views()
        seen = self._see(views) if now.pose else ()
        changed = frozenset(s for s in self._ends() if s not in views)
        return Observation(t_s, now.pose, now.hand, seen, views, changed, still_s)

    def _paced(self, t_s: float, still_s: float, resting: bool) -> Observation:
        now, views = self._now, self._now.views()
        hand = now.hand and not resting
        if hand or not now.pose or still_s < LOOKS_S[0] - 1e-9:
            self._look = None
            return Observation(t_s, now.pose, hand, (), views, None, still_s)
        passed = any(self._looked_s < mark - 1e-9 <= still_s for mark in LOOKS_S)
        if self._look is None or passed or still_s - self._looked_s >= LOOK_AGAIN_S - 1e-9:
            self._look, self._looked_s = self._see(views), still_s
        ends = (self._ends() - self._unnoticed) | self._flushed | self._covered
        changed = frozenset(s for s in ends if s not in views)
        strength = {s: v for s, v in self._strength.items() if s in changed}
        if still_s >= LOOKS_S[1] - 1e-9:
            # Where a hand rests the view to compare with shows the hand.
            self._compared = dict(now.pieces)
            self._flushed, self._covered = frozenset(), now.under_hand
        return Observation(t_s, True, False, self._look, views, changed, still_s, strength)

    def _see(self, views: Mapping[str, CellView]) -> tuple[SeenPiece, ...]:
        now = self._now
        return self._eyes.look(now.pieces, views, now.off, now.dice, now.chips)

    def _ends(self) -> set[str]:
        spots: set[str] = set()
        for piece, here in self._now.pieces.items():
            before = self._compared.get(piece)
            if here != before:
                spots.update(set(here or ()) ^ set(before or ()))
        return spots


def _neighbours(board: Board, spot: str) -> tuple[str, ...]:
    """The cells within two steps."""
    first = board.cells[spot].neighbours if spot in board.cells else ()
    second = {n for cell in first for n in board.cells[cell].neighbours}
    return tuple(sorted({*first, *second} - {spot}))
