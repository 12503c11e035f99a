"""Sets of Das Magische Hexagon and Grailnah: every seed another maker's figures, discs and paints."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from engine.board import Board
from models.training.films.magalon_set import SIZES, figure, fitted, painted
from models.training.films.solids import COLOURS, solid
from models.training.synthesis import pieces
from models.training.synthesis.colours import hsv
from models.training.synthesis.meshes import Array
from models.training.synthesis.pieces import Piece
from vision.shapes import shape_of

# Hue in degrees, saturation and value of the paints that people call so.
PAINTS = {
    "red": ((353, 367), (0.7, 0.95), (0.5, 0.9)), "blue": ((205, 235), (0.6, 0.95), (0.35, 0.85)),
    "yellow": ((44, 57), (0.65, 0.95), (0.75, 0.97)), "white": ((30, 60), (0.0, 0.1), (0.78, 0.95)),
    "wood": ((22, 38), (0.3, 0.55), (0.5, 0.8)), "black": ((0, 360), (0.0, 0.2), (0.02, 0.08)),
    "green": ((105, 150), (0.6, 0.95), (0.35, 0.75)),
}  # fmt: skip
ALIKE = {"morgane": "merlin"}  # kinds of one mould
FLAT = {"wisdom"}
OTHERS = {"castle", "score_marker"}


@dataclass
class FigureSet:
    """The pieces of one maker, about as large as the board file says, all larger or smaller alike."""

    board: Board
    seed: int
    roofed: bool = True
    _made: dict[tuple[str, str | None], Piece] = field(default_factory=dict)

    def piece(self, kind: str, colour: str | None) -> Piece:
        """The solid of a piece about its own foot."""
        if (kind, colour) not in self._made:
            self._made[kind, colour] = self._make(kind, colour)
        return self._made[kind, colour]

    def _rng(self, *what: object) -> np.random.Generator:
        return np.random.default_rng([36, self.seed, zlib.crc32(repr(what).encode())])

    def _make(self, kind: str, colour: str | None) -> Piece:
        tint = self._tint(colour)
        if kind in OTHERS:
            plain = solid(kind, colour, self.board, self.roofed)
            mesh = replace(plain.mesh, colours=np.broadcast_to(tint, plain.mesh.colours.shape))
            return replace(plain, mesh=mesh)
        size = np.array(self.board.size_of(kind)) * self._rng("size").uniform(*SIZES)
        rng = partial(self._rng, ALIKE.get(kind, kind))
        made = pieces.disc(rng(0)) if kind in FLAT else figure(rng)
        mesh = painted(fitted(made.mesh, size), tint)
        name = shape_of(kind, self.board)
        radius = float(max(size[:2]) / 2)
        return Piece(mesh, ((name, 0.0, 0.0, -1),), float(size[0]), mesh.height, radius)

    def _tint(self, colour: str | None) -> Array:
        if colour not in PAINTS:
            return np.array(COLOURS.get(str(colour), (0.5, 0.5, 0.5)), np.float32)
        rng = self._rng("tint", colour)
        hue, full, light = (float(rng.uniform(*span)) for span in PAINTS[colour])
        return hsv(hue, full, light)
