"""Figures on synthetic tables that training has not seen."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np

from models.training.dataset import read_shard
from models.training.synthesis.sample import CLASS, FOOT_X, VISIBLE, WIDTH, Sample
from models.training.targets import planes, to_input
from vision.crop import whole_of
from vision.detector import Backend, decode
from vision.types import SHAPES, Detections

SURE = 0.4
SEEN = 0.5


def detect_sample(run: Backend, sample: Sample, with_reference: bool) -> Detections:
    """Detections in the sample's own pixels."""
    off = np.zeros_like(sample.valid)
    valid = sample.valid if with_reference else off
    inputs = to_input(planes(sample.picture, sample.reference, valid))
    h, w = sample.picture.shape[:2]
    return decode(run(inputs), whole_of((w, h)))


def score_sample(
    found: Detections, sample: Sample
) -> tuple[np.ndarray, np.ndarray, int, list[float]]:
    """(there, right) per shape, false detections, foot errors in px.

    Right: the same shape within half a base width (at least 5 px).
    """
    there, right = np.zeros(len(SHAPES), int), np.zeros(len(SHAPES), int)
    shapes = found.shape_scores.argmax(1) if len(found) else np.zeros(0, int)
    used: set[int] = set()
    errors = []
    for row in sample.things[np.argsort(-sample.things[:, VISIBLE])]:
        cls, near = int(row[CLASS]), max(5.0, float(row[WIDTH]) / 2)
        distance = (
            np.hypot(*(found.foot_px - row[FOOT_X : FOOT_X + 2]).T) if len(found) else np.zeros(0)
        )
        hits = [
            int(i)
            for i in np.argsort(distance)
            if distance[i] < near and shapes[i] == cls and i not in used
        ]
        used.update(hits[:1])
        if row[VISIBLE] >= SEEN:
            there[cls] += 1
            right[cls] += bool(hits)
            errors += [float(distance[h]) for h in hits[:1]]
    false = sum(1 for i in range(len(found)) if i not in used and found.score[i] > SURE)
    return there, right, false, errors


def figures(run: Backend, samples: Iterable[Sample], with_reference: bool) -> str:
    """A table of recall per shape, false detections per picture and mean foot error."""
    there, right = np.zeros(len(SHAPES), int), np.zeros(len(SHAPES), int)
    false, pictures = 0, 0
    errors: list[float] = []
    for sample in samples:
        t, r, f, e = score_sample(detect_sample(run, sample, with_reference), sample)
        there, right, false, pictures = there + t, right + r, false + f, pictures + 1
        errors += e
    rows = [f"{s} {r / max(t, 1):.1%} of {t}" for s, t, r in zip(SHAPES, there, right, strict=True)]
    name = "with" if with_reference else "without"
    return (
        f"held-out synthetic, {name} reference, {pictures} pictures: all "
        f"{right.sum() / max(there.sum(), 1):.1%}, false {false / max(pictures, 1):.2f} a picture, "
        f"foot error {np.mean(errors) if errors else 0:.2f} px; " + ", ".join(rows)
    )


def samples_of(folder: Path, pattern: str) -> Iterable[Sample]:
    """All samples of the shards that match."""
    for path in sorted(folder.glob(pattern)):
        yield from read_shard(path)
