"""What every source of frames keeps, whatever is behind it (``vision.sources.base.FrameSource``)."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from engine.errors import BoardwardenError
from vision.sources import (
    FilmSource,
    FrameSource,
    LiveSource,
    LiveTimes,
    PicturesSource,
    ScriptedSource,
    SourceKind,
    folder_source,
)
from vision.sources import android as android_module
from vision.sources.android import (
    AndroidCapture,
    from_nv21,
    nearest_size,
    open_android_camera,
    upright_turn,
)
from vision.sources.capture import open_camera

SIZE = (64, 48)
WAIT_S = 20.0  # only ever used up by a failing test
QUICK = LiveTimes(first_wait_s=WAIT_S, back_off_s=(0.01, 0.02))


def picture(value: int) -> np.ndarray:
    image = np.full((SIZE[1], SIZE[0], 3), 40 + value % 200, np.uint8)
    image[:8, :8] = (0, 0, 255)
    return image


# --- Android's system, stood in for --------------------------------------------------------------


class FakeCamera:
    """Sends NV21 pictures from a thread of its own, as the system does."""

    size, turn = SIZE, 0

    def __init__(self) -> None:
        self.stopped = threading.Event()
        self.stops = 0

    def start(self, on_frame: Callable[[bytes], None]) -> None:
        threading.Thread(target=self._run, args=(on_frame,), daemon=True).start()

    def _run(self, on_frame: Callable[[bytes], None]) -> None:
        count = 0
        while not self.stopped.wait(0.01):
            count += 1
            on_frame(nv21(picture(count)))

    def stop(self) -> None:
        self.stops += 1
        self.stopped.set()


@dataclass
class FakeSystem:
    camera: Any = None
    let: bool = True
    cameras: int = 2

    def allowed(self) -> bool:
        return self.let

    def count(self) -> int:
        return self.cameras

    def open(self, index: int, size: tuple[int, int]) -> Any:
        if self.camera is None:
            raise RuntimeError("JVM exception occurred: Fail to connect to camera service")
        return self.camera


def nv21(image: np.ndarray) -> bytes:
    """The inverse of ``from_nv21``: I420 planes with V and U by turns."""
    height, width = image.shape[:2]
    planes = cv2.cvtColor(image, cv2.COLOR_BGR2YUV_I420).reshape(-1)
    y, u, v = np.split(planes, [width * height, width * height * 5 // 4])
    return np.concatenate([y, np.column_stack([v, u]).reshape(-1)]).tobytes()


# --- every kind of source ------------------------------------------------------------------------


def a_film(folder: Path) -> FrameSource:
    path = folder / "film.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter_fourcc(*"MJPG"), 10, SIZE)
    for n in range(6):
        writer.write(picture(n))
    writer.release()
    return FilmSource(path)


def a_folder(folder: Path) -> FrameSource:
    for n in range(4):
        cv2.imwrite(str(folder / f"{n}.png"), picture(n))
    return folder_source(folder, 5.0)


def a_picture(folder: Path) -> FrameSource:
    cv2.imwrite(str(folder / "a.png"), picture(3))
    return PicturesSource([folder / "a.png"], "a.png")


def a_script(folder: Path) -> FrameSource:
    return ScriptedSource([picture(1), picture(2), picture(3)], fps=5.0)


class Plugged:
    """A camera as OpenCV gives it."""

    def __init__(self) -> None:
        self._count = 0

    def read(self) -> tuple[bool, Any]:
        time.sleep(0.01)
        self._count += 1
        return True, picture(self._count)

    def release(self) -> None:
        pass


def a_camera(folder: Path) -> FrameSource:
    return LiveSource(Plugged, "camera 0", QUICK)


def an_android_camera(folder: Path) -> FrameSource:
    return LiveSource(lambda: open_android_camera(0, FakeSystem(FakeCamera())), "camera 0", QUICK)


KINDS = {
    f.__name__: f for f in (a_film, a_folder, a_picture, a_script, a_camera, an_android_camera)
}


@pytest.fixture(params=KINDS)
def source(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[FrameSource]:
    made = KINDS[request.param](tmp_path)
    yield made
    made.close()


def test_it_keeps_the_contract(source: FrameSource) -> None:
    assert source.name
    assert source.state.kind in (SourceKind.CLOSED, SourceKind.OK)
    source.open()
    source.open()  # twice does nothing
    frames = []
    while len(frames) < 4 and (frame := source.read(WAIT_S)) is not None:
        frames.append(frame)
    assert frames
    for frame in frames:
        assert frame.image.dtype == np.uint8
        assert frame.image.shape == (SIZE[1], SIZE[0], 3)
        assert np.abs(frame.image[4, 4].astype(int) - (0, 0, 255)).max() < 60  # BGR, upright
    indices, times = [f.index for f in frames], [f.t_s for f in frames]
    assert indices == sorted(set(indices))
    assert times == sorted(times)
    assert min(times) >= 0
    if source.live:
        assert source.state.kind is SourceKind.OK
        began = time.monotonic()
        source.read(0.0)  # something or nothing, at once
        assert time.monotonic() - began < WAIT_S / 4
    else:
        while source.read(0.0) is not None:
            pass
        assert source.state.kind is SourceKind.ENDED
        assert source.read(0.0) is None
    source.close()
    source.close()
    assert source.state.kind in (SourceKind.CLOSED, SourceKind.ENDED)
    assert source.read(0.0) is None


def test_it_can_be_closed_while_another_thread_reads(source: FrameSource) -> None:
    source.open()
    done = threading.Event()

    def read() -> None:
        while source.read(0.01) is not None or source.live:
            if source.state.kind is SourceKind.CLOSED:
                break
        done.set()

    threading.Thread(target=read, daemon=True).start()
    time.sleep(0.02)
    source.close()
    assert done.wait(WAIT_S)


# --- what is Android's own -----------------------------------------------------------------------


def test_nv21_becomes_an_upright_picture() -> None:
    image = np.zeros((48, 64, 3), np.uint8)
    image[:24, :32], image[24:, 32:] = (200, 60, 30), (20, 180, 220)
    data = nv21(image)
    assert np.abs(from_nv21(data, (64, 48), 0).astype(int) - image).mean() < 4
    for turn, code in ((90, cv2.ROTATE_90_CLOCKWISE), (180, cv2.ROTATE_180)):
        turned = from_nv21(data, (64, 48), turn)
        assert np.abs(turned.astype(int) - cv2.rotate(image, code)).mean() < 4
    assert from_nv21(data[:-1], (64, 48), 0) is None
    assert from_nv21(data + b"more", (64, 48), 0) is not None


@pytest.mark.parametrize(
    ("system", "words"),
    [
        (FakeSystem(FakeCamera(), let=False), "allow it"),
        (FakeSystem(FakeCamera(), cameras=0), "no camera 0"),
        (FakeSystem(None), "close other apps"),
    ],
)
def test_what_the_system_refuses_is_one_sentence(system: FakeSystem, words: str) -> None:
    with pytest.raises(BoardwardenError, match=words):
        open_android_camera(0, system)


def test_an_android_camera_that_falls_silent_gives_nothing_and_is_let_go() -> None:
    camera = FakeCamera()
    capture = AndroidCapture(camera, timeout_s=0.05)
    assert capture.read()[0]
    camera.stopped.set()
    assert not all(capture.read()[0] for _ in range(4))  # what was under way, then nothing
    capture.release()
    assert camera.stops == 1


def test_only_the_newest_picture_is_kept() -> None:
    camera = FakeCamera()
    camera.start = lambda on_frame: None  # type: ignore[method-assign]
    capture = AndroidCapture(camera, timeout_s=0.05)
    for value in (1, 2, 120):
        capture._take(nv21(picture(value)))
    ok, image = capture.read()
    assert ok
    assert abs(int(image[40, 40, 0]) - 160) < 4
    assert capture.read() == (False, None)


def test_the_nearest_size_has_the_pixels_and_the_proportions() -> None:
    sizes = [(320, 240), (640, 480), (1280, 960), (1280, 720), (1920, 1080), (4000, 3000)]
    assert nearest_size(sizes, (1280, 720)) == (1280, 720)
    assert nearest_size([(640, 480), (1280, 960)], (1280, 720)) == (1280, 960)


def test_pictures_are_turned_as_the_tablet_is_held() -> None:
    """Examples of Android's documentation of ``Camera.setDisplayOrientation``, for a sensor that lies
    across (90) and one that does not (0)."""
    assert [upright_turn(90, s, front=False) for s in (0, 90, 180, 270)] == [90, 0, 270, 180]
    assert [upright_turn(0, s, front=False) for s in (0, 90)] == [0, 270]
    assert upright_turn(270, 90, front=True) == 0


def test_on_android_the_system_s_camera_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANDROID_ARGUMENT", "x")
    camera = FakeCamera()
    monkeypatch.setattr(android_module, "JniBridge", lambda: FakeSystem(camera))
    capture = open_camera(1)
    assert capture.read()[0]
    capture.release()
