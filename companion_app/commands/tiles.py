"""Learns the print of the owner's own Carcassonne tiles from pictures of single tiles."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

import numpy as np

from engine.carcassonne.tiles import faces
from engine.errors import BoardwardenError
from engine.files import check_writable, shown, write_reason
from vision.evaluation.tiles import LETTERS, single_tile, tile_pictures
from vision.sources.pictures import read_picture
from vision.tiles.network import network
from vision.tiles.profile import Profile
from vision.tiles.reading import TileReader, patches_of


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``boardwarden tiles``."""
    parser.add_argument(
        "folder", metavar="FOLDER",
        help="pictures of single tiles, each named by its kind's letter: A_….jpg to X_….jpg",
    )  # fmt: skip
    parser.add_argument("--out", required=True, metavar="PROFILE.npz", help="where the print goes")


def run(options: argparse.Namespace) -> int:
    """Writes the profile and tells what was learnt."""
    folder, out = Path(options.folder), Path(options.out)
    check_writable(out)
    if not os.path.isdir(folder):
        raise BoardwardenError(
            f"there is no folder {shown(folder)}: name the one with the pictures of your tiles"
        )
    pictures = tile_pictures(folder)
    if not pictures:
        raise BoardwardenError(
            f"{shown(folder)} holds no pictures named by a tile's letter: call them A_1.jpg to X_1.jpg"
        )
    reader = TileReader({k: faces(k) for k in LETTERS.values()}, network())
    profile = Profile()
    for path, kind in pictures:
        image = read_picture(path)
        found = single_tile(image, reader)
        if found is None:
            raise BoardwardenError(
                f"no tile is seen in {shown(path.name)}: take the picture again, the tile filling it"
            )
        lattice, tile = found
        scores = reader.likelihoods(image, lattice, [tile])[0, reader.kinds.index(kind)]
        patch = patches_of(image, lattice, [tile])[0]
        profile = profile.learnt(kind, 90 * int(np.argmax(scores)), patch)
    try:
        profile.save(out)
    except OSError as error:
        raise BoardwardenError(f"cannot write {shown(out)}: {write_reason(error)}") from error
    missing = sorted(letter for letter, kind in LETTERS.items() if kind not in profile.views)
    print(f"{len(profile.views)} kinds learnt, written to {out}")
    if missing:
        print(f"not learnt yet: {' '.join(missing)}")
    return 0
