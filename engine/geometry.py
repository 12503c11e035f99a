"""Plane geometry on board millimetres, without arrays."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

Point = tuple[float, float]


def area(polygon: Sequence[Point]) -> float:
    """Unsigned area of a simple polygon (shoelace formula)."""
    total = 0.0
    for (x0, y0), (x1, y1) in zip(polygon, (*polygon[1:], polygon[0]), strict=True):
        total += x0 * y1 - x1 * y0
    return abs(total) / 2


def centroid(polygon: Sequence[Point]) -> Point:
    """Centre of mass of a simple polygon; the mean of the corners when it has no area."""
    twice, cx, cy = 0.0, 0.0, 0.0
    for (x0, y0), (x1, y1) in zip(polygon, (*polygon[1:], polygon[0]), strict=True):
        cross = x0 * y1 - x1 * y0
        twice += cross
        cx += (x0 + x1) * cross
        cy += (y0 + y1) * cross
    if abs(twice) < 1e-9:
        n = len(polygon)
        return sum(p[0] for p in polygon) / n, sum(p[1] for p in polygon) / n
    return cx / (3 * twice), cy / (3 * twice)


def contains(polygon: Sequence[Point], point: Point) -> bool:
    """Whether a point lies inside a simple polygon (even-odd rule)."""
    x, y = point
    inside = False
    for (x0, y0), (x1, y1) in zip(polygon, (*polygon[1:], polygon[0]), strict=True):
        if (y0 > y) != (y1 > y) and x < (x1 - x0) * (y - y0) / (y1 - y0) + x0:
            inside = not inside
    return inside


def distance_to(polygon: Sequence[Point], point: Point) -> float:
    """How far a point lies outside a simple polygon; 0 inside."""
    if contains(polygon, point):
        return 0.0
    return distance_from_line((*polygon, polygon[0]), point)


def distance_from_line(line: Sequence[Point], point: Point) -> float:
    """How far a point lies from a line through points; infinite for fewer than two of them."""
    return min(
        (math.dist(point, _nearest(a, b, point)) for a, b in pairwise(line)), default=math.inf
    )


def _nearest(a: Point, b: Point, point: Point) -> Point:
    """The point of a side nearest to a point."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    along = (point[0] - a[0]) * dx + (point[1] - a[1]) * dy
    share = min(1.0, max(0.0, along / max(dx * dx + dy * dy, 1e-12)))
    return a[0] + share * dx, a[1] + share * dy
