"""Hand-over of the live picture: the newest one only, small, converted off the interface thread."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np

from companion_app.sight import View
from vision.types import Image

PREVIEW_SIZE = (640, 360)


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


class FrameSlot:
    """Holds the newest preview; older ones are dropped unseen."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._newest: Preview | None = None
        self._on_new: Callable[[], None] | None = None

    def on_new(self, callback: Callable[[], None] | None) -> None:
        """``callback`` is called on the eyes' thread for each new preview; None ends it."""
        with self._lock:
            self._on_new = callback

    def put(self, preview: Preview) -> None:
        """Replaces what has not been taken yet."""
        with self._lock:
            self._newest = preview
            callback = self._on_new
        if callback is not None:
            callback()

    def take(self) -> Preview | None:
        """The newest preview, once; None when there is nothing new."""
        with self._lock:
            newest, self._newest = self._newest, None
            return newest


def preview_of(view: View) -> Preview:
    """Shrinks a picture into ``PREVIEW_SIZE`` (aspect kept) with its overlay in fractions."""
    height, width = view.frame.image.shape[:2]
    outline: tuple[tuple[float, float], ...] = ()
    if view.pose is not None:
        corners = np.asarray(view.pose.corners_px, float) + 0.5
        outline = tuple((float(x) / width, float(y) / height) for x, y in corners)
    marks = tuple(
        Mark(
            (piece.foot_px[0] + 0.5) / width,
            (piece.foot_px[1] + 0.5) / height,
            _label(piece.best.spots),
            piece.best.colour,
        )
        for piece in view.seen
        if piece.candidates
    )
    pixels, size = _shrink(view.frame.image)
    return Preview(pixels, size, view.frame.t_s, outline, marks, view.hand)


def _label(spots: tuple[str, ...]) -> str:
    if not spots:
        return ""
    return spots[0].removeprefix("track/") if len(spots) == 1 else spots[0] + "+"


def _shrink(image: Image) -> tuple[bytes, tuple[int, int]]:
    height, width = image.shape[:2]
    scale = min(PREVIEW_SIZE[0] / width, PREVIEW_SIZE[1] / height, 1.0)
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    small = (
        image if size == (width, height) else cv2.resize(image, size, interpolation=cv2.INTER_AREA)
    )
    return cv2.cvtColor(small, cv2.COLOR_BGR2RGBA).tobytes(), size
