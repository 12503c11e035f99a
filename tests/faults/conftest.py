from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.faults.running import run_for


@pytest.fixture
def soak(capsys: pytest.CaptureFixture[str]) -> Callable[..., dict[str, float]]:
    """``run_for`` whose figures are seen."""

    def run(*what: object, **how: object) -> dict[str, float]:
        with capsys.disabled():
            print()
            return run_for(*what, **how)  # type: ignore[arg-type]

    return run
