"""Measures the speed of this device on one core, and how many threads suit the detector."""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path
from typing import Any

import cv2

from companion_app import device
from companion_app.benchmark import looks, networks
from companion_app.benchmark.table import Table, demo_table
from companion_app.benchmark.timing import HEADER, Timing
from engine.errors import BoardwardenError
from vision.crop import crop_of
from vision.detector import Detector, prepare
from vision.types import FloatArray


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``boardwarden bench``."""
    parser.add_argument("--rounds", type=int, default=15, help="runs of each job (default 15)")
    parser.add_argument(
        "--profile", action="store_true", help="tell where the time of one look goes"
    )
    parser.add_argument(
        "--no-threads", action="store_true", help="do not try more threads, remember nothing"
    )
    parser.add_argument("--json", action="store_true", help="print JSON only")


def run(options: argparse.Namespace) -> int:
    """Prints medians of processor time and wall time."""
    if options.rounds < 1:
        raise BoardwardenError("--rounds must be at least 1")
    cv2.setNumThreads(1)
    talk = not options.json
    table = demo_table(_demo_folder(), Detector())
    inputs = _detector_inputs(table)
    out: dict[str, Any] = {"device": device.this_device(), "timings": []}

    def tell(timings: list[Timing]) -> None:
        out["timings"] += [t.to_json() for t in timings]
        if talk:
            print("\n".join(str(t) for t in timings), flush=True)

    if talk:
        print(f"{out['device']}, OpenCV {cv2.__version__}\n{HEADER}")
    with tempfile.TemporaryDirectory() as folder:
        versus = networks.yardstick(Path(folder), inputs, options.rounds)
    tell(versus)
    out["detector_against_yolox_nano"] = round(versus[0].processor_ms / versus[1].processor_ms, 3)
    timings, differences = networks.runners(inputs, max(3, options.rounds // 3))
    tell(timings)
    tell(looks.look_timings(table, options.rounds))
    tell(looks.dice_timings(table, options.rounds))
    tell(looks.registration_timings(table, options.rounds))
    tell([looks.verdict_timing()])
    out["runner_difference"] = {d.model: d.value for d in differences}
    if talk:
        print(f"detector against YOLOX-Nano's shape: {out['detector_against_yolox_nano']:.2f}")
        for d in differences:
            print(f"greatest difference of the runners, {d.model}: {d.value:.1e}")
    if not options.no_threads:
        _threads(inputs, options.rounds, out, talk)
    if options.profile:
        _profile(table, options.rounds, out, talk)
    if options.json:
        print(json.dumps(out))
    return 0


def _threads(inputs: FloatArray, rounds: int, out: dict[str, Any], talk: bool) -> None:
    best, timings = networks.best_threads(inputs, rounds)
    path = device.remember_threads(best)
    out["threads"] = {"best": best, "timings": [t.to_json() for t in timings]}
    if talk:
        print("\n".join(str(t) for t in timings))
        print(f"the detector runs best with {best} thread{'s' * (best > 1)} here: remembered in {path}")  # fmt: skip


def _profile(table: Table, rounds: int, out: dict[str, Any], talk: bool) -> None:
    rows = looks.profile(table, max(3, rounds // 3))
    out["profile"] = [
        {"function": name, "own_ms": round(own, 2), "with_callees_ms": round(whole, 2)}
        for name, own, whole in rows
    ]
    if talk:
        print(f"{'where the time of one look goes':56} {'own':>8} {'with callees':>13}  ms")
        for name, own, whole in rows:
            print(f"{name[:56]:56} {own:8.2f} {whole:13.2f}")


def _detector_inputs(table: Table) -> FloatArray:
    """What the detector's network gets for the recorded table."""
    image, pose = table.frames[0].image, table.pose
    return prepare(image, pose, crop_of(pose), table.reference)


def _demo_folder() -> Path:
    return Path(__file__).resolve().parents[1] / "demo"
