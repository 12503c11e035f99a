"""The board by its printed corner markers.

The board file's ``markers``: ``{"dictionary": "DICT_5X5_50", "side_mm": 20, "corners": {"0":
[[x, y], ...four, clockwise from the marker's own top-left, board mm]}}``; instead of four corners a
single [x, y] is the marker's centre, its sides along the board's.  ``positions`` is read like
``corners``.  Dictionaries: OpenCV's names; 5x5 and AprilTag 36h11 gave no false finds on hundreds
of pictures without markers, 4x4 ones did.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.errors import BoardFileError
from vision.registration.errors import BoardNotFound
from vision.registration.planar import apply, least_squares, spread_px
from vision.registration.pose import corners_of, face_corners, pose_from_corners
from vision.registration.print_fit import as_grey
from vision.types import BoardPose, Image

Matrix = NDArray[np.float64]

DEFAULT_DICTIONARY = "DICT_5X5_50"
MAX_RESIDUAL_PX = 1.5
MAX_RESIDUAL_MODULES = 0.35
MAX_SPREAD = 0.02  # of the shortest side of the face in the picture


@dataclass(frozen=True, eq=False)
class MarkerLayout:
    """``corners_mm``: id to (4, 2) board mm, clockwise from the marker's own top-left."""

    dictionary: str
    corners_mm: Mapping[int, Matrix]


def marker_layout(raw: Mapping[str, Any]) -> MarkerLayout | None:
    """The markers of a board file's JSON object; None if it names none.

    Raises BoardFileError with what is wrong.
    """
    markers = raw.get("markers")
    if not markers:
        return None
    if not isinstance(markers, Mapping):
        raise BoardFileError("the board file's markers must be an object")
    places = markers.get("corners", markers.get("positions"))
    name = str(markers.get("dictionary", DEFAULT_DICTIONARY))
    _dictionary(name)
    try:
        side = float(markers.get("side_mm", 0.0))
        corners = {int(i): _corners(p, side) for i, p in dict(places or {}).items()}
    except (TypeError, ValueError) as error:
        raise BoardFileError(
            "the board file's markers need per id four corners [x, y] in mm, or a centre and side_mm"
        ) from error
    if len(corners) < 2:
        raise BoardFileError("the board file names fewer than two markers: give at least two")
    return MarkerLayout(name, corners)


def _corners(place: Any, side: float) -> Matrix:
    points = np.asarray(place, np.float64)
    if points.shape == (2,) and side > 0:
        half = side / 2
        points = points + np.array([[-half, -half], [half, -half], [half, half], [-half, half]])
    if points.shape != (4, 2) or not np.isfinite(points).all():
        raise ValueError("neither four corners nor a centre")
    return points


def _dictionary(name: str) -> Any:
    full = name if name.startswith("DICT_") else f"DICT_{name}"
    number = getattr(cv2.aruco, full.upper(), None) if full.isascii() else None
    if number is None:
        number = getattr(cv2.aruco, full, None)
    if not isinstance(number, int):
        raise BoardFileError(
            f"the board file's markers name an unknown dictionary {name!r}: use {DEFAULT_DICTIONARY}"
        )
    return cv2.aruco.getPredefinedDictionary(number)


def find_by_markers(image: Image, layout: MarkerLayout, size_mm: tuple[float, float]) -> BoardPose:
    """Finds the board by two or more of its markers; raises BoardNotFound with the remedy."""
    grey = as_grey(image)
    seen = detect_markers(grey, layout)
    if len(seen) < 2:
        if len(detect_markers(np.ascontiguousarray(grey[:, ::-1]), layout)) >= 2:
            raise BoardNotFound(
                "the picture is mirrored: switch off the mirror image of the camera"
            )
        one = f"only marker {next(iter(seen))}" if seen else "no marker"
        raise BoardNotFound(
            f"{one} of the board is in view and two are needed: uncover the printed corner markers"
        )
    best = _best_subset(seen, layout)
    if best is None:
        raise BoardNotFound(
            "the corner markers do not agree with the board file: check that they lie flat and"
            " where the file says"
        )
    homography, residual, source = best
    corners = corners_of(homography, size_mm)
    pose = pose_from_corners(corners, size_mm, (grey.shape[1], grey.shape[0]), "markers", residual)
    shortest = float(np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1).min())
    if spread_px(homography, source, max(residual, 0.15), face_corners(size_mm)) > (
        MAX_SPREAD * shortest
    ):
        raise BoardNotFound(
            "the corner markers in view are too near to each other: uncover a marker on the other"
            " side of the board"
        )
    return pose


def detect_markers(grey: Image, layout: MarkerLayout) -> dict[int, Matrix]:
    """The layout's markers in a grey picture: id to (4, 2) corners in image px, refined.

    An id that is seen twice is left out: one of the two is another thing.
    """
    parameters = cv2.aruco.DetectorParameters()
    parameters.adaptiveThreshWinSizeMax = 43
    parameters.minMarkerPerimeterRate = 0.015
    detector = cv2.aruco.ArucoDetector(_dictionary(layout.dictionary), parameters)
    quads, ids, _ = detector.detectMarkers(grey)
    found: dict[int, list[Matrix]] = {}
    for quad, number in zip(quads, [] if ids is None else np.ravel(ids), strict=False):
        found.setdefault(int(number), []).append(np.asarray(quad, np.float64).reshape(4, 2))
    return {
        i: _refine(grey, quads[0])
        for i, quads in found.items()
        if i in layout.corners_mm and len(quads) == 1
    }


def _refine(grey: Image, quad: Matrix) -> Matrix:
    """Sub-pixel corners, with a window well inside the marker's border of one module."""
    module = _module_px(quad)
    window = int(np.clip(round(0.6 * module), 1, 7))
    start = quad.astype(np.float32).reshape(-1, 1, 2)
    stop = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_MAX_ITER, 40, 0.005)
    refined = cv2.cornerSubPix(grey, start.copy(), (window, window), (-1, -1), stop)
    refined = np.asarray(refined, np.float64).reshape(4, 2)
    moved = np.linalg.norm(refined - quad, axis=1)
    return np.where((moved < max(1.5, 0.7 * module))[:, None], refined, quad)


def _module_px(quad: Matrix) -> float:
    """Side of one square of the marker's code (seven or eight to a side)."""
    return float(np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1).min()) / 7.5


def _best_subset(
    seen: Mapping[int, Matrix], layout: MarkerLayout
) -> tuple[Matrix, float, Matrix] | None:
    """The most markers that agree: homography, residual (px), their corners (board mm)."""
    for count in range(len(seen), 1, -1):
        # two that contradict a third can't be told from two that agree by chance
        if count == 2 and len(seen) > 3:
            return None
        options = []
        for ids in combinations(sorted(seen), count):
            source = np.concatenate([layout.corners_mm[i] for i in ids])
            target = np.concatenate([seen[i] for i in ids])
            start, _ = cv2.findHomography(source, target, 0)
            if start is None:
                continue
            fitted = least_squares(source, target, np.ones(len(source)), start)
            error = np.linalg.norm(apply(fitted, source) - target, axis=1)
            residual = float(np.sqrt(np.mean(error**2)))
            module = min(_module_px(seen[i]) for i in ids)
            if residual <= max(MAX_RESIDUAL_PX, MAX_RESIDUAL_MODULES * module):
                options.append((residual, ids, fitted, source))
        if options and (count > 2 or len(options) == 1 or len(seen) == 2):
            residual, _, fitted, source = min(options, key=lambda o: o[0])
            return fitted, residual, source
        if len(seen) > 8:
            return None
    return None
