"""What a camera does to the picture: light pools, glare, blur, noise, colour, compression."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Rng = np.random.Generator
F32 = NDArray[np.float32]
Picture = NDArray[np.uint8]

_NOISE = np.random.default_rng(1).standard_normal((1024, 1024, 3), dtype=np.float32)


def light_field(rng: Rng, size: tuple[int, int]) -> F32:
    """(H, W, 1) brightness over the table: gradient, pool of a lamp, vignetting, soft patches."""
    w, h = size
    small = (max(8, h // 16), max(8, w // 16))
    y, x = np.mgrid[0 : small[0], 0 : small[1]].astype(np.float32)
    x, y = x / small[1] - 0.5, y / small[0] - 0.5
    a = rng.uniform(0, 2 * np.pi)
    field = 1 + rng.uniform(0, 0.7) * (np.cos(a) * x + np.sin(a) * y)
    if rng.random() < 0.5:
        cx, cy = rng.uniform(-0.6, 0.6, 2)
        spread = rng.uniform(0.2, 0.9)
        field *= (
            1
            - rng.uniform(0, 0.6)
            + rng.uniform(0.3, 1.0) * np.exp(-((x - cx) ** 2 + (y - cy) ** 2) / spread**2)
        )
    if rng.random() < 0.25:
        # Bars and leaves of a window.
        b = rng.uniform(0, 2 * np.pi)
        wave = np.sin((np.cos(b) * x + np.sin(b) * y) * rng.uniform(4, 25) + rng.uniform(0, 6))
        field *= 1 + rng.uniform(0, 0.4) * np.tanh(wave * rng.uniform(0.5, 4))
    field *= 1 - rng.uniform(0, 0.5) * (x**2 + y**2)
    return cv2.resize(np.clip(field, 0.25, 2.2), size, interpolation=cv2.INTER_CUBIC)[..., None]


def glare(rng: Rng, picture: F32, board_mask: Picture) -> None:
    """Soft reflections of lamps on the printed face, in place; ``picture`` 0 to 1."""
    h, w = picture.shape[:2]
    for _ in range(int(rng.choice([0, 1, 2], p=[0.55, 0.33, 0.12]))):
        small = np.zeros((h // 8, w // 8), np.float32)
        centre = (int(rng.integers(w // 8)), int(rng.integers(h // 8)))
        axes = (int(rng.integers(1, w // 40 + 3)), int(rng.integers(1, w // 40 + 3)))
        cv2.ellipse(small, centre, axes, float(rng.uniform(0, 180)), 0, 360, 1.0, -1)
        small = cv2.GaussianBlur(small, (0, 0), float(rng.uniform(1.5, 14)))
        peak = float(small.max())
        if peak <= 0:
            continue
        small *= float(rng.uniform(0.15, 1.1)) / peak
        spot = cv2.resize(small, (w, h), interpolation=cv2.INTER_LINEAR)
        if rng.random() < 0.7:
            spot = spot * (board_mask.astype(np.float32) / 255)
        spot = np.clip(spot, 0, 1)[..., None]
        picture += (1.0 - picture) * spot


def camera_curve(rng: Rng, linear: F32) -> F32:
    """What a careless camera makes of light (N,): (N, 3) BGR 0 to 1.

    Exposure, white balance, a filmic shoulder or hard clipping, gamma, contrast.
    """
    gain = np.exp(rng.normal(0.0, 0.22)) * np.exp(rng.normal(0, 0.07, 3))
    if rng.random() < 0.08:
        gain = gain * float(rng.uniform(1.2, 1.7))
    out = np.power(np.maximum(linear, 0), 1 / 1.6)[:, None] * gain.astype(np.float32)
    if rng.random() < 0.6:
        out = out * (1 + out * 0.16) / (1 + out * 0.5) * 1.25
    out = np.clip(out, 0, 1) ** float(np.exp(rng.normal(-0.1, 0.2)))
    s = float(rng.uniform(-0.3, 0.6))
    return np.asarray(out + s * out * (1 - out) * (out - 0.5) * 2, np.float32)


def camera_response(rng: Rng, light: F32) -> F32:
    """Picture 0 to 1 of linear light (H, W, 3): curve, saturation, haze."""
    steps, top = 8192, 3.0
    table = camera_curve(rng, np.linspace(0, top, steps, dtype=np.float32))
    index = np.clip(light * ((steps - 1) / top), 0, steps - 1).astype(np.uint16)
    out = np.stack([table[:, c][index[..., c]] for c in range(3)], 2)
    return _saturation_and_haze(rng, out)


def _saturation_and_haze(rng: Rng, out: F32) -> F32:
    mix = np.eye(3, dtype=np.float32)
    if rng.random() < 0.6:
        k = float(rng.uniform(0.55, 1.35))
        mix = mix * k + (1 - k) / 3
    offset = 0.0
    if rng.random() < 0.3:
        haze = float(rng.uniform(0, 0.22))
        mix, offset = mix * (1 - haze), haze * float(rng.uniform(0.3, 1))
    return cv2.transform(out, np.column_stack([mix, np.full(3, offset)]).astype(np.float32))


def printed_response(rng: Rng, face: Picture) -> Picture:
    """The printed face as another camera or the print file shows it."""
    values = (np.arange(256, dtype=np.float32) / 255) ** 1.6
    table = (camera_curve(rng, values) * 255).astype(np.uint8)
    return np.asarray(cv2.LUT(face, table[None]))


def lens_and_sensor(rng: Rng, picture: F32) -> F32:
    """Defocus, motion, low resolution, noise and sharpening; 0 to 1."""
    h, w = picture.shape[:2]
    out = picture
    t = rng.random()
    if t < 0.35:
        out = cv2.GaussianBlur(out, (0, 0), float(rng.uniform(0.4, 1.0)))
    elif t < 0.4:
        out = cv2.GaussianBlur(out, (0, 0), float(rng.uniform(1.0, 1.6)))
    elif t < 0.45:
        n = int(rng.integers(3, 8))
        a = rng.uniform(0, np.pi)
        kernel = np.zeros((n, n), np.float32)
        c = (n - 1) / 2
        cv2.line(
            kernel,
            (round(c - c * np.cos(a)), round(c - c * np.sin(a))),
            (round(c + c * np.cos(a)), round(c + c * np.sin(a))),
            1.0,
            1,
        )
        out = cv2.filter2D(out, -1, kernel / kernel.sum())
    if rng.random() < 0.25:
        s = float(rng.uniform(0.55, 0.95))
        small = cv2.resize(out, None, fx=s, fy=s, interpolation=cv2.INTER_AREA)
        out = cv2.resize(
            small, (w, h), interpolation=cv2.INTER_CUBIC if rng.random() < 0.5 else cv2.INTER_LINEAR
        )
    if rng.random() < 0.75:
        level = float(rng.choice([0.004, 0.012, 0.03]) * rng.uniform(0.5, 1.3))
        y, x = rng.integers(0, 1024 - h + 1), rng.integers(0, 1024 - w + 1)
        grain = _NOISE[y : y + h, x : x + w]
        if rng.random() < 0.4:
            grain = cv2.GaussianBlur(grain, (0, 0), 0.8) * 1.8
        if rng.random() < 0.5:
            grain = grain * 0.35 + grain[..., :1] * 0.65
        out = out + grain * (level * np.sqrt(np.clip(out, 0.05, 1)) * 1.4)
    if rng.random() < 0.35:
        soft = cv2.GaussianBlur(out, (0, 0), float(rng.uniform(0.8, 1.5)))
        out = out + (out - soft) * float(rng.uniform(0.3, 1.6))
    return np.clip(out, 0, 1)
