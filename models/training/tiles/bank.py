"""A stock of painted tiles to cut training patches from."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.carcassonne.faces import Kind, Tile
from engine.carcassonne.tiles import plain, tiles
from models.training.tiles.artwork import Painted, paint_tile
from models.training.tiles.others import toned
from models.training.tiles.style import other_edition, other_hand, other_land, random_style
from vision.tiles.structure import SIGNS

Pictures = NDArray[np.uint8]

SIDE = 96
SIGN = 4  # a pixel of the truth is its ground plus SIGN times (1 + number of the sign there)
GROUND = {Kind.FIELD: 1, Kind.ROAD: 2, Kind.CITY: 3}
# Styles below this seed are for training, from it on they are held out.
HELD_OUT = 1_000_000
TONED = 0.3  # share of sets of other editions in other inks


def kinds() -> tuple[str, ...]:
    """The kinds that the network names: all without the doubles that only have a garden."""
    return tuple(sorted({plain(t) for t in tiles()}))


@dataclass(frozen=True, slots=True, eq=False)
class Bank:
    """``pictures`` (styles, kinds, SIDE, SIDE, 3) uint8, unturned; ``truths`` (styles, kinds, SIDE,
    SIDE) uint8: what each pixel shows, see `truth_of`."""

    pictures: NDArray[np.uint8]
    truths: NDArray[np.uint8]


def truth_of(tile: Tile, painted: Painted) -> NDArray[np.uint8]:
    """(side, side): 1 field, 2 road, 3 city, and SIGN times 1 + the number of the sign there."""
    grounds = [GROUND.get(f.kind, 1) for f in tile.features] + [1]
    out = np.array(grounds, np.uint8)[painted.features]
    side = len(out)
    for mark in painted.marks:
        y, x = np.ogrid[0:side, 0:side]
        u, v = ((np.array(mark.at)) * side - 0.5).tolist()
        there = (x - u) ** 2 + (y - v) ** 2 < (max(mark.radius, 0.05) * side) ** 2
        out[there] = out[there] % SIGN + SIGN * (1 + SIGNS.index(mark.sign))
    return out


def paint_set(
    seed: int, side: int = SIDE, varied: bool = True, editions: bool = False
) -> tuple[Pictures, Pictures]:
    """(kinds, side, side, 3) and (kinds, side, side): one artist's tiles and what they show;
    ``varied``: every tile with signs and buildings of its own; ``editions``: as other editions may
    have them."""
    rng = np.random.default_rng([3, seed])
    style = random_style(rng)
    if editions:
        style = other_land(style, rng)
    pictures, truths = [], []
    for kind in kinds():
        tile = tiles()[kind]
        hand = other_hand(style, rng) if varied else style
        hand = other_edition(hand, rng) if editions else hand
        painted = paint_tile(tile, hand, rng, side)
        pictures.append(painted.picture)
        truths.append(truth_of(tile, painted))
    whole = np.stack(pictures)
    if editions and rng.random() < TONED:
        whole = toned(rng, whole)
    return whole, np.stack(truths)


def load_bank(
    folder: Path, styles: int, first: int = 0, varied: bool = True, editions: bool = False
) -> Bank:
    """The stock in ``folder``, painted as far as it is missing."""
    folder.mkdir(parents=True, exist_ok=True)
    name = f"{'varied' if varied else 'sets'}-{first}-{styles}"
    name = f"editions-{name}" if editions else name
    paths = [folder / f"{name}-{part}.npy" for part in ("pictures", "truths")]
    if not all(p.exists() for p in paths):
        _paint(paths, styles, first, varied, editions)
    return Bank(*(np.load(p, mmap_mode="r") for p in paths))


def _paint(paths: list[Path], styles: int, first: int, varied: bool, editions: bool) -> None:
    shape = (styles, len(kinds()), SIDE, SIDE)
    began = time.monotonic()
    parts = [p.with_suffix(".part.npy") for p in paths]
    stock = [
        np.lib.format.open_memmap(part, "w+", np.uint8, full)
        for part, full in zip(parts, ((*shape, 3), shape), strict=True)
    ]
    for n in range(styles):
        stock[0][n], stock[1][n] = paint_set(first + n, varied=varied, editions=editions)
        if n % 50 == 49:
            print(f"{n + 1} styles painted, {time.monotonic() - began:.0f} s", flush=True)
    for whole, part, path in zip(stock, parts, paths, strict=True):
        whole.flush()
        part.rename(path)
