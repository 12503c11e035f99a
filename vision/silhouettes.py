"""Who hides whom: the pictures of the seen things painted from far to near."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.board import Board
from engine.observation import CellView
from vision.cells import spot_table
from vision.types import SHAPES, BoardPose, Detections, Image

SCALE = 0.5  # the owner map is kept at half the picture's size
WALLS = frozenset({SHAPES.index("wall"), SHAPES.index("l_wall")})
PROBE_HEIGHTS_MM = (2.0, 12.0, 22.0)
LEAST_SEEN = 0.4  # share of the probes that must be free for a spot to count as seen
HAND_SHARE = 0.3
GLARE_LEVEL = 250
_TURNS = np.linspace(0, 2 * math.pi, 12, endpoint=False)
CIRCLE = np.column_stack([np.cos(_TURNS), np.sin(_TURNS)])  # (12, 2) of radius 1


def camera_centre_mm(pose: BoardPose) -> NDArray[np.float64]:
    """(3,) position of the camera in board mm, z up from the face."""
    _, _, rows = np.linalg.svd(pose.camera)
    return np.asarray(rows[-1, :3] / rows[-1, 3])


@dataclass(frozen=True, slots=True, eq=False)
class OwnerMap:
    """``owner``: (h, w) int16 at SCALE, index of the nearest thing in front, -1 for none.

    ``distance_mm``: (N,) ground distance of every thing's foot from the camera's foot.
    """

    owner: NDArray[np.int16]
    distance_mm: NDArray[np.float64]

    def at(self, points_px: NDArray[np.float64]) -> NDArray[np.int16]:
        """Owners at (N, 2) image points; -1 outside the picture."""
        xy = np.round(np.asarray(points_px) * SCALE).astype(int)
        height, width = self.owner.shape
        inside = (xy[:, 0] >= 0) & (xy[:, 0] < width) & (xy[:, 1] >= 0) & (xy[:, 1] < height)
        result = np.full(len(xy), -1, np.int16)
        result[inside] = self.owner[xy[inside, 1], xy[inside, 0]]
        return result


def outline(
    foot: NDArray[np.float64], top: NDArray[np.float64], width: float
) -> NDArray[np.float64]:
    """(n, 2) convex outline of a standing thing in the picture: round base, narrower top."""
    axis = top - foot
    length = float(np.linalg.norm(axis))
    base = foot + CIRCLE * width / 2
    if length < 0.3 * width:
        return base
    head = foot + axis * max(0.0, 1 - 0.25 * width / length) + CIRCLE * width * 0.28
    return np.asarray(cv2.convexHull(np.vstack([base, head]).astype(np.float32))[:, 0], np.float64)


def owner_map(image: Image, pose: BoardPose, board: Board, detections: Detections) -> OwnerMap:
    """Paints every thing's outline, the farthest first."""
    height, width = image.shape[:2]
    owner = np.full((math.ceil(height * SCALE), math.ceil(width * SCALE)), -1, np.int16)
    at_mm = pose.to_board(detections.foot_px.astype(np.float64))
    distance = np.linalg.norm(at_mm - camera_centre_mm(pose)[:2], axis=1)
    for i in np.argsort(-distance):
        shape = int(np.argmax(detections.shape_scores[i]))
        if SHAPES[shape] == "l_wall" or float(detections.score[i]) < 0.3:
            continue
        if SHAPES[shape] == "wall":
            polygon = box_outline(
                pose, at_mm[i], board.cell_size_mm, board.size_of("ruin")[2] * 0.8
            )
        else:
            polygon = outline(
                detections.foot_px[i].astype(float), detections.top_px[i].astype(float),
                float(detections.width_px[i]),
            )  # fmt: skip
        if np.isfinite(polygon).all() and np.abs(polygon).max() < 1e5:
            cv2.fillConvexPoly(owner, np.round(polygon * SCALE).astype(np.int32), int(i))
    return OwnerMap(owner, distance)


def box_outline(
    pose: BoardPose, at_mm: NDArray[np.float64], side_mm: float, height_mm: float
) -> NDArray[np.float64]:
    """(n, 2) outline in the picture of a box that stands on a square of the board."""
    half = side_mm / 2
    corners = at_mm + np.array([[-half, -half], [half, -half], [half, half], [-half, half]])
    points = np.vstack([np.column_stack([corners, np.full(4, z)]) for z in (0.0, height_mm)])
    return np.asarray(cv2.convexHull(pose.to_image(points).astype(np.float32))[:, 0], np.float64)


def cell_views(
    image: Image,
    pose: BoardPose,
    board: Board,
    detections: Detections,
    owners: OwnerMap,
    occupied: Mapping[str, int],
) -> dict[str, CellView]:
    """The spots that can't be judged, and why.  ``occupied``: spot to the thing that stands on it."""
    table = spot_table(board)
    camera = camera_centre_mm(pose)[:2]
    offsets = 0.25 * board.cell_size_mm * np.array([[0, 0], [-1, 0], [1, 0], [0, -1], [0, 1]])
    ground = (table.centres[:, None] + offsets[None]).reshape(-1, 2)
    probes = np.concatenate(
        [
            pose.to_image(np.column_stack([ground, np.full(len(ground), z)]))
            for z in PROBE_HEIGHTS_MM
        ]
    )
    height, width = image.shape[:2]
    outside = (probes < 0).any(axis=1) | (probes[:, 0] >= width) | (probes[:, 1] >= height)
    front = owners.at(probes)
    nearest = np.append(owners.distance_mm, np.inf)[front]
    own = np.array([occupied.get(s, -2) for s in table.ids])
    spot_distance = np.linalg.norm(table.centres - camera, axis=1)
    margin = 0.3 * board.cell_size_mm
    count, layers = len(offsets), len(PROBE_HEIGHTS_MM)
    tiled = np.tile(np.repeat(spot_distance, count), layers)
    owned = np.tile(np.repeat(own, count), layers)
    hidden = (nearest < tiled - margin) & (front != owned) | outside
    hand = sample_mask(detections.hand_mask, detections, probes) > 0.5
    xy = np.clip(np.round(probes).astype(int), 0, [width - 1, height - 1])
    glare = image[xy[:, 1], xy[:, 0]].min(axis=1) >= GLARE_LEVEL

    def share(flags: NDArray[np.bool_]) -> NDArray[np.float64]:
        return flags.reshape(layers, -1, count).mean(axis=(0, 2))

    views: dict[str, CellView] = {}
    for spot, h, d, g in zip(table.ids, share(hand), share(hidden), share(glare), strict=True):
        if h > HAND_SHARE:
            views[spot] = CellView.HAND
        elif d > 1 - LEAST_SEEN:
            views[spot] = CellView.HIDDEN
        elif g > 0.8:
            views[spot] = CellView.GLARE
    return views


def sample_mask(
    mask: NDArray[np.float32], detections: Detections, points_px: NDArray[np.float64]
) -> NDArray[np.float32]:
    """(N,) values of one of the detector's masks at (N, 2) image points; 0 outside it."""
    inverse = cv2.invertAffineTransform(detections.mask_to_image)
    at = np.column_stack([points_px, np.ones(len(points_px))]) @ inverse.T
    xs, ys = at[:, 0].astype(np.float32)[None], at[:, 1].astype(np.float32)[None]
    return np.asarray(cv2.remap(mask, xs, ys, cv2.INTER_LINEAR, borderValue=0.0)[0], np.float32)
