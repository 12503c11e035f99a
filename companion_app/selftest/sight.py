"""The eyes on the recording that comes with the program, this device's camera, the page."""

from __future__ import annotations

import http.client
import time
import urllib.parse
from collections import Counter

import numpy as np

from companion_app.benchmark.table import GAME, demo_table
from companion_app.demo_game import demo_folder, demo_setup
from companion_app.device import remembered_threads
from companion_app.selftest.checks import NotTried, Wanted
from engine.errors import BoardwardenError
from engine.rooms import room_for
from vision.detector import Detector
from vision.labels import labels_of
from vision.sources import FrameSource, SourceKind, open_source

LATER = 10  # frames after the one that the pieces are learnt from, still the same position
LEAST_RIGHT = 0.9
CAMERA_S = 3.0
LEAST_CAMERA_FPS = 1.0
LOOPBACK = "127.0.0.1"


def eyes(wanted: Wanted) -> str:
    """The pieces of the recorded table are found where they stand, in a picture not learnt from."""
    table = demo_table(demo_folder(), Detector(threads=remembered_threads()))
    header, _ = demo_setup()
    room = room_for(GAME)
    truth = labels_of(room.placement(room.start(header, table.board)))
    began = time.perf_counter()
    glance = table.eyes.look(table.frames[LATER].image, table.pose)
    took = time.perf_counter() - began
    seen = Counter((p.kind, p.colour, tuple(sorted(p.spots))) for p in glance.reading.pieces)
    there = Counter((p.kind, p.colour, tuple(sorted(p.spots))) for p in truth)
    right, extra = (
        (seen & there).total(),
        sum(n for (_, _, spots), n in (seen - there).items() if spots),
    )
    figures = f"{right} of {there.total()} pieces right, {extra} more seen on the board, in {1000 * took:.0f} ms"
    if right < LEAST_RIGHT * there.total():
        raise BoardwardenError(
            f"the eyes read the shipped picture badly ({figures}): install Boardwarden again, and"
            " report it if that does not help"
        )
    return figures


def camera(wanted: Wanted) -> str:
    """The named camera opens, goes on, and shows something."""
    if wanted.camera is None:
        raise NotTried("--camera 0 tries the first one")
    began = time.monotonic()
    source = open_source(wanted.camera)
    try:
        return _watch(source, began)
    finally:
        source.close()


def _watch(source: FrameSource, began: float) -> str:
    frame = source.read(CAMERA_S)
    if frame is None:
        raise BoardwardenError(
            source.state.sentence or f"{source.name} sends no picture: check its plug and network"
        )
    opened = time.monotonic() - began
    count, end = 1, time.monotonic() + CAMERA_S
    while time.monotonic() < end and source.state.kind is SourceKind.OK:
        later = source.read(0.5)
        if later is not None:
            frame, count = later, count + 1
    height, width = frame.image.shape[:2]
    rate, mean = count / CAMERA_S, float(np.mean(frame.image))
    if source.live and rate < LEAST_CAMERA_FPS:
        raise BoardwardenError(
            f"{source.name} sends {rate:.1f} pictures a second, too few to follow a game: use a"
            " shorter cable or a better network, or close other programs that use it"
        )
    return (
        f"{source.name}: first picture after {opened:.1f} s, {width}x{height},"
        f" {rate:.0f} pictures a second, mean grey level {mean:.0f} of 255"
    )


def page(wanted: Wanted) -> str:
    """The spectators' page answers on this device itself, and only to those who know its secret."""
    if not wanted.page:
        raise NotTried("--page serves it for a moment, to this device only")
    from companion_app.games import face_of
    from companion_app.spectators.process import Spectators
    from engine.board import REFERENCE, load_board

    served = Spectators(LOOPBACK, face_of(GAME), load_board(REFERENCE, GAME))
    try:
        parts = urllib.parse.urlsplit(served.url)
        took, known = _ask(parts.netloc, parts.path)
        _, unknown = _ask(parts.netloc, "/state.json")
    finally:
        served.close()
    if (known, unknown) != (200, 404):
        raise BoardwardenError(
            f"the page answers {known} with and {unknown} without its secret: please report this"
        )
    return f"answers in {1000 * took:.0f} ms with its secret, not at all without"


def _ask(host: str, path: str) -> tuple[float, int]:
    connection = http.client.HTTPConnection(host, timeout=20)
    began = time.perf_counter()
    try:
        connection.request("GET", path)
        status = connection.getresponse().status
    finally:
        connection.close()
    return time.perf_counter() - began, status
