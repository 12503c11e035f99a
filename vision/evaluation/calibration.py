"""Whether confidences mean what they say: a table by confidence, and its drawing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from vision.evaluation.statistics import Share, wilson
from vision.types import Image

BINS = 10
INK, GRID, BAR, LINE = (40, 40, 40), (225, 225, 225), (196, 160, 120), (60, 60, 200)


@dataclass(frozen=True, slots=True)
class Reliability:
    """Rows (lowest confidence, mean confidence, share right); ``error``: expected calibration
    error, the mean gap between confidence and share right (Guo et al. 2017)."""

    rows: tuple[tuple[float, float, Share], ...]
    error: float | None
    brier: float | None

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        table = [
            {"from": low, "confidence": round(mean, 4), **share.to_json()}
            for low, mean, share in self.rows
        ]
        return {"expected_error": self.error, "brier": self.brier, "table": table}


def reliability(answers: Sequence[tuple[float, bool]]) -> Reliability:
    """Of (confidence 0 to 1, right) pairs."""
    if not answers:
        return Reliability((), None, None)
    p = np.clip([a for a, _ in answers], 0, 1)
    right = np.array([r for _, r in answers], bool)
    of_bin = np.minimum((p * BINS).astype(int), BINS - 1)
    rows, gap = [], 0.0
    for b in range(BINS):
        inside = of_bin == b
        n = int(inside.sum())
        if n:
            share = Share(int(right[inside].sum()), n)
            rows.append((b / BINS, float(p[inside].mean()), share))
            gap += n * abs(rows[-1][1] - share.value)
    brier = float(((p - right) ** 2).mean())
    return Reliability(tuple(rows), round(gap / len(p), 4), round(brier, 4))


def draw(table: Reliability, title: str) -> Image:
    """The diagram, BGR: share right over confidence with 95 % bounds, and how many there are."""
    width, height, left, top, side = 560, 590, 70, 60, 440
    picture = np.full((height, width, 3), 255, np.uint8)

    def at(x: float, y: float) -> tuple[int, int]:
        return round(left + x * side), round(top + (1 - y) * side)

    for k in range(6):
        v = k / 5
        cv2.line(picture, at(v, 0), at(v, 1), GRID, 1)
        cv2.line(picture, at(0, v), at(1, v), GRID, 1)
        _text(picture, f"{v:.1f}", (at(v, 0)[0] - 12, at(0, 0)[1] + 20))
        _text(picture, f"{v:.1f}", (left - 38, at(0, v)[1] + 5))
    for low, _mean, share in table.rows:
        cv2.rectangle(picture, at(low + 0.01, share.value), at(low + 1 / BINS - 0.01, 0), BAR, -1)
    cv2.line(picture, at(0, 0), at(1, 1), LINE, 1, cv2.LINE_AA)
    for low, mean, share in table.rows:
        bounds = wilson(share.right, share.of)
        cv2.line(picture, at(mean, bounds[0]), at(mean, bounds[1]), INK, 1, cv2.LINE_AA)
        cv2.circle(picture, at(mean, share.value), 4, INK, -1, cv2.LINE_AA)
        _text(picture, str(share.of), (at(low, 0)[0] + 6, at(0, 0)[1] + 62), 0.4)
    cv2.rectangle(picture, at(0, 1), at(1, 0), INK, 1)
    _text(picture, title, (left, 26), 0.55)
    if table.error is not None:
        _text(picture, f"expected error {table.error:.3f}, Brier {table.brier:.3f}", (left, 48))
    _text(
        picture,
        "share right over confidence; below: how many in each step",
        (left, at(0, 0)[1] + 42),
    )
    return picture


def _text(picture: Image, text: str, at: tuple[int, int], scale: float = 0.45) -> None:
    cv2.putText(picture, text, at, cv2.FONT_HERSHEY_SIMPLEX, scale, INK, 1, cv2.LINE_AA)
