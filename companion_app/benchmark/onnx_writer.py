"""Writes small ONNX files by hand, so that a device can measure itself without the onnx package.

The fields are those of onnx.proto3 (ONNX 1.8, IR version 7), in protobuf's wire format.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

OPSET, IR_VERSION = 13, 7
FLOAT, INT64 = 1, 7  # TensorProto.DataType
_KIND = {float: 1, int: 2, str: 3, list: 7}  # AttributeProto.AttributeType
Value = int | float | str | list[int]


class GraphWriter:
    """Collects nodes and weights; ``to_bytes`` is the file."""

    def __init__(self) -> None:
        self._nodes: list[bytes] = []
        self._weights: list[bytes] = []
        self._count = 0
        self.parameters = 0

    def weight(self, array: NDArray[np.float32] | NDArray[np.int64]) -> str:
        """Stores a tensor (float32 or int64) and returns its name."""
        name = self._fresh("w")
        kind = FLOAT if array.dtype == np.float32 else INT64
        if kind == FLOAT:
            self.parameters += array.size
        dims = b"".join(_number(1, n) for n in array.shape)
        body = dims + _number(2, kind) + _text(8, name) + _bytes(9, array.tobytes())
        self._weights.append(_bytes(5, body))
        return name

    def node(self, operator: str, inputs: Sequence[str], output: str = "", **attributes: Value) -> str:  # fmt: skip
        """Adds an operator with one output and returns the output's name."""
        output = output or self._fresh("t")
        body = b"".join(_text(1, i) for i in inputs) + _text(2, output)
        body += _text(3, f"n{len(self._nodes)}") + _text(4, operator)
        body += b"".join(_bytes(5, _attribute(k, v)) for k, v in attributes.items())
        self._nodes.append(_bytes(1, body))
        return output

    def to_bytes(
        self, inputs: dict[str, Sequence[int]], outputs: dict[str, Sequence[int]]
    ) -> bytes:
        """The model; ``inputs`` and ``outputs``: names and shapes of float32 tensors."""
        graph = b"".join(self._nodes) + _text(2, "graph") + b"".join(self._weights)
        graph += b"".join(_bytes(11, _value(n, s)) for n, s in inputs.items())
        graph += b"".join(_bytes(12, _value(n, s)) for n, s in outputs.items())
        return _number(1, IR_VERSION) + _bytes(7, graph) + _bytes(8, _text(1, "") + _number(2, OPSET))  # fmt: skip

    def _fresh(self, letter: str) -> str:
        self._count += 1
        return f"{letter}{self._count}"


def _attribute(name: str, value: Value) -> bytes:
    body = _text(1, name)
    if isinstance(value, float):
        body += _key(2, 5) + struct.pack("<f", value)
    elif isinstance(value, int):
        body += _number(3, value)
    elif isinstance(value, str):
        body += _text(4, value)
    else:
        body += b"".join(_number(8, v) for v in value)
    return body + _number(20, _KIND[type(value)])


def _value(name: str, shape: Sequence[int]) -> bytes:
    dims = b"".join(_bytes(1, _number(1, n)) for n in shape)
    return _text(1, name) + _bytes(2, _bytes(1, _number(1, FLOAT) + _bytes(2, dims)))


def _varint(value: int) -> bytes:
    value &= (1 << 64) - 1  # negative numbers as two's complement
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def _key(field: int, wire: int) -> bytes:
    return _varint(field << 3 | wire)


def _number(field: int, value: int) -> bytes:
    return _key(field, 0) + _varint(value)


def _bytes(field: int, value: bytes) -> bytes:
    return _key(field, 2) + _varint(len(value)) + value


def _text(field: int, value: str) -> bytes:
    return _bytes(field, value.encode())
