"""The same film under harder conditions: ``python -m tests.benchmarks.film_variants TRUTH.json OUT [NAME…]``.

Writes films and truths into the folder OUT, for ``../shared/tools/score_watch.py``.  Names:
small, dark, bright, blurred, turned (the tablet upside down), quarter (on its side), flicker (exposure in
steps), warm (a white balance that drifts away), jpeg (all).
"""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np

from vision.types import Image

Change = Callable[[Image, int, np.random.Generator], Image]
STEPS, STEP_FRAMES = (1.0, 0.75, 1.25, 0.9, 1.15), 60
WARM_FROM, WARM_OVER, WARM = 200, 100, np.array([-0.25, 0.0, 0.2])


def _toned(image: Image, gain: float | np.ndarray, plus: float | np.ndarray = 0.0) -> Image:
    return np.clip(image.astype(np.float32) * gain + plus, 0, 255).astype(np.uint8)


def _sized(image: Image, width: int) -> Image:
    height = round(image.shape[0] * width / image.shape[1])
    return np.asarray(cv2.resize(image, (width, height), interpolation=cv2.INTER_AREA), np.uint8)


def _dark(image: Image, _: int, rng: np.random.Generator) -> Image:
    grain = rng.normal(0, 4, (*image.shape[:2], 1))
    return _toned(image, np.array([0.45, 0.6, 0.75]), grain)


def _blurred(image: Image, _: int, rng: np.random.Generator) -> Image:
    return _toned(cv2.GaussianBlur(image, (0, 0), 1.2), 1.0, rng.normal(0, 5, image.shape))


def _warm(image: Image, frame: int, _: np.random.Generator) -> Image:
    return _toned(image, 1 + WARM * np.clip((frame - WARM_FROM) / WARM_OVER, 0, 1))


def _jpeg(image: Image, _: int, __: np.random.Generator) -> Image:
    _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 22])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


VARIANTS: dict[str, Change] = {
    "small": lambda image, *_: _sized(image, 960),
    "dark": _dark,
    "bright": lambda image, *_: _toned(image, 1.35, 10),
    "blurred": _blurred,
    "turned": lambda image, *_: np.ascontiguousarray(image[::-1, ::-1]),
    "quarter": lambda image, *_: np.asarray(cv2.rotate(image, cv2.ROTATE_90_CLOCKWISE), np.uint8),
    "flicker": lambda image, frame, _: _toned(image, STEPS[frame // STEP_FRAMES % len(STEPS)]),
    "warm": _warm,
    "jpeg": _jpeg,
}


def write(truth_file: Path, out: Path, name: str) -> None:
    """One variant of the film and its truth."""
    truth = json.loads(truth_file.read_text("utf-8"))
    source = cv2.VideoCapture(str(truth_file.parent / truth["film"]))
    rng, writer, frame = np.random.default_rng(1), None, 0
    while (read := source.read())[0]:
        image = VARIANTS[name](np.asarray(read[1], np.uint8), frame, rng)
        if writer is None:
            code = cv2.VideoWriter.fourcc(*"mp4v")
            size = (image.shape[1], image.shape[0])
            writer = cv2.VideoWriter(str(out / f"{name}.mp4"), code, float(truth["fps"]), size)
        writer.write(image)
        frame += 1
    if writer is not None:
        writer.release()
    beside = {
        key: str((truth_file.parent / truth[key]).resolve()) for key in ("board", "reference")
    }
    for key, path in beside.items():
        shutil.copy(path, out / Path(path).name)
        truth[key] = Path(path).name
    (out / f"{name}.json").write_text(json.dumps(truth | {"film": f"{name}.mp4"}))


def main() -> None:
    """Command line."""
    truth, out, names = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:] or list(VARIANTS)
    out.mkdir(parents=True, exist_ok=True)
    for name in names:
        write(truth, out, name)
        print(out / f"{name}.json")


if __name__ == "__main__":
    main()
