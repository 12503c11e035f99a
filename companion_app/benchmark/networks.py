"""The networks on both runners: how long they take, and how far their answers differ."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from companion_app.benchmark import yolox_nano
from companion_app.benchmark.timing import Timing, measure
from companion_app.device import MOST_THREADS
from engine.errors import BoardwardenError
from models import detector_path, model_path
from vision.detector import Backend, open_backend
from vision.dice.patch import PATCH_PX
from vision.types import FloatArray

FASTER = 1.25  # so much faster in wall time must more threads be to be worth it
DICE_WINDOW = (448, 768)  # the finder's picture, about what a whole table needs


@dataclass(frozen=True, slots=True)
class Difference:
    """The greatest difference between the runners' outputs of one network."""

    model: str
    value: float


def inputs_like(shape: tuple[int, ...], seed: int = 3) -> FloatArray:
    """Random numbers of 0 to 1."""
    return np.random.default_rng(seed).random(shape, dtype=np.float32)


def yardstick(folder: Path, detector_inputs: FloatArray, rounds: int) -> list[Timing]:
    """The detector's network at its shipped input against YOLOX-Nano's shape, one thread each."""
    graph = folder / "yolox-nano-shape.onnx"
    yolox_nano.write(graph)
    side = yolox_nano.SIDE_PX
    other = inputs_like((1, 3, side, side))
    ours, theirs = (open_backend(p, None, 1) for p in (detector_path(), graph))
    size = "x".join(str(n) for n in detector_inputs.shape[:1:-1])
    return measure(
        [
            (f"detector's network at {size}, {ours[0]}", lambda: ours[1](detector_inputs)),
            (f"graph of YOLOX-Nano's shape at {side}x{side}", lambda: theirs[1](other)),
        ],
        rounds,
    )


def shipped(detector_inputs: FloatArray) -> list[tuple[str, Path, FloatArray]]:
    """(name, file, input) of every network that comes with the program."""
    patch, window = (1, 3, PATCH_PX, PATCH_PX), (1, 3, *DICE_WINDOW)
    return [
        ("detector", detector_path(), detector_inputs),
        ("dice reader", model_path("dice_reader"), inputs_like(patch) * 2 - 1),
        ("dice finder", model_path("dice_finder"), inputs_like(window)),
    ]


def runners(detector_inputs: FloatArray, rounds: int) -> tuple[list[Timing], list[Difference]]:
    """Every network on every runner that is installed."""
    timings, differences = [], []
    for name, path, inputs in shipped(detector_inputs):
        opened = _opened(path)
        jobs = [(f"{name} on {n}", partial(run, inputs)) for n, run in opened]
        timings += measure(jobs, rounds)
        outputs = [run(inputs) for _, run in opened]
        if len(outputs) == 2:
            differences.append(Difference(name, float(np.abs(outputs[0] - outputs[1]).max())))
    return timings, differences


def _opened(path: Path) -> list[tuple[str, Backend]]:
    opened = []
    for name in ("onnxruntime", "opencv"):
        try:
            opened.append(open_backend(path, name, 1))
        except BoardwardenError:
            if name == "opencv":
                raise
    return opened


def best_threads(detector_inputs: FloatArray, rounds: int) -> tuple[int, list[Timing]]:
    """The fewest threads within a quarter of the best wall time; 1 on one core."""
    counts = [n for n in (1, 2, 4, 8) if n <= min(os.cpu_count() or 1, MOST_THREADS)]
    opened = [(n, open_backend(detector_path(), None, n)[1]) for n in counts]
    timings = measure(
        [
            (f"detector's network, {n} thread{'s' * (n > 1)}", partial(run, detector_inputs))
            for n, run in opened
        ],
        rounds,
    )
    return worth_it([t.wall_ms for t in timings], counts), timings


def worth_it(wall_ms: list[float], counts: list[int]) -> int:
    """More threads only where each step makes it faster by FASTER."""
    best = 0
    for i in range(1, len(counts)):
        if wall_ms[i] * FASTER <= wall_ms[best]:
            best = i
    return counts[best]
