"""Where a tile that is known by its look lies now: its corners as read tremble, its pixels do not."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.tiles.backdrop import Mask
from vision.types import FloatArray, Image

Matrix = NDArray[np.float64]
SIDE = 64  # px of a tile while it is compared
REACH = 5  # px of SIDE by which it may lie beside where it is thought to be
STEP = 2  # px: every other pixel of each row and column tells enough
RIM = 3  # px along its edge that belong to the neighbours as well
MOST_GAP = 36.0  # grey levels: a figure on it is no worse than that
BLOCK = 8  # px compared together
SAME = 10.0  # grey levels by which a block may differ
ALIKE = 0.5  # share of its known blocks that must be as before: figures and shadows hide the rest
UNTOUCHED_PX = 1.5  # nearer to where it lay than this it need not be looked for elsewhere
LEAST_KNOWN = 0.3  # of its blocks
_SQUARE = np.array([(0, 0), (SIDE, 0), (SIDE, SIDE), (0, SIDE)], np.float64) - 0.5


def lies_at(image: Image, kept: Image, known: Mask, old: Matrix, new: Matrix) -> Matrix | None:
    """(4, 2) px: the corners of a tile in ``image`` whose look in ``kept`` is known where ``known``
    (H, W) is 255; None where it does not look as it did.

    ``old``: its corners in ``kept``; ``new``: as they were read now.  It may lie near either.
    """
    look = _cut(kept, old, 0).astype(np.float32)
    told = _cut(known, old, 0) > 200
    told[:RIM], told[-RIM:], told[:, :RIM], told[:, -RIM:] = False, False, False, False
    best: tuple[float, Matrix] | None = None
    for start in (old, new):
        quad = _registered(image, look, told, start)
        alike = _alike(_cut(image, quad, 0).astype(np.float32), look, told)
        if best is None or alike > best[0]:
            best = (alike, quad)
        if alike > ALIKE and start is old and np.abs(quad - old).max() < UNTOUCHED_PX:
            break
    assert best is not None
    return best[1] if best[0] > ALIKE else None


def _cut(picture: Image, quad: Matrix, rim: int) -> Image:
    """(SIDE + 2 rim, the same, …) of what lies between four corners."""
    corners = (_SQUARE + rim).astype(np.float32)
    warp = cv2.getPerspectiveTransform(corners, quad.astype(np.float32))
    size = (SIDE + 2 * rim,) * 2
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpPerspective(picture, warp, size, flags=flags), np.uint8)


def _registered(image: Image, look: FloatArray, told: NDArray[np.bool_], start: Matrix) -> Matrix:
    """The corners near ``start`` between which the picture shows the look best."""
    around = _cut(image, start, REACH).astype(np.float32)
    here = around[REACH:-REACH, REACH:-REACH]
    look, told = (look * _gain(here, look, told))[::STEP, ::STEP], told[::STEP, ::STEP]
    weight = np.repeat(told[..., None], 3, 2).astype(np.float32)
    shifts = range(2 * REACH + 1)

    def off(x: int, y: int) -> float:
        gap = np.abs(around[y : y + SIDE : STEP, x : x + SIDE : STEP] - look)
        return float(np.vdot(np.minimum(gap, MOST_GAP, out=gap), weight))

    cost = np.array([[off(x, y) for x in shifts] for y in shifts])
    y, x = (int(v) for v in np.unravel_index(int(np.argmin(cost)), cost.shape))
    move = np.array([x + _vertex(cost[y], x), y + _vertex(cost[:, x], y)]) - REACH
    back = cv2.getPerspectiveTransform(_SQUARE.astype(np.float32), start.astype(np.float32))
    return np.asarray(cv2.perspectiveTransform((_SQUARE + move)[None], back)[0], np.float64)


def _vertex(cost: FloatArray, at: int) -> float:
    """By how much the least cost lies beside the least of its samples, in steps."""
    if not 0 < at < len(cost) - 1:
        return 0.0
    low, here, high = (float(v) for v in cost[at - 1 : at + 2])
    bend = low - 2 * here + high
    return float(np.clip((low - high) / (2 * bend), -0.5, 0.5)) if bend > 0 else 0.0


def _gain(now: FloatArray, look: FloatArray, told: NDArray[np.bool_]) -> float:
    """By how much the light is brighter than it was."""
    if not told.any():
        return 1.0
    ratio = (now.mean(2)[told] + 8) / (look.mean(2)[told] + 8)
    return float(np.clip(np.median(ratio), 0.6, 1.7))


def _alike(now: FloatArray, look: FloatArray, told: NDArray[np.bool_]) -> float:
    """Share of the known blocks that show the same; 0 where too few are known."""
    gap = np.abs(now - look * _gain(now, look, told)).max(2) * told
    side = SIDE // BLOCK
    known = told.reshape(side, BLOCK, side, BLOCK).mean((1, 3))
    mean = gap.reshape(side, BLOCK, side, BLOCK).mean((1, 3)) / np.maximum(known, 0.01)
    sure = known > 0.5
    if sure.mean() < LEAST_KNOWN:
        return 0.0
    return float((mean[sure] < SAME).mean())
