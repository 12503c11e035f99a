"""The pieces of Das Magische Hexagon and Grailnah as solids of the sizes that a board file states."""

from __future__ import annotations

import numpy as np

from engine.board import Board
from models.training.synthesis import meshes
from models.training.synthesis.meshes import Array, Mesh
from models.training.synthesis.pieces import Piece
from vision.shapes import shape_of

COLOURS = {
    "red": (0.1, 0.09, 0.68), "blue": (0.62, 0.24, 0.07), "white": (0.84, 0.88, 0.9),
    "yellow": (0.08, 0.7, 0.86), "wood": (0.36, 0.56, 0.74), "black": (0.05, 0.05, 0.05),
}  # fmt: skip
GLOSS = 0.25
SEGMENTS = 18
WALL = 3.0  # of an open castle, mm
# Control points of the outlines: share of the base's radius, share of the height.
HAT = [
    (1, 0),
    (0.95, 0.06),
    (0.62, 0.5),
    (0.58, 0.56),
    (0.92, 0.6),
    (0.92, 0.63),
    (0.5, 0.7),
    (0.07, 1),
]
COIN = [(1, 0), (1, 0.8), (0.9, 1)]
BALL = [
    (1, 0),
    (1, 0.1),
    (0.62, 0.2),
    (0.42, 0.55),
    (0.62, 0.62),
    (0.74, 0.76),
    (0.62, 0.9),
    (0.2, 1),
]
CROWN = [
    (1, 0),
    (1, 0.07),
    (0.66, 0.14),
    (0.42, 0.62),
    (0.72, 0.7),
    (0.5, 0.75),
    (0.82, 0.95),
    (0.2, 1),
]
VEIL = [
    (1, 0),
    (1, 0.07),
    (0.7, 0.14),
    (0.36, 0.6),
    (0.6, 0.66),
    (0.44, 0.72),
    (0.6, 0.86),
    (0.1, 1),
]
CLOAK = [(1, 0), (0.96, 0.05), (0.7, 0.55), (0.5, 0.62), (0.56, 0.7), (0.5, 0.8), (0.06, 1)]
OUTLINES = {
    "wizard": HAT, "wisdom": COIN, "knight": BALL, "king": CROWN, "queen": VEIL,
    "merlin": CLOAK, "morgane": CLOAK,
}  # fmt: skip


def solid(kind: str, colour: str | None, board: Board, roofed: bool = True) -> Piece:
    """A piece about its own foot; ``roofed``: castles are closed, so that nothing in them is seen."""
    across, deep, height = board.size_of(kind)
    paint = np.array(COLOURS.get(colour or "", (0.5, 0.5, 0.5)), np.float32)
    if kind == "castle":
        mesh = _castle(across, deep, height, roofed)
    elif kind in OUTLINES:
        outline = np.array(OUTLINES[kind], np.float32) * (across / 2, height)
        mesh = meshes.revolution(outline, SEGMENTS)
    else:
        mesh = meshes.box((across, deep, height), (0, 0, height / 2))
    name = shape_of(kind, board)
    reach = max(across, deep)
    return Piece(mesh.painted(paint, GLOSS), ((name, 0.0, 0.0, -1),), reach, height, reach / 2)


def _castle(across: float, deep: float, height: float, roofed: bool) -> Mesh:
    """Walls with battlements and four towers, with a roof or an open court."""
    parts = [_block(across, deep, height * 0.7, (0, 0))] if roofed else []
    for side in (-1, 1):
        parts += _wall(across, WALL, height * 0.85, (0, side * (deep - WALL) / 2))
        parts += _wall(WALL, deep, height * 0.85, (side * (across - WALL) / 2, 0))
    for x in (-1, 1):
        for y in (-1, 1):
            at = (x * (across / 2 - WALL), y * (deep / 2 - WALL))
            tower: Array = np.array([(WALL, 0), (WALL, height)], np.float32)
            parts.append(meshes.revolution(tower, 10).moved((*at, 0)))
    return meshes.join(parts)


def _wall(across: float, deep: float, height: float, at: tuple[float, float]) -> list[Mesh]:
    """One wall in blocks, every other one lower, so that painting by depth stays right."""
    along = 0 if across > deep else 1
    length = max(across, deep)
    count = max(3, round(length / 6))
    size = [across, deep]
    size[along] = length / count * 1.01
    blocks = []
    for n in range(count):
        middle = list(at)
        middle[along] += (n + 0.5) * length / count - length / 2
        high = height if n % 2 else height * 0.8
        blocks.append(_block(size[0], size[1], high, (middle[0], middle[1])))
    return blocks


def _block(across: float, deep: float, height: float, at: tuple[float, float]) -> Mesh:
    return meshes.box((across, deep, height), (*at, height / 2))
