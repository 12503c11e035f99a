"""What stands on a tile: walls, towers, houses, clutter, and the signs that count."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.carcassonne.faces import Kind, Tile
from models.training.synthesis.colours import any_colour, hsv
from models.training.tiles import emblems, others, paint
from models.training.tiles.outline import F64, Outline
from models.training.tiles.paint import Brush
from models.training.tiles.style import Style

Rng = np.random.Generator
Map = NDArray[np.int8]


def walls(brush: Brush, style: Style, rng: Rng, plan: Outline) -> None:
    """Walls with teeth and towers, in place."""
    dark = style.wall_colour * 0.3
    for line in plan.walls:
        if style.wall > 0:
            if style.ink > 0 or style.wall > 0.02:
                brush.line(line, style.wall + 0.012, dark)
            brush.line(line, style.wall, style.wall_colour)
        if style.merlons and style.wall > 0:
            _merlons(brush, line, style)
        if style.tower > 0 and len(line) > 4:
            for k in rng.choice(
                np.arange(2, len(line) - 2), int(rng.integers(0, 5)), replace=False
            ):
                _tower(brush, style, rng, line[k])
    if plan.walls and rng.random() < 0.3 and style.houses > 3:
        line = plan.walls[int(rng.integers(len(plan.walls)))]
        at = line[len(line) // 2]
        for dx in (-0.07, 0.07):
            _tower(brush, style, rng, at + np.array([dx, 0.0]), 0.04)


def _merlons(brush: Brush, line: F64, style: Style) -> None:
    lengths = np.concatenate([[0], np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1))])
    for d in np.arange(0.02, lengths[-1], max(0.035, style.wall * 1.6)):
        at = [float(np.interp(d, lengths, line[:, k])) for k in (0, 1)]
        side = max(style.wall * 0.55, 0.014)
        brush.fill(paint.box(at, side, side), style.wall_colour * 1.25, ink=False)


def _tower(brush: Brush, style: Style, rng: Rng, at: F64, radius: float | None = None) -> None:
    r = radius or style.tower * rng.uniform(0.8, 1.1)
    x, y = at
    if style.house in ("roof", "block"):
        brush.disc(at, r, style.wall_colour)
        brush.disc(at, r * 0.55, style.roofs[0])
        return
    brush.fill(paint.box((x, y), 1.3 * r, 2.2 * r), style.wall_colour)
    brush.fill([(x - 0.9 * r, y - r), (x, y - 2.4 * r), (x + 0.9 * r, y - r)], style.roofs[0])


def _places(features: Map, numbers: set[int], room: float, rng: Rng, count: int) -> list[F64]:
    """Up to ``count`` points of these features, at least ``room`` tiles from anything else."""
    side = features.shape[0]
    mask = np.isin(features, list(numbers)).astype(np.uint8)
    inner = cv2.distanceTransform(np.pad(mask, 1, mode="edge"), cv2.DIST_L2, 3)[1:-1, 1:-1]
    rows, columns = np.nonzero(inner > room * side)
    margin = room * side * 0.7
    keep = (np.minimum(rows, columns) > margin) & (np.maximum(rows, columns) < side - margin)
    rows, columns = rows[keep], columns[keep]
    if not len(rows):
        return []
    chosen = rng.integers(0, len(rows), count)
    return [np.array([columns[k] + 0.5, rows[k] + 0.5]) / side for k in chosen]


def _numbers(tile: Tile, kind: Kind) -> set[int]:
    return {n for n, f in enumerate(tile.features) if f.kind is kind}


def houses(brush: Brush, style: Style, rng: Rng, tile: Tile, features: Map) -> None:
    """Houses in the cities, in place."""
    cathedral = any(f.cathedral for f in tile.features)
    if style.town_clutter > 0 and not cathedral:
        _town_clutter(brush, style, rng, tile, features)
    count = int(style.houses * rng.uniform(0.5, 1.3))
    for at in sorted(
        _places(features, _numbers(tile, Kind.CITY), style.house_size * 0.4, rng, count),
        key=lambda p: float(p[1]),
    ):
        if cathedral and np.hypot(*(at - 0.5)) < 0.3:
            continue
        roof = style.roofs[int(rng.integers(len(style.roofs)))] * rng.uniform(0.85, 1.1)
        wall = style.church_colours[0] * rng.uniform(0.8, 1)
        paint.house(
            brush, rng, style.house, at, style.house_size * rng.uniform(0.7, 1.2), wall, roof
        )


def _town_clutter(brush: Brush, style: Style, rng: Rng, tile: Tile, features: Map) -> None:
    """Trees, squares and wells between the houses: things that mean nothing."""
    count = int(rng.poisson(style.town_clutter))
    for at in _places(features, _numbers(tile, Kind.CITY), 0.05, rng, count):
        if rng.random() < 0.5:
            paint.tree(brush, rng, at, rng.uniform(0.02, 0.05), style.field * 0.8)
        elif rng.random() < 0.5:
            brush.disc(at, rng.uniform(0.02, 0.06), style.city * rng.uniform(0.6, 1.3))
        else:
            brush.fill(
                paint.box(at, *rng.uniform(0.04, 0.14, 2)), style.city * rng.uniform(0.6, 1.3)
            )


def clutter(brush: Brush, style: Style, rng: Rng, tile: Tile, features: Map) -> None:
    """Trees, farms, animals, crops on fields: things that mean nothing."""
    fields = _numbers(tile, Kind.FIELD)
    for at in _places(features, fields, 0.05, rng, int(rng.poisson(style.clutter))):
        what = rng.random()
        if what < 0.55:
            paint.tree(brush, rng, at, rng.uniform(0.025, 0.06), style.field * 0.8)
        elif what < 0.75:
            roof = style.roofs[int(rng.integers(len(style.roofs)))]
            paint.house(
                brush,
                rng,
                style.house,
                at,
                style.house_size * rng.uniform(0.6, 1.2),
                style.church_colours[0],
                roof,
            )
            if rng.random() < 0.4:
                brush.line(paint.box(at, 0.2, 0.16), 0.008, hsv(25, 0.5, 0.3), closed=True)
        elif what < 0.88:
            for _ in range(int(rng.integers(1, 4))):
                brush.disc(
                    at + rng.normal(0, 0.025, 2), 0.014, np.full(3, rng.uniform(0.6, 1), np.float32)
                )
        elif what < 0.96:
            w, h = rng.uniform(0.08, 0.2, 2)
            tone = hsv(rng.uniform(35, 110), rng.uniform(0.3, 0.8), rng.uniform(0.4, 0.9))
            for k in np.linspace(-h / 2, h / 2, 5):
                brush.line(at + np.array([(-w / 2, k), (w / 2, k + 0.02)]), 0.012, tone)
        else:
            brush.disc(at, rng.uniform(0.015, 0.04), any_colour(rng))


@dataclass(frozen=True, slots=True)
class Mark:
    """Where a sign of `vision.tiles.structure.SIGNS` is painted: ``at`` and ``radius`` in tiles."""

    sign: str
    at: tuple[float, float]
    radius: float


def signs(
    brush: Brush, style: Style, rng: Rng, tile: Tile, plan: Outline, features: Map
) -> list[Mark]:
    """What counts besides edges and ways: buildings, pennants, magic, inns, cathedrals."""
    marks = []
    if plan.junction is not None:
        _crossing(brush, style, rng, plan.junction)
    if plan.monastery is not None:
        _monastery(brush, style, rng, plan.monastery)
        marks.append(_mark("monastery", plan.monastery, 0.8 * style.church_size))
    for number, feature in enumerate(tile.features):
        if feature.cathedral:
            size = rng.uniform(0.5, 0.7)
            if rng.random() < 0.5:
                brush.disc((0.5, 0.5), size * 0.6, style.city * 0.75)
            kind = "big" if style.church == "iso" and rng.random() < 0.6 else style.church
            _church(brush, style, rng, kind, (0.5, 0.5), size)
            marks.append(_mark("cathedral", (0.5, 0.5), 0.8 * size))
        if feature.pennants:
            at = _places(features, {number}, style.pennant_size * 0.55, rng, 1)
            at = at or _places(features, {number}, style.pennant_size * 0.3, rng, 1)
            place = at[0] if at else np.array([0.2, 0.2])
            size, colours = style.pennant_size, style.pennant_colours
            if "/" in style.pennant:
                emblems.coat(brush, style.pennant, place, size, colours)
            else:
                paint.pennant(brush, style.pennant, place, size, colours)
            marks.append(_mark("pennant", place, size))
        if feature.inn:
            marks.append(_inn(brush, style, rng, dict(plan.roads)[number]))
    if tile.magic:
        every = {int(v) for v in np.unique(features)}
        at = _places(features, every, 0.0, rng, 1)[0]
        at = np.clip(at, style.magic_size * 0.6, 1 - style.magic_size * 0.6)
        if "/" in style.magic:
            emblems.spell(brush, style.magic, at, style.magic_size, style.magic_colours)
        else:
            paint.magic(brush, rng, style.magic, at, style.magic_size, style.magic_colours)
        marks.append(_mark("magic", at, style.magic_size))
    return marks


def _mark(sign: str, at: Sequence[float] | F64, size: float) -> Mark:
    return Mark(sign, (float(at[0]), float(at[1])), size / 2)


def _monastery(brush: Brush, style: Style, rng: Rng, at: F64) -> None:
    size = style.church_size * rng.uniform(0.9, 1.15)
    if rng.random() < 0.4:
        brush.disc(
            at,
            size * rng.uniform(0.6, 0.75),
            style.field * rng.uniform(0.6, 1.4),
            ink=rng.random() < 0.5,
        )
    if rng.random() < 0.2:
        t = np.linspace(0, 2 * np.pi, int(rng.integers(4, 16)), endpoint=False)
        ring = at + 0.62 * size * np.column_stack([np.cos(t), np.sin(t)])
        brush.line(ring, 0.012, hsv(25, 0.4, 0.35), closed=True)
    _church(brush, style, rng, style.church, at, size)


def _church(
    brush: Brush, style: Style, rng: Rng, kind: str, at: Sequence[float] | F64, size: float
) -> None:
    if kind in others.CHURCHES:
        others.church(brush, rng, kind, at, size, *style.church_colours)
    else:
        paint.church(brush, rng, kind, at, size, *style.church_colours)


def _crossing(brush: Brush, style: Style, rng: Rng, at: F64) -> None:
    kind, r = style.crossing, rng.uniform(0.07, 0.13)
    if kind == "village":
        if rng.random() < 0.5:
            brush.disc(at, r, style.field * rng.uniform(0.7, 1.2))
        for _ in range(int(rng.integers(1, 5))):
            roof = style.roofs[int(rng.integers(len(style.roofs)))]
            paint.house(
                brush,
                rng,
                style.house,
                at + rng.normal(0, 0.05, 2),
                style.house_size * rng.uniform(0.7, 1.3),
                style.church_colours[0],
                roof,
            )
        if rng.random() < 0.3:
            t = np.linspace(0, 2 * np.pi, 9)
            brush.line(
                at + 0.15 * np.column_stack([np.cos(t), np.sin(t)]),
                0.008,
                hsv(25, 0.5, 0.3),
                closed=True,
            )
    elif kind == "bushes":
        for _ in range(3):
            paint.tree(
                brush, rng, at + rng.normal(0, 0.05, 2), rng.uniform(0.03, 0.05), style.field * 0.7
            )
    elif kind == "square":
        brush.disc(at, r, style.road_colour if rng.random() < 0.5 else style.edge_colour)
    elif kind == "tower":
        _tower(brush, style, rng, at, 0.06)
    elif kind == "stones":
        for _ in range(5):
            brush.disc(
                at + rng.normal(0, 0.04, 2), 0.02, np.full(3, rng.uniform(0.4, 0.8), np.float32)
            )


def _inn(brush: Brush, style: Style, rng: Rng, road: F64) -> Mark:
    """A house at the water beside the road."""
    k = int(rng.integers(len(road) // 3, max(len(road) * 2 // 3, len(road) // 3 + 1)))
    way = road[min(k + 1, len(road) - 1)] - road[k - 1]
    normal = np.array([-way[1], way[0]]) / (np.hypot(*way) + 1e-9)
    if rng.random() < 0.5:
        normal = -normal
    off = style.road_width / 2
    if style.inn != others.INNS[0]:
        roof = style.roofs[int(rng.integers(len(style.roofs)))]
        house = style.house, style.church_colours[0], roof
        foot = road[k] + normal * off
        middle, wide = others.inn(
            brush, rng, style.inn, foot, normal, style.inn_size, style.water, house
        )
        return _mark("inn", middle, wide)
    at = np.clip(road[k] + normal * (off + 0.1), 0.14, 0.86)
    if rng.random() < 0.92:
        paint.pond(
            brush,
            rng,
            np.clip(at + normal * 0.04, 0.15, 0.85),
            rng.uniform(0.09, 0.16) * style.inn_size,
            style.water,
        )
    roof = style.roofs[int(rng.integers(len(style.roofs)))]
    paint.house(
        brush,
        rng,
        style.house,
        road[k] + normal * (off + 0.05),
        rng.uniform(0.11, 0.17) * style.inn_size,
        style.church_colours[0],
        roof,
    )
    return _mark("inn", road[k] + normal * (off + 0.07), 0.2 * style.inn_size)
