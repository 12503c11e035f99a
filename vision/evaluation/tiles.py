"""How well pictures of single tiles are read: the kind's letter stands in the file's name."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from engine.carcassonne.faces import Face
from vision.sources.pictures import read_picture
from vision.tiles.first_tile import quads, settle
from vision.tiles.growing import FoundTile
from vision.tiles.lattice import Lattice, lattice_from_quad
from vision.tiles.reading import TileReader
from vision.types import Image

# Letters of the base game's kinds, as in the rules' booklets.
LETTERS = {
    "A": "BA/LR", "B": "BA/L", "C": "BA/Cccc+", "D": "BA/RCr", "E": "BA/C", "F": "BA/CFc+",
    "G": "BA/CFc.1", "H": "BA/CFC.2", "I": "BA/CC.2", "J": "BA/CRr", "K": "BA/RrC",
    "L": "BA/CRRR", "M": "BA/Cc+", "N": "BA/Cc.1", "O": "BA/CcRr+", "P": "BA/CcRr",
    "Q": "BA/Ccc+", "R": "BA/Ccc", "S": "BA/CccR+", "T": "BA/CccR", "U": "BA/RFr", "V": "BA/Rr",
    "W": "BA/RRR", "X": "BA/RRRR",
}  # fmt: skip
ENDINGS = (".jpg", ".jpeg", ".png")
RIMS = (0.0, 0.02, 0.05)  # of the picture: a tile may fill it
LEAST_SHARE = 0.3  # of the picture that the tile covers at least


@dataclass
class TilePictures:
    """``right`` of ``count`` kinds; ``wrong``: what was read instead."""

    name: str
    count: int = 0
    right: int = 0
    wrong: list[str] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "folder": self.name, "tiles": self.count, "right": self.right, "wrong": self.wrong,
        }  # fmt: skip


def tile_pictures(folder: Path) -> list[tuple[Path, str]]:
    """(picture, kind) of every picture whose name begins with a kind's letter and an underscore."""
    if not os.path.isdir(folder):
        return []
    files = sorted(p for p in folder.iterdir() if p.suffix.lower() in ENDINGS)
    return [(p, LETTERS[p.name[0]]) for p in files if p.name[1:2] == "_" and p.name[0] in LETTERS]


def measure_pictures(
    folder: Path, pictures: Sequence[tuple[Path, str]], reader: TileReader
) -> TilePictures:
    """Reads every picture for the kind of the one tile that it shows."""
    tally = TilePictures(folder.name)
    for path, kind in pictures:
        image = read_picture(path)
        read = read_single(image, reader)
        tally.count += 1
        tally.right += read == kind
        if read != kind:
            tally.wrong.append(f"{path.name}: {kind} read as {read or 'no tile'}")
    return tally


def read_single(image: Image, reader: TileReader) -> str | None:
    """The kind of the tile that fills most of a picture; None where none is seen."""
    found = single_tile(image, reader)
    if found is None:
        return None
    lattice, tile = found
    scores = reader.likelihoods(image, lattice, [tile])[0]
    # every turn is as good: their sum counts
    per_kind = np.logaddexp.reduce(scores, axis=1)
    return reader.kinds[int(np.argmax(per_kind))]


def single_tile(image: Image, reader: TileReader) -> tuple[Lattice, FoundTile] | None:
    """The tile that fills most of a picture, as place (0, 0) of a lattice."""
    height, width = image.shape[:2]
    size = (width, height)
    starts = [_box(width, height, rim) for rim in RIMS]
    starts += [q for q in quads(image) if _area(q) > LEAST_SHARE * width * height]
    best: tuple[Lattice, FoundTile] | None = None
    pad = round(0.12 * max(width, height))
    padded = np.pad(image, ((pad, pad), (pad, pad), (0, 0)), mode="edge")
    for quad in starts:
        start = lattice_from_quad(quad + pad, (width + 2 * pad, height + 2 * pad))
        settled = settle(padded, reader.network, start)
        if settled is not None and (best is None or settled[1].present > best[1].present):
            best = settled
    if best is None:
        return None
    back = np.array([[1.0, 0, -pad], [0, 1.0, -pad], [0, 0, 1.0]])
    return Lattice(back @ best[0].homography, size), best[1]


def _box(width: int, height: int, rim: float) -> np.ndarray[Any, np.dtype[np.float64]]:
    a = rim * min(width, height)
    return np.array(
        [(a, a), (width - 1 - a, a), (width - 1 - a, height - 1 - a), (a, height - 1 - a)]
    )


def _area(quad: np.ndarray[Any, np.dtype[np.float64]]) -> float:
    x, y = quad.T
    return float(abs(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))) / 2)


def base_reader(faces: Mapping[str, Sequence[Face]], reader: TileReader) -> TileReader:
    """A reader of the base game's kinds only, with another's network and profile."""
    return TileReader({k: faces[k] for k in LETTERS.values()}, reader.network, reader.profile)
