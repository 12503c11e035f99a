"""A table before it is drawn: board, pieces, hands, lamps and the camera over it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from models.training.synthesis import artwork, hand, raster, scene, surroundings
from models.training.synthesis.camera import Camera, random_camera
from models.training.synthesis.meshes import Mesh
from models.training.synthesis.raster import Lights
from models.training.synthesis.scene import Placed

Rng = np.random.Generator
Picture = NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """``board`` width and height and ``thick`` in mm; ``face`` the printed artwork.

    ``ground`` (H, W, 3) table, clutter and board as the camera sees them, without light;
    ``board_mask`` (H, W) 255 on the printed face; ``others`` stand beside the board.
    """

    camera: Camera
    board: tuple[float, float]
    thick: float
    face: Picture
    ground: Picture
    board_mask: Picture
    placed: list[Placed]
    others: list[Mesh]
    hands: list[Mesh]
    lights: Lights

    @property
    def meshes(self) -> list[Mesh]:
        """All things that stand on the ground, in the order of their ids."""
        return [*(p.mesh for p in self.placed), *self.others, *self.hands]


def random_table(rng: Rng, long_side: int) -> Table:
    """The same generator state gives the same table; ``long_side`` of the picture in px."""
    board = (float(rng.uniform(380, 700)), float(rng.uniform(380, 700)))
    if rng.random() < 0.4:
        board = (board[0], board[0])
    thick = float(rng.uniform(0.5, 6))
    camera = random_camera(rng, board, long_side)
    face = artwork.artwork(rng, board)
    ground, board_mask = surroundings.ground(rng, camera, board, face, thick)
    placed = scene.populate(rng, board, thick)
    others, hands = _others(rng, board, thick)
    lights = raster.random_lights(rng)
    return Table(camera, board, thick, face, ground, board_mask, placed, others, hands, lights)


def _others(rng: Rng, board: tuple[float, float], thick: float) -> tuple[list[Mesh], list[Mesh]]:
    """Tall things beside the board, and hands over it."""
    w, h = board
    others = []
    for _ in range(int(rng.choice([0, 1, 2], p=[0.6, 0.28, 0.12]))):
        t = rng.uniform(0, 2 * np.pi)
        k = 0.5 / max(abs(np.cos(t)), abs(np.sin(t)))
        away = rng.uniform(45, 130)
        at = (w / 2 + np.cos(t) * (w * k + away), h / 2 + np.sin(t) * (h * k + away), -thick)
        others.append(hand.tall_thing(rng).moved(at, float(rng.uniform(0, 6))))
    hands = []
    for _ in range(int(rng.choice([0, 1, 2], p=[0.7, 0.24, 0.06]))):
        goal = np.append(rng.uniform(-0.05, 1.05, 2) * (w, h), rng.uniform(2, 60))
        t = rng.uniform(0, 2 * np.pi)
        origin = np.array([w / 2 + np.cos(t) * w, h / 2 + np.sin(t) * h, 60.0])
        hands.append(hand.arm(rng, goal.astype(np.float32), origin.astype(np.float32)))
    return others, hands
