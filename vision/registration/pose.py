"""From four corners to a whole pose: homography, focal length, heights.

The focal length is the maximum a posteriori of a one-parameter search: reprojection error of the
best rigid view of the plane against a log-normal prior.  Seen nearly from the front the error hardly depends on the focal
length, so the prior decides; seen obliquely the corners do.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.errors import BoardwardenError
from vision.lens import Lens
from vision.registration.planar import through_lens
from vision.types import BoardPose

Matrix = NDArray[np.float64]

FOCAL_PRIOR = 0.9  # of the longer side of the picture
FOCAL_PRIOR_SPREAD = 0.22  # standard deviation of the natural logarithm
CORNER_NOISE = 1.0 / 1280  # of the longer side of the picture
MIN_SIDE_PX = 12.0


def pose_from_corners(
    corners_px: Matrix,
    size_mm: tuple[float, float],
    image_size: tuple[int, int],
    how: str,
    residual_px: float | None = None,
    intrinsics: Matrix | None = None,
) -> BoardPose:
    """Pose from the face's corners (top-left, top-right, bottom-right, bottom-left; image px).

    ``image_size``: (width, height).  ``intrinsics``: (3, 3) camera matrix if calibrated.  The
    projection agrees with the homography on the face; heights point towards the camera.
    Raises BoardwardenError when the corners can't be a view of the face, or a mirrored one.
    """
    corners = check_corners(corners_px, image_size)
    homography = homography_from_corners(corners, size_mm)
    if intrinsics is None:
        intrinsics = guess_intrinsics(corners, size_mm, image_size)
    camera = _projection(homography, np.asarray(intrinsics, np.float64), size_mm)
    return BoardPose(homography, corners, camera, residual_px, how)


def pose_of_plane(
    homography: Matrix,
    size_mm: tuple[float, float],
    image_size: tuple[int, int],
    how: str,
    residual_px: float | None = None,
    lens: Lens | None = None,
    intrinsics: Matrix | None = None,
) -> BoardPose:
    """Pose from a homography, board mm to straight px of ``lens`` (image px without one).

    Raises BoardwardenError as `pose_from_corners` does.
    """
    corners = corners_of(homography, size_mm)
    pose = pose_from_corners(corners, size_mm, image_size, how, residual_px, intrinsics)
    if lens is None or lens.is_straight:
        return pose
    return BoardPose(
        through_lens(pose.homography, size_mm, lens.bend), lens.bend(corners), pose.camera,
        residual_px, how, lens,
    )  # fmt: skip


def face_corners(size_mm: tuple[float, float]) -> Matrix:
    """(4, 2) corners of the printed face in board mm, clockwise from the top-left."""
    width, height = size_mm
    return np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float64)


def homography_from_corners(corners_px: Matrix, size_mm: tuple[float, float]) -> Matrix:
    """(3, 3) board mm to image px, exact on the four corners, lower right element 1."""
    rows = []
    for (x, y), (u, v) in zip(face_corners(size_mm), corners_px, strict=True):
        rows.append([x, y, 1, 0, 0, 0, -u * x, -u * y])
        rows.append([0, 0, 0, x, y, 1, -v * x, -v * y])
    solution = np.linalg.solve(np.array(rows, np.float64), np.asarray(corners_px).reshape(8))
    return np.append(solution, 1.0).reshape(3, 3)


def corners_of(homography: Matrix, size_mm: tuple[float, float]) -> Matrix:
    """(4, 2) image px of the face's corners under a homography from board mm."""
    q = np.column_stack([face_corners(size_mm), np.ones(4)]) @ np.asarray(homography).T
    return np.asarray(q[:, :2] / q[:, 2:3])


def check_corners(corners_px: Matrix, image_size: tuple[int, int]) -> Matrix:
    """The corners as (4, 2) float64; raises BoardwardenError when no camera can see such a face."""
    try:
        corners = np.asarray(corners_px, np.float64)
    except (TypeError, ValueError) as error:
        raise BoardwardenError("the four corners must be pairs of numbers: x,y") from error
    if corners.shape != (4, 2):
        raise BoardwardenError(
            "four corners are needed, each as x,y: top-left, top-right, bottom-right, bottom-left"
        )
    if not np.isfinite(corners).all():
        raise BoardwardenError("a corner of the board is not a number: give four finite x,y pairs")
    reach = 2.0 * max(image_size)
    if (corners < -reach).any() or (corners > np.array(image_size) + reach).any():
        raise BoardwardenError(
            f"a corner of the board lies far outside the picture ({image_size[0]}x{image_size[1]}"
            " pixels): give the corners in pixels of this picture"
        )
    turns = _turns(corners)
    if np.all(turns < 0):
        raise BoardwardenError(
            "the picture of the board is mirrored: switch off the mirror image of the camera, or"
            " give the corners clockwise from the top-left"
        )
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    if sides.min() < MIN_SIDE_PX:
        raise BoardwardenError("two corners of the board coincide: give four separate corners")
    sines = turns / (sides * np.roll(sides, 1))
    if (np.abs(sines) < 0.02).any():
        raise BoardwardenError(
            "three corners of the board lie in a line: give its four corners clockwise"
        )
    if not np.all(turns > 0):
        raise BoardwardenError(
            "the corners do not go round the board: give top-left, top-right, bottom-right,"
            " bottom-left in this order"
        )
    return corners


def _turns(corners: Matrix) -> Matrix:
    """Cross products at each corner; all positive for a clockwise convex view (y down)."""
    incoming = corners - np.roll(corners, 1, axis=0)
    outgoing = np.roll(corners, -1, axis=0) - corners
    return np.asarray(incoming[:, 0] * outgoing[:, 1] - incoming[:, 1] * outgoing[:, 0])


def guess_intrinsics(
    corners: Matrix, size_mm: tuple[float, float], image_size: tuple[int, int]
) -> Matrix:
    """(3, 3) camera matrix with the principal point at the picture's centre."""
    return _matrix(guess_focal([corners], size_mm, image_size), image_size)


def guess_focal(
    views: Sequence[Matrix], size_mm: tuple[float, float], image_size: tuple[int, int]
) -> float:
    """Focal length in px that makes the corners (4, 2) of every view the most likely."""
    long_side = float(max(image_size))
    prior = FOCAL_PRIOR * long_side
    noise = CORNER_NOISE * long_side

    def cost(log_focal: float) -> float:
        camera = _matrix(prior * math.exp(log_focal), image_size)
        error = sum(reprojection_error(v, size_mm, camera) for v in views)
        return error / noise**2 + (log_focal / FOCAL_PRIOR_SPREAD) ** 2

    grid = np.linspace(-0.9, 1.2, 15)
    costs = np.full(len(grid), np.inf)
    for n in np.argsort(np.abs(grid)):
        # The prior alone rules out what lies farther from it: its share of the cost only grows.
        if (grid[n] / FOCAL_PRIOR_SPREAD) ** 2 > costs.min():
            break
        costs[n] = cost(float(grid[n]))
    best = int(np.argmin(costs))
    low, high = float(grid[max(best - 1, 0)]), float(grid[min(best + 1, len(grid) - 1)])
    return prior * math.exp(_golden(cost, low, high))


def _golden(cost, low: float, high: float, rounds: int = 12) -> float:  # type: ignore[no-untyped-def]
    ratio = (math.sqrt(5) - 1) / 2
    a, b = high - ratio * (high - low), low + ratio * (high - low)
    cost_a, cost_b = cost(a), cost(b)
    for _ in range(rounds):
        if cost_a < cost_b:
            high, b, cost_b = b, a, cost_a
            a = high - ratio * (high - low)
            cost_a = cost(a)
        else:
            low, a, cost_a = a, b, cost_b
            b = low + ratio * (high - low)
            cost_b = cost(b)
    return (low + high) / 2


def _matrix(focal: float, image_size: tuple[int, int]) -> Matrix:
    cx, cy = (image_size[0] - 1) / 2, (image_size[1] - 1) / 2
    return np.array([[focal, 0, cx], [0, focal, cy], [0, 0, 1]], np.float64)


def reprojection_error(corners: Matrix, size_mm: tuple[float, float], intrinsics: Matrix) -> float:
    """Sum of squared distances (px²) of the corners to the best rigid view with this camera."""
    plane = np.column_stack([face_corners(size_mm) - np.array(size_mm) / 2, np.zeros(4)])
    middle = np.array([[1, 0, size_mm[0] / 2], [0, 1, size_mm[1] / 2], [0, 0, 1]])
    columns = np.linalg.inv(intrinsics) @ homography_from_corners(corners, size_mm) @ middle
    columns *= np.sign(columns[2, 2])
    u, scales, vt = np.linalg.svd(columns[:, :2], full_matrices=False)
    first, second = (u @ vt).T
    rotation, _ = cv2.Rodrigues(np.column_stack([first, second, np.cross(first, second)]))
    shift = columns[:, 2] / math.sqrt(float(scales[0] * scales[1]))
    # OpenCV's own start for planes (IPPE) breaks down on some exactly symmetric views
    _, rotation, shift = cv2.solvePnP(
        plane, corners.reshape(4, 1, 2), intrinsics, None, rotation, shift.reshape(3, 1),
        useExtrinsicGuess=True, flags=cv2.SOLVEPNP_ITERATIVE,
    )  # fmt: skip
    seen, _ = cv2.projectPoints(plane, rotation, shift, intrinsics, None)
    error = float(((seen.reshape(4, 2) - corners) ** 2).sum())
    return error if math.isfinite(error) else math.inf


def _projection(homography: Matrix, intrinsics: Matrix, size_mm: tuple[float, float]) -> Matrix:
    """(3, 4): the homography's columns, with the height's direction between them."""
    columns = np.linalg.inv(intrinsics) @ homography
    centre = columns @ np.array([size_mm[0] / 2, size_mm[1] / 2, 1.0])
    sign = 1.0 if centre[2] > 0 else -1.0
    u, scales, vt = np.linalg.svd(columns[:, :2] * sign, full_matrices=False)
    rotation = u @ vt
    # x right, y down: their cross product looks away from the camera
    up = -np.cross(rotation[:, 0], rotation[:, 1]) * math.sqrt(float(scales[0] * scales[1]))
    height = sign * (intrinsics @ up)
    return np.column_stack([homography[:, 0], homography[:, 1], height, homography[:, 2]])
