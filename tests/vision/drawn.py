"""Small tables drawn from a seed, with detections that stand in for the net's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from engine.board import Board, load_board
from vision.appearance import ground_scale
from vision.labels import LabelledPiece
from vision.registration.pose import pose_from_corners
from vision.shapes import shape_of
from vision.silhouettes import box_outline, outline
from vision.types import SHAPES, BoardPose, Detections, Image

SIZE = (960, 720)
GROUND = 105  # grey level of the drawn board
DARK = 0.3  # of the ground: how bright it is in a drawn shadow
PAINT = {
    "violet": (150, 45, 110),
    "green": (60, 130, 40),
    "red": (40, 35, 185),
    "orange": (30, 120, 225),
    "black": (30, 30, 32),
    "grey": (140, 145, 150),
    None: (230, 230, 230),
}


@dataclass(frozen=True)
class Table:
    """A drawn picture with its truth."""

    image: Image
    pose: BoardPose
    board: Board
    pieces: tuple[LabelledPiece, ...]
    detections: Detections


def oblique_pose(board: Board, low: bool = False) -> BoardPose:
    """A view from about 55° above the table, or from about 35°."""
    corners = np.array([[250.0, 90.0], [700.0, 100.0], [860.0, 660.0], [90.0, 650.0]])
    if low:
        corners = np.array([[330.0, 280.0], [640.0, 285.0], [880.0, 640.0], [80.0, 632.0]])
    return pose_from_corners(corners, board.size_mm, SIZE, "corners")


def piece(kind: str, colour: str | None, *spots: str, board: Board | None = None) -> LabelledPiece:
    """A piece on the centre of its spots."""
    table = board or load_board("reference")
    centre = np.mean([table.centres[s] for s in spots], axis=0)
    return LabelledPiece(kind, colour, spots, at_mm=(float(centre[0]), float(centre[1])))


def draw_table(
    pieces: Sequence[LabelledPiece],
    seed: int = 0,
    light: tuple[float, float, float] = (1.0, 1.0, 1.0),
    noise_px: float = 1.0,
    low: bool = False,
    reach: tuple[float, float] | None = None,
) -> Table:
    """Paints pieces as plain solids and makes detections of them with a little noise.

    ``reach``: they throw black shadows so far per mm of height.
    """
    board = load_board("reference")
    pose = oblique_pose(board, low)
    rng = np.random.default_rng(seed)
    image = np.full((SIZE[1], SIZE[0], 3), GROUND, np.uint8)
    rows: list[tuple[np.ndarray, np.ndarray, float, str]] = []
    for p in sorted(pieces, key=lambda q: q.at_mm[1] if q.at_mm else 0.0):
        assert p.at_mm is not None
        base_x, base_y, height = board.size_of(p.kind)
        shape = shape_of(p.kind, board)
        spots = [p.at_mm] if shape != "l_wall" else [board.centres[s] for s in p.spots]
        for at in spots:
            foot, top = pose.to_image(np.array([[*at, 0.0], [*at, height]]))
            width = max(base_x, base_y) * float(ground_scale(pose, np.array([at]))[0])
            shown = outline(foot, top, width)
            if shape == "l_wall":
                shown = box_outline(pose, np.array(at), board.cell_size_mm, height * 0.8)
            cv2.fillConvexPoly(image, np.round(shown).astype(np.int32), PAINT[p.colour])
            rows.append((foot, top, width, "wall" if shape == "l_wall" else shape))
        if shape == "l_wall":
            middle = np.mean(spots, axis=0)
            foot, top = pose.to_image(np.array([[*middle, 0.0], [*middle, height]]))
            rows.append((foot, top, 60.0, "l_wall"))
    painted = (image != GROUND).any(axis=2).astype(np.float32)
    if reach is not None:
        dark = _shadows(pieces, board, pose, reach) & (painted == 0)
        image[dark] = round(DARK * GROUND)
    mask = cv2.resize(painted, (SIZE[0] // 4, SIZE[1] // 4), interpolation=cv2.INTER_AREA)
    lit = np.clip(image * np.array(light) + rng.normal(0, 4, image.shape), 0, 255).astype(np.uint8)
    return Table(lit, pose, board, tuple(pieces), _detections(rows, rng, noise_px, mask))


def _shadows(
    pieces: Sequence[LabelledPiece], board: Board, pose: BoardPose, reach: tuple[float, float]
) -> np.ndarray:
    """(H, W) where the shadows of upright pieces lie."""
    mask = np.zeros((SIZE[1], SIZE[0]), np.uint8)
    turns = np.linspace(0, 2 * np.pi, 12, endpoint=False)
    for p in pieces:
        base_x, base_y, height = board.size_of(p.kind)
        ring = 0.4 * max(base_x, base_y) * np.column_stack([np.cos(turns), np.sin(turns)])
        foot = np.array(p.at_mm) + ring
        ends = pose.to_image(np.vstack([foot, foot + np.array(reach) * height]))
        hull = cv2.convexHull(ends.astype(np.float32))[:, 0]
        cv2.fillConvexPoly(mask, np.round(hull).astype(np.int32), 1)
    return mask > 0


def _detections(
    rows: list, rng: np.random.Generator, noise_px: float, mask: np.ndarray
) -> Detections:
    n = len(rows)
    scores = np.full((n, len(SHAPES)), 0.01, np.float32)
    for i, (_, _, _, shape) in enumerate(rows):
        scores[i, SHAPES.index(shape)] = rng.uniform(0.6, 0.95)
    feet = np.array([r[0] for r in rows]).reshape(n, 2) + rng.normal(0, noise_px, (n, 2))
    tops = np.array([r[1] for r in rows]).reshape(n, 2) + rng.normal(0, noise_px, (n, 2))
    return Detections(
        feet.astype(np.float32), tops.astype(np.float32), np.array([r[2] for r in rows], np.float32),
        scores, scores.max(axis=1) if n else np.zeros(0, np.float32), mask, np.zeros_like(mask),
        np.array([[4.0, 0, 0], [0, 4.0, 0]]),
    )  # fmt: skip
