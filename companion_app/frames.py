"""Hand-over of the live picture: the newest one only, small, converted off the interface thread."""

from __future__ import annotations

import threading
from collections.abc import Callable

import cv2
import numpy as np

from companion_app.sight import Checks, Glimpse, Mark, Preview, View
from vision.types import Image

PREVIEW_SIZE = (640, 360)
PREVIEW_EVERY_S = 0.1  # at most ten pictures a second are shown
DARK, BRIGHT = 40.0, 232.0  # mean grey levels beyond which setting up asks for other light
SMALL = 0.18  # share of the picture that the board should fill at least
STILL_S = 0.6


class FrameSlot:
    """Holds the newest preview; older ones are dropped unseen."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._newest: Preview | None = None
        self._last: Preview | None = None
        self._on_new: Callable[[], None] | None = None

    def on_new(self, callback: Callable[[], None]) -> None:
        """``callback`` is called now, and on the eyes' thread for each new preview, until another
        takes its place.  A new caller begins with the last picture."""
        with self._lock:
            self._on_new = callback
            self._newest = self._last
        callback()

    def forget(self, callback: Callable[[], None]) -> None:
        """``callback`` is not called any more; nothing changes where another has its place (a
        screen is entered before the one before it is left)."""
        with self._lock:
            if self._on_new == callback:
                self._on_new = None

    def put(self, preview: Preview) -> None:
        """Replaces what has not been taken yet."""
        with self._lock:
            self._newest = self._last = preview
            callback = self._on_new
        if callback is not None:
            callback()

    def take(self) -> Preview | None:
        """The newest preview, once; None when there is nothing new."""
        with self._lock:
            newest, self._newest = self._newest, None
            return newest


class Reducer:
    """Makes glimpses of views, with a preview at most every ``PREVIEW_EVERY_S``."""

    def __init__(self) -> None:
        self._shown_s = -1.0
        self._level = 128.0

    def glimpse(self, view: View) -> Glimpse:
        """What the app keeps of a view."""
        preview, now = None, view.frame.t_s
        if abs(now - self._shown_s) >= PREVIEW_EVERY_S - 0.005:
            self._shown_s = now
            preview = preview_of(view)
            self._level = float(view.frame.image[::16, ::16].mean())
        return Glimpse(
            preview, view.observation, view.hand, view.still_s, view.problem,
            checks_of(view, self._level),
        )  # fmt: skip


def checks_of(view: View, level: float) -> Checks:
    """What is still to be done at the camera; ``level``: mean grey of the picture."""
    light = "dark" if level < DARK else "bright" if level > BRIGHT else "ok"
    still = view.still_s >= STILL_S and not view.hand
    outline = _outline(view)
    corner = ""
    for u, v in outline:
        if not (0 <= u <= 1 and 0 <= v <= 1):
            corner = f"{'upper' if v < 0.5 else 'lower'}_{'left' if u < 0.5 else 'right'}"
    area = 0.0
    for (u0, v0), (u1, v1) in zip(outline, (*outline[1:], *outline[:1]), strict=True):
        area += (u0 * v1 - u1 * v0) / 2
    small = bool(outline) and abs(area) < SMALL
    return Checks(bool(outline), corner, small, light, still, view.standing)


def _outline(view: View) -> tuple[tuple[float, float], ...]:
    if view.pose is None:
        return ()
    height, width = view.frame.image.shape[:2]
    corners = np.asarray(view.pose.corners_px, float) + 0.5
    return tuple((float(x) / width, float(y) / height) for x, y in corners)


def preview_of(view: View) -> Preview:
    """Shrinks a picture into ``PREVIEW_SIZE`` (aspect kept) with its overlay in fractions."""
    height, width = view.frame.image.shape[:2]
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
    return Preview(pixels, size, view.frame.t_s, _outline(view), marks, view.hand)


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
