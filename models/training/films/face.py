"""The printed face of a board as a picture: what the printed sheet shows, on an artist's ground."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.sheets import face
from calibration.sheets.face import GROUND, draw_face
from calibration.sheets.pen import BLACK, Colour, Pen, Point
from engine.board import Board
from models.training.synthesis import grounds
from models.training.synthesis.colours import hsv

Rng = np.random.Generator
Picture = NDArray[np.uint8]
PX_PER_MM = 3.0
SHIFT = 4
# How strongly the artist's ground and its grain show through the printed cells.
WASH, STAINS, STAIN_MM = 0.45, 260, (1.2, 5.0)
SHEETS = 0.3


class Brush(Pen):
    """Draws with OpenCV what ``Pen`` draws on paper, on a picture of ``px_per_mm``."""

    def __init__(self, picture: Picture, px_per_mm: float) -> None:
        super().__init__(None, picture.shape[0] / px_per_mm)
        self._picture, self._scale = picture, px_per_mm

    def _px(self, points: Iterable[Point]) -> NDArray[np.int32]:
        return np.round(np.array(list(points)) * self._scale * (1 << SHIFT)).astype(np.int32)

    def _wide(self, width_mm: float) -> int:
        return max(1, round(width_mm * self._scale))

    def polygon(
        self, points: Iterable[Point], fill: Colour | None = None, line: Colour | None = None,
        width_mm: float = 0.3,
    ) -> None:  # fmt: skip
        """See ``Pen``."""
        ring = [self._px(points)]
        if fill is not None:
            cv2.fillPoly(self._picture, ring, _bgr(fill), cv2.LINE_AA, SHIFT)
        if line is not None:
            wide = self._wide(width_mm)
            cv2.polylines(self._picture, ring, True, _bgr(line), wide, cv2.LINE_AA, SHIFT)

    def line(
        self, points: Iterable[Point], colour: Colour = BLACK, width_mm: float = 0.3,
        dashed: bool = False,
    ) -> None:  # fmt: skip
        """See ``Pen``; never dashed."""
        wide = self._wide(width_mm)
        cv2.polylines(
            self._picture, [self._px(points)], False, _bgr(colour), wide, cv2.LINE_AA, SHIFT
        )

    def circle(
        self, centre: Point, radius_mm: float, fill: Colour | None = None,
        line: Colour | None = None, width_mm: float = 0.3,
    ) -> None:  # fmt: skip
        """See ``Pen``."""
        turns = np.linspace(0, 2 * np.pi, 40, endpoint=False)
        ring = np.array(centre) + radius_mm * np.stack([np.cos(turns), np.sin(turns)], 1)
        self.polygon([(float(x), float(y)) for x, y in ring], fill, line, width_mm)

    def text(
        self, at: Point, text: str, size_mm: float = 3.0, colour: Colour = BLACK,
        anchor: str = "left", upwards: bool = False,
    ) -> None:  # fmt: skip
        """See ``Pen``; never upwards."""
        font, size = cv2.FONT_HERSHEY_SIMPLEX, size_mm * self._scale / 30
        (wide, high), _ = cv2.getTextSize(text, font, size, 1)
        left = {"left": 0.0, "middle": 0.5, "right": 1.0}[anchor] * wide
        x, y = at[0] * self._scale - left, at[1] * self._scale + high / 2
        cv2.putText(
            self._picture, text, (round(x), round(y)), font, size, _bgr(colour),
            self._wide(size_mm / 12), cv2.LINE_AA,
        )  # fmt: skip


def face_picture(board: Board, rng: Rng, px_per_mm: float = PX_PER_MM) -> Picture:
    """The face seen flat, BGR; every board printed so has a ground of its own, by which it can be
    found."""
    width, height = (round(v * px_per_mm) for v in board.size_mm)
    drawn = np.empty((height, width, 3), np.uint8)
    drawn[:] = _bgr(GROUND)
    draw_face(Brush(drawn, px_per_mm), board)
    wash = _wash(rng, (height, width))
    _stain(rng, wash, px_per_mm)
    return np.asarray(cv2.multiply(drawn, wash, scale=1 / 255), np.uint8)


def painted_face(board: Board, rng: Rng, px_per_mm: float = PX_PER_MM) -> Picture:
    """The face as an artist paints it: the cells' grid thinly over a landscape, fields laid on it;
    one in three boards is a printed sheet as ``face_picture`` gives it."""
    if rng.random() < SHEETS:
        return face_picture(board, rng, px_per_mm)
    height, width = (round(v * px_per_mm) for v in reversed(board.size_mm))
    drawn = _landscape(rng, (height, width))
    grid = drawn.copy()
    draw_face(_Sparing(grid, px_per_mm, rng), board)
    return np.asarray(cv2.addWeighted(grid, 0.9, drawn, 0.1, 0), np.uint8)


class _Sparing(Brush):
    """Leaves out the grounds of ordinary cells, and prints fields in an artist's own colours."""

    def __init__(self, picture: Picture, px_per_mm: float, rng: Rng) -> None:
        super().__init__(picture, px_per_mm)
        self._ink = {
            face.GRID: _hex(hsv(30, 0.2, rng.uniform(0.1, 0.45))),
            face.MARK: _hex(hsv(rng.uniform(20, 220), 0.08, rng.uniform(0.6, 0.85))),
            face.ENERGY: _hex(hsv(rng.uniform(-12, 14), 0.75, rng.uniform(0.5, 0.85))),
            face.ITEM: _hex(hsv(rng.uniform(25, 70), rng.uniform(0.1, 0.45), 0.9)),
            face.START: _hex(hsv(rng.uniform(0, 360), 0.12, rng.uniform(0.75, 0.95))),
        }

    def polygon(
        self, points: Iterable[Point], fill: Colour | None = None, line: Colour | None = None,
        width_mm: float = 0.3,
    ) -> None:  # fmt: skip
        """See ``Pen``."""
        fill = None if fill in (face.CELL, face.GROUND) else self._ink.get(str(fill), fill)
        super().polygon(points, fill, self._ink.get(str(line), line), width_mm)


def _landscape(rng: Rng, shape: tuple[int, int]) -> Picture:
    """Rocks, meadow or parchment with spots: even enough that pieces can be told from it."""
    ramp = grounds.palette(rng, int(rng.integers(2, 4)))
    middle = ramp.mean(0)
    ramp = middle + (ramp - middle) * float(rng.uniform(0.25, 0.6))
    grey = ramp.mean(1, keepdims=True)
    ramp = grey + (ramp - grey) * float(rng.uniform(0.2, 0.7))
    field = grounds.noise(rng, shape, 6, float(rng.uniform(90, 300)))
    out = np.asarray(np.clip(ramp, 0.06, 0.94)[(field * 255).astype(np.uint8)] * 255, np.uint8)
    for _ in range(int(rng.integers(80, 500))):
        at = (int(rng.integers(shape[1])), int(rng.integers(shape[0])))
        colour: Any = tuple(
            int(v * 255) for v in hsv(float(rng.uniform(0, 360)), 0.4, rng.uniform(0.2, 0.8))
        )
        cv2.circle(out, at, int(rng.integers(2, 9)), colour, -1, cv2.LINE_AA)
    return cv2.GaussianBlur(out, (0, 0), 1.0)


def _wash(rng: Rng, shape: tuple[int, int]) -> Picture:
    """Noise between white and one pale tint."""
    field = grounds.noise(rng, shape, 6, 220.0)[..., None]
    tint = hsv(float(rng.uniform(0, 360)), 0.35, 0.85)
    return np.asarray(255 * (1 - WASH * field * (1 - tint)), np.uint8)


def _stain(rng: Rng, wash: Picture, px_per_mm: float) -> None:
    """Small spots all over, in place."""
    height, width = wash.shape[:2]
    for _ in range(STAINS):
        at = (int(rng.integers(width)), int(rng.integers(height)))
        radius = round(float(rng.uniform(*STAIN_MM)) * px_per_mm / 2)
        colour: Any = tuple(int(v * 255) for v in hsv(float(rng.uniform(0, 360)), 0.4, 0.75))
        cv2.circle(wash, at, radius, colour, -1, cv2.LINE_AA)


def _bgr(colour: Colour) -> tuple[int, int, int]:
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return blue, green, red


def _hex(bgr: NDArray[np.floating]) -> str:
    blue, green, red = (int(np.clip(v, 0, 1) * 255) for v in bgr)
    return f"#{red:02x}{green:02x}{blue:02x}"
