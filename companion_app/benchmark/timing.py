"""Medians of processor time and wall time."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

Job = Callable[[], object]


@dataclass(frozen=True, slots=True)
class Timing:
    """Milliseconds of one job over ``rounds`` runs, after one to warm up."""

    name: str
    rounds: int
    processor_ms: float
    wall_ms: float
    wall_p99_ms: float

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "name": self.name, "rounds": self.rounds, "processor_ms": round(self.processor_ms, 3),
            "wall_ms": round(self.wall_ms, 3), "wall_p99_ms": round(self.wall_p99_ms, 3),
        }  # fmt: skip

    def __str__(self) -> str:
        return f"{self.name:46} {self.processor_ms:10.2f} {self.wall_ms:10.2f} {self.wall_p99_ms:10.2f}"


HEADER = f"{'':46} {'processor':>10} {'wall':>10} {'wall p99':>10}  ms"


def measure(jobs: Sequence[tuple[str, Job]], rounds: int) -> list[Timing]:
    """Times the jobs in turn, so that whatever else the machine does falls on all alike."""
    for _, job in jobs:
        job()
    spent: list[list[tuple[float, float]]] = [[] for _ in jobs]
    for _ in range(rounds):
        for row, (_, job) in zip(spent, jobs, strict=True):
            wall, processor = time.perf_counter(), time.process_time()
            job()
            row.append((time.process_time() - processor, time.perf_counter() - wall))
    return [timing(name, row) for (name, _), row in zip(jobs, spent, strict=True)]


def timing(name: str, spent: Sequence[tuple[float, float]]) -> Timing:
    """Of (processor, wall) seconds per run."""
    processor = [1000 * p for p, _ in spent]
    wall = sorted(1000 * w for _, w in spent)
    p99 = wall[min(len(wall) - 1, int(len(wall) * 0.99))]
    return Timing(name, len(wall), statistics.median(processor), statistics.median(wall), p99)
