"""Change as the second witness: what differs from the last accepted view, and is it a hand?

Views are compared on a grid in board millimetres with a margin around the face, each rectified
through its own pose, so that a bump in between does not matter.  Exposure is matched by a robust
gain and offset per channel and a smooth remainder; misalignment of a grid step is tolerated by
comparing with the range of values in the neighbourhood.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.board import Board
from engine.geometry import Point
from vision.reference import Reference
from vision.registration.print_check import local_correlation
from vision.types import BoardPose, FloatArray, Image

Matrix = NDArray[np.float64]
Mask = NDArray[np.bool_]

STEP_MM = 1.75
MAX_CELLS = 640
MARGIN = 0.16  # of the face's longer side
FULL_CHANGE = 36.0  # grey levels that count as whole change
CHANGED = 14.0  # grey levels
LOCAL_LIGHT_MM = 70.0
SPOT_CHANGED = 0.3
PIECE_MM2 = (60.0, 250.0)
TEXTURE_MM = 14.0


@dataclass(frozen=True, eq=False)
class Grid:
    """Board mm on a grid: pixel (0, 0) lies ``margin_mm`` left of and above the face."""

    step_mm: float
    margin_mm: float
    size: tuple[int, int]
    face: Mask
    spots: Mapping[str, tuple[NDArray[np.int64], NDArray[np.int64]]]

    @property
    def to_mm(self) -> Matrix:
        """(3, 3) grid px to board mm."""
        offset = self.step_mm / 2 - self.margin_mm
        return np.array([[self.step_mm, 0, offset], [0, self.step_mm, offset], [0, 0, 1]])

    def to_px(self, points_mm: Matrix) -> Matrix:
        """(N, 2) board mm to grid px."""
        points = np.asarray(points_mm, np.float64)
        return np.asarray((points + self.margin_mm) / self.step_mm - 0.5)


def grid_of(board: Board) -> Grid:
    """The comparison grid of a board; make it once."""
    return grid_from(board.size_mm, board.spots)


def grid_from(size_mm: tuple[float, float], polygons: Mapping[str, Sequence[Point]]) -> Grid:
    """The comparison grid of a face with these spots, polygons in its millimetres."""
    width, height = size_mm
    margin = MARGIN * max(width, height)
    step = max(STEP_MM, (max(width, height) + 2 * margin) / MAX_CELLS)
    size = (round((width + 2 * margin) / step), round((height + 2 * margin) / step))
    empty = Grid(step, margin, size, np.zeros((size[1], size[0]), bool), {})
    face = np.zeros((size[1], size[0]), np.uint8)
    corners = empty.to_px(np.array([[0, 0], [width, 0], [width, height], [0, height]], float))
    cv2.fillConvexPoly(face, np.rint(corners).astype(np.int32), 1)
    spots = {}
    for spot, polygon in polygons.items():
        mask = np.zeros_like(face)
        cv2.fillPoly(mask, [np.rint(empty.to_px(np.array(polygon))).astype(np.int32)], 1)
        spots[spot] = np.nonzero(mask)
    return Grid(step, margin, size, face.astype(bool), spots)


@dataclass(frozen=True, eq=False)
class View:
    """A picture on the grid: ``pixels`` (h, w, 3) uint8 BGR; ``seen`` (h, w): in the picture."""

    pixels: Image
    seen: Mask


def view_of(image: Image, pose: BoardPose, grid: Grid) -> View:
    """Rectifies a picture; what stands up is drawn away from the camera, as it must be."""
    warp = pose.homography @ grid.to_mm
    scale = _px_per_step(pose, grid)
    if scale > 1.6:
        # else thin lines would come and go with the sampling
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), 0.4 * scale), np.uint8)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    pixels = cv2.warpPerspective(image, warp, grid.size, flags=flags)
    seen = _in_picture(warp, (image.shape[1], image.shape[0]), grid.size)
    return View(np.asarray(pixels, np.uint8), seen)


def _px_per_step(pose: BoardPose, grid: Grid) -> float:
    sides = np.linalg.norm(np.roll(pose.corners_px, -1, axis=0) - pose.corners_px, axis=1)
    around = 2 * (sum(grid.size) * grid.step_mm - 4 * grid.margin_mm)
    return float(sides.sum() / around * grid.step_mm)


def _in_picture(warp: Matrix, image_size: tuple[int, int], size: tuple[int, int]) -> Mask:
    """Grid pixels that lie in the picture and not behind the horizon, (h, w)."""
    right, bottom = image_size[0] - 1, image_size[1] - 1
    frame = np.array([[0, 0, 1], [right, 0, 1], [right, bottom, 1], [0, bottom, 1]], np.float64)
    inverse = np.linalg.inv(warp)
    back = frame @ inverse.T
    centre = warp @ np.array([size[0] / 2, size[1] / 2, 1.0])
    depth = back[:, 2] * np.sign(inverse[2] @ centre)
    if (depth > 1e-9 * np.abs(back).max()).all():
        mask = np.zeros((size[1], size[0]), np.uint8)
        corners = np.clip(back[:, :2] / back[:, 2:3], -16000, 16000)
        cv2.fillConvexPoly(mask, np.rint(corners * 16).astype(np.int32), 1, shift=4)
        # the outermost pixel is interpolated with nothing
        return np.asarray(cv2.erode(mask, np.ones((3, 3), np.uint8), borderValue=1) > 0)
    # a picture corner shows more than the horizon: ask every grid pixel
    x, y = np.meshgrid(np.arange(size[0]), np.arange(size[1]))
    q = np.stack([x, y, np.ones_like(x)], -1) @ warp.T
    ahead = q[..., 2] * np.sign(centre[2]) > 0
    u, v = (q[..., i] / np.where(ahead, q[..., 2], 1.0) for i in (0, 1))
    return np.asarray(ahead & (u >= 0) & (v >= 0) & (u <= right) & (v <= bottom))


@dataclass(frozen=True, eq=False)
class HandBlob:
    """Change that runs over the rim.  ``mask`` on the grid; areas in mm²; ``reaches_out``: it goes
    on to the edge of the picture or of the margin, as an arm does."""

    mask: Mask
    inside_mm2: float
    outside_mm2: float
    rim_mm: float
    reaches_out: bool


@dataclass(frozen=True, eq=False)
class ChangeMap:
    """``levels`` (h, w): difference in grey levels, exposure matched; ``seen``: pixels that both
    views show."""

    grid: Grid
    levels: FloatArray
    seen: Mask
    hands: tuple[HandBlob, ...] = field(default=())

    @cached_property
    def spots(self) -> Mapping[str, float]:
        """Strength of the change on each spot, 0 to 1: the mean of its most changed part, about
        as large as a small piece, so that it does not depend on the size of the spot."""
        strength = np.minimum(self.levels / FULL_CHANGE, 1.0)
        result = {}
        for spot, place in self.grid.spots.items():
            values = strength[place][self.seen[place]]
            least, most = (round(a / self.grid.step_mm**2) for a in PIECE_MM2)
            count = min(len(values), max(least, min(most, len(place[0]) // 3)))
            top = np.partition(values, len(values) - count)[len(values) - count :]
            result[spot] = float(top.mean()) if count else 0.0
        return result

    @property
    def hand(self) -> bool:
        """Whether some change looks like a hand."""
        return bool(self.hands)

    @cached_property
    def under_hand(self) -> frozenset[str]:
        """Spots of which a hand covers a part."""
        covered = np.zeros_like(self.seen)
        for blob in self.hands:
            covered |= blob.mask
        covered = cv2.dilate(covered.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
        return frozenset(s for s, place in self.grid.spots.items() if covered[place].mean() > 0.1)

    def changed(self, threshold: float = SPOT_CHANGED) -> frozenset[str]:
        """Spots that changed and are not under a hand."""
        return frozenset(s for s, v in self.spots.items() if v > threshold) - self.under_hand


def print_view(reference: Reference, grid: Grid) -> View:
    """The empty board on the grid; ``seen`` is the face."""
    sx, sy = reference.px_per_mm
    to_picture = np.array([[sx, 0, -0.5], [0, sy, -0.5], [0, 0, 1]]) @ grid.to_mm
    image = reference.image
    if sx * grid.step_mm > 1.6:
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), 0.4 * sx * grid.step_mm), np.uint8)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    seen = grid.face
    if reference.valid is not None:
        seen = seen & (
            cv2.warpPerspective(reference.valid, to_picture, grid.size, flags=flags) > 250
        )
    pixels = cv2.warpPerspective(image, to_picture, grid.size, flags=flags)
    return View(np.asarray(pixels, np.uint8), seen)


def compare(current: View, accepted: View, grid: Grid, empty: View | None = None) -> ChangeMap:
    """What differs between two views of the same board.

    With the ``empty`` board's print a hand that was in the accepted view, and has left since, is
    told from one that has come.
    """
    seen = current.seen & accepted.seen
    if seen.sum() < 100:
        return ChangeMap(grid, np.zeros(seen.shape, np.float32), seen)
    matched = _match_exposure(current.pixels, accepted.pixels, seen)
    difference = _beyond_range(current.pixels, matched)
    light = _smooth_light(current.pixels, matched, seen, grid.step_mm)
    relit = np.clip(current.pixels - light, 0, 255).astype(np.uint8)
    # the smooth remainder may only explain change away, never make any
    levels = _strongest(cv2.min(difference, _beyond_range(relit, matched)))
    levels = np.where(seen, levels, 0).astype(np.float32)
    levels *= 1 - _only_relit(current.pixels, matched, seen, grid.step_mm)
    hands = find_hands(levels, seen, grid)
    if empty is not None:
        hands = [h for h in hands if not _uncovers(h, current, accepted, empty)]
    return ChangeMap(grid, levels, seen, tuple(hands))


def _only_relit(current: Image, matched: Image, seen: Mask, step_mm: float) -> FloatArray:
    """0 to 1: where the texture is the same, a shadow or a lamp has changed the light only."""
    grey = [cv2.cvtColor(i, cv2.COLOR_BGR2GRAY).astype(np.float32) for i in (current, matched)]
    side = 2 * round(TEXTURE_MM / step_mm / 2) + 1
    ncc = local_correlation(grey[0], grey[1], side)
    # where the picture ends both views are black: that is no common texture
    whole = cv2.erode(seen.astype(np.uint8), np.ones((side, side), np.uint8), borderValue=0)
    return np.asarray(np.clip((ncc - 0.6) / 0.3, 0, 1) * whole, np.float32)


def _uncovers(hand: HandBlob, current: View, accepted: View, empty: View) -> bool:
    """Whether the change brings the print to light: then the hand was in the accepted view."""
    errors = []
    for view in (current, accepted):
        seen = view.seen & empty.seen
        matched = _match_exposure(view.pixels, empty.pixels, seen)
        difference = _strongest(_beyond_range(view.pixels, matched))
        errors.append(float(difference[hand.mask & seen].mean()))
    return errors[0] < 0.6 * errors[1]


def _strongest(difference: Image) -> Image:
    """(h, w): the greatest of the three channels."""
    blue, green, red = cv2.split(difference)
    return np.asarray(cv2.max(cv2.max(blue, green), red), np.uint8)


def _match_exposure(current: Image, accepted: Image, seen: Mask) -> Image:
    """The accepted view under the current one's exposure: gain and offset per channel."""
    thin = seen[::6, ::6]
    before, now = accepted[::6, ::6][thin].astype(float), current[::6, ::6][thin].astype(float)
    table = np.empty((256, 1, 3), np.uint8)
    for channel in range(3):
        x, y = before[:, channel], now[:, channel]
        usable = (x > 4) & (x < 250) & (y > 4) & (y < 250)
        gain, offset = _robust_line(x[usable], y[usable])
        values = np.rint(np.clip(gain * np.arange(256) + offset, 0, 255))
        table[:, 0, channel] = values.astype(np.uint8)
    return np.asarray(cv2.LUT(accepted, table), np.uint8)


def _robust_line(x: Matrix, y: Matrix) -> tuple[float, float]:
    """Iteratively reweighted (Cauchy) line through mostly unchanged pixels."""
    if len(x) < 50:
        return 1.0, 0.0
    gain, offset = float(np.median(y / x)), 0.0
    for _ in range(6):
        error = y - gain * x - offset
        scale = max(1.0, 1.5 * float(np.median(np.abs(error))))
        w = 1 / (1 + (error / scale) ** 2)
        total = w.sum()
        mean_x, mean_y = (w * x).sum() / total, (w * y).sum() / total
        spread = (w * (x - mean_x) ** 2).sum()
        if spread < total:
            return gain, float(np.median(y - gain * x))
        gain = float(np.clip((w * (x - mean_x) * (y - mean_y)).sum() / spread, 0.2, 5.0))
        offset = float(mean_y - gain * mean_x)
    return gain, offset


def _beyond_range(current: Image, other: Image) -> Image:
    """How far the current value lies outside the other's values within one grid step."""
    kernel = np.ones((3, 3), np.uint8)
    above = cv2.subtract(current, cv2.dilate(other, kernel))
    below = cv2.subtract(cv2.erode(other, kernel), current)
    return np.asarray(cv2.max(above, below), np.uint8)


def _smooth_light(current: Image, matched: Image, seen: Mask, step_mm: float) -> FloatArray:
    """Broad part of the difference: a lamp's pool, a person's shadow; pieces are too small."""
    height, width = seen.shape
    small = (max(8, width // 3), max(8, height // 3))
    now = cv2.resize(current, small, interpolation=cv2.INTER_AREA).astype(np.float32)
    before = cv2.resize(matched, small, interpolation=cv2.INTER_AREA).astype(np.float32)
    error = now - before
    weight = 1 / (1 + (error / 10) ** 2)
    weight *= cv2.resize(seen.astype(np.float32), small, interpolation=cv2.INTER_AREA)[..., None]
    sigma = LOCAL_LIGHT_MM / step_mm / 6
    half = (small[0] // 2, small[1] // 2)
    sums = cv2.resize(error * weight, half, interpolation=cv2.INTER_AREA)
    weights = cv2.resize(weight, half, interpolation=cv2.INTER_AREA)
    light = cv2.GaussianBlur(sums, (0, 0), sigma) / np.maximum(
        cv2.GaussianBlur(weights, (0, 0), sigma), 1e-3
    )
    return np.asarray(
        cv2.resize(light, (width, height), interpolation=cv2.INTER_LINEAR), np.float32
    )


MIN_ARM_MM = 22.0
MIN_INSIDE_MM2 = 600.0
MIN_OUTSIDE_MM2 = 1500.0
CLOSE_MM = 9.0
OUT_PX = 4


def find_hands(levels: FloatArray, seen: Mask, grid: Grid) -> list[HandBlob]:
    """Blobs of change that cross the rim of the face and go on outwards, broad as an arm.

    A tall piece at the edge leans over the rim but ends there; a thing beside the board does not
    come in; a card half over the rim ends within the margin.
    """
    changed = ((levels > CHANGED) & seen).astype(np.uint8)
    changed = cv2.morphologyEx(changed, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8))
    side = 2 * round(CLOSE_MM / grid.step_mm / 2) + 1
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
    closed = cv2.morphologyEx(changed, cv2.MORPH_CLOSE, kernel)
    _, labels, stats, _ = cv2.connectedComponentsWithStats(closed, connectivity=8)
    out = _way_out(seen)
    rim = grid.face & (cv2.erode(grid.face.astype(np.uint8), np.ones((3, 3), np.uint8)) == 0)
    cell = grid.step_mm**2
    blobs = []
    for label in np.flatnonzero(stats[:, cv2.CC_STAT_AREA] * cell >= MIN_INSIDE_MM2):
        x, y, width, height = (int(v) for v in stats[label, :4])
        box = np.s_[y : y + height, x : x + width]
        part = labels[box] == label
        if label == 0 or not (part & rim[box]).any():
            continue
        mask = np.zeros(seen.shape, bool)
        mask[box] = part
        inside = float((part & grid.face[box]).sum() * cell)
        outside = float((part & ~grid.face[box]).sum() * cell)
        rim_mm = float((part & rim[box]).sum() * grid.step_mm)
        reach_mm = float((part & out[box]).sum() * grid.step_mm / OUT_PX)
        blob = HandBlob(mask, inside, outside, rim_mm, reach_mm >= MIN_ARM_MM)
        if inside >= MIN_INSIDE_MM2 and rim_mm >= MIN_ARM_MM and _is_arm(blob):
            blobs.append(blob)
    return blobs


def _is_arm(blob: HandBlob) -> bool:
    if blob.reaches_out:
        return True
    # the picture's edge cuts off what is outside: much inside must do
    return blob.outside_mm2 >= MIN_OUTSIDE_MM2 and blob.inside_mm2 >= 4 * MIN_OUTSIDE_MM2


def _way_out(seen: Mask) -> Mask:
    """The outermost seen pixels, OUT_PX wide: the edge of the margin or of the picture."""
    padded = np.pad(seen, OUT_PX).astype(np.uint8)
    side = 2 * OUT_PX + 1
    inner = cv2.erode(padded, np.ones((side, side), np.uint8))
    return np.asarray(seen & (inner[OUT_PX:-OUT_PX, OUT_PX:-OUT_PX] == 0))


class MotionMeter:
    """Motion between consecutive frames, blind to exposure and to a jitter of a pixel or two."""

    WIDTH = 480
    LEVELS = 14

    def __init__(self) -> None:
        self._last: NDArray[np.uint8] | None = None

    def update(self, image: Image, pose: BoardPose | None = None) -> float:
        """Fraction of the board's area (of the picture's without a pose) that moved since the
        last call; 1 after a change of size, 0 at the first frame."""
        scale = self.WIDTH / image.shape[1]
        size = (self.WIDTH, max(1, round(image.shape[0] * scale)))
        grey = cv2.cvtColor(
            cv2.resize(image, size, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY
        )
        last, self._last = self._last, np.asarray(grey, np.uint8)
        if last is None:
            return 0.0
        if last.shape != grey.shape:
            return 1.0
        moved = self._moved(grey, last)
        if pose is None:
            return float(moved.mean())
        region = np.zeros(grey.shape, np.uint8)
        corners = pose.corners_px
        middle = corners.mean(0)
        wide = (middle + 1.12 * (corners - middle)) * scale
        cv2.fillConvexPoly(region, np.rint(wide).astype(np.int32), 1)
        return float(moved[region > 0].sum() / max(1, int(region.sum())))

    def _moved(self, grey: Image, last: Image) -> Mask:
        gain = float(np.median(grey[::4, ::4] / np.maximum(last[::4, ::4], 1.0)))
        last = cv2.convertScaleAbs(last, alpha=float(np.clip(gain, 0.3, 3.0)))
        kernel = np.ones((3, 3), np.uint8)
        above = cv2.subtract(grey, cv2.dilate(last, kernel))
        below = cv2.subtract(cv2.erode(last, kernel), grey)
        moved = (cv2.max(above, below) > self.LEVELS).astype(np.uint8)
        return np.asarray(cv2.morphologyEx(moved, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)) > 0)
