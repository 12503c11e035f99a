"""Finding square markers in a picture: quickly, and a second time for stubborn ones.

The second look tries the colours one by one (a coloured lamp or drawn-over lines leave contrast in
one of them only), lets the outline of curled paper bend, and puts quadrilaterals together from any
four straight edges of a dark region, so that a piece that touches a marker does not hide it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.errors import BoardFileError
from vision.registration.marker_code import likest
from vision.registration.print_fit import as_grey
from vision.types import Image

Matrix = NDArray[np.float64]

DEFAULT_DICTIONARY = "DICT_5X5_50"
SMALL_PICTURE_PX = 1000  # smaller ones are looked at enlarged
CELL_PX = 8
MAX_RIM_ERRORS = 0.1  # of the cells of the black border
MIN_WHITE = 0.6  # of the paper around it
MIN_STD = 12.0  # grey levels
MIN_SIDE_PX, MAX_RATIO = 12.0, 3.0
EDGES = 8  # longest ones of an outline that are combined
MAX_OUTLINES = 400


@dataclass(frozen=True, eq=False)
class Marker:
    """``corners_px`` (4, 2), clockwise from the marker's own top-left.  ``errors``: wrong cells of
    its code and border."""

    id: int
    corners_px: Matrix
    errors: int = 0


def dictionary_named(name: str) -> Any:
    """OpenCV's dictionary of that name, with or without ``DICT_``; raises BoardFileError."""
    full = name if name.startswith("DICT_") else f"DICT_{name}"
    number = getattr(cv2.aruco, full.upper(), None) if full.isascii() else None
    if number is None:
        number = getattr(cv2.aruco, full, None)
    if not isinstance(number, int):
        raise BoardFileError(
            f"the board file's markers name an unknown dictionary {name!r}: use {DEFAULT_DICTIONARY}"
        )
    return cv2.aruco.getPredefinedDictionary(number)


def find_markers(image: Image, dictionary: str, thorough: bool = False) -> list[Marker]:
    """All markers of a dictionary in a grey or BGR picture; ``thorough``: with the second look."""
    every = looks(image, dictionary)
    found = next(every)
    if thorough:
        *_, found = every
    return found


def looks(image: Image, dictionary: str) -> Iterator[list[Marker]]:
    """The markers found so far, after one look after the other: the quick one, then the parts of
    the second look."""
    book = dictionary_named(dictionary)
    parameters = cv2.aruco.DetectorParameters()
    parameters.adaptiveThreshWinSizeMax = 43
    parameters.minMarkerPerimeterRate = 0.015
    found = _by_opencv(as_grey(image), book, parameters)
    yield found
    more: list[Marker] = []
    for part in _second_look(image, book):
        more += part
        yield _with_more(found, more)


def _by_opencv(grey: Image, book: Any, parameters: Any) -> list[Marker]:
    quads, ids, _ = cv2.aruco.ArucoDetector(book, parameters).detectMarkers(grey)
    numbers = [] if ids is None else np.ravel(ids)
    return [
        Marker(int(i), np.asarray(q, np.float64).reshape(4, 2))
        for q, i in zip(quads, numbers, strict=False)
    ]


def _second_look(image: Image, book: Any) -> Iterator[list[Marker]]:
    scale = 2.0 if max(image.shape[:2]) < SMALL_PICTURE_PX else 1.0
    planes = [as_grey(image)]
    if image.ndim == 3:
        planes += [np.ascontiguousarray(image[..., c]) for c in (1, 2)]
    bent = cv2.aruco.DetectorParameters()
    bent.polygonalApproxAccuracyRate = 0.08
    bent.errorCorrectionRate = 1.0
    bent.maxErroneousBitsInBorderRate = 0.6
    for plane in planes[::2]:
        quads = [m.corners_px for m in _by_opencv(plane, book, bent)]
        yield _decoded(plane, quads, book)
    for plane in planes[-2:]:
        if scale > 1:
            plane = np.asarray(
                cv2.resize(plane, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC), np.uint8
            )
        found = _decoded(plane, _quadrilaterals(plane), book)
        yield [Marker(m.id, (m.corners_px + 0.5) / scale - 0.5, m.errors) for m in found]


def _decoded(plane: Image, quads: Iterable[Matrix], book: Any) -> list[Marker]:
    read = (decode(plane, quad, book) for quad in quads)
    return [marker for marker in read if marker is not None]


def _with_more(found: list[Marker], more: list[Marker]) -> list[Marker]:
    """The sure ones, and of the others at each further place the one with the fewest errors."""
    extra: list[Marker] = []
    for marker in sorted(more, key=lambda m: m.errors):
        middle, size = marker.corners_px.mean(0), np.ptp(marker.corners_px, axis=0).max()
        known = [m.corners_px.mean(0) for m in (*found, *extra)]
        if all(np.linalg.norm(middle - k) > 0.5 * size for k in known):
            extra.append(marker)
    return found + extra


def decode(grey: Image, quad: Matrix, book: Any) -> Marker | None:
    """The marker in a quadrilateral, judged by its border, the paper around it and its code."""
    side = int(book.markerSize)
    cells = side + 4  # code, border and paper
    corners = quad.astype(np.float32)
    if cv2.contourArea(corners, True) < 0:
        corners = corners[::-1]
    low, high = CELL_PX - 0.5, (cells - 1) * CELL_PX - 0.5
    target = np.array([[low, low], [high, low], [high, high], [low, high]], np.float32)
    flat = cv2.warpPerspective(
        grey, cv2.getPerspectiveTransform(corners, target), (cells * CELL_PX, cells * CELL_PX),
        flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE,
    )  # fmt: skip
    inner = np.ascontiguousarray(flat[CELL_PX:-CELL_PX, CELL_PX:-CELL_PX])
    if inner.std() < MIN_STD:
        return None
    level, _ = cv2.threshold(inner, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    means = flat.reshape(cells, CELL_PX, cells, CELL_PX)[:, 2:-2, :, 2:-2].mean((1, 3))
    # narrow margins: only the paper next to the border counts
    ring = _ring(flat.reshape(cells * CELL_PX, -1), CELL_PX - 3, 2)
    rim = _ring(means[1:-1, 1:-1], 0, 1) > level
    errors = int(rim.sum())
    if errors > MAX_RIM_ERRORS * len(rim) or (ring > level).mean() < MIN_WHITE:
        return None
    code = (means[2:-2, 2:-2] > level).astype(np.uint8)
    ok, number, turn = book.identify(code, 0.6)
    if not ok:
        soft = likest(means, book)
        if soft is None:
            return None
        number, turn = soft
    errors += int(book.getDistanceToId(code, number))
    return Marker(int(number), np.roll(corners, int(turn), axis=0).astype(np.float64), errors)


def _ring(square: NDArray[Any], inset: int, width: int) -> NDArray[Any]:
    """The values of a frame of the given width, ``inset`` from the edge, as one row."""
    end = len(square) - inset
    whole = square[inset:end, inset:end]
    return np.concatenate([
        whole[:width].ravel(), whole[-width:].ravel(),
        whole[width:-width, :width].ravel(), whole[width:-width, -width:].ravel(),
    ])  # fmt: skip


def _quadrilaterals(grey: Image) -> Iterator[Matrix]:
    """Convex quadrilaterals on the straight edges of dark regions."""
    height, width = grey.shape
    window = max(21, round(max(grey.shape) / 28) | 1)
    for level in (5, 12):
        dark = cv2.adaptiveThreshold(
            grey, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY_INV, window, level
        )
        outlines, _ = cv2.findContours(dark, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
        fit = [o for o in outlines if 4 * MIN_SIDE_PX < len(o) < 1.5 * (height + width)]
        for outline in sorted(fit, key=len, reverse=True)[:MAX_OUTLINES]:
            polygon = cv2.approxPolyDP(outline, 2.5, True).reshape(-1, 2).astype(np.float64)
            yield from _from_edges(polygon, (width, height))


def _from_edges(polygon: Matrix, size: tuple[int, int]) -> Iterator[Matrix]:
    steps = polygon[np.arange(1, len(polygon) + 1) % len(polygon)] - polygon
    lengths = np.hypot(steps[:, 0], steps[:, 1])
    long = np.argsort(lengths)[::-1][:EDGES]
    chosen = np.sort(long[lengths[long] >= MIN_SIDE_PX])
    if len(chosen) < 4:
        return
    fours = _fours(len(chosen))
    ways, starts = steps[chosen], polygon[chosen]
    # where each side's line crosses that of the side before it
    before, after = fours[:, [3, 0, 1, 2]], fours
    with np.errstate(divide="ignore", invalid="ignore"):
        far = _cross(starts[after] - starts[before], ways[after])
        far = far / _cross(ways[before], ways[after])
        quads = starts[before] + far[..., None] * ways[before]
        sides = quads[:, [1, 2, 3, 0]] - quads
        long_sides = np.hypot(sides[..., 0], sides[..., 1])
        turns = _cross(sides[:, [3, 0, 1, 2]], sides)
        good = (long_sides.min(1) >= MIN_SIDE_PX) & (
            long_sides.max(1) <= MAX_RATIO * long_sides.min(1)
        )
        good &= (lengths[chosen][fours] >= 0.35 * long_sides).all(1)
        good &= (turns > 0).all(1) | (turns < 0).all(1)
        good &= (quads > -2).all((1, 2)) & (quads < np.array(size) + 1).all((1, 2))
    yield from quads[good]


@lru_cache(maxsize=EDGES)
def _fours(count: int) -> NDArray[np.int64]:
    return np.array(list(combinations(range(count), 4)))


def _cross(a: Matrix, b: Matrix) -> Matrix:
    return np.asarray(a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0])
