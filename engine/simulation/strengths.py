"""How much spots look changed at a simulated table, as measured on the development film.

Source: ``python -m tests.benchmarks.bench_change ../shared/renders/magalon-dev.json``.
"""

from __future__ import annotations

import random
from collections.abc import Iterable

SHARES = (0.0, 0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99, 1.0)
# Change, 0 to 1, below which such a share lies: of spots where a piece came or went, and of spots that
# look changed (over 0.06) though nothing has happened there, within two cells of an end and elsewhere.
ENDS = (0.4, 0.43, 0.5, 0.8, 0.98, 1.0, 1.0, 1.0, 1.0)
NEAR = (0.06, 0.062, 0.07, 0.13, 0.33, 0.75, 0.97, 1.0, 1.0)
ELSEWHERE = (0.06, 0.06, 0.065, 0.075, 0.085, 0.1, 0.14, 0.17, 0.2)
NEAR_SHARE = 0.43  # of the spots that falsely look changed


class Strengths:
    """Draws strengths of change; one random stream per object."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(f"strength {seed}")

    def draw(
        self, ends: Iterable[str], near: Iterable[str], others: Iterable[str]
    ) -> dict[str, float]:
        """A strength for every spot."""
        out = {spot: self._one(ELSEWHERE) for spot in sorted(others)}
        out |= {spot: self._one(NEAR) for spot in sorted(near)}
        return out | {spot: self._one(ENDS) for spot in sorted(ends)}

    def _one(self, quantiles: tuple[float, ...]) -> float:
        share = self._random.random()
        for (low, a), (high, b) in zip(
            zip(SHARES, quantiles, strict=True),
            zip(SHARES[1:], quantiles[1:], strict=True),
            strict=False,
        ):
            if share <= high:
                return a + (b - a) * (share - low) / (high - low)
        return quantiles[-1]
