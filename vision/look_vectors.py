"""Vectors of the network that are alike where pieces look alike: read, learnt, compared.

The network learns them by contrast (see ``models/training``): pieces of one mould and colour lie
close together, all others of the same table apart.  So a few known pieces tell the kinds of a set
apart that share a colour, whatever the maker's shapes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.types import Detections, FloatArray

Look = tuple[str, str | None]
TEMPERATURE = 0.15  # a little warmer than in training: two pictures differ more than one
MOST, LEAST = 2.0, -4.0  # bounds of the log-odds that a vector may add


def read_vectors(detections: Detections) -> FloatArray | None:
    """(N, D) unit vectors at the feet of all things; None from a network without them."""
    if detections.look_map is None:
        return None
    maps = detections.look_map
    to_grid = cv2.invertAffineTransform(detections.mask_to_image)
    feet = np.column_stack([detections.foot_px, np.ones(len(detections))]) @ to_grid.T
    h, w = maps.shape[1:]
    at = np.clip(np.round(feet).astype(int), 0, (w - 1, h - 1))
    found = maps[:, at[:, 1], at[:, 0]].T
    length = np.linalg.norm(found, axis=1, keepdims=True)
    return np.asarray(found / np.maximum(length, 1e-6), np.float32)


def mean_vector(samples: list[FloatArray]) -> FloatArray:
    """(D,) unit vector in the middle of the samples (D,) each."""
    middle = np.mean(np.array(samples), axis=0)
    return np.asarray(middle / max(float(np.linalg.norm(middle)), 1e-6), np.float32)


def look_log_odds(
    vectors: FloatArray,
    known: Mapping[Look, FloatArray],
    alike: Mapping[Look, Sequence[Look]] | None = None,
) -> dict[Look, NDArray[np.float64]]:
    """(N,) log-odds per known look, against the mean over all known looks.

    ``alike``: for looks that were not seen yet those known ones that look much the same, whose mean
    they get: a vector that tells paint and shape must not speak against a kind only because it is new.
    """
    if len(known) < 2 or not len(vectors):
        return {}
    table = vectors @ np.array(list(known.values())).T / TEMPERATURE
    top = table.max(axis=1, keepdims=True)
    mean = top + np.log(np.exp(table - top).mean(axis=1, keepdims=True))
    odds = np.clip(table - mean, LEAST, MOST)
    found = {look: odds[:, k].astype(np.float64) for k, look in enumerate(known)}
    for look, others in (alike or {}).items():
        if look not in known and others:
            found[look] = np.asarray(np.mean([found[o] for o in others], axis=0), np.float64)
    return found
