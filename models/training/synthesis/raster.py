"""Shading, shadows and painting of meshes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.synthesis.camera import Camera
from models.training.synthesis.meshes import DECAL, SOLID, Mesh
from models.training.synthesis.self_shadow import lamp_map, lit
from models.training.synthesis.surroundings import SHIFT, fixed

Rng = np.random.Generator
F32 = NDArray[np.float32]
OVERSAMPLE = 2
BRIGHTEST, GAMMA = 1.5, 1.6  # of light as displayed
DECAL_BIAS_MM = 9.0


@dataclass(frozen=True, slots=True, eq=False)
class Light:
    """``to_light`` unit vector; ``power`` (3,) BGR on a face turned to it; ``soft`` mm per mm."""

    to_light: F32
    power: F32
    soft: float


@dataclass(frozen=True, slots=True, eq=False)
class Lights:
    """Lamps and the even rest, scaled so that open ground receives about 1."""

    lamps: tuple[Light, ...]
    ambient: F32


def random_lights(rng: Rng) -> Lights:
    """One to three lamps, window or sun, warm or cold."""
    n = int(rng.choice([1, 2, 3], p=[0.55, 0.3, 0.15]))
    # Half the rooms have one strong lamp and shadows that are nearly black.
    ambient_share = float(rng.uniform(0.15, 0.85) if rng.random() < 0.5 else rng.uniform(0.06, 0.3))
    shares = rng.dirichlet(np.full(n, 1.2)) * (1 - ambient_share)
    lamps = []
    for share in shares:
        up = np.radians(rng.uniform(22, 85))
        a = rng.uniform(0, 2 * np.pi)
        d = np.array([np.cos(a) * np.cos(up), np.sin(a) * np.cos(up), np.sin(up)], np.float32)
        tint = _tint(rng)
        lamps.append(
            Light(
                d,
                (tint * share / max(d[2], 0.3)).astype(np.float32),
                float(rng.choice([0.03, 0.15, 0.4])),
            )
        )
    return Lights(tuple(lamps), _tint(rng) * np.float32(ambient_share))


def _tint(rng: Rng) -> F32:
    warm = rng.normal(0, 0.12)
    tint = np.array([1 - warm, 1 - abs(warm) * 0.15, 1 + warm])
    return np.clip(tint, 0.5, 1.5).astype(np.float32)


def shade(mesh: Mesh, lights: Lights, eye: NDArray[np.float64], lit: F32) -> tuple[F32, list[F32]]:
    """Light (N, 3) that the faces send to ``eye`` (3,) mm without lamps, and (N, 3) of each lamp.

    ``lit`` (N, lamps): 1 = no shadow of a hand.
    """
    centres = mesh.quads.mean(1)
    view = eye.astype(np.float32) - centres
    view /= np.linalg.norm(view, axis=1, keepdims=True)
    dark = np.clip(0.7 + centres[:, 2:3] / 12, 0.7, 1)
    # Rim reflection of the surroundings on glossy pieces.
    grazing = (1 - np.abs(np.einsum("ij,ij->i", mesh.normals, view))) ** 4
    ambient = lights.ambient[None] * (0.6 + 0.4 * mesh.normals[:, 2:3]) * mesh.colours * dark
    ambient += (grazing * mesh.gloss * 0.22)[:, None] * lights.ambient
    parts = []
    for i, lamp in enumerate(lights.lamps):
        direct = np.maximum(mesh.normals @ lamp.to_light, 0) * lit[:, i]
        half = view + lamp.to_light
        half /= np.linalg.norm(half, axis=1, keepdims=True) + 1e-9
        spot = np.maximum(np.einsum("ij,ij->i", mesh.normals, half), 0) ** 24 * lit[:, i]
        colour = mesh.colours * dark * direct[:, None] + (spot * mesh.gloss * 0.9)[:, None]
        parts.append((colour * lamp.power).astype(np.float32))
    return ambient.astype(np.float32), parts


def paint_faces(mesh: Mesh, camera: Camera) -> NDArray[np.int32]:
    """Paints back to front: 1 + number of the face seen in each pixel at twice the crop's size."""
    w, h = camera.size
    canvas = np.zeros((h * OVERSAMPLE, w * OVERSAMPLE), np.int32)
    centres = mesh.quads.mean(1)
    seen = np.einsum("ij,ij->i", mesh.normals, camera.centre.astype(np.float32) - centres) > 0
    depth = np.linalg.norm(camera.centre - centres, axis=1)
    depth[mesh.layer == DECAL] -= DECAL_BIAS_MM
    layer = np.minimum(mesh.layer, SOLID)
    order = np.lexsort((-depth, layer))
    order = order[seen[order]]
    px = camera.project(mesh.quads[order]) * OVERSAMPLE + (OVERSAMPLE - 1) / 2
    fill = cv2.fillConvexPoly
    for quad, number in zip(fixed(px), (order + 1).tolist(), strict=True):
        fill(canvas, quad, number, cv2.LINE_8, SHIFT)
    return canvas


def light_faces(mesh: Mesh, faces: NDArray[np.int32], lights: Lights, camera: Camera,
                ambient: F32, parts: list[F32]) -> NDArray[np.uint8]:  # fmt: skip
    """(2H, 2W, 3) light of the painted faces with the shadows they throw on one another.

    Stored as displayed (see BRIGHTEST, GAMMA); made linear again when composed: edges blend as a
    camera sees them.
    """
    out = np.zeros((*faces.shape, 3), np.uint8)
    v, u = np.nonzero(faces)
    if not len(v):
        return out
    face = faces[v, u] - 1
    points = _unproject(mesh, face, u, v, camera)
    light = ambient[face]
    for lamp, part in zip(lights.lamps, parts, strict=True):
        reach = np.full(faces.shape, 255, np.uint8)
        reach[v, u] = lit(mesh, lamp_map(mesh, lamp.to_light), points) * 255
        reach = cv2.GaussianBlur(reach, (0, 0), 0.7 + 6 * lamp.soft)
        light += part[face] * (reach[v, u].astype(np.float32) / 255)[:, None]
    out[v, u] = np.power(np.clip(light, 0, 1.2) / BRIGHTEST, 1 / GAMMA) * 255
    return out


def _unproject(
    mesh: Mesh, face: NDArray[np.intp], u: NDArray[np.intp], v: NDArray[np.intp], camera: Camera
) -> F32:
    """(P, 3) mm: where the rays of the pixels meet the planes of their faces."""
    q = np.stack([u, v, np.ones(len(u))], 1).astype(np.float32)
    q[:, :2] = (q[:, :2] - (OVERSAMPLE - 1) / 2) / OVERSAMPLE
    ray = q @ np.linalg.inv(camera.matrix[:, :3]).T.astype(np.float32)
    eye = camera.centre.astype(np.float32)
    away = np.einsum("ij,ij->i", mesh.normals, mesh.quads.mean(1) - eye)
    across = np.einsum("ij,ij->i", mesh.normals[face], ray)
    across = np.where(np.abs(across) < 1e-9, np.float32(1e-9), across)
    return eye + ray * (away[face] / across)[:, None]


def silhouette(parts: Sequence[F32], camera: Camera) -> float:
    """Area in crop px of the union of convex parts inside the crop."""
    w, h = camera.size
    hulls = [cv2.convexHull(camera.project(p).astype(np.float32))[:, 0] for p in parts]
    every = np.concatenate(hulls)
    low = np.floor(np.maximum(every.min(0), -40)).astype(int)
    high = np.ceil(np.minimum(every.max(0), (w + 40, h + 40))).astype(int)
    if (high <= low).any():
        return 0.0
    k = 2
    mask = np.zeros(tuple((high - low)[::-1] * k), np.uint8)
    for hull in hulls:
        cv2.fillConvexPoly(mask, fixed((hull - low) * k), 1, cv2.LINE_8, SHIFT)
    return float(mask.sum()) / k**2


def shadow_mask(
    parts: Sequence[F32], lamp: Light, camera: Camera, ground_mm: float, soft: float
) -> F32:
    """(h/2, w/2) share of the lamp that convex ``parts`` keep from the plane z = ground_mm."""
    w, h = camera.size[0] // 2, camera.size[1] // 2
    low = np.zeros((h, w), np.uint8)
    high = np.zeros((h, w), np.uint8)
    slope = lamp.to_light[:2] / lamp.to_light[2]
    for part in parts:
        z = np.maximum(part[:, 2:3] - ground_mm, 0)
        flat = part[:, :2] - slope * z
        px = camera.project(np.column_stack([flat, np.full(len(flat), ground_mm)])) / 2 - 0.25
        hull = cv2.convexHull(px.astype(np.float32))[:, 0]
        cv2.fillConvexPoly(high if z.mean() > 12 else low, fixed(hull), 255, cv2.LINE_8, SHIFT)
    scale = 0.5 * camera.size[0] / 900
    near = cv2.GaussianBlur(low, (0, 0), 0.6 + 8 * soft * scale)
    far = cv2.GaussianBlur(high, (0, 0), 0.7 + 30 * soft * scale)
    return np.maximum(near, far).astype(np.float32) / 255
