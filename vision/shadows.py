"""Hard shadows: where the lamp stands is learnt from known pieces, and every piece must cast one.

Under one lamp a black piece and a shadow look alike.  But a shadow lies where the lamp throws it,
and casts none itself: a thing without a shadow where all others have one is no piece.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.crop import to_crop
from vision.silhouettes import camera_centre_mm
from vision.types import BoardPose, Crop, FloatArray, Image

Points = NDArray[np.float64]

DARK_MOST, SHINE_MOST = -1.2, 0.3  # bounds of the change of brightness, natural log
EVEN_DARK = 0.12  # so much darker the ground must be to speak for a shadow
LEAST_DARK = 0.16  # mean darkness, natural log, of shadows that are hard enough to be of use
LEAST_PX, LEAST_CASTERS, CASTER_SHARE = 250, 4, 0.6
TURNS, REACHES = 16, (0.3, 0.45, 0.6, 0.9, 1.3, 1.8, 2.4)
NEARNESS = (0.0, 1 / 2400, 1 / 1200, 1 / 700)  # per mm: one over the lamp's height
LEVELS, ASIDE = (0.4, 0.6, 0.8, 1.0), (-0.22, 0.0, 0.22)  # of height and width of a caster
CLIP = 2.0  # log-odds of one pixel
FULL_DARK = 0.5  # darkness from which on shadows are believed in full
OWN_BODY = 0.62  # of the width: within it a caster hides its own shadow
LEAST_SEEN = 0.2  # share of a shadow that must be in view to say anything


@dataclass(frozen=True, slots=True)
class Lamp:
    """The lamp that throws the table's shadows.

    ``reach``: (x, y) by which a shadow reaches per mm of height, for a piece at ``centre_mm``;
    ``nearness``: one over the lamp's height, 1/mm: shadows fan out under a near lamp; ``dark``:
    natural log of the brightness in a shadow against the lit print, negative.
    """

    reach: tuple[float, float]
    centre_mm: tuple[float, float]
    nearness: float
    dark: float

    def reach_at(self, at_mm: Points) -> Points:
        """(N, 2) mm of shadow per mm of height of pieces at (N, 2) mm."""
        return np.asarray(
            np.array(self.reach) + self.nearness * (np.asarray(at_mm) - np.array(self.centre_mm))
        )

    def cast(self, caster: Caster) -> Points:
        """(2n, 2) mm: the base and its shadow's end; what lies between them is dark."""
        end = caster.base_mm + self.reach_at(caster.middle[None])[0] * caster.height_mm
        return np.vstack([caster.base_mm, end])


@dataclass(frozen=True, slots=True, eq=False)
class Caster:
    """What throws a shadow: its base (n, 2) in board mm and its height in mm."""

    base_mm: Points
    height_mm: float

    @property
    def middle(self) -> Points:
        return np.asarray(self.base_mm.mean(axis=0))


def learn_lamp(
    flat: Image, print_flat: Image, px_per_mm: float, casters: Sequence[Caster], pose: BoardPose
) -> Lamp | None:
    """The lamp whose shadows explain where the print is darker than it should be.

    ``flat``: the picture seen flat from above (pixel (0, 0) at the board's origin);
    ``print_flat``: the print on the same grid under the same light.  None where no single lamp
    throws clear shadows.
    """
    if len(casters) < LEAST_CASTERS:
        return None
    dark = _darkness(flat, print_flat)
    free = _not_hidden(dark.shape, px_per_mm, casters, pose)
    if free.sum() < LEAST_PX:
        return None
    dark -= np.median(dark[free])
    centre = (flat.shape[1] / px_per_mm / 2, flat.shape[0] / px_per_mm / 2)
    trials = [
        Lamp((reach * np.cos(turn), reach * np.sin(turn)), centre, nearness, 0.0)
        for turn in np.arange(TURNS) * 2 * np.pi / TURNS
        for reach, nearness in product(REACHES, (0.0, NEARNESS[2]))
    ]
    table = _Table(dark, free, px_per_mm, tuple(casters))
    best = max(trials, key=table.score)
    for step in (0.2, 0.08, 0.03):
        moves = [(x * step, y * step) for x, y in product((-1, 0, 1), repeat=2)]
        best = max(
            (
                replace(best, reach=(best.reach[0] + x, best.reach[1] + y), nearness=n)
                for (x, y), n in product(moves, NEARNESS)
            ),
            key=table.score,
        )
    return table.judged(best)


@dataclass(frozen=True, slots=True, eq=False)
class _Table:
    """Darkness (h, w) of the flat picture, where it counts, and what stands on the board."""

    dark: FloatArray
    free: NDArray[np.bool_]
    px_per_mm: float
    casters: tuple[Caster, ...]

    def shadow(self, lamp: Lamp, casters: Sequence[Caster]) -> NDArray[np.bool_]:
        mask = np.zeros(self.dark.shape, np.uint8)
        for caster in casters:
            hull = cv2.convexHull((lamp.cast(caster) * self.px_per_mm).astype(np.float32))
            cv2.fillConvexPoly(mask, np.round(hull[:, 0]).astype(np.int32), 1)
        return np.asarray((mask > 0) & self.free)

    def score(self, lamp: Lamp) -> float:
        inside = self.shadow(lamp, self.casters)
        return float(-self.dark[inside].sum() - EVEN_DARK * inside.sum())

    def judged(self, lamp: Lamp) -> Lamp | None:
        """The lamp with its darkness; None if its shadows are soft or most casters have none."""
        inside = self.shadow(lamp, self.casters)
        if inside.sum() < LEAST_PX or self.dark[inside].mean() > -LEAST_DARK:
            return None
        own = [self.shadow(lamp, [c]) for c in self.casters]
        means = [float(self.dark[m].mean()) for m in own if m.sum() >= 12]
        if len(means) < LEAST_CASTERS or np.mean(np.array(means) < -EVEN_DARK) < CASTER_SHARE:
            return None
        return replace(lamp, dark=float(np.quantile(self.dark[inside], 0.3)))


def _darkness(flat: Image, print_flat: Image) -> FloatArray:
    """(h, w) natural log of the brightness against the print's."""
    a, b = (
        cv2.GaussianBlur(p, (0, 0), 1.2).astype(np.float32).sum(axis=2) + 20
        for p in (flat, print_flat)
    )
    return np.asarray(np.clip(np.log(a / b), DARK_MOST, SHINE_MOST), np.float32)


def _not_hidden(
    shape: tuple[int, ...], px_per_mm: float, casters: Sequence[Caster], pose: BoardPose
) -> NDArray[np.bool_]:
    """(h, w) where the flat picture shows the print, and no standing piece drawn away from it."""
    hidden = np.zeros(shape[:2], np.uint8)
    for caster in casters:
        solid = np.vstack(
            [
                np.column_stack([caster.base_mm, np.full(len(caster.base_mm), z)])
                for z in (0.0, caster.height_mm * 1.15)
            ]
        )
        drawn = pose.to_board(pose.to_image(solid)) * px_per_mm
        hull = cv2.convexHull(np.clip(drawn, -1e5, 1e5).astype(np.float32))
        cv2.fillConvexPoly(hidden, np.round(hull[:, 0]).astype(np.int32), 1)
    return np.asarray(cv2.dilate(hidden, np.ones((5, 5), np.uint8)) == 0)


def shadow_odds(shade: FloatArray, hue_misfit: FloatArray, lamp: Lamp) -> FloatArray:
    """(h, w) log-odds of each pixel to lie in the lamp's shadow rather than in its light.

    ``shade``: natural log of the brightness against the print's; ``hue_misfit``: squared distance
    from the print's hue in standard deviations: what isn't print says nothing.
    """
    odds = CLIP * np.clip(2 * shade / lamp.dark - 1, -1, 1) * min(1.0, -lamp.dark / FULL_DARK)
    return np.asarray(odds * np.exp(-0.5 * np.minimum(hue_misfit / 4, 30.0)), np.float32)


def cast_scores(
    odds: FloatArray,
    crop: Crop,
    pose: BoardPose,
    lamp: Lamp,
    places: Points,
    sizes_mm: tuple[float | Points, float | Points],
) -> NDArray[np.float64]:
    """(P,) mean log-odds of the ground where pieces at (P, 2) mm must throw their shadows.

    ``sizes_mm``: heights and widths, (P,) or the same for all.  0 where a piece would hide its own shadow.
    """
    height, width = (np.broadcast_to(s, len(places))[:, None] for s in sizes_mm)
    reach = lamp.reach_at(places)
    length = np.maximum(np.linalg.norm(reach, axis=1, keepdims=True), 1e-6)
    across = np.column_stack([-reach[:, 1], reach[:, 0]]) / length
    ground = np.concatenate(
        [places + reach * height * level + across * width * aside for level in LEVELS for aside in ASIDE]
    )  # fmt: skip
    at = pose.to_image(ground).reshape(-1, len(places), 2)
    foot = pose.to_image(places)
    top = pose.to_image(np.column_stack([places, height]))
    side, depth = _extents_px(pose, places, foot, width)
    seen = _body_distance(at, foot, top, side / depth) > OWN_BODY * side
    values = sample(odds, crop, at.reshape(-1, 2)).reshape(seen.shape)
    share = seen.mean(axis=0)
    mean = (values * seen).sum(axis=0) / np.maximum(seen.sum(axis=0), 1)
    return np.asarray(np.where(share >= LEAST_SEEN, mean * np.minimum(2 * share, 1.0), 0.0))


def sample(values: FloatArray, crop: Crop, points_px: Points) -> FloatArray:
    """(N,) values of a map on a crop's grid at (N, 2) image points; 0 outside."""
    at = to_crop(points_px, crop).astype(np.float32)
    return np.asarray(
        cv2.remap(values, at[None], None, cv2.INTER_LINEAR, borderValue=0.0)[0], np.float32
    )


def _extents_px(
    pose: BoardPose, places: Points, foot: Points, width_mm: Points
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """(P,) px that a width (P, 1) of the board takes in the picture across the line of sight, and
    along it, where it looks shorter."""
    away = places - camera_centre_mm(pose)[:2]
    away /= np.maximum(np.linalg.norm(away, axis=1, keepdims=True), 1e-6)
    side = pose.to_image(places + np.column_stack([-away[:, 1], away[:, 0]]) * width_mm) - foot
    depth = pose.to_image(places + away * width_mm) - foot
    return np.linalg.norm(side, axis=1), np.maximum(np.linalg.norm(depth, axis=1), 1e-6)


def _body_distance(
    points: Points, foot: Points, top: Points, squash: NDArray[np.float64]
) -> NDArray[np.float64]:
    """(n, P) distance of (n, P, 2) points from the axes between (P, 2) feet and tops.

    Before its foot a body covers no more than its base, seen obliquely: there the distance along the
    axis counts ``squash`` (P,) times.
    """
    along, aside, length = by_axis(points, foot, top)
    beyond = np.where(along < 0, along * squash, np.maximum(along - length, 0))
    return np.asarray(np.hypot(aside, beyond))


def by_axis(
    points: Points, foot: Points, top: Points
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """How far (…, P, 2) points lie along the axes from (P, 2) feet to tops, and beside them, and the
    lengths (P,) of these."""
    way, gone = top - foot, points - foot
    length = np.maximum(np.linalg.norm(way, axis=1), 1e-9)
    along = (gone * way).sum(axis=-1) / length
    aside = np.abs(gone[..., 0] * way[:, 1] - gone[..., 1] * way[:, 0]) / length
    return along, aside, length
