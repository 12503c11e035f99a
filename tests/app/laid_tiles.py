"""Tiles of the plain set laid out on a table, as a picture and as the eyes would read it."""

from __future__ import annotations

import cv2
import numpy as np

from companion_app.tile_lesson import TileLesson, stock
from engine.carcassonne.tiles import faces
from models.training.tiles.layouts import Laid
from models.training.tiles.style import plain_style
from models.training.tiles.table import Art
from vision.evaluation.tiles import LETTERS
from vision.tiles.growing import FoundTile
from vision.tiles.laid_out import ShownTile
from vision.tiles.lattice import SQUARE, lattice_from_quad
from vision.tiles.network import network
from vision.tiles.reading import TileReader

SIDE, PITCH, RIM = 110, 150, 100  # px


def corner(number: int, columns: int) -> tuple[int, int]:
    """(x, y) px of a tile's upper left corner."""
    return RIM + PITCH * (number % columns), RIM + PITCH * (number // columns)


def laid_out(letters: str, columns: int = 4) -> np.ndarray:
    """A picture of one tile of each kind, apart, in different turns."""
    art, rng = Art(plain_style(), 9, 256), np.random.default_rng(4)
    rows = -(-len(letters) // columns)
    size = (2 * RIM + PITCH * rows, 2 * RIM + PITCH * columns, 3)
    picture = np.clip(np.array((70, 95, 120)) + rng.normal(0, 3, size), 0, 255).astype(np.uint8)
    for n, letter in enumerate(letters):
        tile = art.turned(Laid(faces(LETTERS[letter])[n % 4], (0, 0)))[0]
        x, y = corner(n, columns)
        small = cv2.resize(tile, (SIDE, SIDE), interpolation=cv2.INTER_AREA)
        picture[y : y + SIDE, x : x + SIDE] = small
    return picture


def read_lesson(letters: str, doubtful: int, columns: int = 6) -> TileLesson:
    """The lesson of such a picture without a look at it; one tile is not surely read."""
    picture = laid_out(letters, columns)
    reader = TileReader({k: faces(k) for k in sorted(stock(["base"]))}, network())
    tiles = []
    for n, letter in enumerate(letters):
        quad = SQUARE * SIDE + np.array(corner(n, columns), float)
        lattice = lattice_from_quad(quad, (picture.shape[1], picture.shape[0]))
        found = FoundTile((0, 0), np.zeros(4), 5.0, np.zeros(0, np.float32))
        chance = 0.55 if n == doubtful else 0.99
        kind = reader.kinds.index(LETTERS[letter])
        tiles.append(ShownTile(lattice, found, kind, n % 4, chance, quad))
    return TileLesson(picture, reader, tuple(tiles), tuple(LETTERS[k] for k in letters))
