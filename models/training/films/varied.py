"""A room of its own for every seed: print, lamps, camera and what they do to the picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.board import Board
from engine.placement import Placement
from models.training.films.face import Picture, painted_face
from models.training.films.figure_set import FigureSet
from models.training.films.table import THICK_MM, look_whole, reaching_hand, standing
from models.training.synthesis import effects, raster, surroundings
from models.training.synthesis.camera import Camera
from models.training.synthesis.meshes import Mesh
from models.training.synthesis.pieces import Piece
from models.training.synthesis.raster import Light, Lights
from models.training.synthesis.scene import Placed

Rng = np.random.Generator
F32 = NDArray[np.float32]
ELEVATION_DEG, FOV_DEG, FILL, ROLL_DEG = (50.0, 80.0), (42.0, 68.0), (0.8, 0.94), 2.0
# Mostly the camera stands at a long side, as the board fills the picture then.
AT_LONG_SIDE, ASIDE_DEG = 0.7, 12.0
# A bump turns and tilts the camera so much.
BUMP_TURN_DEG, BUMP_UP_DEG, BUMP_FILL, BUMP_ROLL_DEG = 1.6, 0.6, 0.02, 0.6
LOWEST_LAMP = 0.55  # sine of its height: lower ones throw shadows across the board
ARM_MM = (650.0, 900.0)
GLARE, GLARE_SHARE, BLUR_PX = 0.5, 0.6, (0.35, 0.8)


@dataclass(eq=False)
class VariedRoom:
    """What stays while a film goes on, but for the pieces; see ``films.film.Stage``."""

    board: Board
    seed: int
    size: tuple[int, int]
    far_mm: float = 240.0
    face: Picture = field(init=False)
    lights: Lights = field(init=False)

    def __post_init__(self) -> None:
        rng = np.random.default_rng([42, self.seed])
        self.face = painted_face(self.board, rng)
        self.lights = _lights(rng)

    def camera(self, bumps: int) -> Camera:
        """The camera after so many bumps."""
        rng = np.random.default_rng([43, self.seed])
        up, side = rng.uniform(*ELEVATION_DEG), rng.uniform(0, 360)
        if rng.random() < AT_LONG_SIDE:
            side = rng.choice([0, 180]) + rng.normal(0, ASIDE_DEG)
        fov, fill, roll = rng.uniform(*FOV_DEG), rng.uniform(*FILL), rng.normal(0, ROLL_DEG)
        for n in range(bumps):
            bump = np.random.default_rng([44, self.seed, n])
            side += BUMP_TURN_DEG * bump.choice([-1, 1]) * bump.uniform(0.6, 1)
            up += bump.normal(0, BUMP_UP_DEG)
            fill += bump.normal(0, BUMP_FILL)
            roll += bump.normal(0, BUMP_ROLL_DEG)
        view = (np.radians(up), np.radians(side), np.radians(fov), min(fill, 0.95))
        return look_whole(self.board.size_mm, self.size, *view, np.radians(roll))

    def ground(self, camera: Camera) -> tuple[Picture, Picture]:
        """Table and board without light, and the mask of the face; the same clutter every time."""
        rng = np.random.default_rng([45, self.seed])
        ground, mask = surroundings.ground(rng, camera, self.board.size_mm, self.face, THICK_MM)
        return ground, mask

    def hand(self, rng: Rng, side: float) -> Mesh:
        """A hand with its finger tips at the origin, its arm long enough to come over the rim."""
        return reaching_hand(rng, self.board, side, ARM_MM)

    def shining(self, light: F32, mask: Picture) -> F32:
        """The light from the ground, on some tables with a lamp's reflection on the face."""
        rng = np.random.default_rng([51, self.seed])
        if rng.random() < GLARE:
            shiny = light.copy()
            effects.glare(rng, shiny, mask)
            light = light + np.float32(GLARE_SHARE) * (shiny - light)
        return light

    def lit(self, light: F32) -> F32:
        """The light of the room over the picture."""
        rng = np.random.default_rng([49, self.seed])
        return np.asarray(light * effects.light_field(rng, self.size), np.float32)

    def developed(self, light: F32, gain: float) -> F32:
        """The picture 0 to 1 as this camera shows it, without grain."""
        rng = np.random.default_rng([50, self.seed])
        out = np.asarray(effects.camera_response(rng, light * gain), np.float32)
        return np.clip(cv2.GaussianBlur(out, (0, 0), float(rng.uniform(*BLUR_PX))), 0, 1)


@dataclass(eq=False)
class VariedStage(VariedRoom):
    """A room with the pieces of Das Magische Hexagon or Grailnah; see ``films.film.Stage``."""

    roofed: bool = True
    pieces: FigureSet = field(init=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.pieces = FigureSet(self.board, self.seed, self.roofed)

    def piece(self, kind: str, colour: str | None) -> Piece:
        """The solid of a kind and colour."""
        return self.pieces.piece(kind, colour)

    def placed(
        self, placement: Placement, at: Mapping[str, tuple[str, ...]],
        off: Mapping[str, tuple[float, float]], dice: Sequence[int], throw: int,
    ) -> list[Placed]:  # fmt: skip
        """All pieces that can be seen; these games have no dice."""
        return standing(self, placement, at, off)

    def spot(self, goal: str | None) -> tuple[float, float]:
        """Where a hand goes to, mm."""
        width, height = self.board.size_mm
        return self.board.centres[goal] if goal else (width / 2, height / 2)


def _lights(rng: Rng) -> Lights:
    """The training rooms' lamps, of which none stands so low that shadows cross the board."""
    lights = raster.random_lights(rng)
    lamps = []
    for lamp in lights.lamps:
        to = np.array(lamp.to_light, np.float64)
        to[2] = max(to[2], LOWEST_LAMP)
        lamps.append(Light((to / np.linalg.norm(to)).astype(np.float32), lamp.power, lamp.soft))
    return Lights(tuple(lamps), lights.ambient)
