"""What a check is: it returns its figures as one line, or raises what is wrong with its remedy."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any

from engine.errors import BoardwardenError

log = logging.getLogger(__name__)


class Outcome(Enum):
    """How a check ended."""

    PASSED = "passed"
    FAILED = "failed"
    NOT_TRIED = "not tried"


class NotTried(Exception):
    """The check was not asked for, or this device cannot do it; says why."""


@dataclass(frozen=True)
class Wanted:
    """What is to be tested.  ``home``: the folder of games; ``camera``: a source as ``watch`` takes
    it; ``window``, ``page``: open a window, serve the spectators' page to this device itself."""

    home: Path
    camera: str | None = None
    window: bool = False
    page: bool = False


@dataclass(frozen=True)
class Finding:
    """The end of one check; ``said``: its figures, or what is wrong and the remedy."""

    name: str
    outcome: Outcome
    said: str
    took_s: float

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "check": self.name, "outcome": self.outcome.value, "said": self.said,
            "took_s": round(self.took_s, 2),
        }  # fmt: skip

    def __str__(self) -> str:
        return f"{self.outcome.value:9} {self.name:9} {self.said}"


Check = Callable[[Wanted], str]


def carry_out(
    checks: Sequence[tuple[str, Check]], wanted: Wanted, tell: Callable[[Finding], None]
) -> list[Finding]:
    """Runs the checks one after another; none of them stops those after it."""
    found = []
    for name, check in checks:
        began = time.monotonic()
        outcome, said = _outcome(check, wanted)
        found.append(Finding(name, outcome, said, time.monotonic() - began))
        tell(found[-1])
    return found


def _outcome(check: Check, wanted: Wanted) -> tuple[Outcome, str]:
    try:
        return Outcome.PASSED, check(wanted)
    except NotTried as reason:
        return Outcome.NOT_TRIED, str(reason)
    except BoardwardenError as error:
        return Outcome.FAILED, str(error)
    except OSError as error:  # no folder for temporary files, a full disk
        return Outcome.FAILED, (
            f"the check could not be made ({error.strerror or error}): make room on the disk, or name"
            " another folder for temporary files with TMPDIR"
        )
    except Exception as error:
        log.debug("a check broke", exc_info=True)
        return Outcome.FAILED, (
            f"a fault inside the program ({type(error).__name__}): please report it with the"
            " output of boardwarden selftest --json"
        )
