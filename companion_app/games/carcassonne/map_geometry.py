"""Where tiles and figures lie on the drawing: spots of the placement to pixels and back.  No Kivy.

Frame of the map: tiles, x right, y down, the start tile from (0, 0) to (1, 1).  Pixels have their
origin at the lower left.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from engine.carcassonne.faces import Face, Pos, cell
from engine.carcassonne.ground import Ground, ground_of
from engine.carcassonne.placement import at_of, pos_of
from engine.geometry import Point

LEAST_TILE_PX, MOST_TILE_PX = 24.0, 320.0
FITTED_PX = 150.0  # a few tiles are not drawn larger than this of themselves
SIDE_STEP = 0.2  # of a tile, between figures on one feature


@dataclass(frozen=True)
class MapGeometry:
    """A part of the map in a rectangle (x, y, width, height) in pixels.

    ``centre``: the point of the map in the rectangle's middle; ``cell_px``: side of a tile;
    ``faces``: what lies where; ``turns``: in which turns the held tile goes where.
    """

    x: float
    y: float
    width: float
    height: float
    centre: Point = (0.5, 0.5)
    cell_px: float = 100.0
    faces: Mapping[Pos, Face] = field(default_factory=dict)
    turns: Mapping[Pos, tuple[int, ...]] = field(default_factory=dict)

    def to_px(self, point: Point) -> Point:
        """A point of the map in pixels."""
        return (
            self.x + self.width / 2 + (point[0] - self.centre[0]) * self.cell_px,
            self.y + self.height / 2 - (point[1] - self.centre[1]) * self.cell_px,
        )

    def to_map(self, point_px: Point) -> Point:
        """Pixels as a point of the map."""
        return (
            self.centre[0] + (point_px[0] - self.x - self.width / 2) / self.cell_px,
            self.centre[1] - (point_px[1] - self.y - self.height / 2) / self.cell_px,
        )

    def pos_at(self, point_px: Point) -> Pos:
        """The place under a pixel, whether a tile lies there or not."""
        x, y = self.to_map(point_px)
        return math.floor(x), math.floor(y)

    def polygon_px(self, pos: Pos, inset: float = 0.0) -> list[Point]:
        """The corners of a place in pixels; ``inset`` in tiles."""
        x, y = pos
        a, b = inset, 1.0 - inset
        return [self.to_px((x + u, y + v)) for u, v in ((a, a), (b, a), (b, b), (a, b))]

    def ground(self, pos: Pos) -> Ground | None:
        """The feature map of the tile at a place."""
        face = self.faces.get(pos)
        return None if face is None else ground_of(face.tile, face.rot)

    def spot_at(self, point_px: Point) -> str | None:
        """The spot of the feature under a pixel; None beside the tiles."""
        pos = self.pos_at(point_px)
        ground = self.ground(pos)
        if ground is None:
            return None
        x, y = self.to_map(point_px)
        number = ground.feature_at((x - pos[0], y - pos[1]))
        return f"{cell(pos)}:{self.faces[pos].features[number].at}"

    def centre_px(self, spot: str) -> Point:
        """Where a spot's piece is drawn: a tile's middle, or a point well inside a feature."""
        pos = pos_of(spot)
        at = at_of(spot)
        ground = self.ground(pos) if at else None
        u, v = 0.5, 0.5
        if ground is not None:
            for number, feature in enumerate(self.faces[pos].features):
                if feature.at == at:
                    u, v = ground.anchors[number]
        return self.to_px((pos[0] + u, pos[1] + v))

    def on_field(self, spot: str) -> bool:
        """Whether a spot is on a field, where meeples lie."""
        ground = self.ground(pos_of(spot))
        if ground is None:
            return False
        features = self.faces[pos_of(spot)].features
        return any(features[n].at == at_of(spot) for n in ground.fields)

    def turned(self, spots: tuple[str, ...]) -> tuple[str, ...]:
        """A tile's spot in the next turn that goes there; in the next one at all where none does."""
        pos, rot = pos_of(spots[0]), int(spots[0].partition("@")[2])
        turns = self.turns.get(pos) or (0, 90, 180, 270)
        later = [t for t in turns if t > rot]
        return (f"{cell(pos)}@{(later or list(turns))[0]}",)

    def at(self, centre: Point, cell_px: float) -> MapGeometry:
        """The same map seen elsewhere or larger."""
        return replace(self, centre=centre, cell_px=min(MOST_TILE_PX, max(LEAST_TILE_PX, cell_px)))

    def zoomed(self, factor: float, around_px: Point) -> MapGeometry:
        """Larger by a factor, with the point under a pixel kept in its place."""
        before = self.to_map(around_px)
        larger = self.at(self.centre, self.cell_px * factor)
        after = larger.to_map(around_px)
        moved = (
            self.centre[0] + before[0] - after[0], self.centre[1] + before[1] - after[1]
        )  # fmt: skip
        return larger.at(moved, larger.cell_px)

    def fitted(self, places: Iterable[Pos], strip_px: float = 0.0) -> MapGeometry:
        """All of some places in view, with a place's width around them and a free strip at the
        right."""
        xs, ys = zip(*places, strict=True)
        left, right, top, bottom = min(xs) - 1, max(xs) + 2, min(ys) - 1, max(ys) + 2
        room = max(1.0, self.width - strip_px)
        size = max(
            LEAST_TILE_PX, min(room / (right - left), self.height / (bottom - top), FITTED_PX)
        )
        return self.at(((left + right) / 2 + strip_px / 2 / size, (top + bottom) / 2), size)


def side_by_side(at: Point, count: int, cell_px: float) -> list[Point]:
    """Places for several figures on one feature."""
    step = SIDE_STEP * cell_px
    return [(at[0] + (n - (count - 1) / 2) * step, at[1]) for n in range(count)]
