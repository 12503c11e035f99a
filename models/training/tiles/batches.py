"""Training patches: tiles with their neighbours, crooked, in any light, with figures on them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.carcassonne.tiles import faces
from models.training.synthesis import effects, grounds
from models.training.synthesis.colours import piece_colour
from models.training.synthesis.pieces import MEEPLES
from models.training.tiles.bank import SIDE, SIGN, Bank, kinds
from vision.tiles.patch import PATCH_PX, TILE_PX
from vision.tiles.structure import structure_of

Rng = np.random.Generator
F32 = NDArray[np.float32]
Picture = NDArray[np.uint8]
MIDDLE = (PATCH_PX - 1) / 2
CROOKED = np.deg2rad(5.0)
OFF = 0.045  # of a tile: 2 mm, one standard deviation
TILE_MM = 45.0
ABSENT, FAR = 0.1, 0.2  # shares of patches without a tile, and with one far from the middle
FIELDS = ("pictures", "kind", "turn", "place", "present", "near", "truths")
FINER = 4  # px of the patch to one of its truth
FINE = np.array(
    [[1 / FINER, 0, (1 / FINER - 1) / 2], [0, 1 / FINER, (1 / FINER - 1) / 2], [0, 0, 1]]
)
NAMED, MOST_CROOKED = 0.16, 0.23
ROUND = 0.3  # share of patches with tiles of round corners
BRIGHT, DARK = 0.08, 0.04  # shares of patches in a picture that is far too bright, or too dark


@dataclass(frozen=True, slots=True, eq=False)
class Patches:
    """``pictures`` (N, 80, 80, 3) uint8; ``kind`` (N,); ``turn`` (N,) quarter turns clockwise;
    ``place`` (N, 4): the tile's middle beside the patch's (u, v) in tiles, its angle (radians
    clockwise), log of its size; ``present`` (N,): 0 where no tile lies; ``near`` (N,): the tile lies
    near enough to be named; ``truths`` (N, 20, 20): what is seen, see `bank.truth_of`, signs of the
    tile in the middle only; 0 where no tile lies."""

    pictures: Picture
    kind: NDArray[np.int64]
    turn: NDArray[np.int64]
    place: F32
    present: F32
    near: F32
    truths: Picture


@dataclass(frozen=True, slots=True, eq=False)
class Targets:
    """For every kind and turn: ``edges`` (K, 4, 4), ``pairs`` (K, 4, 6) with -1 for no matter,
    ``signs`` (K, 4, 6), ``same`` (K * 4, K * 4): faces that play alike share the label."""

    edges: NDArray[np.int64]
    pairs: F32
    signs: F32
    same: F32


def targets() -> Targets:
    """The truth about all kinds and turns."""
    every = [[structure_of(face) for face in faces(kind)] for kind in kinds()]
    flat = [face.structure for kind in kinds() for face in faces(kind)]
    same = np.array([[a == b for b in flat] for a in flat], np.float32)
    return Targets(
        np.array([[s.edges for s in four] for four in every]),
        np.array([[[-1 if p is None else p for p in s.pairs] for s in four] for four in every], np.float32),
        np.array([[s.signs for s in four] for four in every], np.float32),
        same / same.sum(1, keepdims=True),
    )  # fmt: skip


class Stock:
    """Keeps drawn patches and gives them out again in another quarter turn and other colours:
    drawing a patch costs more than learning from it."""

    def __init__(self, bank: Bank, size: int = 16000, fresh: int = 8) -> None:
        self._bank, self._size, self._fresh = bank, size, fresh
        self._kept: list[Patches] = []

    def draw(self, rng: Rng, count: int) -> Patches:
        """``count`` patches, some of them fresh."""
        if len(self._kept) * self._fresh < 40 * count:
            part = draw(rng, self._bank, count)
            rows = [slice(k, k + self._fresh) for k in range(0, count, self._fresh)]
            self._keep([_rows(part, r) for r in rows])
            return part
        part = draw(rng, self._bank, self._fresh)
        chosen = [self._again(rng) for _ in range(count - self._fresh)]
        self._keep([part])
        return _joined([part, *chosen])

    def _keep(self, parts: list[Patches]) -> None:
        self._kept += [p for p in parts if len(p.kind)]
        del self._kept[: max(0, len(self._kept) - self._size // self._fresh)]

    def _again(self, rng: Rng) -> Patches:
        part = self._kept[int(rng.integers(len(self._kept)))]
        n = int(rng.integers(len(part.kind)))
        one = _rows(part, slice(n, n + 1))
        q = int(rng.integers(4))
        picture = np.rot90(one.pictures[0], -q)
        gain = np.exp(rng.normal(0, 0.12, 3)) * np.exp(rng.normal(0, 0.1))
        picture = np.clip(picture * gain + rng.normal(0, 8), 0, 255).astype(np.uint8)
        u, v = one.place[0, :2]
        for _ in range(q):
            u, v = -v, u
        place = np.array([[u, v, *one.place[0, 2:]]], np.float32)
        truth = np.rot90(one.truths[0], -q)[None]
        turn = (one.turn + q) % 4
        return Patches(picture[None], one.kind, turn, place, one.present, one.near, truth)


def _rows(part: Patches, rows: slice) -> Patches:
    return Patches(*(getattr(part, f)[rows] for f in FIELDS))


def _joined(parts: list[Patches]) -> Patches:
    return Patches(*(np.concatenate([getattr(p, f) for p in parts]) for f in FIELDS))


def draw(rng: Rng, bank: Bank, count: int, weights: NDArray[np.float64] | None = None) -> Patches:
    """``count`` patches; ``weights`` (kinds,): how often each kind is drawn."""
    kind = rng.choice(len(kinds()), count, p=weights)
    turn = rng.integers(0, 4, count)
    t = rng.random(count)
    present, far = (t > ABSENT).astype(np.float32), t > 1 - FAR
    pictures, places, truths = [], [], []
    for n in range(count):
        picture, place, truth = patch(
            rng, bank, int(kind[n]), int(turn[n]), bool(present[n]), bool(far[n])
        )
        pictures.append(picture)
        places.append(place)
        truths.append(truth)
    place = np.array(places, np.float32)
    near = present * (np.abs(place[:, :2]).max(1) < NAMED) * (np.abs(place[:, 2]) < MOST_CROOKED)
    near = near.astype(np.float32)
    return Patches(np.stack(pictures), kind, turn, place, present, near, np.stack(truths))


def patch(
    rng: Rng, bank: Bank, kind: int, turn: int, present: bool = True, far: bool = False
) -> tuple[Picture, F32, Picture]:
    """One patch of a tile in a quarter turn, its place, and what it shows (20, 20)."""
    number = int(rng.integers(len(bank.pictures)))
    style, truths = bank.pictures[number], bank.truths[number]
    canvas, shown = _table(rng), np.zeros((PATCH_PX // FINER, PATCH_PX // FINER), np.uint8)
    view, place = _view(rng, far)
    reach = float(rng.choice([0.0, 0.012, 0.03]))
    corners = _corners(int(rng.integers(2, 9))) if rng.random() < ROUND else None
    for dx, dy in ((-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (1, 1), (-1, 1), (1, -1)):
        if rng.random() < 0.6:
            other = int(rng.integers(len(style)))
            at = np.array([dx, dy]) * (1 + reach) + rng.normal(0, OFF * 0.6, 2)
            turned, crooked = int(rng.integers(4)), float(rng.normal(0, CROOKED * 0.6))
            _lay(canvas, style[other], turned, view, at, crooked, corners)
            _lay(shown, truths[other] % SIGN, turned, FINE @ view, at, crooked)
    if present:
        _lay(canvas, style[kind], turn, view, np.zeros(2), 0.0, corners)
        _lay(shown, truths[kind], turn, FINE @ view, np.zeros(2), 0.0)
    linear = (canvas.astype(np.float32) / 255) ** 1.6
    linear *= _light(rng)
    _figures(rng, linear)
    return _camera(rng, linear), place, shown


def _view(rng: Rng, far: bool) -> tuple[NDArray[np.float64], F32]:
    """(3, 3) tile about its middle (1 by 1) to patch px: crooked, off, a little bent; its place."""
    a = float(np.clip(rng.normal(0, CROOKED), -0.22, 0.22))
    grown = float(rng.normal(0, 0.035))
    away = np.clip(rng.normal(0, OFF, 2), -0.11, 0.11)
    if far:
        a, grown, away = rng.uniform(-0.3, 0.3), rng.uniform(-0.15, 0.15), rng.uniform(-0.3, 0.3, 2)
    k = TILE_PX * float(np.exp(grown))
    c, s = k * np.cos(a), k * np.sin(a)
    off = MIDDLE + away * TILE_PX
    stretch = 1 + rng.normal(0, 0.02)
    bend = rng.normal(0, 0.02, 2)
    flat = np.array([[c * stretch, -s, off[0]], [s * stretch, c, off[1]], [0, 0, 1]])
    lean = np.array([[1, 0, 0], [0, 1, 0], [*bend, 1]])
    return flat @ lean, np.array([*away, a, grown], np.float32)


def _lay(
    canvas: Picture, picture: Picture, turn: int, view: NDArray[np.float64],
    at: NDArray[np.float64], crooked: float, corners: Picture | None = None,
) -> None:  # fmt: skip
    c, s = np.cos(crooked) / SIDE, np.sin(crooked) / SIDE
    half = (SIDE - 1) / 2
    place = np.array([[c, -s, at[0] - (c - s) * half], [s, c, at[1] - (s + c) * half], [0, 0, 1]])
    turned = np.ascontiguousarray(np.rot90(picture, -turn))
    below = canvas.copy() if corners is not None else canvas
    cv2.warpPerspective(
        turned, view @ place, canvas.shape[1::-1], dst=canvas,
        flags=cv2.INTER_LINEAR if canvas.ndim == 3 else cv2.INTER_NEAREST, borderMode=cv2.BORDER_TRANSPARENT,
    )  # fmt: skip
    if corners is not None:
        cut = cv2.warpPerspective(corners, view @ place, canvas.shape[1::-1])
        cv2.copyTo(below, cut, canvas)


@cache
def _corners(radius: int) -> Picture:
    """(SIDE, SIDE): 255 beyond the round corners of a tile, ``radius`` px of its picture."""
    inner = np.zeros((SIDE, SIDE), np.uint8)
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * radius + 1, 2 * radius + 1))
    inner[radius:-radius, radius:-radius] = 255
    return np.asarray(255 - cv2.dilate(inner, kernel), np.uint8)


_GROUNDS: list[Picture] = []


def _table(rng: Rng) -> Picture:
    if len(_GROUNDS) < 120:
        _GROUNDS.append(grounds.base_layer(np.random.default_rng([91, len(_GROUNDS)]), (256, 256)))
    ground = _GROUNDS[int(rng.integers(len(_GROUNDS)))]
    y, x = rng.integers(0, 256 - PATCH_PX, 2)
    return ground[y : y + PATCH_PX, x : x + PATCH_PX].copy()


def _light(rng: Rng) -> F32:
    """(80, 80, 1 or 3): slope, edge of a shadow, glare is added later."""
    y, x = np.mgrid[0:PATCH_PX, 0:PATCH_PX].astype(np.float32) / PATCH_PX - 0.5
    a = rng.uniform(0, 2 * np.pi)
    field = 1 + rng.uniform(0, 0.5) * (np.cos(a) * x + np.sin(a) * y)
    if rng.random() < 0.25:
        b, at = rng.uniform(0, 2 * np.pi), rng.uniform(-0.4, 0.4)
        soft = rng.choice([0.02, 0.1, 0.3])
        edge = np.clip((np.cos(b) * x + np.sin(b) * y - at) / soft, 0, 1)
        field *= 1 - rng.uniform(0.2, 0.75) * edge
    return np.asarray(np.maximum(field, 0.1)[..., None] * rng.uniform(0.5, 1.5), np.float32)


def _figures(rng: Rng, linear: F32) -> None:
    """Standing and lying figures that hide a part, with their shadows, in place."""
    for _ in range(int(rng.choice([0, 1, 2], p=[0.6, 0.33, 0.07]))):
        shape = np.array(MEEPLES[int(rng.integers(len(MEEPLES)))], float) - (0, 8)
        shape *= rng.uniform(0.8, 1.35) / TILE_MM * TILE_PX
        a = rng.uniform(0, 2 * np.pi)
        turn = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
        if rng.random() < 0.5:
            shape = shape * (1, rng.uniform(0.25, 1.0))
        body = shape @ turn.T + rng.uniform(0.1, 0.9, 2) * PATCH_PX
        t = rng.uniform(0, 2 * np.pi)
        thick = np.array([np.cos(t), np.sin(t)]) * rng.uniform(2, 14)
        shade = np.array([np.cos(t + 2), np.sin(t + 2)]) * rng.uniform(2, 20)
        colour = piece_colour(rng) ** 1.6
        _shadow(linear, np.vstack([body, body + shade]), float(rng.uniform(0.2, 0.8)))
        hull = cv2.convexHull(np.vstack([body, body + thick]).astype(np.float32))[:, 0]
        side = colour * rng.uniform(0.3, 0.9)
        cv2.fillPoly(linear, [_fixed(hull)], tuple(map(float, side)), cv2.LINE_AA, 4)
        cv2.fillPoly(linear, [_fixed(body + thick)], tuple(map(float, colour)), cv2.LINE_AA, 4)


def _shadow(linear: F32, points: NDArray[np.float64], dark: float) -> None:
    mask = np.zeros(linear.shape[:2], np.float32)
    hull = cv2.convexHull(points.astype(np.float32))[:, 0]
    cv2.fillPoly(mask, [_fixed(hull)], dark, cv2.LINE_8, 4)
    linear *= 1 - cv2.GaussianBlur(mask, (0, 0), 1.5)[..., None]


def _fixed(points: NDArray[np.floating]) -> NDArray[np.int32]:
    return np.asarray(np.round(points * 16), np.int32)


def _camera(rng: Rng, linear: F32) -> Picture:
    """Resolution, colours, blur and noise of a camera."""
    if rng.random() < 0.6:
        k = float(rng.uniform(0.4, 1.0))
        small = cv2.resize(linear, None, fx=k, fy=k, interpolation=cv2.INTER_AREA)
        linear = cv2.resize(small, (PATCH_PX, PATCH_PX), interpolation=cv2.INTER_LINEAR)
    if rng.random() < 0.12:
        at, r = rng.uniform(0, PATCH_PX, 2), rng.uniform(6, 30)
        y, x = np.mgrid[0:PATCH_PX, 0:PATCH_PX].astype(np.float32)
        spot = np.exp(-((x - at[0]) ** 2 + (y - at[1]) ** 2) / r**2)[..., None] * rng.uniform(
            0.1, 0.9
        )
        linear = linear + (1 - linear) * spot
    linear = linear * float(np.clip((0.3 / (float(linear.mean()) + 1e-3)) ** 0.6, 0.6, 3))
    t = rng.random()
    if t < BRIGHT:
        linear = linear * float(rng.uniform(1.5, 3.5))
    elif t > 1 - DARK:
        linear = linear * float(rng.uniform(0.2, 0.6))
    picture = effects.camera_response(rng, linear)
    picture = effects.lens_and_sensor(rng, picture)
    if rng.random() < 0.15:
        grey = picture.mean(2, keepdims=True)
        picture = picture + (grey - picture) * rng.uniform(0, 0.9)
    return (np.clip(picture, 0, 1) * 255).astype(np.uint8)
