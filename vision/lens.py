"""A camera's lens: focal length, centre and distortion, in OpenCV's model."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]
Image = NDArray[np.uint8]

MAX_ROUNDS = 60
SAME_ASPECT = 0.01


@dataclass(frozen=True, eq=False)
class Lens:
    """``size``: (width, height) of the pictures it was measured in.  ``matrix``: (3, 3).
    ``distortion``: k1, k2, p1, p2, k3 of OpenCV (Brown, 1971).

    *Straight* pixels are those of an ideal camera with the same matrix: in them a straight line is
    straight.
    """

    size: tuple[int, int]
    matrix: Matrix
    distortion: Matrix = field(default_factory=lambda: np.zeros(5))

    def straighten(self, points_px: Matrix) -> Matrix:
        """(N, 2) image px to straight px."""
        points = np.asarray(points_px, np.float64).reshape(-1, 2)
        if self.is_straight:
            return points
        centre, focal = self._frame
        bent = (points - centre) / focal
        straight = bent
        for _ in range(MAX_ROUNDS):
            radial, tangential = self._terms(straight)
            better = (bent - tangential) / radial[:, None]
            moved = np.abs(better - straight).max(initial=0.0)
            straight = better
            if moved < 1e-9:
                break
        return np.asarray(straight * focal + centre)

    def bend(self, points_px: Matrix) -> Matrix:
        """(N, 2) straight px to image px; beyond the model's reach the distortion is held."""
        points = np.asarray(points_px, np.float64).reshape(-1, 2)
        centre, focal = self._frame
        straight = (points - centre) / focal
        radial, tangential = self._terms(straight)
        return np.asarray((straight * radial[:, None] + tangential) * focal + centre)

    @property
    def _frame(self) -> tuple[Matrix, Matrix]:
        return self.matrix[:2, 2], np.array([self.matrix[0, 0], self.matrix[1, 1]])

    def _terms(self, straight: Matrix) -> tuple[Matrix, Matrix]:
        """Radial factors (N,) and tangential shifts (N, 2) at places in units of the focal length."""
        x, y = straight.T
        k1, k2, p1, p2, k3 = self.distortion[:5]
        square = np.minimum(x * x + y * y, self._reach)
        radial = 1 + square * (k1 + square * (k2 + square * k3))
        shift = np.stack([
            2 * p1 * x * y + p2 * (square + 2 * x * x), p1 * (square + 2 * y * y) + 2 * p2 * x * y
        ], axis=1)  # fmt: skip
        return radial, shift

    @cached_property
    def _reach(self) -> float:
        """Squared radius up to which the distortion is monotonic: beyond it the polynomial turns
        back and would fold the picture over."""
        radius = np.linspace(0.0, 4.0, 400)
        square = radius**2
        k1, k2, _, _, k3 = self.distortion[:5]
        bent = radius * (1 + square * (k1 + square * (k2 + square * k3)))
        falling = np.flatnonzero(np.diff(bent) <= 0)
        return float(square[falling[0]]) if len(falling) else float(square[-1])

    @property
    def is_straight(self) -> bool:
        """Whether there is no distortion to speak of."""
        return not np.any(np.abs(self.distortion) > 1e-9)

    @cached_property
    def _maps(self) -> tuple[Any, Any]:
        return cv2.initUndistortRectifyMap(
            self.matrix, self.distortion, None, self.matrix, self.size, cv2.CV_16SC2
        )

    def straighten_picture(self, image: Image) -> Image:
        """The picture in straight px; its size must be the lens's."""
        if self.is_straight:
            return image
        return np.asarray(cv2.remap(image, *self._maps, cv2.INTER_LINEAR), np.uint8)

    def scaled(self, size: tuple[int, int]) -> Lens | None:
        """The same lens in pictures of another size; None where these are cropped otherwise."""
        if size == self.size:
            return self
        sx, sy = size[0] / self.size[0], size[1] / self.size[1]
        if abs(sx / sy - 1) > SAME_ASPECT:
            return None
        # pixel centres: x becomes (x + 0.5) * s - 0.5
        resize = np.array([[sx, 0, (sx - 1) / 2], [0, sy, (sy - 1) / 2], [0, 0, 1]])
        return Lens(size, resize @ self.matrix, self.distortion)

    def to_json(self) -> dict[str, Any]:
        """As plain JSON."""
        return {
            "size": list(self.size),
            "matrix": [[float(v) for v in row] for row in self.matrix],
            "distortion": [float(v) for v in self.distortion],
        }

    @classmethod
    def from_json(cls, raw: Any) -> Lens:
        """Raises ValueError when it is damaged."""
        try:
            width, height = (int(v) for v in raw["size"])
            matrix = np.array(raw["matrix"], np.float64)
            distortion = np.array(raw["distortion"], np.float64)
        except (KeyError, TypeError) as error:
            raise ValueError(f"no lens: {error!r}") from error
        sound = matrix.shape == (3, 3) and distortion.shape == (5,) and min(width, height) > 0
        if not sound or not np.isfinite(matrix).all() or not np.isfinite(distortion).all():
            raise ValueError("no lens: wrong shapes or numbers")
        if matrix[0, 0] <= 0 or matrix[1, 1] <= 0:
            raise ValueError("no lens: no focal length")
        return cls((width, height), matrix, distortion)


def radial_lens(size: tuple[int, int], focal_px: float, k1: float) -> Lens:
    """A lens with its centre in the picture's middle and one coefficient of distortion."""
    centre = ((size[0] - 1) / 2, (size[1] - 1) / 2)
    matrix = np.array([[focal_px, 0, centre[0]], [0, focal_px, centre[1]], [0, 0, 1]], np.float64)
    return Lens(size, matrix, np.array([k1, 0, 0, 0, 0], np.float64))
