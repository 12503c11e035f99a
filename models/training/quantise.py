"""Compares the detector in float32 and int8: ``python -m models.training.quantise --data DIR``.

Static quantisation (QDQ, activations uint8, weights int8 per channel), calibrated on training
tables; recall and processor time on held-out ones.  Runs under onnxruntime only: OpenCV's runner
gives other answers for such files.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import numpy as np

from models import detector_path
from models.training.heldout import figures, samples_of
from models.training.synthesis.sample import Sample
from models.training.targets import planes, to_input
from vision.detector import Backend, open_backend
from vision.types import FloatArray

CALIBRATION = 40  # tables
ROUNDS = 10
# The last layers stay in float32: feet are read to a fraction of a pixel from them.
OUTPUT_LAYERS = ("heat", "rest", "coarse", "look", "coarse_look")


class _Tables:
    """Calibration inputs, one after the other, as onnxruntime asks for them."""

    def __init__(self, inputs: Iterator[FloatArray]) -> None:
        self._inputs = inputs

    def get_next(self) -> dict[str, FloatArray] | None:
        """The next input, None after the last."""
        value = next(self._inputs, None)
        return None if value is None else {"input": value}


def quantise(model: Path, out: Path, inputs: Iterator[FloatArray]) -> None:
    """Writes the int8 form of ``model``; ``inputs``: (1, 7, H, W) float32 to calibrate on."""
    import onnx
    from onnxruntime.quantization import QuantFormat, QuantType, quantize_static

    names = [node.name for node in onnx.load(str(model)).graph.node]
    outputs = [n for n in names if any(f"/{layer}/" in n for layer in OUTPUT_LAYERS)]
    quantize_static(
        str(model), str(out), _Tables(inputs), quant_format=QuantFormat.QDQ, per_channel=True,
        activation_type=QuantType.QUInt8, weight_type=QuantType.QInt8,
        nodes_to_exclude=outputs,
    )  # fmt: skip


def _inputs(samples: Iterator[Sample]) -> Iterator[FloatArray]:
    for i, sample in enumerate(samples):
        valid = sample.valid if i % 3 else np.zeros_like(sample.valid)
        yield to_input(planes(sample.picture, sample.reference, valid))


def milliseconds(run: Backend) -> float:
    """Median processor time of one 704 x 704 picture, one thread."""
    blank = np.zeros((1, 7, 704, 704), np.float32)
    run(blank)
    spent = []
    for _ in range(ROUNDS):
        began = time.process_time()
        run(blank)
        spent.append(1000 * (time.process_time() - began))
    return float(np.median(spent))


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--calibrate", default="seed1-*.npz", help="shards to calibrate on")
    parser.add_argument("--held-out", default="seed900-*.npz", help="shards to measure on")
    parser.add_argument("--model", type=Path, default=detector_path())
    parser.add_argument("--out", type=Path, default=None, help="keep the int8 file here")
    a = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        small = a.out or Path(folder) / "int8.onnx"
        tables = samples_of(a.data, a.calibrate)
        quantise(a.model, small, islice(_inputs(iter(tables)), CALIBRATION))
        for name, path in (("float32", a.model), ("int8", small)):
            _, run = open_backend(path, "onnxruntime", 1)
            print(f"{name}: {path.stat().st_size / 1e6:.2f} MB, {milliseconds(run):.0f} ms")
            for with_reference in (True, False):
                print(" ", figures(run, samples_of(a.data, a.held_out), with_reference), flush=True)


if __name__ == "__main__":
    main()
