"""The same tables by path tracing: soft shadows, light from wall to wall, true shine.

Mitsuba 3 (Jakob et al. 2022) with few samples, cleaned by Open Image Denoise.  Needs the extra
``render``; on Linux also a libLLVM of version 16 or later (``DRJIT_LIBLLVM_PATH`` names it).

Colours stay in OpenCV's order all the way; light is linear, as in ``raster``.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.synthesis import effects
from models.training.synthesis.camera import Camera
from models.training.synthesis.meshes import DECAL, SOLID, Mesh
from models.training.synthesis.raster import GAMMA, Light, Lights
from models.training.synthesis.sample import ids_seen
from models.training.synthesis.table import Table

Rng = np.random.Generator
F32 = NDArray[np.float32]
F64 = NDArray[np.float64]
LAMP_MM = 2200.0  # distance of the lamps
SMOOTH = 0.8  # cosine of the angle up to which faces of a round piece join smoothly
GRID = 24  # squares along a side of the board and of the table
SHINY = 0.35  # gloss from which a face counts as lacquered
SAMPLES, DEPTH = 8, 4
BRIGHTEST_PAINT = 0.9
_NEWER_LLVM = ("20", "19", "18", "17", "16")


@dataclass(frozen=True, slots=True, eq=False)
class Surface:
    """Triangles (T, 3) of ``points`` (N, 3) mm with ``normals`` (N, 3).

    ``colours`` (T, 3) linear, or ``pixels`` (N, 2): where the ground's picture shows each point.
    """

    points: F32
    normals: F32
    triangles: NDArray[np.uint32]
    colours: F32 | None = None
    pixels: F32 | None = None


def path_traced(rng: Rng, table: Table) -> tuple[F32, NDArray[np.uint8]]:
    """Linear light (H, W, 3), open ground lit to about 1, and ids as the rasteriser gives them."""
    ids = ids_seen(table)
    light = _light(rng, table)
    size = table.camera.size
    open_board = cv2.resize((ids == 0).astype(np.uint8), size, interpolation=cv2.INTER_AREA)
    effects.glare(rng, light, table.board_mask * open_board)
    return light, ids


def _light(rng: Rng, table: Table) -> F32:
    mi = _mitsuba()
    camera, board, thick, lights = table.camera, table.board, table.thick, table.lights
    albedo = (table.ground.astype(np.float32) / 255) ** GAMMA * BRIGHTEST_PAINT
    parts: dict[str, Any] = {
        "type": "scene",
        "integrator": {
            "type": "aov", "aovs": "albedo:albedo,normal:sh_normal",
            "light": {"type": "path", "max_depth": DEPTH, "hide_emitters": True},
        },
        "sensor": _sensor(mi, camera),
        "sky": {"type": "envmap", "bitmap": mi.Bitmap(_sky(rng, lights)), "to_world": _upright(mi)},
    }  # fmt: skip
    middle = np.array([board[0] / 2, board[1] / 2, 0])
    for i, lamp in enumerate(lights.lamps):
        parts[f"lamp{i}"] = _lamp(lamp, middle)
    printed = {
        "type": "diffuse",
        "reflectance": {
            "type": "bitmap", "bitmap": mi.Bitmap(albedo), "raw": True, "wrap_mode": "clamp",
        },
    }  # fmt: skip
    for name, surface in (("board", _slab(camera, board, thick)), ("table", _table(camera, thick))):
        parts[name] = _mesh(mi, name, surface, _both_sides(printed))
    for name, surface, material in _pieces(rng, table.meshes):
        parts[name] = _mesh(mi, name, surface, material)
    seen = np.array(mi.render(mi.load_dict(parts), spp=SAMPLES, seed=int(rng.integers(2**31))))
    return _denoised(seen)


@cache
def _mitsuba() -> Any:
    """The renderer, run by the processor."""
    if "DRJIT_LIBLLVM_PATH" not in os.environ:
        for version in _NEWER_LLVM:
            found = sorted(Path("/usr/lib").glob(f"*/libLLVM-{version}.so*"))
            if found:
                os.environ["DRJIT_LIBLLVM_PATH"] = str(found[0])
                break
    import mitsuba

    mitsuba.set_variant("llvm_ad_rgb")
    return mitsuba


def _denoised(seen: F32) -> F32:
    import pyoidn

    light, albedo, normal = seen[..., :3], seen[..., -6:-3], seen[..., -3:]
    light = np.nan_to_num(np.minimum(light, 20.0))
    parts = [np.ascontiguousarray(a, dtype=np.float32) for a in (light, albedo, normal)]
    out = pyoidn.denoise(parts[0], albedo=np.clip(parts[1], 0, 1), normal=parts[2], hdr=True)
    return np.asarray(np.maximum(out, 0), np.float32)


def _mirrored(points: NDArray[np.floating]) -> NDArray[np.floating]:
    """The board's frame is left-handed (x right, y down, z up); the renderer's right-handed."""
    return points * np.array([1, -1, 1], points.dtype)


def _sensor(mi: Any, camera: Camera) -> dict[str, Any]:
    w, h = camera.size
    matrix = camera.matrix @ np.diag([1.0, -1.0, 1.0, 1.0])
    k, rotation, *_ = cv2.decomposeProjectionMatrix(matrix)
    k = k / k[2, 2]
    flip = np.diag(np.sign(np.diag(k)))
    k, rotation = k @ flip, flip @ rotation
    if np.linalg.det(rotation) < 0:
        rotation = -rotation
    pose = np.eye(4)
    # The renderer's camera looks along +z with x to the left and y up.
    pose[:3, :3] = rotation.T @ np.diag([-1.0, -1.0, 1.0])
    pose[:3, 3] = _mirrored(camera.centre)
    return {
        "type": "perspective", "to_world": mi.ScalarTransform4f(pose),
        "fov": float(np.degrees(2 * np.arctan(w / 2 / k[0, 0]))), "fov_axis": "x",
        "principal_point_offset_x": float(0.5 - (k[0, 2] + 0.5) / w),
        "principal_point_offset_y": float(0.5 - (k[1, 2] + 0.5) / h),
        "near_clip": 10.0, "far_clip": 20000.0,
        "film": {
            "type": "hdrfilm", "width": w, "height": h, "rfilter": {"type": "box"},
            "pixel_format": "rgb", "component_format": "float32",
        },
        "sampler": {"type": "independent"},
    }  # fmt: skip


def _lamp(lamp: Light, middle: F64) -> dict[str, Any]:
    """A ball as wide as the softness of its shadows says, and as bright as its power."""
    radius = LAMP_MM * max(lamp.soft, 0.03) / 2
    at = _mirrored(middle + lamp.to_light.astype(np.float64) * LAMP_MM)
    radiance = lamp.power.astype(np.float64) * (LAMP_MM / radius) ** 2
    return {
        "type": "sphere", "center": at.tolist(), "radius": float(radius),
        "emitter": {"type": "area", "radiance": {"type": "rgb", "value": radiance.tolist()}},
    }  # fmt: skip


def _sky(rng: Rng, lights: Lights) -> F32:
    """(16, 32, 3) light of walls and ceiling, uneven, as bright in the mean as the even rest."""
    rows, columns = 16, 32
    field = rng.uniform(0.4, 1.6, (4, 8, 1)).astype(np.float32)
    field = cv2.resize(field, (columns, rows), interpolation=cv2.INTER_CUBIC)[..., None]
    field = np.maximum(field, 0.1)
    for _ in range(int(rng.integers(0, 3))):
        y, x = int(rng.integers(1, rows // 2)), int(rng.integers(columns - 4))
        field[y : y + int(rng.integers(1, 4)), x : x + int(rng.integers(1, 5))] += rng.uniform(1, 6)
    # Only the half above, by the cosine of its angle, lights the ground.
    up = np.cos(np.linspace(0, np.pi, rows))[:, None, None]
    weight = np.maximum(up, 0) * np.sin(np.linspace(0, np.pi, rows) + 1e-3)[:, None, None]
    field /= (field * weight).sum() / (weight.sum() * columns)
    return np.asarray(field * lights.ambient, np.float32)


def _upright(mi: Any) -> Any:
    """Turns the sky, whose pole is y, so that z is up."""
    return mi.ScalarTransform4f().rotate(axis=[1, 0, 0], angle=90)


def _both_sides(material: dict[str, Any]) -> dict[str, Any]:
    return {"type": "twosided", "material": material}


def _mesh(mi: Any, name: str, surface: Surface, material: dict[str, Any]) -> Any:
    props = mi.Properties()
    props["bsdf"] = mi.load_dict(material)
    mesh = mi.Mesh(
        name, len(surface.points), len(surface.triangles), props=props,
        has_vertex_normals=True, has_vertex_texcoords=surface.pixels is not None,
    )  # fmt: skip
    values = mi.traverse(mesh)
    values["vertex_positions"] = _mirrored(surface.points).ravel()
    values["vertex_normals"] = _mirrored(surface.normals).ravel()
    # Mirroring turns the triangles round.
    values["faces"] = surface.triangles[:, [0, 2, 1]].astype(np.uint32).ravel()
    if surface.pixels is not None:
        values["vertex_texcoords"] = surface.pixels.astype(np.float32).ravel()
    values.update()
    if surface.colours is not None:
        mesh.add_attribute("face_color", 3, surface.colours.astype(np.float32).ravel())
    return mesh


def _pixels(camera: Camera, points: F32) -> F32:
    """Where the ground's picture shows ``points``: 0 to 1, as textures count."""
    share = (camera.project(points) + 0.5) / camera.size
    return share.astype(np.float32)


def _grid(rows: int, columns: int) -> NDArray[np.uint32]:
    """Triangles of a lattice of (rows + 1) * (columns + 1) points."""
    at = np.arange((rows + 1) * (columns + 1)).reshape(rows + 1, columns + 1)
    a, b, c, d = at[:-1, :-1], at[:-1, 1:], at[1:, 1:], at[1:, :-1]
    return np.concatenate(
        [np.stack([a, b, c], -1).reshape(-1, 3), np.stack([a, c, d], -1).reshape(-1, 3)]
    ).astype(np.uint32)


def _sheet(camera: Camera, corners: F32, normal: tuple[float, float, float]) -> Surface:
    """A parallelogram of three ``corners`` (3, 3), fine enough for the picture laid over it."""
    s = np.linspace(0, 1, GRID + 1, dtype=np.float32)
    u, v = np.meshgrid(s, s)
    across, down = corners[1] - corners[0], corners[2] - corners[0]
    points = (corners[0] + u[..., None] * across + v[..., None] * down).reshape(-1, 3)
    normals = np.tile(np.array(normal, np.float32), (len(points), 1))
    return Surface(points, normals, _grid(GRID, GRID), pixels=_pixels(camera, points))


def _joined(surfaces: list[Surface]) -> Surface:
    counts = np.cumsum([0, *(len(s.points) for s in surfaces[:-1])])
    triangles = [s.triangles + n for s, n in zip(surfaces, counts, strict=True)]
    colours = [s.colours for s in surfaces if s.colours is not None]
    pixels = [s.pixels for s in surfaces if s.pixels is not None]
    return Surface(
        np.concatenate([s.points for s in surfaces]),
        np.concatenate([s.normals for s in surfaces]),
        np.concatenate(triangles).astype(np.uint32),
        np.concatenate(colours) if colours else None,
        np.concatenate(pixels) if pixels else None,
    )


def _slab(camera: Camera, board: tuple[float, float], thick: float) -> Surface:
    """The board's face and its four edges."""
    w, h = board
    a, b, c, d = (np.array(p, np.float32) for p in ((0, 0, 0), (w, 0, 0), (w, h, 0), (0, h, 0)))
    under = np.array([0, 0, -thick], np.float32)
    sides = [((a, b), (0.0, -1.0, 0.0)), ((b, c), (1.0, 0.0, 0.0)),
             ((c, d), (0.0, 1.0, 0.0)), ((d, a), (-1.0, 0.0, 0.0))]  # fmt: skip
    sheets = [_sheet(camera, np.stack([a, b, d]), (0.0, 0.0, 1.0))]
    sheets += [_sheet(camera, np.stack([p, q, p + under]), n) for (p, q), n in sides]
    return _joined(sheets)


def _table(camera: Camera, thick: float) -> Surface:
    """What the picture shows of the table's plane, and a margin around it."""
    w, h = camera.size
    flat = camera.matrix[:, [0, 1, 3]] - np.outer(camera.matrix[:, 2], [0, 0, thick])
    x, y = (
        np.linspace(-0.3 * w, 1.3 * w, 4 * GRID + 1),
        np.linspace(-0.3 * h, 1.3 * h, 4 * GRID + 1),
    )
    u, v = np.meshgrid(x, y)
    q = np.stack([u, v, np.ones_like(u)], -1).reshape(-1, 3) @ np.linalg.inv(flat).T
    # Rays near or above the horizon meet the table far away or never.
    ahead = q[:, 2] * np.sign(np.median(q[:, 2]))
    good = ahead > 0.15 * np.median(ahead)
    xy = q[:, :2] / np.where(good, q[:, 2], 1)[:, None]
    points = np.column_stack([xy, np.full(len(xy), -thick)]).astype(np.float32)
    triangles = _grid(4 * GRID, 4 * GRID)
    triangles = triangles[good[triangles].all(1)]
    pixels = np.stack([(u.ravel() + 0.5) / w, (v.ravel() + 0.5) / h], 1).astype(np.float32)
    normals = np.tile(np.array([0, 0, 1], np.float32), (len(points), 1))
    return Surface(points, normals, triangles, pixels=pixels)


def _pieces(rng: Rng, meshes: list[Mesh]) -> list[tuple[str, Surface, dict[str, Any]]]:
    """Dull and lacquered faces apart, each kind with its own material."""
    groups: dict[str, list[Surface]] = {"dull": [], "shiny": []}
    for mesh in meshes:
        normals = _smooth(mesh)
        for name, chosen in (("dull", mesh.gloss < SHINY), ("shiny", mesh.gloss >= SHINY)):
            if chosen.any():
                groups[name].append(_faces(mesh, normals, chosen))
    colour = {"type": "mesh_attribute", "name": "face_color"}
    wood = {"type": "diffuse", "reflectance": colour}
    lacquer = {
        "type": "principled", "base_color": colour, "specular": float(rng.uniform(0.3, 0.6)),
        "roughness": float(rng.uniform(0.15, 0.6)),
    }  # fmt: skip
    materials = {"dull": wood, "shiny": lacquer}
    return [(n, _joined(s), _both_sides(materials[n])) for n, s in groups.items() if s]


def _faces(mesh: Mesh, normals: F32, chosen: NDArray[np.bool_]) -> Surface:
    """Two triangles for each chosen quad; things that stick to others lie a hair above them."""
    quads = mesh.quads[chosen].copy()
    layer = mesh.layer[chosen]
    lift = np.where(layer == DECAL, 0.2, np.where(layer < SOLID, 0.05 * (layer + 1), 0.0))
    quads += (mesh.normals[chosen] * lift[:, None])[:, None]
    first = np.arange(len(quads), dtype=np.uint32)[:, None] * 4
    halves = np.array([[0, 1, 2], [0, 2, 3]], np.uint32)
    triangles = np.concatenate([first + half for half in halves])
    colours = mesh.colours[chosen] ** GAMMA * BRIGHTEST_PAINT
    return Surface(
        quads.reshape(-1, 3), normals[chosen].reshape(-1, 3), triangles, np.tile(colours, (2, 1))
    )


def _smooth(mesh: Mesh) -> F32:
    """(N, 4, 3) normals at the corners: the mean of the faces that meet there without an edge."""
    n = len(mesh.quads)
    own = np.repeat(mesh.normals, 4, 0)
    keys = np.round(mesh.quads.reshape(-1, 3) * 100).astype(np.int64)
    _, vertex = np.unique(keys, axis=0, return_inverse=True)
    order = np.argsort(vertex.ravel(), kind="stable")
    vertex, ranked = vertex.ravel()[order], own[order]
    total = ranked.copy()
    for k in range(1, min(40, len(vertex))):
        near = (vertex[k:] == vertex[:-k]) & (
            np.einsum("ij,ij->i", ranked[k:], ranked[:-k]) > SMOOTH
        )
        if not (vertex[k:] == vertex[:-k]).any():
            break
        total[k:][near] += ranked[:-k][near]
        total[:-k][near] += ranked[k:][near]
    total /= np.linalg.norm(total, axis=1, keepdims=True) + 1e-9
    out = np.empty_like(own)
    out[order] = total
    return out.reshape(n, 4, 3)
