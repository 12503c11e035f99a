"""Small meshes of convex parts: quads for painting, part vertices for shadows and silhouettes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float32]

# Layers: FLAT, FLAT + 1 ... lie on the ground in that order; SOLID faces are painted by depth;
# a DECAL sticks to the solid face under it.
FLAT, SOLID, DECAL = 0, 10, 11


@dataclass(frozen=True, slots=True, eq=False)
class Mesh:
    """``quads`` (N, 4, 3) in mm, outward ``normals`` (N, 3), ``colours`` (N, 3) BGR 0 to 1.

    ``gloss`` (N,) 0 to 1; ``tag`` (N,) int, the sub-thing a face belongs to (cells of an L-wall);
    ``layer`` (N,) int, see FLAT, SOLID and DECAL; ``parts``: vertices (k, 3)
    of each convex part with its tag.
    """

    quads: Array
    normals: Array
    colours: Array
    gloss: Array
    tag: NDArray[np.int32]
    layer: NDArray[np.int32]
    parts: tuple[tuple[int, Array], ...]

    def moved(self, offset: Sequence[float], turn: float = 0.0, tilt: Array | None = None) -> Mesh:
        """Rotated by ``tilt`` (3, 3), then about z by ``turn`` radians, then shifted by mm."""
        c, s = np.cos(turn), np.sin(turn)
        rot = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]], np.float32)
        if tilt is not None:
            rot = rot @ tilt.astype(np.float32)
        shift = np.asarray(offset, np.float32)
        return replace(
            self,
            quads=self.quads @ rot.T + shift,
            normals=self.normals @ rot.T,
            parts=tuple((t, v @ rot.T + shift) for t, v in self.parts),
        )

    def scaled(self, factor: float) -> Mesh:
        """Larger or smaller about the origin."""
        f = np.float32(factor)
        return replace(self, quads=self.quads * f, parts=tuple((t, v * f) for t, v in self.parts))

    def painted(self, colour: Array, gloss: float) -> Mesh:
        """The same mesh in one colour."""
        n = len(self.quads)
        return replace(
            self,
            colours=np.tile(np.asarray(colour, np.float32), (n, 1)),
            gloss=np.full(n, gloss, np.float32),
        )

    def tagged(self, tag: int, layer: int = SOLID) -> Mesh:
        """The same mesh with one tag and layer."""
        n = len(self.quads)
        return replace(
            self,
            tag=np.full(n, tag, np.int32),
            layer=np.full(n, layer, np.int32),
            parts=tuple((tag, v) for _, v in self.parts),
        )

    @property
    def height(self) -> float:
        """Greatest z in mm."""
        return float(self.quads[..., 2].max())


def join(meshes: Sequence[Mesh]) -> Mesh:
    """One mesh of several, keeping tags."""
    return Mesh(
        np.concatenate([m.quads for m in meshes]),
        np.concatenate([m.normals for m in meshes]),
        np.concatenate([m.colours for m in meshes]),
        np.concatenate([m.gloss for m in meshes]),
        np.concatenate([m.tag for m in meshes]),
        np.concatenate([m.layer for m in meshes]),
        tuple(p for m in meshes for p in m.parts),
    )


def convex(quads: Array, centres: Array, parts: Sequence[Array]) -> Mesh:
    """Mesh of quads whose normals are turned away from ``centres`` (N, 3) or (3,)."""
    quads = np.asarray(quads, np.float32)
    a = quads[:, 2] - quads[:, 0]
    b = quads[:, 3] - quads[:, 1]
    normals = np.cross(a, b)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True) + 1e-9
    inward = np.einsum("ij,ij->i", normals, quads.mean(1) - centres) < 0
    normals[inward] *= -1
    n = len(quads)
    return Mesh(
        quads, normals, np.ones((n, 3), np.float32), np.zeros(n, np.float32),
        np.zeros(n, np.int32), np.full(n, SOLID, np.int32),
        tuple((0, np.asarray(p, np.float32)) for p in parts),
    )  # fmt: skip


def revolution(profile: Array, segments: int = 16, squash: float = 1.0, phase: float = 0.0) -> Mesh:
    """Surface of revolution of (k, 2) radius and height, from the ground up, closed on top.

    ``squash`` scales y; the under side is left open because nobody sees it.
    """
    profile = np.asarray(profile, np.float32)
    t = phase + np.arange(segments) * (2 * np.pi / segments)
    circle = np.stack([np.cos(t), np.sin(t) * squash], 1).astype(np.float32)
    rings = np.empty((len(profile), segments, 3), np.float32)
    rings[..., :2] = profile[:, None, :1] * circle[None]
    rings[..., 2] = profile[:, 1:2]
    nxt = np.roll(rings, -1, axis=1)
    side = np.stack([rings[:-1], nxt[:-1], nxt[1:], rings[1:]], 2).reshape(-1, 4, 3)
    mid = np.zeros((len(profile) - 1, segments, 3), np.float32)
    mid[..., 2] = ((profile[:-1, 1] + profile[1:, 1]) / 2)[:, None]
    apex = np.zeros((segments, 3), np.float32)
    apex[:, 2] = profile[-1, 1]
    cap = np.stack([apex, rings[-1], nxt[-1], nxt[-1]], 1)
    below = apex - np.array([0, 0, 1], np.float32)
    flat = np.abs(side - side[:, :1]).max((1, 2)) > 1e-6
    return convex(
        np.concatenate([side[flat], cap]),
        np.concatenate([mid.reshape(-1, 3)[flat], below]),
        [np.concatenate([rings[i], rings[i + 1]]) for i in range(len(profile) - 1)],
    )


def box(size: Sequence[float], centre: Sequence[float]) -> Mesh:
    """Axis-parallel box; ``size`` and ``centre`` in mm."""
    signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float32)
    v = signs * (np.asarray(size, np.float32) / 2) + np.asarray(centre, np.float32)
    faces = [[0, 1, 3, 2], [4, 5, 7, 6], [0, 1, 5, 4], [2, 3, 7, 6], [1, 3, 7, 5]]
    return convex(v[np.array(faces)], np.asarray(centre, np.float32), [v])


def prism(outline: Array, depth: float) -> Mesh:
    """Upright prism: outline (k, 2) in the x-z plane, star-shaped about its mean; depth along y."""
    outline = np.asarray(outline, np.float32)
    k = len(outline)
    front = np.stack([outline[:, 0], np.full(k, depth / 2), outline[:, 1]], 1).astype(np.float32)
    back = front * np.array([1, -1, 1], np.float32)
    nf, nb = np.roll(front, -1, 0), np.roll(back, -1, 0)
    side = np.stack([front, nf, nb, back], 1)
    middle = outline.mean(0)
    mid_f = np.tile(np.array([middle[0], depth / 2, middle[1]], np.float32), (k, 1))
    mid_b = mid_f * np.array([1, -1, 1], np.float32)
    quads = np.concatenate(
        [side, np.stack([mid_f, front, nf, nf], 1), np.stack([mid_b, back, nb, nb], 1)]
    )
    # The fans between the middle and each edge are convex, also where the outline is not.
    parts = [
        np.stack([mid_f[i], mid_b[i], front[i], nf[i], back[i], nb[i]]) for i in range(k)
    ]  # fmt: skip
    mesh = convex(quads, np.array([middle[0], 0, middle[1]], np.float32), parts)
    edge = nf - front
    out = np.stack([edge[:, 2], np.zeros(k), -edge[:, 0]], 1)
    area = np.sum(
        outline[:, 0] * np.roll(outline[:, 1], -1) - outline[:, 1] * np.roll(outline[:, 0], -1)
    )
    out = out * (1 if area > 0 else -1)
    out /= np.linalg.norm(out, axis=1, keepdims=True) + 1e-9
    mesh.normals[:k] = out
    return mesh


def lying(mesh: Mesh) -> Mesh:
    """An upright prism laid on its back: depth becomes height."""
    tilt = np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]], np.float32)
    turned = mesh.moved((0, 0, 0), 0.0, tilt)
    low = turned.quads[..., 2].min()
    middle = (turned.quads[..., 1].min() + turned.quads[..., 1].max()) / 2
    return turned.moved((0, -middle, -low))


def tube(points: Array, radii: Sequence[float], segments: int = 10) -> Mesh:
    """Chain of spheres joined by tapered tubes along (k, 3) mm; for fingers and arms."""
    rings, centres = [], []
    points = np.asarray(points, np.float32)
    t = np.arange(segments) * (2 * np.pi / segments)
    for i, (p, r) in enumerate(zip(points, radii, strict=True)):
        ahead = points[min(i + 1, len(points) - 1)] - points[max(i - 1, 0)]
        ahead = ahead / (np.linalg.norm(ahead) + 1e-9)
        u = np.cross(ahead, [0.0, 0.0, 1.0] if abs(ahead[2]) < 0.9 else [1.0, 0.0, 0.0])
        u /= np.linalg.norm(u)
        w = np.cross(ahead, u)
        ends = [(0.0, 1.0)]
        if i == 0:
            ends = [(-1.0, 0.15), (-0.75, 0.66), (0.0, 1.0)]
        if i == len(points) - 1:
            ends = [(0.0, 1.0), (0.75, 0.66), (1.0, 0.15)]
        for along, wide in ends:
            c = p + ahead * along * r
            rings.append(c + r * wide * (np.cos(t)[:, None] * u + np.sin(t)[:, None] * w))
            centres.append(c)
    ring = np.array(rings, np.float32)
    nxt = np.roll(ring, -1, 1)
    side = np.stack([ring[:-1], nxt[:-1], nxt[1:], ring[1:]], 2).reshape(-1, 4, 3)
    mid = np.array(centres, np.float32)
    mid = np.repeat((mid[:-1] + mid[1:]) / 2, segments, 0)
    return convex(side, mid, [np.concatenate([ring[i], ring[i + 1]]) for i in range(len(ring) - 1)])
