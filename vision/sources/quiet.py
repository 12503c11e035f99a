"""Keeps OpenCV and FFmpeg from writing to the terminal: people get one sentence instead."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Iterator

import cv2

_ONE_AT_A_TIME = threading.RLock()

# read by OpenCV when it first opens a film or an address
os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")


def quiet_opencv() -> None:
    """No more log lines of OpenCV; the level is the whole process's, errors are still raised."""
    # OpenCV 5 has the first, 4.12 only the second; 0 is silent in both
    logging = getattr(getattr(cv2, "utils", None), "logging", None)
    set_level = getattr(logging, "setLogLevel", None) or getattr(cv2, "setLogLevel", None)
    if set_level is not None:
        set_level(0)


@contextlib.contextmanager
def silenced() -> Iterator[None]:
    """Nothing reaches the terminal meanwhile: libjpeg and libpng write there by themselves."""
    quiet_opencv()
    with _ONE_AT_A_TIME:
        try:
            kept = os.dup(2)
        except OSError:  # there is no terminal
            yield
            return
        try:
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, 2)
            os.close(nowhere)
            yield
        finally:
            os.dup2(kept, 2)
            os.close(kept)
