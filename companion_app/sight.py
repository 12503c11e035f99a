"""What the app asks of the eyes and what it gets: one ``View`` per processed picture.

The pipeline that answers lives in ``companion_app.pipeline``; tests and the scripted demo put
another one in its place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from engine.board import Board
from engine.game import Header
from engine.observation import Observation, SeenPiece
from engine.placement import Placement
from engine.verdict import Message
from vision.types import BoardPose, Frame


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """One processed picture.

    ``observation`` is None when nothing can be judged in this picture; ``still_s``: for how many
    seconds nothing has moved; ``problem``: what keeps the eyes from seeing, in one sentence;
    ``seen``: the newest reading, feet in pixels of ``frame.image``, for the overlay.
    """

    frame: Frame
    pose: BoardPose | None
    observation: Observation | None
    hand: bool
    still_s: float
    problem: Message | None
    seen: tuple[SeenPiece, ...]


class Pipeline(Protocol):
    """The eyes at work.  ``views`` blocks between pictures and ends with the film."""

    def views(self) -> Iterator[View]:
        """Yields views until the source ends; may raise, and may block for ever."""

    def close(self) -> None:
        """Lets go of the source; ``views`` then ends soon.  Called from another thread."""


@dataclass(frozen=True)
class PipelineRequest:
    """Everything needed to open the eyes.

    ``source``: camera index, film, folder of pictures, or http/rtsp address.  ``reference``: the
    owner's picture of the empty board, or None.  ``realtime``: a film runs at its own speed.
    ``placement``: what stands on the table at first, to learn the pieces' looks from.
    """

    source: int | str
    board: Board
    header: Header
    reference: Path | None = None
    realtime: bool = True
    placement: Placement | None = None


PipelineOpener = Callable[[PipelineRequest], Pipeline]
