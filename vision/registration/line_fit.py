"""Fitting a board's own lines to a picture, from four corners that are only roughly right.

Around every sample of every line the picture is read along the line's normal once.  How much a
line runs at each offset makes a table, and any small shift of the four corners is then judged by
looking up: the corners are searched with the cross-entropy method (Rubinstein, 1999) and refined
by robust least squares.  Pieces and shadows hide most lines of a crowded board; what is seen of
all of them together decides.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.registration.board_lines import LineSamples
from vision.registration.planar import apply
from vision.registration.pose import homography_from_corners
from vision.types import Image

Matrix = NDArray[np.float64]
Table = NDArray[np.float32]

NOISE = 3.0  # grey levels that a line must exceed
TANGENT_PX = (-4.0, -2.0, 0.0, 2.0, 4.0)  # read side by side and averaged: lines are straight
ARM_PX = {"edge": 2, "dark": 2, "light": 2}
SEARCH_SAMPLES = 700
POPULATION = 500
SURE_LEAD = 5.0
SURE_GAIN_EDGE, SURE_GAIN_THIN = 0.12, 0.03
TAP_PRIOR = 0.15  # people tap well: of equal fits the nearer one
SURE_AGREEING = 0.4
CLEAR = 3.0  # of the gain that is asked for
SIDE_PRIOR = 0.02  # holds the sides where the other lines put them, when little of them is seen
MAX_SIDE_MOVE_PX = 5.0
SEARCHES = (1, 4)  # starts; more when the first ones do not agree
ROUNDS = (2.5, 2.5, 1.5, 1.5, 1.0, 1.0)  # px, blur of the table per round


@dataclass(frozen=True, eq=False)
class LineFit:
    """``corners_px`` (4, 2).  ``kind``: edge, dark or light lines.  ``score``: mean visibility of
    the lines, 0 to 1; ``gain``: how far above that of random corners; ``lead``: the same in their
    standard deviations.  ``agreeing``: share of the searches that ended at the same corners.
    ``residual_px``: root mean square distance of what is seen of the lines."""

    corners_px: Matrix
    kind: str
    score: float
    gain: float
    lead: float
    agreeing: float
    residual_px: float = 0.0

    @property
    def sure(self) -> bool:
        """Whether the corners may be believed."""
        return (
            self.gain >= self._least and self.lead >= SURE_LEAD and self.agreeing >= SURE_AGREEING
        )

    @property
    def clear(self) -> bool:
        """Whether no second search is needed."""
        return self.sure and self.agreeing == 1 and self.gain >= CLEAR * self._least

    @property
    def _least(self) -> float:
        return SURE_GAIN_EDGE if self.kind == "edge" else SURE_GAIN_THIN


def _places(homography: Matrix, samples: LineSamples) -> tuple[Matrix, Matrix]:
    """Where the samples lie in the picture, and the unit normals of the lines there."""
    places = apply(homography, samples.points_mm)
    ahead = apply(homography, samples.points_mm + 0.5 * samples.along) - places
    tangent = ahead / np.maximum(np.linalg.norm(ahead, axis=1, keepdims=True), 1e-9)
    return places, np.stack([-tangent[:, 1], tangent[:, 0]], axis=1)


class Readings:
    """Places (N, 2) px on lines of a picture, and the unit normals of the lines there."""

    def __init__(self, places: Matrix, normal: Matrix) -> None:
        self.places, self.normal = places, normal
        self.tangent = np.stack([normal[:, 1], -normal[:, 0]], axis=1)


class _View(Readings):
    """The lines as seen under given corners, and the effect of moving a corner."""

    def __init__(self, corners: Matrix, size_mm: tuple[float, float], samples: LineSamples) -> None:
        homography = homography_from_corners(corners, size_mm)
        super().__init__(*_places(homography, samples))
        columns = []
        for k in range(8):
            moved = corners.copy()
            moved[k // 2, k % 2] += 0.5
            shifted = apply(homography_from_corners(moved, size_mm), samples.points_mm)
            columns.append(((shifted - self.places) * self.normal).sum(1) / 0.5)
        self.by_corner = np.stack(columns, axis=1)


def fit_lines(
    grey: Image,
    corners: Matrix,
    size_mm: tuple[float, float],
    samples: LineSamples,
    kinds: tuple[str, ...],
    reach_px: float,
) -> LineFit | None:
    """The corners near the given ones, each at most about ``reach_px`` away, under which the lines
    fit best; None when no kind of line shows."""
    smooth = cv2.GaussianBlur(grey, (0, 0), 0.8).astype(np.float32)
    view = _View(corners, size_mm, samples)
    half = int(np.ceil(1.3 * reach_px)) + 3
    tables = {kind: visibility(smooth, view, kind, half) for kind in kinds}
    best: LineFit | None = None
    for starts in SEARCHES:
        rng = np.random.default_rng(starts)
        found = [
            fit for kind, table in tables.items()
            if (fit := _search(table, view, corners, kind, reach_px, rng, starts)) is not None
        ]  # fmt: skip
        best = max(found, key=_worth, default=None)
        if best is not None and best.clear:
            break
    if best is None:
        return None
    return _refined(smooth, best, size_mm, samples)


def _refined(
    smooth: NDArray[np.float32], fit: LineFit, size_mm: tuple[float, float], samples: LineSamples
) -> LineFit:
    """To a fraction of a pixel by all lines, then the face's own sides by what is seen of them:
    a sheet that is taped together or a little curved is no exact plane."""
    corners = fit.corners_px
    everywhere = np.ones(len(samples.side))
    for _ in range(2):
        view = _View(corners, size_mm, samples)
        table = visibility(smooth, view, fit.kind, 5)
        move, residual = _least_squares(table, view, np.zeros(8), 1.5, everywhere, 1e-6)
        corners = corners + move.reshape(4, 2)
    by_all = corners
    on_sides = (samples.side >= 0).astype(float)
    for _ in range(2):
        view = _View(corners, size_mm, samples)
        table = visibility(smooth, view, fit.kind, 7)
        back = (by_all - corners).ravel()
        move, _ = _least_squares(
            table, view, np.zeros(8), 2.5, on_sides, SIDE_PRIOR * on_sides.sum(), back
        )
        corners = corners + move.reshape(4, 2)
    if np.linalg.norm(corners - by_all, axis=1).max() > MAX_SIDE_MOVE_PX:
        corners = by_all
    return replace(fit, corners_px=corners, residual_px=residual)


def visibility(smooth: NDArray[np.float32], view: Readings, kind: str, half: int) -> Table:
    """(N, 2 half + 1), 0 to 1: how much a line of this kind runs at each whole px of offset."""
    arm = ARM_PX[kind]
    offsets = np.arange(-half - arm, half + arm + 1)
    profile = np.zeros((len(view.places), len(offsets)), np.float32)
    for shift in TANGENT_PX:
        base = view.places + shift * view.tangent
        places = base[:, None] + offsets[None, :, None] * view.normal[:, None]
        profile += cv2.remap(
            smooth, places.astype(np.float32), None, cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        )  # fmt: skip
    profile /= len(TANGENT_PX)
    before, after, middle = profile[:, : -2 * arm], profile[:, 2 * arm :], profile[:, arm:-arm]
    step = np.abs(after - before)
    if kind == "edge":
        table = step / (step + 4 * NOISE)
    else:
        # a thin line has the same ground on both sides; the rim of a piece has not
        sign = 1.0 if kind == "dark" else -1.0
        depth = np.maximum(np.minimum(sign * (before - middle), sign * (after - middle)), 0)
        table = depth / (depth + step + NOISE)
    height, width = smooth.shape
    inside = ((view.places > 2) & (view.places < (width - 3, height - 3))).all(1)
    return np.asarray(table * inside[:, None], np.float32)


def _search(
    table: Table, view: _View, corners: Matrix, kind: str, reach_px: float,
    rng: np.random.Generator, starts: int,
) -> LineFit | None:  # fmt: skip
    half = table.shape[1] // 2
    ends: list[tuple[float, Matrix]] = []
    chance = (0.0, 1.0)
    for _ in range(starts):
        candidates, chance = _cross_entropy(table, view.by_corner, half, reach_px, rng)
        for start in candidates:
            moved, _ = _least_squares(table, view, start, 2.0)
            if np.linalg.norm(moved.reshape(4, 2), axis=1).max() <= 1.1 * reach_px + 1:
                seen = float(_score(table, view.by_corner, moved[None], half)[0])
                ends.append((seen, moved))
    if not ends:
        return None
    score, best = max(ends, key=lambda e: e[0] * _nearness(e[1], reach_px))
    same = [np.abs(moved - best).max() < 2.0 for _, moved in ends]
    gain = score - chance[0]
    return LineFit(
        corners + best.reshape(4, 2), kind, score, gain, gain / chance[1], float(np.mean(same))
    )


def _worth(fit: LineFit) -> float:
    """For the choice among kinds: thin lines are rarer by chance than borders."""
    return fit.gain * (1.0 if fit.kind == "edge" else 1.5)


def _nearness(move: Matrix, reach_px: float) -> float:
    return 1 - TAP_PRIOR * float((move**2).mean()) * 2 / reach_px**2


def _cross_entropy(
    table: Table, by_corner: Matrix, half: int, reach_px: float, rng: np.random.Generator
) -> tuple[Matrix, tuple[float, float]]:
    """The best few (K, 8) moves of the corners; mean and deviation of the scores of random ones."""
    chosen = rng.permutation(len(table))[:SEARCH_SAMPLES]
    some = by_corner[chosen]
    moves = np.concatenate([np.zeros((1, 8)), _in_disc(rng, 3 * POPULATION, reach_px)])
    chance = (0.0, 1.0)
    blurred, width = table[chosen], 0.0
    for number, blur in enumerate(ROUNDS):
        if blur != width:
            blurred = cv2.GaussianBlur(table[chosen], (0, 0), sigmaX=blur, sigmaY=0.01)
            width = blur
        scores = _score(blurred, some, moves, half)
        if number == 0:
            chance = (float(scores.mean()), float(scores.std()) + 1e-4)
        best = moves[np.argsort(scores)[::-1][: max(30, len(moves) // 25)]]
        spread = np.cov(best.T) * 1.3 + np.eye(8) * 0.05
        moves = np.concatenate(
            [best[:10], rng.multivariate_normal(best.mean(0), spread, POPULATION)]
        )
        moves = _held(moves, 1.1 * reach_px)
    scores = _score(blurred, some, moves, half)
    return moves[np.argsort(scores)[::-1][:3]], chance


def _score(table: Table, by_corner: Matrix, moves: Matrix, half: int) -> NDArray[np.float32]:
    """Mean visibility under each of the (K, 8) moves, (K,)."""
    offsets = by_corner.astype(np.float32) @ moves.T.astype(np.float32)
    columns = np.rint(offsets).astype(np.int32) + half
    width = table.shape[1]
    outside = (columns < 0) | (columns >= width)
    np.clip(columns, 0, width - 1, out=columns)
    columns += (np.arange(len(table), dtype=np.int32) * width)[:, None]
    values = np.take(table.ravel(), columns)
    values[outside] = 0
    return np.asarray(values.mean(0))


def _least_squares(
    table: Table, view: _View, start: Matrix, width_px: float, use: Matrix | None = None,
    prior: float = 1e-6, towards: Matrix | None = None,
) -> tuple[Matrix, float]:  # fmt: skip
    """The move (8,) under which most samples have their nearest line at offset 0, held back
    ``towards`` a move with the weight ``prior``; and the root mean square distance in px."""
    half = table.shape[1] // 2
    offsets = np.arange(-half, half + 1)
    home = np.zeros(8) if towards is None else towards
    move, weight, error = start, np.ones(len(table)), np.zeros(len(table))
    for _ in range(3):
        at = view.by_corner @ move
        near = table * np.exp(-0.5 * ((offsets[None] - at[:, None]) / width_px) ** 2)
        place, strength = peaks(table, near.argmax(1))
        place = place - half
        strength = strength if use is None else strength * use
        for _ in range(3):
            error = place - view.by_corner @ move
            weight = strength / (1 + (error / (0.5 * width_px)) ** 2) ** 2
            left = (view.by_corner * weight[:, None]).T @ view.by_corner + prior * np.eye(8)
            right = (view.by_corner * weight[:, None]).T @ place + prior * home
            move = np.linalg.solve(left, right)
    return np.asarray(move), float(np.sqrt((weight * error**2).sum() / max(weight.sum(), 1e-9)))


def peaks(table: Table, columns: NDArray[np.int64]) -> tuple[Matrix, Matrix]:
    """Places to a fraction, and heights, of the peaks near the given columns."""
    rows = np.arange(len(table))
    inner = np.clip(columns, 1, table.shape[1] - 2)
    left, middle, right = (table[rows, inner + d].astype(np.float64) for d in (-1, 0, 1))
    curve = np.minimum(left - 2 * middle + right, -1e-6)
    top = (middle >= left) & (middle >= right)
    return inner + top * np.clip(0.5 * (left - right) / curve, -0.5, 0.5), middle


def _in_disc(rng: np.random.Generator, count: int, radius: float) -> Matrix:
    angle = rng.uniform(0, 2 * np.pi, (count, 4))
    length = radius * np.sqrt(rng.uniform(0, 1, (count, 4)))
    return np.stack([np.cos(angle) * length, np.sin(angle) * length], -1).reshape(count, 8)


def _held(moves: Matrix, radius: float) -> Matrix:
    """No corner further than ``radius``."""
    corners = moves.reshape(-1, 4, 2)
    length = np.linalg.norm(corners, axis=2, keepdims=True)
    return np.asarray((corners * np.minimum(1, radius / np.maximum(length, 1e-9))).reshape(-1, 8))
