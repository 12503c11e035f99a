"""Change as the second witness: what differs from the last accepted view.

Views are compared on a grid in board millimetres (`vision.board_grid`), each rectified
through its own pose, so that a bump in between does not matter.  Exposure is matched by a robust
gain and offset per channel and a smooth remainder; misalignment of a grid step is tolerated by
comparing with the range of values in the neighbourhood.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import cv2
import numpy as np

from vision.arms import HandBlob, find_hands
from vision.board_grid import Grid, Mask, Matrix, View
from vision.registration.print_check import local_correlation
from vision.types import FloatArray, Image

FULL_CHANGE = 36.0  # grey levels that count as whole change
LOCAL_LIGHT_MM = 70.0
SPOT_CHANGED = 0.3
PIECE_MM2 = (60.0, 250.0)
TEXTURE_MM = 14.0


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
