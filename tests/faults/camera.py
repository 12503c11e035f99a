"""A camera over a drawn board that can be given any fault, and taken back to health."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import cv2
import numpy as np

from companion_app.pipeline import TablePipeline
from companion_app.sight import PipelineRequest
from engine.board import Board
from engine.errors import BoardwardenError
from engine.observation import Observation
from engine.placement import Placement
from tests.vision.artwork import artwork, checkered_board, photograph, reference
from vision.eyes import Glance
from vision.scene import SceneWatch
from vision.sources import FrameSource, LiveSource, LiveTimes
from vision.types import SHAPES, Detections, Image

FPS = 8.0
QUICK = LiveTimes(
    first_wait_s=2.0, stall_s=1.0, give_up_s=2.5, open_give_up_s=8.0, back_off_s=(0.05, 0.2)
)
SCALE = 0.6


def _small(image: Image) -> Image:
    return cv2.resize(image, None, fx=SCALE, fy=SCALE, interpolation=cv2.INTER_AREA)


VIEWS = [_small(photograph(artwork(1), seed=n)) for n in range(4)]
PORTRAIT = photograph(
    artwork(1), np.array([[70.0, 240.0], [560.0, 230.0], [600.0, 640.0], [40.0, 650.0]]),
    size=(640, 960),
)  # fmt: skip
PORTRAIT = _small(PORTRAIT)
NOTHING = Detections(
    np.zeros((0, 2), np.float32), np.zeros((0, 2), np.float32), np.zeros(0, np.float32),
    np.zeros((0, len(SHAPES)), np.float32), np.zeros(0, np.float32), np.zeros((1, 1), np.float32),
    np.zeros((1, 1), np.float32), np.array([[4.0, 0, 0], [0, 4.0, 0]]),
)  # fmt: skip


class Device:
    """What is plugged in.  ``fault`` is asked for every picture and may block, raise or lie."""

    def __init__(self) -> None:
        self.plugged = True
        self.opens = 0
        self.opening: Callable[[], None] = lambda: None
        self.fault: Callable[[int, Image], Any] | None = None
        self.block = threading.Event()  # set: nothing blocks any more
        self._count = 0

    def open(self) -> Device:
        self.opens += 1
        self.opening()
        if not self.plugged:
            raise BoardwardenError("there is no camera 0: plug it in")
        return self

    def read(self) -> tuple[bool, Any]:
        time.sleep(1 / FPS)
        self._count += 1
        fault = self.fault
        if not self.plugged:
            return False, None
        image = VIEWS[self._count % len(VIEWS)]
        if fault is None:
            return True, image
        seen = fault(self._count, image)
        return seen is not None, seen

    def release(self) -> None:
        pass

    def heal(self) -> None:
        """Everything is as it should be again."""
        self.plugged, self.fault, self.opening = True, None, lambda: None
        self.block.set()


class EmptyEyes:
    """Eyes that see no piece; finding the board and stillness are the project's own."""

    def look(self, image: Image, pose: Any, changed: Any = None) -> Glance:
        return Glance(pose, NOTHING, None, 0.0)  # type: ignore[arg-type]

    def observation(self, image: Image, glance: Glance, t_s: float, still_s: float) -> Observation:
        return Observation(t_s, True, False, still_s=still_s)

    def expect(self, placement: Placement) -> None:
        pass

    def learn_later(self, *what: Any) -> bool:
        return False


def pipeline_of(
    device: Device, times: LiveTimes = QUICK
) -> Callable[[PipelineRequest], TablePipeline]:
    """An opener for the app whose camera is ``device``; the table shows a drawn board."""
    return pipeline_from(lambda: LiveSource(device.open, "camera 0", times))


def pipeline_from(
    make: Callable[[], FrameSource],
) -> Callable[[PipelineRequest], TablePipeline]:
    """An opener for the app that sees a drawn board through the source that ``make`` gives."""
    board: Board = checkered_board()

    def open_it(request: PipelineRequest) -> TablePipeline:
        source = make()
        source.open()
        scene = SceneWatch(board, reference=reference())
        return TablePipeline(source, EmptyEyes(), scene)  # type: ignore[arg-type]

    return open_it


def torn(count: int, image: Image) -> Any:
    """A JPEG whose tail is missing, decoded as a network camera's would be; now and then whole."""
    if count % 3 == 0:
        return image
    data = cv2.imencode(".jpg", image)[1].tobytes()
    return cv2.imdecode(np.frombuffer(data[: len(data) // 2], np.uint8), cv2.IMREAD_COLOR)
