"""The search behind ``engine.paths``: pruned depth first, then meeting in the middle.

A state is (cell, number of finished legs).  ``_back[p][r]`` holds the cells from which, with p
legs finished, the end can be met in exactly r steps if cells might be used twice: that bounds
distance and parity at once, also where big fields break the parity.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.paths import Graph


# (cell, finished legs) -> used cells -> path
Halves = dict[tuple[int, int], dict[int, tuple[int, ...]]]


@dataclass(frozen=True, slots=True)
class Leg:
    """One part of a walk: on to ``goal`` without entering ``closed``.

    ``goal`` None (last leg only): anywhere.  ``at``: the goal is met after this many steps,
    counted from the beginning of the walk.
    """

    goal: int | None
    closed: int
    at: int | None = None


class Search:
    """One question about one walk; see ``engine.paths.find_walk``."""

    def __init__(self, graph: Graph, origin: int, legs: tuple[Leg, ...], steps: int) -> None:
        self.graph, self.origin, self.legs, self.steps = graph, origin, legs, steps
        self.goals = [0 if leg.goal is None else 1 << leg.goal for leg in legs]
        every = 1 << origin
        twice = False
        for goal in self.goals:
            twice = twice or bool(every & goal)
            every |= goal
        self.open = [
            graph.all & ~leg.closed & (~every | goal)
            for leg, goal in zip(legs, self.goals, strict=True)
        ]
        self.ends = self.open[-1] if legs[-1].goal is None else self.goals[-1]
        self._back = self._backward()
        self.possible = not twice and bool(self._back[0][steps] >> origin & 1)

    def _backward(self) -> list[list[int]]:
        """``_back`` as described above; one more row for all legs finished."""
        expand, steps, count = self.graph.expand, self.steps, len(self.legs)
        done = [self.ends if self.legs[-1].goal is not None else 0] + [0] * steps
        table = [done]
        for p in range(count - 1, -1, -1):
            leg, goal, after = self.legs[p], self.goals[p], table[0]
            plain = self.open[p] & ~goal
            row = [self.ends if leg.goal is None else 0]
            for r in range(1, steps + 1):
                enter = plain & row[r - 1]
                if leg.at is None or leg.at == steps - (r - 1):
                    enter |= goal & self.open[p] & after[r - 1]
                row.append(expand(enter) if enter else 0)
            table.insert(0, row)
        return table

    def _forward(self) -> list[list[int]]:
        """``[p][s]``: cells that can be met after s steps with p legs finished."""
        expand, steps, count = self.graph.expand, self.steps, len(self.legs)
        table = [[0] * (steps + 1) for _ in range(count + 1)]
        table[0][0] = 1 << self.origin
        for s in range(1, steps + 1):
            for p in range(count):
                before = table[p][s - 1]
                if before:
                    enter = expand(before) & self.open[p]
                    table[p][s] |= enter & ~self.goals[p]
                    at = self.legs[p].at
                    if at is None or at == s:
                        table[p + 1][s] |= enter & self.goals[p]
        return table

    def possible_ends(self) -> int:
        """Cells on which an open end could lie if cells might be used twice."""
        return self._forward()[len(self.legs) - 1][self.steps]

    def dive(self, budget: int) -> tuple[bool, tuple[int, ...] | None]:
        """Depth first within a budget of cells; (False, None) when it runs out."""
        path = [self.origin]
        choices = [self._next(self.origin, 0, 1 << self.origin, self.steps)]
        phases, used = [0], 1 << self.origin
        while choices:
            if not choices[-1]:
                choices.pop()
                phases.pop()
                used ^= 1 << path.pop()
                continue
            budget -= 1
            if budget < 0:
                return False, None
            low = choices[-1] & -choices[-1]
            choices[-1] ^= low
            cell = low.bit_length() - 1
            p = phases[-1] + 1 if low & self.goals[phases[-1]] else phases[-1]
            left = self.steps - len(path)
            path.append(cell)
            if left == 0:
                return True, tuple(path)
            used |= low
            phases.append(p)
            choices.append(self._next(cell, p, used, left))
        return True, None

    def _next(self, cell: int, p: int, used: int, left: int) -> int:
        """Bit set of the cells worth entering from a state with ``left`` steps to go."""
        if p == len(self.legs):
            return 0
        goal, back = self.goals[p], self._back
        mask = self.graph.near[cell] & self.open[p] & ~used
        out = mask & ~goal & back[p][left - 1]
        at = self.legs[p].at
        if mask & goal & back[p + 1][left - 1] and at in (None, self.steps - left + 1):
            out |= goal
        return out

    def meet(self) -> tuple[int, ...] | None:
        """Complete search: all first halves against all second halves (single goal only)."""
        half = self.steps // 2
        firsts = self._first_halves(half)
        lasts = self._last_halves(half, self._forward())
        for state, heads in firsts.items():
            bit = 1 << state[0]
            tails = lasts.get(state)
            if tails:
                for head, path in heads.items():
                    for tail, rest in tails.items():
                        if head & tail == bit:
                            return (*path, *rest[1:])
        return None

    def _first_halves(self, half: int) -> Halves:
        level: Halves = {(self.origin, 0): {1 << self.origin: (self.origin,)}}
        for s in range(half):
            new: Halves = {}
            for (cell, p), paths in level.items():
                for used, path in paths.items():
                    mask = self._next(cell, p, used, self.steps - s)
                    while mask:
                        low = mask & -mask
                        mask ^= low
                        q = p + 1 if low & self.goals[p] else p
                        to = low.bit_length() - 1
                        new.setdefault((to, q), {})[used | low] = (*path, to)
            level = new
        return level

    def _last_halves(self, half: int, reach: list[list[int]]) -> Halves:
        end, count = self.legs[-1].goal, len(self.legs)
        assert end is not None
        level: Halves = {(end, count): {1 << end: (end,)}}
        for s in range(self.steps, half, -1):
            new: Halves = {}
            for (cell, q), paths in level.items():
                p = q - 1 if q and self.goals[q - 1] == 1 << cell else q
                for used, path in paths.items():
                    mask = self.graph.near[cell] & reach[p][s - 1] & ~used
                    while mask:
                        low = mask & -mask
                        mask ^= low
                        to = low.bit_length() - 1
                        new.setdefault((to, p), {})[used | low] = (to, *path)
            level = new
        return level
