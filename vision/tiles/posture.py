"""Does a figure stand or lie?  Outlines of both, in every direction, laid over what was added.

Analysis by synthesis as in ``vision.silhouette_search``: the solid of a meeple is projected with
the camera of this view, and compared with the pixels that differ from the bare tile.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.appearance import NOISE_FLOOR, NOISE_SHARE
from vision.types import BoardPose, FloatArray, Image

# A meeple upright, mm: x across, z up; and its thickness.
OUTLINE = np.array([
    (-7.2, 0), (-2, 0), (0, 3.6), (2, 0), (7.2, 0), (4.3, 6.6), (7.9, 7.6), (7.8, 10), (3, 11.2),
    (3.1, 14), (1.4, 16), (-1.4, 16), (-3.1, 14), (-3, 11.2), (-7.8, 10), (-7.9, 7.6), (-4.3, 6.6),
])  # fmt: skip
# Its convex parts: legs, body, arms, head.
PARTS = [
    [0, 1, 2, 16], [2, 3, 4, 5], [2, 5, 8, 13, 16], [5, 6, 7, 8], [13, 14, 15, 16],
    [8, 9, 10, 11, 12, 13],
]  # fmt: skip
THICK_MM = 9.0
YAWS = 12  # standing, over half a turn: front and back look alike
SCALES = (0.92, 1.06, 1.22)
REACH_PX = 5
FINE = 3
SOFT = 18.0  # grey levels of difference that count as half added
LEVEL_SPREAD = 0.6  # natural log: shadow to lit side
SHIFT = 4


@dataclass(frozen=True, slots=True, eq=False)
class Posture:
    """``lying``: by how much better a lying figure fits than a standing one, in shares of overlap;
    ``overlap``: of the better one, 0 to 1; ``foot_px``: where the better one touches the tile."""

    lying: float
    overlap: float
    foot_px: NDArray[np.float64]


def posture_of(
    added: FloatArray, corner: tuple[int, int], pose: BoardPose, foot_px: NDArray[np.float64]
) -> Posture:
    """``added`` (h, w): 0 to 1, how much each pixel belongs to the figure, of the part of the
    picture whose top-left pixel is ``corner``; ``foot_px``: roughly where the figure touches.

    The outlines of a middling figure are tried at half size, the best few again at full size, and the
    best of those in all SCALES.
    """
    affine = np.round(_local(pose, foot_px), 2)
    size = np.array(added.shape[::-1])
    half = cv2.resize(added, tuple((size // 2).tolist()), interpolation=cv2.INTER_AREA)
    foot = np.asarray(foot_px, float) - corner
    low, full = float(half.sum()), float(added.sum())
    best = []
    for flat in (False, True):
        turns = YAWS * (2 if flat else 1)
        coarse = _templates(tuple((affine / 2).ravel()), flat)
        scores = _fits(half, coarse, (foot - 0.5) / 2, REACH_PX // 2, low)
        key, middle = tuple(affine.ravel()), len(SCALES) // 2
        tried = {
            n: _fit(added, _template(key, flat, n), foot, REACH_PX, full)
            for n in (int(k) + middle * turns for k in np.argsort(scores)[-FINE:])
        }
        first = max(tried, key=lambda n: tried[n][0])
        for size in range(len(SCALES)):
            n = first % turns + size * turns
            if n not in tried:
                tried[n] = _fit(added, _template(key, flat, n), foot, REACH_PX, full)
        best.append(max(tried.values(), key=lambda row: row[0]))
    standing, lying = best
    better = lying if lying[0] > standing[0] else standing
    return Posture(lying[0] - standing[0], better[0], better[1] + corner)


def _fits(
    added: FloatArray, templates: tuple[FloatArray, FloatArray], foot: NDArray[np.float64],
    reach: int, total: float,
) -> NDArray[np.float64]:  # fmt: skip
    """(K,) the greatest shares of overlap of templates of one size (K, n, n) with their areas."""
    masks, areas = templates
    n = masks.shape[1]
    window = _window(added, n, foot, reach)[0]
    views = np.lib.stride_tricks.sliding_window_view(window, (n, n)).reshape(-1, n * n)
    common = views @ masks.reshape(len(masks), -1).T
    return np.asarray((common / (total + areas - common + 1e-6)).max(0), np.float64)


def _fit(
    added: FloatArray, template: tuple[FloatArray, float], foot: NDArray[np.float64], reach: int,
    total: float,
) -> tuple[float, NDArray[np.float64]]:  # fmt: skip
    """Greatest share of overlap (intersection over union) and where; ``total``: sum of ``added``."""
    mask, area = template
    n = mask.shape[0]
    window, x0, y0 = _window(added, n, foot, reach)
    common = cv2.matchTemplate(window, mask, cv2.TM_CCORR)
    share = common / (total + area - common + 1e-6)
    _, best, _, (x, y) = cv2.minMaxLoc(share)
    return float(best), np.array([x0 + x + n // 2, y0 + y + n // 2], float)


def _window(
    added: FloatArray, n: int, foot: NDArray[np.float64], reach: int
) -> tuple[FloatArray, int, int]:
    """The part of ``added`` that templates of ``n`` px meet about a foot, and its first column and row."""
    x0, y0 = (round(float(v)) - n // 2 - reach for v in foot)
    size = n + 2 * reach
    window = np.zeros((size, size), np.float32)
    a, b = max(y0, 0), max(x0, 0)
    part = added[a : max(y0 + size, 0), b : max(x0 + size, 0)]
    if part.size:
        window[a - y0 : a - y0 + part.shape[0], b - x0 : b - x0 + part.shape[1]] = part
    return window, x0, y0


def _local(pose: BoardPose, foot_px: NDArray[np.float64]) -> NDArray[np.float64]:
    """(2, 3): px per mm along x, y and up about a point of the picture."""
    at = pose.to_board(foot_px[None])[0]
    base = np.array([*at, 0.0])
    ends = pose.to_image(np.vstack([base, base + np.eye(3) * 10]))
    return np.asarray(((ends[1:] - ends[0]) / 10).T)


@lru_cache(maxsize=256)
def _templates(affine: tuple[float, ...], flat: bool) -> tuple[FloatArray, FloatArray]:
    """Masks (K, n, n) of middling figures that stand or lie, the foot in the middle pixel, and their
    areas (K,)."""
    turns = YAWS * (2 if flat else 1)
    view = np.array(affine).reshape(2, 3)
    solids = [_solid(flat, k + len(SCALES) // 2 * turns) @ view.T for k in range(turns)]
    half = max(_half(px) for px in solids)
    masks = np.stack([_mask(px, half) for px in solids])
    return masks, masks.sum((1, 2))


@lru_cache(maxsize=4096)
def _template(affine: tuple[float, ...], flat: bool, number: int) -> tuple[FloatArray, float]:
    """A mask and its area."""
    px = _solid(flat, number) @ np.array(affine).reshape(2, 3).T
    mask = _mask(px, _half(px))
    return mask, float(mask.sum())


@lru_cache(maxsize=256)
def _solid(flat: bool, number: int) -> NDArray[np.float64]:
    """(2, K, 3) mm: both faces of a figure about its foot, in one of SCALES and directions."""
    size, k = divmod(number, YAWS * (2 if flat else 1))
    scale, yaw = SCALES[size], np.pi * k / YAWS
    outline, thick = OUTLINE * scale, THICK_MM * scale
    if flat:
        middle = (outline[:, 1].max() + outline[:, 1].min()) / 2
        faces = [
            np.column_stack([outline[:, 0], outline[:, 1] - middle, np.full(len(outline), z)])
            for z in (0.0, thick)
        ]
    else:
        faces = [
            np.column_stack([outline[:, 0], np.full(len(outline), y), outline[:, 1]])
            for y in (-thick / 2, thick / 2)
        ]
    c, s = np.cos(yaw), np.sin(yaw)
    turn = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1.0]])
    return np.asarray(np.stack(faces) @ turn.T)


def _half(px: NDArray[np.float64]) -> int:
    return int(np.ceil(np.abs(px).max())) + 1


def _mask(px: NDArray[np.float64], half: int) -> FloatArray:
    """(n, n) of a solid (2, K, 2) px about its foot: each convex part with all that lies between its
    two faces."""
    n = 2 * half + 1
    out = np.zeros((n, n), np.uint8)
    fixed = np.round((px + half) * (1 << SHIFT)).astype(np.int32)
    for part in PARTS:
        hull = cv2.convexHull(fixed[:, part].reshape(-1, 2))
        cv2.fillConvexPoly(out, hull, 1, cv2.LINE_8, SHIFT)
    return out.astype(np.float32)


def belonging(
    picture: Image, bgr: FloatArray, bare: Image | None = None, known: Image | None = None
) -> FloatArray:
    """(h, w) 0 to 1: how much each pixel is of a figure's colour in any shade, and differs from the
    ``bare`` tile where that is ``known`` (255).  Shadows do the second only."""
    x = picture.astype(np.float32)
    model = np.asarray(bgr, np.float32)
    length = np.linalg.norm(x, axis=2)
    scale = np.clip((x @ model) / max(float(model @ model), 1.0), 0.15, 4)
    sigma = NOISE_FLOOR + NOISE_SHARE * length
    hue = ((x - scale[..., None] * model) ** 2).sum(2) / sigma**2
    level = np.log((length + 18) / (float(np.linalg.norm(model)) + 18)) / LEVEL_SPREAD
    out = np.exp(-0.25 * (hue + level**2))
    if bare is not None and known is not None:
        difference = np.abs(x - bare.astype(np.float32)).max(2)
        differs = np.clip((difference - 0.6 * SOFT) / (1.2 * SOFT), 0, 1)
        out *= np.where(known > 0, differs, 1.0)
    return np.asarray(out, np.float32)
