"""Draws pieces, arrows and marks on the canvas of the board drawing."""

from __future__ import annotations

import math
from collections.abc import Sequence

from kivy.graphics import Color, Line, Mesh, Rectangle, SmoothEllipse, SmoothLine

from companion_app import theme
from companion_app.games.face import Face
from companion_app.widgets.board_geometry import BoardGeometry
from companion_app.widgets.textures import (
    dot_texture,
    piece_texture,
    spread_texture,
    text_texture,
)
from engine.geometry import Point
from engine.placement import PieceInfo


def size_px(face: Face, kind: str, geometry: BoardGeometry) -> int:
    """Side of a piece's picture in pixels."""
    return max(8, round(face.art.look(kind).size * geometry.cell_px))


def draw_piece(face: Face, piece: PieceInfo, at: Point, size: int, alpha: float = 1.0) -> None:
    """A piece with its middle at ``at``; call inside ``with canvas``."""
    Color(1, 1, 1, alpha)
    corner = (round(at[0] - size / 2), round(at[1] - size / 2))
    texture = piece_texture(face.name, piece.kind, piece.colour, size)
    Rectangle(texture=texture, pos=corner, size=(size, size))
    how, look = face.art.look(piece.kind), theme.look(piece.colour)
    if how.letter is not None and look.letter:
        dx, dy, share = how.letter
        place = (at[0] + dx * size, at[1] + dy * size)
        draw_text(look.letter, place, round(share * size), look.ink, alpha)
    if how.numbered:
        number = piece.id.rpartition("/")[2]
        draw_text(number, (at[0], at[1] - size * 0.22), round(size * 0.34), theme.PAPER, alpha)


def draw_text(text: str, at: Point, size: int, colour: theme.Rgba, alpha: float = 1.0) -> None:
    """A short text with its middle at ``at``."""
    texture = text_texture(text, max(6, size), colour)
    Color(1, 1, 1, alpha)
    w, h = texture.size
    Rectangle(texture=texture, pos=(round(at[0] - w / 2), round(at[1] - h / 2)), size=(w, h))


def draw_spread(
    face: Face,
    kind: str,
    spots: Sequence[str],
    geometry: BoardGeometry,
    shift: Point = (0, 0),
    alpha: float = 1.0,
) -> None:
    """A piece of several square cells, shifted by pixels."""
    side = max(4, round(geometry.cell_px))
    centres = [geometry.centre_px(s) for s in spots]
    left, top = min(x for x, _ in centres), max(y for _, y in centres)
    cells = tuple(
        sorted(
            (round((x - left) / geometry.cell_px), round((top - y) / geometry.cell_px))
            for x, y in centres
        )
    )
    texture = spread_texture(face.name, kind, cells, side)
    width, height = texture.size
    Color(1, 1, 1, alpha)
    pos = (round(left - side / 2 + shift[0]), round(top + side / 2 - height + shift[1]))
    Rectangle(texture=texture, pos=pos, size=(width, height))


def draw_arrow(
    start: Point, end: Point, colour: theme.Rgba, width: float, *, dashed: bool = False
) -> None:
    """An arrow between two pixels, with a dark rim so that it shows on everything."""
    length = math.dist(start, end)
    if length < 2 * width:
        return
    ux, uy = (end[0] - start[0]) / length, (end[1] - start[1]) / length
    head = min(length * 0.6, width * 4.2)
    neck = (end[0] - ux * head * 0.8, end[1] - uy * head * 0.8)
    side = head * 0.52
    tip = [
        end, (end[0] - ux * head - uy * side, end[1] - uy * head + ux * side),
        (end[0] - ux * head + uy * side, end[1] - uy * head - ux * side),
    ]  # fmt: skip
    for rgba, grow in ((theme.rgba("#10181d", 0.75), width * 0.8), (colour, 0.0)):
        Color(*rgba)
        if dashed:
            _dashes(start, neck, width + grow, width * 3)
        else:
            SmoothLine(points=[*start, *neck], width=(width + grow) / 2)
        if grow:
            SmoothLine(points=[v for p in tip for v in p], width=grow / 2, close=True)
        Mesh(
            vertices=[v for x, y in tip for v in (x, y, 0, 0)], indices=[0, 1, 2], mode="triangles"
        )
        SmoothLine(points=[v for p in tip for v in p], width=1.0, close=True)


def _dashes(start: Point, end: Point, width: float, step: float) -> None:
    length = math.dist(start, end)
    count = max(1, round(length / (2 * step)))
    for i in range(count):
        a, b = i / count, (i + 0.55) / count
        points = [start[k] + (end[k] - start[k]) * f for f in (a, b) for k in (0, 1)]
        SmoothLine(points=points, width=width / 2)


def draw_tint(polygon: Sequence[Point], colour: theme.Rgba) -> None:
    """A tint on a cell, to be drawn below the pieces."""
    Color(*colour[:3], 0.38)
    vertices = [v for x, y in polygon for v in (x, y, 0, 0)]
    Mesh(vertices=vertices, indices=list(range(len(polygon))), mode="triangle_fan")


def draw_frame(polygon: Sequence[Point], colour: theme.Rgba, width: float) -> None:
    """A frame round a cell with a dark rim, so that it shows on everything."""
    points = [v for p in polygon for v in p]
    Color(0.05, 0.08, 0.1, 0.8)
    Line(points=points, close=True, width=width * 0.9, joint="miter")
    Color(*colour)
    Line(points=points, close=True, width=width / 2, joint="miter")


def draw_stop(polygon: Sequence[Point], cell_px: float) -> None:
    """A red disc with a cross at a refused cell's corner: it shows without colours as well."""
    x = max(p[0] for p in polygon)
    y = max(p[1] for p in polygon)
    r = max(theme.dp(7), cell_px * 0.27)
    Color(0.05, 0.08, 0.1, 0.9)
    SmoothEllipse(pos=(x - r * 1.15, y - r * 1.15), size=(r * 2.3, r * 2.3))
    Color(*theme.BAD)
    SmoothEllipse(pos=(x - r, y - r), size=(2 * r, 2 * r))
    Color(1, 1, 1, 1)
    d = r * 0.42
    for points in ((x - d, y - d, x + d, y + d), (x - d, y + d, x + d, y - d)):
        SmoothLine(points=points, width=max(1.2, r * 0.13))


def draw_dot(at: Point, radius: float, colour: theme.Rgba) -> None:
    """A hint: a cell that can be reached."""
    texture = dot_texture(max(2, round(radius)), colour)
    w, h = texture.size
    Color(1, 1, 1, 1)
    Rectangle(texture=texture, pos=(round(at[0] - w / 2), round(at[1] - h / 2)), size=(w, h))
