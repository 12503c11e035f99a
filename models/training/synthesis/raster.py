"""Shading, shadows and painting of meshes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.synthesis.camera import Camera
from models.training.synthesis.meshes import DECAL, SOLID, Mesh
from models.training.synthesis.surroundings import SHIFT, fixed

Rng = np.random.Generator
F32 = NDArray[np.float32]
OVERSAMPLE = 2
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
    ambient_share = float(rng.uniform(0.15, 0.85))
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


def shade(mesh: Mesh, lights: Lights, eye: NDArray[np.float64], lit: F32) -> F32:
    """Colours (N, 3) of the faces as seen from ``eye`` (3,) mm; ``lit`` (N, lamps) 1 = no shadow."""
    centres = mesh.quads.mean(1)
    view = eye.astype(np.float32) - centres
    view /= np.linalg.norm(view, axis=1, keepdims=True)
    light = lights.ambient[None] * (0.6 + 0.4 * mesh.normals[:, 2:3])
    shine = np.zeros_like(centres)
    for i, lamp in enumerate(lights.lamps):
        direct = np.maximum(mesh.normals @ lamp.to_light, 0) * lit[:, i]
        light = light + direct[:, None] * lamp.power
        half = view + lamp.to_light
        half /= np.linalg.norm(half, axis=1, keepdims=True) + 1e-9
        spot = np.maximum(np.einsum("ij,ij->i", mesh.normals, half), 0) ** 24 * lit[:, i]
        shine += (spot * mesh.gloss)[:, None] * lamp.power
    # Rim reflection of the surroundings on glossy pieces.
    grazing = (1 - np.abs(np.einsum("ij,ij->i", mesh.normals, view))) ** 4
    shine += (grazing * mesh.gloss * 0.25)[:, None] * lights.ambient
    dark = np.clip(0.7 + centres[:, 2:3] / 12, 0.7, 1)
    return np.clip(mesh.colours * light * dark + shine * 0.9, 0, 1.2)


def paint(
    mesh: Mesh, colours: F32, ids: NDArray[np.int32], camera: Camera
) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Paints back to front; returns the premultiplied BGR + id picture at twice the crop's size.

    The id of a pixel nobody covers is 0.  Second value: the same ids alone.
    """
    w, h = camera.size
    canvas = np.zeros((h * OVERSAMPLE, w * OVERSAMPLE, 4), np.uint8)
    centres = mesh.quads.mean(1)
    seen = np.einsum("ij,ij->i", mesh.normals, camera.centre.astype(np.float32) - centres) > 0
    depth = np.linalg.norm(camera.centre - centres, axis=1)
    depth[mesh.layer == DECAL] -= DECAL_BIAS_MM
    layer = np.minimum(mesh.layer, SOLID)
    order = np.lexsort((-depth, layer))
    order = order[seen[order]]
    px = camera.project(mesh.quads[order]) * OVERSAMPLE + (OVERSAMPLE - 1) / 2
    points = fixed(px)
    values = np.concatenate([np.clip(colours[order], 0, 1) * 255, ids[order, None]], 1)
    fill = cv2.fillConvexPoly
    for quad, value in zip(points, values.tolist(), strict=True):
        fill(canvas, quad, value, cv2.LINE_8, SHIFT)
    return canvas, np.ascontiguousarray(canvas[..., 3])


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
