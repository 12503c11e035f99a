"""Finding the board: one question, three ways, one answer or a sentence that names the remedy."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.board import Board
from engine.errors import BoardFileError
from vision.lens import Lens
from vision.reference import Reference
from vision.registration.board_lines import lines_of
from vision.registration.by_corners import snap_to_board
from vision.registration.by_markers import find_by_markers, marker_layout
from vision.registration.by_reference import (
    Found,
    accept,
    find_by_reference,
    track_by_reference,
)
from vision.registration.errors import BoardNotFound, not_found
from vision.registration.pose import (
    check_corners,
    homography_from_corners,
    pose_from_corners,
    pose_of_plane,
)
from vision.types import BoardPose, Image

SNAP_REACH_PX = 28
NEAR_TURN = 0.35  # so much nearer than the second one a turn must be to that before
# Which of some poses, the board turned, is right: by what stands on it.  None: can't be told.
TurnJudge = Callable[[Image, Sequence[BoardPose]], int | None]


def find_board(
    image: Image,
    board: Board,
    *,
    reference: Reference | None = None,
    corners: NDArray[np.float64] | None = None,
    snap: bool = False,
    previous: BoardPose | None = None,
    lens: Lens | None = None,
    turn: TurnJudge | None = None,
) -> BoardPose:
    """Where the board lies in a BGR picture.

    ``corners`` (4, 2), clockwise from the board's top-left, are taken as given; with ``snap`` they
    are refined on the reference's print or else on the board's own lines.  Without corners:
    near ``previous`` (``how`` is then "tracked"), by ``reference``, by the board file's markers,
    by the board file's own reference picture, in this order as far as they exist.  ``lens``: the
    camera's, where it was calibrated.  ``turn`` decides where the print looks the same from several
    sides; else ``previous`` does.

    Raises BoardNotFound when no way gives a pose that passes its gates, BoardwardenError for
    corners that can't be a view of the board.
    """
    size = (image.shape[1], image.shape[0])
    if corners is not None:
        return _by_corners(image, board, reference, check_corners(corners, size), snap, lens)
    layout = marker_layout(board.raw)
    if reference is None and layout is None:
        reference = reference_of(board)
    if reference is None and layout is None:
        raise not_found("board.no_way")
    if reference is None and layout is not None:
        return find_by_markers(image, layout, board.size_mm, lens, lines_of(board))
    assert reference is not None
    try:
        found = _by_reference(image, board, reference, previous, lens)
        return _turned_right(image, found, previous, turn)
    except BoardNotFound:
        if layout is None:
            raise
        return find_by_markers(image, layout, board.size_mm, lens, lines_of(board))


def reference_of(board: Board) -> Reference | None:
    """The reference picture that the board file names (beside it), or None.

    ``reference`` is the picture's path, or ``{"picture": path, "corners_px": [[x, y], ...four]}``.
    """
    entry = board.raw.get("reference")
    if not entry:
        return None
    corners: tuple[tuple[float, ...], ...] | None = None
    name = entry
    if isinstance(entry, Mapping):
        name = entry.get("picture")
        if entry.get("corners_px"):
            corners = tuple(tuple(float(v) for v in point) for point in entry["corners_px"])
    if not isinstance(name, str):
        raise BoardFileError("the board file's reference must name a picture")
    return _load((board.folder or Path()) / name, board.size_mm, corners)


@lru_cache(maxsize=4)
def _load(
    path: Path, size_mm: tuple[float, float], corners: tuple[tuple[float, ...], ...] | None
) -> Reference:
    array = None if corners is None else np.array(corners, np.float64)
    return Reference.load(path, size_mm, array)


def _by_reference(
    image: Image,
    board: Board,
    reference: Reference,
    previous: BoardPose | None,
    lens: Lens | None,
) -> Found:
    found: Found | None = None
    if previous is not None:
        found = track_by_reference(image, reference, board.cell_size_mm, previous, lens)
    if found is None:
        # who has seen the board before knows that the picture is not mirrored
        found = find_by_reference(image, reference, board.cell_size_mm, previous is None, lens)
    return found


def _turned_right(
    image: Image, found: Found, previous: BoardPose | None, turn: TurnJudge | None
) -> BoardPose:
    """The pose of a board whose print may look the same from several sides."""
    poses = (found.pose, *found.turned)
    if len(poses) == 1:
        return found.pose
    chosen = None if turn is None else turn(image, poses)
    if chosen is None and previous is not None:
        chosen = _nearest_turn(poses, previous)
    if chosen is None:
        raise not_found("board.turn")
    return poses[chosen]


def _nearest_turn(poses: Sequence[BoardPose], previous: BoardPose) -> int | None:
    """Which is turned as before; None where a board turned half-way could be either."""

    def shape(pose: BoardPose) -> NDArray[np.float64]:
        centred = pose.corners_px - pose.corners_px.mean(0)
        return np.asarray(centred / np.linalg.norm(centred))

    gaps = [float(np.linalg.norm(shape(p) - shape(previous))) for p in poses]
    best, second = np.argsort(gaps)[:2]
    return int(best) if gaps[best] <= NEAR_TURN * gaps[second] else None


def _snapped_to_print(
    image: Image,
    board: Board,
    reference: Reference,
    corners: NDArray[np.float64],
    lens: Lens | None,
) -> BoardPose:
    """Given corners refined on the reference's print.  A print that is not there, or lies the other way
    round, is never a matter of small corrections."""
    roughly, _ = snap_to_board(image, corners, board)
    for start in (corners, roughly):
        plane = homography_from_corners(start, board.size_mm)
        cell = board.cell_size_mm
        found = accept(image, plane, reference, cell, "corners", SNAP_REACH_PX, lens)
        if found is not None:
            return found.pose
    raise not_found("board.other_corners")


def _by_corners(
    image: Image,
    board: Board,
    reference: Reference | None,
    corners: NDArray[np.float64],
    snap: bool,
    lens: Lens | None,
) -> BoardPose:
    size = (image.shape[1], image.shape[0])
    if snap and reference is not None:
        return _snapped_to_print(image, board, reference, corners, lens)
    if lens is not None:
        image = lens.straighten_picture(image)
        corners = check_corners(lens.straighten(corners), size)
    residual: float | None = None
    if snap:
        corners, residual = snap_to_board(image, corners, board)
    if lens is None:
        return pose_from_corners(corners, board.size_mm, size, "corners", residual)
    plane = homography_from_corners(corners, board.size_mm)
    return pose_of_plane(plane, board.size_mm, size, "corners", residual, lens, lens.matrix)
