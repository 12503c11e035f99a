"""The shipped network as weights to train further: ``python -m models.training.restore``.

An exported network has no normalisations any more: they are folded into the convolutions.  Here
they are put back with the statistics of some training windows, so that the network answers as
before and can go on learning (``models.training.train --start``).
"""

from __future__ import annotations

import argparse
from itertools import islice
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from models import detector_path
from models.training.heldout import samples_of
from models.training.net import Net
from models.training.targets import random_window

WEIGHT_RMS = 0.12  # of a filter, about what training from nothing ends with: steps are as large
WINDOWS, SIZE = 48, 320


def restore(model: Path, inputs: Tensor) -> Net:
    """The network of ``model``; ``inputs`` (N, 7, H, W) in 0..1 give the statistics."""
    net = Net().eval()
    convolutions = _convolutions(net)
    for name, (weight, bias) in _stored(model).items():
        layer, norm = convolutions[name]
        _set(layer, norm, torch.tensor(weight), torch.tensor(bias))
    seen: dict[str, tuple[Tensor, Tensor]] = {}
    hooks = [
        layer.register_forward_hook(_keep(seen, name))
        for name, (layer, norm) in convolutions.items()
        if norm is not None
    ]
    with torch.no_grad():
        net(inputs)
        for hook in hooks:
            hook.remove()
        for name, (mean, variance) in seen.items():
            norm = convolutions[name][1]
            assert norm is not None
            # Until now it only scaled: the same with other statistics.
            scale = norm.weight.clone()
            norm.running_mean, norm.running_var = mean, variance
            norm.weight.copy_(scale * (variance + norm.eps).sqrt())
            norm.bias.add_(scale * mean)
    return net


def _set(layer: nn.Conv2d, norm: nn.BatchNorm2d | None, weight: Tensor, bias: Tensor) -> None:
    with torch.no_grad():
        if norm is None or layer.bias is not None:
            layer.weight.copy_(weight)
            layer.bias.copy_(bias)  # type: ignore[union-attr]
            return
        size = weight.pow(2).mean((1, 2, 3)).sqrt().clamp(min=1e-6) / WEIGHT_RMS
        layer.weight.copy_(weight / size[:, None, None, None])
        norm.running_mean, norm.running_var = (
            torch.zeros_like(bias),
            torch.ones_like(bias) - norm.eps,
        )
        norm.weight.copy_(size)
        norm.bias.copy_(bias)


def _keep(seen: dict[str, tuple[Tensor, Tensor]], name: str):  # type: ignore[no-untyped-def]
    def hook(_layer: nn.Module, _inputs: object, output: Tensor) -> None:
        seen[name] = (output.mean((0, 2, 3)), output.var((0, 2, 3), unbiased=False))

    return hook


def _convolutions(net: Net) -> dict[str, tuple[nn.Conv2d, nn.BatchNorm2d | None]]:
    """Every convolution by its dotted name, with the normalisation that follows it, if any."""
    layers = dict(net.named_modules())
    found = {}
    for name, layer in layers.items():
        if isinstance(layer, nn.Conv2d):
            parent, _, number = name.rpartition(".")
            after = layers.get(f"{parent}.{int(number) + 1}") if number.isdigit() else None
            found[name] = (layer, after if isinstance(after, nn.BatchNorm2d) else None)
    return found


def _stored(model: Path) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Weights and biases of the exported convolutions by the dotted name of their layer."""
    import onnx
    from onnx import numpy_helper

    graph = onnx.load(str(model)).graph
    values = {i.name: numpy_helper.to_array(i) for i in graph.initializer}
    return {
        _layer_name(n.name): (values[n.input[1]], values[n.input[2]])
        for n in graph.node
        if n.op_type == "Conv"
    }


def _layer_name(node: str) -> str:
    """``/net/at8/at8.1/first/first.0/Conv`` to ``at8.1.first.0``."""
    parts = node.strip("/").split("/")[1:-1]
    name = ""
    for part in parts:
        repeated = part.rpartition(".")[0]
        if repeated and name.endswith(repeated):
            name = name[: len(name) - len(repeated)] + part
        else:
            name = f"{name}.{part}" if name else part
    return name


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--pattern", default="seed1-*.npz", help="shards for the statistics")
    parser.add_argument("--model", type=Path, default=detector_path())
    parser.add_argument("--out", type=Path, required=True)
    a = parser.parse_args()
    rng = np.random.default_rng(3)
    windows = [
        random_window(rng, s, SIZE).inputs for s in islice(samples_of(a.data, a.pattern), WINDOWS)
    ]
    inputs = torch.from_numpy(np.stack(windows)).permute(0, 3, 1, 2).float() / 255
    torch.save(restore(a.model, inputs).state_dict(), a.out)


if __name__ == "__main__":
    main()
