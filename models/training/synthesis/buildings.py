"""L-walls (ruins of 3 to 5 square cells) and castles."""

from __future__ import annotations

import numpy as np

from models.training.synthesis import meshes
from models.training.synthesis.colours import any_colour, piece_colour, stone_colour, vary
from models.training.synthesis.meshes import Mesh
from models.training.synthesis.pieces import Piece

Rng = np.random.Generator

_L3 = ((0, 0), (1, 0), (0, 1))
_SHAPES = (
    _L3, _L3, _L3, _L3, _L3, _L3, _L3, _L3, _L3,
    ((0, 0), (1, 0), (2, 0), (0, 1)),
    ((0, 0), (1, 0), (2, 0), (0, 1), (0, 2)),
    ((0, 0), (1, 0), (2, 0)),
)  # fmt: skip


def _wall(
    rng: Rng, length: float, thick: float, height: float, ragged: float, tooth: float
) -> Mesh:
    """A wall along x from blocks, so that painting by depth stays right."""
    n = max(2, round(length / float(rng.uniform(4.5, 9))))
    step = length / n
    blocks = []
    for i in range(n):
        h = height * (1 - ragged * float(rng.random()))
        if tooth and i % 2:
            h -= tooth
        h = max(h, 2.5)
        x = -length / 2 + (i + 0.5) * step
        blocks.append(meshes.box((step * 1.01, thick, h), (x, 0, h / 2)))
    return meshes.join(blocks)


def _cell(rng: Rng, style: dict[str, float], outer: list[int]) -> Mesh:
    """Walls, towers and rubble of one cell about its own centre; ``outer``: its free sides."""
    c, thick, height = style["cell"], style["thick"], style["height"]
    parts = []
    chosen = [s for s in outer if rng.random() < style["often"]]
    if not chosen and outer and rng.random() < 0.6:
        chosen = [int(rng.choice(outer))]
    if rng.random() < style["across"]:
        wall = _wall(rng, c * 0.96, thick, height, style["ragged"], style["tooth"])
        parts.append(wall.moved((0, 0, 0), float(rng.integers(2)) * np.pi / 2))
        chosen = chosen[: int(rng.integers(2))]
    for side in chosen:
        wall = _wall(
            rng,
            c * float(rng.uniform(0.6, 1.0)),
            thick,
            height * float(rng.uniform(0.6, 1)),
            style["ragged"],
            style["tooth"],
        )
        a = side * np.pi / 2
        away = c / 2 - thick / 2
        parts.append(wall.moved((away * np.sin(a), -away * np.cos(a), 0), a))
    if rng.random() < style["towers"]:
        r, h = c * float(rng.uniform(0.13, 0.3)), height * float(rng.uniform(0.8, 1.5))
        sx, sy = rng.choice([-1, 1], 2)
        at = (sx * (c / 2 - r), sy * (c / 2 - r), 0)
        if rng.random() < 0.5:
            parts.append(meshes.box((2 * r, 2 * r, h), (0, 0, h / 2)).moved(at))
        else:
            parts.append(meshes.revolution(np.array([(r, 0), (r, h)]), 10).moved(at))
    for _ in range(int(rng.integers(0, 3))):
        a = c * float(rng.uniform(0.06, 0.16))
        x, y = rng.uniform(-0.35, 0.35, 2) * c
        parts.append(meshes.box((a, a, a), (x, y, a / 2)).moved((0, 0, 0), 0.0))
    if not parts:
        a = c * 0.1
        parts.append(meshes.box((a, a, a), (c * 0.3, c * 0.3, a / 2)))
    return meshes.join(parts)


def l_wall(rng: Rng, cell: float) -> Piece:
    """A ruin that covers square cells of ``cell`` mm; its foot is the mean of their centres."""
    cells = np.array(_SHAPES[int(rng.integers(len(_SHAPES)))], float)
    middle = cells.mean(0)
    thick = float(rng.uniform(3, 12))
    height = float(rng.uniform(10, 34))
    style = {
        "cell": cell * float(rng.uniform(0.9, 1.0)), "thick": min(thick, cell / 3), "height": height,
        "often": float(rng.uniform(0.25, 1)), "across": float(rng.choice([0, 0, 0.3, 1.0])),
        "ragged": float(rng.choice([0, 0.25, 0.6])), "towers": float(rng.choice([0, 0.2, 0.5])),
        "tooth": height * float(rng.choice([0, 0, 0.15, 0.3])),
    }  # fmt: skip
    colour = stone_colour(rng)
    plate_colour = colour if rng.random() < 0.6 else stone_colour(rng)
    plate = float(rng.choice([0.0, 0.8, 1.6, 3.0])) if rng.random() < 0.9 else 0.0
    parts, labels = [], []
    taken = {tuple(c) for c in cells.astype(int)}
    for k, (x, y) in enumerate(cells):
        free = [
            s
            for s, (dx, dy) in enumerate([(0, -1), (1, 0), (0, 1), (-1, 0)])
            if (int(x) + dx, int(y) + dy) not in taken
        ]
        at = ((x - middle[0]) * cell, (y - middle[1]) * cell, plate)
        walls = _cell(rng, style, free)
        walls = walls.painted(colour, 0.05)
        walls.colours[:] = vary(rng, walls.colours, 0.08)
        parts.append(walls.moved(at).tagged(k))
        if plate > 0 or rng.random() < 0.5:
            side = cell * float(rng.uniform(0.95, 1.0))
            slab = meshes.box((side, side, max(plate, 0.5)), (at[0], at[1], max(plate, 0.5) / 2))
            slab = slab.painted(plate_colour, 0.05)
            slab.colours[:] = vary(rng, slab.colours, 0.05)
            parts.append(slab.tagged(k, 0))
        labels.append(("wall", at[0], at[1], k))
    labels.append(("l_wall", 0.0, 0.0, -1))
    mesh = meshes.join(parts)
    reach = float(np.abs(cells - middle).max() + 0.5) * cell
    return Piece(mesh, tuple(labels), cell, mesh.height, reach)


def castle(rng: Rng) -> Piece:
    """A low block with corner towers, or a compact keep."""
    w, d = float(rng.uniform(24, 58)), float(rng.uniform(18, 42))
    h = float(rng.uniform(8, 24))
    colour = stone_colour(rng) if rng.random() < 0.55 else piece_colour(rng)
    parts: list[Mesh] = []
    hollow = rng.random() < 0.4
    nx, ny = max(2, round(w / 11)), max(2, round(d / 11))
    for i in range(nx):
        for j in range(ny):
            rim = i in (0, nx - 1) or j in (0, ny - 1)
            bh = h if rim else h * (0.25 if hollow else float(rng.uniform(0.9, 1.0)))
            bx, by = (i + 0.5) / nx * w - w / 2, (j + 0.5) / ny * d - d / 2
            parts.append(meshes.box((w / nx * 1.01, d / ny * 1.01, bh), (bx, by, bh / 2)))
            if rim and (i + j) % 2 and rng.random() < 0.8:
                t = min(w / nx, d / ny) * 0.6
                parts.append(meshes.box((t, t, h * 0.25), (bx, by, bh + h * 0.12)))
    r, th = float(rng.uniform(3, 7)), h * float(rng.uniform(1.1, 1.8))
    if rng.random() < 0.75:
        for sx in (-1, 1):
            for sy in (-1, 1):
                roof = [(0.2, th * 1.35)] if rng.random() < 0.4 else []
                tower = meshes.revolution(
                    np.array([(r, 0), (r, th * 0.8), (r * 1.15, th * 0.82), (r * 1.15, th), *roof]),
                    10,
                )
                parts.append(tower.moved((sx * (w / 2 - r * 0.6), sy * (d / 2 - r * 0.6), 0)))
    if rng.random() < 0.3:
        keep = meshes.box((w * 0.3, d * 0.35, h * 1.6), (0, 0, h * 0.8))
        parts.append(keep)
    mesh = meshes.join(parts).painted(colour, float(rng.uniform(0.02, 0.3)))
    mesh.colours[:] = vary(rng, mesh.colours, 0.06)
    high = mesh.quads[..., 2].mean(1) > h * 1.02
    if rng.random() < 0.4:
        mesh.colours[high] = any_colour(rng) if rng.random() < 0.5 else piece_colour(rng)
    return Piece(
        mesh, (("castle", 0.0, 0.0, -1),), float(np.hypot(w, d) * 0.8), mesh.height, max(w, d) / 2
    )
