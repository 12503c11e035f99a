"""Shards of synthetic samples on disk: written once, resumable, compressed as pictures."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.synthesis.sample import Sample, make_sample

SHARD = 50
_PARTS = ("picture", "reference", "masks")


def shard_path(folder: Path, seed: int, shard: int, traced: bool = False) -> Path:
    """File of the ``shard``-th group of samples of a seed."""
    return folder / f"{'traced' if traced else 'seed'}{seed}-{shard:05d}.npz"


def write_shard(folder: Path, seed: int, shard: int, traced: bool = False) -> None:
    """Draws the samples of one shard, path traced or by the rasteriser.

    A shard that is there already is left alone.
    """
    path = shard_path(folder, seed, shard, traced)
    if path.exists():
        return
    render = None
    if traced:
        from models.training.synthesis.traced import path_traced as render
    store: dict[str, NDArray[np.generic]] = {}
    for i in range(SHARD):
        number = shard * SHARD + i
        rng = np.random.default_rng([seed, number])
        sample = make_sample(rng, render=render)
        quality = int(rng.choice([45, 60, 75, 88, 95]))
        store |= _encode(i, sample, quality)
    temporary = path.with_suffix(".part")
    with temporary.open("wb") as file:
        np.savez(file, **store)  # type: ignore[arg-type]
    temporary.rename(path)


def _encode(i: int, sample: Sample, quality: int) -> dict[str, NDArray[np.generic]]:
    jpeg = [cv2.IMWRITE_JPEG_QUALITY, quality]
    masks = np.ascontiguousarray(np.concatenate([sample.masks[..., 0], sample.masks[..., 1]], 1))
    return {
        f"picture{i}": cv2.imencode(".jpg", sample.picture, jpeg)[1].ravel(),
        f"reference{i}": cv2.imencode(".jpg", sample.reference, [cv2.IMWRITE_JPEG_QUALITY, 92])[
            1
        ].ravel(),
        f"masks{i}": cv2.imencode(".png", masks)[1].ravel(),
        f"things{i}": sample.things,
        f"corners{i}": sample.corners,
    }


def read_shard(path: Path) -> Iterator[Sample]:
    """The samples of a shard, decoded."""
    with np.load(path) as data:
        stored = {k: data[k] for k in data.files}
    for i in range(SHARD):
        yield decode(stored, i)


def decode(stored: dict[str, NDArray[np.generic]], i: int) -> Sample:
    """The ``i``-th sample of a loaded shard."""
    picture, reference, masks = (
        cv2.imdecode(stored[f"{p}{i}"], cv2.IMREAD_UNCHANGED) for p in _PARTS
    )
    corners = stored[f"corners{i}"]
    valid = np.zeros(picture.shape[:2], np.uint8)
    cv2.fillConvexPoly(valid, np.round(corners * 16).astype(np.int32), 255, cv2.LINE_8, 4)
    half = masks.shape[1] // 2
    return Sample(
        picture, reference, valid, stored[f"things{i}"],
        np.stack([masks[:, :half], masks[:, half:]], 2), corners,
    )  # fmt: skip
