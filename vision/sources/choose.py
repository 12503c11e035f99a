"""From what a person names to a source."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from engine.errors import BoardwardenError
from engine.files import shown
from vision.sources.base import FrameSource
from vision.sources.capture import check_address, open_address, open_camera, without_secrets
from vision.sources.film import FilmSource
from vision.sources.live import LiveSource, LiveTimes
from vision.sources.pictures import SUFFIXES
from vision.sources.stills import PicturesSource, folder_source

SCHEMES = ("http://", "https://", "rtsp://", "rtsps://")
MAX_CAMERA = 99


def open_source(
    text: str, *, times: LiveTimes | None = None, folder_fps: float | None = None
) -> FrameSource:
    """The opened source that ``text`` names: a camera's number, a film, a folder of pictures, a
    picture, or an http(s) or rtsp address.

    ``folder_fps``: the folder's pictures are the frames of a film (default: a slide show).
    Raises BoardwardenError with what is wrong and the remedy.
    """
    source = _choose(text.strip(), times, folder_fps)
    source.open()
    return source


def check_source(text: str) -> None:
    """Whether a name can be a source, without opening it; raises BoardwardenError."""
    _choose(text.strip(), None, None)


def _choose(text: str, times: LiveTimes | None, folder_fps: float | None) -> FrameSource:
    if not text:
        raise BoardwardenError("no source is named: give a camera number, a film or a folder")
    if text.isascii() and text.isdigit():
        index = int(text)
        if index > MAX_CAMERA:
            raise BoardwardenError(f"there is no camera {index}: numbers go from 0 to {MAX_CAMERA}")
        return LiveSource(partial(open_camera, index), f"camera {index}", times)
    if text.lower().startswith(SCHEMES):
        check_address(text)
        return LiveSource(partial(open_address, text), without_secrets(text), times)
    if "://" in text:
        raise BoardwardenError(
            f"{without_secrets(text)} is not an address that can be watched: use http, https or"
            " rtsp"
        )
    path = Path(text)
    try:
        path = path.expanduser()
        is_folder, exists = path.is_dir(), path.exists()
    except (OSError, ValueError, RuntimeError):  # RuntimeError: ~ of nobody
        is_folder = exists = False
    if is_folder:
        return folder_source(path, folder_fps)
    if not exists:
        raise BoardwardenError(
            f"there is no {shown(text)!r}: name a camera number, a film, a picture, a folder of pictures or"
            " an address"
        )
    if path.suffix.lower() in SUFFIXES:
        return PicturesSource([path], str(path))
    return FilmSource(path)
