from __future__ import annotations

import random
from itertools import permutations

import pytest

from engine.referee.assignment import FORBIDDEN, assign


def test_empty() -> None:
    assert assign([]) == []


def test_too_few_columns() -> None:
    with pytest.raises(ValueError, match="columns"):
        assign([[1.0], [2.0]])


def test_forbidden_pairs_are_avoided() -> None:
    assert assign([[FORBIDDEN, 3.0], [0.0, FORBIDDEN]]) == [1, 0]


@pytest.mark.parametrize("seed", range(40))
def test_least_cost_as_by_brute_force(seed: int) -> None:
    rng = random.Random(seed)
    n = rng.randint(1, 5)
    m = rng.randint(n, 6)
    cost = [[rng.uniform(-5, 5) for _ in range(m)] for _ in range(n)]
    got = assign(cost)
    assert len(set(got)) == n
    least = min(sum(cost[i][p[i]] for i in range(n)) for p in permutations(range(m), n))
    assert sum(cost[i][j] for i, j in enumerate(got)) == pytest.approx(least)
