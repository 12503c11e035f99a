"""Exact-length walks that use no cell twice, on any board graph.

A walk is asked for by its *legs*: it starts on a cell, and each leg goes on to a goal around what
was closed while that leg was walked; nobody needs to know how many steps a leg took.  Cells are
bits of a Python integer; everything here is exact, no answer is a guess.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial

from engine.path_search import Leg, Search

__all__ = [
    "Graph", "Leg", "along", "bits", "closing", "exists", "find_walk", "find_walk_through",
    "must_pass", "reachable", "shortest",
]  # fmt: skip


WALKS = 1 << 13  # as many answers are remembered


class Graph:
    """A board as bit sets.  ``coords`` (column, row) speeds up square grids and may be empty.

    It remembers the walks that were asked for (``find_walk``), so that they go when it goes.
    """

    def __init__(
        self,
        neighbours: Mapping[str, Sequence[str]],
        coords: Mapping[str, tuple[int, int]] | None = None,
    ) -> None:
        if not self._build(neighbours, coords or {}):
            self._build(neighbours, {})
        self.walks = lru_cache(maxsize=WALKS)(partial(_find_walk, self))

    def _build(
        self, neighbours: Mapping[str, Sequence[str]], coords: Mapping[str, tuple[int, int]]
    ) -> bool:
        width = max((x for x, _ in coords.values()), default=-1) + 1
        self.stride = width + 1
        self.index = {c: y * self.stride + x for c, (x, y) in coords.items()}
        free = max(self.index.values(), default=-1) + 1
        for cell in neighbours:
            if cell not in self.index:
                self.index[cell] = free
                free += 1
        self.names = {i: c for c, i in self.index.items()}
        self.size = free
        self.near = [0] * free
        for cell, others in neighbours.items():
            self.near[self.index[cell]] = self.mask(others)
        self.all = self.mask(neighbours)
        self.lattice = self.mask(coords)
        self._odd = [
            (1 << i, self.near[i]) for i in sorted(self.names) if not self.lattice >> i & 1
        ]
        return all(
            self._shift(1 << self.index[c]) == self.near[self.index[c]] & self.lattice
            for c in coords
        )

    def mask(self, cells: Iterable[str]) -> int:
        """The bit set of some cells."""
        total = 0
        for cell in cells:
            total |= 1 << self.index[cell]
        return total

    def cells(self, mask: int) -> tuple[str, ...]:
        """The ids of a bit set, in the order of the bits."""
        return tuple(self.names[i] for i in bits(mask))

    def _shift(self, mask: int) -> int:
        s = self.stride
        return ((mask << 1) | (mask >> 1) | (mask << s) | (mask >> s)) & self.lattice

    def expand(self, mask: int) -> int:
        """All neighbours of a bit set (its own cells only where they neighbour each other)."""
        out = self._shift(mask & self.lattice)
        for bit, near in self._odd:
            if mask & bit:
                out |= near
            if mask & near:
                out |= bit
        return out


def bits(mask: int) -> Iterator[int]:
    """The set bits, lowest first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def along(graph: Graph, cells: Sequence[int], closed: int) -> tuple[Leg, ...]:
    """Legs for a path of which every cell is known."""
    return tuple(Leg(c, (graph.all & ~(1 << c)) | (closed & (1 << c))) for c in cells)


def closing(legs: Sequence[Leg], mask: int) -> tuple[Leg, ...]:
    """The same legs with more cells closed."""
    return tuple(replace(leg, closed=leg.closed | mask) for leg in legs)


def find_walk(
    graph: Graph, origin: int, legs: tuple[Leg, ...], steps: int
) -> tuple[int, ...] | None:
    """A walk of exactly ``steps`` steps through all legs, with its first cell, or None.

    The last leg may have no goal: then the walk may end on any cell that is open on that leg,
    and takes at least one step on it.
    """
    return graph.walks(origin, legs, steps)


def _find_walk(
    graph: Graph, origin: int, legs: tuple[Leg, ...], steps: int
) -> tuple[int, ...] | None:
    if not legs or steps < len(legs):
        return None
    search = Search(graph, origin, legs, steps)
    if not search.possible:
        return None
    known, path = search.dive(400)
    if known:
        return path
    last = legs[-1]
    if last.goal is not None:
        return search.meet()
    for end in bits(search.ends):
        path = find_walk(graph, origin, (*legs[:-1], replace(last, goal=end)), steps)
        if path is not None:
            return path
    return None


def find_walk_through(
    graph: Graph, origin: int, legs: tuple[Leg, ...], steps: int, must: tuple[int, ...]
) -> tuple[int, ...] | None:
    """As find_walk, with cells that the walk has to touch, in any order."""
    if not must:
        return find_walk(graph, origin, legs, steps)
    cell, rest = must[0], must[1:]
    if cell == origin or any(leg.goal == cell for leg in legs):
        return find_walk_through(graph, origin, legs, steps, rest)
    for at, leg in enumerate(legs):
        if leg.closed >> cell & 1:
            continue
        touching = [(*legs[:at], Leg(cell, leg.closed), *legs[at:])]
        if leg.goal is None:
            touching.append((*legs[:at], replace(leg, goal=cell)))
        for longer in touching:
            path = find_walk_through(graph, origin, longer, steps, rest)
            if path is not None:
                return path
    return None


def exists(
    graph: Graph,
    start: int,
    goal: int,
    steps: int,
    blocked: int = 0,
    used: int = 0,
    must: tuple[int, ...] = (),
) -> bool:
    """Whether some walk of exactly ``steps`` steps goes from start to goal."""
    legs = (Leg(goal, blocked | used),)
    return find_walk_through(graph, start, legs, steps, must) is not None


def must_pass(graph: Graph, origin: int, legs: tuple[Leg, ...], steps: int, cell: int) -> bool:
    """Whether every such walk touches the cell (true as well where there is no walk)."""
    if cell == origin or any(leg.goal == cell for leg in legs):
        return True
    return find_walk(graph, origin, closing(legs, 1 << cell), steps) is None


def reachable(graph: Graph, origin: int, legs: tuple[Leg, ...], closed: int, steps: int) -> int:
    """Bit set of all cells on which a walk of exactly ``steps`` steps can end.

    ``legs`` are already walked (often none); ``closed`` holds for the rest of the walk.
    """
    open_end = (*legs, Leg(None, closed))
    if steps < len(open_end):
        return 0
    found = 0
    for end in bits(Search(graph, origin, open_end, steps).possible_ends()):
        if not found >> end & 1:
            path = find_walk(graph, origin, (*legs, Leg(end, closed)), steps)
            found |= (1 << end) if path is not None else 0
    return found


def shortest(graph: Graph, origin: int, legs: tuple[Leg, ...], limit: int) -> int | None:
    """The least number of steps, up to ``limit``, that lead through all legs."""
    for steps in range(len(legs), limit + 1):
        if find_walk(graph, origin, legs, steps) is not None:
            return steps
    return None
