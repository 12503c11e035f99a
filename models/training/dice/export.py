"""Weights of the dice networks to ONNX files, entered in the manifest."""

from __future__ import annotations

import hashlib
import json
import warnings
from pathlib import Path

import torch
from torch import nn

from models.training.dice.nets import ExportedFinder, ExportedReader, Finder, Reader
from models.training.export import OPSET
from vision.dice.patch import PATCH_PX


def export_reader(net: Reader, temperature: float, path: Path) -> None:
    """Input ``input`` (1, 3, 64, 64), output ``output`` (1, 10)."""
    _write(ExportedReader(net, temperature), torch.zeros(1, 3, PATCH_PX, PATCH_PX), {}, path)


def export_finder(net: Finder, path: Path) -> None:
    """Input ``input`` (1, 3, H, W), output ``output`` (1, 2, H/4, W/4)."""
    axes = {"input": {2: "h", 3: "w"}, "output": {2: "h4", 3: "w4"}}
    _write(ExportedFinder(net), torch.zeros(1, 3, 96, 128), axes, path)


def _write(
    module: nn.Module, example: torch.Tensor, axes: dict[str, dict[int, str]], path: Path
) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            module.eval(), (example,), str(path), input_names=["input"], output_names=["output"],
            dynamic_axes=axes or None, opset_version=OPSET, dynamo=False,
        )  # fmt: skip
    enter(path)


def enter(path: Path, **more: object) -> None:
    """Records a model's SHA-256, and whatever else, in the manifest beside it, under its file name
    without ending."""
    manifest = path.parent / "manifest.json"
    known = json.loads(manifest.read_text("utf-8")) if manifest.exists() else {}
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    known[path.stem] = {"file": path.name, "sha256": digest, **more}
    manifest.write_text(json.dumps(known, indent=1) + "\n", "utf-8")
