"""Checks how the cells of a board lie on it: what the measuring screens see to, also for files from
elsewhere.

A cell is named with the remedy.  What a real board may have passes: cells that touch, that lie over
each other by a line's width, that stick out a little; boards without a game may have cells apart.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from engine.errors import BoardFileError
from engine.geometry import Point, area, centroid

TOLD = {
    "board.cell_crosses": (
        "the outline of cell {cell} crosses itself: give its corners one after the other around it"
    ),
    "board.cell_small": (
        "cell {cell} is far smaller than the others: correct its corners, or leave the cell out"
    ),
    "board.cell_outside": (
        "cell {cell} lies outside the board of {width} × {height} mm: correct its corners, or the size"
        " of the board"
    ),
    "board.cells_overlap": (
        "cells {a} and {b} lie over each other: correct their corners, or leave one of them out"
    ),
    "board.cells_tangled": (
        "too many cells lie across each other, {cell} among them: measure the board again"
    ),
    "board.cell_alone": (
        "cell {cell} has no neighbours, so nothing can go there: name its neighbours, or leave the cell"
        " out"
    ),
    "board.cell_apart": (
        "no way leads from cell {cell} to {other}: name the neighbours between them, or leave the cell"
        " out"
    ),
}
LEAST_OF_MEDIAN = 0.01  # of the area of a typical cell
MOST_SHARED = 0.25  # of the smaller cell: drawn lines are thick, and fingers tap beside them
SCANS = 16  # lines on which two cells are compared
# Looking longer than this at pairs of cells would be a file made to keep the program busy.
MOST_BOXES, MOST_CORNERS = 2_000_000, 400_000
Box = tuple[float, float, float, float]
Polygons = Mapping[str, Sequence[Point]]
Wrong = tuple[str, dict[str, str]]  # what, with which cells


def check_shape(polygons: Polygons, size_mm: tuple[float, float], where: str) -> None:
    """Raises BoardFileError with one sentence that names a cell, by its id, and the remedy.

    ``where`` names the file.
    """
    _refuse(_misshapen(polygons, size_mm), where)


def check_reach(neighbours: Mapping[str, Sequence[str]], where: str) -> None:
    """Raises BoardFileError if pieces that walk from neighbour to neighbour cannot reach a cell.

    ``neighbours`` by the cells' ids, mutual.
    """
    _refuse(_unreached(neighbours), where)


def _refuse(wrong: Iterator[Wrong], where: str) -> None:
    for key, params in wrong:
        raise BoardFileError(f"{where}: {TOLD[key].format(**params)}", key=key, params=params)


def _misshapen(polygons: Polygons, size_mm: tuple[float, float]) -> Iterator[Wrong]:
    areas = {cell: area(polygon) for cell, polygon in polygons.items()}
    typical = sorted(areas.values())[len(areas) // 2]
    for cell, polygon in polygons.items():
        if _crosses(polygon):
            yield "board.cell_crosses", {"cell": cell}
        if areas[cell] < LEAST_OF_MEDIAN * typical:
            yield "board.cell_small", {"cell": cell}
        if _outside(polygon, size_mm, math.sqrt(typical) / 2):
            width, height = (f"{side:g}" for side in size_mm)
            yield "board.cell_outside", {"cell": cell, "width": width, "height": height}
    yield from _overlapping(polygons, areas)


def _crosses(polygon: Sequence[Point]) -> bool:
    """Whether two sides that do not follow each other have a point inside both."""
    sides = list(zip(polygon, (*polygon[1:], polygon[0]), strict=True))
    for n, (a, b) in enumerate(sides):
        left, right = (a[0], b[0]) if a[0] < b[0] else (b[0], a[0])
        for c, d in sides[n + 2 :]:
            if (c[0] < left and d[0] < left) or (c[0] > right and d[0] > right):
                continue
            if _turn(a, b, c) * _turn(a, b, d) < 0 and _turn(c, d, a) * _turn(c, d, b) < 0:
                return True
    return False


def _turn(a: Point, b: Point, c: Point) -> float:
    """Positive if a, b, c turn one way, negative the other way, 0 if that cannot be told apart."""
    turn = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    scale = (abs(b[0] - a[0]) + abs(b[1] - a[1])) * (abs(c[0] - a[0]) + abs(c[1] - a[1]))
    return turn if abs(turn) > 1e-9 * scale else 0.0


def _outside(polygon: Sequence[Point], size_mm: tuple[float, float], slack: float) -> bool:
    """Whether the cell's centre is off the board, or a corner by more than ``slack``."""
    middle = centroid(polygon)
    return any(
        not 0 <= middle[i] <= size_mm[i]
        or any(not -slack <= p[i] <= size_mm[i] + slack for p in polygon)
        for i in (0, 1)
    )


def _overlapping(polygons: Polygons, areas: Mapping[str, float]) -> Iterator[Wrong]:
    """Pairs of cells of which one hides much of the other; cells are looked at from left to right."""
    boxes = {cell: _box(polygon) for cell, polygon in polygons.items()}
    open_cells: list[str] = []
    looked = corners = 0
    for cell in sorted(boxes, key=lambda c: boxes[c][0]):
        left, top, _, bottom = boxes[cell]
        open_cells = [other for other in open_cells if boxes[other][2] > left]
        looked += len(open_cells)
        for other in open_cells:
            if boxes[other][3] <= top or boxes[other][1] >= bottom:
                continue
            corners += len(polygons[cell]) + len(polygons[other])
            if looked > MOST_BOXES or corners > MOST_CORNERS:
                yield "board.cells_tangled", {"cell": cell}
                return
            shared = _shared(polygons[cell], boxes[cell], polygons[other], boxes[other])
            if shared > MOST_SHARED * min(areas[cell], areas[other]):
                first, second = sorted((cell, other), key=list(polygons).index)
                yield "board.cells_overlap", {"a": first, "b": second}
        open_cells.append(cell)


def _box(polygon: Sequence[Point]) -> Box:
    """Left, top, right, bottom."""
    xs, ys = zip(*polygon, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def _shared(one: Sequence[Point], its: Box, other: Sequence[Point], others: Box) -> float:
    """About the area that two simple polygons share, from lines through both."""
    top, bottom = max(its[1], others[1]), min(its[3], others[3])
    step = (bottom - top) / SCANS
    total = 0.0
    for n in range(SCANS):
        y = top + (n + 0.5) * step
        for left, right in _runs(one, y):
            for its_left, its_right in _runs(other, y):
                total += max(0.0, min(right, its_right) - max(left, its_left))
    return total * step


def _runs(polygon: Sequence[Point], y: float) -> list[tuple[float, float]]:
    """Where a level line is inside the polygon, as (from, to)."""
    found = []
    x0, y0 = polygon[-1]
    for x1, y1 in polygon:
        if (y0 > y) != (y1 > y):
            found.append(x0 + (y - y0) * (x1 - x0) / (y1 - y0))
        x0, y0 = x1, y1
    found.sort()
    return list(pairwise(found))[::2]


def _unreached(neighbours: Mapping[str, Sequence[str]]) -> Iterator[Wrong]:
    """Cells that do not hang together with most of the board."""
    groups: list[list[str]] = []
    seen: set[str] = set()
    for start in neighbours:
        if start in seen:
            continue
        group = [start]
        seen.add(start)
        for cell in group:
            fresh = [n for n in neighbours[cell] if n not in seen]
            seen.update(fresh)
            group.extend(dict.fromkeys(fresh))
        groups.append(group)
    most = max(groups, key=len)
    for group in groups:
        if group is not most:
            cell = group[0]
            if not neighbours[cell]:
                yield "board.cell_alone", {"cell": cell}
            else:
                yield "board.cell_apart", {"cell": cell, "other": most[0]}
