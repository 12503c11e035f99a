"""Which things take which places of the inventory, where many places are alike.

The places of one look are interchangeable, so they are one column with room for several things: a
transport problem instead of an assignment.  Most things get what suits them best without a rival.
For the others chains of moves from column to column are looked for that cost least (successive
shortest paths, Ford and Fulkerson 1962): the columns are few, so that is a small table.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]

NOTHING = 1e-11  # gains that are none but for rounding
GONE = -1


class Allotment:
    """Rows in columns so that the sum of ``gain`` (R, C) is greatest: exact, as if every row were
    assigned to a single place.

    Every row goes to one column or to none; column c takes at most ``room[c]`` rows.  Rows can be
    taken out again at little cost.
    """

    def __init__(self, gain: Floats, room: Sequence[int]) -> None:
        rows, columns = gain.shape
        self._gain = gain
        # the last column stands for being left out, which costs nothing and has room for all
        self._cost = np.zeros((rows, columns + 1))
        self._cost[:, :-1] = np.minimum(-gain, 0.0)
        self._free = np.array([*room, rows])
        self._column = np.full(rows, GONE)
        # the least cost of moving a row of one column to another, and which row that is
        self._way = np.full((columns + 1, columns + 1), np.inf)
        self._who = np.zeros((columns + 1, columns + 1), np.intp)
        left = self._start()
        for column in range(columns + 1):
            self._renew(column)
        for row in left:
            self._add(row)

    def pairs(self) -> list[tuple[int, int]]:
        """(row, column) of all that gain something, rows in order."""
        return [
            (r, c) for r, c in enumerate(self._column.tolist())
            if 0 <= c < self._gain.shape[1] and self._gain[r, c] > 0
        ]  # fmt: skip

    def without(self, row: int) -> Allotment:
        """The best there is when a row stays out."""
        other = object.__new__(Allotment)
        other._gain, other._cost = self._gain, self._cost
        other._free, other._column = self._free.copy(), self._column.copy()
        other._way, other._who = self._way.copy(), self._who.copy()
        other._take_out(row)
        return other

    def _start(self) -> list[int]:
        """Rows go where they cost least, while there is room; the rows that are left.

        Those go first that would lose most elsewhere.
        """
        left = []
        best = self._cost.argmin(axis=1)
        ranked = np.partition(self._cost, 1, axis=1)
        for row in np.argsort(ranked[:, 0] - ranked[:, 1]).tolist():
            if self._free[best[row]]:
                self._put(row, int(best[row]))
            else:
                left.append(row)
        return left

    def _put(self, row: int, column: int) -> None:
        if self._column[row] != GONE:
            self._free[self._column[row]] += 1
        self._free[column] -= 1
        self._column[row] = column

    def _add(self, row: int) -> None:
        """Takes one more row in by the cheapest chain of moves."""
        cost, before = self._relaxed(self._cost[row])
        end = int(np.where(self._free > 0, cost, np.inf).argmin())
        first = self._move_up(end, before)
        self._put(row, first)
        self._renew(first)

    def _take_out(self, row: int) -> None:
        """The place of a row falls to whoever gains most by it, that one's to the next."""
        column = int(self._column[row])
        if column == GONE:
            return
        self._column[row] = GONE
        self._free[column] += 1
        self._renew(column)
        cost, before = self._relaxed(np.zeros(len(self._free)))
        if cost[column] < -NOTHING:
            self._renew(self._move_up(column, before))

    def _relaxed(self, cost: Floats) -> tuple[Floats, Indices]:
        """(C,) least cost of a chain of moves that ends in each column, where one may begin in any at
        ``cost``; and the column before, GONE where it begins (Bellman 1958)."""
        cost, before = cost.copy(), np.full(len(cost), GONE)
        every = np.arange(len(cost))
        while True:
            ways = cost[:, None] + self._way
            source = ways.argmin(axis=0)
            least = ways[source, every]
            better = least < cost - NOTHING
            if not better.any():
                return cost, before
            cost[better], before[better] = least[better], source[better]

    def _move_up(self, end: int, before: Indices) -> int:
        """Makes the moves of the chain that ends in a column; the column where it begins."""
        column, touched = end, []
        while before[column] != GONE:
            source = int(before[column])
            self._put(int(self._who[source, column]), column)
            touched.append(column)
            column = source
        for moved in touched:
            self._renew(moved)
        return column

    def _renew(self, column: int) -> None:
        rows = np.flatnonzero(self._column == column)
        if not len(rows):
            self._way[column] = np.inf
            return
        extra = self._cost[rows] - self._cost[rows, column][:, None]
        least = extra.argmin(axis=0)
        self._way[column] = extra[least, np.arange(extra.shape[1])]
        self._who[column] = rows[least]
