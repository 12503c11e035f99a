"""Android's camera behind the same interface as every other, through pyjnius.

Never run on a device so far: only with a stand-in for the system (``docs/android.md``).  It uses
``android.hardware.Camera``, which is old but, unlike its successor, can be spoken to through Java
interfaces alone, as pyjnius needs it.
"""

from __future__ import annotations

import contextlib
import os
import queue
from collections.abc import Callable
from typing import Any, Protocol

import cv2
import numpy as np

from vision.sources import words
from vision.types import Image

READ_TIMEOUT_S = 4.0
WANTED_SIZE = (1280, 720)
TURNS = {90: cv2.ROTATE_90_CLOCKWISE, 180: cv2.ROTATE_180, 270: cv2.ROTATE_90_COUNTERCLOCKWISE}


def on_android() -> bool:
    """Whether the program runs as an app of Android."""
    return "ANDROID_ARGUMENT" in os.environ


class Opened(Protocol):
    """A camera of the system that has been opened."""

    size: tuple[int, int]  # of its pictures, px
    turn: int  # degrees clockwise that make its pictures upright: 0, 90, 180, 270

    def start(self, on_frame: Callable[[bytes], None]) -> None:
        """Calls ``on_frame`` with NV21 bytes for each picture, on any thread."""

    def stop(self) -> None:
        """Lets the camera go."""


class Bridge(Protocol):
    """What is needed of the system."""

    def allowed(self) -> bool:
        """Whether the user lets this app use the camera; asks where that is not decided yet."""

    def count(self) -> int:
        """How many cameras there are."""

    def open(self, index: int, size: tuple[int, int]) -> Opened:
        """Opens one, with pictures of about ``size``; raises what the system raises."""


def open_android_camera(index: int, bridge: Bridge | None = None) -> AndroidCapture:
    """Opens a camera of the device; raises BoardwardenError with what is wrong and the remedy."""
    bridge = bridge or JniBridge()
    if not bridge.allowed():
        raise words.told("source.not_allowed")
    if index >= bridge.count():
        raise words.told("source.missing", n=index)
    try:
        return AndroidCapture(bridge.open(index, WANTED_SIZE))
    except Exception as error:  # Java's exceptions have no common kind in Python
        raise words.told("source.taken", n=index) from error


class AndroidCapture:
    """A ``Capture``: keeps only the newest picture."""

    def __init__(self, camera: Opened, timeout_s: float = READ_TIMEOUT_S) -> None:
        self._camera, self._timeout_s = camera, timeout_s
        self._newest: queue.Queue[bytes] = queue.Queue(maxsize=1)
        camera.start(self._take)

    def _take(self, data: bytes) -> None:
        with contextlib.suppress(queue.Empty):
            self._newest.get_nowait()
        with contextlib.suppress(queue.Full):
            self._newest.put_nowait(data)

    def read(self) -> tuple[bool, Any]:
        """Waits for the next picture; (False, None) where none comes or it is torn."""
        try:
            data = self._newest.get(timeout=self._timeout_s)
        except queue.Empty:
            return False, None
        image = from_nv21(data, self._camera.size, self._camera.turn)
        return image is not None, image

    def release(self) -> None:
        """Lets the camera go."""
        self._camera.stop()


def from_nv21(data: bytes, size: tuple[int, int], turn: int) -> Image | None:
    """An upright BGR picture (H, W, 3) of NV21 bytes (Y plane, then V and U by turns at half the
    resolution) of ``size`` (width, height); None for too few bytes."""
    width, height = size
    needed = width * height * 3 // 2
    if len(data) < needed:
        return None
    planes = np.frombuffer(data, np.uint8, needed).reshape(height * 3 // 2, width)
    image = cv2.cvtColor(planes, cv2.COLOR_YUV2BGR_NV21)
    return np.asarray(image if turn not in TURNS else cv2.rotate(image, TURNS[turn]), np.uint8)


class JniBridge:
    """The system itself."""

    def allowed(self) -> bool:
        """See ``Bridge``."""
        from android.permissions import Permission, check_permission, request_permissions

        if check_permission(Permission.CAMERA):
            return True
        request_permissions([Permission.CAMERA])
        return False

    def count(self) -> int:
        """See ``Bridge``."""
        from jnius import autoclass

        return int(autoclass("android.hardware.Camera").getNumberOfCameras())

    def open(self, index: int, size: tuple[int, int]) -> Opened:
        """See ``Bridge``."""
        return _JniCamera(index, size)


class _JniCamera:
    BUFFERS = 3

    def __init__(self, index: int, size: tuple[int, int]) -> None:
        from jnius import autoclass

        kind = autoclass("android.hardware.Camera")
        info = autoclass("android.hardware.Camera$CameraInfo")()
        kind.getCameraInfo(index, info)
        self._camera = kind.open(index)
        parameters = self._camera.getParameters()
        sizes = [(s.width, s.height) for s in parameters.getSupportedPreviewSizes()]
        self.size = nearest_size(sizes, size)
        parameters.setPreviewSize(*self.size)
        if "continuous-video" in list(parameters.getSupportedFocusModes()):
            parameters.setFocusMode("continuous-video")
        self._camera.setParameters(parameters)
        self.turn = upright_turn(int(info.orientation), _screen_turn(), front=info.facing == 1)
        self._texture = autoclass("android.graphics.SurfaceTexture")(False)  # shown nowhere
        self._camera.setPreviewTexture(self._texture)
        self._callback: Any = None

    def start(self, on_frame: Callable[[bytes], None]) -> None:
        """See ``Opened``."""
        self._callback = _preview_callback(on_frame)
        length = self.size[0] * self.size[1] * 3 // 2
        for _ in range(self.BUFFERS):
            self._camera.addCallbackBuffer(bytes(length))
        self._camera.setPreviewCallbackWithBuffer(self._callback)
        self._camera.startPreview()

    def stop(self) -> None:
        """See ``Opened``."""
        camera, self._camera = self._camera, None
        if camera is not None:
            camera.setPreviewCallbackWithBuffer(None)
            camera.stopPreview()
            camera.release()


def nearest_size(sizes: list[tuple[int, int]], wanted: tuple[int, int]) -> tuple[int, int]:
    """The size with about as many pixels as wanted and, among those, its proportions."""
    area, shape = wanted[0] * wanted[1], wanted[0] / wanted[1]

    def odd(size: tuple[int, int]) -> float:
        return abs(np.log(size[0] * size[1] / area)) + 2 * abs(np.log(size[0] / size[1] / shape))

    return min(sizes, key=odd)


def upright_turn(camera: int, screen: int, *, front: bool) -> int:
    """Degrees clockwise that make a camera's pictures upright on the screen as it is held; both are
    turned against the device's natural position (CameraInfo.orientation, Display.getRotation)."""
    return (camera + screen) % 360 if front else (camera - screen) % 360


def _screen_turn() -> int:
    from jnius import autoclass

    activity = autoclass("org.kivy.android.PythonActivity").mActivity
    return 90 * int(activity.getWindowManager().getDefaultDisplay().getRotation())


def _preview_callback(on_frame: Callable[[bytes], None]) -> Any:
    from jnius import PythonJavaClass, java_method

    class Preview(PythonJavaClass):  # type: ignore[misc]
        __javainterfaces__ = ("android/hardware/Camera$PreviewCallback",)
        __javacontext__ = "app"

        @java_method("([BLandroid/hardware/Camera;)V")  # type: ignore[misc]
        def onPreviewFrame(self, data: Any, camera: Any) -> None:
            on_frame(data.tostring() if hasattr(data, "tostring") else bytes(data))
            camera.addCallbackBuffer(data)

    return Preview()
