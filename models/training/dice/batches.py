"""Training batches: patches for the reader, windows and heat maps for the finder."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.dice.scenes import PIPS, SEEN, SIDE, SIZE, SPIN, Scene, X, Y
from vision.dice.find import FINDER_SIDE_PX, STRIDE
from vision.dice.patch import cut_patch, patch_input

Rng = np.random.Generator
F32 = NDArray[np.float32]
Picture = NDArray[np.uint8]
READABLE = 0.62  # share of the top face that must be seen
WINDOW = 96
LEAST_READ_PX, LEAST_FOUND_PX = 12.0, 6.5


@dataclass(frozen=True, slots=True, eq=False)
class Patches:
    """``inputs`` (N, 3, P, P); ``pips`` (N,) 0 to 6; ``shift`` (N, 3): offset in sides and log of
    the side, NaN where there is no die."""

    inputs: F32
    pips: NDArray[np.int64]
    shift: F32


def patches(rng: Rng, scenes: list[Scene], count: int, grounds: list[Picture]) -> Patches:
    """``count`` random patches: most about dice, some about anything else."""
    inputs, pips, shift = [], [], []
    while len(inputs) < count:
        scene = scenes[int(rng.integers(len(scenes)))]
        if rng.random() < 0.22:
            picture = grounds[int(rng.integers(len(grounds)))]
            at, side = _striking(rng, picture), float(rng.uniform(8, 45))
            turn, value, off = 0.0, 0, np.full(3, np.nan)
        else:
            picture = scene.picture
            picked = _pick(rng, scene)
            if picked is None:
                continue
            at, side, turn, value, off = picked
        patch = cut_patch(picture, (float(at[0]), float(at[1])), side, turn)
        mirrored = rng.random() < 0.5
        if mirrored:
            patch, off = patch[:, ::-1], off * (-1, 1, 1)
        inputs.append(patch_input(_recolour(rng, patch))[0])
        pips.append(value)
        shift.append(off)
    return Patches(np.stack(inputs), np.array(pips, np.int64), np.array(shift, np.float32))


def _striking(rng: Rng, picture: Picture) -> NDArray[np.float64]:
    """A place in a picture where there is something: what a finder would propose."""
    h, w = picture.shape[:2]
    n = 96
    y, x = int(rng.integers(max(h - n, 1))), int(rng.integers(max(w - n, 1)))
    grey = cv2.cvtColor(picture[y : y + n, x : x + n], cv2.COLOR_BGR2GRAY)
    corners = cv2.goodFeaturesToTrack(grey, 6, 0.05, 6)
    if corners is None:
        return rng.uniform((0, 0), (w, h))
    return corners[int(rng.integers(len(corners))), 0] + (x, y) + rng.normal(0, 4, 2)


def _pick(
    rng: Rng, scene: Scene
) -> tuple[NDArray[np.float64], float, float, int, NDArray[np.float64]] | None:
    """Where to cut, the side and turn to cut for, and the truth there; None: unclear."""
    none = np.full(3, np.nan)
    if not len(scene.dice):
        side = float(np.exp(rng.uniform(np.log(13), np.log(46))))
        return rng.uniform(0, SIZE, 2), side, 0.0, 0, none
    die = scene.dice[int(rng.integers(len(scene.dice)))]
    side = float(die[SIDE] * np.exp(np.clip(rng.normal(0, 0.14), -0.36, 0.36)))
    turn = 0.0
    if rng.random() < 0.5:
        turn = float(np.pi / 2 - die[SPIN] + rng.normal(0, 0.12))
    if rng.random() < 0.05:  # a pip for a die, or a die among much else
        scale = rng.uniform(0.2, 0.42) if rng.random() < 0.7 else rng.uniform(2.5, 4.0)
        at = die[[X, Y]] + rng.uniform(-0.35, 0.35, 2) * die[SIDE]
        return at, float(scale * die[SIDE]), turn, 0, none
    if rng.random() < 0.1:  # beside the dice
        at = die[[X, Y]] + rng.normal(0, 1.5, 2) * side
        gaps = np.hypot(*(scene.dice[:, [X, Y]] - at).T) / scene.dice[:, SIDE]
        if gaps.min() < 0.85 or (at < 0).any() or (at > SIZE - 1).any():
            return None
        return at, side, turn, 0, none
    reach = 0.5 if rng.random() < 0.25 else 0.3
    t, r = rng.uniform(0, 2 * np.pi), reach * np.sqrt(rng.random())
    at = die[[X, Y]] + r * die[SIDE] * np.array([np.cos(t), np.sin(t)])
    gaps = np.hypot(*(scene.dice[:, [X, Y]] - at).T) / scene.dice[:, SIDE]
    if gaps.argmin() != np.flatnonzero((scene.dice == die).all(1))[0]:
        return None
    if 0.4 < die[SEEN] < READABLE or die[SIDE] < LEAST_READ_PX:
        return None
    value = int(die[PIPS]) if die[SEEN] >= READABLE else 0
    c, s = np.cos(turn), np.sin(turn)
    away = np.array([[c, s], [-s, c]]) @ (die[[X, Y]] - at) / side
    off = np.array([*away, np.log(die[SIDE] / side)]) if value or die[SEEN] >= READABLE else none
    return at, side, turn, value, off


def _recolour(rng: Rng, picture: Picture) -> Picture:
    """Colour channels in another order, now and then grey or lighter or upside down in tone."""
    if rng.random() < 0.5:
        picture = picture[..., rng.permutation(3)]
    if rng.random() < 0.08:
        picture = np.repeat(
            cv2.cvtColor(np.ascontiguousarray(picture), cv2.COLOR_BGR2GRAY)[..., None], 3, 2
        )
    if rng.random() < 0.3:
        gain, lift = float(np.exp(rng.normal(0, 0.25))), float(rng.normal(0, 15))
        picture = np.clip(picture * gain + lift, 0, 255).astype(np.uint8)
    return np.ascontiguousarray(picture)


@dataclass(frozen=True, slots=True, eq=False)
class Windows:
    """``inputs`` (N, 3, W, W); ``heat`` (N, W/4, W/4), 1 at middles; ``weight`` the same; ``side``
    the same: log2 of the side over FINDER_SIDE_PX, NaN where none is."""

    inputs: F32
    heat: F32
    weight: F32
    side: F32


def windows(rng: Rng, scenes: list[Scene], count: int, grounds: list[Picture]) -> Windows:
    """``count`` windows with dice of all sizes that the finder looks for."""
    n = WINDOW // STRIDE
    out = Windows(
        np.zeros((count, 3, WINDOW, WINDOW), np.float32), np.zeros((count, n, n), np.float32),
        np.ones((count, n, n), np.float32), np.full((count, n, n), np.nan, np.float32),
    )  # fmt: skip
    for i in range(count):
        picture = _window(rng, scenes, grounds, out, i)
        if rng.random() < 0.5:
            picture = picture[:, ::-1]
            for plane in (out.heat, out.weight, out.side):
                plane[i] = plane[i, :, ::-1].copy()
        picture = _recolour(rng, picture)
        out.inputs[i] = picture.transpose(2, 0, 1).astype(np.float32) / 255
    return out


def _window(rng: Rng, scenes: list[Scene], grounds: list[Picture], out: Windows, i: int) -> Picture:
    """Scenes side by side, all made small; writes the labels."""
    if rng.random() < 0.4:
        table = grounds[int(rng.integers(len(grounds)))]
        k = float(rng.uniform(0.45, 1.1))
        small = cv2.resize(table, None, fx=k, fy=k, interpolation=cv2.INTER_AREA)
        y, x = (int(rng.integers(s - WINDOW + 1)) for s in small.shape[:2])
        return np.asarray(small[y : y + WINDOW, x : x + WINDOW], np.uint8)
    picture = np.zeros((WINDOW, WINDOW, 3), np.uint8)
    y0 = -int(rng.integers(20))
    while y0 < WINDOW:
        x0, tall = -int(rng.integers(20)), SIZE
        while x0 < WINDOW:
            scene = scenes[int(rng.integers(len(scenes)))]
            own = float(np.median(scene.dice[:, SIDE])) if len(scene.dice) else 25.0
            k = float(np.exp(rng.uniform(np.log(7), np.log(24)))) / own
            k = float(np.clip(k, 0.35, 1.0))
            small = cv2.resize(scene.picture, None, fx=k, fy=k, interpolation=cv2.INTER_AREA)
            _paste(picture, small, x0, y0)
            _label(scene.dice, k, x0, y0, len(small), out, i)
            x0, tall = x0 + len(small), min(tall, len(small))
        y0 += tall
    return picture


def _paste(picture: Picture, small: Picture, x0: int, y0: int) -> None:
    a, b = max(y0, 0), max(x0, 0)
    part = small[a - y0 : WINDOW - y0, b - x0 : WINDOW - x0]
    picture[a : a + part.shape[0], b : b + part.shape[1]] = part


def _label(dice: F32, k: float, x0: int, y0: int, size: int, out: Windows, i: int) -> None:
    heat, weight, sides = out.heat[i], out.weight[i], out.side[i]
    # A scene pasted here covers what lay here before.
    a, b = (slice(max(v, 0) // STRIDE, (v + size) // STRIDE) for v in (y0, x0))
    heat[a, b], weight[a, b], sides[a, b] = 0, 1, np.nan
    rows, columns = np.mgrid[0 : heat.shape[0], 0 : heat.shape[1]]
    for die in dice:
        side = die[SIDE] * k
        x, y = (die[X] + 0.5) * k - 0.5 + x0, (die[Y] + 0.5) * k - 0.5 + y0
        if not (0 <= x < WINDOW and 0 <= y < WINDOW):
            continue
        u, v = (x - (STRIDE - 1) / 2) / STRIDE, (y - (STRIDE - 1) / 2) / STRIDE
        gap = np.hypot(columns - u, rows - v)
        reach = 0.5 * side / STRIDE
        if die[SEEN] < READABLE or side < LEAST_FOUND_PX:
            weight[gap < max(2 * reach, 2)] = 0
            continue
        bump = np.exp(-0.5 * (gap / max(0.36 * reach, 0.55)) ** 2)
        bump[int(np.clip(round(v), 0, len(heat) - 1)), int(np.clip(round(u), 0, len(heat) - 1))] = 1
        np.maximum(heat, bump, out=heat)
        sides[gap < max(reach * 0.7, 1.0)] = np.log2(side / FINDER_SIDE_PX)
