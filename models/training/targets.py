"""Training crops: random window, flip, scale, colours; and the maps the network shall give."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.synthesis.sample import (
    CLASS,
    FOOT_X,
    LOOK,
    MASK_STRIDE,
    TOP_X,
    VISIBLE,
    WIDTH,
    Sample,
)  # fmt: skip
from vision.crop import BEYOND
from vision.detector import SCALE_PX, STRIDE
from vision.types import SHAPES

Rng = np.random.Generator
F32 = NDArray[np.float32]
WALLS = (SHAPES.index("wall"), SHAPES.index("l_wall"))
SURE_VISIBLE = 0.3
# What a window gains by holding a thing: rare shapes count more.
_WORTH = {"pawn": 1.0, "wall": 0.3, "l_wall": 1.0, "disc": 1.5, "cube": 2.5, "meeple": 2.0}
_WORTH_RARE = 3.0
TRIES = 5
HOLED = 0.4  # share of the windows with a reference whose reference has holes


@dataclass(frozen=True, slots=True, eq=False)
class Window:
    """Network input (S, S, 7) uint8, see ``planes``, and its targets at a quarter of the size.

    ``heat`` (11, s, s); ``regress`` (5, s, s) with ``near`` (s, s) 1 where it counts;
    ``masks`` (2, s, s) 0 to 1; ``looks`` (s, s) int64: 1 + look of the piece whose foot is there, else 0.
    """

    inputs: NDArray[np.uint8]
    heat: F32
    regress: F32
    near: F32
    masks: F32
    looks: NDArray[np.int64]


def random_window(rng: Rng, sample: Sample, size: int, no_reference: float = 0.35) -> Window:
    """A random square of ``size`` px of the sample, augmented."""
    affine = _affine(rng, sample, size)
    grey = (BEYOND, BEYOND, BEYOND)
    square = (size, size)
    mode = {"flags": cv2.INTER_LINEAR, "borderMode": cv2.BORDER_CONSTANT}
    picture = cv2.warpAffine(sample.picture, affine, square, borderValue=grey, **mode)
    reference = cv2.warpAffine(sample.reference, affine, square, **mode)
    valid = cv2.warpAffine(sample.valid, affine, square, **mode)
    picture, reference = _colours(rng, picture, reference)
    if rng.random() < no_reference:
        reference, valid = np.zeros_like(reference), np.zeros_like(valid)
    elif rng.random() < HOLED:
        _holes(rng, sample.things, affine, valid)
    inputs = planes(np.ascontiguousarray(picture), np.ascontiguousarray(reference), valid)
    # Mask pixel centres lie at 4 i + 1.5 of the picture.
    small = affine.copy()
    shift = np.full(2, (MASK_STRIDE - 1) / 2)
    small[:, 2] = (affine[:, :2] @ shift + affine[:, 2] - shift) / MASK_STRIDE
    masks = cv2.warpAffine(sample.masks, small, (size // 4, size // 4), **mode)
    things = _moved(sample.things, affine)
    heat, regress, near = draw_targets(things, size // STRIDE, size // STRIDE)
    looks = draw_looks(things, size // STRIDE, size // STRIDE)
    soft = masks.transpose(2, 0, 1).astype(np.float32) / 255
    return Window(inputs, heat, regress, near, soft, looks)


def _holes(rng: Rng, things: F32, affine: NDArray[np.float64], valid: NDArray[np.uint8]) -> None:
    """Hides the print where pieces stood when it was learnt from the enrolment picture, in place.

    Some of them still stand there: a piece is often seen where the print is not known.
    """
    scale = float(np.sqrt(abs(np.linalg.det(affine[:, :2]))))
    size = valid.shape[0]
    spots = [rng.uniform(0, size, 2) for _ in range(int(rng.integers(2, 12)))]
    if len(things):
        stay = things[rng.random(len(things)) < rng.choice([0.15, 0.6])]
        spots += list(stay[:, FOOT_X : FOOT_X + 2] @ affine[:, :2].T + affine[:, 2])
    for x, y in spots:
        w, h = rng.uniform(7, 22, 2) * scale
        lift = rng.uniform(0, 0.8) * h
        box = (
            (float(x), float(y - lift)),
            (float(2 * w), float(2 * h)),
            float(rng.uniform(0, 180)),
        )
        cv2.ellipse(valid, box, 0, -1)


def planes(
    picture: NDArray[np.uint8], reference: NDArray[np.uint8], valid: NDArray[np.uint8]
) -> NDArray[np.uint8]:
    """(H, W, 7) uint8: RGB, reference RGB (0 where invalid), validity 0 or 255."""
    on = cv2.threshold(valid, 127, 255, cv2.THRESH_BINARY)[1]
    known = cv2.bitwise_and(reference, reference, mask=on)
    out = np.empty((*valid.shape, 7), np.uint8)
    cv2.mixChannels([picture, known, on], [out], [0, 2, 1, 1, 2, 0, 3, 5, 4, 4, 5, 3, 6, 6])
    return out


def to_input(stacked: NDArray[np.uint8]) -> F32:
    """(H, W, 7) uint8 to the network's input (1, 7, H, W) float32 in 0..1."""
    return np.ascontiguousarray(stacked.transpose(2, 0, 1)[None], np.float32) / 255


def _affine(rng: Rng, sample: Sample, size: int) -> NDArray[np.float64]:
    h, w = sample.picture.shape[:2]
    scale, angle = 1.0, 0.0
    if rng.random() < 0.55:
        scale = float(np.exp(rng.uniform(np.log(0.8), np.log(1.9))))
        angle = float(rng.normal(0, 5))
    if len(sample.things) and rng.random() < 0.8:
        centre = _rich_centre(rng, sample.things, size / scale)
    else:
        centre = rng.uniform(0, 1, 2) * (w, h)
    half = size / 2 / scale
    low, high = np.minimum(half, (w / 2, h / 2)), np.maximum((w - half, h - half), (w / 2, h / 2))
    centre = np.clip(centre, low, high)
    a = cv2.getRotationMatrix2D((float(centre[0]), float(centre[1])), angle, scale)
    a[:, 2] += size / 2 - centre
    if scale == 1.0:
        a[:, 2] = np.round(a[:, 2])
    if rng.random() < 0.5:
        a = np.array([[-1.0, 0, size - 1], [0, 1, 0]]) @ np.vstack([a, [0, 0, 1]])
    return np.asarray(a)


def _rich_centre(rng: Rng, things: F32, reach: float) -> NDArray[np.float64]:
    """Centre of a square of ``reach`` px that holds many things: the best of a few near things."""
    worth = np.array([_WORTH.get(SHAPES[int(c)], _WORTH_RARE) for c in things[:, CLASS]])
    feet = things[:, FOOT_X : FOOT_X + 2].astype(float)
    starts = feet[rng.choice(len(feet), TRIES, p=worth / worth.sum())]
    centres = starts + rng.uniform(-0.4, 0.4, (TRIES, 2)) * reach
    inside = (np.abs(feet[None] - centres[:, None]) < reach / 2).all(2)
    return np.asarray(centres[int(np.argmax(inside @ worth))])


def _moved(things: F32, affine: NDArray[np.float64]) -> F32:
    out = things.copy()
    for col in (FOOT_X, TOP_X):
        out[:, col : col + 2] = things[:, col : col + 2] @ affine[:, :2].T + affine[:, 2]
    out[:, WIDTH] *= np.sqrt(abs(np.linalg.det(affine[:, :2])))
    return out


def _colours(
    rng: Rng, picture: NDArray[np.uint8], reference: NDArray[np.uint8]
) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    x = np.arange(256, dtype=np.float32) / 255
    luts = []
    gain = np.exp(rng.normal(0, 0.08, 3) + rng.normal(0, 0.12))
    gamma, lift = np.exp(rng.normal(0, 0.12)), rng.normal(0, 0.02)
    for extra in (False, True):
        g, o = gain, np.full(3, lift)
        if extra:
            g, o = gain * np.exp(rng.normal(0, 0.03, 3)), o + rng.normal(0, 0.015)
        table = np.clip(x[:, None] ** gamma * g + o, 0, 1) * 255
        luts.append(table.astype(np.uint8)[None])
    picture, reference = cv2.LUT(picture, luts[0]), cv2.LUT(reference, luts[1])
    if rng.random() < 0.1:
        order = rng.permutation(3)
        picture, reference = picture[..., order], reference[..., order]
    return picture, reference


def draw_targets(things: F32, h: int, w: int) -> tuple[F32, F32, F32]:
    """Heat maps (11, h, w), regressions (5, h, w) and where they count (h, w)."""
    heat = np.zeros((len(SHAPES), h, w), np.float32)
    regress = np.zeros((5, h, w), np.float32)
    best = np.full((h, w), np.inf, np.float32)
    # Pieces on a ruin's plate own the pixels they share with its cells.
    order = sorted(range(len(things)), key=lambda i: int(things[i, CLASS]) not in WALLS)
    for i in order:
        row = things[i]
        foot = (row[FOOT_X : FOOT_X + 2] - (STRIDE - 1) / 2) / STRIDE
        cx, cy = round(float(foot[0])), round(float(foot[1]))
        sigma = float(np.clip(row[WIDTH] / STRIDE * 0.25, 0.8, 2.0))
        r = int(np.ceil(3 * sigma))
        x0, x1, y0, y1 = max(0, cx - r), min(w, cx + r + 1), max(0, cy - r), min(h, cy + r + 1)
        if x0 >= x1 or y0 >= y1:
            continue
        yy, xx = np.mgrid[y0:y1, x0:x1]
        bump = np.exp(-((xx - cx) ** 2 + (yy - cy) ** 2) / (2 * sigma**2)).astype(np.float32)
        if row[VISIBLE] < SURE_VISIBLE:
            bump *= 0.95  # neither asked for nor held against the network
        np.maximum(
            heat[int(row[CLASS]), y0:y1, x0:x1], bump, out=heat[int(row[CLASS]), y0:y1, x0:x1]
        )
        _draw_regression(row, foot, cx, cy, regress, best)
    return heat, regress, (best < np.inf).astype(np.float32)


def draw_looks(things: F32, h: int, w: int) -> NDArray[np.int64]:
    """(h, w) 1 + look at the feet of the pieces that are seen well, else 0."""
    looks = np.zeros((h, w), np.int64)
    for row in things:
        x, y = np.round((row[FOOT_X : FOOT_X + 2] - (STRIDE - 1) / 2) / STRIDE).astype(int)
        if row[LOOK] >= 0 and row[VISIBLE] >= 0.5 and 0 <= x < w and 0 <= y < h:
            looks[y, x] = 1 + int(row[LOOK])
    return looks


def _draw_regression(row: F32, foot: F32, cx: int, cy: int, regress: F32, best: F32) -> None:
    h, w = best.shape
    wall = int(row[CLASS]) in WALLS
    up = (row[TOP_X : TOP_X + 2] - row[FOOT_X : FOOT_X + 2]) / SCALE_PX
    for y in range(max(0, cy - 1), min(h, cy + 2)):
        for x in range(max(0, cx - 1), min(w, cx + 2)):
            distance = float((foot[0] - x) ** 2 + (foot[1] - y) ** 2) + (1.5 if wall else 0.0)
            if distance < best[y, x]:
                best[y, x] = distance
                regress[:, y, x] = (foot[0] - x, foot[1] - y, up[0], up[1], row[WIDTH] / SCALE_PX)
