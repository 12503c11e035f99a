"""Films: every frame, at its time in the film."""

from __future__ import annotations

import math
import os
import threading
from pathlib import Path

import cv2

from engine.errors import BoardwardenError
from engine.files import shown
from vision.sources import words
from vision.sources.base import SourceKind, SourceState
from vision.sources.pictures import MAX_PIXELS, as_bgr
from vision.sources.quiet import quiet_opencv
from vision.types import Frame

USUAL_FPS = 25.0
DAMAGED_FRAMES = 5  # so many in a row are passed over before the film counts as ended
TEXT_BYTES = 4096  # the head of any film is shorter, and pictures are no text
_NO_TEXT = {byte for byte in range(32) if chr(byte) not in "\t\n\f\r"}
SLACK_FRAMES = 2  # headers count so many more than there are, also in whole films


def _is_text(path: Path) -> bool:
    """Whether a file begins like a list of films or addresses: one that is still being written would
    be waited for half a minute."""
    try:
        with path.open("rb") as file:
            head = file.read(TEXT_BYTES)
    except OSError:
        return False
    return bool(head) and not _NO_TEXT & set(head)


class FilmSource:
    """A film file; ``t_s`` is the frame's number divided by the film's rate."""

    live = False

    def __init__(self, path: Path) -> None:
        self.name = str(path)
        self._path = path
        self._capture: cv2.VideoCapture | None = None
        self._fps = USUAL_FPS
        self._count = 0
        self._index = 0
        self._given, self._last_ms = 0, 0.0
        self._state = SourceState(SourceKind.CLOSED)
        self._busy = threading.Lock()

    @property
    def state(self) -> SourceState:
        """OK, ENDED (with a sentence where the film breaks off) or CLOSED."""
        return self._state

    @property
    def fps(self) -> float:
        """Frames per second as the file says; 25 where it says nothing sensible."""
        return self._fps

    def open(self) -> None:
        """Opens the file; raises BoardwardenError when it is missing or no film."""
        if self._capture is not None:
            return
        if not os.path.isfile(self._path):
            raise BoardwardenError(f"there is no film {shown(self._path)}: check the name")
        quiet_opencv()
        capture = (
            None if _is_text(self._path) else cv2.VideoCapture(str(self._path), cv2.CAP_FFMPEG)
        )
        if capture is None or not capture.isOpened():
            raise BoardwardenError(
                f"{shown(self._path)} is not a film that can be read: if it was cut off copy it again, else save it as MP4"
            )
        size = capture.get(cv2.CAP_PROP_FRAME_WIDTH), capture.get(cv2.CAP_PROP_FRAME_HEIGHT)
        if size[0] * size[1] > MAX_PIXELS:
            capture.release()
            raise BoardwardenError(
                f"the pictures of {shown(self._path)} are too large ({size[0]:.0f}x{size[1]:.0f}):"
                " save the film smaller and try again"
            )
        fps = capture.get(cv2.CAP_PROP_FPS)
        self._fps = float(fps) if math.isfinite(fps) and 0.1 <= fps <= 1000 else USUAL_FPS
        self._count = max(0, int(capture.get(cv2.CAP_PROP_FRAME_COUNT)))
        self._capture = capture
        self._index, self._given, self._last_ms = 0, 0, 0.0
        self._state = SourceState(SourceKind.OK)

    def read(self, timeout_s: float) -> Frame | None:
        """The next frame; None at the end.  Raises BoardwardenError if there is no frame at all."""
        with self._busy:
            return self._next()

    def _next(self) -> Frame | None:
        if self._capture is None or self._state.kind is SourceKind.ENDED:
            return None
        for _ in range(DAMAGED_FRAMES):
            ok, image = self._capture.read()
            index, self._index = self._index, self._index + 1
            if ok and image is not None:
                self._given += 1
                self._last_ms = self._capture.get(cv2.CAP_PROP_POS_MSEC)
                return Frame(as_bgr(image), index / self._fps, index)
            if self._index >= self._count:
                break
        self._state = self._ended()
        if self._index <= DAMAGED_FRAMES and self._count > DAMAGED_FRAMES:
            raise BoardwardenError(
                f"the film {shown(self._path)} is damaged: record or copy it again"
            )
        return None

    def _ended(self) -> SourceState:
        """Whether all was there that the header speaks of.  Where frames differ in length their number is
        only guessed from the film's, so both must fall short."""
        missing = self._count - self._given
        whole_s = self._count / self._fps
        read_s = self._last_ms / 1000 + 1 / self._fps
        slack = max(SLACK_FRAMES, min(DAMAGED_FRAMES, self._count // 10))
        if missing <= slack or not whole_s - read_s > missing / self._fps / 2:
            return SourceState(SourceKind.ENDED)
        return words.state(
            SourceKind.ENDED, "source.cut_off",
            name=shown(self._path), read=f"{max(0.0, read_s):.1f}", whole=f"{whole_s:.1f}",
        )  # fmt: skip

    def close(self) -> None:
        """Closes the file, also while another thread reads: OpenCV itself would end the program."""
        with self._busy:
            if self._capture is not None:
                self._capture.release()
                self._capture = None
            self._state = SourceState(SourceKind.CLOSED)
