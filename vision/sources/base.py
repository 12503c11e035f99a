"""What every source of frames offers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Protocol

from vision.types import Frame


class SourceKind(Enum):
    """How a source does."""

    OPENING = "opening"
    OK = "ok"
    STALLED = "stalled"  # no picture, or always the same one, for some seconds
    LOST = "lost"  # gone; a live source tries to reconnect
    ENDED = "ended"  # a film or folder has been read to its end
    CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class SourceState:
    """``sentence``: what a person is told, with the remedy; empty when all is well.  ``key`` and
    ``params``: the same for other languages (``vision.sources.words``)."""

    kind: SourceKind
    sentence: str = ""
    key: str = ""
    params: Mapping[str, object] = field(default_factory=dict)


class FrameSource(Protocol):
    """A camera, film, folder or address.

    ``read`` waits up to ``timeout_s`` for a frame newer than the last one read.  None means: of a
    live source nothing new yet, of any other the end.  Frames of a live source may be skipped,
    those of others never are.  ``open`` and ``read`` raise BoardwardenError on bad input; a live
    source that is lost later does not raise, its ``state`` says so and it reconnects by itself.
    """

    @property
    def name(self) -> str:
        """For people."""

    @property
    def live(self) -> bool:
        """Whether time goes on by itself."""

    @property
    def state(self) -> SourceState:
        """How the source does now; never waits."""

    def open(self) -> None:
        """Gets ready to read; opening twice does nothing."""

    def read(self, timeout_s: float) -> Frame | None:
        """The next (live: the newest) frame."""

    def close(self) -> None:
        """Lets the device or file go; never waits long."""
