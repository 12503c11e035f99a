"""What sure pieces explain of a picture: their bodies and shadows speak for no wall behind them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.board import Board
from vision.appearance import standing_outlines
from vision.crop import to_crop
from vision.pixel_evidence import Evidence
from vision.shadows import Caster, Lamp
from vision.silhouettes import SCALE, outline
from vision.things import Things
from vision.types import BoardPose, Image

WIDER = 1.15  # than the network sees them: the mask's edges are soft
DARK_BODY = 0.6  # share of a body in others' shadows from which it may be only these
CLEAR_SHADOW = 0.6  # log-odds of a pixel
LEAST_FREE = 0.3  # share of a cell's samples that must show something else


@dataclass(frozen=True, slots=True)
class Body:
    """A round piece: the number of its thing, where it stands (None: off the spots), its size in mm."""

    thing: int
    spot: str | None
    at_mm: tuple[float, float]
    width_mm: float
    height_mm: float

    @property
    def caster(self) -> Caster:
        return Caster(np.array(self.at_mm) + disc(0.4 * self.width_mm), self.height_mm)


@dataclass(frozen=True, slots=True, eq=False)
class Bodies:
    """``mask``: (h, w) uint8 at SCALE of the picture, 1 where a sure piece or its shadow is.

    ``spots``: where those pieces stand.
    """

    mask: Image
    spots: frozenset[str]

    def free(self, points_px: NDArray[np.float64]) -> NDArray[np.bool_]:
        """(N,) whether (N, 2) image points show none of them."""
        xy = np.round(points_px * SCALE).astype(int)
        height, width = self.mask.shape
        inside = (xy >= 0).all(axis=1) & (xy[:, 0] < width) & (xy[:, 1] < height)
        result = np.ones(len(xy), bool)
        result[inside] = self.mask[xy[inside, 1], xy[inside, 0]] == 0
        return result


def bodies_of(
    image: Image, pose: BoardPose, things: Things, sure: Sequence[Body], lamp: Lamp | None
) -> Bodies:
    """``sure``: the pieces to paint."""
    height, width = image.shape[:2]
    mask = np.zeros((math.ceil(height * SCALE), math.ceil(width * SCALE)), np.uint8)
    seen = things.detections
    for body in sure:
        i = body.thing
        foot, top = seen.foot_px[i].astype(float), seen.top_px[i].astype(float)
        across = float(seen.width_px[i]) * WIDER
        polygons = [outline(foot, top, across)]
        if lamp is not None:
            at = things.at_mm[i]
            tip = pose.to_image((at + lamp.reach_at(at[None])[0] * body.height_mm)[None])[0]
            polygons.append(outline(foot, tip, across))
        for polygon in polygons:
            if np.isfinite(polygon).all() and np.abs(polygon).max() < 1e5:
                cv2.fillConvexPoly(mask, np.round(polygon * SCALE).astype(np.int32), 1)
    return Bodies(mask, frozenset(b.spot for b in sure if b.spot is not None))


def known_shadows(
    evidence: Evidence,
    pose: BoardPose,
    board: Board,
    sure: Sequence[Body],
    walls: Sequence[str],
    wall_mm: float,
) -> NDArray[np.bool_] | None:
    """(h, w) on the evidence's crop: where the lamp throws the shadows of known pieces.

    ``sure``: pieces whose places are known; ``walls``: cells of L-walls ``wall_mm`` high.  A body
    that lies in others' shadows is not spared: it may be no more than these.  None without a lamp.
    """
    if evidence.lamp is None or evidence.shadow is None:
        return None
    walled = [Caster(np.array(board.spots[c]), wall_mm) for c in walls if c in board.spots]
    shape = evidence.shadow.shape
    count = np.zeros(shape, np.int16)
    for caster in walled:
        shadow = _shadow(evidence, pose, caster, shape)
        count[shadow.window] += shadow.mask
    own = [_shadow(evidence, pose, body.caster, shape) for body in sure]
    for shadow in own:
        count[shadow.window] += shadow.mask
    spared = np.zeros(shape, bool)
    for silhouette, shadow in zip(silhouettes(pose, sure), own, strict=True):
        seen = _filled(evidence, silhouette, shape)
        inside = seen.mask > 0
        count[shadow.window] -= shadow.mask
        if inside.any() and (count[seen.window][inside] > 0).mean() < DARK_BODY:
            spared[seen.window] |= inside
        count[shadow.window] += shadow.mask
    return np.asarray((count > 0) & ~spared & (evidence.shadow > CLEAR_SHADOW))


@dataclass(frozen=True, slots=True, eq=False)
class _Patch:
    """A part of a picture, ``mask`` (h, w) 1 where it is filled, and where that part lies."""

    window: tuple[slice, slice]
    mask: NDArray[np.uint8]


def _shadow(evidence: Evidence, pose: BoardPose, caster: Caster, shape: tuple[int, ...]) -> _Patch:
    assert evidence.lamp is not None
    return _filled(evidence, pose.to_image(evidence.lamp.cast(caster)), shape)


def silhouettes(pose: BoardPose, bodies: Sequence[Body]) -> list[NDArray[np.float64]]:
    """(n, 2) image px each: the outlines of bodies."""
    return standing_outlines(
        pose, np.array([b.at_mm for b in bodies]), [b.height_mm for b in bodies],
        [b.width_mm for b in bodies],
    )  # fmt: skip


def hull_of(evidence: Evidence, points_px: NDArray[np.float64]) -> NDArray[np.int32]:
    """(m, 2) crop px: the convex hull of (n, 2) image points."""
    at = np.clip(to_crop(points_px, evidence.crop), -1e5, 1e5)
    return np.asarray(np.round(cv2.convexHull(at.astype(np.float32))[:, 0]).astype(np.int32))


def _filled(evidence: Evidence, points_px: NDArray[np.float64], shape: tuple[int, ...]) -> _Patch:
    """What lies within the convex hull of (n, 2) image points, on a map of this shape."""
    hull = hull_of(evidence, points_px)
    low = np.clip(hull.min(axis=0), 0, shape[1::-1])
    high = np.clip(hull.max(axis=0) + 1, low, shape[1::-1])
    mask = np.zeros((high - low)[::-1], np.uint8)
    if mask.size:
        cv2.fillConvexPoly(mask, hull - low.astype(np.int32), 1)
    return _Patch((slice(low[1], high[1]), slice(low[0], high[0])), mask)


def disc(radius_mm: float) -> NDArray[np.float64]:
    """(8, 2) points on a circle about the origin."""
    turns = np.arange(8) * np.pi / 4
    return radius_mm * np.column_stack([np.cos(turns), np.sin(turns)])


def mean_where(
    values: NDArray[np.float64], free: NDArray[np.bool_], even: float
) -> NDArray[np.float64]:
    """(C,) means of (C, n) samples over the free ones; ``even`` where too few are."""
    count = free.sum(axis=1)
    mean = (values * free).sum(axis=1) / np.maximum(count, 1)
    return np.asarray(np.where(count >= LEAST_FREE * free.shape[1], mean, even))
