"""Small pictures with dice on tables, printed boards and among pieces, with their labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.dice import looks, render
from models.training.dice.looks import DieLook
from models.training.dice.render import Light, View
from models.training.synthesis import effects, grounds
from models.training.synthesis.colours import any_colour, hsv

Rng = np.random.Generator
F32 = NDArray[np.float32]
Picture = NDArray[np.uint8]
SIZE = 160
# Columns of Scene.dice.
X, Y, SIDE, PIPS, SEEN, SPIN = range(6)
GAMMA = 1.6
PLAIN_GROUNDS = 200


@dataclass(frozen=True, slots=True, eq=False)
class Scene:
    """``picture`` (SIZE, SIZE, 3) BGR; ``dice`` (N, 6): middle of the top face (px, origin at the
    centre of the first pixel), side (px), pips (0: a sign), share of the top face that is seen,
    and the turn of the picture's vertical (radians)."""

    picture: Picture
    dice: F32


@dataclass(frozen=True, slots=True, eq=False)
class Taken:
    """How all dice of a scene are seen and lit."""

    elevation: float
    azimuth: float
    roll: float
    distance: float
    side_px: float
    light: Light

    def view(self, rng: Rng) -> View:
        """The camera as one die sees it: a little different from place to place."""
        e, a = self.elevation + rng.normal(0, 0.04), self.azimuth + rng.normal(0, 0.06)
        side = self.side_px * float(np.exp(rng.normal(0, 0.04)))
        return render.view_from(min(e, np.pi / 2), a, self.roll, self.distance, side)


def make_scene(rng: Rng, tables: Sequence[Picture]) -> Scene:
    """Draws one scene; ``tables``: pictures of tables without dice to take grounds from."""
    taken = _taken(rng)
    ground = _ground(rng, tables, taken.side_px)
    linear = (ground.astype(np.float32) / 255) ** GAMMA
    dice = np.zeros((0, 6), np.float32)
    if rng.random() > 0.07:
        linear, dice = _with_dice(rng, linear, taken)
    if rng.random() < 0.3:
        linear *= effects.light_field(rng, (SIZE, SIZE))
    dice = _occlude(rng, linear, dice)
    linear *= float(np.exp(rng.normal(0.05, 0.2)))
    if rng.random() < 0.12:
        linear *= float(rng.uniform(1.3, 2.4))
    picture = effects.camera_response(rng, linear)
    picture = effects.lens_and_sensor(rng, picture)
    if rng.random() < 0.1:
        picture = _moved(rng, picture, taken.side_px)
    return Scene(_jpeg(rng, (picture * 255).astype(np.uint8)), dice)


def _taken(rng: Rng) -> Taken:
    elevation = np.deg2rad(90 - abs(rng.normal(0, 30)))
    elevation = float(np.clip(elevation, np.deg2rad(27), np.pi / 2))
    roll = rng.normal(0, 0.2)
    # From high above the vertical may point anywhere; from low down cameras are held upright.
    if elevation > np.deg2rad(rng.uniform(52, 68)) or rng.random() < 0.05:
        roll = rng.uniform(-np.pi, np.pi)
    side = float(np.exp(rng.uniform(np.log(13), np.log(46))))
    lamp_up, lamp_side = np.deg2rad(rng.uniform(25, 85)), rng.uniform(0, 2 * np.pi)
    to_lamp = np.array(
        [np.cos(lamp_up) * np.cos(lamp_side), np.cos(lamp_up) * np.sin(lamp_side), np.sin(lamp_up)]
    )
    share = float(rng.uniform(0.05, 0.75))
    haze = float(rng.uniform(0, 0.5)) if rng.random() < 0.3 else 0.0
    light = Light(to_lamp, share / to_lamp[2], 1 - share, haze)
    distance = float(np.exp(rng.uniform(np.log(7), np.log(60))))
    return Taken(elevation, rng.uniform(0, 2 * np.pi), float(roll), distance, side, light)


def _ground(rng: Rng, tables: Sequence[Picture], side: float) -> Picture:
    if len(tables) and rng.random() < 0.55:
        table = tables[int(rng.integers(len(tables)))]
        # Dice are about as big as the pieces that stand there.
        zoom = float(np.clip(side / 18 * np.exp(rng.normal(0, 0.35)), 0.6, 3.0))
        n = min(int(SIZE / zoom), min(table.shape[:2]) - 1)
        y = int(rng.integers(table.shape[0] - n))
        x = int(rng.integers(table.shape[1] - n))
        cut = np.ascontiguousarray(table[y : y + n, x : x + n])
        return np.asarray(cv2.resize(cut, (SIZE, SIZE), interpolation=cv2.INTER_LINEAR), np.uint8)
    # A ground serves several scenes: drawing one costs more than all dice on it.
    base = _plain_ground(int(rng.integers(PLAIN_GROUNDS)))
    at = rng.integers(0, len(base) - 2 * SIZE, 2)
    cut = base[at[0] : at[0] + 2 * SIZE, at[1] : at[1] + 2 * SIZE]
    ground = np.asarray(cv2.resize(cut, (SIZE, SIZE), interpolation=cv2.INTER_AREA), np.uint8)
    _scribble(rng, ground, side)
    return ground


@cache
def _plain_ground(number: int) -> Picture:
    return grounds.base_layer(np.random.default_rng([91, number]), (512, 512))


def _scribble(rng: Rng, ground: Picture, side: float) -> None:
    """Lines, dots, rings, letters and plates that lie about, in place."""
    for _ in range(int(rng.choice([0, 2, 5, 10], p=[0.4, 0.3, 0.2, 0.1]))):
        colour = tuple(int(v * 255) for v in any_colour(rng))
        x, y = (int(v) for v in rng.integers(0, SIZE, 2))
        kind = rng.integers(5)
        if kind == 0:
            to = (int(rng.integers(SIZE)), int(rng.integers(SIZE)))
            cv2.line(ground, (x, y), to, colour, int(rng.integers(1, 5)), cv2.LINE_AA)
        elif kind == 1:
            thick = int(rng.choice([-1, 1, 2]))
            cv2.circle(
                ground, (x, y), int(side * rng.uniform(0.08, 0.8)) + 1, colour, thick, cv2.LINE_AA
            )
        elif kind == 2:
            text = "".join(
                rng.choice(list("ABCDEFGHabcdefghij0123456789 .:"), int(rng.integers(1, 9)))
            )
            cv2.putText(ground, text, (x - 20, y), cv2.FONT_HERSHEY_SIMPLEX,
                        float(side * rng.uniform(0.008, 0.04)), colour, int(rng.integers(1, 3)), cv2.LINE_AA)  # fmt: skip
        elif kind == 3:
            step, r = side * rng.uniform(0.2, 0.5), max(1, int(side * 0.1))
            for k in range(int(rng.integers(2, 9))):
                cv2.circle(ground, (int(x + k * step), y), r, colour, -1, cv2.LINE_AA)
        else:
            size = tuple(float(v) for v in rng.uniform(0.5, 3, 2) * side)
            box = cv2.boxPoints(((float(x), float(y)), size, float(rng.uniform(0, 90))))
            cv2.fillConvexPoly(ground, box.astype(np.int32), colour, cv2.LINE_AA)


def _with_dice(rng: Rng, linear: F32, taken: Taken) -> tuple[F32, F32]:
    """The ground with dice, and their labels."""
    look = looks.random_look(rng)
    count = int(rng.choice([1, 2, 3, 5], p=[0.35, 0.35, 0.2, 0.1]))
    places = _places(rng, count, taken.side_px)
    light = taken.light
    dark = np.zeros((SIZE, SIZE), np.float32)
    views = [taken.view(rng) for _ in places]
    for view, place in zip(views, places, strict=True):
        outline = cv2.convexHull((render.shadow(view, light) + place).astype(np.float32))
        cv2.fillConvexPoly(dark, np.round(outline * 16).astype(np.int32), 1.0, cv2.LINE_8, 4)
    soft = taken.side_px * float(rng.choice([0.03, 0.12, 0.3]))
    dark = cv2.GaussianBlur(dark, (0, 0), soft) * (light.lamp * light.to_lamp[2])
    linear = linear * (1 - dark[..., None])
    rows, owner = [], np.full((SIZE, SIZE), -1, np.int32)
    for i, (view, place) in enumerate(zip(views, places, strict=True)):
        if rng.random() < 0.15:
            look = looks.random_look(rng)
        mine = looks.plain_cube(rng) if rng.random() < 0.06 else look
        value = int(rng.integers(1, 7))
        linear = _lay(rng, linear, mine, value, view, light, place, owner, i)
        top = view.project(render.TOP)[0] + place
        pips = 0 if mine.sign is not None and value in mine.sign_of else value
        if not mine.blank:
            spin = np.arctan2(view.down @ [0, 0, -1], view.right @ [0, 0, 1])
            rows.append((i, *top, view.side_px, pips, spin))
    dice = [
        (x, y, side, pips, _seen(owner, i, views[i], places[i]), spin)
        for i, x, y, side, pips, spin in rows
    ]
    return linear, np.array(dice, np.float32).reshape(-1, 6)


def _places(rng: Rng, count: int, side: float) -> list[NDArray[np.float64]]:
    """Middles of dice, farther ones (higher up) first; some touch one another."""
    places: list[NDArray[np.float64]] = []
    for _ in range(60):
        if len(places) == count:
            break
        if places and rng.random() < 0.4:
            t = rng.uniform(0, 2 * np.pi)
            at = places[-1] + side * rng.uniform(1.0, 1.5) * np.array([np.cos(t), np.sin(t)])
        else:
            at = rng.uniform(0.04, 0.96, 2) * SIZE
        if (
            all(np.hypot(*(at - p)) > side * 1.0 for p in places)
            and (abs(at - SIZE / 2) < SIZE / 2).all()
        ):
            places.append(at)
    return sorted(places, key=lambda p: p[1])


def _lay(
    rng: Rng, linear: F32, look: DieLook, value: int, view: View, light: Light,
    place: NDArray[np.float64], owner: NDArray[np.int32], index: int,
) -> F32:  # fmt: skip
    """One die over the picture."""
    size = 2 * int(np.ceil(view.side_px * 0.95)) + 4
    corner = np.floor(place + 0.5 - size / 2).astype(int)
    # A pixel's middle is half a pixel from its corner.
    shift = place + 0.5 - (corner + size / 2)
    values = render.sides_with(value, rng)
    colour, cover = render.draw(
        look, values, rng.uniform(0, 2 * np.pi), view, light, rng, (shift[0], shift[1]), size
    )
    x0, y0 = np.maximum(corner, 0)
    x1, y1 = np.minimum(corner + size, SIZE)
    if x1 <= x0 or y1 <= y0:
        return linear
    a, b = (slice(y0 - corner[1], y1 - corner[1]), slice(x0 - corner[0], x1 - corner[0]))
    share, paint = cover[a, b, None], colour[a, b]
    under = linear[y0:y1, x0:x1]
    if look.clear:
        paint = paint * (1 - look.clear) + look.clear * 0.8 * under
    linear[y0:y1, x0:x1] = under * (1 - share) + paint * share
    owner[y0:y1, x0:x1][cover[a, b] > 0.5] = index
    return linear


def _seen(owner: NDArray[np.int32], index: int, view: View, place: NDArray[np.float64]) -> float:
    """Share of sample points of the top face where this die is in front, inside the picture."""
    g = np.linspace(-0.33, 0.33, 7)
    u, v = np.meshgrid(g, g)
    points = np.column_stack([u.ravel(), v.ravel(), np.ones(u.size)])
    px = np.round(view.project(points) + place).astype(int)
    inside = ((px >= 0) & (px < SIZE)).all(1)
    px = np.clip(px, 0, SIZE - 1)
    return float((inside & (owner[px[:, 1], px[:, 0]] == index)).mean())


def _occlude(rng: Rng, linear: F32, dice: F32) -> F32:
    """Now and then something lies over a part of the picture; dice under it are seen less."""
    if rng.random() > 0.12 or not len(dice):
        return dice
    die = dice[int(rng.integers(len(dice)))]
    t = rng.uniform(0, 2 * np.pi)
    way = np.array([np.cos(t), np.sin(t)])
    edge = die[[X, Y]] + way * die[SIDE] * rng.uniform(-0.2, 1.2)
    y, x = np.mgrid[0:SIZE, 0:SIZE].astype(np.float32)
    bend = rng.uniform(0, 0.02) * ((x - edge[0]) * -way[1] + (y - edge[1]) * way[0]) ** 2 / SIZE
    over = np.clip((x - edge[0]) * way[0] + (y - edge[1]) * way[1] - bend, 0, 1).astype(np.float32)
    skin = hsv(rng.uniform(8, 26), rng.uniform(0.25, 0.65), rng.uniform(0.35, 0.95))
    colour = skin if rng.random() < 0.6 else any_colour(rng)
    linear[:] = linear * (1 - over[..., None]) + over[..., None] * colour**GAMMA
    out = dice.copy()
    for row in out:
        r = 0.3 * row[SIDE]
        a, b = max(int(row[Y] - r), 0), max(int(row[X] - r), 0)
        part = over[a : int(row[Y] + r) + 1, b : int(row[X] + r) + 1]
        row[SEEN] *= 1 - float(part.mean()) if part.size else 0.0
    return out


def _moved(rng: Rng, picture: F32, side: float) -> F32:
    """A blur along one direction, up to a fifth of a side."""
    n = max(2, int(side * rng.uniform(0.05, 0.2)) + 1)
    kernel = np.zeros((n, n), np.float32)
    a, c = rng.uniform(0, np.pi), (n - 1) / 2
    w = np.array([np.cos(a), np.sin(a)]) * c
    ends = [tuple(round(v) for v in c + s * w) for s in (-1, 1)]
    cv2.line(kernel, ends[0], ends[1], 1.0, 1)
    return np.asarray(cv2.filter2D(picture, -1, kernel / max(float(kernel.sum()), 1)), np.float32)


def _jpeg(rng: Rng, picture: Picture) -> Picture:
    quality = int(rng.choice([40, 60, 75, 88, 95]))
    code = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
    return np.asarray(cv2.imdecode(code, cv2.IMREAD_COLOR), np.uint8)
