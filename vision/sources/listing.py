"""Which cameras there are, by name where the system gives one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from engine.errors import BoardwardenError
from engine.files import read_bytes, shown
from vision.sources.capture import Capture, open_camera
from vision.sources.pictures import as_bgr
from vision.types import Image

SYSTEM = Path("/sys/class/video4linux")  # Linux; other systems give no names without permission
HIGHEST = 5
NAME_BYTES = 500
FRAMES = 8  # looked at before a camera counts as grey: the first ones are often black
DARK = 12.0  # mean grey level below which nobody can tell colours
COLOURLESS = 3  # greatest difference of channels that is noise
INFRARED = re.compile(r"\b(ir|infrared|infra-red)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class CameraInfo:
    """A camera that gives pictures.  ``size``: (width, height) px; ``grey``: its pictures have no
    colour (often infrared); ``name``: the system's, "" where it gives none."""

    index: int
    size: tuple[int, int]
    grey: bool
    name: str = ""


def camera_names(system: Path = SYSTEM) -> dict[int, str]:
    """Names by number, without opening anything; empty where the system gives none.

    A device's further nodes (its metadata) and those named as infrared are left out.
    """
    found: dict[int, str] = {}
    try:
        nodes = [n for n in system.iterdir() if re.fullmatch(r"video\d{1,2}", n.name)]
    except OSError:
        return {}
    for node in nodes:
        name = _line(node / "name")
        if name and _line(node / "index") in ("", "0") and not INFRARED.search(name):
            found[int(node.name.removeprefix("video"))] = name
    return dict(sorted(found.items()))


def list_cameras(highest: int = HIGHEST, *, with_grey: bool = False) -> list[CameraInfo]:
    """The cameras that open and give a picture, numbers 0 to ``highest`` and those that the system
    names, gaps passed over; grey ones only ``with_grey``.

    May take seconds: call it in a thread of its own.
    """
    names = camera_names()
    found = []
    for index in sorted({*range(highest + 1), *names}):
        try:
            capture = open_camera(index)
        except BoardwardenError:
            continue
        try:
            camera = _look(capture, index, names.get(index, ""))
        finally:
            capture.release()
        if camera is not None and (with_grey or not camera.grey):
            found.append(camera)
    return found


def _look(capture: Capture, index: int, name: str) -> CameraInfo | None:
    size, grey = None, False
    for _ in range(FRAMES):
        try:
            ok, image = capture.read()
            picture = as_bgr(image) if ok and image is not None else None
        except BoardwardenError:
            picture = None
        if picture is None:
            break
        size = picture.shape[1], picture.shape[0]
        if picture.mean() > DARK:
            grey = is_grey(picture)
            if not grey:
                break
    return None if size is None else CameraInfo(index, size, grey, name)


def is_grey(image: Image) -> bool:
    """Whether a BGR picture (H, W, 3) has no colour anywhere."""
    small = image[::4, ::4].astype(np.int16)
    return bool((small.max(axis=2) - small.min(axis=2)).max() <= COLOURLESS)


def _line(path: Path) -> str:
    try:
        return shown(read_bytes(path, "the name", NAME_BYTES).decode("utf-8", "replace").strip())
    except BoardwardenError:
        return ""
