"""Every way in which a camera fails: told in words, the game goes on, seeing resumes by itself."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion_app.opening import open_session
from companion_app.snapshot import Light
from companion_app.store import Store
from engine.errors import BoardwardenError
from tests.faults.camera import PORTRAIT, QUICK, VIEWS, Device, pipeline_of, torn
from tests.faults.evening import HEADER, Evening, until
from vision.sources import LiveSource, LiveTimes, SourceKind


@pytest.fixture(scope="module")
def evening(tmp_path_factory) -> Iterator[Evening]:
    device = Device()
    store = Store(tmp_path_factory.mktemp("evening"))
    session = open_session(store, HEADER, source=0, opener=pipeline_of(device))
    evening = Evening(session, device, [])
    session.start()
    until(evening.sees, "it never saw")
    yield evening
    device.heal()
    session.close()
    saved = Store(store.root).running()
    assert saved is not None
    assert len(saved.actions) == len(evening.answers_s)


def blocked(device: Device) -> None:
    device.block.clear()
    device.fault = lambda n, image: device.block.wait(300) and image


def slow_to_open(device: Device) -> None:
    device.block.clear()
    device.opening = lambda: device.block.wait(300) and None
    device.plugged = False
    time.sleep(0.3)  # the old picture stream ends
    device.plugged = True


def unplugged(device: Device) -> None:
    device.plugged = False


def raising(device: Device) -> None:
    def fault(n: int, image: np.ndarray) -> np.ndarray:
        raise RuntimeError("the driver says no")

    device.fault = fault


def pictures(make: Callable[[int, np.ndarray], object]) -> Callable[[Device], None]:
    def begin(device: Device) -> None:
        device.fault = make

    return begin


# What happens, and words of which one is in what is told (none: seeing goes on all the time).
FAULTS: dict[str, tuple[Callable[[Device], None], tuple[str, ...]]] = {
    "unplugged": (unplugged, ("no camera", "lost")),
    "frozen": (pictures(lambda n, image: VIEWS[0]), ("same picture",)),
    "blocked read": (blocked, ("no picture", "hangs")),
    "driver raises": (raising, ("lost",)),
    "slow to open": (slow_to_open, ("opened", "lost", "no picture")),
    "black": (pictures(lambda n, image: image // 40 + n % 2), ("dark",)),
    "over-exposed": (pictures(lambda n, image: 254 + image // 250 - n % 2), ("bright",)),
    "mirrored": (pictures(lambda n, image: image[:, ::-1].copy()), ("mirrored", "lost", "not")),
    "covered": (pictures(lambda n, image: np.full_like(image, 110 + n % 3)), ("board",)),
    "no frames": (pictures(lambda n, image: None), ("lost",)),
    "wrong kind of array": (pictures(lambda n, image: image.astype(np.float32)), ("lost",)),
    "empty array": (pictures(lambda n, image: image[:0]), ("lost",)),
}
HARMLESS: dict[str, Callable[[Device], None]] = {
    "other resolution": pictures(lambda n, image: cv2.resize(image, (768, 512))),
    "grey": pictures(lambda n, image: cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)),
    "portrait": pictures(lambda n, image: PORTRAIT + np.uint8(n % 2)),
    "upside down": pictures(lambda n, image: image[::-1, ::-1].copy()),
    "torn now and then": pictures(torn),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_told_and_seeing_resumes(
    name: str, evening: Evening, caplog: pytest.LogCaptureFixture
) -> None:
    begin, words = FAULTS[name]
    until(evening.sees, "it does not see before")
    with caplog.at_level(logging.ERROR):
        begin(evening.device)
        until(
            lambda: (
                evening.shown.camera.light is Light.TROUBLE
                and any(w in evening.told() for w in words)
            ),
            f"{name}: it is not told; it says {evening.told()!r}",
        )
        assert evening.shown.camera.detail is not None  # how to go on without it
        evening.tap()
        evening.device.heal()
        until(evening.sees, f"{name}: seeing does not resume; it says {evening.told()!r}")
        evening.tap()
    assert [r for r in caplog.records if r.exc_info] == []


@pytest.mark.parametrize("name", HARMLESS)
def test_what_is_no_fault_is_seen_after_a_moment(
    name: str, evening: Evening, caplog: pytest.LogCaptureFixture
) -> None:
    until(evening.sees, "it does not see before")
    with caplog.at_level(logging.ERROR):
        HARMLESS[name](evening.device)
        time.sleep(1.0)
        until(evening.sees, f"{name}: it is not seen; it says {evening.told()!r}")
        evening.tap()
        evening.device.heal()
        until(evening.sees, f"{name}: seeing does not resume; it says {evening.told()!r}")
    assert [r for r in caplog.records if r.exc_info] == []


def test_a_camera_that_is_missing_at_first_is_found_when_it_comes(tmp_path: Path) -> None:
    device = Device()
    device.plugged = False
    session = open_session(Store(tmp_path), HEADER, source=0, opener=pipeline_of(device))
    evening = Evening(session, device, [])
    session.start()
    until(lambda: "no camera" in evening.told(), "it is not told")
    evening.tap()
    device.heal()
    until(evening.sees, "it is not found")
    session.close()


def test_faults_figures(evening: Evening, capsys: pytest.CaptureFixture[str]) -> None:
    evening.tap()
    slowest = 1000 * max(evening.answers_s)
    with capsys.disabled():
        print(
            f"\ncamera: {len(FAULTS)} faults and {len(HARMLESS)} changes, all told and healed by"
            f" themselves; {len(evening.answers_s)} taps meanwhile, slowest {slowest:.0f} ms"
        )
    until(lambda: evening.threads("eyes") == 1, "eyes are left over")
    assert evening.threads("frames") <= 1 + LiveSource.MAX_LEFT_BEHIND


# --- the source alone, in a time of its own --------------------------------------------------------


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_camera_that_needs_20_seconds_to_open_is_waited_for() -> None:
    gate, opened, clock = threading.Event(), [], Clock()

    def opener() -> Device:
        opened.append(1)
        gate.wait(60)
        return Device()

    times = LiveTimes(first_wait_s=0.01)
    source = LiveSource(opener, "camera 0", times, clock)
    source.open()
    for _ in range(40):
        clock.now += 0.5
        assert source.read(0.0) is None
        assert source.state.kind is SourceKind.OPENING
    assert len(opened) == 1
    gate.set()
    assert source.read(20.0) is not None
    assert source.state.kind is SourceKind.OK
    source.close()


def test_a_camera_that_never_opens_is_tried_anew_after_a_minute() -> None:
    gate, opened, clock = threading.Event(), [], Clock()

    def opener() -> Device:
        opened.append(1)
        gate.wait(60)
        raise BoardwardenError("there is no camera 0")

    source = LiveSource(opener, "camera 0", LiveTimes(first_wait_s=0.01), clock)
    source.open()
    for _ in range(10):
        clock.now += 61.0
        source.read(0.0)
        time.sleep(0.01)
    assert 2 <= len(opened) <= 1 + LiveSource.MAX_LEFT_BEHIND
    assert "does not answer" in source.state.sentence
    gate.set()
    source.close()


def test_frames_every_two_seconds_are_no_fault() -> None:
    clock, permits = Clock(), threading.Semaphore(0)

    class Slow(Device):
        def read(self):
            permits.acquire()
            return True, VIEWS[0] + np.uint8(clock.now % 7)

    source = LiveSource(lambda: Slow(), "camera 0", LiveTimes(), clock)
    permits.release()
    source.open()
    for _ in range(12):
        assert source.read(20.0) is not None
        for _ in range(4):
            clock.now += 0.5
            assert source.state.kind is SourceKind.OK
        permits.release()
    permits.release(50)
    source.close()


def test_the_times_of_these_tests_are_the_app_s_only_quicker() -> None:
    usual = LiveTimes()
    assert usual.stall_s > 2.0  # slow frames are no fault
    assert usual.open_give_up_s > 20.0
    assert QUICK.stall_s < usual.stall_s
