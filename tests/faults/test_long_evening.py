"""A long evening: memory, threads, handles and frames stay as they are, through sleep and wake."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.faults.running import SOAK_S, soaked

ROOT = Path(__file__).resolve().parents[2]
pytestmark = [pytest.mark.window, pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")]
SHORT_S = 4.0
MOST_MB = 400.0  # also with a window drawn in software, whose pictures count as the program's
# From the first to the last third after the warm-up.  The stores of drawn texts, pieces and shaders are
# full after some hundred actions and a dozen looks round: in real time after most of an hour.
GROWTH_MB, FILLING_MB = 15.0, 60.0
FULL_AFTER_S = {"compressed": 600.0, "real": 3600.0}
HOURS, MOST_S = 3, 7200.0
ACTIONS = os.environ.get("BOARDWARDEN_SOAK_ACTIONS", "60")  # of a game, after which another begins
HELD = 3  # games in memory at most: the running one, and what has not been swept away yet


def evening(folder: Path, seconds: float, *how: str) -> dict[str, Any]:
    """The figures of an evening in a process of its own; ``seconds`` by the clock."""
    env = {**os.environ, "SDL_AUDIODRIVER": "dummy", "KIVY_METRICS_DENSITY": "1"}
    if not env.get("DISPLAY"):
        env["SDL_VIDEODRIVER"] = "offscreen"
    done = subprocess.run(
        [sys.executable, "-m", "tests.faults.long_evening", str(folder), "--seconds", str(seconds), *how],
        cwd=ROOT, env=env, capture_output=True, text=True, timeout=seconds * 3 + 240, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    # a child that is still being started when all ends may say so; the app itself may not
    assert "/companion_app/" not in done.stderr, done.stderr
    figures: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return figures


def flat(figures: dict[str, Any]) -> None:
    """Nothing is left over; a page that is being opened or an eye that is closing may still count."""
    for name in ("threads", "handles"):
        first, last = figures[name]
        assert last <= first + 2, (name, figures["samples"])
    assert max(sample["held"] for sample in figures["samples"]) <= HELD, figures["samples"]
    assert figures["most_mb"] < MOST_MB


def told(figures: dict[str, Any], seconds: float, eyes: str) -> str:
    f = figures
    memory, eyes_mb, threads, handles, held, frame = (
        f[n] for n in ("memory_mb", "eyes_mb", "threads", "handles", "held", "frame_ms")
    )
    return (
        f"\nlong evening, {seconds:.0f} s, {eyes}: {f['games']} games, {f['actions']} actions,"
        f" {f['pictures']} pictures, {f['sleeps']} sleeps, {f['looks']} looks round; first and last third:"
        f" memory {memory[0]:.0f} and {memory[1]:.0f} MB (most {f['most_mb']:.0f}), eyes {eyes_mb[0]:.0f}"
        f" and {eyes_mb[1]:.0f} MB, threads {threads[0]:.0f} and"
        f" {threads[1]:.0f}, handles {handles[0]:.0f} and {handles[1]:.0f}, games in memory"
        f" {held[0]:.0f} and {held[1]:.0f}, processor time of a frame"
        f" {frame[0]:.1f} and {frame[1]:.1f} ms (median)"
    )


def test_a_short_evening_leaves_nothing_over(tmp_path: Path) -> None:
    figures = evening(tmp_path, SHORT_S, "--least", "8")
    assert figures["actions"] >= 8
    assert figures["pictures"] > 0
    flat(figures)


@soaked
@pytest.mark.parametrize("how", [(), ("--real",)], ids=["compressed", "real"])
def test_a_long_evening(how: tuple[str, ...], tmp_path: Path, capsys) -> None:
    seconds = max(60.0, SOAK_S)
    figures = evening(tmp_path, seconds, "--actions", ACTIONS, *how)
    with capsys.disabled():
        print(told(figures, seconds, "real eyes" if how else "perfect eyes, compressed time"))
    flat(figures)
    first, last = figures["memory_mb"]
    filling = seconds < FULL_AFTER_S["real" if how else "compressed"]
    limit = FILLING_MB if filling else GROWTH_MB
    assert last < first + limit, figures["samples"]


@soaked
def test_one_game_of_three_hours_in_compressed_time(tmp_path: Path, capsys) -> None:
    figures = evening(tmp_path, MOST_S, "--hours", str(HOURS))
    with capsys.disabled():
        print(told(figures, 3600 * HOURS, "perfect eyes, compressed further"))
    flat(figures)
    first, last = figures["memory_mb"]
    assert last < first + GROWTH_MB, figures["samples"]
    first, last = figures["frame_ms"]
    assert last < 1.5 * first, figures["samples"]
