"""Least-cost assignment in plain Python (Hungarian method with potentials).

Source: H. W. Kuhn 1955, "The Hungarian method for the assignment problem", in the shortest
augmenting path form; n rows and m >= n columns cost O(n^2 m), which for the few pieces that are
not where they were is well under a millisecond.
"""

from __future__ import annotations

from collections.abc import Sequence

FORBIDDEN = 1e6


def assign(cost: Sequence[Sequence[float]]) -> list[int]:
    """Column of each row so that the sum of costs is least.

    ``cost``: n rows of m >= n entries; FORBIDDEN marks pairs that must not be.  Raises ValueError
    when there are fewer columns than rows.
    """
    n = len(cost)
    if n == 0:
        return []
    m = len(cost[0])
    if m < n:
        raise ValueError(f"assign needs at least as many columns as rows, not {m} for {n}")
    row_potential = [0.0] * (n + 1)
    column_potential = [0.0] * (m + 1)
    row_of = [0] * (m + 1)  # 1-based; 0: free
    for row in range(1, n + 1):
        _augment(cost, row, row_potential, column_potential, row_of)
    result = [-1] * n
    for column in range(1, m + 1):
        if row_of[column]:
            result[row_of[column] - 1] = column - 1
    return result


def _augment(
    cost: Sequence[Sequence[float]],
    row: int,
    row_potential: list[float],
    column_potential: list[float],
    row_of: list[int],
) -> None:
    m = len(column_potential) - 1
    row_of[0] = row
    here = 0
    least = [float("inf")] * (m + 1)
    before = [0] * (m + 1)
    used = [False] * (m + 1)
    while True:
        used[here] = True
        r = row_of[here]
        delta, there = float("inf"), 0
        line, u = cost[r - 1], row_potential[r]
        for j in range(1, m + 1):
            if used[j]:
                continue
            reduced = line[j - 1] - u - column_potential[j]
            if reduced < least[j]:
                least[j], before[j] = reduced, here
            if least[j] < delta:
                delta, there = least[j], j
        for j in range(m + 1):
            if used[j]:
                row_potential[row_of[j]] += delta
                column_potential[j] -= delta
            else:
                least[j] -= delta
        here = there
        if row_of[here] == 0:
            break
    while here:
        row_of[here] = row_of[before[here]]
        here = before[here]
