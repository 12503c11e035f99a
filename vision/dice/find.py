"""Dice anywhere in a picture: a small network proposes, the reader decides."""

from __future__ import annotations

import math
from collections.abc import Callable

import cv2
import numpy as np

from vision.dice.networks import DiceNetworks, networks
from vision.dice.patch import board_below, seen_at
from vision.dice.read import ReadDie, read_at
from vision.types import BoardPose, FloatArray, Image

STRIDE = 4
FINDER_SIDE_PX = 13.0
PROPOSE = 0.12  # heat of a place worth a look
MOST = 24  # places looked at in one picture
SURE = 0.5  # probability of a die that counts
# A die's side against what the pose says, and against the common one of a picture without a pose.
FITTING, ALIKE = (0.62, 1.3), (1 / 1.6, 1.6)
CLEARLY = 4.0  # power by which clear dice count more for the common side
APART = 0.6  # of a side: nearer ones are the same die
# Without a pose: what the longer side of the picture is scaled to, one after the other.
SCALES_PX = (1280, 640, 320, 160)
# Sides, as shares of the picture's longer side, tried where nothing is known of the size.
SIDES = (0.012, 0.017, 0.024, 0.034, 0.048, 0.068, 0.096)


def find_dice(
    image: Image,
    pose: BoardPose | None = None,
    size_mm: float = 16.0,
    nets: DiceNetworks | None = None,
    barred: Callable[[tuple[float, float]], bool] | None = None,
) -> list[ReadDie]:
    """All dice whose top faces can be read, the surest first.

    ``pose``, ``size_mm``: where the board lies and how big its dice are, if known: the picture is
    then searched at the right scale only.  ``barred``: whether none can lie at a point (px).
    """
    nets = nets or networks()
    found: list[ReadDie] = []
    for scale in _scales(image, pose, size_mm):
        for at, side in _proposals(image, scale, nets, barred):
            turn = 0.0
            if pose is not None:
                turn = seen_at(pose, board_below(pose, at, size_mm), size_mm)[2]
            die = read_at(image, at, side, turn, nets)
            if die.sure >= SURE and (pose is None or _fits(die, pose, size_mm)):
                found.append(die)
    found = _distinct(found)
    return found if pose is not None else of_one_size(found)


def _fits(die: ReadDie, pose: BoardPose, size_mm: float) -> bool:
    """Whether a die is as big as one must be that lies on the table there."""
    side = seen_at(pose, board_below(pose, die.centre_px, size_mm), size_mm)[1]
    return FITTING[0] < die.side_px / max(side, 1e-6) < FITTING[1]


def of_one_size(found: list[ReadDie]) -> list[ReadDie]:
    """The dice that are as big as most: pips are taken for small dice, boxes for large ones."""
    if not found:
        return found
    by_side = sorted(found, key=lambda d: d.side_px)
    weights = np.cumsum([(d.sure * math.exp(max(d.pips))) ** CLEARLY for d in by_side])
    common = by_side[int(np.searchsorted(weights, weights[-1] / 2))].side_px
    return [d for d in found if ALIKE[0] < d.side_px / common < ALIKE[1]]


def read_near(
    image: Image,
    centre_px: tuple[float, float],
    found: list[ReadDie],
    nets: DiceNetworks | None = None,
) -> ReadDie:
    """The die about ``centre_px`` when its size is not known; ``found``: the dice of the picture.

    The size of the nearest found die is tried first, then all sizes.
    """
    near = sorted(found, key=lambda d: math.dist(d.centre_px, centre_px))
    sides = [d.side_px for d in near[:1]]
    if near and math.dist(near[0].centre_px, centre_px) > near[0].side_px:
        sides += [d.side_px * k for d in near[:1] for k in (0.75, 1.33)]
    long_side = max(image.shape[:2])
    tries = [read_at(image, centre_px, s, nets=nets) for s in sides]
    if max((t.sure for t in tries), default=0.0) < SURE:
        tries += [read_at(image, centre_px, long_side * s, nets=nets) for s in SIDES]
    return max(tries, key=lambda t: t.sure)


def _scales(image: Image, pose: BoardPose | None, size_mm: float) -> list[float]:
    long_side = max(image.shape[:2])
    if pose is None:
        scales = [px / long_side for px in SCALES_PX]
        return [s for s in scales if s <= 1.3]
    centre = pose.to_board(pose.corners_px.mean(0)[None])[0]
    side = seen_at(pose, (float(centre[0]), float(centre[1])), size_mm)[1]
    return [FINDER_SIDE_PX / max(side, 1.0)]


def _proposals(
    image: Image,
    scale: float,
    nets: DiceNetworks,
    barred: Callable[[tuple[float, float]], bool] | None,
) -> list[tuple[tuple[float, float], float]]:
    """(middle, side) in image px of the strongest places, strongest first."""
    h, w = (max(STRIDE, round(s * scale / STRIDE) * STRIDE) for s in image.shape[:2])
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    heat, sides = nets.find(np.asarray(cv2.resize(image, (w, h), interpolation=way), np.uint8))
    peak = cv2.dilate(heat, np.ones((3, 3), np.uint8))
    y, x = np.nonzero((heat >= peak) & (heat >= PROPOSE))
    fx, fy = image.shape[1] / w, image.shape[0] / h
    places: list[tuple[tuple[float, float], float]] = []
    for i in np.argsort(-heat[y, x]):
        if len(places) == MOST:
            break
        at = _middle(heat, int(y[i]), int(x[i]))
        px = ((at[0] * STRIDE + STRIDE / 2) * fx - 0.5, (at[1] * STRIDE + STRIDE / 2) * fy - 0.5)
        if barred is not None and barred(px):
            continue
        side = FINDER_SIDE_PX * 2.0 ** float(sides[y[i], x[i]]) * math.sqrt(fx * fy)
        places.append((px, side))
    return places


def _middle(heat: FloatArray, y: int, x: int) -> tuple[float, float]:
    """Centre of gravity of the heat about a peak, in cells."""
    a, b = max(y - 1, 0), max(x - 1, 0)
    part = heat[a : y + 2, b : x + 2]
    total = float(part.sum())
    rows, columns = np.mgrid[a : a + part.shape[0], b : b + part.shape[1]]
    return float((part * columns).sum() / total), float((part * rows).sum() / total)


def _distinct(found: list[ReadDie]) -> list[ReadDie]:
    kept: list[ReadDie] = []
    for die in sorted(found, key=lambda d: -d.sure):
        if all(
            math.dist(die.centre_px, k.centre_px) > APART * min(die.side_px, k.side_px)
            for k in kept
        ):
            kept.append(die)
    return kept
