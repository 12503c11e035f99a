"""The plain feature map of a tile: which road, city, monastery or field lies at a point.

It follows from the tile's facts alone (``shapes``): roads that end on the tile end where the fields
are then parted as the facts say.  Frame as in ``shapes``, for the tile as it lies.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import product

from engine.carcassonne.faces import Face, Kind
from engine.carcassonne.shapes import CENTRE, city_outline, road_line, wall_point
from engine.carcassonne.tiles import faces
from engine.geometry import Point, contains, distance_from_line

GRID = 32
HOUSE, ROAD_WIDTH = 0.19, 0.13
# The middles of the halves NL NR EL ER SL SR WL WR.
HALF_AT: tuple[Point, ...] = (
    (0.25, 0.0), (0.75, 0.0), (1.0, 0.25), (1.0, 0.75),
    (0.75, 1.0), (0.25, 1.0), (0.0, 0.75), (0.0, 0.25),
)  # fmt: skip
FREE = -1
GOOD_ENOUGH = 0.1  # faults of a few squares in the corners
Square = tuple[int, int]  # row from the north, column from the west
Labels = dict[Square, int]
SQUARES = tuple(product(range(GRID), range(GRID)))


@dataclass(frozen=True)
class Ground:
    """The map of one face.

    ``labels``: number of the feature per square (row, column) of a grid of GRID by GRID;
    ``anchors``: per feature a point well inside it, where its meeple stands; ``cities`` (polygons)
    and ``roads`` (lines from the rim) by number of the feature; ``fields``: their numbers.
    """

    labels: Mapping[Square, int]
    anchors: tuple[Point, ...]
    cities: Mapping[int, tuple[Point, ...]]
    roads: Mapping[int, tuple[Point, ...]]
    fields: frozenset[int] = field(default_factory=frozenset)

    def feature_at(self, point: Point) -> int:
        """The number of the feature at a point; one beside the tile counts as on its rim."""
        column, row = (min(GRID - 1, max(0, int(c * GRID))) for c in point)
        return self.labels[row, column]

    def chances(self, foot: Point, sigma: float, lying: float) -> dict[int, float]:
        """Probability of each feature for a figure whose foot was seen at ``foot`` with a standard
        deviation of ``sigma``; ``lying``: probability that it lies, as it does only on fields."""
        reach = max(3.0 * sigma, 1.5 / GRID)
        rows, columns = (
            range(max(0, int((c - reach) * GRID)), min(GRID, int((c + reach) * GRID) + 1))
            for c in (foot[1], foot[0])
        )
        mass: dict[int, float] = {self.feature_at(foot): 1e-9}
        for row, column in product(rows, columns):
            far = math.dist(_middle((row, column)), foot)
            number = self.labels[row, column]
            weight = math.exp(-((far / max(sigma, 0.5 / GRID)) ** 2) / 2)
            mass[number] = mass.get(number, 0.0) + weight
        weighed = {
            n: m * (lying if n in self.fields else 1.0 - lying) for n, m in mass.items()
        }  # fmt: skip
        if sum(weighed.values()) <= 0.0:
            weighed = mass
        total = sum(weighed.values())
        return {n: w / total for n, w in weighed.items() if w > 0.0}


@cache
def ground_of(tile: str, rot: int = 0) -> Ground:
    """The feature map of a kind of tile in one of its turns (degrees clockwise)."""
    if rot:
        return _turned(ground_of(tile, rot - 90))
    face = faces(tile)[0]
    cities = {n: city_outline(f) for n, f in enumerate(face.features) if f.kind is Kind.CITY}
    built: _Built | None = None
    for roads in _road_choices(face):
        other = _Built(face, cities, roads)
        built = other if built is None or other.faults < built.faults else built
        if built.faults < GOOD_ENOUGH:
            break
    assert built is not None
    anchors = tuple(built.anchor(n) for n in range(len(face.features)))
    fields = frozenset(n for n, f in enumerate(face.features) if f.kind is Kind.FIELD)
    return Ground(built.labels, anchors, cities, built.roads, fields)


def _turned(ground: Ground) -> Ground:
    """A quarter turn clockwise: the north-west corner goes to the north-east."""

    def turn(points: tuple[Point, ...]) -> tuple[Point, ...]:
        return tuple((1.0 - v, u) for u, v in points)

    labels = {(r, c): ground.labels[GRID - 1 - c, r] for r, c in SQUARES}
    return Ground(
        labels, turn(ground.anchors), {n: turn(p) for n, p in ground.cities.items()},
        {n: turn(p) for n, p in ground.roads.items()}, ground.fields,
    )  # fmt: skip


def _road_choices(face: Face) -> Iterator[dict[int, tuple[Point, ...]]]:
    """Every way to lead the roads that end on the tile, the plainest first."""
    roads = {n: f.ports for n, f in enumerate(face.features) if f.kind is Kind.ROAD}
    cities = [f for f in face.features if f.kind is Kind.CITY]
    ends: list[list[Point]] = []
    for ports in roads.values():
        walls = [wall_point(city, ports[0]) for city in cities]
        single = len(ports) == 1 and face.monastery is None
        open_centre = not any(contains(city_outline(city), CENTRE) for city in cities)
        ends.append([*([CENTRE] if open_centre else []), *walls] if single else [CENTRE])
    for choice in product(*ends):
        yield {
            n: road_line(ports, end)
            for (n, ports), end in zip(roads.items(), choice, strict=True)
        }  # fmt: skip


def _middle(square: Square) -> Point:
    return (square[1] + 0.5) / GRID, (square[0] + 0.5) / GRID


def _beside(square: Square) -> Iterator[Square]:
    row, column = square
    for near in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
        if 0 <= near[0] < GRID and 0 <= near[1] < GRID:
            yield near


class _Built:
    """One way to draw a tile; ``faults``: how far its fields are parted otherwise than they are."""

    def __init__(
        self,
        face: Face,
        cities: Mapping[int, tuple[Point, ...]],
        roads: dict[int, tuple[Point, ...]],
    ) -> None:
        self._face, self.roads = face, roads
        self.labels: Labels = {s: self._solid(_middle(s), cities) for s in SQUARES}
        self.faults = 0.0
        starts = self._starts()
        parts = list(self._parts())
        for part in parts:
            self._name(part, {n for n, at in starts if at in part})
        for number in {n for n, _ in starts}:
            touched = sum(any(at in part for n, at in starts if n == number) for part in parts)
            self.faults += touched - 1

    def _solid(self, point: Point, cities: Mapping[int, tuple[Point, ...]]) -> int:
        """The city, monastery or road at a point."""
        if self._face.monastery is not None and math.dist(point, CENTRE) < HOUSE:
            return self._face.monastery
        for number, outline in cities.items():
            if contains(outline, point):
                return number
        near = [(distance_from_line(line, point), number) for number, line in self.roads.items()]
        far, number = min(near, default=(1.0, FREE))
        return number if far < ROAD_WIDTH / 2 else FREE

    def _starts(self) -> list[tuple[int, Square]]:
        """Per field and half of a side that it meets, the free square nearest to its middle."""
        free = [s for s, label in self.labels.items() if label == FREE]
        found = []
        for number, feature in enumerate(self._face.features):
            for port in feature.ports if feature.kind is Kind.FIELD else ():
                at = HALF_AT[port - 4]
                found.append((number, min(free, key=lambda s: math.dist(_middle(s), at))))
        return found

    def _parts(self) -> Iterator[set[Square]]:
        """The connected parts of what is neither city, road nor monastery."""
        left = {s for s, label in self.labels.items() if label == FREE}
        while left:
            start = left.pop()
            part, queue = {start}, deque([start])
            while queue:
                for near in _beside(queue.popleft()):
                    if near in left:
                        left.discard(near)
                        part.add(near)
                        queue.append(near)
            yield part

    def _name(self, part: set[Square], fields: set[int]) -> None:
        """Gives a part to the fields that begin in it, each square to the nearest half's."""
        features = self._face.features
        every = {n for n, f in enumerate(features) if f.kind is Kind.FIELD}
        inner = {n for n in every if not features[n].ports}
        named = fields or inner or every
        self.faults += len(fields) - 1 if fields else 0 if inner else 0.01 * len(part)
        self.faults += 0.25 * len(self._bordered(part) ^ self._said(fields)) if fields else 0
        ports = [(HALF_AT[p - 4], n) for n in sorted(named) for p in features[n].ports]
        for square in part:
            at = _middle(square)
            nearest = min(ports, key=lambda p: math.dist(p[0], at), default=None)
            self.labels[square] = nearest[1] if nearest is not None else min(named)

    def _bordered(self, part: set[Square]) -> set[int]:
        """The cities beside a part."""
        beside = {self.labels[near] for square in part for near in _beside(square)}
        return {n for n in beside if n != FREE and self._face.features[n].kind is Kind.CITY}

    def _said(self, fields: set[int]) -> set[int]:
        return {city for n in fields for city in self._face.features[n].touches}

    def anchor(self, number: int) -> Point:
        """A point well inside a feature: half-way along a road, else furthest from its rim."""
        if number in self.roads:
            line = self.roads[number]
            return line[len(line) // 2]
        if number == self._face.monastery:
            return CENTRE
        depth = {s: 0 for s, label in self.labels.items() if label == number}
        left = set(depth)
        layer = 0
        while left:
            # Squares peeled off from the rim inwards, corners as well, one layer at a time.
            layer += 1
            rim = {s for s in left if any(n not in left for n in _around(s))}
            depth |= dict.fromkeys(rim, layer)
            left -= rim
        deepest = [s for s, d in depth.items() if d == max(depth.values())]
        middle = tuple(sum(_middle(s)[i] for s in depth) / len(depth) for i in (0, 1))
        best = min(deepest, key=lambda s: math.dist(_middle(s), (middle[0], middle[1])))
        return _middle(best)


def _around(square: Square) -> Iterator[Square]:
    """The eight squares around, also those beside the tile."""
    row, column = square
    for dr, dc in product((-1, 0, 1), repeat=2):
        if dr or dc:
            yield row + dr, column + dc
