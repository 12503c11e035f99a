"""Runs the eyes in a thread of their own and watches over them.

A source may open slowly, block for ever, raise, or end: the game never waits for it.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

from companion_app import texts
from companion_app.frames import FrameSlot, Reducer
from companion_app.recall import Recall
from companion_app.sight import Checks, Glimpse, Pipeline, View
from companion_app.snapshot import CameraState, Light
from companion_app.source_words import source_message
from engine.errors import BoardwardenError
from engine.observation import Observation
from engine.verdict import Message

SETTLE_S = 0.6  # DESIGN decision 7
SILENT_AFTER_S = 4.0
RETRY_S = (1.0, 2.0, 5.0, 10.0)

log = logging.getLogger(__name__)

OFF = CameraState(Light.OFF, texts.message("camera.off"))


class Eyes:
    """One pipeline at a time, opened and read in a daemon thread.

    ``on_observation`` and ``on_state`` are called on that thread.  ``stop`` returns within
    about a second even when the source blocks; the thread that hangs in it is then abandoned,
    and nothing that it still brings is passed on.
    """

    def __init__(
        self,
        open_pipeline: Callable[[], Pipeline],
        frames: FrameSlot,
        on_observation: Callable[[Observation], None],
        on_state: Callable[[], None],
    ) -> None:
        self._open = open_pipeline
        self.recall = Recall()
        self._frames = frames
        self._on_observation = on_observation
        self._on_state = on_state
        self._lock = threading.Lock()
        self._state = OFF
        self._generation = 0
        self._seen_any = False
        self._last_view = time.monotonic()
        self._pipeline: Pipeline | None = None
        self._thread: threading.Thread | None = None
        self._stopping = threading.Event()

    @property
    def pipeline(self) -> Pipeline | None:
        """The open pipeline, None while there is none."""
        return self._pipeline

    def start(self) -> None:
        """Opens the source in a new thread; does nothing while one runs."""
        with self._lock:
            if self._thread is not None:
                return
            self._generation += 1
            self._stopping = threading.Event()
            self._seen_any = False
            self._last_view = time.monotonic()
            self._state = CameraState(Light.WAIT, texts.message("camera.opening"))
            self._thread = threading.Thread(
                target=self._run, args=(self._generation, self._stopping), name="eyes", daemon=True
            )
            self._thread.start()
        self._on_state()

    def stop(self, timeout_s: float = 1.0) -> None:
        """Closes the source; never waits longer than about ``timeout_s`` seconds."""
        with self._lock:
            thread, self._thread = self._thread, None
            pipeline, self._pipeline = self._pipeline, None
            self._generation += 1
            self._stopping.set()
            self._state = OFF
        deadline = time.monotonic() + timeout_s
        if pipeline is not None:
            closer = threading.Thread(target=_close, args=(pipeline,), name="close", daemon=True)
            closer.start()
            closer.join(max(0.0, deadline - time.monotonic()))
        if thread is not None and thread is not threading.current_thread():
            thread.join(max(0.0, deadline - time.monotonic()))

    def state(self) -> CameraState:
        """What the camera sees; trouble when it has been silent for too long."""
        with self._lock:
            silent = time.monotonic() - self._last_view
            if self._thread is not None and silent > SILENT_AFTER_S:
                if self._state.light is Light.WAIT and not self._seen_any:
                    return CameraState(Light.WAIT, texts.message("camera.slow"))
                if self._state.light not in (Light.TROUBLE, Light.OFF):
                    return trouble(texts.message("camera.silent"))
            return self._state

    def _run(self, generation: int, stopping: threading.Event) -> None:
        attempt = 0
        while not stopping.is_set():
            began = self._last_view
            try:
                self._set(generation, _ended(self._watch(generation)))
                return
            except BoardwardenError as error:
                problem = source_message(str(error), error.key, error.params)
            except Exception:
                log.exception("the eyes stopped")
                problem = texts.message("camera.lost")
            attempt = attempt if self._last_view == began else 0
            self._set(generation, trouble(problem))
            stopping.wait(RETRY_S[min(attempt, len(RETRY_S) - 1)])
            attempt += 1

    def _watch(self, generation: int) -> Message | None:
        """Follows the source to its end; what it says of that."""
        pipeline, reducer = self._open(), Reducer()
        with self._lock:
            if generation != self._generation:
                stale = True
            else:
                stale, self._pipeline = False, pipeline
        try:
            if stale:
                return None
            for view in pipeline.views():
                if generation != self._generation:
                    return None
                self._take(generation, reducer.glimpse(view) if isinstance(view, View) else view)
            return getattr(pipeline, "ending", None)
        finally:
            with self._lock:
                if self._pipeline is pipeline:
                    self._pipeline = None
            _close(pipeline)

    def _take(self, generation: int, glimpse: Glimpse) -> None:
        self._last_view = time.monotonic()
        self._seen_any = True
        self.recall.take(glimpse)
        if glimpse.preview is not None:
            self._frames.put(glimpse.preview)
        self._set(generation, _state_of(glimpse))
        if glimpse.observation is not None:
            self._on_observation(glimpse.observation)

    def _set(self, generation: int, state: CameraState) -> None:
        with self._lock:
            if generation != self._generation or state == self._state:
                return
            self._state = state
        self._on_state()


def trouble(problem: Message, checks: Checks | None = None) -> CameraState:
    """Red light: the sentence, and that the game goes on by hand."""
    return CameraState(Light.TROUBLE, problem, texts.message("camera.by_hand"), checks)


def _ended(ending: Message | None) -> CameraState:
    """Nothing comes any more: all was seen, or a film broke off."""
    if ending is not None:
        return trouble(ending)
    return CameraState(Light.OFF, texts.message("camera.ended"))


def _state_of(glimpse: Glimpse) -> CameraState:
    checks = glimpse.checks
    if glimpse.problem is not None:
        return trouble(glimpse.problem, checks)
    if glimpse.hand:
        return CameraState(Light.HAND, texts.message("camera.hand"), checks=checks)
    if glimpse.still_s < SETTLE_S:
        return CameraState(Light.WAIT, texts.message("camera.moving"), checks=checks)
    return CameraState(Light.LOOK, texts.message("camera.watching"), checks=checks)


def _close(pipeline: Pipeline) -> None:
    try:
        pipeline.close()
    except Exception:
        log.exception("closing the eyes failed")
