"""The lens's main distortion from the board itself: a plane seen through a bent lens is no plane.

One coefficient (k1 of Brown's model) is fitted together with the homography, by Gauss-Newton; more
can't be told from one flat board.  The focal length only scales the coefficient here.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.lens import Lens, radial_lens
from vision.registration.planar import apply, jacobian
from vision.registration.pose import FOCAL_PRIOR

Matrix = NDArray[np.float64]

MIN_POINTS = 24
MIN_SIGMAS = 6.0
MIN_EFFECT_PX = 0.5  # beside what a homography can follow
MAX_K1 = 0.6
NOISE_PX = 0.15


@dataclass(frozen=True, eq=False)
class Bend:
    """``homography``: board mm to straight px.  ``k1`` with its standard deviation ``sigma``, for
    ``focal_px``.  ``effect_px``: greatest distance from the best plain homography at the points."""

    homography: Matrix
    k1: float
    sigma: float
    focal_px: float
    residual_px: float
    effect_px: float
    size: tuple[int, int]

    @property
    def matters(self) -> bool:
        """Whether it is surely there and large enough to do something about."""
        sure = abs(self.k1) > MIN_SIGMAS * self.sigma and abs(self.k1) < MAX_K1
        return sure and self.effect_px > MIN_EFFECT_PX

    @property
    def lens(self) -> Lens:
        """As a lens with its centre in the picture's middle."""
        return radial_lens(self.size, self.focal_px, self.k1)


def fit_bend(
    source: Matrix, target: Matrix, start: Matrix, size: tuple[int, int], k1: float = 0.0
) -> Bend | None:
    """``source`` (N, 2) board mm, ``target`` (N, 2) image px, ``start`` a homography, ``size``
    (width, height) of the picture.  None when the points are too few or say nothing."""
    if len(source) < MIN_POINTS:
        return None
    focal = FOCAL_PRIOR * max(size)
    centre = (np.array(size) - 1) / 2
    scale = float(np.abs(source).max())
    points = source / scale
    h = np.asarray(start, np.float64) @ np.diag([scale, scale, 1.0])
    h = h / h[2, 2]
    covariance, error = np.eye(9), np.zeros_like(target)
    for _ in range(12):
        straight = (apply(h, points) - centre) / focal
        square = (straight**2).sum(1)
        bent = centre + focal * straight * (1 + k1 * square)[:, None]
        error = target - bent
        weight = np.sqrt(1 / np.maximum(1.0, np.linalg.norm(error, axis=1)))
        j = np.column_stack([
            _through(jacobian(h, points), straight, square, k1),
            focal * (straight * square[:, None]).T.ravel(),
        ])  # fmt: skip
        rows = np.concatenate([weight, weight])
        normal = (j * rows[:, None] ** 2).T @ j
        try:
            covariance = np.linalg.inv(normal)
        except np.linalg.LinAlgError:
            return None
        step = covariance @ ((j * rows[:, None] ** 2).T @ error.T.ravel())
        h, k1 = h + np.append(step[:8], 0.0).reshape(3, 3), k1 + float(step[8])
        if not np.isfinite(step).all() or abs(k1) > 2:
            return None
        if np.abs(step).max() < 1e-8:
            break
    residual = float(np.sqrt(np.mean((error**2).sum(1))))
    sigma = float(np.sqrt(covariance[8, 8])) * max(residual, NOISE_PX)
    homography = h @ np.diag([1 / scale, 1 / scale, 1.0])
    effect = _effect(h, points, k1, centre, focal)
    return Bend(homography, k1, sigma, focal, residual, effect, size)


def _through(plain: Matrix, straight: Matrix, square: Matrix, k1: float) -> Matrix:
    """The derivative of straight px (all x, then all y) carried through the bend."""
    half = len(straight)
    dx, dy = plain[:half], plain[half:]
    x, y = straight.T
    inner = 2 * k1 * (x[:, None] * dx + y[:, None] * dy)
    radial = (1 + k1 * square)[:, None]
    return np.concatenate([radial * dx + x[:, None] * inner, radial * dy + y[:, None] * inner])


def _effect(h: Matrix, points: Matrix, k1: float, centre: Matrix, focal: float) -> float:
    """What of the bend no homography could follow."""
    straight = (apply(h, points) - centre) / focal
    bend = (focal * k1 * straight * (straight**2).sum(1)[:, None]).T.ravel()
    j = jacobian(h, points)
    rest = bend - j @ np.linalg.lstsq(j, bend, rcond=None)[0]
    return float(np.linalg.norm(rest.reshape(2, -1), axis=0).max())
