"""Everything in one command: ``python -m models.training``.

Synthesis, training, export and figures.  Stopped and started again, it goes on where it was.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import multiprocessing
from pathlib import Path

from models.training.synthesise import synthesise

SEED, HELD_OUT_SEED = 1, 900
HERE = Path(__file__).resolve().parent.parent


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("training-data"))
    parser.add_argument("--out", type=Path, default=HERE / "detector.onnx")
    parser.add_argument("--count", type=int, default=12000, help="training pictures")
    parser.add_argument("--held-out", type=int, default=200)
    parser.add_argument("--steps", type=int, default=20000)
    parser.add_argument("--size", type=int, default=320, help="side of the training windows, px")
    parser.add_argument("--processes", type=int, default=2)
    a = parser.parse_args()
    half = a.count // a.processes
    jobs = [(a.data, half, SEED, k * half) for k in range(a.processes)]
    with multiprocessing.Pool(a.processes) as pool:
        pool.starmap(synthesise, [(a.data, a.held_out, HELD_OUT_SEED, 0), *jobs])

    import torch

    from models.training.export import export
    from models.training.net import Net
    from models.training.train import Settings, train

    pattern, run = f"seed{SEED}-*.npz", a.data / "runs" / "main"
    weights = train(Settings(a.data, pattern, run, a.steps, size=a.size, ranks=a.processes))
    net = Net()
    net.load_state_dict(torch.load(weights, weights_only=True))
    export(net, a.out)
    write_manifest(a.out)
    print_figures(a.out, a.data)


def write_manifest(model: Path) -> None:
    """Records the model's SHA-256 beside it."""
    digest = hashlib.sha256(model.read_bytes()).hexdigest()
    entry = {"detector": {"file": model.name, "sha256": digest}}
    (model.parent / "manifest.json").write_text(json.dumps(entry, indent=1) + "\n", "utf-8")


def print_figures(model: Path, data: Path) -> None:
    """Recall on the held-out synthetic tables, with and without the reference."""
    from models.training.heldout import figures, samples_of
    from vision.detector import open_backend

    _, run = open_backend(model, None, 1)
    for with_reference in (True, False):
        held_out = samples_of(data, f"seed{HELD_OUT_SEED}-*.npz")
        print(figures(run, held_out, with_reference), flush=True)


if __name__ == "__main__":
    main()
