"""How the fault tests are run: briefly in every check, and for long behind the marker ``soak``.

``python -m pytest -m soak tests/faults`` runs each format for ``BOARDWARDEN_SOAK_S`` seconds (60).
"""

from __future__ import annotations

import os
import resource
import time
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from engine.errors import BoardwardenError

SOAK_S = float(os.environ.get("BOARDWARDEN_SOAK_S", "60"))
# Seconds of the processor that one piece of bad input may take.
LIMIT_S = 2.0
LIMIT_MB = 1000.0

soaked = pytest.mark.soak


def short(examples: int) -> Callable[[Any], Any]:
    """The same few examples in every run."""
    return settings(
        max_examples=examples,
        deadline=None,
        derandomize=True,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
    )


def survives(call: Callable[[], Any]) -> bool:
    """Whether the input could be used; True or one good sentence, never anything else."""
    try:
        call()
    except BoardwardenError as error:
        check_sentence(str(error))
        return False
    return True


def check_sentence(said: str) -> None:
    """A refusal is short, printable and not the inside of the program."""
    assert said.strip()
    assert len(said) < 1200, said
    assert "Traceback" not in said
    assert all(c.isprintable() or c == "\n" for c in said), repr(said)
    said.encode()


def run_for(what: str, one: Callable[[int], Any], seconds: float = SOAK_S) -> dict[str, float]:
    """Runs ``one(seed)`` with new seeds for so long; prints and returns the figures."""
    end = time.monotonic() + seconds
    first = seed = int.from_bytes(os.urandom(4), "big")
    slowest, useful = 0.0, 0
    while time.monotonic() < end:
        began = time.process_time()
        try:
            useful += bool(one(seed))
        except BaseException:
            print(f"{what}: seed {seed} fails")
            raise
        took = time.process_time() - began
        assert took < LIMIT_S, f"{what}: seed {seed} took {took:.1f} s of the processor"
        slowest = max(slowest, took)
        seed += 1
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    assert memory < LIMIT_MB, f"{what}: {memory:.0f} MB"
    figures = {"cases": seed - first, "usable": useful, "slowest_s": slowest, "memory_mb": memory}
    print(
        f"{what}: {seed - first} cases in {seconds:.0f} s, {useful} still usable,"
        f" slowest {1000 * slowest:.0f} ms of the processor, at most {memory:.0f} MB, 0 faults"
    )
    return figures
