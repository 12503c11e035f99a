"""A plane seen by a likely camera: pose, focal length, bend and centre in ten numbers.

Fewer unknowns than a homography has where the evidence is scarce, because what cameras are like is
known: priors on the focal length, on the main distortion, and on how far the optical axis is from
the picture's middle (pictures are cropped, phones steady them).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.lens import Lens, radial_lens
from vision.registration.lens_fit import MIN_EFFECT_PX
from vision.registration.planar import apply, through_lens
from vision.registration.pose import FOCAL_PRIOR, FOCAL_PRIOR_SPREAD

Matrix = NDArray[np.float64]

PARAMETERS = 10  # rotation vector 3, shift 3, log focal length, k1, optical axis 2
K1_SPREAD = 0.08
AXIS_SPREAD = 0.03  # of the picture's longer side
KNOWN_SPREADS = (0.01, 1e-4, 1e-3)  # the same three for a calibrated lens
MAX_LOG_FOCAL, MAX_K1 = 1.5, 0.4
STEPS = np.array([1e-5] * 3 + [1e-2] * 3 + [1e-5, 1e-5, 1e-2, 1e-2])
ROUNDS = 30
MIN_SIGMAS = 4.0


@dataclass(frozen=True, eq=False)
class CameraModel:
    """``size``: (width, height) px.  ``middle_mm``: place of the plane's origin on the board.
    ``lens``: the camera's if it is known; places are then straight px of it."""

    size: tuple[int, int]
    middle_mm: Matrix
    lens: Lens | None = None

    @property
    def usual_focal_px(self) -> float:
        """What the prior expects."""
        if self.lens is not None:
            return float(self.lens.matrix[0, 0])
        return FOCAL_PRIOR * max(self.size)

    @property
    def centre(self) -> Matrix:
        """Where the optical axis is expected, px."""
        if self.lens is not None:
            return np.asarray(self.lens.matrix[:2, 2], np.float64)
        return (np.array(self.size, np.float64) - 1) / 2

    @property
    def prior(self) -> Matrix:
        """Inverse variances of the ten numbers round 0; none for the pose."""
        spreads = (FOCAL_PRIOR_SPREAD, K1_SPREAD, AXIS_SPREAD)
        focal, k1, axis = spreads if self.lens is None else KNOWN_SPREADS
        axis *= max(self.size)
        return np.array([0.0] * 6 + [focal**-2, k1**-2, axis**-2, axis**-2])

    def straight(self, numbers: Matrix, points_mm: Matrix) -> Matrix:
        """(K, N, 2) straight px of (N, 2) board mm for each of the (K, 10) cameras."""
        plane = np.column_stack([points_mm - self.middle_mm, np.ones(len(points_mm))])
        seen = plane[None] @ _plane_columns(numbers).transpose(0, 2, 1)
        depth = np.where(np.abs(seen[..., 2:]) < 1e-6, 1e-6, seen[..., 2:])
        focal = self._focal(numbers)[:, None, None]
        return np.asarray(focal * seen[..., :2] / depth + self.centre + numbers[:, None, 8:10])

    def project(self, numbers: Matrix, points_mm: Matrix) -> Matrix:
        """The same in image px, bent by the lens."""
        straight = self.straight(numbers, points_mm)
        focal = self._focal(numbers)[:, None, None]
        from_middle = (straight - self.centre) / focal
        square = np.minimum((from_middle**2).sum(-1, keepdims=True), 1.0)
        return np.asarray(
            self.centre + focal * from_middle * (1 + numbers[:, None, 7:8] * square)
        )  # fmt: skip

    def jacobian(self, numbers: Matrix, points_mm: Matrix) -> tuple[Matrix, Matrix]:
        """Places (N, 2) and their derivatives (N, 2, 10) for one camera (10,)."""
        moved = np.concatenate([numbers[None], numbers + np.diag(STEPS)])
        places = self.project(moved, points_mm)
        slope = (places[1:] - places[:1]) / STEPS[:, None, None]
        return places[0], np.asarray(slope.transpose(1, 2, 0))

    def homography(self, numbers: Matrix) -> Matrix:
        """(3, 3) board mm to straight px of one camera (10,)."""
        focal = float(self._focal(numbers[None])[0])
        x, y = self.centre + numbers[8:10]
        camera = np.array([[focal, 0, x], [0, focal, y], [0, 0, 1]])
        to_plane = np.eye(3)
        to_plane[:2, 2] = -self.middle_mm
        h = camera @ _plane_columns(numbers[None])[0] @ to_plane
        return np.asarray(h / h[2, 2])

    def lens_of(self, numbers: Matrix) -> Lens:
        """The bend of one camera (10,), its centre in the picture's middle."""
        return radial_lens(self.size, float(self._focal(numbers[None])[0]), float(numbers[7]))

    def likely(self, numbers: Matrix) -> NDArray[np.bool_]:
        """(K,) whether the numbers are within reason."""
        good = np.isfinite(numbers).all(1) & (np.abs(numbers[:, 6]) < MAX_LOG_FOCAL)
        return np.asarray(good & (np.abs(numbers[:, 7]) < MAX_K1) & (numbers[:, 5] > 0))

    def _focal(self, numbers: Matrix) -> Matrix:
        return np.asarray(self.usual_focal_px * np.exp(numbers[:, 6]))


def _plane_columns(numbers: Matrix) -> Matrix:
    """(K, 3, 3): the first two columns of the rotation and the shift."""
    angle = np.linalg.norm(numbers[:, :3], axis=1)
    axis = numbers[:, :3] / np.maximum(angle, 1e-12)[:, None]
    cos, sin = np.cos(angle), np.sin(angle)
    x, y, z = axis.T
    columns = np.empty((len(numbers), 3, 3))
    columns[:, :, 0] = np.stack(
        [cos + x * x * (1 - cos), y * x * (1 - cos) + z * sin, z * x * (1 - cos) - y * sin], 1
    )
    columns[:, :, 1] = np.stack(
        [x * y * (1 - cos) - z * sin, cos + y * y * (1 - cos), z * y * (1 - cos) + x * sin], 1
    )
    columns[:, :, 2] = numbers[:, 3:6]
    return columns


@dataclass(frozen=True, eq=False)
class CameraFit:
    """``numbers`` (10,), their ``covariance`` (10, 10), and the root mean square distance of the
    points in px."""

    model: CameraModel
    numbers: Matrix
    covariance: Matrix
    residual_px: float

    def spread_px(self, points_mm: Matrix) -> float:
        """Standard deviation expected at the worst of some places on the board."""
        _, slope = self.model.jacobian(self.numbers, points_mm)
        variance = np.einsum("nij,jk,nik->n", slope, self.covariance, slope)
        return math.sqrt(max(0.0, float(variance.max())))

    def plane(self, size_mm: tuple[float, float]) -> tuple[Matrix, Lens | None]:
        """The homography, board mm to straight px, and the lens that bends these; without one
        where the bend isn't surely there or makes no difference."""
        homography = self.model.homography(self.numbers)
        lens = self.model.lens_of(self.numbers)
        level = through_lens(homography, size_mm, lens.bend)
        grid = np.stack(np.meshgrid(*(np.linspace(0, s, 5) for s in size_mm)), -1).reshape(-1, 2)
        bent = self.model.project(self.numbers[None], grid)[0]
        effect = float(np.linalg.norm(apply(level, grid) - bent, axis=1).max())
        sure = abs(self.numbers[7]) > MIN_SIGMAS * math.sqrt(self.covariance[7, 7])
        return (homography, lens) if sure and effect > MIN_EFFECT_PX else (level, None)

    def draws(self, count: int, widths: tuple[float, ...]) -> Matrix:
        """Fixed random draws (K, 10) from what the evidence leaves open (Laplace's approximation),
        ``count`` of each width; the fit itself comes first."""
        rng = np.random.default_rng(1)
        try:
            root = np.linalg.cholesky(self.covariance)
        except np.linalg.LinAlgError:
            return self.numbers[None]
        unit = rng.standard_normal((count * len(widths), PARAMETERS)) @ root.T
        rows = self.numbers + unit * np.repeat(widths, count)[:, None]
        return np.concatenate([self.numbers[None], rows[self.model.likely(rows)]])


def fit_camera(
    source_mm: Matrix, target_px: Matrix, model: CameraModel, noise_px: float
) -> CameraFit | None:
    """The most likely camera for points (N, 2) of the board seen at (N, 2); None if there is none.
    Levenberg's steps from the pose that fits the usual focal length best."""
    start = _first_pose(source_mm, target_px, model)
    if start is None:
        return None
    numbers, prior = start, np.diag(model.prior)
    damping, cost = 1e-3, _cost(model, start, source_mm, target_px, noise_px)
    normal = np.eye(PARAMETERS)
    for _ in range(ROUNDS):
        places, slope = model.jacobian(numbers, source_mm)
        rows = slope.reshape(-1, PARAMETERS) / noise_px
        normal = rows.T @ rows + prior
        right = rows.T @ (target_px - places).ravel() / noise_px - prior @ numbers
        try:
            step = np.linalg.solve(normal + damping * np.diag(np.diag(normal)), right)
        except np.linalg.LinAlgError:
            return None
        trial = numbers + step
        better = _cost(model, trial, source_mm, target_px, noise_px)
        if better <= cost and model.likely(trial[None])[0]:
            done = cost - better < 1e-6
            numbers, cost, damping = trial, better, max(damping / 5, 1e-9)
            if done:
                break
        else:
            damping *= 8
            if damping > 1e6:
                break
    try:
        covariance = np.linalg.inv(normal)
    except np.linalg.LinAlgError:
        return None
    places = model.project(numbers[None], source_mm)[0]
    residual = float(np.sqrt(((places - target_px) ** 2).sum(1).mean()))
    return CameraFit(model, numbers, (covariance + covariance.T) / 2, residual)


def _cost(
    model: CameraModel, numbers: Matrix, source: Matrix, target: Matrix, noise_px: float
) -> float:
    error = model.project(numbers[None], source)[0] - target
    cost = float((error**2).sum() / noise_px**2 + (model.prior * numbers**2).sum())
    return cost if math.isfinite(cost) else math.inf


def _first_pose(source: Matrix, target: Matrix, model: CameraModel) -> Matrix | None:
    plane = np.column_stack([source - model.middle_mm, np.zeros(len(source))])
    x, y = model.centre
    focal = model.usual_focal_px
    camera = np.array([[focal, 0, x], [0, focal, y], [0, 0, 1]], np.float64)
    found, turn, shift = cv2.solvePnP(
        plane, target.reshape(-1, 1, 2), camera, None, flags=cv2.SOLVEPNP_SQPNP
    )
    if not found:
        return None
    numbers = np.concatenate([turn.ravel(), shift.ravel(), np.zeros(4)])
    return numbers if np.isfinite(numbers).all() and numbers[5] > 0 else None
