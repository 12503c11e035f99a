"""The board by four given corners, and refining these on the lines of the board."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.board import Board
from engine.errors import BoardwardenError
from vision.registration.board_lines import PrintedLines, lines_of, sample_lines
from vision.registration.line_fit import LineFit, fit_lines
from vision.registration.pose import check_corners
from vision.registration.print_fit import as_grey
from vision.types import Image

Matrix = NDArray[np.float64]

LINE_SAMPLES = 1200
TAP_PX = 0.013  # of the picture's longer side: how far from the truth a corner may be tapped
TAP_CELLS = 0.38  # and of a cell: beyond it the next line is meant

SAMPLES = 60
REACH = 0.03  # of the mean side of the quadrilateral
MIN_REACH_PX = 6
MIN_GRADIENT = 3.0  # grey levels per pixel
MIN_SEEN = 0.4  # of the samples must show the line


def snap_to_board(image: Image, corners_px: Matrix, board: Board) -> tuple[Matrix, float | None]:
    """Moves four roughly right corners so that the board's own lines (`board_lines`) fit.

    Where these do not show, or too little of them, each side is moved to the edge beside it.
    Returns the corners (4, 2) and the root mean square distance of what is seen of the lines in
    px; None when nothing shows (then the corners come back as given).
    """
    corners = check_corners(corners_px, (image.shape[1], image.shape[0]))
    lines = lines_of(board)
    if len(lines.segments_mm):
        fit = _fit(image, corners, board, lines)
        if fit is not None and fit.sure:
            return fit.corners_px, fit.residual_px
        if lines.thin:
            # the edge of the board is another line than the outermost one of the print
            return corners, None
    return snap_to_edges(image, corners)


def _fit(image: Image, corners: Matrix, board: Board, lines: PrintedLines) -> LineFit | None:
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    width, height = board.size_mm
    px_per_mm = float((sides / [width, height, width, height]).min())
    reach = min(TAP_PX * max(image.shape[:2]), TAP_CELLS * board.cell_size_mm * px_per_mm)
    if reach < 2.0:
        return None
    kinds = ("dark", "light") if lines.thin else ("edge", "dark", "light")
    samples = sample_lines(lines, board.size_mm, LINE_SAMPLES)
    try:
        fit = fit_lines(as_grey(image), corners, board.size_mm, samples, kinds, reach)
        if fit is not None:
            check_corners(fit.corners_px, (image.shape[1], image.shape[0]))
    except (BoardwardenError, np.linalg.LinAlgError):
        return None
    return fit


def snap_to_edges(
    image: Image, corners_px: Matrix, outermost: bool = False
) -> tuple[Matrix, float | None]:
    """Moves each side of the quadrilateral to the straightest strong edge beside it, or to the
    ``outermost`` of the strong ones.

    Returns the corners (4, 2) and the root mean square distance of the edge points from the
    sides in px; None when no side shows an edge (then the corners come back as given).
    """
    corners = check_corners(corners_px, (image.shape[1], image.shape[0]))
    grey = cv2.GaussianBlur(as_grey(image), (0, 0), 1.0).astype(np.float32)
    mean_side = float(np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1).mean())
    reach = max(MIN_REACH_PX, round(REACH * mean_side))
    lines, squares = [], []
    for i in range(4):
        line, errors = _snap_side(grey, corners[i], corners[(i + 1) % 4], reach, outermost)
        lines.append(line)
        squares.extend(errors)
    snapped = np.array([_cross(lines[i - 1], lines[i]) for i in range(4)])
    moved = np.linalg.norm(snapped - corners, axis=1)
    if not squares or not np.isfinite(snapped).all() or moved.max() > 2.5 * reach:
        return corners, None
    return snapped, float(np.sqrt(np.mean(squares)))


def _snap_side(
    grey: NDArray[np.float32], start: Matrix, end: Matrix, reach: int, outermost: bool
) -> tuple[tuple[Matrix, Matrix], list[float]]:
    """Two points of the best line near the side, and squared distances (px²) of its edge points."""
    along = np.linspace(0.06, 0.94, SAMPLES)
    direction = (end - start) / np.linalg.norm(end - start)
    normal = np.array([-direction[1], direction[0]])
    offsets = np.arange(-reach - 1, reach + 2)
    base = start + along[:, None] * (end - start)
    places = (base[:, None] + offsets[None, :, None] * normal).astype(np.float32)
    profile = cv2.remap(
        grey, places[..., 0], places[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    strength = np.abs(profile[:, 2:] - profile[:, :-2]) / 2
    first, last = _best_line(strength, along, reach, outermost)
    points, squares = _edge_points(strength, along, first, last, reach)
    if len(points) < MIN_SEEN * SAMPLES:
        return (start, end), []
    slope, level = np.polyfit(points[:, 0], points[:, 1], 1)
    squares = list((points[:, 1] - slope * points[:, 0] - level) ** 2)
    return (start + level * normal, end + (slope + level) * normal), squares


def _best_line(
    strength: NDArray[np.float32], along: Matrix, reach: int, outermost: bool
) -> tuple[int, int]:
    """Offsets (px) at both ends of the side of the line with the most edge under it."""
    capped = np.minimum(strength, 4 * MIN_GRADIENT)
    rows = np.arange(len(along))
    scored = []
    for first in range(-reach, reach + 1):
        for last in range(-reach, reach + 1):
            at = np.rint(first + (last - first) * along).astype(int) + reach
            score = float(capped[rows, at].mean())
            if not outermost:
                # of equal edges the nearer one: people tap well
                score *= 1 - 0.45 * (abs(first) + abs(last)) / reach
            scored.append((score, first, last))
    best = max(scored)
    if outermost:
        # the normal points inwards, so the outermost line has the least offset
        best = min((s for s in scored if s[0] >= 0.75 * best[0]), key=lambda s: s[1] + s[2])
        near = [s for s in scored if abs(s[1] - best[1]) <= 2 and abs(s[2] - best[2]) <= 2]
        best = max(near)
    return best[1], best[2]


def _edge_points(
    strength: NDArray[np.float32], along: Matrix, first: int, last: int, reach: int
) -> tuple[Matrix, list[float]]:
    """(K, 2) of place along the side (0 to 1) and offset (px) of the edge near the line."""
    points = []
    for row, t in zip(strength, along, strict=True):
        middle = round(first + (last - first) * float(t)) + reach
        low, high = max(1, middle - 2), min(len(row) - 1, middle + 3)
        at = low + int(row[low:high].argmax()) if high > low else 0
        if not 0 < at < len(row) - 1 or row[at] < MIN_GRADIENT:
            continue
        curve = row[at - 1] - 2 * row[at] + row[at + 1]
        shift = 0.5 * (row[at - 1] - row[at + 1]) / curve if curve < -1e-6 else 0.0
        if abs(shift) <= 1:
            points.append((t, at + shift - reach))
    array = np.array(points, np.float64).reshape(-1, 2)
    if len(array) < 3:
        return array, []
    line = np.polyfit(array[:, 0], array[:, 1], 1)
    error = np.abs(array[:, 1] - np.polyval(line, array[:, 0]))
    return array[error <= max(0.75, 2 * float(np.median(error)))], []


def _cross(a: tuple[Matrix, Matrix], b: tuple[Matrix, Matrix]) -> Matrix:
    """Intersection of two lines, each given by two points."""
    lines = [np.cross(np.append(p, 1.0), np.append(q, 1.0)) for p, q in (a, b)]
    x, y, w = np.cross(lines[0], lines[1])
    return np.array([x / w, y / w]) if abs(w) > 1e-9 else np.full(2, np.nan)
