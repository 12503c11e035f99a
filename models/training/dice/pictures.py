"""Draws the training scenes into files: ``python -m models.training.dice.pictures --out DIR``."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.dataset import read_shard
from models.training.dice.scenes import Scene, make_scene
from models.training.synthesis.sample import CLASS, make_sample
from vision.types import SHAPES

Picture = NDArray[np.uint8]
SHARD = 500
MOST_DICE = 8
TABLES, TABLE_SEED = 60, 30


def tables(folder: Path | None = None) -> list[Picture]:
    """Pictures of tables without dice, from shards of the detector's training or drawn anew."""
    if folder is None:
        drawn = (make_sample(np.random.default_rng([TABLE_SEED, i])) for i in range(TABLES))
    else:
        drawn = (s for shard in sorted(folder.glob("*.npz"))[:8] for s in read_shard(shard))
    die = SHAPES.index("die")
    return [s.picture for s in drawn if not (s.things[:, CLASS] == die).any()]


def write(out: Path, count: int, seed: int, grounds: list[Picture]) -> None:
    """Draws ``count`` scenes of a seed in shards; shards that are there already are left alone."""
    out.mkdir(parents=True, exist_ok=True)
    for shard in range(-(-count // SHARD)):
        path = out / f"dice{seed}-{shard:03d}.npz"
        if path.exists():
            continue
        scenes = [
            make_scene(np.random.default_rng([seed, shard * SHARD + i]), grounds)
            for i in range(SHARD)
        ]
        dice = np.full((SHARD, MOST_DICE, 6), np.nan, np.float32)
        for row, scene in zip(dice, scenes, strict=True):
            row[: len(scene.dice)] = scene.dice[:MOST_DICE]
        temporary = path.with_suffix(".part")
        with temporary.open("wb") as file:
            np.savez(file, pictures=np.stack([s.picture for s in scenes]), dice=dice)
        temporary.rename(path)
        print(f"{path.name} is drawn", flush=True)


def read(folder: Path, seed: int) -> Iterator[Scene]:
    """All scenes of a seed."""
    for path in sorted(folder.glob(f"dice{seed}-*.npz")):
        with np.load(path) as data:
            pictures, dice = data["pictures"], data["dice"]
        for picture, rows in zip(pictures, dice, strict=True):
            yield Scene(picture, rows[np.isfinite(rows[:, 0])])


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--count", type=int, default=6000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tables", type=Path, help="shards of the detector's training pictures")
    a = parser.parse_args()
    cv2.setNumThreads(1)
    write(a.out, a.count, a.seed, tables(a.tables))


if __name__ == "__main__":
    main()
