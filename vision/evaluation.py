"""Measuring the eyes on labelled pictures: the figures that count are those of others' pictures."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from engine.board import Board, load_board
from engine.errors import BoardwardenError
from vision.detector import Detector
from vision.eyes import Eyes, board_reference
from vision.labels import LabelledFolder, LabelledPicture, LabelledPiece, load_labels
from vision.reading import ReadPiece
from vision.registration import BoardNotFound, find_board
from vision.registration.pose import pose_from_corners
from vision.sources.pictures import read_picture
from vision.types import BoardPose

LEAST_VISIBLE = 0.5  # pieces hidden further are not counted, neither as right nor as missed


@dataclass
class Score:
    """Counts over pictures; ``right``: cell, colour and kind; ``wrong``: lines that tell misses."""

    folder: str
    boards: int = 0
    boards_right: int = 0
    boards_lost: int = 0
    pieces: int = 0
    right: int = 0
    cell: int = 0
    colour: int = 0
    kind: int = 0
    missed: int = 0
    extra: int = 0
    corner_error_px: float | None = None
    cell_error_percent: float | None = None
    wrong: list[str] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """All figures as plain data."""
        return asdict(self)

    def line(self) -> str:
        """One line for people."""
        share = 100 * self.right / max(self.pieces, 1)
        text = (
            f"{self.folder}: pieces right {self.right}/{self.pieces} = {share:.2f} %"
            f" (cell {self.cell}, colour {self.colour}, kind {self.kind}), missed {self.missed},"
            f" extra {self.extra}, boards right {self.boards_right}/{self.boards},"
            f" boards lost {self.boards_lost}"
        )
        if self.corner_error_px is not None:
            text += f", corners off by {self.corner_error_px:.2f} px"
        if self.cell_error_percent is not None:
            text += f" ({self.cell_error_percent:.1f} % of a cell at cell centres)"
        return text


@dataclass(frozen=True, slots=True)
class Method:
    """How a folder is measured.

    ``corners``: take the labelled corners instead of searching the board.  ``enrol``: "start"
    (the picture NAME-start of the same table), "other" (the next picture), "none".
    """

    corners: bool
    enrol: str
    reference: Path | None


def method_for(
    folder: LabelledFolder, reference: Path | None, enrol: str | None, corners: bool
) -> Method:
    """The natural way to measure a folder when nothing else is asked for."""
    starts = any(p.path.stem.endswith("-start") for p in folder.pictures)
    return Method(
        corners=corners or reference is None,
        enrol=enrol or ("start" if starts else "other"),
        reference=reference,
    )


def evaluate(
    folder: LabelledFolder,
    board: Board,
    method: Method,
    detector: Detector,
    report: Callable[[str], None] = lambda line: None,
) -> Score:
    """Reads every picture of a folder and compares it with its labels."""
    score = Score(folder.path.parent.name)
    reference = board_reference(board, method.reference)
    errors: list[tuple[float, float]] = []
    for picture, teacher in _lessons(folder, method.enrol):
        score.boards += 1
        eyes = Eyes(board, detector, reference)
        image = read_picture(picture.path)
        try:
            if teacher is not None:
                eyes.enrol_labelled(teacher)
            pose = _pose(image, picture, board, eyes, method)
        except BoardNotFound as error:
            score.boards_lost += 1
            lost = [p for p in picture.pieces if _counts(p)]
            score.pieces += len(lost)
            score.missed += len(lost)
            score.wrong.append(f"{picture.path.name}: {error}")
            continue
        if not method.corners and picture.corners_px is not None:
            errors.append(_pose_error(pose, picture, board, image.shape))
        glance = eyes.look(image, pose)
        before = len(score.wrong)
        _compare(score, picture, list(glance.reading.pieces))
        for line in score.wrong[before:]:
            report(line)
    if errors:
        score.corner_error_px = float(np.mean([e[0] for e in errors]))
        score.cell_error_percent = float(np.mean([e[1] for e in errors]))
    return score


def _lessons(
    folder: LabelledFolder, enrol: str
) -> Iterator[tuple[LabelledPicture, LabelledPicture | None]]:
    """Pictures to read, each with the one to learn from."""
    by_name = {p.path.stem: p for p in folder.pictures}
    read = [p for p in folder.pictures if not p.path.stem.endswith("-start")]
    full = [p for p in read if p.pieces]
    for i, picture in enumerate(full if enrol == "other" else read):
        if enrol == "start":
            yield picture, by_name.get(f"{picture.path.stem}-start")
        elif enrol == "other" and len(full) > 1:
            yield picture, full[(i + 1) % len(full)]
        else:
            yield picture, None


def _pose(
    image: np.ndarray[Any, Any], picture: LabelledPicture, board: Board, eyes: Eyes, method: Method
) -> BoardPose:
    if not method.corners:
        return find_board(image, board, reference=eyes.reference)
    if picture.corners_px is None:
        raise BoardNotFound(
            f"{picture.path.name} has no labelled corners; give a reference picture"
        )
    size = (image.shape[1], image.shape[0])
    return pose_from_corners(picture.corners_px, board.size_mm, size, "corners")


def _pose_error(
    pose: BoardPose, picture: LabelledPicture, board: Board, shape: tuple[int, ...]
) -> tuple[float, float]:
    """(mean corner error in px, mean error at cell centres in % of a cell)."""
    assert picture.corners_px is not None
    truth = pose_from_corners(picture.corners_px, board.size_mm, (shape[1], shape[0]), "corners")
    corner = float(np.linalg.norm(pose.corners_px - picture.corners_px, axis=1).mean())
    centres = np.array([board.centres[c] for c in board.cells])
    off = pose.to_board(truth.to_image(centres)) - centres
    return corner, float(100 * np.linalg.norm(off, axis=1).mean() / board.cell_size_mm)


def _counts(piece: LabelledPiece) -> bool:
    return _on_cells(piece) and piece.visible >= LEAST_VISIBLE


def _on_cells(piece: LabelledPiece) -> bool:
    return bool(piece.spots) and not piece.spots[0].startswith("track/") and piece.kind != "die"


def _compare(score: Score, picture: LabelledPicture, got: list[ReadPiece]) -> None:
    """Adds one picture: every true piece takes the best read piece on its cells."""
    left = [g for g in got if g.spots and not g.spots[0].startswith("track/")]
    good = 0
    sure = [p for p in picture.pieces if _counts(p)]
    for piece in (p for p in picture.pieces if _on_cells(p)):
        here = [g for g in left if set(g.spots) == set(piece.spots)]
        here.sort(key=lambda g: ((g.colour != piece.colour), (g.kind != piece.kind)))
        best = here[0] if here else None
        if best is not None:
            left.remove(best)
        if not _counts(piece):
            continue
        where = " ".join(piece.spots)
        what = f"{picture.path.name}: {piece.colour} {piece.kind} on {where}"
        if best is None:
            score.missed += 1
            score.wrong.append(f"{what} missed (visible {piece.visible:g})")
            continue
        colour, kind = best.colour == piece.colour, best.kind == piece.kind
        score.cell += 1
        score.colour += colour
        score.kind += kind
        score.right += colour and kind
        good += colour and kind
        if not (colour and kind):
            score.wrong.append(f"{what} read as {best.colour} {best.kind}")
    score.pieces += len(sure)
    score.extra += len(left)
    score.wrong += [
        f"{picture.path.name}: {g.colour} {g.kind} on {' '.join(g.spots)} is not there"
        for g in left
    ]
    score.boards_right += good == len(sure) and not left


def load_folder(path: Path) -> tuple[LabelledFolder, Board]:
    """Labels and board of a folder; raises BoardwardenError when either is missing."""
    folder = load_labels(path / "labels.json")
    if folder.board is None:
        raise BoardwardenError(f"{folder.path} names no board file: give one with --board")
    return folder, load_board(folder.board)
