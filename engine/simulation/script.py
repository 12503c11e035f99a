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
``pose``: false while the board is lost.  ``jitter`` is the standard deviation of a foot as a fraction of
the cell; the others are probabilities per piece and view, ``colour`` the mean weight of a wrong
colour, ``flicker`` how often the best colour is a wrong one.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine.board import Board
from engine.errors import BoardwardenError
from engine.geometry import Point, area, contains
from engine.observation import Candidate, CellView, Observation, SeenPiece
from engine.placement import TRACK_PREFIX, PieceInfo, Placement

Spots = tuple[str, ...]
TOP_K = 4
MIN_LOG_PROB = math.log(0.004)
PX_PER_MM = 1.2


@dataclass(frozen=True, slots=True)
class Noise:
    """How badly the simulated eyes see; all zero: perfectly."""

    jitter: float = 0.06
    miss: float = 0.0
    colour: float = 0.01
    spurious: float = 0.0
    flicker: float = 0.0
    pips: float = 0.01


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
            )
        except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
            raise BoardwardenError(f"a step of the script is damaged: {error!r}") from error


@dataclass(frozen=True, slots=True)
class Script:
    """A film without pictures.  Steps are sorted by time."""

    steps: tuple[Step, ...]
    until_s: float
    rate_hz: float = 10.0
    seed: int = 1
    noise: Noise = Noise()

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
        )


class Eyes:
    """Turns a true arrangement into what the eyes would report; one random stream per object."""

    def __init__(self, board: Board, infos: Mapping[str, PieceInfo], noise: Noise, seed: int):
        self.board, self.infos, self.noise = board, infos, noise
        self._random = random.Random(seed)
        self._near: dict[str, list[str]] = {}
        self._size = {s: math.sqrt(area(p)) for s, p in board.spots.items()}
        self._by_place = {(round(c[0]), round(c[1])): s for s, c in board.centres.items()}
        self._colours: dict[str, list[str | None]] = {}
        for info in infos.values():
            colours = self._colours.setdefault(info.kind, [])
            if info.colour not in colours:
                colours.append(info.colour)

    def look(
        self,
        pieces: Mapping[str, Spots | None],
        hidden: Mapping[str, CellView],
        off: Mapping[str, tuple[float, float]],
        dice: Sequence[int],
    ) -> tuple[SeenPiece, ...]:
        """The seen pieces of one view (hidden spots show nothing)."""
        seen: list[SeenPiece] = []
        for piece, spots in pieces.items():
            if spots is None or piece not in self.infos:
                continue
            if any(s in hidden for s in spots) or self._random.random() < self.noise.miss:
                continue
            seen.append(self._piece(self.infos[piece], spots, off.get(piece, (0.0, 0.0))))
        seen.extend(self._die(i, pips) for i, pips in enumerate(dice))
        if self._random.random() < self.noise.spurious:
            seen.append(self._nothing())
        self._random.shuffle(seen)
        return tuple(seen)

    def _piece(self, info: PieceInfo, spots: Spots, off: tuple[float, float]) -> SeenPiece:
        if not spots:
            at = (-40.0, self._random.uniform(0.0, self.board.size_mm[1]))
            place: list[tuple[Spots, float]] = [((), 0.0)]
            size = 28.0
        else:
            size = min(self._size[s] for s in spots)
            x, y = self._centre(spots)
            jitter = self.noise.jitter * size
            at = (
                x + off[0] * size + self._random.gauss(0.0, jitter),
                y + off[1] * size + self._random.gauss(0.0, jitter),
            )
            place = self._places(spots, at, size)
        colours = self._tints(info)
        candidates = [
            Candidate(info.kind, colour, where, pc + pp)
            for colour, pc in colours
            for where, pp in place
            if pc + pp > MIN_LOG_PROB
        ]
        candidates.sort(key=lambda c: -c.log_prob)
        variance = (max(self.noise.jitter, 0.02) * size) ** 2
        return SeenPiece(
            at, (variance, 0.0, variance), (at[0] * PX_PER_MM, at[1] * PX_PER_MM),
            tuple(candidates[: TOP_K * 2]), self._random.uniform(0.8, 0.99),
            self._off_centre(candidates[0].spots, at),
        )  # fmt: skip

    def _centre(self, spots: Spots) -> Point:
        centres = [self.board.centres[s] for s in spots]
        n = len(centres)
        return sum(c[0] for c in centres) / n, sum(c[1] for c in centres) / n

    def _off_centre(self, spots: Spots, at: Point) -> float:
        if not spots:
            return 0.0
        return math.dist(self._centre(spots), at) / min(self._size[s] for s in spots)

    def _places(self, spots: Spots, at: Point, size: float) -> list[tuple[Spots, float]]:
        if len(spots) > 1:
            return [(spots, math.log(0.98)), *self._shifted(spots)]
        options = [spots[0], *self._around(spots[0])]
        # Mass of the foot's uncertainty inside each cell, by a fixed 5 x 5 probe.
        sigma = max(self.noise.jitter, 0.02) * size
        home = self.board.spots[spots[0]]
        corners = [(at[0] + i * sigma, at[1] + j * sigma) for i in (-2, 2) for j in (-2, 2)]
        if all(contains(home, corner) for corner in corners):
            return [(spots, 0.0)]
        weights: dict[str, float] = {}
        for i in range(-2, 3):
            for j in range(-2, 3):
                probe = (at[0] + i * sigma, at[1] + j * sigma)
                weight = math.exp(-(i * i + j * j) / 2)
                for spot in options:
                    if contains(self.board.spots[spot], probe):
                        weights[spot] = weights.get(spot, 0.0) + weight
                        break
        if not weights:
            return [((), 0.0)]
        total = sum(weights.values())
        places: list[tuple[Spots, float]] = [
            ((s,), math.log(w / total)) for s, w in weights.items()
        ]
        return sorted(places, key=lambda p: -p[1])[:TOP_K]

    def _around(self, spot: str) -> list[str]:
        if spot not in self._near:
            here = self.board.centres[spot]
            reach = 1.6 * self._size[spot] + 20.0
            track = spot.startswith(TRACK_PREFIX)
            self._near[spot] = [
                s for s, c in self.board.centres.items()
                if s != spot and s.startswith(TRACK_PREFIX) == track and math.dist(c, here) < reach
            ]  # fmt: skip
        return self._near[spot]

    def _shifted(self, spots: Spots) -> list[tuple[Spots, float]]:
        centres, by_place = self.board.centres, self._by_place
        side = round(self.board.cell_size_mm)
        dx, dy = self._random.choice(((side, 0), (-side, 0), (0, side), (0, -side)))
        moved = tuple(
            by_place.get((round(centres[s][0]) + dx, round(centres[s][1]) + dy), "") for s in spots
        )
        return [(moved, math.log(0.02))] if all(moved) else []

    def _tints(self, info: PieceInfo) -> list[tuple[str | None, float]]:
        others = [c for c in self._colours[info.kind] if c != info.colour]
        if not others or self.noise.colour <= 0.0:
            return [(info.colour, 0.0)]
        wrong = min(0.45, self._random.expovariate(1.0 / self.noise.colour))
        if self._random.random() < self.noise.flicker:
            wrong = 0.6
        tint = self._random.choice(others)
        return [(info.colour, math.log(1.0 - wrong)), (tint, math.log(max(wrong, 1e-6)))]

    def _die(self, index: int, pips: int) -> SeenPiece:
        sure = 1.0 - self.noise.pips
        log_pips = tuple(
            math.log(sure if p == pips else max(self.noise.pips / 5, 1e-6)) for p in range(1, 7)
        )
        at = (self.board.size_mm[0] + 30.0, 100.0 + 30.0 * index)
        return SeenPiece(
            at, (4.0, 0.0, 4.0), (at[0] * PX_PER_MM, at[1] * PX_PER_MM),
            (Candidate("die", None, (), -0.01),), 0.95, 0.0, log_pips,
        )  # fmt: skip

    def _nothing(self) -> SeenPiece:
        spot = self._random.choice(list(self.board.cells))
        info = self._random.choice(list(self.infos.values()))
        at = self.board.centres[spot]
        return SeenPiece(
            at, (9.0, 0.0, 9.0), (at[0] * PX_PER_MM, at[1] * PX_PER_MM),
            (Candidate(info.kind, info.colour, (spot,), -0.1),), self._random.uniform(0.2, 0.5),
        )  # fmt: skip


class ScriptedSource:
    """Plays a script: iterate for the observations; tell it ``accept()`` when a view is accepted.

    ``changed`` of the observations names the spots that differ from the last accepted view.
    """

    def __init__(self, script: Script, board: Board, start: Placement) -> None:
        self._script, self._start = script, start
        self._eyes = Eyes(board, start.infos, script.noise, script.seed)
        self._pieces: dict[str, Spots | None] = dict(start.pieces)
        self._accepted: dict[str, Spots | None] = dict(start.pieces)
        self.truth: Mapping[str, Spots | None] = self._pieces

    def accept(self) -> None:
        """From now on changes are counted from the view shown last."""
        self._accepted = dict(self._pieces)

    def __iter__(self) -> Iterator[Observation]:
        script = self._script
        steps = list(script.steps)
        hand, pose, still_from = False, True, 0.0
        hidden: dict[str, CellView] = {}
        under_hand: frozenset[str] = frozenset()
        off: dict[str, tuple[float, float]] = {}
        dice: tuple[int, ...] = ()
        for tick in range(math.floor(script.until_s * script.rate_hz) + 1):
            t_s = tick / script.rate_hz
            while steps and steps[0].t_s <= t_s + 1e-9:
                step = steps.pop(0)
                self._apply(step)
                hand = hand if step.hand is None else step.hand
                under_hand = step.hand_cells if hand else frozenset()
                pose = pose if step.pose is None else step.pose
                hidden = hidden if step.hidden is None else dict(step.hidden)
                off.update(step.off)
                dice = dice if step.dice is None else step.dice
                still_from = t_s
            if hand or not pose:
                still_from = t_s
            views = hidden | dict.fromkeys(under_hand, CellView.HAND)
            seen = self._eyes.look(self._pieces, views, off, dice) if pose else ()
            yield Observation(t_s, pose, hand, seen, views, self._changed(views), t_s - still_from)

    def _apply(self, step: Step) -> None:
        if step.placement is not None:
            self._pieces = dict.fromkeys(self._pieces, ()) | dict(step.placement)
        self._pieces |= step.moves
        self.truth = self._pieces

    def _changed(self, views: Mapping[str, CellView]) -> frozenset[str]:
        spots: set[str] = set()
        for piece, now in self._pieces.items():
            before = self._accepted.get(piece)
            if now != before:
                spots.update(set(now or ()) ^ set(before or ()))
        return frozenset(s for s in spots if s not in views)
