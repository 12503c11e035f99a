"""The interface while a camera fails in every way: the longest frame of each, in the app's window.

    python -m tests.benchmarks.bench_camera_faults [--seconds 2]

Each fault lasts so long, then the camera is well again.  Wall time counts whatever else the machine does,
processor time only the interface's own thread; drawing is part of both.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from pathlib import Path

import tests.app.conftest  # noqa: F401  (Kivy without a screen)
from tests.app.driver import PLAYERS, Driver, open_apps
from tests.faults.camera import Device, pipeline_of
from tests.faults.test_camera_faults import FAULTS, HARMLESS

LIMIT_MS = 100.0


def frames(user: Driver, seconds: float) -> tuple[list[float], list[float]]:
    """Milliseconds of each frame: wall and processor."""
    wall, own, end = [], [], time.monotonic() + seconds
    while time.monotonic() < end:
        began, cpu = time.monotonic(), time.thread_time()
        user.frames(1)
        wall.append(1000 * (time.monotonic() - began))
        own.append(1000 * (time.thread_time() - cpu))
    return wall, own


def main() -> None:
    from companion_app.table_setup import TableSetup

    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seconds", type=float, default=2.0)
    options = parser.parse_args()
    device, apps = Device(), open_apps(Path(tempfile.mkdtemp()))
    user = next(apps)(opener=pipeline_of(device))
    user.begin(TableSetup(PLAYERS, 0))
    frames(user, options.seconds)
    worst_wall = worst_own = 0.0
    for name, begin in {"none": lambda _: None, **{n: f for n, (f, _) in FAULTS.items()}, **HARMLESS}.items():  # fmt: skip
        begin(device)
        wall, own = frames(user, options.seconds)
        told = user.shown.camera.text.text
        device.heal()
        healed_wall, healed_own = frames(user, options.seconds)
        wall, own = wall + healed_wall, own + healed_own
        worst_wall, worst_own = max(worst_wall, *wall), max(worst_own, *own)
        print(f"{name:20} longest frame {max(wall):6.1f} ms, of the processor {max(own):5.1f} ms; says {told!r}", flush=True)  # fmt: skip
    print(
        f"longest of all {worst_wall:.0f} ms (target {LIMIT_MS:g}), of the processor {worst_own:.0f} ms;"
        f" load of the machine {os.getloadavg()[0]:.1f}"
    )
    device.heal()
    apps.close()
    os._exit(0)


if __name__ == "__main__":
    main()
