"""The printed face of a board, drawn from its board file alone."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from calibration.sheets.pen import Pen, Point
from engine.board import Board, Cell

GROUND, CELL, GRID, INK = "#e9e4d8", "#f7f4ec", "#8c8678", "#2a2a2a"
MARK, ENERGY, FLAME, ITEM, START = "#c3c7c9", "#c9504a", "#ff9a3c", "#efe0a6", "#dfe9ef"
RED, STONE, WOOD, INSIDE, RIM = "#c22f2a", "#a9aeb0", "#b98d5f", "#e4dcee", "#a6801f"
HOMES = {"red": "#f0c0ba", "blue": "#bcd0ee", "white": "#ffffff", "yellow": "#f4e6a4", "green": "#c5e2c0"}  # fmt: skip


def draw_face(pen: Pen, board: Board) -> None:
    """The face with (0, 0) at its upper left corner, up to its edge."""
    width, height = board.size_mm
    pen.box(0, 0, width, height, fill=GROUND, line=INK, width_mm=0.4)
    marks = {cell for ruin in board.raw.get("ruin_start", ()) for cell in ruin}
    for cell in board.cells.values():
        pen.polygon(cell.polygon_mm, _ground(board, cell, cell.id in marks), GRID, 0.4)
    for ruin in board.raw.get("ruin_start", ()):
        _l_mark(pen, board, ruin)
    for cell in board.cells.values():
        _role(pen, board, cell)
    for value, polygon in board.track.items():
        pen.polygon(polygon, "#ffffff", INK, 0.4)
        _number(pen, polygon, value)
    _score_scales(pen, board.raw)
    _round_board(pen, board)


def _ground(board: Board, cell: Cell, mark: bool) -> str:
    for role, colour in (
        ("energy", ENERGY), ("item", ITEM), ("start", START), ("goal", "#ffffff"),
        ("stair", WOOD), ("castle_place", STONE), ("flame", "#5c2320"), ("magic_circle_inside", INSIDE),
    ):  # fmt: skip
        if role in cell.roles:
            return colour
    home = board.home_of(cell)
    if home is not None:
        return HOMES.get(home, START)
    return MARK if mark else CELL


def _role(pen: Pen, board: Board, cell: Cell) -> None:
    centre, size = board.centres[cell.id], board.cell_size_mm
    if cell.roles & {"energy", "flame"}:
        _flame(pen, centre, size * 0.34)
    elif "item" in cell.roles:
        _item(pen, cell.id, centre, size * 0.5)
    elif "start" in cell.roles:
        _star(pen, centre, size * 0.6)
    elif cell.roles & {"goblin_start", "giant_start"}:
        heavy = 0.13 if "giant_start" in cell.roles else 0.07
        pen.polygon(_shrunk(cell.polygon_mm, centre, 0.84), None, RED, size * heavy)


def _flame(pen: Pen, centre: Point, r: float) -> None:
    x, y = centre
    pen.polygon([(x, y - r * 1.3), (x + r * 0.66, y), (x - r * 0.66, y)], FLAME)
    pen.circle((x, y + r * 0.2), r * 0.7, FLAME)


def _item(pen: Pen, item: str, centre: Point, r: float) -> None:
    x, y = centre
    if item == "ring":
        pen.circle(centre, r, None, INK, r * 0.2)
    elif item == "stone":
        pen.box(x - r, y - 0.7 * r, x + r, y + 0.7 * r, line=INK, width_mm=r * 0.2)
    else:
        pen.polygon([(x, y - r), (x + r, y + 0.8 * r), (x - r, y + 0.8 * r)], None, INK, r * 0.2)


def _star(pen: Pen, centre: Point, r: float) -> None:
    ring = []
    for i in range(16):
        angle, far = math.pi * i / 8, r if i % 2 == 0 else 0.45 * r
        ring.append((centre[0] + far * math.sin(angle), centre[1] - far * math.cos(angle)))
    pen.polygon(ring, "#ffffff", INK, 0.5)


def _l_mark(pen: Pen, board: Board, cells: Sequence[str]) -> None:
    """The outline of a ruin's place: sides of its cells that no other of them shares."""
    sides: dict[tuple[Point, Point], tuple[Point, Point]] = {}
    for cell in cells:
        ring = board.cells[cell].polygon_mm
        for a, b in zip(ring, (*ring[1:], ring[0]), strict=True):
            key = (min(a, b), max(a, b))
            if sides.pop(key, None) is None:
                sides[key] = (a, b)
    for a, b in sides.values():
        pen.line([a, b], "#5d6468", 1.0)


def _number(pen: Pen, polygon: Sequence[Point], value: int) -> None:
    xs, ys = [p[0] for p in polygon], [p[1] for p in polygon]
    high = min(max(xs) - min(xs), max(ys) - min(ys))
    at = (sum(xs) / len(xs), sum(ys) / len(ys))
    pen.text(at, str(value), 0.42 * high, INK, anchor="middle")


def _score_scales(pen: Pen, raw: Mapping[str, Any]) -> None:
    scales = raw.get("score_scale")
    for colour, marks in scales.items() if isinstance(scales, Mapping) else ():
        for mark in marks:
            points = [(float(x), float(y)) for x, y in mark["polygon_mm"]]
            pen.polygon(points, HOMES.get(colour, "#ffffff"), INK, 0.3)
            _number(pen, points, int(mark["value"]))


def _round_board(pen: Pen, board: Board) -> None:
    """The magic circle, the gates and the cross of Grailnah."""
    inside = set(board.with_role("magic_circle_inside")) | set(board.with_role("goal"))
    for cell in inside:
        for other in board.cells[cell].neighbours:
            if other not in inside:
                pen.line(_shared(board, cell, other), RIM, 1.6)
    castles = board.raw.get("castles")
    for place, gates in castles.items() if isinstance(castles, Mapping) else ():
        royal = gates.get("royal", ())
        royals = (royal,) if isinstance(royal, str) else tuple(royal)
        for gate in (*gates.get("lateral", ()), *royals):
            side = _shared(board, place, gate)
            if side:
                middle = [_between(side[0], side[-1], f) for f in (0.25, 0.75)]
                pen.line(middle, INK, 2.4 if gate in royals else 1.4)
    for goal in board.with_role("goal"):
        (x, y), r = board.centres[goal], 0.5 * board.cell_size_mm
        pen.line([(x - r, y), (x + r, y)], RED, 2.0)
        pen.line([(x, y - r), (x, y + r)], RED, 2.0)
    middle = board.centres[board.with_role("goal")[0]] if board.with_role("goal") else None
    for stair in board.with_role("stair") if middle else ():
        _steps(pen, board.centres[stair], middle or (0.0, 0.0), board.cell_size_mm)


def _steps(pen: Pen, at: Point, middle: Point, size: float) -> None:
    angle = math.atan2(at[1] - middle[1], at[0] - middle[0])
    out, along = (math.cos(angle), math.sin(angle)), (-math.sin(angle), math.cos(angle))
    for n in range(4):
        far, half = (n - 1.5) * size * 0.16, size * (0.34 - 0.06 * n)
        x, y = at[0] + out[0] * far, at[1] + out[1] * far
        pen.line([(x + along[0] * s * half, y + along[1] * s * half) for s in (-1, 1)], INK, 0.7)


def _shared(board: Board, a: str, b: str) -> list[Point]:
    """The points that two cells share, in order."""
    other = board.cells[b].polygon_mm
    return [p for p in board.cells[a].polygon_mm if any(math.dist(p, q) < 0.5 for q in other)]


def _between(a: Point, b: Point, f: float) -> Point:
    return a[0] + f * (b[0] - a[0]), a[1] + f * (b[1] - a[1])


def _shrunk(polygon: Sequence[Point], centre: Point, f: float) -> list[Point]:
    return [_between(centre, p, f) for p in polygon]
