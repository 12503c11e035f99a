"""A board on a table with its pieces, as one camera sees it.

Frame: millimetres on the printed face, x right, y down, z up towards the camera.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.board import Board
from engine.placement import Placement
from models.training.films.face import Picture, face_picture
from models.training.films.solids import solid
from models.training.synthesis import hand, raster, surroundings
from models.training.synthesis.camera import Camera, look_at
from models.training.synthesis.meshes import Mesh
from models.training.synthesis.pieces import Piece
from models.training.synthesis.raster import Light, Lights
from models.training.synthesis.sample import (
    HAND_ID,
    compose,
    ground_light,
    linear,
    pieces_layer,
)
from models.training.synthesis.scene import Placed

Rng = np.random.Generator
F64 = NDArray[np.float64]
Spots = tuple[str, ...]
THICK_MM = 3.0
ELEVATION_DEG, FOV_DEG, FILL = (62.0, 74.0), (46.0, 60.0), (0.86, 0.93)
# People put pieces so far off the middle of a cell, as shares of its size.
PLACING, FARTHEST = 0.06, 0.15
BUMP_ROLL_DEG = 1.2
# Pieces that share a cell stand so far from its middle, as shares of half its longest extent.
APART, CIRCLE = 0.55, 0.42
METERED, NOISE = 0.6, 0.0035  # mean of the face as displayed; the sensor's grain
ROOM = {"first": (-0.28, 0.0, 0.28), "rows": (-0.17, 0.17)}  # in an open castle, shares of its base


@dataclass(frozen=True, eq=False)
class Table:
    """What stays while a film goes on: board, print, light, table top and how people put pieces."""

    board: Board
    face: Picture
    lights: Lights
    seed: int
    roofed: bool = True
    moulds: dict[tuple[str, str | None], Piece] = field(default_factory=dict)

    def piece(self, kind: str, colour: str | None) -> Piece:
        """The solid of a kind and colour."""
        if (kind, colour) not in self.moulds:
            self.moulds[kind, colour] = solid(kind, colour, self.board, self.roofed)
        return self.moulds[kind, colour]

    def ground(self, camera: Camera) -> tuple[Picture, Picture]:
        """Table and board without light, and the mask of the face; the same clutter every time."""
        rng = np.random.default_rng([31, self.seed])
        return surroundings.ground(rng, camera, self.board.size_mm, self.face, THICK_MM)


class Laid(Protocol):
    """Whose pieces stand where, see ``standing``."""

    @property
    def board(self) -> Board: ...
    @property
    def seed(self) -> int: ...
    @property
    def roofed(self) -> bool: ...
    def piece(self, kind: str, colour: str | None) -> Piece: ...


@dataclass(frozen=True, eq=False)
class BoardStage:
    """Das Magische Hexagon or Grailnah in front of a camera; see ``films.film.Stage``."""

    table: Table
    size: tuple[int, int]
    far_mm: float = 420.0

    @property
    def board(self) -> Board:
        """The board that is played on."""
        return self.table.board

    @property
    def face(self) -> Picture:
        """The print."""
        return self.table.face

    @property
    def lights(self) -> Lights:
        """The lamps of the room."""
        return self.table.lights

    def camera(self, bumps: int) -> Camera:
        """The camera after so many bumps, which undo one another."""
        roll = BUMP_ROLL_DEG * (bumps % 2)
        return make_camera(self.table.board, self.table.seed, self.size, roll)

    def ground(self, camera: Camera) -> tuple[Picture, Picture]:
        """See ``Table``."""
        return self.table.ground(camera)

    def placed(
        self, placement: Placement, at: Mapping[str, Spots],
        off: Mapping[str, tuple[float, float]], dice: Sequence[int], throw: int,
    ) -> list[Placed]:  # fmt: skip
        """All pieces that can be seen; these games have no dice."""
        return standing(self.table, placement, at, off)

    def hand(self, rng: Rng, side: float) -> Mesh:
        """See ``reaching_hand``."""
        return reaching_hand(rng, self.table.board, side)

    def spot(self, goal: str | None) -> tuple[float, float]:
        """Where a hand goes to, mm."""
        width, height = self.table.board.size_mm
        return self.table.board.centres[goal] if goal else (width / 2, height / 2)

    def shining(self, light: NDArray[np.float32], mask: Picture) -> NDArray[np.float32]:
        """These boards are dull."""
        return light

    def lit(self, light: NDArray[np.float32]) -> NDArray[np.float32]:
        """These rooms are lit evenly."""
        return light

    def developed(self, light: NDArray[np.float32], gain: float) -> NDArray[np.float32]:
        """The picture 0 to 1 without grain."""
        return np.asarray(np.clip(light * gain, 0, 1) ** (1 / raster.GAMMA), np.float32)


def make_table(board: Board, seed: int, roofed: bool = True) -> Table:
    """A table with one soft lamp at a side, and a print of its own."""
    rng = np.random.default_rng([32, seed])
    turn, up = rng.uniform(0, 2 * np.pi), np.radians(rng.uniform(48, 68))
    to_light = np.array([np.cos(turn) * np.cos(up), np.sin(turn) * np.cos(up), np.sin(up)])
    warm = float(rng.uniform(-0.05, 0.08))
    tint = np.array([1 - warm, 1.0, 1 + warm], np.float32)
    ambient = float(rng.uniform(0.45, 0.6))
    lamp = Light(to_light.astype(np.float32), tint * np.float32((1 - ambient) / to_light[2]), 0.15)
    lights = Lights((lamp,), tint * np.float32(ambient))
    return Table(board, face_picture(board, rng), lights, seed, roofed)


def make_camera(board: Board, seed: int, size: tuple[int, int], roll_deg: float = 0.0) -> Camera:
    """A camera that sees the whole board from the side of one player."""
    rng = np.random.default_rng([33, seed])
    up, side = np.radians(rng.uniform(*ELEVATION_DEG)), np.pi / 2 + rng.normal(0, 0.12)
    fov, fill = np.radians(rng.uniform(*FOV_DEG)), rng.uniform(*FILL)
    roll = float(np.radians(rng.normal(0, 1.5) + roll_deg))
    return look_whole(board.size_mm, size, up, side, fov, fill, roll)


def look_whole(
    board_mm: tuple[float, float], size: tuple[int, int], up: float, side: float, fov: float,
    fill: float, roll: float,
) -> Camera:  # fmt: skip
    """A camera towards the board's middle, so far that the board fills a share of the picture.

    ``up``, ``side``, ``fov``, ``roll``: radians.
    """
    back = np.array([np.cos(side) * np.cos(up), np.sin(side) * np.cos(up), np.sin(up)])
    width, height = board_mm
    corners = np.array([(0, 0, 0), (width, 0, 0), (width, height, 0), (0, height, 0)], float)
    source, middle = np.array(size, float), np.array([width / 2, height / 2, 0.0])
    focal = source.max() / 2 / np.tan(fov / 2)
    distance = 1.5 * max(width, height)
    for _ in range(10):
        matrix, centre = look_at(middle, back, distance, roll, focal, source)
        q = corners @ matrix[:, :3].T + matrix[:, 3]
        px = q[:, :2] / q[:, 2:3]
        reach = np.abs(px - (source - 1) / 2).max(0) / (source / 2)
        distance *= float(reach.max()) / fill
    return Camera(matrix, centre, size, (0, 0, size[0] - 1, size[1] - 1), 1.0)


def standing(
    table: Laid, placement: Placement, at: Mapping[str, Spots], off: Mapping[str, tuple[float, float]]
) -> list[Placed]:  # fmt: skip
    """All pieces that can be seen, where they stand.  ``off``: further off the middle of the cell."""
    by_spots: dict[Spots, list[str]] = {}
    for piece, spots in at.items():
        if spots:
            by_spots.setdefault(spots, []).append(piece)
    out: list[Placed] = []
    for spots, pieces in by_spots.items():
        castle = next((p for p in pieces if placement.infos[p].kind == "castle"), None)
        others = [p for p in pieces if p != castle]
        if castle is not None:
            out.append(_put(table, placement, castle, _middle(table, spots[0]), spots, len(out)))
            others = [] if table.roofed else others
        for n, piece in enumerate(others):
            foot = _foot(table, spots[0], n, len(others), castle is not None)
            foot += _crooked(table, piece, spots, off.get(piece, (0.0, 0.0)), castle is not None)
            out.append(_put(table, placement, piece, foot, spots, len(out)))
    return out


def _put(
    table: Laid, placement: Placement, name: str, foot: F64, spots: Spots, number: int
) -> Placed:
    info = placement.infos[name]
    piece = table.piece(info.kind, info.colour)
    turn = _main_axis(table, spots[0])[1] if info.kind == "castle" else 0.0
    x, y = float(foot[0]), float(foot[1])
    return Placed(piece, piece.mesh.moved((x, y, 0.0), turn), (x, y), turn, 0.0, number + 1)


def _middle(table: Laid, spot: str) -> F64:
    return np.array(table.board.centres[spot])


def _main_axis(table: Laid, spot: str) -> tuple[F64, float]:
    """The unit vector along which a cell is longest, times half its extent; and its angle."""
    ring = np.array(table.board.spots[spot])
    centred = ring - ring.mean(0)
    _, _, ways = np.linalg.svd(centred, full_matrices=False)
    way = ways[0] * np.ptp(centred @ ways[0]) / 2
    return way, float(np.arctan2(way[1], way[0]))


def _foot(table: Laid, spot: str, number: int, count: int, inside: bool) -> F64:
    """Where the n-th of several pieces on a cell stands."""
    middle = _middle(table, spot)
    if inside:
        return middle + _in_castle(table, spot, number)
    if count == 1:
        return middle
    if count == 2:
        way = _main_axis(table, spot)[0]
        return middle + way * (APART if number else -APART)
    turn = 2 * np.pi * number / count
    reach = CIRCLE * table.board.cell_size_mm
    return middle + reach * np.array([np.cos(turn), np.sin(turn)])


def _in_castle(table: Laid, spot: str, number: int) -> F64:
    across, deep, _ = table.board.size_of("castle")
    x, y = ROOM["first"][number % 3] * across, ROOM["rows"][number // 3 % 2] * deep
    turn = _main_axis(table, spot)[1]
    c, s = np.cos(turn), np.sin(turn)
    return np.array([c * x - s * y, s * x + c * y])


def _crooked(table: Laid, piece: str, spots: Spots, off: tuple[float, float], inside: bool) -> F64:
    """How far off the middle a piece was put: the same as long as it stands there."""
    if inside:
        return np.zeros(2)
    size = float(np.sqrt(cv2.contourArea(np.array(table.board.spots[spots[0]], np.float32))))
    size = min(size, 2 * table.board.cell_size_mm)
    rng = np.random.default_rng([34, table.seed, zlib.crc32(f"{piece}@{spots}".encode())])
    own = np.clip(rng.normal(0, PLACING, 2), -FARTHEST, FARTHEST)
    return np.asarray((own + off) * size)


def reaching_hand(
    rng: Rng, board: Board, side: float, long_mm: tuple[float, float] = (200, 420)
) -> Mesh:
    """A hand with its finger tips at the origin, its arm from the direction ``side`` (radians)."""
    goal, reach = np.array([0, 0, 12], np.float32), max(board.size_mm)
    origin = np.array([np.cos(side) * reach, np.sin(side) * reach, 60], np.float32)
    return hand.arm(rng, goal, origin, long_mm)


class Lit(Protocol):
    """What lights a picture; see ``films.film.Stage``."""

    @property
    def board(self) -> Board: ...
    @property
    def lights(self) -> Lights: ...
    def shining(self, light: NDArray[np.float32], mask: Picture) -> NDArray[np.float32]: ...


def light_of(
    stage: Lit, camera: Camera, placed: list[Placed], hands: list[Mesh],
    ground: tuple[Picture, Picture],
) -> tuple[NDArray[np.float32], float]:  # fmt: skip
    """The light of one picture (H, W, 3), linear, before the camera meters it, and the share of the
    face that hands and arms cover."""
    unlit, mask = ground
    light, hand_lit = ground_light(
        camera, stage.board.size_mm, THICK_MM, placed, [], hands, stage.lights, mask
    )
    layer, ids = pieces_layer(camera, placed, [], hands, stage.lights, hand_lit)
    on_face = mask > 127
    step = raster.OVERSAMPLE
    covered = float((ids[::step, ::step][on_face] == HAND_ID).mean())
    return compose(stage.shining(linear(unlit) * light, mask), layer, ids), covered


def metered(light: NDArray[np.float32], face: Picture) -> float:
    """The gain with which the face, where the mask is 255, is as bright as a camera makes it."""
    return float(METERED**raster.GAMMA / (float(light[face > 127].mean()) + 1e-3))


def exposed(rng: Rng, clean: NDArray[np.float32]) -> Picture:
    """One frame: the clean picture with fresh grain of two pixels' size."""
    height, width = clean.shape[:2]
    grain = rng.normal(0, NOISE, (height // 2 + 1, width // 2 + 1, 3)).astype(np.float32)
    grown = np.repeat(np.repeat(grain, 2, 0), 2, 1)[:height, :width]
    return (np.clip(clean + grown, 0, 1) * 255).astype(np.uint8)
