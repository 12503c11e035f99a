"""A marker's corners to a fraction of a pixel."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.registration.marker_code import align, shifted
from vision.registration.marker_search import Marker, decode
from vision.types import Image

Matrix = NDArray[np.float64]

NEAR_PX, NEAR_MODULES = 2.5, 0.8  # further a corner is not moved


def refine_corners(grey: Image, marker: Marker, book: Any) -> Matrix:
    """Sub-pixel corners (4, 2): where the whole print fits best, else by the sides."""
    aligned = align(grey, marker.corners_px, book, marker.id)
    if aligned is not None and _near(aligned, marker.corners_px):
        return aligned
    return by_sides(grey, marker.corners_px)


def look_for(grey: Image, marker: Marker, book: Any) -> Matrix | None:
    """Corners (4, 2) of a marker that is expected at a place; None where it is not to be seen."""
    corners = marker.corners_px
    height, width = grey.shape
    if (corners < 1).any() or (corners > np.array([width, height]) - 2).any():
        return None
    corners = shifted(grey, corners, book, marker.id)
    aligned = align(grey, corners, book, marker.id)
    if aligned is None or not _near(aligned, corners):
        return None
    read = decode(grey, aligned, book)
    # the corners come back in the order of the code: it must be the one they were given in
    same = read is not None and read.id == marker.id
    return aligned if same and np.abs(read.corners_px - aligned).max() < 1 else None


def _near(refined: Matrix, quad: Matrix) -> bool:
    limit = max(NEAR_PX, NEAR_MODULES * module_px(quad))
    return bool((np.linalg.norm(refined - quad, axis=1) < limit).all())


def by_sides(grey: Image, quad: Matrix) -> Matrix:
    """Sub-pixel corners: where the lines along the outer edges of the black border cross.

    A corner window would take in the next thing beyond a narrow white margin.
    """
    module = module_px(quad)
    smooth = cv2.GaussianBlur(grey, (0, 0), 0.8).astype(np.float32)
    reach = float(np.clip(0.55 * module, 1.5, 5.0))
    for _ in range(2):
        lines = [_edge_line(smooth, quad[i], quad[(i + 1) % 4], reach) for i in range(4)]
        if any(line is None for line in lines):
            return quad
        refined = np.array([_cross(lines[i - 1], lines[i]) for i in range(4)])
        if not _near(refined, quad):
            return quad
        quad = refined
    return quad


def _edge_line(
    grey: NDArray[np.float32], start: Matrix, end: Matrix, reach: float
) -> Matrix | None:
    """The line (a, b, c) of the change from white (outside) to black along a marker's side."""
    length = float(np.linalg.norm(end - start))
    direction = (end - start) / length
    outwards = np.array([direction[1], -direction[0]])
    along = np.linspace(0.08, 0.92, int(np.clip(length, 8, 48)))
    offsets = np.arange(-reach - 0.5, reach + 0.75, 0.25)
    base = start + along[:, None] * (end - start)
    places = (base[:, None] + offsets[None, :, None] * outwards).astype(np.float32)
    profile = cv2.remap(grey, places[..., 0], places[..., 1], cv2.INTER_LINEAR)
    rise = profile[:, 2:] - profile[:, :-2]
    best = rise.argmax(1)
    clear = (rise.max(1) > 4) & (best > 0) & (best < rise.shape[1] - 1)
    if clear.sum() < max(4, 0.4 * len(along)):
        return None
    rows, columns = np.flatnonzero(clear), best[clear]
    left, middle, right = (rise[rows, columns + d] for d in (-1, 0, 1))
    curve = np.minimum(left - 2 * middle + right, -1e-3)
    at = offsets[columns + 1] + 0.25 * np.clip(0.5 * (left - right) / curve, -1, 1)
    t = along[rows]
    keep = np.ones(len(t), bool)
    for _ in range(3):
        slope, level = np.polyfit(t[keep], at[keep], 1)
        error = np.abs(at - slope * t - level)
        keep = error <= max(0.15, 2.5 * float(np.median(error)))
    first, last = start + level * outwards, end + (slope + level) * outwards
    return np.cross(np.append(first, 1.0), np.append(last, 1.0))


def _cross(a: Matrix | None, b: Matrix | None) -> Matrix:
    x, y, w = np.cross(a, b)
    return np.array([x / w, y / w]) if abs(w) > 1e-12 else np.full(2, np.nan)


def module_px(quad: Matrix) -> float:
    """Side of one square of the marker's code (seven or eight to a side)."""
    return float(np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1).min()) / 7.5
