"""The walk search against brute force on small boards with obstacles and big fields."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.path_search import Search
from engine.paths import (
    Graph,
    Leg,
    along,
    bits,
    exists,
    find_walk,
    find_walk_through,
    must_pass,
    reachable,
    shortest,
)  # fmt: skip


@st.composite
def boards(draw: st.DrawFn) -> tuple[Graph, list[int]]:
    """A small grid, perhaps with one or two big fields, and its vertices."""
    width, height = draw(st.integers(2, 4)), draw(st.integers(2, 4))
    cells = {(x, y) for x in range(width) for y in range(height)}
    holes = draw(st.sets(st.sampled_from(sorted(cells)), max_size=3))
    cells -= holes
    near: dict[str, list[str]] = {f"{x},{y}": [] for x, y in sorted(cells)}
    for x, y in sorted(cells):
        for other in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            if other in cells:
                near[f"{x},{y}"].append(f"{other[0]},{other[1]}")
    names = list(near)
    for field in draw(st.sampled_from([(), ("A",), ("A", "B")])):
        borders = draw(st.sets(st.sampled_from(names), min_size=1, max_size=4)) if names else set()
        near[field] = sorted(borders)
        for cell in borders:
            near[cell].append(field)
    fast = draw(st.booleans())
    graph = Graph(near, {f"{x},{y}": (x, y) for x, y in cells} if fast else {})
    return graph, sorted(graph.names)


def walks(graph: Graph, origin: int, legs: tuple[Leg, ...], steps: int) -> Iterator[list[int]]:
    """All walks by brute force."""

    def go(path: list[int], leg: int) -> Iterator[list[int]]:
        if leg == len(legs):
            if len(path) - 1 == steps:
                yield path
            return
        goal = legs[leg].goal
        if len(path) - 1 == steps:
            if goal is None and leg == len(legs) - 1 and path[-1] not in before[leg]:
                yield path
            return
        for cell in bits(graph.near[path[-1]]):
            if cell in path or legs[leg].closed >> cell & 1:
                continue
            if cell == goal:
                if legs[leg].at in (None, len(path)):
                    yield from go([*path, cell], leg + 1)
            elif cell not in later[leg]:
                yield from go([*path, cell], leg)

    later = [{g.goal for g in legs[i + 1 :]} for i in range(len(legs))]
    before = [{origin, *(g.goal for g in legs[:i])} for i in range(len(legs))]
    yield from go([origin], 0)


def _mask(draw: st.DrawFn, vertices: list[int]) -> int:
    return sum(1 << v for v in draw(st.sets(st.sampled_from(vertices), max_size=4)))


@st.composite
def questions(draw: st.DrawFn) -> tuple[Graph, int, tuple[Leg, ...], int, list[int]]:
    graph, vertices = draw(boards())
    origin = draw(st.sampled_from(vertices))
    steps = draw(st.integers(1, 9))
    count = draw(st.integers(1, 3))
    legs = []
    for n in range(count):
        is_open = n == count - 1 and draw(st.booleans())
        goal = None if is_open else draw(st.sampled_from(vertices))
        at = draw(st.one_of(st.none(), st.integers(1, 6))) if goal is not None else None
        legs.append(Leg(goal, _mask(draw, vertices), at))
    return graph, origin, tuple(legs), steps, vertices


def _is_walk(graph: Graph, origin: int, legs: tuple[Leg, ...], path: tuple[int, ...]) -> bool:
    return list(path) in list(walks(graph, origin, legs, len(path) - 1))


@settings(max_examples=600, deadline=None, derandomize=True)
@given(questions())
def test_find_walk_agrees_with_brute_force(question) -> None:
    graph, origin, legs, steps, _ = question
    found = find_walk(graph, origin, legs, steps)
    brute = next(walks(graph, origin, legs, steps), None)
    assert (found is None) == (brute is None)
    if found is not None:
        assert _is_walk(graph, origin, legs, found)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(questions())
def test_meeting_in_the_middle_agrees_with_brute_force(question) -> None:
    graph, origin, legs, steps, _ = question
    if legs[-1].goal is None:
        legs = (*legs[:-1], Leg(max(graph.names), legs[-1].closed))
    search = Search(graph, origin, legs, steps)
    found = search.meet() if search.possible else None
    assert (found is None) == (next(walks(graph, origin, legs, steps), None) is None)
    if found is not None:
        assert _is_walk(graph, origin, legs, found)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(questions())
def test_reachable_agrees_with_brute_force(question) -> None:
    graph, origin, legs, steps, _ = question
    ahead = tuple(leg for leg in legs if leg.goal is not None)
    closed = legs[-1].closed
    found = set(bits(reachable(graph, origin, ahead, closed, steps)))
    brute = {w[-1] for w in walks(graph, origin, (*ahead, Leg(None, closed)), steps)}
    assert found == brute


@settings(max_examples=200, deadline=None, derandomize=True)
@given(questions(), st.data())
def test_cells_that_can_and_must_be_passed(question, data) -> None:
    graph, origin, legs, steps, vertices = question
    cells = data.draw(st.lists(st.sampled_from(vertices), min_size=1, max_size=2, unique=True))
    brute = list(walks(graph, origin, legs, steps))
    found = find_walk_through(graph, origin, legs, steps, tuple(cells))
    assert (found is not None) == any(all(c in w for c in cells) for w in brute)
    assert must_pass(graph, origin, legs, steps, cells[0]) == all(cells[0] in w for w in brute)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(questions())
def test_shortest(question) -> None:
    graph, origin, legs, steps, _ = question
    lengths = [n for n in range(steps + 1) if next(walks(graph, origin, legs, n), None)]
    assert shortest(graph, origin, legs, steps) == (lengths[0] if lengths else None)


@settings(max_examples=100, deadline=None, derandomize=True)
@given(boards())
def test_expand_is_the_union_of_the_neighbours(board) -> None:
    graph, vertices = board
    for mask in (0, graph.all, *(1 << v for v in vertices)):
        union = 0
        for cell in bits(mask):
            union |= graph.near[cell]
        assert graph.expand(mask) == union


def _grid(size: int) -> Graph:
    near = {
        f"{x},{y}": [
            f"{a},{b}"
            for a, b in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1))
            if 0 <= a < size and 0 <= b < size
        ]
        for x in range(size)
        for y in range(size)
    }
    return Graph(near, {f"{x},{y}": (x, y) for x in range(size) for y in range(size)})


def test_known_cells_are_followed_exactly() -> None:
    graph = _grid(4)
    path = [graph.index[c] for c in ("1,0", "1,1", "0,1")]
    origin = graph.index["0,0"]
    assert find_walk(graph, origin, along(graph, path, 0), 3) == (origin, *path)
    assert find_walk(graph, origin, along(graph, path, 1 << path[1]), 3) is None
    assert find_walk(graph, origin, along(graph, path[::2], 0), 2) is None


def test_exists_with_used_cells() -> None:
    graph = _grid(3)
    a, b = graph.index["0,0"], graph.index["2,0"]
    assert exists(graph, a, b, 2)
    assert not exists(graph, a, b, 2, used=1 << graph.index["1,0"])
    assert exists(graph, a, b, 4, must=(graph.index["1,1"],))
    assert not exists(graph, a, b, 3)


@pytest.mark.parametrize("steps", [11, 12])
def test_tight_mazes_are_answered_exactly(steps: int) -> None:
    graph = _grid(6)
    pillars = sum(1 << graph.index[f"{x},{y}"] for x in (1, 3) for y in (1, 2, 4))
    origin = graph.index["0,0"]
    legs = (Leg(None, pillars),)
    found = set(bits(reachable(graph, origin, (), pillars, steps)))
    assert found == {w[-1] for w in walks(graph, origin, legs, steps)}


def test_wall_between_grid_cells_is_respected() -> None:
    near = {"0,0": ["0,1"], "1,0": ["1,1"], "0,1": ["0,0", "1,1"], "1,1": ["1,0", "0,1"]}
    graph = Graph(near, {"0,0": (0, 0), "1,0": (1, 0), "0,1": (0, 1), "1,1": (1, 1)})
    assert not exists(graph, graph.index["0,0"], graph.index["1,0"], 1)
    assert exists(graph, graph.index["0,0"], graph.index["1,0"], 3)
