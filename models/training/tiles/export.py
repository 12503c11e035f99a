"""Weights of the tile network to ``models/tile_reader.onnx``: ``python -m models.training.tiles.export``."""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path

import torch

from models.training.dice.export import enter
from models.training.export import OPSET
from models.training.tiles.bank import kinds
from models.training.tiles.nets import TileNet
from vision.tiles.patch import PATCH_PX

HERE = Path(__file__).resolve().parents[2]


def export_tiles(net: TileNet, path: Path) -> None:
    """Input ``input`` (N, 3, 80, 80), output ``output`` (N, logits); its kinds go into the manifest."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            net.eval(), (torch.zeros(2, 3, PATCH_PX, PATCH_PX),), str(path), input_names=["input"],
            output_names=["output"], dynamic_axes={"input": {0: "n"}, "output": {0: "n"}},
            opset_version=OPSET, dynamo=False,
        )  # fmt: skip
    enter(path, kinds=list(kinds()))


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weights", type=Path, default=Path("training-data/tiles/weights.pt"))
    parser.add_argument("--out", type=Path, default=HERE / "tile_reader.onnx")
    a = parser.parse_args()
    net = TileNet(len(kinds()))
    net.load_state_dict(torch.load(a.weights, weights_only=True))
    export_tiles(net, a.out)


if __name__ == "__main__":
    main()
