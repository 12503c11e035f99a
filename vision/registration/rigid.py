"""A plane seen by a likely camera: fewer unknowns than a homography, for scarce evidence."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.registration.planar import apply
from vision.registration.pose import FOCAL_PRIOR, FOCAL_PRIOR_SPREAD

Matrix = NDArray[np.float64]
MAX_LOG_FOCAL = 2.0
DRAWS = 170  # of each width
DRAW_WIDTHS = (1.0, 2.5, 5.0)  # small markers are worse than their residual says


@dataclass(frozen=True, eq=False)
class RigidFit:
    """``homography``: plane mm to image px; ``residual_px``: root mean square over the points;
    ``spread_px``: standard deviation expected at the worst of the points asked for; ``draws``
    (N, 3, 3): homographies drawn from what the evidence leaves open."""

    homography: Matrix
    residual_px: float
    spread_px: float
    draws: Matrix


def fit_rigid(
    source: Matrix, target: Matrix, image_size: tuple[int, int], at: Matrix, noise_px: float
) -> RigidFit | None:
    """Pose and focal length (with the prior of `pose`) by Gauss-Newton; None if it does not
    converge.  ``source`` (N, 2) mm, ``target`` (N, 2) px, ``at`` (K, 2) mm."""
    long_side = max(image_size)
    centre = ((image_size[0] - 1) / 2, (image_size[1] - 1) / 2)
    middle = source.mean(0)
    plane = np.column_stack([source - middle, np.zeros(len(source))])
    log_focal = 0.0
    start = cv2.solvePnP(
        plane, target.reshape(-1, 1, 2), _camera(log_focal, long_side, centre), None,
        flags=cv2.SOLVEPNP_SQPNP,
    )  # fmt: skip
    if not start[0]:
        return None
    pose = np.concatenate([start[1].ravel(), start[2].ravel()])
    normal = np.eye(7)
    for _ in range(25):
        error, j = _linearise(plane, target, pose, log_focal, long_side, centre)
        normal = j.T @ j / noise_px**2
        right = j.T @ error / noise_px**2
        normal[6, 6] += FOCAL_PRIOR_SPREAD**-2
        right[6] -= log_focal * FOCAL_PRIOR_SPREAD**-2
        try:
            step = np.linalg.solve(normal, right)
        except np.linalg.LinAlgError:
            return None
        pose, log_focal = pose + step[:6], log_focal + float(step[6])
        if not np.isfinite(step).all() or abs(log_focal) > MAX_LOG_FOCAL:
            return None
        if np.abs(step).max() < 1e-7:
            break
    homography = _homography(pose, _camera(log_focal, long_side, centre), middle)
    distance = np.linalg.norm(apply(homography, source) - target, axis=1)
    wanted = np.column_stack([at - middle, np.zeros(len(at))])
    _, j = _linearise(wanted, np.zeros((len(at), 2)), pose, log_focal, long_side, centre)
    variance = np.einsum("ij,jk,ik->i", j, np.linalg.inv(normal), j)
    spread = math.sqrt(max(0.0, float(variance.reshape(-1, 2).sum(1).max())))
    residual = float(np.sqrt(np.mean(distance**2)))
    draws = _draws(np.append(pose, log_focal), normal, long_side, centre, middle)
    return RigidFit(homography, residual, spread, draws)


def _draws(
    found: Matrix, normal: Matrix, long_side: int, centre: tuple[float, float], middle: Matrix
) -> Matrix:
    """Fixed random draws from the normal distribution round the fit (Laplace's approximation)."""
    rng = np.random.default_rng(1)
    try:
        root = np.linalg.cholesky(np.linalg.inv(normal))
    except np.linalg.LinAlgError:
        return np.zeros((0, 3, 3))
    unit = rng.standard_normal((DRAWS, len(found))) @ root.T
    rows = np.concatenate([found + width * unit for width in DRAW_WIDTHS])
    rows = rows[np.abs(rows[:, 6]) < MAX_LOG_FOCAL]
    return np.array(
        [_homography(r[:6], _camera(float(r[6]), long_side, centre), middle) for r in rows]
    )


def _camera(log_focal: float, long_side: int, centre: tuple[float, float]) -> Matrix:
    focal = FOCAL_PRIOR * long_side * math.exp(log_focal)
    return np.array([[focal, 0, centre[0]], [0, focal, centre[1]], [0, 0, 1]], np.float64)


def _linearise(
    plane: Matrix, target: Matrix, pose: Matrix, log_focal: float, long_side: int,
    centre: tuple[float, float],
) -> tuple[Matrix, Matrix]:  # fmt: skip
    """Errors (2N,) and their Jacobian (2N, 7) by rotation, translation and log focal length."""
    camera = _camera(log_focal, long_side, centre)
    seen, full = cv2.projectPoints(plane, pose[:3], pose[3:], camera, None)
    by_focal = (full[:, 6] + full[:, 7]) * camera[0, 0]
    j = np.column_stack([full[:, :6], by_focal])
    return (target - seen.reshape(-1, 2)).ravel(), j


def _homography(pose: Matrix, camera: Matrix, middle: Matrix) -> Matrix:
    rotation, _ = cv2.Rodrigues(pose[:3])
    plane = camera @ np.column_stack([rotation[:, :2], pose[3:]])
    h = plane @ np.array([[1, 0, -middle[0]], [0, 1, -middle[1]], [0, 0, 1.0]])
    return np.asarray(h / h[2, 2])
