"""What a live source reads from: cameras, streams, single pictures at an address."""

from __future__ import annotations

import time
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import cv2

from engine.errors import BoardwardenError
from engine.files import shown
from vision.sources import words
from vision.sources.android import on_android, open_android_camera
from vision.sources.pictures import decode_picture
from vision.sources.quiet import quiet_opencv

OPEN_TIMEOUT_S = 4.0
READ_TIMEOUT_S = 4.0
WANTED_SIZE = (1280, 720)
SNAPSHOT_PERIOD_S = 0.2
MAX_SNAPSHOT_BYTES = 64_000_000


class Capture(Protocol):
    """As much of cv2.VideoCapture as is used; both may block."""

    def read(self) -> tuple[bool, Any]:
        """(whether it went well, image)."""

    def release(self) -> None:
        """Lets the device go."""


def open_camera(index: int) -> Capture:
    """Opens a camera; raises BoardwardenError when there is none at the index."""
    if on_android():
        return open_android_camera(index)
    missing = words.told("source.missing", n=index)
    # asking for a missing device takes OpenCV through every backend it has
    if Path("/sys/class/video4linux").is_dir() and not Path(f"/dev/video{index}").exists():
        raise missing
    quiet_opencv()
    wanted = [
        cv2.CAP_PROP_FRAME_WIDTH, WANTED_SIZE[0], cv2.CAP_PROP_FRAME_HEIGHT, WANTED_SIZE[1],
    ]  # fmt: skip
    for parameters in (wanted, []):
        try:
            capture = cv2.VideoCapture(index, cv2.CAP_ANY, parameters)
        except cv2.error:
            continue
        if capture.isOpened():
            return capture  # type: ignore[no-any-return]
        capture.release()
    raise missing


def open_address(address: str) -> Capture:
    """Opens a stream or a picture that changes; raises BoardwardenError when nothing answers."""
    parts = urllib.parse.urlsplit(address)
    if parts.scheme in ("http", "https"):
        if parts.path.lower().endswith((".jpg", ".jpeg", ".png")):
            return SnapshotCapture(address)
        _ask(address)
    timeouts = [
        cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, int(OPEN_TIMEOUT_S * 1000),
        cv2.CAP_PROP_READ_TIMEOUT_MSEC, int(READ_TIMEOUT_S * 1000),
    ]  # fmt: skip
    quiet_opencv()
    try:
        capture = cv2.VideoCapture(address, cv2.CAP_FFMPEG, timeouts)
    except cv2.error as error:
        raise _unreachable(address, "it sends no film that can be read") from error
    if not capture.isOpened():
        capture.release()
        raise _unreachable(address, "nothing there sends a film")
    return capture  # type: ignore[no-any-return]


def check_address(address: str) -> None:
    """Raises BoardwardenError for what no address can be."""
    try:
        parts = urllib.parse.urlsplit(address)
        fine = bool(parts.hostname) and (parts.port is None or parts.port > 0)
    except ValueError:
        fine = False
    if not fine or not address.isprintable():
        raise BoardwardenError(
            f"{without_secrets(address)} is no address: write it as http://NAME:PORT/PATH"
        )


def without_secrets(address: str) -> str:
    """The address without user name, password and query, fit to be shown."""
    try:
        parts = urllib.parse.urlsplit(address)
    except ValueError:
        return shown(address.rpartition("@")[2].partition("?")[0])
    host = parts.netloc.rpartition("@")[2]
    return shown(urllib.parse.urlunsplit((parts.scheme, host, parts.path, "", "")))


@dataclass
class SnapshotCapture:
    """Asks for the same picture again and again."""

    address: str
    _next: float = 0.0

    def __post_init__(self) -> None:
        ok, _ = self.read()
        if not ok:
            raise _unreachable(self.address, "it sends no picture")

    def read(self) -> tuple[bool, Any]:
        """Waits for the next turn and asks."""
        time.sleep(max(0.0, self._next - time.monotonic()))
        self._next = time.monotonic() + SNAPSHOT_PERIOD_S
        try:
            with _open_url(self.address) as answer:
                data = answer.read(MAX_SNAPSHOT_BYTES)
            return True, decode_picture(data, without_secrets(self.address))
        except (OSError, ValueError, BoardwardenError):
            return False, None

    def release(self) -> None:
        """Nothing is held."""


def _ask(address: str) -> None:
    """One request with a time-out of our own: FFmpeg's is not kept while a name is looked up."""
    try:
        with _open_url(address):
            return
    except urllib.error.HTTPError as error:
        raise _unreachable(address, f"it answers {error.code} {error.reason}") from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "reason", None) or error
        raise _unreachable(address, str(reason)) from error


def _open_url(address: str) -> Any:
    parts = urllib.parse.urlsplit(address)
    request = urllib.request.Request(
        urllib.parse.urlunsplit(
            (parts.scheme, parts.netloc.rpartition("@")[2], parts.path or "/", parts.query, "")
        )
    )
    opener = urllib.request.build_opener()
    if parts.username is not None:
        passwords = urllib.request.HTTPPasswordMgrWithDefaultRealm()
        user = urllib.parse.unquote(parts.username)
        passwords.add_password(
            None, request.full_url, user, urllib.parse.unquote(parts.password or "")
        )
        opener = urllib.request.build_opener(
            urllib.request.HTTPBasicAuthHandler(passwords),
            urllib.request.HTTPDigestAuthHandler(passwords),
        )
    return opener.open(request, timeout=OPEN_TIMEOUT_S)


def _unreachable(address: str, why: str) -> BoardwardenError:
    return words.told("source.unreachable", address=without_secrets(address), why=why)
