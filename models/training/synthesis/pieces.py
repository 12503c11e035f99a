"""Pieces of any maker: random shapes and colours for every shape class of the detector."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from models.training.synthesis import meshes
from models.training.synthesis.colours import piece_colour, vary
from models.training.synthesis.meshes import Array, Mesh

Rng = np.random.Generator


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """A piece about its own foot (0, 0, 0).  ``labels``: (shape class, x, y, tag) in mm.

    ``base`` and ``height`` in mm; tag -1 means the whole piece.  ``radius``: room on the ground.
    """

    mesh: Mesh
    labels: tuple[tuple[str, float, float, int], ...]
    base: float
    height: float
    radius: float

    def scaled(self, factor: float) -> Piece:
        """The same piece of a larger or smaller set."""
        return Piece(
            self.mesh.scaled(factor), tuple((s, x * factor, y * factor, t) for s, x, y, t in self.labels),
            self.base * factor, self.height * factor, self.radius * factor,
        )  # fmt: skip


def _ball(r: float, z: float, start: float = -1.0, n: int = 6) -> list[tuple[float, float]]:
    angles = np.linspace(np.arcsin(max(start, -0.95)), np.pi / 2 * 0.93, n)
    return [(r * float(np.cos(a)), z + r * float(np.sin(a))) for a in angles]


def _pawn_profile(rng: Rng, r: float, h: float, squat: bool) -> Array:
    """Radius and height control points of one of many families, scaled to base r and height h."""
    u = rng.uniform
    kind = rng.choice(
        ["ball", "cone_ball", "hat", "turned", "cap", "pin", "crown", "mushroom", "cone"],
        p=[0.25, 0.12, 0.17, 0.17, 0.06, 0.07, 0.1, 0.03, 0.03],
    )
    if squat and kind not in ("mushroom", "turned"):
        kind = "cap"
    if kind == "ball":
        foot, neck, head = u(0.05, 0.18), u(0.3, 0.62), u(0.42, 0.8)
        top = 1 - head * r / h * 1.0
        pts = [(1, 0), (1, foot), (u(0.7, 0.95), foot + 0.06), (neck, min(0.6, top * u(0.6, 0.8)))]
        if rng.random() < 0.4:
            pts += [(u(0.6, 0.85), top - 0.12), (neck, top - 0.08)]
        body = [(a * r, b * h) for a, b in pts if b * h < h - head * r * 1.3]
        return np.array(body + _ball(head * r, h - head * r, -0.75))
    if kind == "cone_ball":
        head = u(0.35, 0.7)
        neck = head * u(0.4, 0.8)
        return np.array(
            [
                (r, 0),
                (r * u(0.85, 1), h * 0.08),
                (neck * r, h - 1.7 * head * r),
                *_ball(head * r, h - head * r, -0.7),
            ]
        )
    if kind == "hat":
        brim = u(0.5, 0.75)
        w, b = u(0.5, 1.05), u(0.4, 0.7)
        return np.array(
            [
                (r, 0),
                (r * u(0.9, 1), h * 0.06),
                (b * r, h * (brim - 0.1)),
                (b * r * 0.9, h * (brim - 0.03)),
                (w * r, h * brim),
                (w * r, h * (brim + 0.03)),
                (w * r * u(0.45, 0.7), h * u(brim + 0.05, 0.9)),
                (0.06 * r, h),
            ]
        )
    if kind == "turned":
        n = int(rng.integers(5, 10))
        zs = np.sort(np.concatenate([[0, u(0.03, 0.15)], rng.uniform(0.1, 0.97, n), [1]]))
        rs = np.concatenate(
            [[1, 1], rng.uniform(0.35, 0.95, n) * np.linspace(1, u(0.6, 1), n), [u(0.1, 0.5)]]
        )
        return np.stack([rs * r, zs * h], 1)
    if kind == "cap":
        t, e = u(0.85, 1.06), u(0.0, 0.06)
        return np.array(
            [(r * min(1, 1 / t), 0), (r, h * 0.03), (r * t, h * (1 - e)), (r * t * (1 - e), h)]
        )
    if kind == "pin":
        return np.array(
            [
                (0.75 * r, 0),
                (r, 0.3 * h),
                (0.8 * r, 0.5 * h),
                (0.4 * r, 0.68 * h),
                *_ball(0.52 * r, h - 0.52 * r, -0.5),
            ]
        )
    if kind == "crown":
        w = u(0.5, 0.9)
        tip = (
            [(w * r, h * 0.93), (w * r * 0.6, h * 0.93)]
            if rng.random() < 0.5
            else [(w * r, 0.9 * h)]
        )
        return np.array(
            [
                (r, 0),
                (r, h * 0.07),
                (u(0.6, 0.8) * r, h * 0.13),
                (0.45 * r, h * u(0.5, 0.7)),
                (0.6 * r, h * 0.74),
                (0.45 * r, h * 0.78),
                *tip,
                (u(0.1, 0.4) * r, h),
            ]
        )
    if kind == "mushroom":
        return np.array(
            [
                (0.8 * r, 0),
                (0.55 * r, 0.45 * h),
                (r, 0.5 * h),
                (0.95 * r, 0.65 * h),
                (0.6 * r, 0.9 * h),
                (0.1 * r, h),
            ]
        )
    return np.array([(r, 0), (r, h * u(0, 0.1)), (r * u(0.1, 0.45), h)])


def _keyhole(rng: Rng, base: float, h: float) -> Mesh:
    """Flat pawn cut from a board: a body with a round head, as in many wooden ludo sets."""
    depth = base * rng.uniform(0.45, 0.9)
    head = base * rng.uniform(0.22, 0.42)
    neck = h - 2 * head * rng.uniform(0.75, 0.95)
    w = base / 2
    top = w * rng.uniform(0.35, 1.0)
    body = [(-w, 0), (w, 0), (w, neck * rng.uniform(0.1, 0.7)), (top, neck), (-top, neck)]
    body[-1] = (-top, neck)
    body.append((-w, body[2][1]))
    t = np.linspace(0, 2 * np.pi, 14, endpoint=False)
    ball = np.stack([head * np.cos(t), h - head + head * np.sin(t)], 1)
    return meshes.join(
        [meshes.prism(np.array(body), depth), meshes.prism(ball, depth * rng.uniform(0.9, 1.0))]
    )


def pawn(rng: Rng) -> Piece:
    """Any standing figure that is higher than half its base."""
    # Small figures are slender; squat ones are caps. A squat small one would be a cube to the eye.
    build = rng.choice(["figure", "tall", "cap"], p=[0.66, 0.14, 0.2])
    if build == "figure":
        base = float(rng.uniform(9, 18))
        h = base * float(rng.uniform(1.45, 3.2))
    elif build == "tall":
        base = float(rng.uniform(17, 28))
        h = base * float(rng.uniform(1.3, 2.3))
    else:
        base = float(rng.uniform(17, 32))
        h = base * float(rng.uniform(0.62, 1.35))
    gloss = float(rng.choice([0.05, 0.3, 0.8]) * rng.uniform(0.5, 1))
    colour = piece_colour(rng)
    style = rng.random()
    if style < 0.16 and build != "cap":
        mesh = _keyhole(rng, base, h)
    else:
        segments = 16 if style < 0.93 or build == "cap" else int(rng.integers(6, 9))
        squash = 1.0 if rng.random() < 0.9 else float(rng.uniform(0.6, 0.95))
        profile = _pawn_profile(rng, base / 2, h, build == "cap")
        mesh = meshes.revolution(profile, segments, squash)
    mesh = mesh.painted(colour, gloss)
    _two_tone(rng, mesh, h)
    parts = [mesh]
    if rng.random() < 0.1 and style < 0.92:
        top = mesh.quads[..., 2].max()
        r = float(np.hypot(*mesh.parts[-1][1][-1, :2])) * rng.uniform(0.5, 0.9)
        if r > 2:
            mark = meshes.revolution(np.array([(r, top), (r * 0.98, top + 0.2)]), 12)
            parts.append(mark.painted(piece_colour(rng), 0.1).tagged(0, meshes.DECAL))
    mesh = meshes.join(parts)
    return Piece(mesh, (("pawn", 0.0, 0.0, -1),), base, h, base / 2)


def _two_tone(rng: Rng, mesh: Mesh, h: float) -> None:
    """Sometimes paints a band, head or stripes in a second colour, in place."""
    if rng.random() > 0.15:
        return
    z = mesh.quads[..., 2].mean(1) / h
    lo = rng.uniform(0, 0.8)
    band = (z > lo) & (z < lo + rng.uniform(0.1, 0.6))
    mesh.colours[band] = piece_colour(rng) if rng.random() < 0.6 else mesh.colours[band] * 0.5


def cube(rng: Rng) -> Piece:
    """Cubes and energy stones, also small cylinders' square brothers with bevelled tops."""
    a = float(rng.uniform(8, 15))
    c = piece_colour(rng)
    size = (a, a * rng.uniform(0.92, 1.08), a * rng.uniform(0.9, 1.1))
    mesh = meshes.box(size, (0, 0, size[2] / 2)).painted(c, float(rng.uniform(0.02, 0.6)))
    mesh.colours[:] = vary(rng, mesh.colours, 0.05)
    return Piece(mesh, (("cube", 0.0, 0.0, -1),), a, size[2], a * 0.7)


def disc(rng: Rng) -> Piece:
    """Flat discs, draughts men, glass beads; height below half the base."""
    base = float(rng.uniform(12, 34))
    h = base * float(rng.uniform(0.14, 0.46))
    r, b = base / 2, float(rng.uniform(0.0, 0.3))
    if rng.random() < 0.2:
        profile = [(r * 0.8, 0), (r, h * 0.35), (r * 0.85, h * 0.75), (r * 0.45, h)]
    else:
        profile = [(r, 0), (r, h * (1 - b)), (r * (1 - b * 0.4), h)]
    if rng.random() < 0.25:
        q = rng.uniform(0.4, 0.8) * (1 - b * 0.4)
        profile += [(r * q, h), (r * q * 0.95, h * rng.uniform(0.8, 0.97))]
    mesh = meshes.revolution(np.array(profile), 20).painted(
        piece_colour(rng), float(rng.uniform(0.05, 0.9))
    )
    _two_tone(rng, mesh, h)
    return Piece(mesh, (("disc", 0.0, 0.0, -1),), base, h, r)


def chip(rng: Rng) -> Piece:
    """Thin cardboard chips: round, square or hexagonal, with a printed sign."""
    base = float(rng.uniform(13, 30))
    r, h = base / 2, float(rng.uniform(1.0, 2.8))
    n, phase = [(20, 0.0), (4, np.pi / 4), (6, 0.0), (8, 0.2)][
        int(rng.choice(4, p=[0.62, 0.2, 0.12, 0.06]))
    ]
    body = meshes.revolution(np.array([(r, 0), (r, h)]), n, 1.0, phase)
    body = body.painted(piece_colour(rng), 0.1)
    body.colours[:-n] = vary(rng, np.array([[0.55, 0.65, 0.7]], np.float32), 0.2)
    parts = [body]
    for _ in range(int(rng.integers(1, 4))):
        q = r * float(rng.uniform(0.15, 0.75))
        k = int(rng.integers(3, 10))
        sign = meshes.revolution(
            np.array([(q, h), (q, h + 0.05)]), k, 1.0, float(rng.uniform(0, 3))
        )
        off = rng.uniform(-0.3, 0.3, 2) * (r - q)
        parts.append(sign.painted(piece_colour(rng), 0.1).moved((off[0], off[1], 0)))
    mesh = meshes.join([m.tagged(0, i) for i, m in enumerate(parts)])
    return Piece(mesh, (("chip", 0.0, 0.0, -1),), base, h, r)


def shield(rng: Rng) -> Piece:
    """Upright plates: boxes, rounded and heraldic outlines; a few lie on their back."""
    w = float(rng.uniform(15, 27))
    h = w * float(rng.uniform(0.85, 1.45))
    d = float(rng.uniform(3, 9.5))
    style = rng.random()
    if style < 0.4:
        outline = np.array([(-w / 2, 0), (w / 2, 0), (w / 2, h), (-w / 2, h)])
    elif style < 0.75:
        t = np.linspace(0, np.pi, 9)
        flat = rng.uniform(0.15, 1.0) * w / 2
        arch = np.stack([w / 2 * np.cos(t), h - flat + flat * np.sin(t)], 1)
        outline = np.concatenate([[(-w / 2, 0), (w / 2, 0)], arch])
    else:
        q = rng.uniform(0.12, 0.35)
        outline = np.array(
            [
                (-q * w, 0),
                (q * w, 0),
                (0.42 * w, 0.25 * h),
                (0.5 * w, 0.55 * h),
                (0.5 * w, h),
                (0, h * rng.uniform(0.9, 1.05)),
                (-0.5 * w, h),
                (-0.5 * w, 0.55 * h),
                (-0.42 * w, 0.25 * h),
            ]
        )
    c = piece_colour(rng)
    gloss = float(rng.uniform(0.02, 0.7))
    body = meshes.prism(outline, d).painted(c, gloss)
    parts = [body]
    if rng.random() < 0.3:
        sign = meshes.prism(
            (outline - outline.mean(0)) * rng.uniform(0.3, 0.7) + outline.mean(0), d + 0.3
        )
        parts.append(sign.painted(piece_colour(rng), gloss).tagged(0, meshes.DECAL))
    if rng.random() < 0.2:
        foot = meshes.box((w * rng.uniform(0.5, 1), d * rng.uniform(1.3, 2.5), 2.5), (0, 0, 1.25))
        parts.append(foot.painted(piece_colour(rng), gloss))
    mesh = meshes.join(parts)
    if rng.random() < 0.12:
        mesh = meshes.lying(body)
    return Piece(mesh, (("shield", 0.0, 0.0, -1),), w, mesh.height, w / 2)


MEEPLES = (
    [(-7, 0), (-2, 0), (0, 3.5), (2, 0), (7, 0), (4.2, 6.5), (8, 7.5), (8, 10), (3, 11.2), (3.2, 14), (1.5, 16), (-1.5, 16), (-3.2, 14), (-3, 11.2), (-8, 10), (-8, 7.5), (-4.2, 6.5)],
    [(-6, 0), (-1.5, 0), (0, 4), (1.5, 0), (6, 0), (4, 7), (7, 9), (5.5, 11), (2.6, 11), (2.8, 13.5), (0, 15.5), (-2.8, 13.5), (-2.6, 11), (-5.5, 11), (-7, 9), (-4, 7)],
)  # fmt: skip


def meeple(rng: Rng) -> Piece:
    """Little people of wood, standing or lying."""
    outline = np.array(MEEPLES[int(rng.integers(2))], float)
    outline = outline * rng.uniform(0.85, 1.15, 2) + rng.uniform(-0.3, 0.3, outline.shape) * (
        outline[:, 1:] > 0.1
    )
    scale = float(rng.uniform(0.85, 1.7))
    outline *= scale
    depth = float(rng.uniform(6, 12)) * min(scale, 1.3)
    mesh = meshes.prism(outline, depth).painted(piece_colour(rng), float(rng.uniform(0.02, 0.5)))
    base = float(np.ptp(outline[:, 0]))
    if rng.random() < 0.4:
        mesh = meshes.lying(mesh)
        return Piece(mesh, (("meeple_lying", 0.0, 0.0, -1),), base, mesh.height, base / 2)
    return Piece(mesh, (("meeple", 0.0, 0.0, -1),), base, mesh.height, base / 2)


_PIPS = {
    1: [(0, 0)], 2: [(-1, -1), (1, 1)], 3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (1, 1), (-1, 1), (1, -1)], 5: [(-1, -1), (1, 1), (-1, 1), (1, -1), (0, 0)],
    6: [(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)],
}  # fmt: skip


def die(rng: Rng, top: int | None = None) -> Piece:
    """Six-sided dice with pips on the five sides that can be seen; ``top``: the pips on top."""
    a = float(rng.uniform(11.5, 19))
    white = np.full(3, rng.uniform(0.75, 0.95), np.float32)
    body = white if rng.random() < 0.55 else piece_colour(rng)
    light = float(np.mean(body)) > 0.45
    pip = np.full(3, 0.03, np.float32) if light else np.full(3, 0.9, np.float32)
    if light and rng.random() < 0.15:
        pip = piece_colour(rng)
    parts = [meshes.box((a, a, a), (0, 0, a / 2)).painted(body, float(rng.uniform(0.1, 0.8)))]
    sides = rng.permutation(6) + 1
    if top is not None:
        sides[sides == top], sides[4] = sides[4], top
    faces = sides[:5]
    r, spread = a * float(rng.uniform(0.075, 0.12)), a * float(rng.uniform(0.22, 0.29))
    frames = [((1, 0), 0), ((1, 0), 1), ((0, 1), 0), ((0, 1), 1), (None, 1)]
    quads, centres = [], []
    for number, (axis, side) in zip(faces, frames, strict=True):
        for px, py in _PIPS[int(number)]:
            for turn in (0.0, np.pi / 4):
                t = turn + np.arange(4) * np.pi / 2
                u, v = px * spread + r * np.cos(t), py * spread + r * np.sin(t)
                e = (a / 2 + 0.08) * (1 if side else -1)
                if axis is None:
                    q = np.stack([u, v, np.full(4, a + 0.08)], 1)
                elif axis == (1, 0):
                    q = np.stack([np.full(4, e), u, v + a / 2], 1)
                else:
                    q = np.stack([u, np.full(4, e), v + a / 2], 1)
                quads.append(q)
                centres.append((0, 0, a / 2))
    dots = meshes.convex(np.array(quads), np.array(centres, np.float32), []).painted(pip, 0.1)
    mesh = meshes.join(parts)
    mesh = meshes.join([mesh, dots.tagged(0, meshes.DECAL)])
    return Piece(mesh, (("die", 0.0, 0.0, -1),), a, a, a * 0.7)
