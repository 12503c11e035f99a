"""Shares with their uncertainty, and spreads of errors."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

Z_95 = 1.959964  # two-sided 95 %


def wilson(right: int, of: int, z: float = Z_95) -> tuple[float, float]:
    """Bounds of a share of ``right`` out of ``of``, 0 to 1 (Wilson 1927); (0, 1) of nothing."""
    if of == 0:
        return 0.0, 1.0
    p, zz = right / of, z * z / of
    centre = (p + zz / 2) / (1 + zz)
    half = z / (1 + zz) * math.sqrt(p * (1 - p) / of + zz / (4 * of))
    # Rounding must not put a bound beyond the share itself.
    return max(0.0, min(p, centre - half)), min(1.0, max(p, centre + half))


@dataclass(frozen=True, slots=True)
class Share:
    """So many of so many."""

    right: int
    of: int

    @property
    def value(self) -> float:
        """0 to 1; 0 of nothing."""
        return self.right / self.of if self.of else 0.0

    def to_json(self) -> dict[str, Any]:
        """Counts, percentage and its 95 % Wilson bounds; null percentages of nothing."""
        low, high = wilson(self.right, self.of)
        percent = [round(100 * v, 2) for v in (self.value, low, high)]
        known = self.of > 0
        return {
            "right": self.right,
            "of": self.of,
            "percent": percent[0] if known else None,
            "wilson95": percent[1:] if known else None,
        }

    def __str__(self) -> str:
        if not self.of:
            return "none there"
        low, high = wilson(self.right, self.of)
        return (
            f"{self.right}/{self.of} = {100 * self.value:.2f} % ({100 * low:.1f}–{100 * high:.1f})"
        )


@dataclass(frozen=True, slots=True)
class Spread:
    """Median and 95th percentile of errors; None of none."""

    count: int
    median: float | None
    p95: float | None

    def to_json(self) -> dict[str, Any]:
        """Plain numbers."""
        return {"count": self.count, "median": self.median, "p95": self.p95}


def spread(values: Sequence[float]) -> Spread:
    """Of any number of errors."""
    if not len(values):
        return Spread(0, None, None)
    median, p95 = (round(float(v), 3) for v in np.percentile(values, (50, 95)))
    return Spread(len(values), median, p95)
