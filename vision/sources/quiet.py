"""Keeps OpenCV and FFmpeg from writing to the terminal: people get one sentence instead."""

from __future__ import annotations

import os

import cv2

# read by OpenCV when it first opens a film or an address
os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")


def quiet_opencv() -> None:
    """No more log lines of OpenCV; the level is the whole process's, errors are still raised."""
    # OpenCV 5 has the first, 4.12 only the second; 0 is silent in both
    logging = getattr(getattr(cv2, "utils", None), "logging", None)
    set_level = getattr(logging, "setLogLevel", None) or getattr(cv2, "setLogLevel", None)
    if set_level is not None:
        set_level(0)
