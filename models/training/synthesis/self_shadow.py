"""Shadows that pieces throw on one another and on themselves, pixel by pixel.

Shadow mapping (Williams 1978) with face numbers instead of depths: the faces are painted once as
the lamp sees them; a point is lit where the face seen from the lamp is not nearer to it.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.synthesis.meshes import Mesh
from models.training.synthesis.surroundings import SHIFT, fixed

F32 = NDArray[np.float32]
MAP_PX = 1000  # longest side of a lamp's map
FINEST = 1.6  # px per mm of a lamp's map
BIAS_MM = 1.2
STEEP = 0.15  # faces that the lamp grazes more than this hide nothing
WALL_OF_DEPTH = 12.0  # mm: no face reaches farther from its centre towards the lamp


@dataclass(frozen=True, slots=True, eq=False)
class LampMap:
    """Faces as one lamp sees them: ``face`` (h, w) int32, 1 + number, 0 where there is none."""

    face: NDArray[np.int32]
    axes: F32
    low: F32
    scale: float


def lamp_map(mesh: Mesh, to_light: F32) -> LampMap:
    """Paints all faces turned to the lamp, the nearest last; ``to_light`` (3,) unit vector."""
    side = np.cross(to_light, (0.0, 0.0, 1.0) if abs(to_light[2]) < 0.9 else (1.0, 0.0, 0.0))
    side /= np.linalg.norm(side)
    axes = np.stack([side, np.cross(to_light, side), to_light]).astype(np.float32)
    seen = mesh.quads @ axes.T
    low = seen[..., :2].reshape(-1, 2).min(0)
    extent = float((seen[..., :2].reshape(-1, 2).max(0) - low).max())
    scale = min(FINEST, MAP_PX / max(extent, 1.0))
    size = np.ceil((seen[..., :2].reshape(-1, 2).max(0) - low) * scale).astype(int) + 2
    canvas = np.zeros((int(size[1]), int(size[0])), np.int32)
    turned = np.flatnonzero(mesh.normals @ to_light > STEEP)
    order = turned[np.argsort(seen[turned, :, 2].mean(1))]
    points = fixed((seen[order, :, :2] - low) * scale)
    for number, quad in zip((order + 1).tolist(), points, strict=True):
        cv2.fillConvexPoly(canvas, quad, number, cv2.LINE_8, SHIFT)
    return LampMap(canvas, axes, low.astype(np.float32), scale)


def lit(mesh: Mesh, lamp: LampMap, points: F32) -> F32:
    """(P,) 1 where the lamp reaches ``points`` (P, 3) mm, 0 in shadow."""
    at = points @ lamp.axes.T
    xy = np.round((at[:, :2] - lamp.low) * lamp.scale).astype(int)
    h, w = lamp.face.shape
    xy = np.clip(xy, 0, (w - 1, h - 1))
    number = lamp.face[xy[:, 1], xy[:, 0]] - 1
    hit = np.flatnonzero(number >= 0)
    face = number[hit]
    # Where the ray to the lamp meets that face's plane.
    centres = mesh.quads.mean(1)
    offset = np.einsum("ij,ij->i", mesh.normals, centres)[face]
    facing = np.maximum(mesh.normals @ lamp.axes[2], STEEP)[face]
    ahead = (offset - np.einsum("ij,ij->i", mesh.normals[face], points[hit])) / facing
    least = (centres @ lamp.axes[2])[face] - at[hit, 2]
    ahead = np.clip(ahead, least - WALL_OF_DEPTH, least + WALL_OF_DEPTH)
    out = np.ones(len(points), np.float32)
    out[hit[ahead > BIAS_MM]] = 0.0
    return out
