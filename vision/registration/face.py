"""The printed face in a photograph of the empty board, when nobody has said where it is.

Only for making a reference: the board must lie alone and whole on a table that looks different,
upright as its owner reads it.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.errors import BoardwardenError
from vision.registration.by_corners import snap_to_edges
from vision.registration.pose import check_corners, guess_intrinsics, reprojection_error
from vision.types import Image

Matrix = NDArray[np.float64]

WORK_SIDE_PX = 360
MIN_SIDE_PX = 64
TABLE_RIM = 0.02  # of the picture: so much around it must be table
AREA = (0.08, 0.95)  # of the picture
MIN_OVERLAP = 0.93
MAX_RIGID_ERROR = 0.012  # of the mean side, per corner
FLAT = 2.0  # grey levels of standard deviation: nothing is to be seen
GRAIN = 1.0  # grey levels of noise put over the picture


def find_face(image: Image, size_mm: tuple[float, float]) -> Matrix | None:
    """Corners (4, 2) px of the face, clockwise from its top-left; None when not sure.

    Of the orders that fit the face's proportions the most upright one is taken.
    """
    scale = min(1.0, WORK_SIDE_PX / max(image.shape[:2]))
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    if min(small.shape[:2]) < MIN_SIDE_PX:
        return None
    if float(small.std(axis=(0, 1)).max()) < FLAT:
        return None
    quad = _quadrilateral(_foreground(np.asarray(small, np.uint8)))
    if quad is None or not _table_all_round(np.asarray(small, np.uint8), _clockwise(quad)):
        return None
    try:
        corners = _clockwise((quad + 0.5) / scale - 0.5)
        for _ in range(2):
            corners, residual = snap_to_edges(image, corners, outermost=True)
        if residual is None:
            return None
        return _ordered(corners, size_mm, (image.shape[1], image.shape[0]))
    except BoardwardenError:
        return None


def is_axis_aligned(corners: Matrix) -> bool:
    """Whether the corners form an upright rectangle, as a frame printed in flat artwork does."""
    low, high = corners.min(0), corners.max(0)
    box = np.array([low, [high[0], low[1]], high, [low[0], high[1]]])
    away = np.linalg.norm(_clockwise(corners) - box, axis=1).max()
    return bool(away < 0.015 * float((high - low).min()))


def _foreground(image: Image) -> NDArray[np.uint8]:
    """What differs from the picture's rim (GrabCut; Rother et al., SIGGRAPH 2004), filled."""
    height, width = image.shape[:2]
    x, y = _rim(width), _rim(height)
    mask = np.zeros((height, width), np.uint8)
    cv2.setRNGSeed(1)
    # on areas of one single colour OpenCV's search for clusters never ends
    grain = np.random.default_rng(1).normal(0.0, GRAIN, image.shape)
    image = np.clip(np.rint(image + grain), 0, 255).astype(np.uint8)
    models = np.zeros((1, 65)), np.zeros((1, 65))
    cv2.grabCut(
        image, mask, (x, y, width - 2 * x, height - 2 * y), *models, 4, cv2.GC_INIT_WITH_RECT
    )
    front = np.isin(mask, (cv2.GC_FGD, cv2.GC_PR_FGD)).astype(np.uint8)
    return np.asarray(cv2.morphologyEx(front, cv2.MORPH_OPEN, np.ones((5, 5), np.uint8)), np.uint8)


def _rim(side: int) -> int:
    return max(2, round(TABLE_RIM * side))


def _quadrilateral(mask: NDArray[np.uint8]) -> Matrix | None:
    """(4, 2) of the largest blob if it is a filled quadrilateral."""
    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not outlines:
        return None
    hull = cv2.convexHull(max(outlines, key=cv2.contourArea))
    area = cv2.contourArea(hull)
    if not AREA[0] * mask.size < area < AREA[1] * mask.size:
        return None
    rim = np.array([_rim(s) + 2 for s in (mask.shape[1], mask.shape[0])])
    if (hull < rim).any() or (hull >= np.array([mask.shape[1], mask.shape[0]]) - rim).any():
        # cut off by the picture's edge
        return None
    length = cv2.arcLength(hull, True)
    for tolerance in np.linspace(0.01, 0.1, 19):
        quad = cv2.approxPolyDP(hull, tolerance * length, True)
        if len(quad) <= 4:
            break
    if len(quad) != 4:
        return None
    filled = np.zeros_like(mask)
    cv2.fillConvexPoly(filled, quad, 1)
    # outlines count, not holes in the print
    solid = np.zeros_like(mask)
    cv2.drawContours(solid, [max(outlines, key=cv2.contourArea)], -1, 1, cv2.FILLED)
    overlap = (filled & solid).sum() / max(1, (filled | solid).sum())
    return quad.reshape(4, 2).astype(np.float64) if overlap >= MIN_OVERLAP else None


def _table_all_round(image: Image, quad: Matrix) -> bool:
    """Whether the picture beyond each side looks more like that beyond the others than like the
    print within: else the board goes on there, and a line of the print was taken for its edge."""
    lab = cv2.cvtColor(image, cv2.COLOR_BGR2LAB)
    middle = quad.mean(0)
    outside, inside = [], []
    for i in range(4):
        ends = np.array([quad[i], quad[(i + 1) % 4]])
        for bands, (near, far) in ((outside, (1.03, 1.12)), (inside, (0.85, 0.97))):
            ring = np.concatenate([middle + near * (ends - middle), middle + far * (ends - middle)])
            mask = np.zeros(image.shape[:2], np.uint8)
            cv2.fillConvexPoly(mask, np.rint(ring[[0, 1, 3, 2]]).astype(np.int32), 255)
            histogram = cv2.calcHist([lab], [0, 1, 2], mask, [6, 12, 12], [0, 256] * 3)
            bands.append(cv2.normalize(histogram, None, 1.0, 0.0, cv2.NORM_L1))
    for i in range(4):
        others = np.mean([outside[j] for j in range(4) if j != i], axis=0)
        to_table = cv2.compareHist(outside[i], others, cv2.HISTCMP_BHATTACHARYYA)
        to_print = cv2.compareHist(outside[i], inside[i], cv2.HISTCMP_BHATTACHARYYA)
        if to_table >= to_print:
            return False
    return True


def _clockwise(corners: Matrix) -> Matrix:
    """Starting with the corner nearest to the picture's top-left."""
    middle = corners.mean(0)
    turn = np.arctan2(corners[:, 1] - middle[1], corners[:, 0] - middle[0])
    corners = corners[np.argsort(turn)]
    return np.roll(corners, -int(np.argmin(corners.sum(1))), axis=0)


def _ordered(
    corners: Matrix, size_mm: tuple[float, float], image_size: tuple[int, int]
) -> Matrix | None:
    """The most upright order in which the corners are a view of a face with these proportions."""
    corners = check_corners(corners, image_size)
    side = float(np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1).mean())
    best: tuple[float, Matrix] | None = None
    for start in range(4):
        order = np.roll(corners, -start, axis=0)
        camera = guess_intrinsics(order, size_mm, image_size)
        error = (reprojection_error(order, size_mm, camera) / 4) ** 0.5
        if error > MAX_RIGID_ERROR * side:
            continue
        along = (order[1] - order[0]) + (order[2] - order[3])
        lean = abs(float(np.arctan2(along[1], along[0])))
        if best is None or lean < best[0]:
            best = (lean, order)
    return best[1] if best is not None and best[0] < np.pi / 4 else None
