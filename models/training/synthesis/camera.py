"""Random cameras that see the whole board, already in the frame of the detector's crop."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.crop import crop_around

Rng = np.random.Generator
F64 = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Camera:
    """``matrix`` (3, 4): mm to crop px.  ``centre`` (3,) mm.  ``size`` (width, height) px.

    ``frame``: x0, y0, x1, y1 of the source picture within the crop, px (beyond: nothing was seen).
    ``zoom``: crop px per source px.
    """

    matrix: F64
    centre: F64
    size: tuple[int, int]
    frame: tuple[float, float, float, float]
    zoom: float

    def project(self, points: NDArray[np.floating]) -> F64:
        """(..., 3) mm to (..., 2) crop px."""
        q = np.asarray(points, np.float64) @ self.matrix[:, :3].T + self.matrix[:, 3]
        return np.asarray(q[..., :2] / q[..., 2:3])

    @property
    def homography(self) -> F64:
        """(3, 3) of the printed face."""
        return self.matrix[:, [0, 1, 3]]


def random_camera(rng: Rng, board: tuple[float, float], long_side: int) -> Camera:
    """Looks at the board from 30 to 90 degrees above, from any side."""
    w, h = board
    source = np.array(
        [(1280, 720), (1280, 960), (1600, 1200), (1200, 1600), (640, 480)][
            int(rng.choice(5, p=[0.5, 0.15, 0.15, 0.1, 0.1]))
        ],
        float,
    )
    fov = np.radians(rng.uniform(35, 80))
    focal = source.max() / 2 / np.tan(fov / 2)
    elevation = np.radians(rng.uniform(30, 90) if rng.random() < 0.5 else rng.uniform(48, 80))
    azimuth = rng.uniform(0, 2 * np.pi)
    target = np.array([w / 2, h / 2, 0]) + np.append(rng.uniform(-0.12, 0.12, 2) * (w, h), 0)
    back = np.array(
        [
            np.cos(azimuth) * np.cos(elevation),
            np.sin(azimuth) * np.cos(elevation),
            np.sin(elevation),
        ]
    )
    fill = rng.uniform(0.45, 0.95)
    corners = np.array([(0, 0, 0), (w, 0, 0), (w, h, 0), (0, h, 0)], float)
    roll = np.radians(rng.normal(0, 3))
    distance = max(w, h) * 1.2
    for _ in range(6):
        matrix, centre = look_at(target, back, distance, roll, focal, source)
        q = corners @ matrix[:, :3].T + matrix[:, 3]
        px = q[:, :2] / q[:, 2:3]
        size = (np.ptp(px, axis=0) / source).max()
        distance = max(distance * size / fill, max(w, h) * 0.55)
    q = corners @ matrix[:, :3].T + matrix[:, 3]
    px = q[:, :2] / q[:, 2:3]
    crop = crop_around(px, long_side)
    affine = np.vstack([crop.image_to_crop, [0, 0, 1]])
    a, b = affine[0, 0], affine[:2, 2]
    x0, y0 = b
    x1, y1 = a * (source - 1) + b
    return Camera(affine @ matrix, centre, crop.size, (x0, y0, x1, y1), float(a))


def look_at(
    target: F64, back: F64, distance: float, roll: float, focal: float, source: F64
) -> tuple[F64, F64]:
    """Projection of a camera that looks along -back at target (x right, y down, z up: left-handed)."""
    centre = target + back * distance
    forward = -back
    right = np.cross([0.0, 0.0, 1.0], forward)
    right /= np.linalg.norm(right) + 1e-12
    down = np.cross(right, forward)
    c, s = np.cos(roll), np.sin(roll)
    rot = np.stack([c * right + s * down, -s * right + c * down, forward])
    k = np.array([[focal, 0, (source[0] - 1) / 2], [0, focal, (source[1] - 1) / 2], [0, 0, 1]])
    return k @ np.column_stack([rot, -rot @ centre]), centre
