"""The last seconds of what the eyes saw, in memory only, for a report that the users ask for."""

from __future__ import annotations

import threading
from collections import deque
from dataclasses import asdict, dataclass
from typing import Any

import cv2
import numpy as np

from companion_app.sight import Glimpse, Preview

KEPT = 40
EVERY_S = 0.5
QUALITY = 80


@dataclass(frozen=True, slots=True)
class Remembered:
    """A small picture as JPEG, and the reading that went with it as JSON (None: no reading)."""

    t_s: float
    jpeg: bytes
    reading: dict[str, Any] | None


class Recall:
    """Keeps the newest ``KEPT`` pictures, about two a second."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: deque[Remembered] = deque(maxlen=KEPT)
        self._last_s = -EVERY_S

    def take(self, glimpse: Glimpse) -> None:
        """Keeps a picture if it is time for one."""
        preview = glimpse.preview
        if preview is None or 0 <= preview.t_s - self._last_s < EVERY_S:
            return
        self._last_s = preview.t_s
        reading = None if glimpse.observation is None else asdict(glimpse.observation)
        with self._lock:
            self._kept.append(Remembered(preview.t_s, _jpeg(preview), reading))

    def kept(self) -> tuple[Remembered, ...]:
        """What is remembered, oldest first."""
        with self._lock:
            return tuple(self._kept)


def _jpeg(preview: Preview) -> bytes:
    width, height = preview.size
    pixels = np.frombuffer(preview.pixels, np.uint8).reshape(height, width, 4)
    bgr = cv2.cvtColor(pixels, cv2.COLOR_RGBA2BGR)
    return bytes(cv2.imencode(".jpg", bgr, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1])
