"""What a piece looks like: colour under this table's light, height and width.

A sample is explained by a colour model as ``sample = brightness · model`` plus noise: shadow and
shading change the brightness of a painted piece far more than its hue (dichromatic reflection
model, Shafer 1985).  So hue decides, and brightness only as far as it must (black, white).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.silhouettes import OwnerMap
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
        model = np.asarray(self.bgr, np.float64)
        x = np.asarray(samples, np.float64)
        length = np.linalg.norm(x, axis=1)
        scale = np.clip((x @ model) / max(model @ model, 1.0), 0.2, 4.0)
        sigma = NOISE_FLOOR + NOISE_SHARE * length
        hue = np.sum((x - scale[:, None] * model) ** 2, axis=1) / sigma**2
        # Dark pieces: brightness is compared with a floor, since 12 and 24 grey levels are alike.
        floor = 18.0
        level = (length + floor) / (float(np.linalg.norm(model)) + floor)
        brightness = (np.log(level) / self.brightness_sigma) ** 2
        return np.asarray(np.maximum(-0.5 * (hue + brightness), WORST))


def prototype(colour: str | None) -> ColourModel | None:
    """The colour model that a name suggests, vague in brightness; None for unknown names."""
    bgr = PROTOTYPES.get(colour or "")
    return None if bgr is None else ColourModel(bgr, 1, 0.7)


def sample_colours(image: Image, detections: Detections, owners: OwnerMap) -> FloatArray:
    """(N, 3) typical BGR of every thing's body, NaN where nothing of it could be sampled.

    ``owners`` keeps the pixels of nearer things out.
    """
    inverse = cv2.invertAffineTransform(detections.mask_to_image.astype(np.float64))
    rows = [_sample(image, detections, owners, inverse, i) for i in range(len(detections))]
    return np.asarray(rows, np.float32).reshape(-1, 3)


def _sample(
    image: Image,
    detections: Detections,
    owners: OwnerMap,
    to_mask: NDArray[np.float64],
    i: int,
) -> NDArray[np.float64]:
    foot, top = detections.foot_px[i].astype(float), detections.top_px[i].astype(float)
    width = max(float(detections.width_px[i]), 3.0)
    outline = _body(foot, top, width)
    low = np.floor(outline.min(axis=0)).astype(int) - 1
    high = np.ceil(outline.max(axis=0)).astype(int) + 2
    height_px, width_px = image.shape[:2]
    x0, y0 = np.clip(low, 0, [width_px - 1, height_px - 1])
    x1, y1 = np.clip(high, [x0 + 1, y0 + 1], [width_px, height_px])
    inside = np.zeros((y1 - y0, x1 - x0), np.uint8)
    cv2.fillConvexPoly(inside, np.round(outline - [x0, y0]).astype(np.int32), 1)
    ys, xs = np.nonzero(inside)
    if len(xs) == 0:
        return np.full(3, np.nan)
    points = np.column_stack([xs + x0, ys + y0, np.ones(len(xs))])
    front = owners.at(points[:, :2])
    mine = (front == i) | (front < 0)
    if mine.mean() > 0.15:
        xs, ys, points = xs[mine], ys[mine], points[mine]
    pixels = image[y0:y1, x0:x1][ys, xs].astype(np.float64)
    weights = _bilinear(detections.piece_mask, points @ to_mask.T)
    keep = weights >= 0.8 * float(weights.max()) if weights.max() > 0.3 else weights >= 0
    chosen = pixels[keep]
    # Drop highlights and the darkest rim before taking the median.
    light = chosen.sum(axis=1)
    low_cut, high_cut = np.percentile(light, [10, 85])
    body = chosen[(light >= low_cut) & (light <= high_cut)]
    return np.median(body if len(body) else chosen, axis=0)


def _body(foot: NDArray[np.float64], top: NDArray[np.float64], width: float) -> NDArray[np.float64]:
    """A (n, 2) convex outline well inside the thing's picture."""
    axis = top - foot
    length = float(np.linalg.norm(axis))
    if length < 0.6 * width:  # seen from above, or flat: an ellipse about its middle
        middle = foot + 0.5 * axis
        angles = np.linspace(0, 2 * math.pi, 12, endpoint=False)
        half = 0.33 * width
        return middle + half * np.column_stack([np.cos(angles), np.sin(angles)])
    along = axis / length
    across = np.array([-along[1], along[0]]) * 0.30 * width
    low, high = foot + 0.05 * axis, foot + 0.8 * axis
    return np.array([low - across, low + across, high + 0.7 * across, high - 0.7 * across])


def _bilinear(mask: FloatArray, points: NDArray[np.float64]) -> NDArray[np.float64]:
    xs, ys = points[:, 0].astype(np.float32), points[:, 1].astype(np.float32)
    return cv2.remap(mask, xs[None], ys[None], cv2.INTER_LINEAR, borderValue=0.0)[0].astype(
        np.float64
    )


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


@dataclass(frozen=True, slots=True, eq=False)
class Sizes:
    """Measured sizes of N things in mm: ``height`` with its uncertainty ``height_sigma``, ``width``."""

    height: NDArray[np.float64]
    height_sigma: NDArray[np.float64]
    width: NDArray[np.float64]


def measure_sizes(pose: BoardPose, detections: Detections, at_mm: NDArray[np.float64]) -> Sizes:
    """Heights from the foot-to-top vector, widths from the seen width."""
    vertical = vertical_px_per_mm(pose, at_mm)
    length = np.maximum(np.linalg.norm(vertical, axis=1), 1e-6)
    reach = detections.top_px.astype(np.float64) - detections.foot_px
    height = np.sum(reach * vertical, axis=1) / length**2
    scale = np.maximum(ground_scale(pose, at_mm), 1e-6)
    # Seen from above, up is a short way in a direction that the pose hardly knows.
    lean = LEAN_DOUBT * scale / length * np.maximum(np.abs(height), 10.0)
    sigma = np.hypot(TOP_SIGMA_PX / length, lean)
    width = detections.width_px / scale
    return Sizes(height, sigma, np.asarray(width, np.float64))
