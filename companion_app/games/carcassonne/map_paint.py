"""Draws the parts of the map; each is called inside ``with into(group)``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from kivy.graphics import Color, Line, Rectangle, SmoothLine

from companion_app import theme
from companion_app.games.carcassonne.map_geometry import MapGeometry
from companion_app.games.carcassonne.piece_art import LYING
from companion_app.games.carcassonne.table import PLACE
from companion_app.games.carcassonne.tile_textures import TEXTURES, turned_coords
from companion_app.snapshot import Snapshot
from companion_app.widgets import piece_paint as pp
from companion_app.widgets.board_geometry import Place
from companion_app.widgets.drawing import rounded
from companion_app.widgets.textures import piece_texture, text_texture
from engine.carcassonne.drags import SIZES, kind_of
from engine.carcassonne.faces import Pos
from engine.carcassonne.placement import TILE, pos_of, tile_of
from engine.geometry import Point
from engine.placement import PieceInfo, PieceMove
from engine.verdict import Status

if TYPE_CHECKING:
    from companion_app.games.carcassonne.map_view import TileMapView


def ground(view: TileMapView) -> None:
    """The table below the tiles."""
    rounded(view.pos, view.size, theme.RADIUS, theme.PANEL)


def tiles(geometry: MapGeometry, snapshot: Snapshot, later: Callable[[], None]) -> None:
    """All tiles; those whose picture is not painted yet as a plain square."""
    for pos, face in geometry.faces.items():
        tile(geometry, pos, face.tile, face.rot, later)


def tile(
    geometry: MapGeometry,
    pos: Pos,
    kind: str,
    rot: int,
    later: Callable[[], None],
    alpha: float = 1.0,
) -> None:
    """One tile as it lies."""
    x, y = geometry.to_px((pos[0], pos[1] + 1))
    side = geometry.cell_px
    texture = TEXTURES.get(kind, side, later)
    if texture is None:
        Color(*theme.RAISED[:3], alpha)
        Rectangle(pos=(x, y), size=(side - 1, side - 1))
        return
    Color(1, 1, 1, alpha)
    Rectangle(
        pos=(x, y), size=(side, side), texture=texture, tex_coords=turned_coords(texture, rot)
    )


def places(geometry: MapGeometry, view: TileMapView) -> None:
    """Empty places: where the selected tile fits, where nothing fits any more, what was tapped."""
    table = view.table
    assert table is not None
    held = view.selected is not None and kind_of(view.selected) == "tile"
    fits = geometry.turns
    for pos in table.state.map.frontier if not table.state.over else ():
        polygon = geometry.polygon_px(pos, 0.04)
        if pos in table.closed_places:
            _crossed(polygon)
        elif held and pos in fits:
            pp.draw_tint(polygon, theme.GOOD)
            pp.draw_frame(polygon, theme.GOOD, theme.dp(2))
        elif table.phase == PLACE:
            Color(*theme.LINE[:3], 0.55)
            Line(points=[v for p in polygon for v in p], close=True, width=1.0)
    for pos in view.pointed:
        pp.draw_frame(geometry.polygon_px(pos, 0.02), theme.ACCENT, theme.dp(3))


def _crossed(polygon: list[Point]) -> None:
    """Nothing that is left fits here."""
    a, b, c, d = polygon
    Color(*theme.FAINT[:3], 0.45)
    for one, other in ((a, c), (b, d)):
        Line(points=[*one, *other], width=1.0)


def last_move(geometry: MapGeometry, snapshot: Snapshot) -> None:
    """The tile that was placed last, or what came to it."""
    for pos in {pos_of(s) for m in snapshot.last_move for s in m.to}:
        Color(*theme.ACCENT[:3], 0.85)
        points = [v for p in geometry.polygon_px(pos) for v in p]
        Line(points=points, close=True, width=theme.dp(1.6), joint="miter")


def figures(geometry: MapGeometry, view: TileMapView, where: Mapping[str, Place]) -> None:
    """Meeples, mage and witch where they stand or lie."""
    snapshot = view.snapshot
    assert snapshot is not None
    away = {m.piece for m in _elsewhere(snapshot)}
    for info, spots in snapshot.placement:
        place = where.get(info.id)
        if place is not None:
            alpha = 0.4 if info.id in away else 1.0
            figure(geometry, view, info, place.at, geometry.on_field(spots[0]), alpha)


def figure(
    geometry: MapGeometry, view: TileMapView, info: PieceInfo, at: Point, lying: bool, alpha: float
) -> None:
    """One figure with its middle at a pixel; never smaller than can be seen."""
    assert view.face is not None
    look = view.face.art.look(info.kind)
    size = round(max(theme.dp(15), look.size * geometry.cell_px) / 4) * 4
    kind = info.kind + LYING if lying and info.kind in SIZES else info.kind
    Color(1, 1, 1, alpha)
    corner = (round(at[0] - size / 2), round(at[1] - size / 2))
    texture = piece_texture("carcassonne", kind, info.colour, size)
    Rectangle(texture=texture, pos=corner, size=(size, size))
    letter = theme.look(info.colour)
    if look.letter is not None and letter.letter:
        dx, dy, share = look.letter
        off = (dy, 0.0) if lying else (dx, dy)
        middle = (at[0] + off[0] * size, at[1] + off[1] * size)
        pp.draw_text(letter.letter, middle, round(share * size), letter.ink, alpha)


def _elsewhere(snapshot: Snapshot) -> tuple[PieceMove, ...]:
    """What the table shows elsewhere than the app believes."""
    asked = snapshot.sentence.differences if snapshot.sentence is not None else ()
    known = {m.piece for m in asked}
    moves = (*asked, *(m for m in snapshot.differences if m.piece not in known))
    believed = snapshot.placement.pieces
    return tuple(m for m in moves if set(believed.get(m.piece, ())) != set(m.to))


def open_things(geometry: MapGeometry, view: TileMapView) -> None:
    """What is refused, what differs, where the held piece may go, and the waiting tile."""
    snapshot = view.snapshot
    assert snapshot is not None
    for move in _elsewhere(snapshot):
        _difference(geometry, view, snapshot, move)
    sentence = snapshot.sentence
    if sentence is not None and sentence.status is Status.ILLEGAL:
        for name in sentence.cells:
            pp.draw_frame(geometry.polygon_px(_place(name)), theme.BAD, theme.dp(3))
        for name in sentence.cells[:1]:
            pp.draw_stop(geometry.polygon_px(_place(name)), geometry.cell_px * 0.5)
    for spot in view.hints():
        if "@" not in spot:
            at = geometry.centre_px(spot)
            pp.draw_dot(at, max(theme.dp(7), geometry.cell_px * 0.09), theme.GOOD)
    if view.ghost is not None:
        _ghost(geometry, view, view.ghost)


def _difference(
    geometry: MapGeometry, view: TileMapView, snapshot: Snapshot, move: PieceMove
) -> None:
    info = snapshot.placement.infos.get(move.piece)
    if info is None or not move.to:
        return
    spot = move.to[0]
    if info.kind.startswith(TILE):
        face = tile_of(spot, info.kind)
        tile(geometry, pos_of(spot), face.tile, face.rot, view.redraw, 0.75)
        pp.draw_frame(geometry.polygon_px(pos_of(spot), 0.02), theme.WAIT, theme.dp(2))
        return
    at = geometry.centre_px(spot)
    Color(*theme.WAIT)
    SmoothLine(circle=(*at, max(theme.dp(11), geometry.cell_px * 0.24)), width=theme.dp(1.6))
    figure(geometry, view, info, at, geometry.on_field(spot), 1.0)


def _ghost(
    geometry: MapGeometry, view: TileMapView, ghost: tuple[str, tuple[str, ...]]
) -> None:  # fmt: skip
    kind, spot = ghost[0].removeprefix(TILE).rpartition("/")[0], ghost[1][0]
    tile(geometry, pos_of(spot), kind, int(spot.partition("@")[2]), view.redraw, 0.9)
    pp.draw_frame(geometry.polygon_px(pos_of(spot)), theme.ACCENT, theme.dp(3))


def carried(geometry: MapGeometry, view: TileMapView, piece: str | None, at: Point) -> None:
    """A figure under a finger."""
    snapshot = view.snapshot
    if piece is None or snapshot is None or not view.sliding:
        return
    spot = geometry.spot_at(at)
    if spot is not None:
        Color(*theme.ACCENT)
        SmoothLine(circle=(*geometry.centre_px(spot), theme.dp(16)), width=theme.dp(1.6))
    raised = (at[0], at[1] + theme.dp(26))
    figure(geometry, view, snapshot.placement.infos[piece], raised, False, 0.9)


def _place(name: str) -> Pos:
    x, _, y = name.partition(",")
    return int(x), int(y)


def axes(geometry: MapGeometry, view: TileMapView) -> None:
    """Numbers of columns and rows along the edges, so that "2,-1" can be found."""
    size = max(9, round(theme.SIZE_LEAST * 0.85))
    left, low = geometry.to_map((view.x, view.y))
    right, high = geometry.to_map((view.right, view.top))
    for column in range(int(left) - 1, int(right) + 2):
        x, _ = geometry.to_px((column + 0.5, 0.0))
        if view.x + theme.dp(20) < x < view.right - theme.dp(20):
            _number(column, (x, view.y + size * 0.75), size)
    for row in range(int(high) - 1, int(low) + 2):
        _, y = geometry.to_px((0.0, row + 0.5))
        if view.y + size * 2 < y < view.top - size:
            _number(row, (view.x + theme.dp(12), y), size)


def _number(value: int, at: Point, size: int) -> None:
    texture = text_texture(str(value), size, theme.MUTED, False)
    w, h = texture.size
    corner = (at[0] - w / 2 - 3, at[1] - h / 2)
    rounded(corner, (w + 6, h), 4, (*theme.BACKGROUND[:3], 0.6))
    Color(1, 1, 1, 1)
    Rectangle(texture=texture, pos=(round(at[0] - w / 2), round(at[1] - h / 2)), size=(w, h))


def buttons(view: TileMapView) -> None:
    """Larger, smaller, and all of the map."""
    for name in ("in", "out", "all"):
        x, y, side = view.button_box(name)
        rounded((x, y), (side, side), theme.RADIUS, (*theme.RAISED[:3], 0.85))
        Color(*theme.TEXT)
        cx, cy, r = x + side / 2, y + side / 2, side * 0.2
        if name == "all":
            corners = [cx - r, cy - r, cx + r, cy - r, cx + r, cy + r, cx - r, cy + r]
            SmoothLine(points=corners, close=True, width=theme.dp(1.6))
            continue
        SmoothLine(points=[cx - r, cy, cx + r, cy], width=theme.dp(1.6))
        if name == "in":
            SmoothLine(points=[cx, cy - r, cx, cy + r], width=theme.dp(1.6))
