"""What the app asks of the eyes and what it gets: one ``View`` per processed picture.

The pipeline that answers lives in ``companion_app.pipeline``; tests and the scripted demo put
another one in its place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from calibration.standing import Standing
from engine.board import Board
from engine.game import Header
from engine.observation import Observation, SeenPiece
from engine.placement import Placement
from engine.verdict import Message
from vision.types import BoardPose, Frame


@dataclass(frozen=True, slots=True)
class Checks:
    """What setting the camera up needs, in words and yes or no.

    ``found``: the board is found; ``corner``: the one that is out of the picture ("upper_left",
    ...), "" for none; ``small``: the board fills too little of the picture; ``light``: "ok", "dark"
    or "bright"; ``still``: nothing moves; ``standing``: where the camera stands, if it is known.
    """

    found: bool
    corner: str
    small: bool
    light: str
    still: bool
    standing: Standing | None = None

    @property
    def stands(self) -> str:
        """What to change about the camera's place ("into_view", "higher", "nearer", "lower"); ""
        for nothing."""
        return self.standing.advice if self.found and self.standing is not None else ""

    @property
    def good(self) -> bool:
        """Nothing is left to do; looking straight down is allowed, though not the best."""
        fine = self.found and not self.corner and not self.small and self.light == "ok"
        return fine and self.stands in ("", "lower")


@dataclass(frozen=True, slots=True, eq=False)
class Glimpse:
    """What the app keeps of a ``View``: plain and small, so that it can come from another process.

    ``preview`` is None for pictures between those that are shown.
    """

    preview: Preview | None
    observation: Observation | None
    hand: bool
    still_s: float
    problem: Message | None
    checks: Checks


@dataclass(frozen=True, slots=True)
class Mark:
    """A seen piece in the picture: foot at (u, v), 0 to 1 from the top-left corner."""

    u: float
    v: float
    label: str
    colour: str | None


@dataclass(frozen=True, slots=True, eq=False)
class Preview:
    """A picture ready for the screen: RGBA bytes of (width, height), rows from the top.

    ``outline``: the board's corners as (u, v), empty when it is not found.
    """

    pixels: bytes
    size: tuple[int, int]
    t_s: float
    outline: tuple[tuple[float, float], ...]
    marks: tuple[Mark, ...]
    hand: bool


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
    standing: Standing | None = None


class Pipeline(Protocol):
    """The eyes at work.  ``views`` blocks between pictures and ends with the film.

    One that reads a source has ``ending`` too: what a source that has ended says of what it could
    not give, None when all was there.
    """

    def views(self) -> Iterator[View | Glimpse]:
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
