"""Weights to go on from out of an ONNX file of the network: the shipped one is all that is kept."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn

from models.training.tiles.bank import Bank
from models.training.tiles.batches import draw
from models.training.tiles.nets import FINE, PLACED, TileNet
from vision.tiles.patch import patches_input

PATCHES = 512  # on which the normalisations are measured
WEIGHED = ("Conv", "Gemm", "MatMul")
Norm = nn.BatchNorm1d | nn.BatchNorm2d


@torch.no_grad()
def take_over(net: TileNet, path: Path, bank: Bank, seed: int = 5) -> None:
    """Gives ``net`` what an exported network of the same or an earlier form has learnt.

    The export has each normalisation folded into the layer before; it is unfolded so that ``net`` says
    the same and learns as if it had never been folded.  Layers that the file lacks stay as they are.
    """
    graph = onnx.load(path).graph
    values = {i.name: numpy_helper.to_array(i).copy() for i in graph.initializer}
    layers = _in_order(net)
    offsets: dict[Norm, Tensor] = {}
    nodes = [n for n in graph.node if n.op_type in WEIGHED]
    for node, (layer, norm) in zip(nodes, layers, strict=False):
        weight = torch.from_numpy(values[node.input[1]])
        weight = weight.T if node.op_type == "MatMul" else weight
        layer.weight.copy_(weight.reshape(layer.weight.shape))
        bias = torch.from_numpy(values[node.input[2]]) if len(node.input) > 2 else None
        if norm is not None:
            offsets[norm] = torch.zeros(len(weight)) if bias is None else bias
        elif bias is not None and layer.bias is not None:
            layer.bias.copy_(bias)
    _fold(net, graph, values, offsets)
    for value in values.values():
        if value.shape == (1, PLACED, FINE, FINE):
            net.where.copy_(torch.from_numpy(value))
    _unfold(net, offsets, bank, seed)


def _in_order(net: TileNet) -> list[tuple[nn.Conv2d | nn.Linear, Norm | None]]:
    """The layers with weights as the network runs them, with the normalisation behind each."""
    parts = [
        net.at4, net.at8, net.at16, net.flat, net.mix, net.head, net.down16, net.mix8, net.down8,
        net.mix4, net.heat, net.peaks,
    ]  # fmt: skip
    found: list[tuple[nn.Conv2d | nn.Linear, Norm | None]] = []
    for module in (m for part in parts for m in part.modules()):
        if isinstance(module, nn.Conv2d | nn.Linear):
            found.append((module, None))
        elif isinstance(module, Norm):
            found[-1] = (found[-1][0], module)
    return found


def _fold(
    net: TileNet, graph: onnx.GraphProto, values: dict[str, np.ndarray], offsets: dict[Norm, Tensor]
) -> None:
    """The one normalisation that the export leaves, behind the layer that mixes all places."""
    for node in graph.node:
        if node.op_type == "BatchNormalization":
            scale, shift, mean, spread = (torch.from_numpy(values[n]) for n in node.input[1:5])
            factor = scale / (spread + net.mix[2].eps).sqrt()
            net.mix[1].weight.mul_(factor[:, None])
            offsets[net.mix[2]] = shift - mean * factor


def _unfold(net: TileNet, offsets: dict[Norm, Tensor], bank: Bank, seed: int) -> None:
    def measure(norm: Norm, inputs: tuple[Tensor, ...]) -> None:
        axes = [n for n in range(inputs[0].ndim) if n != 1]
        mean, spread = inputs[0].mean(axes), inputs[0].var(axes, unbiased=False)
        norm.running_mean.copy_(mean)  # type: ignore[union-attr]
        norm.running_var.copy_(spread)  # type: ignore[union-attr]
        norm.weight.copy_((spread + norm.eps).sqrt())
        norm.bias.copy_(offsets[norm] + mean)

    hooks = [norm.register_forward_pre_hook(measure) for norm in offsets]
    patches = draw(np.random.default_rng(seed), bank, PATCHES)
    net.eval()(torch.from_numpy(patches_input(list(patches.pictures))))
    for hook in hooks:
        hook.remove()
