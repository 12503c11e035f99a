"""The board by its printed corner markers.

The board file's ``markers``: ``{"dictionary": "DICT_5X5_50", "side_mm": 20, "corners": {"0":
[[x, y], ...four, clockwise from the marker's own top-left, board mm]}}``; instead of four corners a
single [x, y] is the marker's centre, its sides along the board's.  ``positions`` is read like
``corners``.  Dictionaries: OpenCV's names; 5x5 and AprilTag 36h11 gave no false finds on hundreds
of pictures without markers, 4x4 ones did.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.errors import BoardFileError
from vision.lens import Lens
from vision.registration.errors import BoardNotFound
from vision.registration.marker_search import DEFAULT_DICTIONARY, dictionary_named, find_markers
from vision.registration.planar import apply, least_squares, spread_px
from vision.registration.pose import face_corners, homography_from_corners, pose_of_plane
from vision.registration.print_fit import as_grey
from vision.registration.rigid import fit_rigid
from vision.types import BoardPose, Image

Matrix = NDArray[np.float64]
Refine = Callable[..., tuple[Matrix, float] | None]

MAX_RESIDUAL_PX = 0.8
MAX_RESIDUAL_MODULES = 0.1
DOUBT_PX = 0.35  # above it, would leaving one marker out make much better sense?
MAX_SPREAD = 0.02  # of the shortest side of the face in the picture
SURE_SPREAD = 0.5  # of that: below it the markers need no help
NOISE_PX, FEW_NOISE_PX = 0.2, 0.5
ENOUGH = 3  # markers found at the first look
MAX_MARKERS = 8
AGREE_PX, AGREE_MODULES = 3.0, 1.0  # so well must what the lines say agree with the markers


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
    refine: Refine | None = None,
) -> BoardPose:
    """Finds the board by two or more of its markers; raises BoardNotFound with the remedy.

    ``refine``: where the markers alone say too little, it is asked for better corners of the face
    (straight picture, likely corners (N, 4, 2) px, to corners and their residual, or None); they count only
    where they agree with the markers.
    """
    grey = as_grey(image)
    seen = detect_markers(image, layout)
    if len(seen) < min(ENOUGH, len(layout.corners_mm)):
        # hidden in part, curled or in bad light
        seen = detect_markers(image, layout, thorough=True)
    if len(seen) < 2:
        if len(detect_markers(np.ascontiguousarray(grey[:, ::-1]), layout)) >= 2:
            raise BoardNotFound(
                "the picture is mirrored: switch off the mirror image of the camera"
            )
        one = f"only marker {next(iter(seen))}" if seen else "no marker"
        raise BoardNotFound(
            f"{one} of the board is in view and two are needed: uncover the printed corner markers"
        )
    if lens is not None:
        seen = {i: lens.straighten(quad) for i, quad in seen.items()}
    best = _best_subset(seen, layout)
    if best is None:
        raise BoardNotFound(
            "the corner markers do not agree with the board file: check that they lie flat and"
            " where the file says"
        )
    better: Refine | None = None
    if refine is not None:
        straight = image if lens is None else lens.straighten_picture(image)
        better = partial(refine, straight)
    homography, residual = _extrapolate(best, (grey.shape[1], grey.shape[0]), size_mm, better)
    return pose_of_plane(
        homography, size_mm, (grey.shape[1], grey.shape[0]), "markers", residual, lens,
        None if lens is None else lens.matrix,
    )  # fmt: skip


def _extrapolate(
    best: _Agreement,
    image_size: tuple[int, int],
    size_mm: tuple[float, float],
    better: Refine | None = None,
) -> tuple[Matrix, float]:
    """Homography and residual, by a likely camera where the markers alone say too little."""
    corners = face_corners(size_mm)
    seen = apply(best.homography, corners)
    limit = MAX_SPREAD * float(np.linalg.norm(np.roll(seen, -1, axis=0) - seen, axis=1).min())
    noise = max(best.residual_px, NOISE_PX)
    few = len(best.source) < 4 * ENOUGH
    spread = spread_px(best.homography, best.source, noise, corners)
    if not few and spread <= SURE_SPREAD * limit:
        return best.homography, best.residual_px
    if few:
        # few points fit too well: their own residual says little
        noise = max(noise, FEW_NOISE_PX)
    rigid = fit_rigid(best.source, best.target, image_size, corners, noise)
    if few and rigid is not None and better is not None:
        starts = [rigid.homography, *rigid.draws]
        refined = better(np.array([apply(h, corners) for h in starts]))
        if refined is not None:
            homography = homography_from_corners(refined[0], size_mm)
            off = np.linalg.norm(apply(homography, best.source) - best.target, axis=1)
            if float(np.sqrt(np.mean(off**2))) <= max(AGREE_PX, AGREE_MODULES * best.module_px):
                return homography, max(refined[1], best.residual_px)
    if rigid is None or rigid.spread_px > limit or rigid.residual_px > 1.3 * noise + 0.15:
        raise BoardNotFound(
            "the corner markers in view are too near to each other or too small: uncover a marker"
            " on the other side of the board"
        )
    # the evidence is good only where the markers are: the figure must not hide that
    return rigid.homography, max(rigid.residual_px, rigid.spread_px)


def detect_markers(image: Image, layout: MarkerLayout, thorough: bool = False) -> dict[int, Matrix]:
    """The layout's markers in a picture: id to (4, 2) corners in image px, refined.

    An id that is seen twice is left out: one of the two is another thing.
    """
    grey = as_grey(image)
    found: dict[int, list[Matrix]] = {}
    for marker in find_markers(image, layout.dictionary, thorough):
        found.setdefault(marker.id, []).append(marker.corners_px)
    return {
        i: _refine(grey, quads[0])
        for i, quads in found.items()
        if i in layout.corners_mm and len(quads) == 1
    }


def _refine(grey: Image, quad: Matrix) -> Matrix:
    """Sub-pixel corners: where the lines along the outer edges of the black border cross.

    A corner window would take in the next thing beyond a narrow white margin.
    """
    module = _module_px(quad)
    smooth = cv2.GaussianBlur(grey, (0, 0), 0.8).astype(np.float32)
    reach = float(np.clip(0.55 * module, 1.5, 5.0))
    for _ in range(2):
        lines = [_edge_line(smooth, quad[i], quad[(i + 1) % 4], reach) for i in range(4)]
        if any(line is None for line in lines):
            return quad
        refined = np.array([_cross(lines[i - 1], lines[i]) for i in range(4)])
        if not (np.linalg.norm(refined - quad, axis=1) < max(2.0, 0.8 * module)).all():
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


def _module_px(quad: Matrix) -> float:
    """Side of one square of the marker's code (seven or eight to a side)."""
    return float(np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1).min()) / 7.5


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
        return min(_module_px(q) for q in self.target.reshape(-1, 4, 2))


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
    module = min(_module_px(seen[i]) for i in ids)
    if residual > max(MAX_RESIDUAL_PX, MAX_RESIDUAL_MODULES * module):
        return None
    return _Agreement(fitted, residual, source, target)
