"""Paints one tile in one artist's style, with its feature map."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.carcassonne.faces import Feature, Kind, Tile
from models.training.synthesis.grounds import noise
from models.training.tiles import others, paint, things
from models.training.tiles.outline import Outline, outline, turn
from models.training.tiles.paint import Brush
from models.training.tiles.style import Style

Rng = np.random.Generator
Picture = NDArray[np.uint8]
Map = NDArray[np.int8]
OVERSAMPLE = 2
TEXTURES, TEXTURE_SIDE = 24, 512


@dataclass(frozen=True, slots=True, eq=False)
class Painted:
    """``picture`` (side, side, 3) BGR; ``features`` (side, side): number of the tile's feature seen
    at each pixel (a monastery where its building stands), -1 where none is; ``plan``: its lines;
    ``marks``: where its signs are."""

    picture: Picture
    features: Map
    plan: Outline
    marks: tuple[things.Mark, ...]


def paint_tile(tile: Tile, style: Style, rng: Rng, side: int = 96) -> Painted:
    """One tile, unturned.  The same style and generator state give the same picture."""
    plan = outline(tile, style.manner, rng)
    big = side * OVERSAMPLE
    features = feature_map(tile, plan, style, side)
    city = _city_mask(plan, big)
    canvas = _ground(style, rng, big, city)
    brush = Brush(canvas, style.ink)
    _roads(brush, style, plan, city)
    things.clutter(brush, style, rng, tile, features)
    things.walls(brush, style, rng, plan)
    things.houses(brush, style, rng, tile, features)
    marks = things.signs(brush, style, rng, tile, plan, features)
    _finish(canvas, style, rng)
    picture = cv2.resize(canvas, (side, side), interpolation=cv2.INTER_AREA)
    return Painted(np.asarray(picture, np.uint8), features, plan, tuple(marks))


def feature_map(tile: Tile, plan: Outline, style: Style, side: int) -> Map:
    """(side, side): what each point of the tile belongs to."""
    out = np.full((side, side), -1, np.int8)
    brush = Brush(np.zeros((side, side, 3), np.uint8))
    ways = np.zeros((side, side), np.int16)
    for number, line in plan.roads:
        width = max(2, round((style.road_width + 2 * style.road_edge) * side))
        cv2.polylines(ways, [brush.fixed(line)], False, number + 1, width, cv2.LINE_8, paint.SHIFT)
    towns = np.zeros((side, side), np.int16)
    for number, polygon in plan.cities:
        cv2.fillPoly(towns, [brush.fixed(polygon)], number + 1, cv2.LINE_8, paint.SHIFT)
    taken = np.where(towns > 0, towns, ways)
    count, parts = cv2.connectedComponents((taken == 0).astype(np.uint8), connectivity=4)
    owner = np.full(count, -1)
    for number, feature in enumerate(tile.features):
        if feature.kind is Kind.FIELD:
            for part in _parts_of(feature, parts, side):
                owner[part] = number
    inner = [n for n, f in enumerate(tile.features) if f.kind is Kind.FIELD and not f.ports]
    if inner and count > 1:
        sizes = np.bincount(parts.ravel(), minlength=count)[1:]
        owner[1 + int(np.argmax(sizes))] = inner[0]
    out[:] = np.where(taken > 0, taken - 1, owner[parts])
    for number, feature in enumerate(tile.features):
        if feature.kind is Kind.MONASTERY and plan.monastery is not None:
            x, y = (int(v) for v in plan.monastery * side)
            cv2.circle(out, (x, y), round(0.4 * style.church_size * side), number, -1)
    return out


def _parts_of(feature: Feature, parts: NDArray[np.int32], side: int) -> set[int]:
    """The numbers of the connected parts that meet the halves of sides of a field."""
    found = set()
    for port in feature.ports:
        quarters, half = divmod(port - 4, 2)
        for along in (0.3, 0.38, 0.22, 0.15):
            at = np.array([[along if half == 0 else 1 - along, 0.02]])
            x, y = (min(int(v * side), side - 1) for v in turn(at, quarters)[0])
            if parts[y, x] > 0:
                found.add(int(parts[y, x]))
                break
    return found


def _city_mask(plan: Outline, big: int) -> Picture:
    mask = np.zeros((big, big), np.uint8)
    brush = Brush(np.zeros((big, big, 3), np.uint8))
    for _, polygon in plan.cities:
        cv2.fillPoly(mask, [brush.fixed(polygon)], 255, cv2.LINE_AA, paint.SHIFT)
    return mask


@cache
def _texture(number: int) -> NDArray[np.float32]:
    """(TEXTURE_SIDE, TEXTURE_SIDE), about -1 to 1."""
    rng = np.random.default_rng([77, number])
    coarse = float(np.exp(rng.uniform(np.log(3), np.log(120))))
    field = noise(rng, (TEXTURE_SIDE, TEXTURE_SIDE), int(rng.integers(2, 6)), coarse)
    return np.asarray(field * 2 - 1, np.float32)


def _cut_texture(rng: Rng, big: int) -> NDArray[np.float32]:
    whole = _texture(int(rng.integers(TEXTURES)))
    y, x = rng.integers(0, TEXTURE_SIDE - big, 2)
    return np.asarray(np.rot90(whole[y : y + big, x : x + big], int(rng.integers(4)))[..., None])


def _ground(style: Style, rng: Rng, big: int, city: Picture) -> Picture:
    """Fields and cities with their textures."""
    layers = []
    for colour, other, grain, specks, pattern in (
        (style.field, style.field_other, style.grain[0], style.specks[0], style.ploughing),
        (style.city, style.city_other, style.grain[1], style.specks[1], style.paving),
    ):
        if grain < 0.03:
            layer = np.empty((big, big, 3), np.float32)
            layer[:] = colour
        else:
            mix = np.clip(0.5 + 0.5 * grain * _cut_texture(rng, big), 0, 1)
            layer = colour * (1 - mix) + other * mix
            layer *= 1 + 0.35 * grain * _cut_texture(rng, big)
        canvas = np.ascontiguousarray((np.clip(layer, 0, 1) * 255).astype(np.uint8))
        if pattern:
            others.pattern(Brush(canvas), pattern, rng, colour)
        _specks(Brush(canvas), rng, int(specks * rng.uniform(0.5, 1.2)), colour)
        layers.append(canvas)
    if style.shade and layers:
        soft = cv2.GaussianBlur(city, (0, 0), 0.03 * big)
        layers[0] = _darker(layers[0], soft, style.shade)
        layers[1] = _darker(layers[1], 255 - soft, style.shade * 0.6)
    alpha = city[..., None].astype(np.uint16)
    mixed = (layers[0] * (255 - alpha) + layers[1] * alpha) // 255
    return np.ascontiguousarray(mixed.astype(np.uint8))


def _darker(canvas: Picture, mask: Picture, amount: float) -> Picture:
    return np.asarray(
        (canvas * (1 - amount * (mask[..., None] / np.float32(255)))).astype(np.uint8)
    )


def _specks(brush: Brush, rng: Rng, count: int, colour: NDArray[np.float32]) -> None:
    at = rng.random((count, 2))
    slant, long = rng.uniform(-1, 1, 2) * 0.012, 0.02 * rng.random((count, 1))
    tone = colour * (0.35 if rng.random() < 0.75 else 1.5)
    ends = np.stack([at, at + slant + long * np.array([0.4, 1])], 1)
    lines = [brush.fixed(e) for e in ends]
    if lines:
        cv2.polylines(brush.canvas, lines, False, paint.bgr(tone), 1, cv2.LINE_AA, paint.SHIFT)


def _roads(brush: Brush, style: Style, plan: Outline, city: Picture) -> None:
    """Roads beside the cities; they end at the walls."""
    before = brush.canvas.copy()
    for width, colour in (
        (style.road_width + 2 * style.road_edge, style.edge_colour),
        (style.road_width, style.road_colour),
    ):
        if width > style.road_width or style.road_edge == 0 or colour is style.road_colour:
            for _, line in plan.roads:
                brush.line(line, width, colour)
    if style.dashed:
        for _, line in plan.roads:
            for k in range(0, len(line) - 2, 4):
                brush.line(line[k : k + 2], 0.012, style.edge_colour)
    np.copyto(brush.canvas, before, where=city[..., None] > 127)


def _finish(canvas: Picture, style: Style, rng: Rng) -> None:
    """Rim, border line, softness, in place."""
    big = canvas.shape[0]
    if style.soft > 0:
        cv2.GaussianBlur(canvas, (0, 0), style.soft * big, dst=canvas)
    if style.vignette > 0:
        ramp = np.minimum(np.arange(big), np.arange(big)[::-1]) / big
        near = np.clip(np.minimum(ramp[:, None], ramp[None]) / 0.08, 0, 1)
        canvas[:] = canvas * (1 - style.vignette * (1 - near[..., None]))
    if style.border > 0:
        w = max(1, round(style.border * big))
        colour = paint.bgr(style.border_colour)
        cv2.rectangle(canvas, (0, 0), (big - 1, big - 1), colour, 2 * w - 1)
