"""Live sources: a thread of its own keeps the newest frame, so that nobody ever waits for it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from engine.errors import BoardwardenError
from vision.sources import words
from vision.sources.base import SourceKind, SourceState
from vision.sources.capture import Capture
from vision.sources.pictures import as_bgr
from vision.types import Frame, Image


@dataclass(frozen=True, slots=True)
class LiveTimes:
    """Seconds.  ``first_wait_s``: how long `open` waits for the first frame; ``stall_s``: without
    a new picture, or with the same one, the source is stalled, and already after ``quick_stall_s``
    where pictures came quicker than that so far (`_Rhythm`); ``give_up_s``: then it is opened anew; ``open_give_up_s``: opening may take so long (some drivers need half a minute);
    ``back_off_s``: first and longest wait between attempts."""

    first_wait_s: float = 6.0
    stall_s: float = 3.0
    quick_stall_s: float = 1.5
    give_up_s: float = 10.0
    open_give_up_s: float = 60.0
    back_off_s: tuple[float, float] = (0.5, 8.0)


class _Rhythm:
    """How far apart pictures came of late: a camera that sends 30 a second is missed sooner than a
    network camera that sends one every 2 s, or whose coder repeats pictures of a still table."""

    FADE_S = 20.0  # in this time a long gap counts for half as much
    GAPS = 3.0  # so many of the longest gaps without a picture are no chance any more

    def __init__(self) -> None:
        self._longest_s: float | None = None

    def gap(self, seconds: float) -> None:
        """A picture came so long after the one before."""
        faded = (self._longest_s or 0.0) * 0.5 ** (seconds / self.FADE_S)
        self._longest_s = max(faded, seconds)

    def patience_s(self, times: LiveTimes) -> float:
        """After so long without another picture something is wrong."""
        if self._longest_s is None:
            return times.stall_s
        return min(times.stall_s, max(times.quick_stall_s, self.GAPS * self._longest_s))


class LiveSource:
    """A camera or network address.

    ``opener`` gives a Capture or raises BoardwardenError; it and the capture's read may block for
    ever without harm: the thread is then left behind and another one started.
    """

    live = True
    MAX_LEFT_BEHIND = 3

    def __init__(
        self,
        opener: Callable[[], Capture],
        name: str,
        times: LiveTimes | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.name = name
        self._opener = opener
        self._times = times or LiveTimes()
        self._clock = clock
        self._news = threading.Condition()
        self._generation = 0
        self._stop = threading.Event()
        self._state = SourceState(SourceKind.CLOSED)
        self._error: BoardwardenError | None = None
        self._opening = False
        self._newest: Frame | None = None
        self._read_index = -1
        self._count = 0
        self._left_behind: list[threading.Thread] = []
        self._thread: threading.Thread | None = None
        self._start_s = self._clock()
        self._alive_s = self._start_s
        self._changed_s = self._start_s
        self._print = b""
        self._frames, self._changes = _Rhythm(), _Rhythm()

    @property
    def state(self) -> SourceState:
        """How the source does now; also starts it anew when it has hung too long."""
        with self._news:
            self._watch()
            return self._state_now()

    def open(self) -> None:
        """Starts reading and waits at most ``first_wait_s`` for the first frame.

        Raises BoardwardenError when the first attempt fails within that time; a device that is
        merely slow is left OPENING.
        """
        with self._news:
            if self._state.kind is not SourceKind.CLOSED:
                return
            self._state = words.state(SourceKind.OPENING, "source.opening", name=self.name)
            self._error = None
            self._start()
            self._news.wait_for(
                lambda: self._newest is not None or self._error is not None,
                self._times.first_wait_s,
            )
            error = self._error if self._newest is None else None
        if error is not None:
            self.close()
            raise error

    def read(self, timeout_s: float) -> Frame | None:
        """The newest frame if it is newer than the last one read, waiting up to ``timeout_s``."""
        with self._news:
            self._watch()
            self._news.wait_for(self._has_news, max(0.0, timeout_s))
            if not self._has_news():
                return None
            frame = self._newest
            assert frame is not None
            self._read_index = frame.index
            return frame

    def close(self) -> None:
        """Stops; a thread that hangs in the driver is left to itself."""
        with self._news:
            self._generation += 1
            self._stop.set()
            self._state = SourceState(SourceKind.CLOSED)
            self._newest = None
            thread, self._thread = self._thread, None
            self._news.notify_all()
        if thread is not None and thread is not threading.current_thread():
            thread.join(0.2)

    def _has_news(self) -> bool:
        return self._newest is not None and self._newest.index > self._read_index

    def _state_now(self) -> SourceState:
        if self._state.kind is not SourceKind.OK:
            return self._state
        now = self._clock()
        if now - self._alive_s > self._frames.patience_s(self._times):
            return words.state(SourceKind.STALLED, "source.silent", name=self.name)
        if self._alive_s - self._changed_s > self._changes.patience_s(self._times):
            return words.state(SourceKind.STALLED, "source.same", name=self.name)
        return self._state

    def _watch(self) -> None:
        """Leaves a hanging thread behind and starts another (lock held)."""
        if self._thread is None or self._state.kind is SourceKind.CLOSED:
            return
        patience = self._times.open_give_up_s if self._opening else self._times.give_up_s
        if self._clock() - self._alive_s <= patience:
            return
        self._left_behind = [t for t in self._left_behind if t.is_alive()]
        if len(self._left_behind) >= self.MAX_LEFT_BEHIND:
            self._state = words.state(SourceKind.LOST, "source.deaf", name=self.name)
            return
        self._left_behind.append(self._thread)
        self._state = words.state(SourceKind.LOST, "source.hangs", name=self.name)
        self._start()

    def _start(self) -> None:
        self._generation += 1
        self._stop.set()
        self._stop = threading.Event()
        self._alive_s = self._changed_s = self._clock()
        self._thread = threading.Thread(
            target=self._run, args=(self._generation, self._stop), name="frames", daemon=True
        )
        self._thread.start()

    def _run(self, generation: int, stop: threading.Event) -> None:
        wait_s, longest = self._times.back_off_s
        while not stop.is_set():
            self._touch(generation, opening=True)
            try:
                capture = self._opener()
            except BoardwardenError as error:
                self._report_lost(generation, error)
            else:
                self._touch(generation, opening=False)
                if self._pump(capture, generation, stop):
                    wait_s = self._times.back_off_s[0]
                with suppress(Exception):  # a driver's last words change nothing
                    capture.release()
            if stop.wait(wait_s):
                return
            wait_s = min(2 * wait_s, longest)

    def _pump(self, capture: Capture, generation: int, stop: threading.Event) -> bool:
        """Reads until the source is lost; True when at least one frame came."""
        any_frame = False
        while not stop.is_set():
            try:
                ok, image = capture.read()
                picture = as_bgr(image) if ok and image is not None else None
            except Exception:  # drivers raise what they like; all of it means: no picture
                picture = None
            if picture is None:
                self._report_lost(generation, self._lost_error())
                return any_frame
            any_frame = True
            if not self._publish(picture, generation):
                return True
        return any_frame

    def _publish(self, image: Image, generation: int) -> bool:
        """Makes the frame the newest; False when this thread should open anew or stop."""
        sample = np.ascontiguousarray(image[::9, ::9]).tobytes()
        with self._news:
            if generation != self._generation:
                return False
            now = self._clock()
            if self._state.kind is SourceKind.OK:  # not the time that opening took
                self._frames.gap(now - self._alive_s)
                if sample != self._print:
                    self._changes.gap(now - self._changed_s)
            self._alive_s = now
            if sample != self._print:
                self._print, self._changed_s = sample, now
            self._newest = Frame(image, now - self._start_s, self._count)
            self._count += 1
            self._state = SourceState(SourceKind.OK)
            self._news.notify_all()
            if now - self._changed_s > self._times.give_up_s:
                self._changed_s = now - self._times.stall_s - 1e-3
                return False
            return True

    def _touch(self, generation: int, opening: bool) -> None:
        with self._news:
            if generation == self._generation:
                self._alive_s = self._clock()
                self._opening = opening
                if opening:
                    self._frames, self._changes = _Rhythm(), _Rhythm()

    def _report_lost(self, generation: int, error: BoardwardenError) -> None:
        with self._news:
            if generation != self._generation:
                return
            self._alive_s = self._changed_s = self._clock()
            self._opening = False
            self._error = error
            self._state = words.state_of(SourceKind.LOST, error)
            self._news.notify_all()

    def _lost_error(self) -> BoardwardenError:
        return words.told("source.lost", name=self.name)
