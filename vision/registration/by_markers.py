"""The board by its printed corner markers.

The board file's ``markers``: ``{"dictionary": "DICT_5X5_50", "side_mm": 20, "corners": {"0":
[[x, y], ...four, clockwise from the marker's own top-left, board mm]}}``; instead of four corners a
single [x, y] is the marker's centre, its sides along the board's.  ``positions`` is read like
``corners``.  Dictionaries: OpenCV's names; 5x5 and AprilTag 36h11 gave no false finds on hundreds
of pictures without markers, 4x4 ones did.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.errors import BoardFileError, BoardwardenError
from vision.lens import Lens
from vision.registration.board_lines import PrintedLines, sample_lines
from vision.registration.camera_model import CameraModel, fit_camera
from vision.registration.errors import not_found
from vision.registration.line_check import lines_lie_elsewhere
from vision.registration.line_search import Evidence, search_lines
from vision.registration.marker_corners import look_for, module_px, refine_corners
from vision.registration.marker_search import (
    DEFAULT_DICTIONARY,
    Marker,
    dictionary_named,
    find_markers,
    looks,
)
from vision.registration.planar import apply, least_squares, spread_px
from vision.registration.pose import face_corners, pose_of_plane
from vision.registration.print_fit import as_grey
from vision.types import BoardPose, Image

Matrix = NDArray[np.float64]

MAX_RESIDUAL_PX = 0.8
MAX_RESIDUAL_MODULES = 0.1
MAX_PAIR_RESIDUAL_PX = 1.5  # a bent lens shows most between two far markers
DOUBT_PX = 0.35  # above it, would leaving one marker out make much better sense?
MAX_SPREAD = 0.02  # of the shortest side of the face in the picture
SURE_SPREAD = 0.5  # of that: below it the markers need no help
NOISE_PX, FEW_NOISE_PX, LINES_NOISE_PX = 0.2, 0.5, 0.4
ENOUGH = 3  # markers found at the first look
MAX_MARKERS = 8
LINE_SAMPLES = 600
AGREE_PX, AGREE_MODULES = 1.5, 0.6  # so well must what the lines say agree with the markers


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
    dictionary_named(name)
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


def find_by_markers(
    image: Image,
    layout: MarkerLayout,
    size_mm: tuple[float, float],
    lens: Lens | None = None,
    lines: PrintedLines | None = None,
) -> BoardPose:
    """Finds the board by two or more of its markers; raises BoardNotFound with the remedy.

    ``lines``: those of the print, which decide where two markers alone say too little.
    """
    view = _View(image, as_grey(image), lens, layout, size_mm, lines)
    seen: dict[int, Matrix] = {}
    tried: set[int] = set()
    for found in looks(image, layout.dictionary):
        seen = view.usable(found)
        if len(seen) >= min(ENOUGH, len(layout.corners_mm)):
            break
        # hidden in part, curled or in bad light: each further look costs as much as the lines
        if len(seen) == 2 and set(seen) != tried:
            tried = set(seen)
            if (pose := view.by_lines(_best_subset(seen, layout))) is not None:
                return pose
    if len(seen) < 2:
        if len(detect_markers(np.ascontiguousarray(view.grey[:, ::-1]), layout)) >= 2:
            raise not_found("board.mirrored")
        raise not_found("board.one_marker", n=min(seen)) if seen else not_found("board.no_marker")
    best = _best_subset(seen, layout)
    if best is None:
        raise not_found("board.disagree")
    outvoted = len(best.source) < 4 * len(seen)
    return view.pose(view.completed(best, seen), outvoted)


@dataclass(frozen=True, eq=False)
class _View:
    """A picture and what is known of camera and board; all px are straight ones of ``lens``."""

    image: Image
    grey: Image
    lens: Lens | None
    layout: MarkerLayout
    size_mm: tuple[float, float]
    lines: PrintedLines | None

    @property
    def size(self) -> tuple[int, int]:
        return self.grey.shape[1], self.grey.shape[0]

    @property
    def corners_mm(self) -> Matrix:
        return face_corners(self.size_mm)

    def usable(self, found: list[Marker]) -> dict[int, Matrix]:
        seen = _refined(self.grey, found, self.layout)
        return seen if self.lens is None else {i: self.lens.straighten(q) for i, q in seen.items()}

    def completed(self, best: _Agreement, seen: Mapping[int, Matrix]) -> _Agreement:
        """With the markers that lie where three others say, but were not found by themselves."""
        if len(best.source) < 4 * ENOUGH:
            return best
        straight = self.grey if self.lens is None else self.lens.straighten_picture(self.grey)
        book = dictionary_named(self.layout.dictionary)
        places = {
            i: apply(best.homography, corners)
            for i, corners in self.layout.corners_mm.items()
            if i not in seen
        }
        more = {
            i: quad
            for i, place in places.items()
            if (quad := look_for(straight, Marker(i, place), book)) is not None
        }
        return (_best_subset({**seen, **more}, self.layout) if more else None) or best

    def pose(self, best: _Agreement, outvoted: bool = False) -> BoardPose:
        """By the markers alone where they say enough and the print is where they say, else with the
        lines, else by a likely camera; ``outvoted``: other markers say otherwise.  Raises
        BoardNotFound."""
        seen = apply(best.homography, self.corners_mm)
        limit = MAX_SPREAD * _shortest(seen)
        noise = max(best.residual_px, NOISE_PX)
        few = len(best.source) < 4 * ENOUGH
        spread = spread_px(best.homography, best.source, noise, self.corners_mm)
        if not few and spread <= SURE_SPREAD * limit:
            return self._checked(self._plane(best.homography, None, best.residual_px))
        if few and (found := self.by_lines(best)) is not None:
            return found
        if few and outvoted:  # two of several agree by chance sooner than by being right
            raise not_found("board.disagree")
        if few:
            # few points fit too well: their own residual says little
            noise = max(min(noise, MAX_RESIDUAL_PX), FEW_NOISE_PX)
        fit = fit_camera(best.source, best.target, self._camera, noise)
        spread = math.inf if fit is None else fit.spread_px(self.corners_mm)
        if fit is None or spread > limit or fit.residual_px > 1.3 * noise + 0.15:
            raise not_found("board.too_near")
        # the evidence is good only where the markers are: the figure must not hide that
        return self._checked(self._plane(*fit.plane(self.size_mm), max(fit.residual_px, spread)))

    def _checked(self, pose: BoardPose) -> BoardPose:
        """The pose; raises BoardNotFound when the lines of the print plainly lie beside it."""
        if self.lines is None:
            return pose
        straight = self.grey if pose.lens is None else pose.lens.straighten_picture(self.grey)
        if lines_lie_elsewhere(straight, pose.homography, self.size_mm, self.lines):
            raise not_found("board.lines_elsewhere")
        return pose

    def by_lines(self, best: _Agreement | None) -> BoardPose | None:
        """By few markers and the lines of the print; None where these don't show clearly."""
        if best is None or self.lines is None or not len(self.lines.segments_mm):
            return None
        start = fit_camera(best.source, best.target, self._camera, LINES_NOISE_PX)
        if start is None:
            return None
        straight = self.grey if self.lens is None else self.lens.straighten_picture(self.grey)
        kinds = ("dark", "light") if self.lines.thin else ("edge", "dark", "light")
        samples = sample_lines(self.lines, self.size_mm, LINE_SAMPLES)
        evidence = Evidence(straight, best.source, best.target, samples, kinds, self.corners_mm)
        try:
            found = search_lines(evidence, start)
            if found is None or not found.sure:
                return None
            seen = start.model.project(found.fit.numbers[None], self.corners_mm)[0]
            if found.fit.residual_px > max(
                AGREE_PX, AGREE_MODULES * best.module_px
            ) or found.fit.spread_px(self.corners_mm) > MAX_SPREAD * _shortest(seen):
                return None
            residual = max(found.residual_px, found.fit.residual_px)
            return self._plane(*found.fit.plane(self.size_mm), residual)
        except (BoardwardenError, np.linalg.LinAlgError):
            return None

    @property
    def _camera(self) -> CameraModel:
        return CameraModel(self.size, np.array(self.size_mm) / 2, self.lens)

    def _plane(self, homography: Matrix, lens: Lens | None, residual: float) -> BoardPose:
        known = None if self.lens is None else self.lens.matrix
        return pose_of_plane(
            homography, self.size_mm, self.size, "markers", residual, self.lens or lens, known
        )


def _shortest(quad: Matrix) -> float:
    return float(np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1).min())


def detect_markers(image: Image, layout: MarkerLayout, thorough: bool = False) -> dict[int, Matrix]:
    """The layout's markers in a picture: id to (4, 2) corners in image px, refined.

    An id that is seen twice is left out: one of the two is another thing.
    """
    return _refined(as_grey(image), find_markers(image, layout.dictionary, thorough), layout)


def _refined(grey: Image, markers: list[Marker], layout: MarkerLayout) -> dict[int, Matrix]:
    book = dictionary_named(layout.dictionary)
    count = Counter(m.id for m in markers)
    return {
        m.id: refine_corners(grey, m, book)
        for m in markers
        if m.id in layout.corners_mm and count[m.id] == 1
    }


@dataclass(frozen=True, eq=False)
class _Agreement:
    """Markers that agree: homography, residual, their corners on the board and in the picture."""

    homography: Matrix
    residual_px: float
    source: Matrix
    target: Matrix

    @property
    def module_px(self) -> float:
        """Side of one square of the smallest marker."""
        return min(module_px(q) for q in self.target.reshape(-1, 4, 2))


def _best_subset(seen: Mapping[int, Matrix], layout: MarkerLayout) -> _Agreement | None:
    """The most markers that agree; None when none do, or when it can't be told which."""
    ids = sorted(seen, key=lambda i: -cv2.contourArea(seen[i].astype(np.float32)))[:MAX_MARKERS]
    best: _Agreement | None = None
    for count in range(len(ids), 1, -1):
        if best is not None and (count < 3 or best.residual_px <= DOUBT_PX):
            return best
        options = [
            found for subset in combinations(ids, count)
            if (found := _agreement(subset, seen, layout)) is not None
        ]  # fmt: skip
        # two that contradict a third can't be told from two that agree by chance
        if count == 2 and len(ids) > 2 and len(options) != 1:
            return best
        better = min(options, key=lambda o: o.residual_px, default=None)
        # four markers fit almost any four places: only their own shapes give a wrong one away
        if better is not None and (best is None or better.residual_px < 0.4 * best.residual_px):
            best = better
    return best


def _agreement(
    ids: tuple[int, ...], seen: Mapping[int, Matrix], layout: MarkerLayout
) -> _Agreement | None:
    source = np.concatenate([layout.corners_mm[i] for i in ids])
    target = np.concatenate([seen[i] for i in ids])
    start, _ = cv2.findHomography(source, target, 0)
    if start is None:
        return None
    fitted = least_squares(source, target, np.ones(len(source)), start)
    error = np.linalg.norm(apply(fitted, source) - target, axis=1)
    residual = float(np.sqrt(np.mean(error**2)))
    module = min(module_px(seen[i]) for i in ids)
    most = MAX_PAIR_RESIDUAL_PX if len(ids) == 2 else MAX_RESIDUAL_PX
    if residual > max(most, MAX_RESIDUAL_MODULES * module):
        return None
    return _Agreement(fitted, residual, source, target)
