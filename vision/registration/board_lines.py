"""Where a board's own lines run, as its file tells: what four tapped corners are snapped to.

The board file's optional ``lines``: "cells" (the default: the sides of the cells), "centres" (lines
through the centres of the cells, as on a Go board, whose face ends at the outermost crossings),
"outline" (only the edge of the face), or a list of segments ``[[x, y], [x, y]]`` in board mm.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.board import Board
from engine.errors import BoardFileError
from vision.registration.pose import face_corners

Matrix = NDArray[np.float64]

MIN_SEGMENT = 0.3  # of a cell: shorter sides belong to circles and arcs
MAX_SEGMENTS = 2000
ROUNDING_MM = 0.5  # lines that lie nearer to each other are one


@dataclass(frozen=True, eq=False)
class PrintedLines:
    """``segments_mm``: (K, 2, 2).  ``thin``: they are drawn lines, never borders between two
    colours.  ``outline``: the edge of the face is among them."""

    segments_mm: Matrix
    thin: bool
    outline: bool


@dataclass(frozen=True, eq=False)
class LineSamples:
    """``points_mm`` (N, 2) spread evenly over the lines, ``along`` (N, 2) unit vectors of their
    directions, ``side`` (N,): 0 to 3 on the face's top, right, bottom, left edge, else -1."""

    points_mm: Matrix
    along: Matrix
    side: NDArray[np.int64]


def lines_of(board: Board) -> PrintedLines:
    """The lines of a board; raises BoardFileError when the file's ``lines`` makes no sense."""
    wish = board.raw.get("lines", "cells")
    if wish == "outline":
        return PrintedLines(np.zeros((0, 2, 2)), False, True)
    if wish == "centres":
        return PrintedLines(_merged(_through_centres(board)), True, True)
    if wish == "cells":
        return PrintedLines(_merged(_cell_sides(board)), False, True)
    return PrintedLines(_given(wish), False, True)


def sample_lines(lines: PrintedLines, size_mm: tuple[float, float], count: int) -> LineSamples:
    """About ``count`` places spread evenly over the lines and the edge of the face."""
    corners = face_corners(size_mm)
    outline = np.stack([corners, np.roll(corners, -1, axis=0)], axis=1)
    rows = np.concatenate([outline, lines.segments_mm.reshape(-1, 2, 2)])
    lengths = np.linalg.norm(rows[:, 1] - rows[:, 0], axis=1)
    points, along, side = [], [], []
    for i, ((a, b), length) in enumerate(zip(rows, lengths, strict=True)):
        # the edge of the face decides about the corners: it gets twice its share
        share = count * float(length / lengths.sum()) * (2.0 if i < 4 else 1.0)
        number = max(24 if i < 4 else 1, round(share))
        t = (np.arange(number) + 0.5) / number
        points.append(a + t[:, None] * (b - a))
        along.append(np.repeat([(b - a) / length], number, axis=0))
        side.append(np.full(number, i if i < 4 else -1))
    return LineSamples(np.concatenate(points), np.concatenate(along), np.concatenate(side))


def _given(wish: Any) -> Matrix:
    try:
        rows = np.asarray(wish, np.float64)
    except (TypeError, ValueError):
        rows = np.zeros(0)
    if rows.ndim != 3 or rows.shape[1:] != (2, 2) or not np.isfinite(rows).all():
        raise BoardFileError(
            'the board file\'s lines must be "cells", "centres", "outline" or a list of segments'
            " [[x, y], [x, y]] in millimetres"
        )
    return rows[np.linalg.norm(rows[:, 1] - rows[:, 0], axis=1) > 0][:MAX_SEGMENTS]


def _cell_sides(board: Board) -> Matrix:
    least = MIN_SEGMENT * board.cell_size_mm
    rows = []
    for cell in board.cells.values():
        ring = np.array(cell.polygon_mm, np.float64)
        sides = np.stack([ring, np.roll(ring, -1, axis=0)], axis=1)
        rows.extend(s for s in sides if np.linalg.norm(s[1] - s[0]) >= least)
    return np.array(rows).reshape(-1, 2, 2)


def _through_centres(board: Board) -> Matrix:
    """Lines through centres that share an x or a y, from the first to the last of them."""
    places = np.array([board.centres[c] for c in board.cells], np.float64)
    rows = []
    for axis in (0, 1):
        for line in _grouped(places, axis).values():
            if len(line) >= 2:
                order = line[np.argsort(line[:, 1 - axis])]
                rows.append([order[0], order[-1]])
    return np.array(rows).reshape(-1, 2, 2)


def _grouped(places: Matrix, axis: int) -> Mapping[int, Matrix]:
    groups: dict[int, list[Matrix]] = defaultdict(list)
    for place in places:
        groups[round(float(place[axis]) / ROUNDING_MM)].append(place)
    return {k: np.array(v) for k, v in groups.items()}


def _merged(segments: Matrix) -> Matrix:
    """Sides on one line joined, so that a border between two cells counts once; upright and level
    ones only, others lose their doubles."""
    lines: dict[tuple[int, int], list[tuple[float, float]]] = defaultdict(list)
    slanted: dict[tuple[int, ...], Matrix] = {}
    for a, b in segments:
        axis = next((k for k in (0, 1) if abs(a[k] - b[k]) <= ROUNDING_MM), None)
        if axis is None:
            ends = sorted((tuple(a), tuple(b)))
            slanted[tuple(round(v / ROUNDING_MM) for p in ends for v in p)] = np.array(ends)
        else:
            at = round(float(a[axis] + b[axis]) / 2 / ROUNDING_MM)
            reach = sorted((float(a[1 - axis]), float(b[1 - axis])))
            lines[axis, at].append((reach[0], reach[1]))
    rows = list(slanted.values())
    for (axis, at), reaches in lines.items():
        for low, high in _joined(reaches):
            ends = np.zeros((2, 2))
            ends[:, axis] = at * ROUNDING_MM
            ends[:, 1 - axis] = low, high
            rows.append(ends)
    return np.array(rows).reshape(-1, 2, 2)[:MAX_SEGMENTS]


def _joined(reaches: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    joined: list[tuple[float, float]] = []
    for low, high in sorted(reaches):
        if joined and low <= joined[-1][1] + ROUNDING_MM:
            joined[-1] = (joined[-1][0], max(high, joined[-1][1]))
        else:
            joined.append((low, high))
    return joined
