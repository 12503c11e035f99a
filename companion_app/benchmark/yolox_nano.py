"""A graph of YOLOX-Nano's shape with random weights: the yardstick of the detector's speed.

CSPDarknet of depth 0.33 and width 0.25 with depthwise convolutions, PAFPN, three decoupled heads
of 80 classes; 0.91 million parameters at 416 x 416 (Ge et al. 2021, "YOLOX: Exceeding YOLO Series
in 2021").  Batch normalisation is folded into the convolutions, as in any exported model.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from companion_app.benchmark.onnx_writer import GraphWriter

SIDE_PX = 416
CLASSES = 80
HEAD = 64
STRIDES = (8, 16, 32)


class _Net:
    """Layers by name of the tensor that they work on; channel counts are kept beside."""

    def __init__(self, seed: int) -> None:
        self.graph = GraphWriter()
        self._rng = np.random.default_rng(seed)
        self._width = {"input": 3}

    def channels(self, x: str) -> int:
        return self._width[x]

    def conv(self, x: str, out: int, kernel: int = 1, stride: int = 1, groups: int = 1, act: bool = True) -> str:  # fmt: skip
        """Convolution with bias, SiLU."""
        fan = self._width[x] // groups * kernel * kernel
        weights = self._rng.normal(0, fan**-0.5, (out, self._width[x] // groups, kernel, kernel))
        names = [self.graph.weight(v.astype(np.float32)) for v in (weights, np.zeros(out))]
        pad = kernel // 2
        y = self.graph.node(
            "Conv", [x, *names], kernel_shape=[kernel, kernel], strides=[stride, stride],
            pads=[pad, pad, pad, pad], group=groups,
        )  # fmt: skip
        if act:
            y = self.graph.node("Mul", [y, self.graph.node("Sigmoid", [y])])
        self._width[y] = out
        return y

    def depthwise(self, x: str, out: int, stride: int = 1) -> str:
        """3 x 3 per channel, then 1 x 1."""
        n = self._width[x]
        return self.conv(self.conv(x, n, 3, stride, n), out)

    def join(self, *parts: str) -> str:
        """Channels side by side."""
        y = self.graph.node("Concat", list(parts), axis=1)
        self._width[y] = sum(self._width[p] for p in parts)
        return y

    def csp(self, x: str, out: int, depth: int, shortcut: bool = True) -> str:
        """Cross-stage partial layer."""
        a, b = self.conv(x, out // 2), self.conv(x, out // 2)
        for _ in range(depth):
            y = self.depthwise(self.conv(a, out // 2), out // 2)
            if shortcut:
                y = self.graph.node("Add", [a, y])
                self._width[y] = out // 2
            a = y
        return self.conv(self.join(a, b), out)

    def pyramid_pool(self, x: str, out: int) -> str:
        """Spatial pyramid pooling."""
        y = self.conv(x, self._width[x] // 2)
        parts = [y]
        for k in (5, 9, 13):
            p = self.graph.node(
                "MaxPool", [y], kernel_shape=[k, k], strides=[1, 1], pads=[k // 2] * 4
            )
            self._width[p] = self._width[y]
            parts.append(p)
        return self.conv(self.join(*parts), out)

    def doubled(self, x: str) -> str:
        """Twice the size, nearest neighbour."""
        scales = self.graph.weight(np.array([1, 1, 2, 2], np.float32))
        self.graph.parameters -= 4
        y = self.graph.node(
            "Resize", [x, "", scales], mode="nearest", nearest_mode="floor",
            coordinate_transformation_mode="asymmetric",
        )  # fmt: skip
        self._width[y] = self._width[x]
        return y

    def focus(self, x: str) -> str:
        """Every second pixel of rows and columns as channels of their own."""
        parts = []
        for row, column in ((0, 0), (1, 0), (0, 1), (1, 1)):
            numbers = ([row, column], [SIDE_PX, SIDE_PX], [2, 3], [2, 2])
            names = [self.graph.weight(np.array(v, np.int64)) for v in numbers]
            part = self.graph.node("Slice", [x, *names])
            self._width[part] = self._width[x]
            parts.append(part)
        return self.join(*parts)


def _backbone(net: _Net) -> tuple[str, str, str]:
    x = net.conv(net.focus("input"), 16, 3)
    x = net.csp(net.depthwise(x, 32, 2), 32, 1)
    dark3 = net.csp(net.depthwise(x, 64, 2), 64, 3)
    dark4 = net.csp(net.depthwise(dark3, 128, 2), 128, 3)
    x = net.pyramid_pool(net.depthwise(dark4, 256, 2), 256)
    return dark3, dark4, net.csp(x, 256, 1, shortcut=False)


def _neck(net: _Net, levels: tuple[str, str, str]) -> tuple[str, str, str]:
    dark3, dark4, dark5 = levels
    lateral = net.conv(dark5, 128)
    x = net.csp(net.join(net.doubled(lateral), dark4), 128, 1, shortcut=False)
    reduced = net.conv(x, 64)
    small = net.csp(net.join(net.doubled(reduced), dark3), 64, 1, shortcut=False)
    x = net.join(net.depthwise(small, 64, 2), reduced)
    middle = net.csp(x, 128, 1, shortcut=False)
    x = net.join(net.depthwise(middle, 128, 2), lateral)
    return small, middle, net.csp(x, 256, 1, shortcut=False)


def _head(net: _Net, x: str, cells: int) -> str:
    stem = net.conv(x, HEAD)
    kinds = net.depthwise(net.depthwise(stem, HEAD), HEAD)
    boxes = net.depthwise(net.depthwise(stem, HEAD), HEAD)
    parts = [net.conv(boxes, 4, act=False), net.conv(boxes, 1, act=False)]
    parts[1] = _sigmoid(net, parts[1])
    y = net.join(*parts, _sigmoid(net, net.conv(kinds, CLASSES, act=False)))
    shape = net.graph.weight(np.array([1, CLASSES + 5, cells], np.int64))
    return net.graph.node("Reshape", [y, shape])


def _sigmoid(net: _Net, x: str) -> str:
    y = net.graph.node("Sigmoid", [x])
    net._width[y] = net.channels(x)
    return y


def write(path: Path, seed: int = 1) -> int:
    """Writes the graph: input (1, 3, 416, 416), output (1, 85, 3549).  Returns its parameters."""
    net = _Net(seed)
    cells = [(SIDE_PX // s) ** 2 for s in STRIDES]
    levels = _neck(net, _backbone(net))
    heads = [_head(net, x, n) for x, n in zip(levels, cells, strict=True)]
    net.graph.node("Concat", heads, "output", axis=2)
    shapes = {"input": (1, 3, SIDE_PX, SIDE_PX)}, {"output": (1, CLASSES + 5, sum(cells))}
    path.write_bytes(net.graph.to_bytes(*shapes))
    return net.graph.parameters
