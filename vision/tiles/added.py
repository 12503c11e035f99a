"""Figures by what was added to the bare table: the second way to find them, beside the network.

A pixel that is not the bare table in any shade was added; what hangs together and is as large as a
figure is one if the outline of a figure fits it (see `vision.tiles.posture`).  The network needs no bare
table and this needs no training: the two err for different causes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.tiles.posture import belonging
from vision.types import BoardPose, FloatArray, Image

# Where a figure touches the table (2,) px, and its colour if it was seen.
Standing = tuple[NDArray[np.float64], "tuple[float, float, float] | None"]

SHADE = (0.3, 1.25)  # of the bare table's brightness: a shadow, a gleam
NOISE = 16.0  # grey levels
NOISE_SHARE = 0.1  # of the brightness
LEAST_MM2, MOST_MM2 = 55.0, 900.0  # of a figure in the picture, without what another hides
THIN_MM = 1.6  # thinner than this is a rim of the print that lies beside itself
OTHER = 0.12  # a pixel that is less of a figure's colour is of another one
BODY_MM, BODY_HEIGHT_MM = 20.0, 16.0  # of a figure that was found: it accounts for what is there
MIDDLE_MM = 7.0  # height of the middle of a standing figure
HALF, FINE = 2, 1.3  # pictures of more px per mm than that are looked at in half the size
TILE_SHARE = 0.5  # of a blob's pixels: so many lie over tiles


@dataclass(frozen=True, slots=True, eq=False)
class Added:
    """Something that was added: its middle in the picture, where it would touch the table if it
    stood, its colour and its area."""

    middle_px: NDArray[np.float64]
    foot_px: NDArray[np.float64]
    bgr: NDArray[np.float64]
    mm2: float


def added_things(
    picture: Image, bare: Image, known: Image, pose: BoardPose, quads: Iterable[NDArray[np.float64]],
    standing: Sequence[Standing],
) -> list[Added]:  # fmt: skip
    """What lies on the tiles and is no figure that was found already.

    ``bare``, ``known`` (H, W): the table without figures as the picture shows it, and where it is
    known (255); ``quads`` (4, 2) px of the tiles; ``standing``: the figures that were found.
    """
    corners = np.array(list(quads), np.float32).reshape(-1, 2)
    if not len(corners):
        return []
    height, width = picture.shape[:2]
    low = np.clip(np.floor(corners.min(0)).astype(int) - 4, 0, [width - 1, height - 1])
    high = np.clip(np.ceil(corners.max(0)).astype(int) + 5, low + 1, [width, height])
    part = np.s_[low[1] : high[1], low[0] : high[0]]
    scale = px_per_mm(pose, corners.mean(0))
    view = _View(low, HALF if scale > FINE else 1, scale)
    now, before, told = (view.shrunk(p[part]) for p in (picture, bare, known))
    size = max(1, round(THIN_MM * view.px_per_mm))
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))
    mask = _added(now, before, told)
    _hide(mask, now, pose, standing, view)
    mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, disc), np.uint8)
    if not mask.any():
        return []
    tiles = np.zeros_like(mask)
    for quad in corners.reshape(-1, 4, 2):
        cv2.fillConvexPoly(tiles, np.round(view.small(quad)).astype(np.int32), 1)
    return list(_things(mask, tiles, now, pose, view))


@dataclass(frozen=True, slots=True, eq=False)
class _View:
    """A part of the picture from ``low`` on, shrunk ``step`` times; ``scale``: px per mm before."""

    low: NDArray[np.int_]
    step: int
    scale: float

    @property
    def px_per_mm(self) -> float:
        return self.scale / self.step

    def shrunk(self, picture: Image) -> Image:
        size = tuple(max(1, n // self.step) for n in picture.shape[1::-1])
        return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)

    def small(self, points_px: NDArray[Any]) -> NDArray[np.float64]:
        return np.asarray((points_px - self.low + 0.5) / self.step - 0.5, np.float64)

    def large(self, points: NDArray[Any]) -> NDArray[np.float64]:
        return np.asarray((points + 0.5) * self.step - 0.5 + self.low, np.float64)


def _added(picture: Image, bare: Image, known: Image) -> Image:
    """(h, w) 0 or 1: pixels that are not the bare table in any shade."""
    xx, xb, bb = _dot(picture, picture), _dot(picture, bare), _dot(bare, bare)
    shade = np.clip(xb / np.maximum(bb, 1.0), *SHADE)
    rest = xx - shade * (2 * xb - shade * bb)  # squared length of what no shade explains
    noise = NOISE + NOISE_SHARE * cv2.sqrt(xx)
    return np.asarray((rest > (1.5 * noise) ** 2) & (known > 0), np.uint8)


def _dot(one: Image, other: Image) -> FloatArray:
    """(h, w): the product of every two pixels."""
    product = cv2.multiply(one, other, dtype=cv2.CV_32F)
    return np.asarray(cv2.transform(product, np.ones((1, 3), np.float32)), np.float32)


def _hide(
    mask: Image, picture: Image, pose: BoardPose, standing: Sequence[Standing], view: _View
) -> None:
    """Takes out what figures account for that were found: what is of their colour about them, so that
    one of another colour that touches them stays."""
    if not standing:
        return
    feet = np.array([foot for foot, _ in standing], np.float64)
    tops = feet + up_px(pose, feet) * BODY_HEIGHT_MM
    thick = max(3, round(BODY_MM * view.px_per_mm))
    for foot, top, (_, bgr) in zip(view.small(feet), view.small(tops), standing, strict=True):
        ends = np.round(np.stack([foot, top])).astype(int)
        low = np.maximum(ends.min(0) - thick, 0)
        high = ends.max(0) + thick + 1
        part = np.s_[low[1] : high[1], low[0] : high[0]]
        if mask[part].size == 0:
            continue
        own = np.zeros_like(mask[part])
        a, b = (tuple(int(v) for v in p) for p in ends - low)
        cv2.line(own, a, b, 1, thick)
        if bgr is not None:
            own[belonging(picture[part], np.asarray(bgr, np.float32)) < OTHER] = 0
        mask[part][own > 0] = 0


def _things(
    mask: Image, tiles: Image, picture: Image, pose: BoardPose, view: _View
) -> Iterable[Added]:
    count, labels, stats, middles = cv2.connectedComponentsWithStats(mask, connectivity=8)
    for n in range(1, count):
        mm2 = float(stats[n, cv2.CC_STAT_AREA]) / view.px_per_mm**2
        if not LEAST_MM2 <= mm2 <= MOST_MM2:
            continue
        own = labels == n
        if float(tiles[own].mean()) < TILE_SHARE:
            continue
        pixels = picture[own].astype(np.float64)
        light = pixels.sum(1)
        a, b = np.percentile(light, [15, 85])
        bgr = np.median(pixels[(light >= a) & (light <= b)], axis=0)
        middle = view.large(middles[n])
        yield Added(middle, middle - up_px(pose, middle[None])[0] * MIDDLE_MM, bgr, mm2)


def up_px(pose: BoardPose, points_px: NDArray[np.float64]) -> NDArray[np.float64]:
    """(N, 2) px per mm upwards at points of the table."""
    at = np.column_stack([pose.to_board(points_px), np.zeros(len(points_px))])
    return np.asarray((pose.to_image(at + np.array([0, 0, 10.0])) - pose.to_image(at)) / 10)


def px_per_mm(pose: BoardPose, point_px: FloatArray) -> float:
    """Mean scale of the table at a point of the picture."""
    at = pose.to_board(np.asarray(point_px, np.float64)[None])[0]
    base = np.array([*at, 0.0])
    ends = pose.to_image(np.vstack([base, base + np.array([[10.0, 0, 0], [0, 10.0, 0]])]))
    return float(np.sqrt(abs(np.linalg.det((ends[1:] - ends[0]) / 10))))
