"""The recorded table that comes with the program, set up for measuring."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import cv2

from companion_app.opening import read_cards
from engine.board import Board, load_board
from engine.errors import BoardwardenError
from engine.game import Header, Player
from engine.rooms import room_for
from vision.detector import Detector
from vision.eyes import Eyes
from vision.labels import labels_of
from vision.reading import inventory_counts
from vision.reference import Reference
from vision.registration import find_board
from vision.sources import FilmSource
from vision.types import BoardPose, Frame

GAME, SIZE = "magalon", (1280, 720)
FIRST, NEXT = 12, 20  # frames: the starting position, and some more of the film


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Board, its reference, frames of 1280 x 720, and eyes that have learnt the pieces."""

    board: Board
    reference: Reference
    frames: tuple[Frame, ...]
    pose: BoardPose
    eyes: Eyes


def demo_table(folder: Path, detector: Detector) -> Table:
    """Raises BoardwardenError where the recording is missing or damaged."""
    board = load_board("reference")
    reference = Reference.load(folder / "magalon-reference.jpg", board.size_mm)
    players = [str(p["colour"]) for p in read_cards(folder / "cards.json")["players"]]
    frames = _frames(folder / "magalon.mp4")
    room = room_for(GAME)
    header = Header(GAME, "reference", tuple(Player(c, c) for c in players))
    start = room.placement(room.start(header, board))
    eyes = Eyes(board, detector, reference, inventory_counts(board, frozenset(players)))
    pose = find_board(frames[0].image, board, reference=reference)
    eyes.enrol(frames[0].image, pose, labels_of(start))
    return Table(board, reference, frames, pose, eyes)


def _frames(film: Path) -> tuple[Frame, ...]:
    source = FilmSource(film)
    source.open()
    frames = []
    try:
        while len(frames) < FIRST + NEXT and (frame := source.read(1.0)) is not None:
            image = frame.image
            if image.shape[1::-1] != SIZE:
                image = cv2.resize(image, SIZE, interpolation=cv2.INTER_AREA)
            frames.append(Frame(image, frame.t_s, frame.index))
    finally:
        source.close()
    if len(frames) <= FIRST:
        raise BoardwardenError(f"the recording {film} is damaged: install Boardwarden again")
    return tuple(frames[FIRST:])
