"""A camera looked through before anything is measured or judged: previews, and the newest frame."""

from __future__ import annotations

import threading
from contextlib import suppress

from companion_app.frames import PREVIEW_EVERY_S, FrameSlot, preview_of
from companion_app.sight import View
from companion_app.texts import told
from engine.errors import BoardwardenError
from vision.sources import FrameSource, open_source
from vision.types import Frame, Image

READ_S = 0.5


class Viewfinder:
    """Opens a source on a thread of its own; nothing here ever waits for a camera.

    ``problem``: what is wrong with the source in one sentence, "" while all is well.
    """

    def __init__(self, source: str) -> None:
        self.frames = FrameSlot()
        self.source = source
        self.problem = ""
        self._newest: Frame | None = None
        self._stop = threading.Event()
        threading.Thread(target=self._run, name="viewfinder", daemon=True).start()

    @property
    def picture(self) -> Image | None:
        """The newest picture, whole; None before the first one."""
        newest = self._newest
        return None if newest is None else newest.image

    def close(self) -> None:
        """Lets the camera go, soon."""
        self._stop.set()

    def _run(self) -> None:
        try:
            source = open_source(self.source)
        except BoardwardenError as error:
            self.problem = told(error)
            return
        try:
            self._look(source)
        except BoardwardenError as error:
            self.problem = told(error)
        finally:
            with suppress(BoardwardenError):
                source.close()

    def _look(self, source: FrameSource) -> None:
        shown_s = -1.0
        while not self._stop.is_set():
            frame = source.read(READ_S)
            self.problem = source.state.sentence
            if frame is None:
                if not source.live:
                    return
                continue
            self._newest = frame
            if abs(frame.t_s - shown_s) >= PREVIEW_EVERY_S:
                shown_s = frame.t_s
                self.frames.put(preview_of(View(frame, None, None, False, 0.0, None, ())))
            if not source.live:
                self._stop.wait(PREVIEW_EVERY_S)
