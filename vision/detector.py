"""Finds pieces in one picture: crop, network, peaks of its heat maps.

The network is a centre-point detector (Zhou et al. 2019, "Objects as Points") whose points are the
feet of the pieces.  Its input and outputs are described in ``models/detector.md``.
"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.errors import BoardwardenError
from models import detector_path
from vision.crop import LONG_SIDE, crop_of, cut, to_image
from vision.crop_reference import face_in_window, match_light, shrunk
from vision.reference import Reference
from vision.second_look import STRIDE, greatest_around, looked_again
from vision.types import SHAPES, BoardPose, Crop, Detections, FloatArray, Image

# Top vectors and widths leave the network in this unit.
SCALE_PX = 32.0
THRESHOLD = 0.15
# Peaks nearer than this share of a base width are one thing.
SAME_THING = 1 / 3
LEAST_GAP_PX = 3.0
_CLASSES = len(SHAPES)
# Classes of one group exclude one another at one place; walls stand under other pieces.
_GROUP = np.array([i if s in ("wall", "l_wall") else -1 for i, s in enumerate(SHAPES)])
IntArray = NDArray[np.intp]


class Backend(Protocol):
    """Runs the network: (1, 7, H, W) float32 to (18 + D, H/4, W/4) float32."""

    def __call__(self, inputs: FloatArray) -> FloatArray: ...


class Detector:
    """The shipped network, or another of the same form, on one of two runners.

    ``backend``: "onnxruntime", "opencv" or None (onnxruntime where it can be imported).
    ``threads``: threads of the runner.  ``both_ways``: the picture is also seen mirrored and the two
    answers averaged, which finds more and takes twice as long.  Raises BoardwardenError if the model file is missing or
    damaged or the runner is unknown.
    """

    def __init__(
        self,
        model_path: Path | str | None = None,
        backend: str | None = None,
        threads: int = 1,
        both_ways: bool = True,
    ) -> None:
        self.both_ways = both_ways
        path = detector_path() if model_path is None else Path(model_path)
        self.backend, self._run = open_backend(path, backend, threads)
        self._shrunk: tuple[Reference, Reference] | None = None

    def detect(
        self, image_bgr: Image, pose: BoardPose, reference: Reference | None = None,
        where_unsure: bool = False,
    ) -> Detections:  # fmt: skip
        """Pieces in ``image_bgr`` (H, W, 3) whose board lies at ``pose``.

        ``reference``: the empty face, if known; it lets the network see what has been added.
        ``where_unsure``: the mirrored look only where the first one leaves doubt about figures.
        """
        crop = crop_of(pose)
        picture = cut(image_bgr, crop)
        inputs = _planes(picture, pose, self._small(reference))
        output = self._run(inputs)
        if self.both_ways and where_unsure:
            output = looked_again(inputs, output, self._mirrored)
        elif self.both_ways:
            output = (output + self._mirrored(inputs)) / 2
        return replace(decode(output, crop), window=picture)

    def _mirrored(self, inputs: FloatArray) -> FloatArray:
        return mirrored(self._run(flipped(inputs)))

    def _small(self, reference: Reference | None) -> Reference | None:
        if reference is None:
            return None
        if self._shrunk is None or self._shrunk[0] is not reference:
            self._shrunk = (reference, shrunk(reference, LONG_SIDE))
        return self._shrunk[1]


def mirrored(output: FloatArray) -> FloatArray:
    """The network's output (18 + D, h, w) for a mirrored picture, turned back."""
    back = flipped(output)
    back[[_CLASSES, _CLASSES + 2]] *= -1  # the x parts of foot and top
    return back


def flipped(planes: FloatArray) -> FloatArray:
    """Planes (…, h, w) as a mirror shows them."""
    width = planes.shape[-1]
    return np.asarray(cv2.flip(planes.reshape(-1, width), 1).reshape(planes.shape), np.float32)


def prepare(
    image_bgr: Image, pose: BoardPose, crop: Crop, reference: Reference | None
) -> FloatArray:
    """Network input (1, 7, H, W) float32 in 0..1: RGB, reference RGB, validity of the reference."""
    return _planes(cut(image_bgr, crop), pose, reference)


def _planes(picture: Image, pose: BoardPose, reference: Reference | None) -> FloatArray:
    """The same for the picture in the pose's window."""
    height, width = picture.shape[:2]
    planes = [*cv2.split(picture)[::-1]]
    if reference is not None:
        seen, valid = face_in_window(reference, pose)
        planes += [*cv2.split(match_light(seen, valid, picture))[::-1], valid]
    blob = np.zeros((1, 7, height, width), np.float32)
    for c, plane in enumerate(planes):
        np.multiply(plane, np.float32(1 / 255), out=blob[0, c])
    return blob


def decode(output: FloatArray, crop: Crop, threshold: float = THRESHOLD) -> Detections:
    """Things from the network's output (18 + D, h, w): heat maps, 5 regressions, 2 masks, looks."""
    heat = output[:_CLASSES]
    regress = output[_CLASSES : _CLASSES + 5]
    around = greatest_around(heat)
    cls, y, x = _merge(*_peaks(heat, around, threshold), regress)
    n = len(cls)
    foot = _feet(regress, y, x)
    top = foot + regress[2:4, y, x].T * SCALE_PX
    # Every class's strongest answer around the peak; of a wall only its own.
    scores = np.where(_GROUP[cls][:, None] == _GROUP[None], around[:, y, x].T, 0).astype(np.float32)
    scale = crop.scale
    masks, looks = output[_CLASSES + 5 : _CLASSES + 7], output[_CLASSES + 7 :]
    inverse = np.linalg.inv(np.vstack([crop.image_to_crop, [0, 0, 1]]))
    grid = np.array([[STRIDE, 0, (STRIDE - 1) / 2], [0, STRIDE, (STRIDE - 1) / 2], [0, 0, 1]])
    return Detections(
        to_image(foot, crop).astype(np.float32).reshape(-1, 2),
        to_image(top, crop).astype(np.float32).reshape(-1, 2),
        (np.maximum(regress[4, y, x], 0.05) * SCALE_PX / scale).astype(np.float32).reshape(-1),
        scores,
        scores.max(1) if n else np.zeros(0, np.float32),
        np.ascontiguousarray(masks[0]),
        np.ascontiguousarray(masks[1]),
        (inverse @ grid)[:2],
        np.ascontiguousarray(looks) if len(looks) else None,
    )


def _peaks(heat: FloatArray, around: FloatArray, threshold: float) -> tuple[IntArray, ...]:
    """(class, y, x) of the 3 x 3 maxima (``around``: greatest neighbour), strongest first."""
    c, y, x = np.nonzero((heat >= around) & (heat >= threshold))
    order = np.argsort(-heat[c, y, x], kind="stable")
    return c[order], y[order], x[order]


def _feet(regress: FloatArray, y: IntArray, x: IntArray) -> NDArray[np.float64]:
    """(N, 2) feet in crop px of the network cells (y, x)."""
    cells = np.stack([x, y], 1) + regress[:2, y, x].T
    return np.asarray(cells * STRIDE + (STRIDE - 1) / 2, np.float64)


def _merge(c: IntArray, y: IntArray, x: IntArray, regress: FloatArray) -> tuple[IntArray, ...]:
    """The same without weaker peaks of a thing that a stronger one has found."""
    feet = _feet(regress, y, x)
    reach = np.maximum(regress[4, y, x] * (SCALE_PX * SAME_THING), LEAST_GAP_PX)
    gap = np.hypot(*(feet[:, None] - feet[None]).transpose(2, 0, 1))
    rivals = gap < np.maximum(reach[:, None], reach[None])
    rivals &= _GROUP[c][:, None] == _GROUP[c][None]
    alive = np.ones(len(c), bool)
    for i in range(len(c)):
        if alive[i]:
            alive[i + 1 :] &= ~rivals[i, i + 1 :]
    return c[alive], y[alive], x[alive]


def open_backend(path: Path, name: str | None, threads: int) -> tuple[str, Backend]:
    """The runner's name and the network on it, for one picture at a time; see Detector."""
    name, run = open_runner(path, name, threads)
    return name, lambda inputs: run(inputs)[0]


def open_runner(path: Path, name: str | None, threads: int) -> tuple[str, Backend]:
    """The same for whole batches: the answer keeps its first axis."""
    if not os.path.isfile(path):
        raise BoardwardenError(f"the model file {path} is missing: install Boardwarden again")
    if name is None:
        try:
            import onnxruntime  # noqa: F401
        except ImportError:
            name = "opencv"
        else:
            name = "onnxruntime"
    runners = {"onnxruntime": _OnnxRuntime, "opencv": _OpenCv}
    if name not in runners:
        raise BoardwardenError(f"unknown runner {name!r}: use onnxruntime or opencv")
    try:
        return name, runners[name](path, threads)
    except BoardwardenError:
        raise
    except Exception as error:  # the runners raise their own undocumented kinds
        raise BoardwardenError(
            f"the model file {path} cannot be used by {name}: install Boardwarden again"
        ) from error


class _OnnxRuntime:
    def __init__(self, path: Path, threads: int) -> None:
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        self._session: Any = onnxruntime.InferenceSession(
            str(path), options, providers=["CPUExecutionProvider"]
        )
        self._input: str = self._session.get_inputs()[0].name

    def __call__(self, inputs: FloatArray) -> FloatArray:
        return np.asarray(self._session.run(None, {self._input: inputs})[0], np.float32)


class _OpenCv:
    def __init__(self, path: Path, threads: int) -> None:
        self._path = path
        self._nets: dict[tuple[int, ...], Any] = {}
        self._net(())

    def _net(self, shape: tuple[int, ...]) -> Any:
        # OpenCV plans memory for one input size; a net per size is safe in 4.12 and 5.0.
        if shape not in self._nets:
            if len(self._nets) > 3:
                self._nets.clear()
            self._nets[shape] = cv2.dnn.readNetFromONNX(str(self._path))
        return self._nets[shape]

    def __call__(self, inputs: FloatArray) -> FloatArray:
        net = self._net(inputs.shape)
        net.setInput(inputs)
        return np.asarray(net.forward(), np.float32)
