"""What is measured: pictures with their truth, and which picture each one learns from."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.board import Board, load_board
from engine.errors import BoardwardenError
from engine.files import shown
from vision.labels import LabelledFolder, LabelledPicture, LabelledPiece, load_labels
from vision.sources.pictures import read_picture
from vision.types import Image

LEAST_VISIBLE = 0.5  # what is hidden further counts neither as right nor as missed
START = "-start"
ENROL = ("start", "other", "each", "none")


@dataclass(frozen=True, slots=True)
class TrueDie:
    """One labelled die: where the middle of its top face is, or where it stands.

    Neither is known in films.  ``pips`` None, or ``counts`` False: it may be found or not, and is
    not asked for.  ``loose``: the middle is that of a rough box.
    """

    pips: int | None
    centre_px: tuple[float, float] | None
    at_mm: tuple[float, float] | None
    counts: bool
    loose: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """One picture with its truth.  ``hand``: whether one is in view, None if nobody says.

    ``hand_only``: nothing but the hand is asked for.
    """

    name: str
    image: Callable[[], Image]
    corners_px: NDArray[np.float64] | None
    pieces: tuple[LabelledPiece, ...]
    hand: bool | None = None
    dice: tuple[TrueDie, ...] = ()
    hand_only: bool = False

    @property
    def looks(self) -> frozenset[tuple[str, str | None]]:
        """Kinds and colours that are well seen."""
        return frozenset((p.kind, p.colour) for p in self.pieces if p.visible >= LEAST_VISIBLE)


Lesson = tuple[Case, Case | None]  # a case to read, and the one to learn from


def cases_of(folder: LabelledFolder, only: str = "*", skip_pips: frozenset[int] = frozenset()) -> list[Case]:  # fmt: skip
    """The pictures of a folder whose names match ``only``; dice showing ``skip_pips`` don't count."""
    chosen = [p for p in folder.pictures if fnmatch(p.path.name, only)]
    if not chosen:
        raise BoardwardenError(f"{folder.path} has no picture that is called {only!r}")
    return [_case(p, skip_pips) for p in chosen]


def _case(picture: LabelledPicture, skip_pips: frozenset[int]) -> Case:
    path = picture.path
    return Case(
        path.name,
        lambda: read_picture(path),
        picture.corners_px,
        picture.pieces,
        _hand(picture.raw),
        tuple(_dice(picture, skip_pips)),
    )


def _hand(raw: Mapping[str, Any]) -> bool | None:
    if isinstance(raw.get("hand"), bool):
        return bool(raw["hand"])
    flags = raw.get("flags") or ()
    return True if "hand" in flags else False if "no_hand" in flags else None


def _dice(picture: LabelledPicture, skip_pips: frozenset[int]) -> Iterator[TrueDie]:
    for piece in picture.pieces:
        if piece.kind == "die":
            counts = piece.visible >= LEAST_VISIBLE and piece.pips not in (None, *skip_pips)
            yield TrueDie(piece.pips, None, piece.at_mm, counts)
    loose = bool(picture.raw.get("loose_boxes"))
    for row in picture.raw.get("dice") or ():
        pips, (x, y) = row.get("pips"), row["centre_px"]
        unclear = row.get("blurred") or row.get("sign") or pips is None or pips in skip_pips
        yield TrueDie(pips, (float(x), float(y)), None, not unclear, loose)


def is_start(case: Case) -> bool:
    """Whether it is there to be learnt from only."""
    return Path(case.name).stem.endswith(START)


def natural_enrolment(cases: list[Case]) -> str:
    """From start pictures where there are some, else from the next picture."""
    return "start" if any(is_start(c) for c in cases) else "other"


def rounds_of(cases: list[Case], enrol: str) -> list[list[Lesson]]:
    """Rounds of lessons, each over all cases: one, or with "each" one per eligible teacher.

    "start": NAME-start teaches NAME.  "other": the next picture with pieces.  "each": every other
    picture that shows all looks of the one to read, one after the other.
    """
    read = [c for c in cases if not is_start(c)]
    if enrol == "start":
        by_stem = {Path(c.name).stem: c for c in cases}
        return [[(c, by_stem.get(Path(c.name).stem + START)) for c in read]]
    full = [c for c in read if c.pieces]
    if enrol == "none" or not full:
        return [[(c, None) for c in read]]
    if enrol == "other":
        return [[(c, _next(full, i)) for i, c in enumerate(full)]]
    teachers = [_eligible(full, i) for i in range(len(full))]
    if not any(teachers):
        raise BoardwardenError(
            "no picture shows all the pieces of another one: use --enrol other or none"
        )
    most = max(len(t) for t in teachers)
    return [
        [(c, t[k % len(t)] if t else None) for c, t in zip(full, teachers, strict=True)]
        for k in range(most)
    ]


def _next(cases: list[Case], i: int) -> Case | None:
    """The next case that shows pieces well, not only a hand over them."""
    others = cases[i + 1 :] + cases[:i]
    return next((c for c in others if c.looks), None)


def _eligible(cases: list[Case], i: int) -> list[Case]:
    others = [cases[(i + k) % len(cases)] for k in range(1, len(cases))]
    seen = cases[i].looks
    return [c for c in others if c.corners_px is not None and c.looks and c.looks >= seen]


def load_folder(path: Path, board: Path | str | None = None) -> tuple[LabelledFolder, Board | None]:
    """Labels of a folder and its board; None where the pictures show dice only.

    Raises BoardwardenError when there are pieces but no board.
    """
    if not os.path.exists(path / "labels.json"):
        raise BoardwardenError(
            f"the folder {shown(path)} has no labels.json: boardwarden collect makes one, docs/formats.md"
            " tells its form"
        )
    folder = load_labels(path / "labels.json")
    chosen = board if board is not None else folder.board
    if chosen is not None:
        return folder, load_board(chosen)
    if any(p.pieces for p in folder.pictures):
        raise BoardwardenError(f"{folder.path} names no board file: give one with --board")
    return folder, None
