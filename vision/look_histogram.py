"""The look of things that have no single colour (ruins): a smoothed histogram of their pixels."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.types import FloatArray, Image

BINS = 16
SPREAD_BINS = 0.9  # blur of the histogram: light and shading differ a little next time
LIKELIEST = 0.02  # log-likelihood 0 corresponds to this share of the pixels in one bin
FLOOR = 2e-6


@dataclass(frozen=True, slots=True, eq=False)
class LookHistogram:
    """``log_table`` (BINS, BINS, BINS): log-likelihood by blue, green, red; 0 for common colours."""

    log_table: FloatArray

    def log_likelihood(self, image: Image) -> FloatArray:
        """(h, w) log-likelihood of every pixel of a BGR picture."""
        blue, green, red = cv2.split(image // (256 // BINS))
        at = (blue.astype(np.intp) * BINS + green) * BINS + red
        return np.asarray(self.log_table.ravel().take(at), np.float32)


def learn_look(pixels: NDArray[np.uint8]) -> LookHistogram:
    """From (n, 3) BGR pixels."""
    bins = (pixels // (256 // BINS)).astype(np.intp)
    table = np.zeros((BINS, BINS, BINS), np.float32)
    np.add.at(table, (bins[:, 0], bins[:, 1], bins[:, 2]), 1.0)
    for axis in range(3):
        flat = np.moveaxis(table, axis, 0).reshape(BINS, -1)
        table = np.moveaxis(_blur(flat).reshape(np.moveaxis(table, axis, 0).shape), 0, axis)
    share = table / max(float(table.sum()), 1.0)
    return LookHistogram(
        np.log(np.clip(share / LIKELIEST, FLOOR / LIKELIEST, 1.0)).astype(np.float32)
    )


def _blur(rows: FloatArray) -> FloatArray:
    """Smooths (BINS, n) along the bins."""
    offsets = np.arange(-2, 3)
    kernel = np.exp(-0.5 * (offsets / SPREAD_BINS) ** 2)
    kernel /= kernel.sum()
    padded = np.pad(rows, ((2, 2), (0, 0)), mode="edge")
    return np.asarray(sum(k * padded[i : i + len(rows)] for i, k in enumerate(kernel)), np.float32)
