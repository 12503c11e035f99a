"""The dice networks from nothing: ``python -m models.training.dice``.

Draws the pictures, trains both networks, fits the temperature, exports.  Stopped and started
again, it takes up what is there.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2
import numpy as np
import torch
from torch.nn import functional as F

from models.training.dice import batches, pictures
from models.training.dice.export import export_finder, export_reader
from models.training.dice.nets import Finder, Reader
from models.training.dice.train import train_finder, train_reader

SEED, HELD_OUT_SEED = 1, 9
HERE = Path(__file__).resolve().parents[2]


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path("training-data/dice"))
    parser.add_argument("--tables", type=Path, help="shards of the detector's pictures, if at hand")
    parser.add_argument("--out", type=Path, default=HERE)
    parser.add_argument("--count", type=int, default=6500)
    parser.add_argument("--reader-steps", type=int, default=20000)
    parser.add_argument("--finder-steps", type=int, default=6000)
    a = parser.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    grounds = pictures.tables(a.tables)
    pictures.write(a.data, a.count, SEED, grounds)
    pictures.write(a.data, 500, HELD_OUT_SEED, grounds)
    scenes = list(pictures.read(a.data, SEED))
    reader, finder = a.data / "reader.pt", a.data / "finder.pt"
    if not reader.exists():
        train_reader(scenes, grounds, a.reader_steps, SEED, reader)
    if not finder.exists():
        train_finder(scenes, grounds, a.finder_steps, SEED, finder)
    export(reader, finder, a.data, grounds, a.out)


def export(
    reader: Path, finder: Path, data: Path, grounds: list[pictures.Picture], out: Path
) -> None:
    """Stored weights to the shipped files; prints the figures on the held-out scenes."""
    read, find = Reader(), Finder()
    read.load_state_dict(torch.load(reader, weights_only=True))
    find.load_state_dict(torch.load(finder, weights_only=True))
    scenes = list(pictures.read(data, HELD_OUT_SEED))
    part = batches.patches(np.random.default_rng(5), scenes, 2000, grounds)
    temperature = held_out(read.eval(), part)
    export_reader(read.eval(), temperature, out / "dice_reader.onnx")
    export_finder(find.eval(), out / "dice_finder.onnx")


def held_out(net: Reader, part: batches.Patches) -> float:
    """Prints how much is right on held-out patches; returns the temperature of least loss."""
    with torch.no_grad():
        logits = net(torch.from_numpy(part.inputs)).flatten(1)[:, :7]
    truth = torch.from_numpy(part.pips)
    best = logits.argmax(1)
    there = truth > 0
    print(f"held-out patches: pips right {float((best == truth)[there].float().mean()):.4f} of "
          f"{int(there.sum())}, nothing told from dice {float(((best > 0) == there).float().mean()):.4f}")  # fmt: skip
    choices = np.linspace(0.5, 2.5, 41)
    losses = [float(F.cross_entropy(logits / t, truth)) for t in choices]
    return float(choices[int(np.argmin(losses))])


if __name__ == "__main__":
    main()
