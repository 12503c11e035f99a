"""Writes the training pictures: ``python -m models.training.synthesise --out DIR --count N``."""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import cv2

from models.training.dataset import SHARD, write_shard


def main() -> None:
    """Renders ``count`` samples of ``seed`` into shards; run again, it goes on where it stopped."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--count", type=int, default=8000)
    parser.add_argument("--first", type=int, default=0, help="number of the first sample")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--traced", action="store_true", help="by path tracing: 20 times slower")
    args = parser.parse_args()
    synthesise(args.out, args.count, args.seed, args.first, args.traced)


def synthesise(out: Path, count: int, seed: int, first: int = 0, traced: bool = False) -> None:
    """Renders samples ``first`` to ``first + count`` of a seed (rounded to whole shards)."""
    cv2.setNumThreads(1)
    out.mkdir(parents=True, exist_ok=True)
    began = time.monotonic()
    shards = range(first // SHARD, -(-(first + count) // SHARD))
    for n, shard in enumerate(shards):
        write_shard(out, seed, shard, traced)
        if n % 10 == 9 or traced:
            print(f"{(n + 1) * SHARD} samples, {time.monotonic() - began:.0f} s", flush=True)


if __name__ == "__main__":
    main()
