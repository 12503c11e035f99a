"""What a piece looks like: colour under this table's light, height and width.

A sample is explained by a colour model as ``sample = brightness · model`` plus noise: shadow and
shading change the brightness of a painted piece far more than its hue (dichromatic reflection
model, Shafer 1985).  So hue decides, and brightness only as far as it must (black, white).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.silhouettes import CIRCLE, OwnerMap, outline
from vision.types import BoardPose, Detections, FloatArray, Image

# BGR prototypes for colour names: only a first guess before anything has been enrolled.
PROTOTYPES: dict[str, tuple[float, float, float]] = {
    "violet": (150, 45, 110),
    "purple": (130, 50, 100),
    "green": (60, 130, 40),
    "red": (40, 35, 185),
    "orange": (30, 120, 225),
    "blue": (170, 90, 40),
    "yellow": (50, 190, 225),
    "black": (35, 35, 38),
    "green-black": (55, 60, 40),
    "white": (205, 215, 220),
    "grey": (140, 145, 150),
    "brown": (45, 70, 105),
    "wood": (95, 140, 175),
    "pink": (150, 110, 220),
}
NOISE_FLOOR = 9.0  # grey levels: sensor noise, blending with the ground
NOISE_SHARE = 0.09  # of the sample's length: shading and inter-reflection change the hue a little
BRIGHTNESS_SIGMA = 0.38  # natural log: shadow to lit side
LEAN_DOUBT = 0.08  # of the ground's scale: how far off the way up may point
TOP_SIGMA_PX = 4.0  # how exactly the net places a top
REMAP_MOST = 32000  # points that OpenCV takes in one row
WORST = -9.0  # log-likelihood no colour falls below: a sample may be spoiled


@dataclass(frozen=True, slots=True)
class ColourModel:
    """Mean BGR (0 to 255) of a painted colour under one table's light, seen ``count`` times."""

    bgr: tuple[float, float, float]
    count: int = 1
    brightness_sigma: float = BRIGHTNESS_SIGMA

    def log_likelihood(self, sample: FloatArray) -> float:
        """Log-likelihood, up to a constant, of a BGR sample; 0 at best."""
        return float(self.log_likelihoods(np.asarray(sample)[None])[0])

    def log_likelihoods(self, samples: NDArray[Any]) -> NDArray[np.float64]:
        """(N,) of (N, 3) BGR samples."""
        return log_likelihood_table(samples, [self])[:, 0]


def log_likelihood_table(
    samples: NDArray[Any], models: Sequence[ColourModel]
) -> NDArray[np.float64]:
    """(N, M) log-likelihoods, up to a constant, of (N, 3) BGR samples under each model."""
    bgr = np.array([m.bgr for m in models], np.float64).reshape(-1, 3)
    x = np.asarray(samples, np.float64)
    length = np.linalg.norm(x, axis=1, keepdims=True)
    scale = np.clip((x @ bgr.T) / np.maximum((bgr**2).sum(axis=1), 1.0), 0.2, 4.0)
    sigma = NOISE_FLOOR + NOISE_SHARE * length
    hue = ((x[:, None] - scale[:, :, None] * bgr) ** 2).sum(axis=2) / sigma**2
    # Dark pieces: brightness is compared with a floor, since 12 and 24 grey levels are alike.
    floor = 18.0
    level = (length + floor) / (np.linalg.norm(bgr, axis=1) + floor)
    brightness = (np.log(level) / np.array([m.brightness_sigma for m in models])) ** 2
    return np.asarray(np.maximum(-0.5 * (hue + brightness), WORST))


def prototype(colour: str | None) -> ColourModel | None:
    """The colour model that a name suggests, vague in brightness; None for unknown names."""
    bgr = PROTOTYPES.get(colour or "")
    return None if bgr is None else ColourModel(bgr, 1, 0.7)


def sample_colours(
    image: Image, detections: Detections, owners: OwnerMap, rows: Sequence[int] | None = None
) -> FloatArray:
    """(N, 3) typical BGR of every thing's body, NaN where nothing of it could be sampled.

    ``owners`` keeps the pixels of nearer things out.  ``rows``: the things to sample (default: all).
    """
    found = np.full((len(detections), 3), np.nan, np.float32)
    own = range(len(detections)) if rows is None else rows
    bodies = [_pixels_of(image, detections, i) for i in own]
    at = np.concatenate(bodies) if bodies else np.zeros((0, 2), np.intp)
    if not len(at):
        return found
    to_mask = cv2.invertAffineTransform(detections.mask_to_image.astype(np.float64))
    on_mask = np.column_stack([at, np.ones(len(at))]) @ to_mask.T
    front, weights = owners.at(at), _bilinear(detections.piece_mask, on_mask)
    pixels = image[at[:, 1], at[:, 0]]
    ends = np.cumsum([len(b) for b in bodies])
    for i, body, end in zip(own, bodies, ends, strict=True):
        if len(body):
            part = np.s_[end - len(body) : end]
            mine = (front[part] == i) | (front[part] < 0)
            found[i] = _typical(pixels[part], weights[part], mine)
    return found


def _pixels_of(image: Image, detections: Detections, i: int) -> NDArray[np.intp]:
    """(n, 2) the pixels (x, y) of the picture well inside a thing's outline."""
    foot, top = detections.foot_px[i].astype(float), detections.top_px[i].astype(float)
    body = _body(foot, top, max(float(detections.width_px[i]), 3.0))
    low = np.floor(body.min(axis=0)).astype(int).tolist()
    high = np.ceil(body.max(axis=0)).astype(int).tolist()
    height, width = image.shape[:2]
    x0, y0 = min(max(low[0] - 1, 0), width - 1), min(max(low[1] - 1, 0), height - 1)
    x1, y1 = min(max(high[0] + 2, x0 + 1), width), min(max(high[1] + 2, y0 + 1), height)
    inside = np.zeros((y1 - y0, x1 - x0), np.uint8)
    cv2.fillConvexPoly(inside, np.round(body - [x0, y0]).astype(np.int32), 1)
    ys, xs = np.nonzero(inside)
    return np.stack([xs + x0, ys + y0], axis=1)


def _typical(
    pixels: Image, weights: NDArray[np.float64], mine: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """(3,) median of a thing's pixels (n, 3).  ``weights``: how surely each shows a piece;
    ``mine``: whether nothing nearer hides it."""
    if mine.mean() > 0.15:
        pixels, weights = pixels[mine], weights[mine]
    most = float(weights.max())
    if most > 0.3:
        pixels = pixels[weights >= 0.8 * most]
    # Drop highlights and the darkest rim before taking the median.
    light = pixels.sum(axis=1)
    ranked, last = np.sort(light), len(light) - 1
    low, high = ranked[math.ceil(0.10 * last - 1e-9)], ranked[math.floor(0.85 * last + 1e-9)]
    body = pixels[(light >= low) & (light <= high)]
    ordered = np.sort(body if len(body) else pixels, axis=0)
    return ordered[(len(ordered) - 1) // 2] * 0.5 + ordered[len(ordered) // 2] * 0.5


def _body(foot: NDArray[np.float64], top: NDArray[np.float64], width: float) -> NDArray[np.float64]:
    """A (n, 2) convex outline well inside the thing's picture."""
    axis = top - foot
    length = float(np.linalg.norm(axis))
    if length < 0.6 * width:  # seen from above, or flat: an ellipse about its middle
        middle = foot + 0.5 * axis
        return middle + 0.33 * width * CIRCLE
    along = axis / length
    across = np.array([-along[1], along[0]]) * 0.30 * width
    low, high = foot + 0.05 * axis, foot + 0.8 * axis
    return np.array([low - across, low + across, high + 0.7 * across, high - 0.7 * across])


def _bilinear(mask: FloatArray, points: NDArray[np.float64]) -> NDArray[np.float64]:
    at = points.astype(np.float32)[None]
    parts = [at[:, k : k + REMAP_MOST] for k in range(0, at.shape[1], REMAP_MOST)]
    values = [cv2.remap(mask, p, None, cv2.INTER_LINEAR, borderValue=0.0)[0] for p in parts]
    return np.concatenate(values).astype(np.float64)


def vertical_px_per_mm(pose: BoardPose, at_mm: NDArray[np.float64]) -> NDArray[np.float64]:
    """(N, 2) image displacement of one millimetre of height above each (N, 2) point."""
    at = np.asarray(at_mm, np.float64).reshape(-1, 2)
    ground = pose.to_image(np.column_stack([at, np.zeros(len(at))]))
    above = pose.to_image(np.column_stack([at, np.full(len(at), 20.0)]))
    return (above - ground) / 20.0


def ground_scale(pose: BoardPose, at_mm: NDArray[np.float64]) -> NDArray[np.float64]:
    """(N,) pixels per board millimetre across the line of sight at each (N, 2) point."""
    at = np.asarray(at_mm, np.float64).reshape(-1, 2)
    base = pose.to_image(at)
    dx = pose.to_image(at + np.array([1.0, 0.0])) - base
    dy = pose.to_image(at + np.array([0.0, 1.0])) - base
    # The larger singular value of the local Jacobian: the direction that is not foreshortened.
    jac = np.stack([dx, dy], axis=2)
    return np.asarray(np.linalg.svd(jac, compute_uv=False)[:, 0])


def standing_outlines(
    pose: BoardPose,
    at_mm: NDArray[np.float64],
    heights_mm: Sequence[float],
    widths_mm: Sequence[float],
) -> list[NDArray[np.float64]]:
    """(n, 2) image px each: the outlines of round pieces of known sizes at (N, 2) mm."""
    at = np.asarray(at_mm, np.float64).reshape(-1, 2)
    feet = pose.to_image(np.column_stack([at, np.zeros(len(at))]))
    tops = pose.to_image(np.column_stack([at, heights_mm]))
    widths = np.asarray(widths_mm) * ground_scale(pose, at)
    return [outline(f, t, float(w)) for f, t, w in zip(feet, tops, widths, strict=True)]


@dataclass(frozen=True, slots=True, eq=False)
class Sizes:
    """Measured sizes of N things in mm: ``height`` with its uncertainty ``height_sigma``, ``width``."""

    height: NDArray[np.float64]
    height_sigma: NDArray[np.float64]
    width: NDArray[np.float64]


def measure_sizes(pose: BoardPose, detections: Detections, at_mm: NDArray[np.float64]) -> Sizes:
    """The sizes of the detections, whose feet stand at (N, 2) mm; see `sizes_of`."""
    return sizes_of(pose, at_mm, detections.foot_px, detections.top_px, detections.width_px)


def sizes_of(
    pose: BoardPose,
    at_mm: NDArray[np.float64],
    foot_px: FloatArray | NDArray[np.float64],
    top_px: FloatArray,
    width_px: FloatArray,
) -> Sizes:
    """Heights from the foot-to-top vector, widths from the seen width."""
    vertical = vertical_px_per_mm(pose, at_mm)
    length = np.maximum(np.linalg.norm(vertical, axis=1), 1e-6)
    reach = top_px.astype(np.float64) - foot_px
    height = np.sum(reach * vertical, axis=1) / length**2
    scale = np.maximum(ground_scale(pose, at_mm), 1e-6)
    # Seen from above, up is a short way in a direction that the pose hardly knows.
    lean = LEAN_DOUBT * scale / length * np.maximum(np.abs(height), 10.0)
    sigma = np.hypot(TOP_SIGMA_PX / length, lean)
    return Sizes(height, sigma, np.asarray(width_px / scale, np.float64))
