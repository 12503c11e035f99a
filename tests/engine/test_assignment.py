"""The assignment against brute force."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.assignment import FORBIDDEN, assign


@given(st.integers(1, 4).flatmap(lambda n: st.integers(n, 5).flatmap(
    lambda m: st.lists(st.lists(st.integers(-9, 9), min_size=m, max_size=m), min_size=n, max_size=n)
)))  # fmt: skip
def test_no_assignment_is_cheaper(cost: list[list[int]]) -> None:
    chosen = assign(cost)
    assert len(set(chosen)) == len(chosen)
    total = sum(row[c] for row, c in zip(cost, chosen, strict=True))
    least = min(
        sum(cost[i][c] for i, c in enumerate(p))
        for p in permutations(range(len(cost[0])), len(cost))
    )
    assert total == least


def test_nothing_to_assign() -> None:
    assert assign([]) == []


def test_too_few_columns() -> None:
    with pytest.raises(ValueError, match="columns"):
        assign([[1.0], [2.0]])


def test_forbidden_pairs_are_avoided() -> None:
    assert assign([[FORBIDDEN, 3.0], [0.0, FORBIDDEN]]) == [1, 0]
