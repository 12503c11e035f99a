"""The ways of pieces: from recorded parts to questions for the walk search.

A part names only where a piece was seen next, so a way stands for all walks that fit: exactly the
card's number in all, no cell twice, around the obstacles as they were (M-19 to M-22).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from engine.magalon.setup import BONUS_STEPS, Setup
from engine.magalon.state import Part, Path
from engine.paths import Leg, along, closing, find_walk, find_walk_through

Ways = tuple[tuple[tuple[Leg, ...], int], ...]


def closed_names(setup: Setup, mask: int) -> frozenset[str]:
    """A bit set as cell ids, as kept in the state."""
    return frozenset(setup.graph.cells(mask))


def part_legs(setup: Setup, part: Part) -> tuple[Leg, ...]:
    """The legs of one part; every cell is a leg of its own where the part tells them all."""
    index, closed = setup.graph.index, setup.mask(part.closed)
    if part.via is not None:
        return along(setup.graph, [index[c] for c in (*part.via, part.to)], closed)
    return (Leg(index[part.to], closed),)


def legs_and_steps(setup: Setup, path: Path, steps: int, finishing: bool = False) -> Ways:
    """The legs of a way and its total number of steps, once per possible count of bonus steps.

    ``finishing``: the last bonus part may be shorter than three (M-57).
    """
    short = setup.option("M-A36") == "b"
    bonus = [p for p in path.parts if p.bonus]
    counts = [range(BONUS_STEPS, 0, -1) if short else (BONUS_STEPS,) for _ in bonus]
    if counts and finishing:
        counts[-1] = range(BONUS_STEPS, 0, -1)
    return tuple(_with_counts(setup, path, steps, chosen) for chosen in product(*counts))


def _with_counts(
    setup: Setup, path: Path, steps: int, chosen: tuple[int, ...]
) -> tuple[tuple[Leg, ...], int]:
    total, legs, left = steps, [], list(chosen)
    for n, part in enumerate(path.parts):
        more = list(part_legs(setup, part))
        if part.bonus:
            total += left.pop(0)
        following = path.parts[n + 1] if n + 1 < len(path.parts) else None
        if following is not None and following.bonus:
            more[-1] = replace(more[-1], at=total)
        legs += more
    return tuple(legs), total


def walk_over(
    setup: Setup,
    origin: str,
    ways: Ways,
    must: frozenset[str] = frozenset(),
    avoid: frozenset[str] = frozenset(),
    tail: tuple[Leg, ...] = (),
) -> tuple[str, ...] | None:
    """A walk that fits one of the ways, touches ``must`` and not ``avoid``, as cell ids.

    ``must`` and ``avoid`` do not hold for the ``tail``, the legs still to come.
    """
    graph = setup.graph
    start, need = graph.index[origin], tuple(graph.index[c] for c in sorted(must))
    closed = setup.mask(avoid)
    for legs, steps in ways:
        if closed & (1 << start):
            return None
        path = _through(setup, start, closing(legs, closed), tail, steps, need)
        if path is not None:
            return tuple(graph.names[i] for i in path)
    return None


def _through(
    setup: Setup,
    start: int,
    legs: tuple[Leg, ...],
    tail: tuple[Leg, ...],
    steps: int,
    need: tuple[int, ...],
) -> tuple[int, ...] | None:
    graph = setup.graph
    if not tail or not need:
        return find_walk_through(graph, start, (*legs, *tail), steps, need)
    cell, rest = need[0], need[1:]
    if cell == start or any(leg.goal == cell for leg in legs):
        return _through(setup, start, legs, tail, steps, rest)
    for at, leg in enumerate(legs):
        longer = (*legs[:at], Leg(cell, leg.closed), *legs[at:])
        path = _through(setup, start, longer, tail, steps, rest)
        if path is not None:
            return path
    return None


def open_tail(setup: Setup, closed: int) -> tuple[Leg, ...]:
    """The rest of an unfinished way, to anywhere."""
    return (Leg(None, closed),)


def boxed_in(setup: Setup, origin: str, closed: int, steps: int) -> bool:
    """Whether no walk of the full number begins here as the board stands (M-23)."""
    graph = setup.graph
    return find_walk(graph, graph.index[origin], open_tail(setup, closed), steps) is None


def least_steps(setup: Setup, path: Path, limit: int) -> int | None:
    """The least number of steps that fits the parts seen so far."""
    graph = setup.graph
    legs = tuple(leg for part in path.parts for leg in part_legs(setup, part))
    for steps in range(len(legs), limit + 1):
        if find_walk(graph, graph.index[path.origin], legs, steps) is not None:
            return steps
    return None


def possible_steps(setup: Setup, path: Path, limit: int) -> tuple[int, ...]:
    """Every number of steps up to ``limit`` that fits the parts seen so far."""
    graph = setup.graph
    legs = tuple(leg for part in path.parts for leg in part_legs(setup, part))
    start = graph.index[path.origin]
    counts = range(len(legs), limit + 1)
    return tuple(n for n in counts if find_walk(graph, start, legs, n) is not None)


def distance(setup: Setup, origin: str, to: str, closed: int) -> int | None:
    """Steps of the shortest free way between two cells; None when there is none."""
    cells, seen, queue = setup.board.cells, {origin}, deque([(origin, 0)])
    while queue:
        cell, steps = queue.popleft()
        if cell == to:
            return steps
        for other in cells[cell].neighbours:
            if other not in seen and not closed & setup.bit(other):
                seen.add(other)
                queue.append((other, steps + 1))
    return None


def via_fault(
    setup: Setup, here: str, part: Part, used: frozenset[str]
) -> tuple[str, tuple[str, ...]] | None:
    """What is wrong with the given cells of a part: (message key, cells); None when nothing."""
    before, seen = here, set(used) | {here}
    for cell in (*(part.via or ()), part.to):
        if cell not in setup.board.cells[before].neighbours:
            return "via_jump", (before, cell)
        if cell in seen:
            return "via_twice", (cell,)
        if cell in part.closed:
            return "via_closed", (cell,)
        seen.add(cell)
        before = cell
    return None


def known_cells(path: Path) -> frozenset[str]:
    """Cells that the way has used for certain."""
    cells = {path.origin}
    for part in path.parts:
        cells |= {part.to, *(part.via or ())}
    return frozenset(cells)


def pieces_via(walk: tuple[str, ...], after: str) -> list[str]:
    """The cells of a walk between ``after`` and its end."""
    return list(walk[walk.index(after) + 1 : -1])


def iter_items(setup: Setup, items: frozenset[str]) -> Iterator[str]:
    """The fields of some items."""
    return (setup.items[i] for i in sorted(items) if i in setup.items)
