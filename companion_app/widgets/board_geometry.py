"""Where things lie on the drawing: board millimetres to pixels of the widget and back.

Pixels have their origin at the lower left, as everywhere in Kivy; the board's y points down.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from companion_app.games.face import Art
from engine.board import Board
from engine.geometry import Point, contains
from engine.placement import Placement

MARGIN_MM = 15.0
TRAY_CELLS = 1.75


@dataclass(frozen=True)
class BoardGeometry:
    """The drawing of ``board`` in a rectangle (x, y, width, height) in pixels.

    Below the board lies a tray for the pieces that are off it.
    """

    board: Board
    x: float
    y: float
    width: float
    height: float

    @cached_property
    def box_mm(self) -> tuple[float, float, float, float]:
        """Left, top, right, bottom of everything drawn on the face, in board mm."""
        points = [p for polygon in self.board.spots.values() for p in polygon]
        xs, ys = [p[0] for p in points], [p[1] for p in points]
        return (
            min(xs) - MARGIN_MM, min(ys) - MARGIN_MM, max(xs) + MARGIN_MM, max(ys) + MARGIN_MM
        )  # fmt: skip

    @cached_property
    def tray_mm(self) -> float:
        """Height of the tray in board mm."""
        return self.board.cell_size_mm * TRAY_CELLS

    @cached_property
    def scale(self) -> float:
        """Pixels per millimetre."""
        left, top, right, bottom = self.box_mm
        high = bottom - top + self.tray_mm
        return max(1e-6, min(self.width / (right - left), self.height / high))

    @cached_property
    def cell_px(self) -> float:
        """Side of a typical cell in pixels."""
        return self.board.cell_size_mm * self.scale

    @cached_property
    def face(self) -> tuple[float, float, float, float]:
        """Lower left corner, width and height of the drawn face in pixels."""
        left, top, right, bottom = self.box_mm
        w, h = (right - left) * self.scale, (bottom - top) * self.scale
        tray = self.tray_mm * self.scale
        return (
            self.x + (self.width - w) / 2, self.y + (self.height - h - tray) / 2 + tray, w, h
        )  # fmt: skip

    def to_px(self, point_mm: Point) -> Point:
        """Board mm to pixels of the widget."""
        left, _, _, bottom = self.box_mm
        x0, y0, _, _ = self.face
        return x0 + (point_mm[0] - left) * self.scale, y0 + (bottom - point_mm[1]) * self.scale

    def to_mm(self, point_px: Point) -> Point:
        """Pixels of the widget to board mm."""
        left, _, _, bottom = self.box_mm
        x0, y0, _, _ = self.face
        return left + (point_px[0] - x0) / self.scale, bottom - (point_px[1] - y0) / self.scale

    def polygon_px(self, spot: str) -> list[Point]:
        """Corners of a spot in pixels."""
        return [self.to_px(p) for p in self.board.spots[spot]]

    def centre_px(self, spot: str) -> Point:
        """Centre of a spot in pixels."""
        return self.to_px(self.board.centres[spot])

    def spot_at(self, point_px: Point) -> str | None:
        """The spot under a pixel, None beside all of them."""
        mm = self.to_mm(point_px)
        return next((s for s, poly in self.board.spots.items() if contains(poly, mm)), None)

    def moved(self, spots: Sequence[str], from_px: Point, to_px: Point) -> tuple[str, ...]:
        """A piece of several cells shifted by a drag; empty when a cell would leave the grid."""
        dx, dy = (to_px[i] - from_px[i] for i in (0, 1))
        found = [self.spot_at((x + dx, y + dy)) for x, y in map(self.centre_px, spots)]
        cells = tuple(s for s in found if s is not None and s in self.board.cells)
        return cells if len(set(cells)) == len(spots) else ()

    def turned(self, spots: Sequence[str]) -> tuple[str, ...]:
        """A piece of several cells turned by a quarter about its corner cell; empty where it does not
        fit."""
        corner = self.corner(spots)
        cx, cy = self.board.centres[corner]
        turned = []
        for spot in spots:
            x, y = self.board.centres[spot]
            turned.append(self.spot_at(self.to_px((cx - (y - cy), cy + (x - cx)))))
        cells = tuple(s for s in turned if s is not None and s in self.board.cells)
        return cells if len(set(cells)) == len(spots) else ()

    def corner(self, spots: Sequence[str]) -> str:
        """The cell of a piece that touches most of its other cells."""
        near = {s: set(self.board.cells[s].neighbours) & set(spots) for s in spots}
        return max(spots, key=lambda s: len(near[s]))

    def tray_px(self, index: int, count: int) -> Point:
        """Centre of the place ``index`` of ``count`` in the tray."""
        x0, y0, _, _ = self.face
        return x0 + self.tray_step(count) * (index + 0.5), y0 - self.tray_mm * self.scale * 0.5

    def tray_step(self, count: int) -> float:
        """Distance of the places in a tray of ``count``."""
        return min(self.cell_px * 2.2, self.face[2] / max(1, count))

    def in_tray(self, point_px: Point) -> bool:
        """Whether a pixel lies on the tray."""
        x0, y0, w, _ = self.face
        return x0 <= point_px[0] <= x0 + w and y0 - self.tray_mm * self.scale <= point_px[1] < y0


def axis_names(board: Board) -> tuple[dict[str, float], dict[str, float]]:
    """Column letters with their x and row numbers with their y in board mm, for "g16" names."""
    letters: dict[str, float] = {}
    numbers: dict[str, float] = {}
    for cell in board.cells:
        found = re.fullmatch(r"([a-z]+)(\d+)", cell)
        if found:
            x, y = board.centres[cell]
            letters[found[1]], numbers[found[2]] = x, y
    return letters, numbers


@dataclass(frozen=True, slots=True)
class Place:
    """Middle of a piece in pixels, and its size as a share of the usual one."""

    at: Point
    share: float = 1.0


def piece_places(geometry: BoardGeometry, placement: Placement, art: Art) -> Mapping[str, Place]:
    """Where every piece is drawn; pieces that share a spot stand side by side, smaller."""
    places: dict[str, Place] = {}
    tray = {i.id: i.kind for i, spots in placement if not spots and art.look(i.kind).tray}
    room = geometry.tray_step(len(tray)) / geometry.cell_px
    for index, (piece, kind) in enumerate(sorted(tray.items())):
        share = min(1.0, 0.96 * room / art.look(kind).size)
        places[piece] = Place(geometry.tray_px(index, len(tray)), share)
    shared: dict[str, list[str]] = {}
    for info, spots in placement:
        if len(spots) == 1 and art.look(info.kind).under and spots[0] in geometry.board.spots:
            places[info.id] = Place(geometry.centre_px(spots[0]))
        elif len(spots) == 1:
            shared.setdefault(spots[0], []).append(info.id)
        elif spots:
            places[info.id] = Place(geometry.centre_px(geometry.corner(spots)))
    for spot, pieces in shared.items():
        if spot in geometry.board.spots:
            places |= zip(sorted(pieces), _side_by_side(geometry, spot, len(pieces)), strict=True)
    return places


def _columns(count: int, aspect: float) -> int:
    """Columns for so many pieces on a spot of a width to height ``aspect``."""
    if 0.67 <= aspect <= 1.5:
        return math.ceil(math.sqrt(count))
    return min(count, max(1, round(math.sqrt(count * aspect))))


def _side_by_side(geometry: BoardGeometry, spot: str, count: int) -> list[Place]:
    cx, cy = geometry.centre_px(spot)
    on_track = spot.startswith("track/")
    if count == 1:
        return [Place((cx + (geometry.cell_px * 0.14 if on_track else 0.0), cy))]
    xs, ys = zip(*geometry.polygon_px(spot), strict=True)
    columns = _columns(count, (max(xs) - min(xs)) / max(1e-6, max(ys) - min(ys)))
    rows = math.ceil(count / columns)
    step_x, step_y = (max(xs) - min(xs)) / columns, (max(ys) - min(ys)) / rows
    share = 0.78
    if not on_track:
        step_x = min(step_x, geometry.cell_px * 1.3)
        share = 0.74 if rows > 1 else 0.9
    return [
        Place(
            (
                cx + (i % columns - (columns - 1) / 2) * step_x,
                cy - (i // columns - (rows - 1) / 2) * step_y,
            ),
            share,
        )
        for i in range(count)
    ]
