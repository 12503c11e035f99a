"""The whole map at once, for the page of spectators: where every tile and figure is drawn."""

from __future__ import annotations

import numpy as np

from companion_app.games.carcassonne.map_geometry import MapGeometry, side_by_side
from companion_app.games.carcassonne.tile_art import tile_picture
from companion_app.games.face import Box, Overview, Pixels, Shown
from engine.carcassonne.faces import Face, Pos
from engine.carcassonne.placement import TILE, pos_of, tile_of
from engine.carcassonne.tiles import tiles
from engine.placement import Placement

FIGURE = 0.42  # of a tile
TURNS = (0, 90, 180, 270)
UNIT = 1000.0  # the drawing's side; the answer is in shares of it


def overview(placement: Placement) -> Overview:
    """See ``Art.overview``."""
    faces: dict[Pos, Face] = {
        pos_of(spots[0]): tile_of(spots[0], info.kind)
        for info, spots in placement
        if spots and info.kind.startswith(TILE)
    }
    plain = MapGeometry(0.0, 0.0, UNIT, UNIT, faces=faces)
    places = list(faces) or [(0, 0)]
    xs, ys = zip(*places, strict=True)
    wide = max(max(xs) - min(xs), max(ys) - min(ys)) + 1.4
    middle = ((min(xs) + max(xs) + 1) / 2, (min(ys) + max(ys) + 1) / 2)
    geometry = MapGeometry(0.0, 0.0, UNIT, UNIT, middle, min(UNIT / wide, UNIT / 3), plain.faces)
    numbers = {kind: n for n, kind in enumerate(sorted(tiles()))}
    ground = tuple(
        Shown(f"tile/{numbers[face.tile]}-{face.rot}.png", _box(geometry, pos))
        for pos, face in faces.items()
    )
    standing: dict[str, list[tuple[str, str | None]]] = {}
    for info, spots in placement:
        if spots and not info.kind.startswith(TILE):
            standing.setdefault(spots[0], []).append((info.kind, info.colour))
    pieces = []
    side = FIGURE * geometry.cell_px
    for spot, figures in standing.items():
        at = side_by_side(geometry.centre_px(spot), len(figures), geometry.cell_px)
        for (kind, colour), (x, y) in zip(figures, at, strict=True):
            box = (x - side / 2, UNIT - y - side / 2, side, side)
            src = f"piece/{kind}-{colour or 'none'}.png"
            pieces.append(Shown(src, _shares(box), colour))
    boxes = {f"{x},{y}": _box(geometry, (x, y)) for x, y in faces}
    return Overview(ground, tuple(pieces), boxes)


def _box(geometry: MapGeometry, pos: Pos) -> Box:
    corners = geometry.polygon_px(pos)
    left, top = min(x for x, _ in corners), max(y for _, y in corners)
    return _shares((left, UNIT - top, geometry.cell_px, geometry.cell_px))


def _shares(box: Box) -> Box:
    x, y, w, h = (round(v / UNIT, 5) for v in box)
    return x, y, w, h


def tile_drawing(name: str, size: int) -> Pixels:
    """A tile as it lies, by the name that `overview` gives it: number and turn; raises KeyError or
    ValueError for a name that means nothing."""
    number, _, turn = name.partition("-")
    kinds, rot = sorted(tiles()), int(turn)
    if rot not in TURNS or not 0 <= int(number) < len(kinds):
        raise KeyError(name)
    picture = tile_picture(kinds[int(number)], size)
    return np.ascontiguousarray(np.rot90(picture, -(rot // 90)))
