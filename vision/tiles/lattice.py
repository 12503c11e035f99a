"""The lattice of tiles in the picture: one homography, fitted to all tiles that are seen.

Lattice frame: one tile is 1 by 1, place (x, y) covers x to x + 1 and y to y + 1; x right, y down.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.registration.pose import guess_intrinsics, pose_from_corners
from vision.types import BoardPose

Matrix = NDArray[np.float64]
Place = tuple[int, int]
SQUARE = np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)])
ROUNDS = 8
LEAST_PX = 14  # side of a place that can be read
SLACK = 0.025  # of a tile: corners farther off than this count less and less


@dataclass(frozen=True, slots=True, eq=False)
class Lattice:
    """``homography`` (3, 3): lattice to image px; ``size_px``: (width, height) of the picture."""

    homography: Matrix
    size_px: tuple[int, int]

    def to_image(self, points: Matrix) -> Matrix:
        """(N, 2) lattice to (N, 2) image px."""
        return _apply(self.homography, points)

    def to_lattice(self, points_px: Matrix) -> Matrix:
        """(N, 2) image px to (N, 2) lattice."""
        return _apply(np.linalg.inv(self.homography), points_px)

    def quad(self, place: Place) -> Matrix:
        """(4, 2) image px: the corners of a place, north-west first, clockwise."""
        return self.to_image(SQUARE + np.array(place, float))

    def seen(self, place: Place, margin_px: float = 2.0) -> bool:
        """Whether a place lies wholly in the picture, and is large enough to be read."""
        return bool(self.seen_of([place], margin_px))

    def seen_of(self, places: Iterable[Place], margin_px: float = 2.0) -> list[Place]:
        """Those of many places that `seen` is true of."""
        asked = list(places)
        if not asked:
            return []
        corners = (SQUARE + np.array(asked, float)[:, None]).reshape(-1, 2)
        middle = float(self.homography[2, 2])
        depth = np.column_stack([corners, np.ones(len(corners))]) @ self.homography[2]
        front = (depth * np.sign(middle if middle else 1.0) > 0).reshape(-1, 4).all(1)
        px = self.to_image(corners).reshape(-1, 4, 2)
        last = np.array(self.size_px, float) - 1 - margin_px
        inside = ((px >= margin_px) & (px <= last)).all((1, 2))
        sides = np.linalg.norm(np.roll(px, -1, 1) - px, axis=2).mean(1)
        return [p for p, ok in zip(asked, front & inside & (sides >= LEAST_PX), strict=True) if ok]

    def side_px(self, place: Place) -> float:
        """Mean side of a place in the picture."""
        quad = self.quad(place)
        return float(np.linalg.norm(np.roll(quad, -1, 0) - quad, axis=1).mean())

    def renamed(self, quarters: int, shift: Place) -> Lattice:
        """The same lattice in other words: turned clockwise by quarters about (0, 0), then shifted."""
        inverse = np.linalg.inv(naming(quarters, shift))
        return Lattice(self.homography @ inverse, self.size_px)

    def pose(
        self, low: tuple[float, float], high: tuple[float, float], tile_mm: float,
        camera: Matrix | None = None,
    ) -> BoardPose:  # fmt: skip
        """The window from ``low`` to ``high`` (lattice) as a board, its north-west corner the
        origin; raises BoardwardenError if it reaches far out of the picture.  ``camera`` (3, 3) as
        from `camera`, if it is known."""
        size = ((high[0] - low[0]) * tile_mm, (high[1] - low[1]) * tile_mm)
        corners = self._window(low, high)
        return pose_from_corners(corners, size, self.size_px, "lattice", intrinsics=camera)

    def camera(self, low: tuple[float, float], high: tuple[float, float], tile_mm: float) -> Matrix:
        """(3, 3) camera matrix with the focal length that a window makes the most likely."""
        size = ((high[0] - low[0]) * tile_mm, (high[1] - low[1]) * tile_mm)
        return guess_intrinsics(self._window(low, high), size, self.size_px)

    def _window(self, low: tuple[float, float], high: tuple[float, float]) -> Matrix:
        return self.to_image(np.array(low) + SQUARE * (np.array(high) - np.array(low)))


def naming(quarters: int, shift: Place) -> Matrix:
    """(3, 3): old lattice to new lattice of `Lattice.renamed`."""
    turn = np.eye(3)
    # a quarter turn clockwise takes the unit square of place (0, 0) onto itself
    step = np.array([[0.0, -1.0, 1.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    for _ in range(quarters % 4):
        turn = step @ turn
    return np.array([[1.0, 0, shift[0]], [0, 1.0, shift[1]], [0, 0, 1.0]]) @ turn


def renamed_place(place: Place, quarters: int, shift: Place) -> Place:
    """A place in the words of `Lattice.renamed`."""
    x, y = place
    for _ in range(quarters % 4):
        x, y = -y, x
    return x + shift[0], y + shift[1]


def lattice_from_quad(quad_px: Matrix, size_px: tuple[int, int]) -> Lattice:
    """The lattice in which a quadrilateral (4, 2), clockwise, is place (0, 0)."""
    rows = _equations(SQUARE, np.asarray(quad_px, float), np.ones(4))
    return Lattice(_solve(rows), size_px)


def tile_corners(place: Place, at: Matrix) -> Matrix:
    """(4, 2) lattice: the corners of a tile; ``at``: (u, v, angle, log of the size) beside its place."""
    return np.asarray(_corners(np.array([place], float), np.asarray(at, float)[None])[0])


def _corners(places: Matrix, at: Matrix) -> Matrix:
    """(N, 4, 2): `tile_corners` of many places (N, 2)."""
    c, s = np.cos(at[:, 2]) * np.exp(at[:, 3]), np.sin(at[:, 2]) * np.exp(at[:, 3])
    turns = np.stack([np.stack([c, s], 1), np.stack([-s, c], 1)], 1)
    return np.asarray((SQUARE - 0.5) @ turns + (places + 0.5 + at[:, :2])[:, None])


def fit(lattice: Lattice, seen: Mapping[Place, Matrix]) -> Lattice:
    """The lattice that suits the tiles best; crooked ones pull less.

    ``seen``: for every tile (u, v, angle, log of the size) beside its place in ``lattice``.
    """
    if not seen:
        return lattice
    places = np.array(list(seen), float)
    ideal = (SQUARE + places[:, None]).reshape(-1, 2)
    actual = _corners(places, np.array(list(seen.values()), float)).reshape(-1, 2)
    target = lattice.to_image(actual)
    weights = np.ones(len(ideal))
    homography = lattice.homography
    for _ in range(ROUNDS if len(seen) > 1 else 1):
        homography = _solve(_equations(ideal, target, weights))
        off = np.linalg.norm(_apply(np.linalg.inv(homography), target) - ideal, axis=1)
        weights = 1 / np.maximum(1, off / SLACK)
    return Lattice(homography, lattice.size_px)


def beside(places: Iterable[Place]) -> set[Place]:
    """The free places beside these."""
    taken = set(places)
    around = {(x + dx, y + dy) for x, y in taken for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))}
    return around - taken


def _apply(homography: Matrix, points: Matrix) -> Matrix:
    points = np.asarray(points, np.float64).reshape(-1, 2)
    q = np.column_stack([points, np.ones(len(points))]) @ homography.T
    return np.asarray(q[:, :2] / q[:, 2:3])


def _equations(source: Matrix, target: Matrix, weights: Matrix) -> tuple[Matrix, Matrix, Matrix]:
    """Rows of the direct linear transformation with normalised points (Hartley 1997)."""
    a, b = _normalising(source), _normalising(target)
    s, t = _apply(a, source), _apply(b, target)
    zero, one = np.zeros(len(s)), np.ones(len(s))
    x, y, u, v = s[:, 0], s[:, 1], t[:, 0], t[:, 1]
    first = np.column_stack([x, y, one, zero, zero, zero, -u * x, -u * y, -u])
    second = np.column_stack([zero, zero, zero, x, y, one, -v * x, -v * y, -v])
    rows = np.vstack([first, second]) * np.sqrt(np.tile(weights, 2))[:, None]
    return rows, a, b


def _solve(equations: tuple[Matrix, Matrix, Matrix]) -> Matrix:
    rows, a, b = equations
    _, _, vt = np.linalg.svd(rows.T @ rows)
    homography = np.linalg.inv(b) @ vt[-1].reshape(3, 3) @ a
    return np.asarray(homography / homography[2, 2])


def _normalising(points: Matrix) -> Matrix:
    middle = points.mean(0)
    scale = np.sqrt(2) / max(float(np.linalg.norm(points - middle, axis=1).mean()), 1e-9)
    return np.array([[scale, 0, -scale * middle[0]], [0, scale, -scale * middle[1]], [0, 0, 1]])
