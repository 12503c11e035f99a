"""Least-cost assignment (Hungarian method with potentials; Kuhn 1955, Munkres 1957), pure Python."""

from __future__ import annotations

import math
from collections.abc import Sequence


def assign(cost: Sequence[Sequence[float]]) -> list[int]:
    """Column of every row in the cheapest assignment of rows to distinct columns.

    ``cost``: n rows of m >= n finite numbers.  O(n² m).  Raises ValueError for more rows than
    columns.

    >>> assign([[4.0, 1.0, 3.0], [2.0, 0.0, 5.0]])
    [1, 0]
    """
    n = len(cost)
    m = len(cost[0]) if n else 0
    if n > m:
        raise ValueError("assign: more rows than columns")
    row_potential, column_potential = [0.0] * (n + 1), [0.0] * (m + 1)
    row_of = [0] * (m + 1)  # 1-based row matched to each column, 0 for none
    for i in range(1, n + 1):
        row_of[0], way = i, [0] * (m + 1)
        column, least, used = 0, [math.inf] * (m + 1), [False] * (m + 1)
        while row_of[column]:
            used[column] = True
            row, delta, following = row_of[column], math.inf, 0
            for j in range(1, m + 1):
                if used[j]:
                    continue
                reduced = cost[row - 1][j - 1] - row_potential[row] - column_potential[j]
                if reduced < least[j]:
                    least[j], way[j] = reduced, column
                if least[j] < delta:
                    delta, following = least[j], j
            for j in range(m + 1):
                if used[j]:
                    row_potential[row_of[j]] += delta
                    column_potential[j] -= delta
                else:
                    least[j] -= delta
            column = following
        while column:
            row_of[column], column = row_of[way[column]], way[column]
    result = [0] * n
    for j in range(1, m + 1):
        if row_of[j]:
            result[row_of[j] - 1] = j - 1
    return result
