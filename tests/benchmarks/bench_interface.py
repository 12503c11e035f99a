"""Interface-thread work per frame while the recorded game plays: median, 99th percentile, worst.

    python -m tests.benchmarks.bench_interface [--seconds 20] [--size 1280x800] [--fps 30] [--eyes real]

"work" is all that the interface thread does in a frame except drawing and waiting: events, texture
upload, snapshots shown, canvas rebuilt.  "draw" is the window's drawing and buffer swap, which a
machine without a graphics chip does in software.  "Processor time" leaves out the waiting for
other programs; with that of the drawing, all in one thread, it tells how many frames a second one
core can draw in software.  With ``--eyes real`` the project's own eyes follow the film in their own process,
else a film's truth (``--script``) stands in for them, so that the game moves on as well.
"""

from __future__ import annotations

import argparse
import os
import statistics
import tempfile
import time
from pathlib import Path

from companion_app import kivy_setup  # noqa: F401  # the app's own window: no multisampling
from companion_app.device import memory_mb

os.environ.setdefault("KIVY_NO_ARGS", "1")
os.environ.setdefault("KIVY_NO_FILELOG", "1")
os.environ.setdefault("LP_NUM_THREADS", "0")  # drawing in software stays in the thread that asks
os.environ.setdefault("KIVY_HOME", tempfile.mkdtemp(prefix="kivy-home-"))
if not os.environ.get("DISPLAY"):
    os.environ.setdefault("SDL_VIDEODRIVER", "offscreen")

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / ".." / "shared" / "renders" / "magalon-dev.json"
STALL_MS = 50.0
CORNERS = ((1008, 196), (1028, 691), (178, 562), (362, 119))


class Stopwatch:
    """Adds up the time spent in the functions that it wraps."""

    def __init__(self) -> None:
        self.spent = self.cpu = 0.0

    def wrap(self, function):
        def timed(*args, **kwargs):
            began, cpu = time.perf_counter(), time.thread_time()
            try:
                return function(*args, **kwargs)
            finally:
                self.spent += time.perf_counter() - began
                self.cpu += time.thread_time() - cpu

        return timed


def measure(
    seconds: float, size: tuple[int, int], fps: float, script: Path | None
) -> list[tuple[float, float, float, float]]:
    """(work, its processor time, draw, its processor time) of every frame in milliseconds."""
    from kivy.config import Config

    Config.set("graphics", "width", size[0])
    Config.set("graphics", "height", size[1])
    from kivy.base import EventLoop
    from kivy.clock import Clock
    from kivy.core.window import Window
    from kivy.graphics.opengl import glFinish

    from companion_app.app import BoardwardenApp
    from companion_app.app_options import AppOptions
    from companion_app.demo_game import FILM as DEMO_FILM
    from companion_app.demo_game import demo_folder
    from companion_app.opening import open_eyes
    from tests.app.scripted import ScriptedPipeline

    def scripted(request):
        return ScriptedPipeline(
            demo_folder() / DEMO_FILM, script, request.board, request.header,
            speed=fps / 10, corners=CORNERS,
        )  # fmt: skip

    app = BoardwardenApp(
        AppOptions(
            data=Path(tempfile.mkdtemp()),
            demo="magalon",
            opener=open_eyes if script is None else scripted,
        )
    )
    EventLoop.ensure_window()
    app.root = app.build()
    Window.add_widget(app.root)
    waiting, drawing = Stopwatch(), Stopwatch()
    Clock.usleep = waiting.wrap(Clock.usleep)
    Window.on_draw = drawing.wrap(Window.on_draw)
    flip = Window.flip

    def flip_and_finish() -> None:
        flip()
        glFinish()  # else software drawing is counted where the next texture waits for it

    Window.flip = drawing.wrap(flip_and_finish)
    app.on_start()
    for _ in range(60):
        EventLoop.idle()
    frames = []
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for watch in (waiting, drawing):
            watch.spent = watch.cpu = 0.0
        began, cpu = time.perf_counter(), time.thread_time()
        EventLoop.idle()
        total, busy = time.perf_counter() - began, time.thread_time() - cpu
        work = total - waiting.spent - drawing.spent
        frames.append(
            (
                1000 * work,
                1000 * (busy - waiting.cpu - drawing.cpu),
                1000 * drawing.spent,
                1000 * drawing.cpu,
            )
        )
    whole = drawn_whole(Window, flip_and_finish)
    report("the table drawn whole, processor time of one core", whole)
    print(
        f"one core: {1000 / statistics.median(whole):.0f} whole tables a second drawn in software"
    )
    app.close_session()
    return frames


def drawn_whole(window, finish, count: int = 20) -> list[float]:
    """Milliseconds of the processor for drawing everything once more, with nothing else to do."""
    took = []
    for _ in range(count):
        began = time.thread_time()
        window.canvas.ask_update()
        window.on_draw()
        finish()
        took.append(1000 * (time.thread_time() - began))
    return took


def report(name: str, values: list[float]) -> None:
    """One line of figures."""
    ordered = sorted(values)
    p99 = ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))]
    print(
        f"{name}: median {statistics.median(ordered):.2f} ms, p99 {p99:.2f} ms, worst {ordered[-1]:.2f} ms"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--size", default="1280x800")
    parser.add_argument("--fps", type=float, default=30.0, help="pictures per second")
    parser.add_argument("--script", type=Path, default=SCRIPT)
    parser.add_argument("--eyes", choices=("script", "real"), default="script")
    options = parser.parse_args()
    width, height = (int(v) for v in options.size.split("x"))
    script = None if options.eyes == "real" else options.script
    frames = measure(options.seconds, (width, height), options.fps, script)
    print(f"{len(frames)} frames at {width}x{height}, {options.fps:g} pictures a second")
    for name, values in zip(
        ("work", "work, processor time", "draw", "draw, processor time"),
        zip(*frames, strict=True),
        strict=True,
    ):
        report(name, list(values))
    stalls = sum(work + draw > STALL_MS for work, _, draw, _ in frames)
    stalls_cpu = sum(busy > STALL_MS for _, busy, _, _ in frames)
    print(f"{stalls_cpu} frames with over {STALL_MS:g} ms of the interface's own processor time")
    print(
        f"{len(frames) / options.seconds:.0f} frames a second (60 is the most), {stalls} stalls over"
        f" {STALL_MS:g} ms, {memory_mb():.0f} MB, load of the machine {os.getloadavg()[0]:.1f}"
    )


if __name__ == "__main__":
    main()
