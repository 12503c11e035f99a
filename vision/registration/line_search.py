"""The camera under which a board's own lines show best, of all that a few points leave open.

Draws from what the points leave open are weighed by how much of the lines shows in a blurred
picture, and narrowed from coarse to fine (annealed importance sampling; Neal, 2001; Deutscher and
Reid, 2005).  The best few are refined by robust least squares on points, lines and priors together;
the best of these is believed only when far more of the lines shows than beside them.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.registration.board_lines import LineSamples
from vision.registration.camera_model import PARAMETERS, CameraFit, CameraModel
from vision.registration.line_fit import Readings, peaks, visibility
from vision.types import Image

Matrix = NDArray[np.float64]
Single = NDArray[np.float32]

# px of blur, shrinking, survivors, children of each, width of their spread
STAGES = ((4.0, 2, 40, 8, 0.35), (2.2, 2, 20, 8, 0.15), (1.3, 1, 3, 0, 0.0))
FIRST_DRAWS, FIRST_WIDTHS = 300, (1.0, 2.0, 3.0)
SEARCH_SAMPLES = 200
LEVEL = 3.0  # grey levels of change that count half
POINT_PRICE, POINT_PX, POINT_MOST = 0.02, 1.0, 25.0
AHEAD_MM = 1.0
HALF_PX = (8, 6, 4, 4)
WIDTH_PX = (3.0, 2.0, 1.2, 1.0)
KIND_ROUNDS = 2  # after so many the kind of line is known
LINE_NOISE_PX, POINT_NOISE_PX = 0.7, 0.5
SURE_GAIN_EDGE, SURE_GAIN_THIN = 0.12, 0.06
THIN_WORTH = 2.0
APART, RIVAL_SHARE = 0.012, 0.8  # of the shortest side; of the gain


@dataclass(frozen=True, eq=False)
class LineSearch:
    """``fit``: the camera.  ``gain``: how much more of the lines shows than beside them, 0 to 1.
    ``kind``: edge, dark or light lines.  ``rival``: the gain of the best camera that puts a corner
    elsewhere.  ``residual_px``: root mean square distance of what is seen of the lines."""

    fit: CameraFit
    gain: float
    kind: str
    rival: float
    residual_px: float

    @property
    def sure(self) -> bool:
        """Whether it may be believed."""
        least = SURE_GAIN_EDGE if self.kind == "edge" else SURE_GAIN_THIN
        return self.gain >= least and self.rival <= RIVAL_SHARE * self.gain


@dataclass(frozen=True, eq=False)
class Evidence:
    """What is known: points (N, 2) board mm seen at (N, 2) px, and the board's lines in a grey
    picture, of the given kinds; ``corners_mm`` (4, 2)."""

    grey: Image
    source_mm: Matrix
    target_px: Matrix
    samples: LineSamples
    kinds: tuple[str, ...]
    corners_mm: Matrix


def search_lines(evidence: Evidence, start: CameraFit) -> LineSearch | None:
    """The best camera of those that ``start`` leaves open; None when nothing of the lines shows."""
    numbers = _narrowed(evidence, start)
    smooth = cv2.GaussianBlur(evidence.grey, (0, 0), 0.8).astype(np.float32)
    first = [
        _refined(smooth, evidence, start.model, numbers[0], kind, KIND_ROUNDS)
        for kind in evidence.kinds
    ]
    kind = max((f for f in first if f is not None), key=_worth, default=None)
    if kind is None:
        return None
    found = [
        _refined(smooth, evidence, start.model, row, kind.kind, len(HALF_PX)) for row in numbers
    ]
    ends = [end for end in found if end is not None]
    if not ends:
        return None
    best = max(ends, key=_worth)
    places = start.model.project(best.fit.numbers[None], evidence.corners_mm)[0]
    apart = APART * float(np.linalg.norm(np.roll(places, -1, 0) - places, axis=1).min())
    rival = 0.0
    for end in ends:
        other = start.model.project(end.fit.numbers[None], evidence.corners_mm)[0]
        if np.linalg.norm(other - places, axis=1).max() > apart:
            rival = max(rival, end.gain)
    return LineSearch(best.fit, best.gain, best.kind, rival, best.residual_px)


def _worth(end: LineSearch) -> float:
    """Thin lines are rarer by chance than borders, and beside a thin line run two false borders."""
    return end.gain * (1.0 if end.kind == "edge" else THIN_WORTH)


def _narrowed(evidence: Evidence, start: CameraFit) -> Matrix:
    """The (K, 10) cameras under which the lines show best."""
    model, rng = start.model, np.random.default_rng(2)
    some = rng.permutation(len(evidence.samples.side))[:SEARCH_SAMPLES]
    points, along = evidence.samples.points_mm[some], evidence.samples.along[some]
    numbers = start.draws(FIRST_DRAWS, FIRST_WIDTHS)
    root = np.linalg.cholesky(start.covariance + 1e-12 * np.eye(PARAMETERS))
    for blur, shrink, survivors, children, width in STAGES:
        change = _Change(evidence.grey, blur, shrink)
        worth = change.along(model, numbers, points, along) - _price(evidence, model, numbers)
        numbers = numbers[np.argsort(worth)[::-1][:survivors]]
        if children:
            unit = rng.standard_normal((children * len(numbers), PARAMETERS)) @ root.T
            young = np.repeat(numbers, children, axis=0) + width * unit
            numbers = np.concatenate([numbers, young[model.likely(young)]])
    return numbers


def _price(evidence: Evidence, model: CameraModel, numbers: Matrix) -> Matrix:
    """(K,) what it costs to miss the points."""
    off = model.project(numbers, evidence.source_mm) - evidence.target_px
    return np.asarray(POINT_PRICE * np.minimum((off**2).sum(-1) / POINT_PX**2, POINT_MOST).mean(1))


class _Change:
    """How a blurred picture changes and bends, by place and direction."""

    def __init__(self, grey: Image, blur: float, shrink: int) -> None:
        size = (grey.shape[1] // shrink, grey.shape[0] // shrink)
        small = grey if shrink == 1 else cv2.resize(grey, size, interpolation=cv2.INTER_AREA)
        sigma = blur / shrink
        smooth = cv2.GaussianBlur(small.astype(np.float32), (0, 0), sigma)
        dx = cv2.Sobel(smooth, cv2.CV_32F, 1, 0, ksize=3, scale=sigma / 8)
        dy = cv2.Sobel(smooth, cv2.CV_32F, 0, 1, ksize=3, scale=sigma / 8)
        dxx = cv2.Sobel(dx, cv2.CV_32F, 1, 0, ksize=3, scale=sigma / 8)
        dxy = cv2.Sobel(dx, cv2.CV_32F, 0, 1, ksize=3, scale=sigma / 8)
        dyy = cv2.Sobel(dy, cv2.CV_32F, 0, 1, ksize=3, scale=sigma / 8)
        self._maps = cv2.merge([dx, dy, dxx, dxy, dyy]).reshape(-1, 5)
        self._size, self._shrink = size, shrink

    def along(self, model: CameraModel, numbers: Matrix, points: Matrix, along: Matrix) -> Matrix:
        """(K,) mean change across or bend along the lines for each camera, 0 to 1."""
        both = model.project(numbers, np.concatenate([points, points + AHEAD_MM * along]))
        places, ahead = both[:, : len(points)], both[:, len(points) :] - both[:, : len(points)]
        length = np.maximum(np.linalg.norm(ahead, axis=2), 1e-9)
        nx, ny = (-ahead[..., 1] / length), (ahead[..., 0] / length)
        x, y = (np.rint((places[..., k] + 0.5) / self._shrink - 0.5) for k in (0, 1))
        width, height = self._size
        inside = (x >= 0) & (x < width) & (y >= 0) & (y < height)
        index = np.where(inside, y * width + x, 0).astype(np.int64)
        dx, dy, dxx, dxy, dyy = np.moveaxis(self._maps[index], -1, 0)
        step = np.abs(nx * dx + ny * dy)
        bend = np.abs(nx * nx * dxx + 2 * nx * ny * dxy + ny * ny * dyy)
        seen = np.maximum(step, bend)
        return np.asarray((inside * seen / (seen + LEVEL)).mean(1), np.float64)


def _refined(
    smooth: Single, evidence: Evidence, model: CameraModel, numbers: Matrix, kind: str, rounds: int
) -> LineSearch | None:
    """One camera refined by points, lines and priors together."""
    samples, covariance = evidence.samples, np.eye(PARAMETERS)
    on_side = samples.side >= 0
    gain = residual = 0.0
    for half, width in zip(HALF_PX[:rounds], WIDTH_PX[:rounds], strict=True):
        table, slope = _read(smooth, model, numbers, samples, kind, on_side, half)
        offsets = np.arange(-half, half + 1)
        near = table * np.exp(-0.5 * (offsets / width) ** 2)
        place, strength = peaks(table, near.argmax(1))
        place = place - half
        solved = _step(evidence, model, numbers, slope, place, strength, width)
        if solved is None:
            return None
        numbers, covariance, residual = solved
        gain = _gain(table)
    fit = CameraFit(model, numbers, covariance, _point_residual(evidence, model, numbers))
    return LineSearch(fit, gain, kind, 0.0, residual)


def _gain(table: Single) -> float:
    """How much more shows where the lines are expected than beside."""
    half = table.shape[1] // 2
    near = table[:, half - 1 : half + 2].mean(0) @ np.array([0.25, 0.5, 0.25])
    return float(near - table.mean())


def _read(
    smooth: Single, model: CameraModel, numbers: Matrix, samples: LineSamples, kind: str,
    on_side: NDArray[np.bool_], half: int,
) -> tuple[Single, Matrix]:  # fmt: skip
    """How much a line runs at each offset beside each sample (the face's own sides may be borders
    in any case), and how the samples move along their normals (N, 10)."""
    both = np.concatenate([samples.points_mm, samples.points_mm + AHEAD_MM * samples.along])
    places, slope = model.jacobian(numbers, both)
    count = len(samples.side)
    ahead = places[count:] - places[:count]
    tangent = ahead / np.maximum(np.linalg.norm(ahead, axis=1, keepdims=True), 1e-9)
    normal = np.stack([-tangent[:, 1], tangent[:, 0]], axis=1)
    readings = Readings(places[:count], normal)
    table = visibility(smooth, readings, kind, half)
    if kind != "edge" and on_side.any():
        sides = Readings(places[:count][on_side], normal[on_side])
        table[on_side] = np.maximum(table[on_side], visibility(smooth, sides, "edge", half))
    return table, np.asarray(np.einsum("nij,ni->nj", slope[:count], normal))


def _step(
    evidence: Evidence, model: CameraModel, start: Matrix, slope: Matrix, place: Matrix,
    strength: Matrix, width: float,
) -> tuple[Matrix, Matrix, float] | None:  # fmt: skip
    """Robust least squares: numbers, covariance, residual of the lines."""
    numbers, prior = start, np.diag(model.prior)
    covariance, residual = np.eye(PARAMETERS), 0.0
    for _ in range(4):
        points, by_point = model.jacobian(numbers, evidence.source_mm)
        rows = by_point.reshape(-1, PARAMETERS) / POINT_NOISE_PX
        off = ((evidence.target_px - points) / POINT_NOISE_PX).ravel()
        error = place - slope @ (numbers - start)
        weight = strength / (1 + (error / (0.5 * width)) ** 2) ** 2
        scaled = slope * (weight / LINE_NOISE_PX**2)[:, None]
        normal = rows.T @ rows + scaled.T @ slope + prior
        right = rows.T @ off + scaled.T @ error - prior @ numbers
        try:
            numbers = numbers + np.linalg.solve(normal, right)
            covariance = np.linalg.inv(normal)
        except np.linalg.LinAlgError:
            return None
        if not model.likely(numbers[None])[0]:
            return None
        residual = float(np.sqrt((weight * error**2).sum() / max(weight.sum(), 1e-9)))
    return numbers, covariance, residual


def _point_residual(evidence: Evidence, model: CameraModel, numbers: Matrix) -> float:
    off = model.project(numbers[None], evidence.source_mm)[0] - evidence.target_px
    return float(np.sqrt((off**2).sum(1).mean()))
