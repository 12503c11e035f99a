"""How often spots look changed, and by how much: what a change of look is worth as a witness."""

from __future__ import annotations

from bisect import bisect_right

# How often a spot looks changed by so much (0 to 1): one where something has come, one within two
# cells of where something came or went (a tall piece, its shadow), any other.  Measured by
# tests/benchmarks/bench_change.py, with some reserve for tables where pieces stand out less; the last
# column is for eyes that tell no strength.
EDGES = (0.0, 0.2, 0.4, 0.6, 0.8, 0.95)
CAME = (0.01, 0.015, 0.08, 0.085, 0.08, 0.72, 0.99)
NEAR = (0.071, 0.03, 0.021, 0.024, 0.017, 0.021, 0.184)
ELSEWHERE = (0.0117, 0.0003, 0.0003, 0.0003, 0.0003, 0.0003, 0.012)
# No spot away from every end looked changed by so much, and every end did.
PLAIN_STRENGTH = 0.4
# Less than any change where something really came or went.
WEAK = 0.25


def column(strength: float | None) -> int:
    """Which column of the shares a strength of change, 0 to 1, belongs to; None: the eyes tell none."""
    return len(EDGES) if strength is None else bisect_right(EDGES, strength) - 1
