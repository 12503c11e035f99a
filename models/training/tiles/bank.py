"""A stock of painted tiles to cut training patches from."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.carcassonne.tiles import plain, tiles
from models.training.tiles.artwork import paint_tile
from models.training.tiles.style import random_style

SIDE = 96
# Styles below this seed are for training, from it on they are held out.
HELD_OUT = 1_000_000


def kinds() -> tuple[str, ...]:
    """The kinds that the network names: all without the doubles that only have a garden."""
    return tuple(sorted({plain(t) for t in tiles()}))


@dataclass(frozen=True, slots=True, eq=False)
class Bank:
    """``pictures`` (styles, kinds, SIDE, SIDE, 3) uint8, unturned."""

    pictures: NDArray[np.uint8]


def paint_set(seed: int, side: int = SIDE) -> NDArray[np.uint8]:
    """(kinds, side, side, 3): one artist's tiles."""
    rng = np.random.default_rng([3, seed])
    style = random_style(rng)
    return np.stack([paint_tile(tiles()[k], style, rng, side).picture for k in kinds()])


def load_bank(folder: Path, styles: int, first: int = 0) -> Bank:
    """The stock in ``folder``, painted as far as it is missing."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"tiles-{first}.npy"
    shape = (styles, len(kinds()), SIDE, SIDE, 3)
    if path.exists():
        known = np.load(path, mmap_mode="r")
        if known.shape == shape:
            return Bank(known)
    began = time.monotonic()
    part = np.lib.format.open_memmap(path.with_suffix(".part.npy"), "w+", np.uint8, shape)
    for n in range(styles):
        part[n] = paint_set(first + n)
        if n % 50 == 49:
            print(f"{n + 1} styles painted, {time.monotonic() - began:.0f} s", flush=True)
    part.flush()
    path.with_suffix(".part.npy").rename(path)
    return Bank(np.load(path, mmap_mode="r"))
