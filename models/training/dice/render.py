"""One die as a camera sees it: rays marched to a rounded cube, in linear light.

Frame of the scene: the die's foot at the origin, z up, lengths in sides of the die.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.dice.looks import LAYOUT, SIGN_PX, DieLook

Rng = np.random.Generator
F32 = NDArray[np.float32]
STEPS = 6
CENTRE = np.array([0.0, 0.0, 0.5])
TOP = np.array([0.0, 0.0, 1.0])
# The six sides: axis and sign, the top first.  Opposite sides of a die add up to seven.
SIDES = ((2, 1), (2, -1), (0, 1), (0, -1), (1, 1), (1, -1))


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """A camera that looks at the die's middle.

    ``forward``, ``right``, ``down``: unit vectors (3,) of the picture.  ``distance`` in sides;
    ``side_px``: picture px of one side at the middle.
    """

    forward: NDArray[np.float64]
    right: NDArray[np.float64]
    down: NDArray[np.float64]
    distance: float
    side_px: float

    def project(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """(N, 3) points to (N, 2) px from the projection of the die's middle."""
        q = np.asarray(points, np.float64).reshape(-1, 3) - CENTRE
        scale = self.side_px * self.distance / (self.distance + q @ self.forward)
        return np.stack([q @ self.right, q @ self.down], 1) * scale[:, None]


def view_from(
    elevation: float, azimuth: float, roll: float, distance: float, side_px: float
) -> View:
    """The camera ``elevation`` over the table; angles in radians, ``roll`` about its axis."""
    ce, se, ca, sa = np.cos(elevation), np.sin(elevation), np.cos(azimuth), np.sin(azimuth)
    forward = -np.array([ce * ca, ce * sa, se])
    right = np.array([-sa, ca, 0.0])
    down = np.cross(forward, right)
    c, s = np.cos(roll), np.sin(roll)
    return View(forward, c * right + s * down, c * down - s * right, distance, side_px)


@dataclass(frozen=True, slots=True, eq=False)
class Light:
    """One lamp from the direction ``to_lamp`` (3,), the sky, and how hot the shine is."""

    to_lamp: NDArray[np.float64]
    lamp: float
    sky: float
    haze: float  # the top reflects this much of the sky, unpainted


def sides_with(top: int, rng: Rng) -> tuple[int, ...]:
    """Values of SIDES for a die that shows ``top``."""
    pairs = [p for p in ((1, 6), (2, 5), (3, 4)) if top not in p]
    rng.shuffle(pairs)
    rest = [v for p in pairs for v in (p if rng.random() < 0.5 else p[::-1])]
    return (top, 7 - top, *rest)


def draw(
    look: DieLook, values: tuple[int, ...], yaw: float, view: View, light: Light, rng: Rng,
    shift: tuple[float, float], size: int,
) -> tuple[F32, F32]:  # fmt: skip
    """Colours (size, size, 3) linear BGR and cover (size, size), both 0 to 1.

    ``shift``: where the die's middle lies, px from the middle of the picture.  ``values`` as in
    `sides_with`; ``yaw`` turns the die.
    """
    fine = 2 if view.side_px > 20 else 3
    n = size * fine
    grid = (np.arange(n, dtype=np.float32) + 0.5) / fine - size / 2
    reach = np.float32(view.side_px * view.distance)
    x, y = np.meshgrid((grid - np.float32(shift[0])) / reach, (grid - np.float32(shift[1])) / reach)
    turn = _turn(-yaw)
    f, r, d = (turn @ v for v in (view.forward, view.right, view.down))
    rays = np.stack([f[k] + x.ravel() * r[k] + y.ravel() * d[k] for k in range(3)])
    rays = (rays / np.sqrt((rays * rays).sum(0))).astype(np.float32)
    eye = (-f * view.distance).astype(np.float32)[:, None]
    hit, where, normal = _march(look, eye, rays)
    colour = np.zeros((n * n, 3), np.float32)
    if hit.any():
        colour[hit] = _shade(look, values, where, normal, rays[:, hit], turn, light, rng)
    cover = hit.astype(np.float32).reshape(n, n)
    small = cv2.resize(cover, (size, size), interpolation=cv2.INTER_AREA)
    mixed = cv2.resize(colour.reshape(n, n, 3), (size, size), interpolation=cv2.INTER_AREA)
    return mixed / np.maximum(small, 1e-3)[..., None], small


def shadow(view: View, light: Light) -> NDArray[np.float64]:
    """(N, 2) outline of the shadow on the table, px from the die's middle (any yaw)."""
    t = np.arange(8) * np.pi / 4
    ring = 0.55 * np.stack([np.cos(t), np.sin(t)], 1)
    points = np.concatenate([np.column_stack([ring, np.full(8, z)]) for z in (0.02, 0.95)])
    fall = points - light.to_lamp * (points[:, 2:] / light.to_lamp[2])
    return view.project(fall)


def _turn(angle: float) -> NDArray[np.float64]:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])


def _march(look: DieLook, eye: F32, rays: F32) -> tuple[NDArray[np.bool_], F32, F32]:
    """Which of the rays (3, R) hit, and of those that do the point and the normal, cube centred."""
    with np.errstate(divide="ignore", invalid="ignore"):
        a, b = (-0.5 - eye) / rays, (0.5 - eye) / rays
    near, far = np.minimum(a, b).max(0), np.maximum(a, b).min(0)
    maybe = np.flatnonzero(near < far)
    t, way = near[maybe], rays[:, maybe]
    for _ in range(STEPS):
        t = t + _gap(look, eye + t * way)
    where = eye + t * way
    good = _gap(look, where) < 0.015
    hit = np.zeros(rays.shape[1], bool)
    hit[maybe[good]] = True
    where = where[:, good]
    return hit, where, _normal(look, where)


def _gap(look: DieLook, p: F32) -> F32:
    """Signed distance (N,) of points (3, N) to the rounded cube cut with a ball."""
    q = np.abs(p) - np.float32(0.5 - look.rounding)
    box = np.sqrt((np.maximum(q, 0) ** 2).sum(0)) + np.minimum(q.max(0), 0) - look.rounding
    ball = np.sqrt((p * p).sum(0)) - look.ball
    return np.maximum(box, ball).astype(np.float32)


def _normal(look: DieLook, p: F32) -> F32:
    """Outward normals (3, N) at points of the surface, smooth over the edges."""
    q = np.abs(p) - np.float32(0.5 - look.rounding)
    out = np.maximum(q, 0)
    length = np.sqrt((out * out).sum(0))
    box = length + np.minimum(q.max(0), 0) - look.rounding
    reach = np.sqrt((p * p).sum(0))
    mix = np.clip((reach - look.ball - box) / 0.03 + 0.5, 0, 1)
    normal = np.sign(p) * out / np.maximum(length, 1e-6) * (1 - mix) + p / reach * mix
    return _unit(normal.astype(np.float32))


def _unit(vectors: F32) -> F32:
    """(3, N) of length one."""
    return vectors / np.maximum(np.sqrt((vectors * vectors).sum(0)), 1e-6)


def _shade(
    look: DieLook, values: tuple[int, ...], where: F32, normal: F32, rays: F32,
    turn: NDArray[np.float64], light: Light, rng: Rng,
) -> F32:  # fmt: skip
    """(N, 3) linear BGR of points (3, N) on the surface."""
    body = _body(look, where, rng)
    paint, dent = _pips(look, values, where, rng)
    normal = _unit(normal - dent * np.float32(look.dent))
    to_lamp = (turn @ light.to_lamp).astype(np.float32)
    lit = np.maximum(to_lamp @ normal, 0) * light.lamp
    up = normal[2]
    sky = light.sky * (0.55 + 0.45 * up) * (0.75 + 0.25 * np.clip(where[2] + 0.5, 0, 1))
    sky = np.maximum(sky, 0.12 * (light.sky + light.lamp))  # the table throws light back
    colour = (body * (1 - paint[:, 3:]) + paint[:, :3] * paint[:, 3:]) * (lit + sky)[:, None]
    half = _unit(to_lamp[:, None] - rays)
    shine = look.shine * light.lamp * np.maximum((normal * half).sum(0), 0) ** 40
    haze = light.haze * np.clip(up, 0, 1) ** 8
    return (colour + (shine + haze)[:, None]).astype(np.float32)


def _body(look: DieLook, where: F32, rng: Rng) -> F32:
    if look.marble <= 0:
        return (look.body**1.6)[None].astype(np.float32)
    wave = np.zeros(where.shape[1], np.float32)
    for _ in range(3):
        way = rng.normal(0, 4.0, 3).astype(np.float32)
        wave += np.sin(way @ where + np.float32(rng.uniform(0, 6)))
    share = look.marble * np.clip(0.5 + 0.4 * wave, 0, 1)[:, None]
    return ((look.body * (1 - share) + look.body2 * share) ** 1.6).astype(np.float32)


def _pips(look: DieLook, values: tuple[int, ...], where: F32, rng: Rng) -> tuple[F32, F32]:
    """Paint (N, 4) BGR and cover, and how the normal leans in the dents (3, N)."""
    count = where.shape[1]
    paint, dent = np.zeros((count, 4), np.float32), np.zeros((3, count), np.float32)
    if look.blank:
        return paint, dent
    axis = np.abs(where).argmax(0)
    for value, (k, sign) in zip(values, SIDES, strict=True):
        rows = np.flatnonzero((axis == k) & (np.sign(where[k]) == sign))
        if not len(rows):
            continue
        i, j = [a for a in range(3) if a != k]
        u, v = where[i, rows], where[j, rows]
        colour = look.odd_pip.get(value, look.pip) ** 1.6
        if look.sign is not None and value in look.sign_of:
            scale = SIGN_PX / 0.8
            at = [((w + 0.4) * scale - 0.5)[:, None].astype(np.float32) for w in (u, v)]
            cover = cv2.remap(look.sign, at[0], at[1], cv2.INTER_LINEAR)[:, 0]
        else:
            cover, du, dv = _spots(look, value, u, v, rng)
            dent[i, rows], dent[j, rows] = du, dv
        paint[rows, :3], paint[rows, 3] = colour, cover
    return paint, dent


def _spots(look: DieLook, value: int, u: F32, v: F32, rng: Rng) -> tuple[F32, F32, F32]:
    """Cover of the pips of one face, and how far off their middles the points in them lie."""
    radius = look.radius * (look.one if value == 1 else 1.0)
    flip = 1 if rng.random() < 0.5 else -1
    cover, du, dv = np.zeros_like(u), np.zeros_like(u), np.zeros_like(u)
    for a, b in LAYOUT[value]:
        if value == 6 and flip < 0:
            a, b = b, a
        elif value != 6:
            a = a * flip
        x, y = u - np.float32(a * look.spread), v - np.float32(b * look.spread)
        r = np.maximum(np.abs(x), np.abs(y)) * 1.12 if look.square else np.hypot(x, y)
        inside = np.clip((radius - r) / 0.03 + 0.5, 0, 1)
        cover = np.maximum(cover, inside)
        du, dv = du + inside * x / radius, dv + inside * y / radius
    return cover.astype(np.float32), du.astype(np.float32), dv.astype(np.float32)
