"""Jobs beside the interface: with progress, and with a way out."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from typing import Any

from companion_app import texts
from engine.errors import BoardwardenError

log = logging.getLogger(__name__)


class Cancelled(Exception):
    """The user does not want to wait any more."""


class Progress:
    """How far a job is; the job calls ``step`` often, which raises ``Cancelled`` to end it."""

    def __init__(self) -> None:
        self.share = 0.0
        self._cancelled = threading.Event()

    def step(self, share: float) -> None:
        """``share``: 0 to 1 of the work is done."""
        if self._cancelled.is_set():
            raise Cancelled
        self.share = share

    def cancel(self) -> None:
        """Ends the job at its next step."""
        self._cancelled.set()

    @property
    def cancelled(self) -> bool:
        """Whether the job is to end."""
        return self._cancelled.is_set()


class Work:
    """One job on a thread of its own.

    ``result`` or ``problem`` (a sentence) hold when ``over``; neither does after a cancel.
    """

    def __init__(self, job: Callable[[Progress], Any], failed: str) -> None:
        self.progress = Progress()
        self.result: Any = None
        self.problem = ""
        self._job, self._failed = job, failed
        self._over = threading.Event()
        threading.Thread(target=self._run, name="work", daemon=True).start()

    @property
    def over(self) -> bool:
        """Whether the job has ended in any way."""
        return self._over.is_set()

    def _run(self) -> None:
        try:
            self.result = self._job(self.progress)
        except Cancelled:
            pass
        except BoardwardenError as error:
            self.problem = texts.told(error)
        except Exception:
            log.exception("a job failed")
            self.problem = self._failed
        finally:
            self._over.set()
