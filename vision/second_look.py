"""A second look where the first one leaves doubt, instead of at the whole picture.

All windows have one size: a runner may plan its memory anew for every size.
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.types import SHAPES, FloatArray

STRIDE = 4
STEP = 16  # the network's coarsest stride
WINDOW = 96  # px, a multiple of it
ROOM = 36  # px about a doubtful point: the thing, and what the network sees about it
RIM = 16  # px of a window at whose edge things are cut: there the first look stands alone
WORTH = 0.6  # share of the picture from which the whole is looked at again
# A peak is weighed again from a heat on, unless it is sure to be there and to be lying or not.
FAINT, SURE, CLEAR_ODDS = 0.08, 0.8, 2.5
HAND, HAND_EVERY = 0.3, 8  # of the mask of hands; cells between those that are looked at
_CLASSES = len(SHAPES)
_UPRIGHT = [SHAPES.index(s) for s in ("meeple", "pawn")]
_LYING = SHAPES.index("meeple_lying")
_HAND = _CLASSES + 6
_KERNEL = np.ones((3, 3), np.uint8)


def looked_again(
    inputs: FloatArray, output: FloatArray, look: Callable[[FloatArray], FloatArray]
) -> FloatArray:
    """The first look's ``output`` (18 + D, H/4, W/4), averaged with a second one about all doubtful things.

    ``inputs`` (1, 7, H, W); ``look``: the second look at a part of them, in the same directions.
    """
    height, width = inputs.shape[2:]
    corners = windows(doubtful(output), (width, height))
    if min(height, width) < WINDOW or len(corners) * WINDOW**2 > WORTH * height * width:
        return np.asarray((output + look(inputs)) / 2, np.float32)
    out = output.copy()
    for x, y in corners:
        again = look(np.ascontiguousarray(inputs[:, :, y : y + WINDOW, x : x + WINDOW]))
        rows, columns = _inner(y, height), _inner(x, width)
        inner = again[:, rows.start - y // STRIDE : rows.stop - y // STRIDE]
        inner = inner[:, :, columns.start - x // STRIDE : columns.stop - x // STRIDE]
        out[:, rows, columns] = (output[:, rows, columns] + inner) / 2
    return out


def doubtful(output: FloatArray) -> NDArray[np.intp]:
    """(N, 2) px of the picture: peaks that may be something else, or nothing, and hands."""
    heat = output[:_CLASSES]
    around = greatest_around(heat)
    best = around.max(0)
    odds = np.log(np.maximum(around[_LYING], 1e-3) / np.maximum(around[_UPRIGHT].max(0), 1e-3))
    peak = (heat.max(0) >= best) & (best > FAINT)
    unsure = peak & ((best < SURE) | (np.abs(odds) < CLEAR_ODDS))
    here_and_there = np.s_[::HAND_EVERY, ::HAND_EVERY]
    unsure[here_and_there] |= output[_HAND][here_and_there] > HAND
    rows, columns = np.nonzero(unsure)
    return np.column_stack([columns, rows]) * STRIDE


def greatest_around(heat: FloatArray) -> FloatArray:
    """(C, h, w) the greatest heat of every cell and its eight neighbours."""
    return np.stack([cv2.dilate(np.ascontiguousarray(plane), _KERNEL) for plane in heat])


def windows(points: NDArray[np.intp], size: tuple[int, int]) -> list[tuple[int, int]]:
    """Upper left corners of windows in a picture of this (width, height) that together give every
    point its room."""
    corners: list[tuple[int, int]] = []
    left = points
    most, slack = np.array(size) - WINDOW, WINDOW - 2 * ROOM - STEP
    while len(left):
        first, left = left[0], left[1:]
        # As far to the upper left as the first one's room allows, if others lie there.
        near = left[(np.abs(left - first) <= slack).all(1)]
        low = np.minimum(first, near.min(0)) if len(near) else first
        corner = np.clip((low - ROOM) // STEP * STEP, 0, most)
        corners.append((int(corner[0]), int(corner[1])))
        before, after = left - corner, corner + WINDOW - left
        inside = (before >= ROOM) | ((corner == 0) & (before >= 0))
        inside &= (after >= ROOM) | ((corner == most) & (after > 0))
        left = left[~inside.all(1)]
    return corners


def _inner(start: int, whole: int) -> slice:
    """The cells of a window along one side that are far from its edges, except those of the picture."""
    low = start if start == 0 else start + RIM
    high = start + WINDOW if start + WINDOW >= whole else start + WINDOW - RIM
    return slice(low // STRIDE, high // STRIDE)
