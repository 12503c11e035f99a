"""Where cities, roads and buildings lie on one tile: outlines in the unit square, unturned.

u to the east, v to the south, (0, 0) the north-west corner.  Sides 0 to 3 are N E S W.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from engine.carcassonne.faces import Feature, Kind, Tile, side_of

Rng = np.random.Generator
F64 = NDArray[np.float64]
STEPS = 25
CENTRE = np.array([0.5, 0.5])


@dataclass(frozen=True, slots=True, eq=False)
class Outline:
    """``cities``: feature number and polygon (N, 2); ``walls``: the parts of their rims that lie
    inside the tile; ``roads``: feature number and line; ``junction``: where three or more roads
    end, None without; ``monastery``: middle of its building."""

    cities: tuple[tuple[int, F64], ...]
    walls: tuple[F64, ...]
    roads: tuple[tuple[int, F64], ...]
    junction: F64 | None
    monastery: F64 | None


@dataclass(frozen=True, slots=True)
class Manner:
    """How an artist draws outlines.  ``depth``: how far a city reaches into the tile, 0 to 1 of what
    there is room for; ``rough``: wobble of walls; ``wind``: bends of roads; ``flat``: 0 arcs, 1
    straight sides with a flat middle; ``inset``: how far from the corners a city begins."""

    depth: float = 0.5
    rough: float = 0.0
    wind: float = 0.0
    flat: float = 0.3
    inset: float = 0.0
    loose: float = 0.0  # how much copies of one tile and the ends of roads differ


def turn(points: F64, quarters: int) -> F64:
    """Points after quarter turns clockwise about the middle of the tile."""
    for _ in range(quarters % 4):
        points = np.column_stack([1 - points[:, 1], points[:, 0]])
    return points


def outline(tile: Tile, manner: Manner, rng: Rng) -> Outline:
    """One drawing of a kind of tile; the same generator state gives the same one."""
    cities, walls = [], []
    for number, feature in enumerate(tile.features):
        if feature.kind is Kind.CITY:
            polygon, rim = _city(tile, feature, manner, rng)
            cities.append((number, polygon))
            walls += rim
    junction = _junction(tile, manner, rng)
    monastery = None
    if any(f.kind is Kind.MONASTERY for f in tile.features):
        monastery = CENTRE + rng.uniform(-0.04, 0.04, 2)
    roads = [
        (number, _road(tile, feature, manner, rng, junction))
        for number, feature in enumerate(tile.features)
        if feature.kind is Kind.ROAD
    ]  # fmt: skip
    return Outline(tuple(cities), tuple(walls), tuple(roads), junction, monastery)


def _cities(tile: Tile) -> list[Feature]:
    return [f for f in tile.features if f.kind is Kind.CITY]


def _roads(tile: Tile) -> list[Feature]:
    return [f for f in tile.features if f.kind is Kind.ROAD]


def _cap(manner: Manner, rng: Rng, depth: float, steep: float) -> F64:
    """(STEPS, 2): a line from the north-west to the north-east corner that dips by ``depth``."""
    a, b = np.abs(rng.normal(0, 1, 2)) * manner.inset
    t = np.linspace(0, 1, STEPS)
    u = a + t * (1 - a - b)
    arc = 4 * t * (1 - t)
    edge = np.minimum(np.minimum(t, 1 - t) / max(0.5 - 0.34 * manner.flat, 0.12), 1)
    v = depth * ((1 - manner.flat) * arc + manner.flat * edge)
    v = v * (1 + rng.uniform(-0.25, 0.25) * (2 * t - 1) * (1 if steep > 1 else 0))
    v += _wobble(manner, rng, t)
    return np.column_stack([u, np.clip(v, 0, steep * np.minimum(u, 1 - u) + 1e-9)])


def _wobble(manner: Manner, rng: Rng, t: F64) -> F64:
    """Smooth noise that ends at zero."""
    out = np.zeros_like(t)
    for k in range(1, 5):
        out += rng.normal(0, 1) * np.sin(np.pi * k * t) / k
    return np.asarray(out * manner.rough)


def _city(tile: Tile, city: Feature, manner: Manner, rng: Rng) -> tuple[F64, list[F64]]:
    """Polygon of one city and its walls."""
    sides = sorted(city.ports)
    others = [f for f in _cities(tile) if f is not city]
    around = {side_of(p) for f in others for p in f.ports}
    if len(sides) == 1:
        line = _single(tile, sides[0], around, manner, rng)
        line = turn(line, sides[0])
        return line, [line]
    if len(sides) == 2 and (sides[1] - sides[0]) % 2 == 1:
        first = sides[0] if sides[1] - sides[0] == 1 else sides[1]
        line = _corner(tile, bool(around), manner, rng)
        corner = np.array([[1.0, 0.0]])
        return turn(np.vstack([line, corner]), first), [turn(line, first)]
    polygon, walls = [], []
    roads = {side_of(p) for f in _roads(tile) for p in f.ports}
    for side in range(4):
        if side in sides:
            polygon.append(turn(np.array([[0.0, 0.0]]), side))
            continue
        low, high = (0.2, 0.36) if side in roads else (0.12, 0.4)
        if len(sides) == 2:
            high = min(high, 0.34)
        depth = high - (high - low) * np.clip(manner.depth + rng.normal(0, 0.2), 0, 1)
        line = turn(_cap(manner, rng, depth, 9.0), side)
        polygon.append(line)
        walls.append(line)
    return np.vstack(polygon), walls


def _single(tile: Tile, side: int, around: set[int], manner: Manner, rng: Rng) -> F64:
    """A city on one side, drawn on the north."""
    road_sides = {side_of(p) for f in _roads(tile) for p in f.ports}
    high = 0.42 if not road_sides else 0.38
    low, steep = 0.16, 9.0
    if (side + 2) % 4 in around:
        high = 0.36
    if {(side + 1) % 4, (side + 3) % 4} & around:
        high, steep = min(high, 0.34), 0.82
    if _meets_in_middle(tile):
        low = high = 0.52
    elif _split_by_city(tile, side):
        return _tongue(tile, side, manner, rng)
    depth = low + (high - low) * float(np.clip(manner.depth + rng.normal(0, 0.15), 0, 1))
    return _cap(manner, rng, depth, steep)


def _meets_in_middle(tile: Tile) -> bool:
    """Two cities on opposite sides whose roads end where both meet: every field touches only one."""
    fields = [f for f in tile.features if f.kind is Kind.FIELD]
    return (
        len(_cities(tile)) == 2 and len(_roads(tile)) == 2 and len(fields) == 4
        and all(len(f.touches) == 1 for f in fields)
    )  # fmt: skip


def _split_by_city(tile: Tile, side: int) -> bool:
    """A city that reaches from its side to a corner, and so divides the field; no road does."""
    fields = [f for f in tile.features if f.kind is Kind.FIELD]
    return len(fields) == 2 and not _roads(tile) and len(_cities(tile)) == 1


def _tongue(tile: Tile, side: int, manner: Manner, rng: Rng) -> F64:
    """From the north side to the corner between the two fields, on the south-east if unturned."""
    narrow = rng.uniform(0.03, 0.1)
    waist = rng.uniform(0.1, 0.2)
    left = np.array([(0, 0), (0.3, 0.22), (0.5 - waist / 2, 0.5), (1 - narrow, 1.0)])
    right = np.array([(1.0, 1 - narrow), (0.5 + waist, 0.5 - waist), (0.75, 0.2), (1, 0)])
    return np.vstack([_smooth(left), np.array([[1.0, 1.0]]), _smooth(right)])


def _smooth(points: F64) -> F64:
    """A Bezier curve with these control points."""
    t = np.linspace(0, 1, STEPS)[:, None]
    layers = [np.repeat(p[None], STEPS, 0) for p in points]
    while len(layers) > 1:
        layers = [(1 - t) * a + t * b for a, b in pairwise(layers)]
    return layers[0]


def _corner(tile: Tile, crowded: bool, manner: Manner, rng: Rng) -> F64:
    """The wall of a city on the north and the east, from the north-west to the south-east corner."""
    roads = _roads(tile)
    high = 0.3
    if roads:
        high = 0.06 if len(roads[0].ports) == 2 else 0.12
    if crowded:
        high = -0.04
    low = -0.24
    bulge = low + (high - low) * float(np.clip(manner.depth + rng.normal(0, 0.2), 0, 1))
    t = np.linspace(0, 1, STEPS)
    a, b = np.abs(rng.normal(0, 1, 2)) * manner.inset
    arc = 4 * t * (1 - t)
    edge = np.minimum(np.minimum(t, 1 - t) / 0.3, 1)
    off = (bulge * (arc + manner.flat * 0.5 * (edge - arc)) + _wobble(manner, rng, t)) / 2**0.5
    off = np.maximum(off, -0.9 * np.minimum(t, 1 - t))
    line = np.column_stack([a + t * (1 - a), t * (1 - b)])
    return np.asarray(np.clip(line + off[:, None] * np.array([-1.0, 1.0]), 0, 1))


def _junction(tile: Tile, manner: Manner, rng: Rng) -> F64 | None:
    ends = [f for f in _roads(tile) if len(f.ports) == 1]
    if len(ends) < 3:
        return None
    low = 0.1 if _cities(tile) else 0.0
    return CENTRE + np.array([rng.uniform(-0.05, 0.05), rng.uniform(-0.04, 0.05) + low / 2])


def _edge(side: int, manner: Manner, rng: Rng) -> F64:
    """Where a road meets a side."""
    at = 0.5 + float(np.clip(rng.normal(0, 1), -1.5, 1.5)) * 0.02 * min(manner.loose, 1.5)
    return turn(np.array([[at, -0.03]]), side)[0]


def _road(tile: Tile, road: Feature, manner: Manner, rng: Rng, junction: F64 | None) -> F64:
    sides = [side_of(p) for p in road.ports]
    start = _edge(sides[0], manner, rng)
    if len(sides) == 2:
        end = _edge(sides[1], manner, rng)
        if (sides[1] - sides[0]) % 2:
            return _bend(start, end, manner, rng, tile)
        return _across(tile, start, end, manner, rng)
    end = _end(tile, road, junction)
    way = end - start
    normal = np.array([-way[1], way[0]])
    control = (start + end) / 2 + normal * rng.normal(0, 0.16) * min(manner.wind * 6, 1)
    # a road leaves the tile at a right angle, more or less
    inward = start + (CENTRE - turn(np.array([[0.5, -0.03]]), sides[0])[0]) * 0.3
    return _wind(_smooth(np.array([start, inward, control, end])), manner, rng)


def _end(tile: Tile, road: Feature, junction: F64 | None) -> F64:
    """Where a road ends that does not cross the tile."""
    if junction is not None:
        return junction
    number = tile.features.index(road)
    side = side_of(road.ports[0])
    fields = [f for f in tile.features if f.kind is Kind.FIELD]
    beside = [f for f in fields if {4 + 2 * side, 5 + 2 * side} & set(f.ports)]
    touched = [set(f.touches) for f in beside]
    shared = set.intersection(*touched) if touched else set()
    if not shared or number < 0:
        return CENTRE
    sides = [side_of(p) for p in tile.features[min(shared)].ports]
    middles = np.array([turn(np.array([[0.5, 0.16]]), s)[0] for s in sides])
    return np.asarray(middles.mean(0))


def _across(tile: Tile, start: F64, end: F64, manner: Manner, rng: Rng) -> F64:
    """From side to side, with a bow away from a city."""
    t = np.linspace(0, 1, STEPS)[:, None]
    line = (1 - t) * start + t * end
    push = np.zeros(2)
    for city in _cities(tile):
        for port in city.ports:
            away = CENTRE - turn(np.array([[0.5, 0.0]]), side_of(port))[0]
            push += away * rng.uniform(0.06, 0.24)
    bow = np.sin(np.pi * t) ** 1.3 * push
    return _wind(line + bow, manner, rng)


def _bend(start: F64, end: F64, manner: Manner, rng: Rng, tile: Tile) -> F64:
    """From a side to the next; the bow is nearer the middle or nearer the corner."""
    middle = (start + end) / 2
    tight = float(rng.uniform(-0.1, 0.35))
    if len(_roads(tile)) > 1 or len(_cities(tile)) > 1:
        tight = float(rng.uniform(0.05, 0.4))
    control = CENTRE + (middle - CENTRE) * tight
    return _wind(_smooth(np.array([start, control, control, end])), manner, rng)


def _wind(line: F64, manner: Manner, rng: Rng) -> F64:
    """The line with bends; its ends stay."""
    t = np.linspace(0, 1, len(line))
    way = np.gradient(line, axis=0)
    normal = np.column_stack([-way[:, 1], way[:, 0]])
    normal /= np.linalg.norm(normal, axis=1, keepdims=True) + 1e-9
    off = sum(rng.normal(0, 1) * np.sin(np.pi * k * t) / k for k in (2, 3, 4))
    return np.asarray(line + normal * (off * manner.wind)[:, None])
