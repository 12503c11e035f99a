"""The options that say where the board is and what its pieces look like, shared by commands."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from calibration.profile import SUFFIX, read_packed
from engine.board import REFERENCE, Board, load_board
from engine.errors import BoardwardenError
from engine.files import shown
from vision.eyes import board_reference
from vision.labels import LabelledPicture, load_labels
from vision.reference import Reference
from vision.registration import find_board
from vision.registration.by_markers import marker_layout
from vision.sources.pictures import decode_picture
from vision.types import BoardPose, Image

TILES = "carcassonne"


@dataclass(frozen=True, slots=True, eq=False)
class Finding:
    """How to find one board in pictures."""

    board: Board
    reference: Reference | None
    corners: NDArray[np.float64] | None
    snap: bool

    def find(self, image: Image) -> BoardPose:
        """The board's pose; raises BoardwardenError when it is not found."""
        return find_board(
            image, self.board, reference=self.reference, corners=self.corners, snap=self.snap
        )


def add_finding(parser: argparse.ArgumentParser) -> None:
    """--board, --reference, --corners, --snap."""
    parser.add_argument(
        "--board", metavar="BOARD.json",
        help="board file, a board exported by the app, or: reference; left out for Carcassonne, whose tiles make the board",
    )  # fmt: skip
    parser.add_argument("--reference", metavar="PICTURE", help="picture of the empty printed face")
    parser.add_argument(
        "--corners", nargs=4, metavar="x,y",
        help="the face's corners in the picture: top-left, top-right, bottom-right, bottom-left",
    )  # fmt: skip
    parser.add_argument("--snap", action="store_true", help="refine the given corners on the print")


def parse_finding(
    options: argparse.Namespace, check_input: Callable[[], object] = lambda: None
) -> Finding:
    """Checks the options; raises BoardwardenError.

    ``check_input``: looks whether the pictures are there: of two faults theirs is told before those of
    files that only help to read them.
    """
    if getattr(options, "game", None) == TILES:
        check_input()
        return _tiles(options)
    if options.board is None:
        raise BoardwardenError(
            "--board is missing: give the board file, or reference; for Carcassonne say --game carcassonne"
        )
    check_input()
    board, own = _board(options.board, getattr(options, "game", None) or "magalon")
    given = Path(options.reference) if options.reference else None
    corners = _corners(options.corners) if options.corners else None
    reference = own if own is not None and given is None else board_reference(board, given)
    if reference is None and corners is None and marker_layout(board.raw) is None:
        raise BoardwardenError(
            "nothing says where the board lies: give --reference with a picture of the empty"
            " board, --corners, or a board file with markers"
        )
    return Finding(board, reference, corners, bool(options.snap))


def _board(name: str, game: str) -> tuple[Board, Reference | None]:
    """A board file, or an exported board with the reference picture that it holds."""
    if not name.endswith(SUFFIX):
        return load_board(name, game), None
    profile = read_packed(Path(name))
    board = load_board(profile.raw)
    if profile.picture is None:
        return board, None
    return board, Reference.flat(decode_picture(profile.picture, shown(name)), board.size_mm)


def lesson_of(text: str) -> LabelledPicture:
    """The picture that ``LABELS.json[#IMAGE]`` names; says which one it is where none is named."""
    file, _, name = text.partition("#")
    folder = load_labels(Path(file))
    picture = folder.picture(name or None)
    if not name and len(folder.pictures) > 1:
        print(
            f"boardwarden: the pieces are learnt from {shown(picture.path.name)}, the first of"
            f" {len(folder.pictures)} labelled pictures; name another one with #IMAGE",
            file=sys.stderr,
        )
    return picture


def _tiles(options: argparse.Namespace) -> Finding:
    """Carcassonne: the lattice is found by the start tile, or by its given corners."""
    if options.reference:
        raise BoardwardenError(
            "there is no empty board in Carcassonne: leave --reference out; the start tile shows"
            " where the table lies"
        )
    corners = _corners(options.corners) if options.corners else None
    return Finding(load_board(options.board or REFERENCE, TILES), None, corners, False)


def _corners(words: list[str]) -> NDArray[np.float64]:
    try:
        rows = [[float(v) for v in word.split(",")] for word in words]
        array = np.array(rows, np.float64).reshape(4, 2)
    except ValueError as error:
        raise BoardwardenError(
            f"--corners needs four points like 10,20 and not {' '.join(words)}"
        ) from error
    if not np.isfinite(array).all():
        raise BoardwardenError("--corners must be finite numbers")
    return array
