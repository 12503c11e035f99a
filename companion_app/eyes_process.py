"""The eyes in a process of their own, so that they never hold the lock that the screens need.

``open_in_process`` gives a ``Pipeline`` like any other.  The child makes glimpses of its views and
sends them through a pipe; what the game accepts goes the other way.  Where no process can be
started (Android) the caller keeps the eyes in a thread.
"""

from __future__ import annotations

import multiprocessing
import os
import threading
from collections.abc import Iterator
from multiprocessing.connection import Connection
from typing import Any

from companion_app.frames import Reducer
from companion_app.sight import Glimpse, Pipeline, PipelineOpener, PipelineRequest, View
from engine.errors import BoardwardenError
from engine.placement import Placement
from engine.verdict import Message

DIED = "the eyes stopped; they are started anew"
OFF_VARIABLE = "BOARDWARDEN_EYES"  # "thread": no process of their own


def wanted() -> bool:
    """Whether this platform can give the eyes a process."""
    if "ANDROID_ARGUMENT" in os.environ or os.environ.get(OFF_VARIABLE) == "thread":
        return False
    try:
        multiprocessing.get_context("spawn").Event()
    except (ImportError, OSError):
        return False
    return True


class ProcessPipeline:
    """A ``Pipeline`` whose work is done by a child process.

    ``opener`` makes the real pipeline, in the child: it must be a function of a module.
    """

    def __init__(self, request: PipelineRequest, opener: PipelineOpener) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._lock = threading.Lock()
        self._ending = threading.Lock()
        self._closed = self._ended = False
        self.ending: Message | None = None
        self._child = context.Process(
            target=_live, args=(theirs, request, opener), name="eyes", daemon=True
        )
        self._child.start()
        theirs.close()

    def views(self) -> Iterator[Glimpse]:
        """Glimpses until the source ends; raises BoardwardenError as the child's pipeline would."""
        try:
            while True:
                try:
                    kind, value = self._pipe.recv()
                except (EOFError, OSError):
                    if self._closed:
                        return
                    raise BoardwardenError(DIED) from None
                if kind == "glimpse":
                    yield value
                elif kind == "error":
                    sentence, key, params = value
                    raise BoardwardenError(sentence, key=key, params=params)
                else:
                    self.ending = value
                    return
        finally:
            with self._lock:
                self._pipe.close()

    def accepted(self, placement: Placement) -> None:
        """The game has gone on; from any thread."""
        self._tell(("accepted", placement))

    def told_corner(self, at: tuple[float, float]) -> None:
        """Somebody has pointed at the board's upper left corner; from any thread."""
        self._tell(("told_corner", at))

    def close(self) -> None:
        """Ends the child, by force if it does not listen, and gives its handles back; from any thread,
        more than once."""
        self._closed = True
        self._tell(("close", None))
        with self._ending:
            if self._ended:
                return
            for force in (lambda: None, self._child.terminate, self._child.kill):
                force()
                self._child.join(0.5)
                if not self._child.is_alive():
                    self._child.close()
                    self._ended = True
                    return

    def _tell(self, message: Any) -> None:
        try:
            with self._lock:
                self._pipe.send(message)
        except (OSError, ValueError):
            return


def open_in_process(request: PipelineRequest, opener: PipelineOpener) -> ProcessPipeline:
    """Starts the eyes in a process; raises BoardwardenError where that fails."""
    try:
        return ProcessPipeline(request, opener)
    except OSError as error:
        raise BoardwardenError(f"the eyes could not be started: {error}") from error


def project_eyes(request: PipelineRequest) -> Pipeline:
    """The project's own pipeline, in the process that calls this."""
    try:
        from companion_app.pipeline import open_pipeline
    except ImportError as error:
        raise BoardwardenError("this version cannot open a camera") from error
    return open_pipeline(request)


# --- in the child --------------------------------------------------------------------------------


def _live(pipe: Connection, request: PipelineRequest, opener: PipelineOpener) -> None:
    """Serves, then leaves at once: threads in drivers would abort the orderly end."""
    serve(pipe, request, opener)
    pipe.close()
    os._exit(0)


def serve(pipe: Connection, request: PipelineRequest, opener: PipelineOpener) -> None:
    """The child's main function: opens the pipeline and sends what it sees."""
    try:
        pipeline = opener(request)
    except BoardwardenError as error:
        pipe.send(("error", (str(error), error.key, error.params)))
        return
    threading.Thread(target=_listen, args=(pipe, pipeline), daemon=True).start()
    reducer, last = Reducer(), None
    try:
        for view in pipeline.views():
            glimpse = reducer.glimpse(view) if isinstance(view, View) else view
            state = (glimpse.hand, glimpse.problem, glimpse.checks)
            if glimpse.preview or glimpse.observation or state != last:
                pipe.send(("glimpse", glimpse))
                last = state
        pipe.send(("end", getattr(pipeline, "ending", None)))
    except BoardwardenError as error:
        pipe.send(("error", (str(error), error.key, error.params)))
    except (BrokenPipeError, ConnectionError):
        return  # the app has gone
    finally:
        pipeline.close()


def _listen(pipe: Connection, pipeline: Any) -> None:
    """What the app tells; without an app the child ends."""
    try:
        while True:
            kind, value = pipe.recv()
            if kind in ("accepted", "told_corner"):
                hears = getattr(pipeline, kind, None)
                if hears is not None:
                    hears(value)
            elif kind == "close":
                pipeline.close()
                return
    except (EOFError, OSError):
        pipeline.close()
        os._exit(0)
