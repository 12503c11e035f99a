"""Things and places of one look: the same best sum as assigning things to single places."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.assignment import assign
from vision.transport import Allotment


def best_sum(gain: np.ndarray, room: list[int]) -> float:
    """By the assignment of rows to single places, each row with a place of its own for none."""
    places = [c for c, n in enumerate(room) for _ in range(n)]
    n = len(gain)
    cost = np.hstack([np.minimum(-gain[:, places], 0.0), np.zeros((n, n))])
    return -sum(float(cost[r, c]) for r, c in enumerate(assign(cost.tolist())))


@settings(deadline=None, max_examples=60)
@given(st.integers(1, 9), st.integers(1, 5), st.integers(0, 10**6), st.floats(-4, 4))
def test_the_best_sum_is_reached_within_the_room(
    rows: int, columns: int, seed: int, lift: float
) -> None:
    rng = np.random.default_rng(seed)
    # rows that all like the same columns have to give way to one another
    gain = rng.normal(lift, 3, (rows, columns)) + rng.normal(0, 3, columns)
    room = rng.integers(0, 4, columns).tolist()
    pairs = Allotment(gain, room).pairs()
    assert len({r for r, _ in pairs}) == len(pairs)
    assert all(sum(c == k for _, c in pairs) <= n for k, n in enumerate(room))
    assert all(gain[pair] > 0 for pair in pairs)
    assert sum(gain[pair] for pair in pairs) == pytest.approx(best_sum(gain, room))


def test_a_thing_gives_way_where_that_brings_more() -> None:
    gain = np.array([[5.0, 4.0], [5.0, -1.0], [1.0, 3.0]])
    assert Allotment(gain, [1, 1]).pairs() == [(0, 1), (1, 0)]
    assert Allotment(gain, [1, 2]).pairs() == [(0, 1), (1, 0), (2, 1)]


@settings(deadline=None, max_examples=60)
@given(st.integers(2, 9), st.integers(1, 5), st.integers(0, 10**6))
def test_rows_that_are_taken_out_leave_the_best_of_the_others(
    rows: int, columns: int, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    gain = rng.normal(1, 3, (rows, columns)) + rng.normal(0, 3, columns)
    room = rng.integers(0, 4, columns).tolist()
    whole = Allotment(gain, room)
    before, kept, allotment = whole.pairs(), list(range(rows)), whole
    for out in rng.permutation(rows)[: rows // 2]:
        allotment = allotment.without(int(out))
        kept.remove(int(out))
        pairs = allotment.pairs()
        assert {r for r, _ in pairs} <= set(kept)
        assert all(sum(c == k for _, c in pairs) <= n for k, n in enumerate(room))
        assert sum(gain[p] for p in pairs) == pytest.approx(best_sum(gain[kept], room))
    assert whole.pairs() == before
