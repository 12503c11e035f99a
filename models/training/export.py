"""Torch weights to one ONNX file that onnxruntime and OpenCV both run."""

from __future__ import annotations

import warnings
from pathlib import Path

import torch

from models.training.net import CHANNELS, Exported, Net

OPSET = 13


def export(net: Net, path: Path) -> None:
    """Writes ``path``: float32, input ``input`` (N, 7, H, W), output ``output`` (N, 30, H/4, W/4)."""
    module = Exported(net).eval()
    example = torch.zeros(1, CHANNELS, 256, 320)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            module, (example,), str(path), input_names=["input"], output_names=["output"],
            dynamic_axes={"input": {2: "h", 3: "w"}, "output": {2: "h4", 3: "w4"}},
            opset_version=OPSET, dynamo=False,
        )  # fmt: skip
