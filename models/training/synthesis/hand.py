"""Hands with forearm and sleeve that reach over the rim, and tall things beside the board."""

from __future__ import annotations

import numpy as np

from models.training.synthesis import meshes
from models.training.synthesis.colours import any_colour, hsv, vary
from models.training.synthesis.meshes import Array, Mesh

Rng = np.random.Generator


def skin(rng: Rng) -> Array:
    """Skin from very light to very dark, warm."""
    t = float(rng.random())
    hue = rng.uniform(8, 30)
    return hsv(hue, 0.22 + 0.45 * t + rng.uniform(-0.08, 0.08), 0.97 - 0.72 * t**1.2)


def _fingers(rng: Rng, scale: float) -> list[Mesh]:
    """Palm and five fingers, pointing along +x, wrist at the origin, mm."""
    curl = float(rng.uniform(0.0, 1.2))
    out = []
    palm_len = 78 * scale
    for y in np.linspace(-26, 26, 4) * scale:
        pts = np.array([(8 * scale, y * 0.75, 0), (palm_len * 0.5, y, 5 * scale), (palm_len, y, 0)])
        out.append(meshes.tube(pts, [19 * scale, 17 * scale, 12 * scale], 8))
    spread = float(rng.uniform(0.02, 0.3))
    together = rng.random() < 0.35
    for k, y in enumerate(np.linspace(-27, 27, 4) * scale):
        length = (62, 74, 70, 52)[k] * scale
        a = 0.0 if together else (k - 1.5) * spread
        bend = curl * float(rng.uniform(0.7, 1.3))
        p, pts, tilt = np.array([palm_len, y, 0.0]), [], 0.0
        pts.append(p)
        for frac in (0.45, 0.32, 0.23):
            tilt += bend * 0.55
            step = np.array([np.cos(a) * np.cos(tilt), np.sin(a) * np.cos(tilt), -np.sin(tilt)])
            p = p + step * length * frac
            pts.append(p)
        r = (9.5, 9.0, 8.3, 7.5)
        out.append(meshes.tube(np.array(pts), [v * scale for v in r], 8))
    side = 1 if rng.random() < 0.5 else -1
    thumb = (
        np.array(
            [
                (18, side * 22, 2),
                (42, side * 46, -4),
                (72, side * float(rng.uniform(30, 62)), -12 - 25 * curl),
            ]
        )
        * scale
    )
    out.append(meshes.tube(thumb, [13 * scale, 11 * scale, 8 * scale], 8))
    return out


def arm(rng: Rng, goal: Array, origin: Array, long_mm: tuple[float, float] = (200, 420)) -> Mesh:
    """A hand whose fingers reach ``goal`` (3,) mm, its forearm coming from ``origin`` (3,) and so
    long, times the hand's size."""
    scale = float(rng.uniform(0.62, 1.1))
    tone = skin(rng)
    hand_parts = [m.painted(tone, 0.08) for m in _fingers(rng, scale)]
    length = float(rng.uniform(*long_mm))
    fore = np.array([(6, 0, 2), (-60, 0, 6), (-length, 0, 30)], float) * scale
    arm_mesh = meshes.tube(fore, [25 * scale, 28 * scale, 42 * scale], 12).painted(tone, 0.06)
    parts = [*hand_parts, arm_mesh]
    if rng.random() < 0.6:
        start = float(rng.uniform(0.05, 0.6))
        cloth = any_colour(rng)
        p0 = fore[1] * (1 - start) + fore[2] * start
        steps = np.linspace(0, 1, 7)[:, None]
        way = p0 * (1 - steps) + fore[2] * 1.1 * steps
        wide = scale * (33 + 16 * steps[:, 0]) * rng.uniform(0.95, 1.15, 7)
        sleeve = meshes.tube(way, wide, 12).painted(cloth, 0.02)
        if rng.random() < 0.4:
            ring = np.arange(len(sleeve.quads)) // 12 % 2 == 0
            sleeve.colours[ring] = any_colour(rng)
        parts.append(sleeve)
    mesh = meshes.join(parts)
    mesh.colours[:] = vary(rng, mesh.colours, 0.03)
    roll = float(rng.uniform(-0.5, 0.5))
    rx = np.array([[1, 0, 0], [0, np.cos(roll), -np.sin(roll)], [0, np.sin(roll), np.cos(roll)]])
    pitch = float(rng.uniform(0.0, 0.5))
    ry = np.array(
        [[np.cos(pitch), 0, np.sin(pitch)], [0, 1, 0], [-np.sin(pitch), 0, np.cos(pitch)]]
    )
    heading = float(np.arctan2(goal[1] - origin[1], goal[0] - origin[0]))
    posed = mesh.moved((0, 0, 0), heading, ry @ rx)
    low = posed.quads[..., 2].min()
    reach = posed.quads.reshape(-1, 3)
    tip = reach[np.argmax(reach[:, :2] @ np.array([np.cos(heading), np.sin(heading)]))]
    return posed.moved((goal[0] - tip[0], goal[1] - tip[1], goal[2] - low))


def tall_thing(rng: Rng) -> Mesh:
    """A cup, bottle, box or ball beside the board; never labelled."""
    kind = rng.choice(["cup", "bottle", "box", "ball"], p=[0.45, 0.15, 0.3, 0.1])
    c, gloss = any_colour(rng), float(rng.uniform(0.05, 0.9))
    if kind == "box":
        size = rng.uniform([20, 20, 6], [120, 90, 60])
        mesh = meshes.box(size, (0, 0, size[2] / 2))
    elif kind == "ball":
        r = float(rng.uniform(12, 40))
        t = np.linspace(-1.3, 1.45, 8)
        mesh = meshes.revolution(np.stack([r * np.cos(t), r + r * np.sin(t)], 1), 18)
    else:
        r = float(rng.uniform(25, 45))
        h = float(rng.uniform(60, 110)) if kind == "cup" else float(rng.uniform(120, 220))
        t = float(rng.uniform(0.85, 1.25))
        profile = [(r, 0), (r * (1 + t) / 2, h / 2), (r * t, h)]
        if kind == "cup":
            profile += [(r * t * 0.9, h), (r * t * 0.85, h * rng.uniform(0.4, 0.95))]
        else:
            profile += [(r * 0.4, h * 1.2), (r * 0.35, h * 1.35)]
        mesh = meshes.revolution(np.array(profile), 20)
    return mesh.painted(c, gloss)
