"""Plain pictures of tiles, drawn from their facts alone; no published artwork."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from companion_app.paint import Paint, Point, Rgb, rgb
from engine.carcassonne.faces import Face, Feature, Kind
from engine.carcassonne.ground import GRID, Ground, ground_of
from engine.carcassonne.shapes import CENTRE
from engine.carcassonne.tiles import faces

GRASS, HEDGE, RIM = rgb("#8fae5d"), rgb("#4f6b2f"), rgb("#55703a")
CITY, WALL, ROOF = rgb("#c59a63"), rgb("#6d4526"), rgb("#a4503a")
ROAD, KERB = rgb("#f3ead2"), rgb("#7d7358")
STONE, HOUSE, CROSS = rgb("#e8e2d4"), rgb("#b5493a"), rgb("#2a2a2a")
PENNANT, PENNANT_RIM = rgb("#2f62b0"), rgb("#f7f0df")
MAGIC, MAGIC_CORE = rgb("#7a3fc4"), rgb("#f6d365")
INN, WATER = rgb("#c8372d"), rgb("#4f93c4")
Pixels = NDArray[np.uint8]


class Canvas(Protocol):
    """What is drawn on: ``companion_app.paint.Paint``, or a page."""

    def polygon(self, points: Sequence[Point], colour: Rgb, alpha: float = 1.0) -> None: ...
    def line(
        self, points: Sequence[Point], colour: Rgb, width: float, *, closed: bool = False,
        alpha: float = 1.0,
    ) -> None: ...  # fmt: skip
    def ellipse(
        self, centre: Point, rx: float, ry: float, colour: Rgb, *, width: float = 0.0,
        alpha: float = 1.0,
    ) -> None: ...  # fmt: skip


@lru_cache(maxsize=256)
def tile_picture(tile: str, size: int) -> Pixels:
    """An unturned tile, (size, size, 4) RGBA."""
    paint = Paint(size, size, GRASS)
    draw_tile(paint, tile, float(size))
    return paint.pixels()


def draw_tile(paint: Canvas, tile: str, s: float) -> None:
    """Draws an unturned tile of side ``s`` with its north-west corner at the origin, on grass."""
    face, ground = faces(tile)[0], ground_of(tile)
    _hedges(paint, face, ground, s)
    for outline in ground.cities.values():
        points = _scaled(outline, s)
        paint.polygon(points, CITY)
        paint.line(points, WALL, s * 0.035, closed=True)
    for width, colour in ((0.125, KERB), (0.085, ROAD)):
        for line in ground.roads.values():
            paint.line(_scaled(line, s), colour, s * width)
    _junction(paint, ground, s)
    for number, feature in enumerate(face.features):
        _sign(paint, feature, ground, number, s)
    if face.magic:
        _magic(paint, _magic_spot(face, ground), s)
    paint.line([(0, 0), (s, 0), (s, s), (0, s)], RIM, s * 0.016, closed=True)


def _scaled(points: tuple[Point, ...], s: float) -> list[Point]:
    return [(u * s, v * s) for u, v in points]


def _hedges(paint: Canvas, face: Face, ground: Ground, s: float) -> None:
    """Bushes where two fields meet without a road between them."""
    step = s / GRID
    for (row, column), number in ground.labels.items():
        for near in ((row, column + 1), (row + 1, column)):
            other = ground.labels.get(near, number)
            if other != number and {number, other} <= ground.fields and (row + column) % 2 == 0:
                at = ((column + near[1] + 1) / 2 * step, (row + near[0] + 1) / 2 * step)
                paint.ellipse(at, s * 0.022, s * 0.022, HEDGE)


def _junction(paint: Canvas, ground: Ground, s: float) -> None:
    """A village where roads end at each other."""
    ends = [line for line in ground.roads.values() if math.dist(line[-1], CENTRE) < 1e-6]
    if len(ends) > 1:
        paint.ellipse((s / 2, s / 2), s * 0.085, s * 0.085, KERB)
        paint.ellipse((s / 2, s / 2), s * 0.062, s * 0.062, HOUSE)


def _sign(paint: Canvas, feature: Feature, ground: Ground, number: int, s: float) -> None:
    u, v = ground.anchors[number]
    if feature.kind is Kind.MONASTERY:
        _monastery(paint, s)
    elif feature.kind is Kind.CITY:
        if feature.pennants:
            at = _room(ground, frozenset({number}), (u, v), 0.08, 0.2)
            _pennant(paint, (at[0] * s, at[1] * s), s)
        if feature.cathedral:
            _cathedral(paint, (u * s, v * s), s)
    elif feature.inn:
        _inn(paint, _room(ground, ground.fields, (u, v), 0.09, 0.0), s)


def _room(ground: Ground, numbers: frozenset[int], near: Point, margin: float, far: float) -> Point:
    """The point nearest to ``near``, but ``far`` from it, with room around it in some features."""
    best, at = math.inf, near
    for row, column in ground.labels:
        u, v = (column + 0.5) / GRID, (row + 0.5) / GRID
        off = (-margin, 0.0, margin)
        around = [(u + du, v + dv) for du in off for dv in off]
        if min(map(min, around)) < 0.01 or max(map(max, around)) > 0.99:
            continue
        away = abs(math.dist((u, v), near) - far)
        if away < best and all(ground.feature_at(p) in numbers for p in around):
            best, at = away, (u, v)
    return at


def _monastery(paint: Canvas, s: float) -> None:
    body = [(0.38, 0.64), (0.38, 0.47), (0.62, 0.47), (0.62, 0.64)]
    roof = [(0.34, 0.48), (0.5, 0.34), (0.66, 0.48)]
    paint.ellipse((s / 2, s / 2), s * 0.19, s * 0.19, HEDGE, alpha=0.35)
    for points, colour in ((body, STONE), (roof, HOUSE)):
        scaled = [(u * s, v * s) for u, v in points]
        paint.polygon(scaled, colour)
        paint.line(scaled, CROSS, s * 0.014, closed=True)
    paint.line([(s / 2, s * 0.24), (s / 2, s * 0.35)], CROSS, s * 0.02)
    paint.line([(s * 0.46, s * 0.28), (s * 0.54, s * 0.28)], CROSS, s * 0.02)
    paint.polygon([(s * 0.47, s * 0.64), (s * 0.47, s * 0.54), (s * 0.53, s * 0.54), (s * 0.53, s * 0.64)], CROSS)  # fmt: skip


def _pennant(paint: Canvas, at: Point, s: float) -> None:
    x, y, r = at[0], at[1], s * 0.07
    shield = [(x - r, y - r), (x + r, y - r), (x + r, y + r * 0.3), (x, y + r * 1.3), (x - r, y + r * 0.3)]  # fmt: skip
    paint.polygon(shield, PENNANT)
    paint.line(shield, PENNANT_RIM, s * 0.02, closed=True)


def _cathedral(paint: Canvas, at: Point, s: float) -> None:
    x, y, r = at[0], at[1], s * 0.17
    parts = (
        [(x - r, y + r), (x - r, y - r * 0.2), (x + r, y - r * 0.2), (x + r, y + r)],
        [(x - r, y - r * 0.2), (x - r * 0.6, y - r * 1.3), (x - r * 0.2, y - r * 0.2)],
        [(x + r * 0.2, y - r * 0.2), (x + r * 0.6, y - r * 1.3), (x + r, y - r * 0.2)],
    )
    for points, colour in zip(parts, (STONE, ROOF, ROOF), strict=True):
        paint.polygon(points, colour)
        paint.line(points, CROSS, s * 0.014, closed=True)


def _inn(paint: Canvas, at: Point, s: float) -> None:
    x, y, r = at[0] * s, at[1] * s, s * 0.085
    paint.ellipse((x + r * 0.5, y + r * 0.5), r * 1.3, r * 0.95, WATER)
    house = [(x - r, y + r * 0.5), (x - r, y - r * 0.2), (x, y - r), (x + r, y - r * 0.2), (x + r, y + r * 0.5)]  # fmt: skip
    paint.polygon(house, INN)
    paint.line(house, CROSS, s * 0.012, closed=True)


def _magic_spot(face: Face, ground: Ground) -> Point:
    """A corner that is not a meeple's place: furthest from all of them."""
    corners = ((0.13, 0.13), (0.87, 0.13), (0.87, 0.87), (0.13, 0.87))
    return max(corners, key=lambda c: min(math.dist(c, a) for a in ground.anchors))


def _magic(paint: Canvas, at: Point, s: float) -> None:
    """A star on a disc: the magic symbol."""
    x, y = at[0] * s, at[1] * s
    paint.ellipse((x, y), s * 0.1, s * 0.1, RIM)
    paint.ellipse((x, y), s * 0.09, s * 0.09, MAGIC)
    points = []
    for n in range(10):
        r = s * 0.075 * (1.0 if n % 2 == 0 else 0.45)
        angle = math.pi * n / 5 - math.pi / 2
        points.append((x + r * math.cos(angle), y + r * math.sin(angle)))
    paint.polygon(points, MAGIC_CORE)
