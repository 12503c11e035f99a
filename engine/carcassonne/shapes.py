"""Where cities and roads lie on a tile: polygons and lines that follow from its facts alone.

Points are (u, v) in tile units from the north-west corner, u to the east and v to the south.  A city
is a cap behind its side, a corner, or the whole tile but caps at its other sides.  A road is a curve
between two sides, or ends at a junction, a monastery or a city's wall.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.carcassonne.faces import Feature
from engine.geometry import Point

CAP = 0.24
CORNER_BEND = 0.42
CURVE_STEPS = 10
CENTRE: Point = (0.5, 0.5)
# The middles of the sides N E S W.
MIDDLES: tuple[Point, ...] = ((0.5, 0.0), (1.0, 0.5), (0.5, 1.0), (0.0, 0.5))
# Corners clockwise from the north-west; side n runs from corner n to corner n + 1.
CORNERS: tuple[Point, ...] = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))


def curve(start: Point, bend: Point, end: Point, steps: int = CURVE_STEPS) -> list[Point]:
    """A quadratic Bézier curve as a line of ``steps`` + 1 points."""
    points = []
    for n in range(steps + 1):
        t = n / steps
        a, b, c = (1 - t) ** 2, 2 * t * (1 - t), t * t
        points.append(
            (a * start[0] + b * bend[0] + c * end[0], a * start[1] + b * bend[1] + c * end[1])
        )
    return points


def cap(side: int) -> list[Point]:
    """The inner rim of what lies behind one side, from its first corner to its second."""
    x, y = MIDDLES[side]
    # A quadratic curve reaches half as far as its bend.
    bend = (x + (0.5 - x) * 4 * CAP, y + (0.5 - y) * 4 * CAP)
    return curve(CORNERS[side], bend, CORNERS[(side + 1) % 4])


def apex(side: int) -> Point:
    """The innermost point of a cap."""
    x, y = MIDDLES[side]
    return x + (0.5 - x) * 2 * CAP, y + (0.5 - y) * 2 * CAP


def city_outline(feature: Feature) -> tuple[Point, ...]:
    """The polygon of a city."""
    sides = feature.ports
    if len(sides) == 1:
        return tuple(cap(sides[0]))
    first = _corner_side(sides)
    if first is not None:
        a, corner, b = (CORNERS[(first + n) % 4] for n in range(3))
        return (corner, *reversed(_corner_wall(a, corner, b)))
    points: list[Point] = []
    for side in range(4):
        points += [CORNERS[side]] if side in sides else cap(side)[:-1]
    return tuple(points)


def wall_point(feature: Feature, road: int) -> Point:
    """Where a road from the side ``road`` meets the wall of a city."""
    sides = feature.ports
    if len(sides) == 1:
        return apex(sides[0])
    first = _corner_side(sides)
    if first is not None:
        a, corner, b = (CORNERS[(first + n) % 4] for n in range(3))
        wall = _corner_wall(a, corner, b)
        return wall[len(wall) // 2]
    return apex(road)


def _corner_side(sides: Sequence[int]) -> int | None:
    """The first of two neighbouring sides, clockwise; None for other sides."""
    if len(sides) != 2:
        return None
    return next((s for s in sides if (s + 1) % 4 in sides), None)


def _corner_wall(a: Point, corner: Point, b: Point) -> list[Point]:
    bend = tuple(CORNER_BEND if c == 0.0 else 1 - CORNER_BEND for c in corner)
    return curve(a, (bend[0], bend[1]), b)


def road_line(sides: Sequence[int], end: Point = CENTRE) -> tuple[Point, ...]:
    """The middle line of a road: between two sides, or from one to ``end``."""
    start = MIDDLES[sides[0]]
    if len(sides) == 2:
        straight = (sides[0] + 2) % 4 == sides[1]
        return tuple(curve(start, CENTRE, MIDDLES[sides[1]], 2 if straight else CURVE_STEPS))
    if any(abs(a - b) < 1e-9 for a, b in zip(start, end, strict=True)):
        return tuple(curve(start, ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2), end, 2))
    inward = (start[0] + (0.5 - start[0]) * 0.85, start[1] + (0.5 - start[1]) * 0.85)
    return tuple(curve(start, inward, end))
