"""Printed faces of invented boards: every picture gets another artwork."""

from __future__ import annotations

import string

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.synthesis.colours import any_colour, hsv, piece_colour
from models.training.synthesis.grounds import base_layer

Rng = np.random.Generator
Picture = NDArray[np.uint8]


def _ink(rng: Rng) -> tuple[int, int, int]:
    c = rng.choice([0, 1, 2], p=[0.35, 0.2, 0.45])
    colour = np.full(3, 0.05) if c == 0 else np.full(3, 0.92) if c == 1 else any_colour(rng)
    return tuple(int(v * 255) for v in colour)


def _blend(out: Picture, layer: Picture, alpha: float) -> None:
    cv2.addWeighted(layer, alpha, out, 1 - alpha, 0, dst=out)


def grid(rng: Rng, out: Picture) -> None:
    """Checkerboards, square or hexagonal cells, rings with sectors; lines or filled."""
    h, w = out.shape[:2]
    kind = rng.choice(
        ["checker", "squares", "hexes", "rings", "none"], p=[0.2, 0.28, 0.2, 0.14, 0.18]
    )
    line, thick = _ink(rng), int(rng.choice([1, 1, 1, 2, 3]))
    margin = float(rng.uniform(0, 0.1)) * w
    alpha = float(rng.uniform(0.25, 1.0))
    layer = out.copy()
    if kind == "checker":
        n = int(rng.integers(6, 13))
        step = (min(w, h) - 2 * margin) / n
        a, b = _ink(rng), _ink(rng)
        only = rng.random() < 0.3
        for i in range(int((w - 2 * margin) / step + 0.01)):
            for j in range(int((h - 2 * margin) / step + 0.01)):
                if only and (i + j) % 2:
                    continue
                p = (int(margin + i * step), int(margin + j * step))
                cv2.rectangle(
                    layer, p, (int(p[0] + step), int(p[1] + step)), a if (i + j) % 2 else b, -1
                )
        alpha = max(alpha, 0.6)
    elif kind == "squares":
        step = float(rng.uniform(22, 75))
        for x in np.arange(margin, w - margin + 1, step):
            cv2.line(layer, (int(x), int(margin)), (int(x), int(h - margin)), line, thick)
        for y in np.arange(margin, h - margin + 1, step):
            cv2.line(layer, (int(margin), int(y)), (int(w - margin), int(y)), line, thick)
        _fill_cells(rng, layer, margin, step)
    elif kind == "hexes":
        _hexes(rng, layer, margin, float(rng.uniform(14, 42)), line, thick)
    elif kind == "rings":
        c = (int(w * rng.uniform(0.45, 0.55)), int(h * rng.uniform(0.45, 0.55)))
        radii = np.linspace(rng.uniform(0.05, 0.15), 0.48, int(rng.integers(4, 9))) * min(w, h)
        if rng.random() < 0.6:
            for r in radii[::-1]:
                if rng.random() < 0.5:
                    cv2.circle(layer, c, int(r), _ink(rng), -1, cv2.LINE_AA)
        for r in radii:
            cv2.circle(layer, c, int(r), line, thick, cv2.LINE_AA)
        for t in np.linspace(0, 2 * np.pi, int(rng.integers(8, 26)), endpoint=False):
            d = np.array([np.cos(t), np.sin(t)])
            a, b = c + d * radii[0], c + d * radii[-1]
            cv2.line(layer, tuple(map(int, a)), tuple(map(int, b)), line, thick, cv2.LINE_AA)
    _blend(out, layer, alpha)


def _fill_cells(rng: Rng, layer: Picture, margin: float, step: float) -> None:
    h, w = layer.shape[:2]
    colours = [_ink(rng) for _ in range(3)]
    for _ in range(int(rng.integers(0, 40))):
        x = margin + step * rng.integers(0, max(1, int((w - 2 * margin) / step)))
        y = margin + step * rng.integers(0, max(1, int((h - 2 * margin) / step)))
        n = rng.integers(1, 4, 2) if rng.random() < 0.3 else (1, 1)
        for i in range(n[0]):
            for j in range(n[1]):
                p = (int(x + i * step) + 1, int(y + j * step) + 1)
                cv2.rectangle(
                    layer,
                    p,
                    (int(p[0] + step - 2), int(p[1] + step - 2)),
                    colours[int(rng.integers(3))],
                    -1,
                )


def _hexes(
    rng: Rng, layer: Picture, margin: float, r: float, line: tuple[int, ...], thick: int
) -> None:
    h, w = layer.shape[:2]
    t = np.arange(6) * np.pi / 3 + (np.pi / 6 if rng.random() < 0.5 else 0)
    hexagon = np.stack([np.cos(t), np.sin(t)], 1) * r
    fills = [_ink(rng) for _ in range(3)]
    share = rng.choice([0, 0.2, 0.9])
    dx, dy = (np.sqrt(3) * r, 1.5 * r) if t[0] > 0 else (1.5 * r, np.sqrt(3) * r)
    for i, x in enumerate(np.arange(margin + r, w - margin - r, dx)):
        for j, y in enumerate(np.arange(margin + r, h - margin - r, dy)):
            off = (dx / 2 * (j % 2), 0) if t[0] > 0 else (0, dy / 2 * (i % 2))
            pts = (hexagon + np.array([x + off[0], y + off[1]])).astype(np.int32)
            if rng.random() < share:
                cv2.fillPoly(layer, [pts], fills[int(rng.integers(3))])
            cv2.polylines(layer, [pts], True, line, thick, cv2.LINE_AA)


def spots(rng: Rng, out: Picture) -> None:
    """Printed circles that could be taken for pieces: ludo fields, stones, beads, holes."""
    h, w = out.shape[:2]
    layer = out.copy()
    r0 = float(rng.uniform(2, 20))
    colours = [tuple(int(v * 255) for v in piece_colour(rng)) for _ in range(4)]
    lattice = rng.random() < 0.4
    step = r0 * rng.uniform(2.2, 5)
    for _ in range(int(rng.integers(8, 120))):
        p = rng.uniform(0, 1, 2) * (w, h)
        if lattice:
            p = np.round(p / step) * step
        r = r0 if lattice else r0 * rng.uniform(0.4, 1.3)
        c = colours[int(rng.integers(4))]
        centre = tuple(int(v) for v in p)
        filled = rng.random() < 0.6
        cv2.circle(
            layer, centre, max(1, int(r)), c, -1 if filled else int(rng.integers(1, 3)), cv2.LINE_AA
        )
        if filled and rng.random() < 0.5:
            # A printed light and shade, as illustrators draw beads.
            d = r * 0.3
            light = tuple(int(min(255, v * 1.3 + 50)) for v in c)
            cv2.circle(
                layer, (int(p[0] - d), int(p[1] - d)), max(1, int(r * 0.4)), light, -1, cv2.LINE_AA
            )
        if rng.random() < 0.3:
            cv2.circle(layer, centre, max(1, int(r)), _ink(rng), 1, cv2.LINE_AA)
    _blend(out, layer, float(rng.uniform(0.3, 1)))


def circle_tracks(rng: Rng, out: Picture) -> None:
    """Rows of equal printed circles, as on ludo and halma boards, and homes of circles in circles."""
    h, w = out.shape[:2]
    r = float(rng.uniform(6, 19))
    step = r * float(rng.uniform(2.15, 3.2))
    fills = [tuple(int(v * 255) for v in piece_colour(rng)) for _ in range(4)]
    ring, thick = _ink(rng), int(rng.integers(1, 4))
    outlined = float(rng.choice([0.0, 0.6, 1.0]))
    empty = float(rng.uniform(0.1, 0.8))

    def circle(x: float, y: float, radius: float) -> None:
        at = (int(x), int(y))
        if rng.random() > empty or outlined < 0.5:
            cv2.circle(out, at, int(radius), fills[int(rng.integers(4))], -1, cv2.LINE_AA)
        if rng.random() < outlined:
            cv2.circle(out, at, int(radius), ring, thick, cv2.LINE_AA)

    for _ in range(int(rng.integers(2, 4))):
        x, y = rng.uniform(0.15, 0.85, 2) * (w, h)
        big = float(rng.uniform(2.6, 4.2)) * r
        circle(x, y, big)
        for t in np.arange(4) * np.pi / 2 + np.pi / 4:
            circle(x + 0.5 * big * np.cos(t), y + 0.5 * big * np.sin(t), r)
    for _ in range(int(rng.integers(2, 8))):
        n = int(rng.integers(3, 16))
        x, y = np.round(rng.uniform(0.05, 0.9, 2) * (w, h) / step) * step
        dx, dy = (step, 0) if rng.random() < 0.5 else (0, step)
        for k in range(n):
            circle(x + k * dx, y + k * dy, r)


def patches(rng: Rng, out: Picture) -> None:
    """Cards and fields printed on the face, with signs; L-shaped outlines; glowing fields."""
    h, w = out.shape[:2]
    layer = out.copy()
    for _ in range(int(rng.integers(2, 14))):
        size = rng.uniform(0.03, 0.16, 2) * w
        p = rng.uniform(0, 1, 2) * (w, h)
        a, b = tuple((p - size / 2).astype(int)), tuple((p + size / 2).astype(int))
        colour = (
            hsv(rng.uniform(25, 60), rng.uniform(0, 0.4), rng.uniform(0.6, 1))
            if rng.random() < 0.5
            else any_colour(rng)
        )
        bgr = tuple(int(v * 255) for v in colour)
        if rng.random() < 0.25:
            s = int(size[0] / 2) + 2
            for dx, dy in [(0, 0), (s, 0), (0, s)]:
                cv2.rectangle(
                    layer, (a[0] + dx, a[1] + dy), (a[0] + dx + s - 1, a[1] + dy + s - 1), bgr, -1
                )
            continue
        cv2.rectangle(layer, a, b, bgr, -1 if rng.random() < 0.7 else 1)
        if rng.random() < 0.6:
            _sign(rng, layer, p, float(size.min()) * 0.3)
        if rng.random() < 0.2:
            cv2.circle(
                layer,
                tuple(p.astype(int)),
                max(2, int(size.min() * 0.2)),
                (60, 190, 255),
                -1,
                cv2.LINE_AA,
            )
    _blend(out, layer, float(rng.uniform(0.4, 1)))


def _sign(rng: Rng, layer: Picture, at: NDArray[np.floating], r: float) -> None:
    n = int(rng.integers(3, 9))
    t = rng.uniform(0, 6) + np.arange(n) * 2 * np.pi / n
    star = np.where(np.arange(n) % 2, rng.uniform(0.4, 1), 1.0)
    pts = np.stack([at[0] + r * star * np.cos(t), at[1] + r * star * np.sin(t)], 1).astype(np.int32)
    if rng.random() < 0.5:
        cv2.polylines(layer, [pts], True, _ink(rng), int(rng.integers(1, 4)), cv2.LINE_AA)
    else:
        cv2.fillPoly(layer, [pts], _ink(rng), cv2.LINE_AA)


def tracks(rng: Rng, out: Picture) -> None:
    """Scoring tracks along an edge with numbers, text, paths of lines."""
    h, w = out.shape[:2]
    letters = string.ascii_uppercase + string.digits * 2
    if rng.random() < 0.5:
        upright = rng.random() < 0.5
        n = int(rng.integers(8, 30))
        band = float(rng.uniform(0.035, 0.075)) * w
        at = (
            float(rng.uniform(0.01, 0.06)) * w
            if rng.random() < 0.5
            else w - band - float(rng.uniform(0.01, 0.06)) * w
        )
        long = h if upright else w
        bgr = tuple(
            int(v * 255) for v in hsv(rng.uniform(20, 60), rng.uniform(0, 0.4), rng.uniform(0.5, 1))
        )
        for i in range(n):
            a, b = long * (0.05 + 0.9 * i / n), long * (0.05 + 0.9 * (i + 1) / n)
            p, q = (
                ((at, a), (at + band, b))
                if upright
                else ((a, min(at, h - band - 1)), (b, min(at, h - band - 1) + band))
            )
            p, q = tuple(map(int, p)), tuple(map(int, q))
            cv2.rectangle(out, p, q, bgr, -1)
            cv2.rectangle(out, p, q, _ink(rng) if rng.random() < 0.1 else (60, 60, 60), 1)
            if rng.random() < 0.9:
                cv2.putText(
                    out,
                    str(i),
                    (p[0] + 2, q[1] - 4),
                    cv2.FONT_HERSHEY_SIMPLEX,
                    0.33,
                    (30, 30, 30),
                    1,
                    cv2.LINE_AA,
                )
    for _ in range(int(rng.integers(0, 6))):
        word = "".join(rng.choice(list(letters), int(rng.integers(1, 10))))
        p = tuple(int(v) for v in rng.uniform(0, 0.9, 2) * (w, h))
        cv2.putText(
            out,
            word,
            p,
            int(rng.integers(0, 5)),
            float(rng.uniform(0.3, 1.8)),
            _ink(rng),
            int(rng.integers(1, 4)),
            cv2.LINE_AA,
        )
    for _ in range(int(rng.integers(0, 4))):
        pts = (rng.uniform(0, 1, (int(rng.integers(2, 6)), 2)) * (w, h)).astype(np.int32)
        cv2.polylines(out, [pts], False, _ink(rng), int(rng.integers(1, 5)), cv2.LINE_AA)


def marker(rng: Rng, side: int) -> Picture:
    """A square of black and white modules with a quiet zone, like a printed corner marker."""
    cells = (rng.random((int(rng.integers(4, 7)),) * 2) < 0.5).astype(np.uint8) * 255
    cells = np.pad(cells, 1)
    cells = np.pad(cells, 1, constant_values=255)
    return cv2.cvtColor(
        cv2.resize(cells, (side, side), interpolation=cv2.INTER_NEAREST), cv2.COLOR_GRAY2BGR
    )


def artwork(rng: Rng, board: tuple[float, float], pixels: int = 720) -> Picture:
    """The printed face of a new board, ``pixels`` on its longer side, BGR."""
    scale = pixels / max(board)
    shape = (round(board[1] * scale), round(board[0] * scale))
    out = base_layer(rng, shape)
    h, w = shape
    if rng.random() < 0.35:
        spots(rng, out)
    grid(rng, out)
    layers = ((patches, 0.5), (spots, 0.3), (circle_tracks, 0.25), (tracks, 0.5))
    for paint, chance in layers:
        if rng.random() < chance:
            paint(rng, out)
    if rng.random() < 0.12:
        side = int(w * rng.uniform(0.06, 0.13))
        for x in (2, w - side - 2):
            for y in (2, h - side - 2):
                out[y : y + side, x : x + side] = marker(rng, side)
    if rng.random() < 0.35:
        cv2.rectangle(out, (0, 0), (w - 1, h - 1), _ink(rng), int(rng.integers(2, max(3, w // 16))))
    if rng.random() < 0.1:
        for x in np.linspace(0, w, int(rng.integers(2, 4)))[1:-1]:
            cv2.line(out, (int(x), 0), (int(x), h), (40, 40, 40), 1)
    return out
