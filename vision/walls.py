"""L-walls by their look: the boxes over their cells, learnt from known ones and searched for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.board import Board
from vision.bodies import Bodies, mean_where
from vision.crop import to_crop
from vision.labels import LabelledPiece
from vision.look_histogram import LookHistogram, learn_look
from vision.pixel_evidence import Evidence
from vision.shapes import shape_of
from vision.silhouettes import sample_mask
from vision.types import BoardPose, Detections, Image

SHRINK = 0.86  # of a cell: the part of its ground that a wall's box surely covers
LEARN_HEIGHT, HEIGHTS = 0.75, (0.0, 0.3, 0.65)  # of the wall's height
LOOK_EVEN = -0.5  # mean log-odds of the pixels that mean nothing yet
COVER_EVEN = 0.6  # share of the mask that is as likely with a wall as without
COVER_SHRINK, COVER_HEIGHTS_MM = 0.72, (0.0, 8.0)  # where a cell's mask is read
STEPS = 4  # samples along each side of a cell


def learn_walls(
    image: Image, pose: BoardPose, board: Board, pieces: Sequence[LabelledPiece]
) -> LookHistogram | None:
    """The look of the L-walls among known pieces; None when there are none."""
    mask = np.zeros(image.shape[:2], np.uint8)
    for piece in pieces:
        if shape_of(piece.kind, board) != "l_wall":
            continue
        height = board.size_of(piece.kind)[2] * LEARN_HEIGHT
        for cell in piece.spots:
            if cell in board.spots:
                cv2.fillConvexPoly(mask, _box_outline(board, cell, height, pose), 255)
    pixels = image[mask > 0]
    return learn_look(pixels) if len(pixels) > 200 else None


def _ground(board: Board, cell: str) -> NDArray[np.float64]:
    centre = np.array(board.centres[cell])
    return np.asarray(centre + (np.array(board.spots[cell]) - centre) * SHRINK)


def _box_outline(board: Board, cell: str, height: float, pose: BoardPose) -> NDArray[np.int32]:
    ground = _ground(board, cell)
    points = np.vstack([np.column_stack([ground, np.full(len(ground), z)]) for z in (0.0, height)])
    hull = cv2.convexHull(pose.to_image(points).astype(np.float32))
    return np.asarray(np.round(hull[:, 0]), np.int32)


@dataclass(frozen=True, slots=True)
class WallSupport:
    """Per cell the mean log-odds that its box, and its bare ground, show an L-wall rather than the
    print."""

    box: Mapping[str, float]
    ground: Mapping[str, float]


def wall_support(
    evidence: Evidence,
    pose: BoardPose,
    board: Board,
    cells: Sequence[str],
    kind: str,
    bodies: Bodies | None = None,
) -> WallSupport | None:
    """The pixels' support of every cell; None if the look of walls has not been learnt."""
    if evidence.wall is None:
        return None
    height = board.size_of(kind)[2]
    image_px = _probes(pose, board, tuple(cells), SHRINK, tuple(z * height for z in HEIGHTS))
    xy = to_crop(image_px, evidence.crop)
    grid_xy = xy.astype(np.float32).reshape(len(cells), -1, 2)
    values = cv2.remap(
        evidence.wall, grid_xy, None, cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_CONSTANT, borderValue=0.0,
    )  # fmt: skip
    free = _free(bodies, image_px, values.shape)
    box = mean_where(values, free, LOOK_EVEN).astype(float).tolist()
    flat = np.s_[:, : STEPS**2]
    ground = mean_where(values[flat], free[flat], LOOK_EVEN).astype(float).tolist()
    return WallSupport(dict(zip(cells, box, strict=True)), dict(zip(cells, ground, strict=True)))


def cover_shares(
    detections: Detections,
    pose: BoardPose,
    board: Board,
    cells: Sequence[str],
    bodies: Bodies | None = None,
) -> dict[str, float]:
    """Per cell the mean of the piece mask over its ground and a little above it, 0 to 1.

    What other pieces are known to cover is left out.
    """
    image_px = _probes(pose, board, tuple(cells), COVER_SHRINK, COVER_HEIGHTS_MM)
    values = sample_mask(detections.piece_mask, detections, image_px).reshape(len(cells), -1)
    means = mean_where(values, _free(bodies, image_px, values.shape), COVER_EVEN)
    return dict(zip(cells, means.astype(float).tolist(), strict=True))


@lru_cache(maxsize=4)
def _probes(
    pose: BoardPose,
    board: Board,
    cells: tuple[str, ...],
    shrink: float,
    heights_mm: tuple[float, ...],
) -> NDArray[np.float64]:
    """(C * n, 2) image px: grids of STEPS x STEPS points over the cells, one above the other."""
    share = np.linspace(-0.5, 0.5, STEPS) * shrink
    grid = np.array([(x, y) for y in share for x in share]) * board.cell_size_mm
    centres = np.array([board.centres[c] for c in cells])
    layers = [
        np.dstack([centres[:, None] + grid[None], np.full((len(cells), len(grid)), z)])
        for z in heights_mm
    ]
    return pose.to_image(np.concatenate(layers, axis=1).reshape(-1, 3))


def _free(
    bodies: Bodies | None, image_px: NDArray[np.float64], shape: tuple[int, ...]
) -> NDArray[np.bool_]:
    return np.ones(shape, bool) if bodies is None else bodies.free(image_px).reshape(shape)
