"""What lies under and beside the board: table, rim, cards, papers, markers; drawn at crop scale."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.synthesis import artwork, grounds
from models.training.synthesis.camera import Camera
from models.training.synthesis.colours import any_colour, piece_colour

Rng = np.random.Generator
Picture = NDArray[np.uint8]
SHIFT = 4


def fixed(points: NDArray[np.floating]) -> NDArray[np.int32]:
    """Pixels to the fixed-point numbers that OpenCV's drawing takes with ``shift=SHIFT``."""
    return np.round(np.clip(points, -20000, 20000) * (1 << SHIFT)).astype(np.int32)


def _bgr(colour: NDArray[np.floating]) -> tuple[int, int, int]:
    return tuple(int(v * 255) for v in colour)


def table_texture(rng: Rng) -> Picture:
    """Wood, cloth, plain or printed table, 512 x 512."""
    shape = (512, 512)
    kind = rng.choice(
        ["plain", "wood", "cloth", "noise", "stripes"], p=[0.3, 0.28, 0.16, 0.16, 0.1]
    )
    if kind == "wood":
        return grounds.wood(rng, shape)
    if kind == "noise":
        return grounds.coloured_noise(rng, shape)
    out = np.empty((*shape, 3), np.uint8)
    out[:] = np.array(_bgr(any_colour(rng)), np.uint8)
    if kind == "plain":
        field = grounds.noise(rng, shape, 2, 2.0)[..., None]
        return np.clip(out * (1 + (field - 0.5) * rng.uniform(0, 0.15)), 0, 255).astype(np.uint8)
    step = int(rng.integers(6, 70))
    for i in range(0, 512, step):
        c = _bgr(any_colour(rng)) if i < 2 * step else c  # noqa: F821
        cv2.rectangle(out, (0, i), (512, i + int(step * rng.uniform(0.3, 0.6))), c, -1)
        if kind == "cloth":
            layer = out.copy()
            cv2.rectangle(layer, (i, 0), (i + step // 2, 512), c, -1)
            cv2.addWeighted(layer, 0.5, out, 0.5, 0, dst=out)
    return out


def ground(
    rng: Rng, camera: Camera, board: tuple[float, float], face: Picture, thick: float
) -> tuple[Picture, Picture]:
    """Table, clutter and board without light, BGR, and the mask (255) of the printed face."""
    w, h = board
    size = camera.size
    table = table_texture(rng)
    k = float(rng.uniform(0.5, 3.0))
    below = camera.matrix[:, [0, 1, 3]] - np.outer(camera.matrix[:, 2], [0, 0, thick])
    a = rng.uniform(0, 2 * np.pi)
    turn = np.array(
        [[k * np.cos(a), -k * np.sin(a), -600], [k * np.sin(a), k * np.cos(a), -600], [0, 0, 1]]
    )
    out = cv2.warpPerspective(
        table, below @ turn, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT
    )
    _clutter(rng, camera, board, thick, out)
    corners = np.array([(0, 0), (w, 0), (w, h), (0, h)], float)
    rim = float(rng.choice([0, 0, 0, 2, 8, 20]))
    grown = corners + np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * rim
    low = camera.project(np.column_stack([grown, np.full(4, -thick)]))
    high = camera.project(np.column_stack([grown, np.zeros(4)]))
    side = any_colour(rng) if rng.random() < 0.3 else np.full(3, rng.choice([0.05, 0.3, 0.85]))
    for i in range(4):
        j = (i + 1) % 4
        quad = np.array([low[i], low[j], high[j], high[i]])
        cv2.fillConvexPoly(out, fixed(quad), _bgr(side * rng.uniform(0.6, 1)), cv2.LINE_AA, SHIFT)
    if rim:
        cv2.fillConvexPoly(
            out,
            fixed(high),
            _bgr(any_colour(rng) if rng.random() < 0.5 else side),
            cv2.LINE_AA,
            SHIFT,
        )
    fh, fw = face.shape[:2]
    to_mm = np.array([[w / fw, 0, w / fw / 2], [0, h / fh, h / fh / 2], [0, 0, 1]])
    warped = cv2.warpPerspective(
        face,
        camera.homography @ to_mm,
        size,
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    mask = np.zeros(out.shape[:2], np.uint8)
    cv2.fillConvexPoly(
        mask,
        fixed(camera.project(np.column_stack([corners, np.zeros(4)]))),
        255,
        cv2.LINE_AA,
        SHIFT,
    )
    blend = mask[..., None].astype(np.float32) / 255
    return (warped * blend + out * (1 - blend)).astype(np.uint8), mask


def _clutter(
    rng: Rng, camera: Camera, board: tuple[float, float], thick: float, out: Picture
) -> None:
    """Cards, papers, pens, markers, cables flat on the table."""
    w, h = board
    for _ in range(int(rng.integers(0, 9))):
        kind = rng.choice(
            ["card", "paper", "pen", "marker", "cable"], p=[0.55, 0.1, 0.12, 0.13, 0.1]
        )
        t = rng.uniform(0, 2 * np.pi)
        out_by = rng.uniform(1.0, 1.35)
        at = np.array(
            [w / 2 + np.cos(t) * w * 0.62 * out_by, h / 2 + np.sin(t) * h * 0.62 * out_by]
        )
        if kind == "cable":
            walk = at + np.cumsum(rng.normal(0, 25, (14, 2)), 0)
            px = camera.project(np.column_stack([walk, np.full(14, -thick)]))
            cv2.polylines(
                out,
                [fixed(px)],
                False,
                _bgr(any_colour(rng) * 0.5),
                int(rng.integers(1, 5)),
                cv2.LINE_AA,
                SHIFT,
            )
            continue
        size = {"card": (58, 88), "paper": (150, 210), "pen": (9, 140), "marker": (40, 40)}[kind]
        a = rng.uniform(0, np.pi)
        rot = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
        unit = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], float) / 2
        scale = np.array(size) * rng.uniform(0.6, 1.2)

        def quad(f: float, at=at, rot=rot, unit=unit, scale=scale) -> NDArray[np.floating]:  # type: ignore[no-untyped-def]
            flat = at + (unit * scale * f) @ rot.T
            return camera.project(np.column_stack([flat, np.full(4, -thick)]))

        if kind == "marker":
            m = artwork.marker(rng, 64)
            src = np.array([(0, 0), (63, 0), (63, 63), (0, 63)], np.float32)
            hom = cv2.getPerspectiveTransform(src, quad(1.0).astype(np.float32))
            cv2.warpPerspective(m, hom, camera.size, dst=out, borderMode=cv2.BORDER_TRANSPARENT)
            continue
        cv2.fillConvexPoly(
            out,
            fixed(quad(1.0)),
            _bgr(piece_colour(rng) if kind != "paper" else np.full(3, 0.9)),
            cv2.LINE_AA,
            SHIFT,
        )
        if rng.random() < 0.75 and kind != "pen":
            cv2.fillConvexPoly(
                out, fixed(quad(rng.uniform(0.4, 0.9))), _bgr(any_colour(rng)), cv2.LINE_AA, SHIFT
            )
        if rng.random() < 0.4 and kind != "pen":
            cv2.fillConvexPoly(
                out, fixed(quad(rng.uniform(0.15, 0.4))), _bgr(any_colour(rng)), cv2.LINE_AA, SHIFT
            )
