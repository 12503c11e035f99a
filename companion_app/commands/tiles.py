"""Learns the print of the owner's own Carcassonne tiles: from one picture of all kinds laid out, or
from a folder with pictures of single tiles."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

import cv2
import numpy as np

from companion_app.recorder import replace_file
from companion_app.tile_lesson import SETS, TileLesson, letter_of, own_tiles, stock
from engine.carcassonne.tiles import faces
from engine.errors import BoardwardenError
from engine.files import check_writable, shown, write_reason
from vision.evaluation.tiles import LETTERS, single_tile, tile_pictures
from vision.sources.pictures import read_picture
from vision.tiles.laid_out import learnt_from, named_picture
from vision.tiles.network import network
from vision.tiles.profile import Profile
from vision.tiles.reading import TileReader, patches_of


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``boardwarden tiles``."""
    parser.add_argument(
        "source", metavar="PICTURE|FOLDER",
        help="one picture of many tiles laid out (one of each kind is best), or a folder of pictures"
        " of single tiles named by their kind's letter: A_….jpg to X_….jpg",
    )  # fmt: skip
    parser.add_argument(
        "--out", metavar="PROFILE.npz",
        help="where the print goes (default: beside your games, where the app and watch use it)",
    )  # fmt: skip
    parser.add_argument(
        "--kinds", default="base", metavar="base,magic,inns",
        help="which tiles lie there: base (24 kinds, the default), magic (8), inns (17)",
    )  # fmt: skip
    parser.add_argument(
        "--fix",
        default="",
        metavar="3=K,7=M,9=-",
        help="what tiles of the picture really are, by number; - for one that is not to be learnt",
    )
    parser.add_argument(
        "--add", action="store_true", help="go on with the profile that lies there already"
    )


def run(options: argparse.Namespace) -> int:
    """Writes the profile and tells what was learnt."""
    source, out = Path(options.source), Path(options.out) if options.out else own_tiles()
    if not options.out:
        out.parent.mkdir(parents=True, exist_ok=True)
    check_writable(out)
    if not os.path.exists(source):
        raise BoardwardenError(
            f"there is no folder {shown(source)}: name a picture of your tiles laid out, or a folder"
            " of pictures of single ones"
        )
    profile = Profile.load(out) if options.add and out.exists() else Profile()
    if source.is_dir():
        profile = _from_folder(source, profile)
    else:
        profile = _from_picture(source, out, options, profile)
    try:
        profile.save(out)
    except OSError as error:
        raise BoardwardenError(f"cannot write {shown(out)}: {write_reason(error)}") from error
    print(f"{len(profile.views)} kinds learnt, written to {out}")
    missing = sorted(letter for letter, kind in LETTERS.items() if kind not in profile.views)
    if missing:
        print(f"not learnt yet: {' '.join(missing)}")
    return 0


def _from_folder(folder: Path, profile: Profile) -> Profile:
    pictures = tile_pictures(folder)
    if not pictures:
        raise BoardwardenError(
            f"{shown(folder)} holds no pictures named by a tile's letter: call them A_1.jpg to X_1.jpg"
        )
    reader = TileReader({k: faces(k) for k in LETTERS.values()}, network())
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
    return profile


def _from_picture(path: Path, out: Path, options: argparse.Namespace, profile: Profile) -> Profile:
    """All tiles of one picture; beside the profile a picture to look over."""
    most = stock(_sets(options.kinds))
    lesson = TileLesson.of(read_picture(path), most)
    if not lesson.tiles:
        raise BoardwardenError(
            f"no tiles are seen in {shown(path)}: lay them side by side or apart on a plain table"
            " and take the picture from above"
        )
    fixed = _fixes(options.fix, len(lesson.tiles), lesson.reader.kinds)
    for number, name in fixed.items():
        lesson = lesson.named(number - 1, name)
    labels = [f"{n} {letter_of(name)}" for n, name in enumerate(lesson.names, 1)]
    for n, (label, tile, name) in enumerate(zip(labels, lesson.tiles, lesson.names, strict=True)):
        doubt = "  <- look at this one" if n in lesson.doubtful else ""
        how = "as you say" if n in lesson.sure else f"{100 * tile.chance:3.0f} %"
        print(f"{label:>8}  {name or 'not learnt':12} {how}{doubt}")
    check = out.with_suffix(".png")
    picture = named_picture(lesson.image, list(lesson.tiles), labels)
    written, data = cv2.imencode(".png", picture)
    if written:
        replace_file(check, data.tobytes())
        print(f"Look over {check}; what is wrong is put right by --fix, like --fix 3=K,7=-")
    return learnt_from(lesson.image, list(lesson.tiles), list(lesson.names), lesson.reader, profile)


def _sets(words: str) -> list[str]:
    """Which sets lie there; raises BoardwardenError."""
    chosen = [w.strip() for w in words.split(",") if w.strip()]
    wrong = [w for w in chosen if w not in SETS]
    if wrong or not chosen:
        raise BoardwardenError(
            f"--kinds names base, magic or inns, and not {shown(', '.join(wrong) or words)}"
        )
    return chosen


def _fixes(words: str, count: int, kinds: tuple[str, ...]) -> dict[int, str]:
    """By number what a tile really is; raises BoardwardenError."""
    found = {}
    for word in filter(None, (w.strip() for w in words.split(","))):
        number, _, name = word.partition("=")
        kind = "" if name == "-" else LETTERS.get(name.upper(), name)
        if not number.isdigit() or not 1 <= int(number) <= count or (kind and kind not in kinds):
            raise BoardwardenError(
                f"--fix names tiles of the picture and their letters, like 3=K, and not"
                f" {shown(word)}: {count} tiles are seen"
            )
        found[int(number)] = kind
    return found
