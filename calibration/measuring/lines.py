"""Guesses from the print where a board's lines run, in millimetres on the face."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.types import Image

PX_PER_MM = 2.0
PITCHES_MM = (9.0, 70.0)
PITCH_STEP_MM = 0.1
TOOTH_MM = 0.8  # a line may be so far from its place
FLOOR = 0.35  # strength (0 to 1) below which a line speaks against the comb
RIM_MM = 3.0  # lines nearer to the edge are the edge
LEAST = 4  # lines

Profile = NDArray[np.float64]


@dataclass(frozen=True)
class Comb:
    """``first_mm``, ``pitch_mm``, ``count`` of the lines; ``score``: higher is surer."""

    first_mm: float
    pitch_mm: float
    count: int
    score: float

    @property
    def places_mm(self) -> tuple[float, ...]:
        """Where the lines run."""
        return tuple(self.first_mm + i * self.pitch_mm for i in range(self.count))


def guess_grid(
    picture: Image, size_mm: tuple[float, float]
) -> tuple[tuple[float, ...], tuple[float, ...]] | None:
    """Upright and level lines (x, y) of a grid of squares; None when none stands out."""
    across, down = (_strength(_scaled(picture, size_mm), axis) for axis in (0, 1))
    best: tuple[float, Comb, Comb] | None = None
    for pitch in np.arange(PITCHES_MM[0], PITCHES_MM[1], PITCH_STEP_MM):
        combs = [best_comb(p, float(pitch)) for p in (across, down)]
        if any(c is None for c in combs):
            continue
        x, y = combs
        assert x is not None and y is not None
        if best is None or x.score + y.score > best[0]:
            best = (x.score + y.score, x, y)
    if best is None:
        return None
    x, y = (_sharpened(p, c) for p, c in ((across, best[1]), (down, best[2])))
    return x.places_mm, y.places_mm


def guess_even(profile: Profile, low_mm: float, high_mm: float, most: int = 16) -> int | None:
    """Into how many equal parts lines part the way from ``low_mm`` to ``high_mm``."""
    scored = []
    for count in range(2, most + 1):
        places = np.linspace(low_mm, high_mm, count + 1)[1:-1]
        values = _near(profile, places)
        scored.append((float((values - FLOOR).sum()), count))
    score, count = max(scored)
    return count if score > 0.5 * FLOOR * count else None


def ring_profile(picture: Image, size_mm: tuple[float, float], centre_mm: tuple[float, float]) -> tuple[Profile, Profile]:  # fmt: skip
    """Strength of lines round a centre: by radius in half millimetres, and by angle in quarter
    degrees (0 at the top, clockwise)."""
    face = _scaled(picture, size_mm)
    radius = min(*centre_mm, size_mm[0] - centre_mm[0], size_mm[1] - centre_mm[1]) * PX_PER_MM
    angles, steps = 1440, int(radius)
    t = np.radians(np.arange(angles) / 4)
    r = np.arange(steps)
    x = centre_mm[0] * PX_PER_MM - 0.5 + np.sin(t)[:, None] * r[None]
    y = centre_mm[1] * PX_PER_MM - 0.5 - np.cos(t)[:, None] * r[None]
    polar = cv2.remap(face, x.astype(np.float32), y.astype(np.float32), cv2.INTER_LINEAR)
    wrapped = np.concatenate([polar[-40:], polar, polar[:40]])
    return _profile(polar, 0), _profile(wrapped[:, steps // 2 :], 1)[40:-40]


def _scaled(picture: Image, size_mm: tuple[float, float]) -> NDArray[np.float32]:
    size = tuple(round(s * PX_PER_MM) for s in size_mm)
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY) if picture.ndim == 3 else picture
    return np.asarray(cv2.resize(grey, size, interpolation=cv2.INTER_AREA), np.float32)


def _strength(face: NDArray[np.float32], axis: int) -> Profile:
    return _profile(face, axis)


def _profile(face: NDArray[np.float32], axis: int) -> Profile:
    """How much of every column (``axis`` 0) or row (1) a line or edge runs along, 0 to 1."""
    grey = face if axis == 0 else face.T
    smooth = cv2.GaussianBlur(np.ascontiguousarray(grey), (0, 0), 0.8)
    ridge = np.zeros_like(smooth)
    # a thin line differs from both its sides, an edge parts two grounds
    near, far = 1, 3
    ridge[:, far:-far] = np.maximum(
        np.minimum(
            np.abs(smooth[:, far:-far] - smooth[:, : -2 * far]),
            np.abs(smooth[:, far:-far] - smooth[:, 2 * far :]),
        ),
        0.7 * np.abs(smooth[:, far + near : -far + near or None] - smooth[:, far - near : -far - near]),
    )  # fmt: skip
    local = cv2.blur(ridge, (41, 1)) + 1.0
    return np.asarray(np.mean(np.clip(ridge / local - 1.0, 0.0, 1.0), axis=0), np.float64)


def best_comb(profile: Profile, pitch_mm: float) -> Comb | None:
    """The run of lines at a pitch that the profile supports best."""
    strong = _widened(profile)
    pitch = pitch_mm * PX_PER_MM
    length = len(strong)
    best: Comb | None = None
    for phase in np.arange(0.0, pitch, 1.0):
        at = np.arange(phase, length - 0.5, pitch)
        places = np.rint(at).astype(int)
        rim = RIM_MM * PX_PER_MM
        inside = (at > rim) & (at < length - rim)
        values = np.where(inside, strong[np.minimum(places, length - 1)] - FLOOR, -1.0)
        low, high, score = _best_run(values)
        if high - low >= LEAST and (best is None or score > best.score):
            best = Comb(float(at[low] + 0.5) / PX_PER_MM, pitch_mm, high - low, score)
    return best


def _widened(profile: Profile) -> Profile:
    """Relative strength, each line as wide as its tolerance."""
    scale = float(np.percentile(profile, 98)) + 1e-6
    relative = np.minimum(profile / scale, 1.0)
    width = 2 * round(TOOTH_MM * PX_PER_MM) + 1
    return np.asarray(cv2.dilate(relative.reshape(1, -1), np.ones((1, width))).reshape(-1))


def _near(profile: Profile, places_mm: Profile) -> Profile:
    at = np.rint(places_mm * PX_PER_MM).astype(int)
    return np.asarray(_widened(profile)[np.clip(at, 0, len(profile) - 1)])


def _best_run(values: Profile) -> tuple[int, int, float]:
    """Start, end and sum of the run with the greatest sum (Kadane)."""
    best, best_at = 0.0, (0, 0)
    total, start = 0.0, 0
    for i, value in enumerate(values):
        total += float(value)
        if total <= 0:
            total, start = 0.0, i + 1
        elif total > best:
            best, best_at = total, (start, i + 1)
    return *best_at, best


def _sharpened(profile: Profile, comb: Comb) -> Comb:
    """First line and pitch by least squares on the strongest place near each line."""
    reach = round(2 * TOOTH_MM * PX_PER_MM)
    rows = []
    for i, place in enumerate(comb.places_mm):
        at = round(place * PX_PER_MM - 0.5)
        low, high = max(0, at - reach), min(len(profile), at + reach + 1)
        if high > low:
            rows.append((i, (low + int(profile[low:high].argmax()) + 0.5) / PX_PER_MM))
    index, places = np.array(rows, np.float64).T
    pitch, first = np.polyfit(index, places, 1)
    return Comb(float(first), float(pitch), comb.count, comb.score)
