"""Plane geometry that all three ways of finding the board share."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]


def apply(homography: Matrix, points: Matrix) -> Matrix:
    """(N, 2) points through a (3, 3) homography."""
    q = np.column_stack([points, np.ones(len(points))]) @ np.asarray(homography).T
    return np.asarray(q[:, :2] / q[:, 2:3])


def through_lens(
    homography: Matrix, size_mm: tuple[float, float], move: Callable[[Matrix], Matrix]
) -> Matrix:
    """The plane that fits best after every place of the face was moved in the picture: from bent
    to straight pixels or back."""
    grid = np.stack(np.meshgrid(*(np.linspace(0, s, 9) for s in size_mm)), -1).reshape(-1, 2)
    target = move(apply(homography, grid))
    return least_squares(grid, target, np.ones(len(grid)), homography, huber_px=1e6)


def jacobian(homography: Matrix, points: Matrix) -> Matrix:
    """(2N, 8) derivative of the images (all x, then all y) by the first eight elements."""
    ones = np.column_stack([points, np.ones(len(points))])
    q = ones @ homography.T
    u = q[:, :2] / q[:, 2:3]
    base = ones / q[:, 2:3]
    zero = np.zeros_like(base)
    along_x = np.column_stack([base, zero, -u[:, :1] * base[:, :2]])
    along_y = np.column_stack([zero, base, -u[:, 1:] * base[:, :2]])
    return np.concatenate([along_x, along_y])


def least_squares(
    source: Matrix, target: Matrix, weights: Matrix, start: Matrix, huber_px: float = 1.0
) -> Matrix:
    """Homography that takes ``source`` to ``target``: weighted Gauss-Newton with Huber's weights."""
    scale = float(np.abs(source).max())
    points = source / scale
    h = np.asarray(start, np.float64) @ np.diag([scale, scale, 1.0])
    h = h / h[2, 2]
    for _ in range(8):
        error = target - apply(h, points)
        w = weights * huber_px / np.maximum(huber_px, np.linalg.norm(error, axis=1))
        root = np.sqrt(np.concatenate([w, w]))
        j = jacobian(h, points) * root[:, None]
        step = np.linalg.lstsq(j, error.T.ravel() * root, rcond=None)[0]
        h = h + np.append(step, 0.0).reshape(3, 3)
        if np.abs(step).max() < 1e-9:
            break
    return np.asarray(h @ np.diag([1 / scale, 1 / scale, 1.0]))


def spread_px(homography: Matrix, source: Matrix, noise_px: float, at: Matrix) -> float:
    """Greatest standard deviation (px) of the images of ``at`` if each of the ``source`` points
    was seen with ``noise_px``: how far the evidence must be extrapolated."""
    scale = float(max(np.abs(source).max(), np.abs(at).max()))
    h = homography @ np.diag([scale, scale, 1.0])
    h = h / h[2, 2]
    seen = jacobian(h, source / scale)
    try:
        covariance = np.linalg.inv(seen.T @ seen) * noise_px**2
    except np.linalg.LinAlgError:
        return float("inf")
    wanted = jacobian(h, at / scale)
    variance = np.einsum("ij,jk,ik->i", wanted, covariance, wanted)
    half = len(at)
    return float(np.sqrt(np.maximum(0, variance[:half] + variance[half:]).max()))
