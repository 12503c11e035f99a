"""Labelled pictures of one's own table: which placements to put up, and the folder they go into.

The folder holds the pictures, ``labels.json`` as ``vision.labels`` reads it, and the board file with
its reference picture, so that ``boardwarden evaluate FOLDER`` needs nothing else.  No terminal here:
whoever leads a person through it shows the steps and brings the pictures.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration.in_view import visible_shares
from calibration.profile import make_profile
from engine.board import Board
from engine.errors import BoardwardenError
from engine.files import read_json, shown, write_reason, write_whole
from engine.placement import track_spot, track_value
from vision.footprints import possible_footprints
from vision.reference import Reference
from vision.shapes import shape_of
from vision.types import BoardPose, Image

LABELS, BOARD = "labels.json", "board"
COUNT = 20
MOST_ALIKE = 4  # of pieces that look alike: more is work at the table and tells nothing new
MOVED = (3, 5)  # pieces that change their place between two placements, least and most
LAMP_EVERY, HAND_EVERY, CAMERA_EVERY = 5, 5, 8
JPEG_QUALITY = 95


@dataclass(frozen=True, slots=True)
class Stand:
    """A piece and where it stands.  ``number`` tells pieces that look alike apart, from 1;
    ``spots``: as in ``vision.labels.LabelledPiece``; ``pips``: what a die shows."""

    kind: str
    colour: str | None
    number: int
    spots: tuple[str, ...] = ()
    pips: int | None = None

    @property
    def piece(self) -> tuple[str, str | None, int]:
        """Which piece it is, wherever it stands."""
        return self.kind, self.colour, self.number


@dataclass(frozen=True, slots=True)
class Shot:
    """One picture to take, number 1 first.  ``lamp_off``: the lamp is out; ``hand_over``: the spot
    that a hand is held over; ``camera_moved``: it stands elsewhere than before."""

    number: int
    stands: tuple[Stand, ...]
    lamp_off: bool = False
    hand_over: str | None = None
    camera_moved: bool = False


@dataclass(frozen=True, slots=True)
class Step:
    """Put a piece from ``origin`` (empty: it was not on the board) to where it stands now."""

    stand: Stand
    origin: tuple[str, ...]


def plan_shots(
    board: Board, seed: int, count: int = COUNT, *, camera_moves: bool = True
) -> tuple[Shot, ...]:
    """``count`` placements of the board's inventory, the same ones for the same seed.

    Every look is on the board in every picture, so that each can teach any other.  All pieces stand
    alone on their cells.  ``camera_moves``: False where the board's corners were given by hand.
    Raises BoardwardenError when the board has no pieces or too few cells for them.
    """
    rng = random.Random(f"{seed}")
    stands = _set_up(board, rng)
    turns = _turns(stands, rng)
    shots: list[Shot] = []
    for number in range(1, count + 1):
        hand = number % HAND_EVERY == 0
        if number > 1 and not hand:  # the hand comes over what has just been photographed
            stands = _moved(board, stands, turns, rng)
        on_cells = [s.spots[0] for s in stands if track_value(s.spots[0]) is None]
        shots.append(
            Shot(
                number,
                tuple(stands),
                lamp_off=number % LAMP_EVERY == 3,
                hand_over=rng.choice(on_cells) if hand else None,
                camera_moved=camera_moves and number % CAMERA_EVERY == 6,
            )
        )
    return tuple(shots)


def steps_between(before: Shot | None, shot: Shot) -> tuple[Step, ...]:
    """What changes on the table; ``before`` None: everything is put up."""
    old = {} if before is None else {s.piece: s for s in before.stands}
    steps = []
    for stand in shot.stands:
        was = old.get(stand.piece)
        if was != stand:
            steps.append(Step(stand, was.spots if was is not None else ()))
    return tuple(steps)


def _set_up(board: Board, rng: random.Random) -> list[Stand]:
    stands: list[Stand] = []
    for piece in _pieces(board):
        stands.append(_put(board, piece, stands, rng))
    if not stands:
        raise BoardwardenError(
            f"the board file {shown(board.name)} lists no pieces that stand on cells: give it an"
            ' "inventory"'
        )
    return stands


def _pieces(board: Board) -> Iterator[Stand]:
    """Large ones first.  Left out: chips, which look like each other from above, and pieces that
    stand on no cell, such as score markers."""
    items = [i for i in board.inventory if i.item is None and i.kind != "score_marker"]
    items.sort(key=lambda i: (i.kind != "castle", shape_of(i.kind, board) != "l_wall"))
    for item in items:
        for n in range(min(item.count, MOST_ALIKE)):
            yield Stand(item.kind, item.colour, n + 1, pips=1 if item.kind == "die" else None)


def _put(board: Board, piece: Stand, others: list[Stand], rng: random.Random) -> Stand:
    """The piece on a free place."""
    taken = {s for other in others for s in other.spots}
    places = [p for p in _places(board, piece) if not taken.intersection(p)]
    if not places:
        raise BoardwardenError(
            f"the board {shown(board.name)} has too few cells for its pieces: check the counts in"
            ' its "inventory"'
        )
    pips = rng.randint(1, 6) if piece.kind == "die" else None
    return replace(piece, spots=rng.choice(places), pips=pips)


def _places(board: Board, piece: Stand) -> list[tuple[str, ...]]:
    if shape_of(piece.kind, board) == "l_wall":
        return list(possible_footprints(board))
    if piece.kind == "energy_stone" and board.track:
        return [(track_spot(v),) for v in board.track]
    castles = board.raw.get("castle_places") or {}
    gates = max(castles.values(), key=len) if castles else []
    if piece.kind == "castle":
        return [(str(c),) for c in gates]
    return [(c,) for c in board.cells if c not in gates]


def _turns(stands: list[Stand], rng: random.Random) -> Iterator[int]:
    """Which piece moves next: all in turn, each round in another order; castles stay."""
    movable = [i for i, s in enumerate(stands) if s.kind != "castle"] or list(range(len(stands)))
    while True:
        yield from rng.sample(movable, len(movable))


def _moved(
    board: Board, stands: list[Stand], turns: Iterator[int], rng: random.Random
) -> list[Stand]:
    out = list(stands)
    for i in {next(turns) for _ in range(rng.randint(*MOVED))}:
        out[i] = _put(board, out[i], out, rng)
    return out


class Collection:
    """The folder.  Every picture is on disk together with its labels before the next one is asked
    for; none is ever written over."""

    def __init__(self, folder: Path, board: Board, raw: dict[str, Any]) -> None:
        self.folder, self.board = folder, board
        self._raw = raw

    @property
    def seed(self) -> int:
        """Which placements."""
        return int(self._raw["collect"]["seed"])

    @property
    def count(self) -> int:
        """How many there are to be."""
        return int(self._raw["collect"]["count"])

    @property
    def taken(self) -> frozenset[int]:
        """Numbers of the shots that are in the folder."""
        return frozenset(int(row["shot"]) for row in self._raw["images"])

    def frames_used(self, source: str) -> int:
        """How many frames of a film or folder of this name have been used up."""
        used = [int(r.get("frame", 0)) for r in self._raw["images"] if r.get("source") == source]
        return max(used, default=-1) + 1

    def add(
        self, shot: Shot, image: Image, pose: BoardPose, source: tuple[str, int] | None = None
    ) -> Path:
        """Writes the picture and its labels; ``source``: name and number of a film's frame.

        Raises BoardwardenError when the disk refuses.
        """
        if shot.number in self.taken:
            raise ValueError(f"shot {shot.number} is in the folder already")
        try:
            path = _write_new(self.folder, f"{shot.number:02d}", image)
            row = label_row(path.name, shot, image, pose, self.board)
            if source is not None:
                row |= {"source": source[0], "frame": source[1]}
            self._raw["images"].append(row)
            _replace(self.folder / LABELS, self._raw)
        except OSError as error:
            raise _refused(self.folder, error) from error
        return path


def open_collection(
    folder: Path,
    board: Board,
    reference: Reference | None = None,
    *,
    seed: int | None = None,
    count: int | None = None,
) -> Collection:
    """A new folder, or one to go on with.  ``seed``, ``count``: None for those of the folder, or the
    usual ones.  ``reference`` is kept beside the board file.

    Raises BoardwardenError when the folder was begun with another board, seed or count, holds
    something else, or cannot be written.
    """
    profile = make_profile(dict(board.raw), None if reference is None else reference.image)
    files = profile.files(BOARD)
    try:
        if os.path.exists(folder / LABELS):
            return Collection(folder, board, _read_begun(folder, board, seed, count))
        folder.mkdir(parents=True, exist_ok=True)
        if any(not p.name.startswith(".") for p in folder.iterdir()):
            raise BoardwardenError(
                f"the folder {shown(folder)} holds other files: name a new or an empty one"
            )
        raw = {
            "about": "collected with boardwarden collect",
            "board": f"{BOARD}.json",
            "collect": {"seed": seed or 0, "count": COUNT if count is None else count},
            "images": [],
        }
        for name, data in files.items():
            (folder / name).write_bytes(data)
        _replace(folder / LABELS, raw)
    except OSError as error:
        raise _refused(folder, error) from error
    return Collection(folder, board, raw)


def label_row(name: str, shot: Shot, image: Image, pose: BoardPose, board: Board) -> dict[str, Any]:
    """One row of ``images``.  ``visible`` is reckoned from where the pieces stand.  With a hand in view
    nobody knows it: all pieces are labelled as hidden, which asks for nothing but the hand."""
    size = (image.shape[1], image.shape[0])
    shares = visible_shares([(s.kind, s.spots) for s in shot.stands], pose, board, size)
    seen = [round(v, 2) if shot.hand_over is None else "hidden" for v in shares]
    return {
        "image": name,
        "size": list(size),
        "corners_px": [[round(float(v), 2) for v in p] for p in pose.corners_px],
        "hand": shot.hand_over is not None,
        "light": "lamp off" if shot.lamp_off else "lamp on",
        "shot": shot.number,
        "pieces": [
            _piece_row(s, pose, board) | {"visible": v}
            for s, v in zip(shot.stands, seen, strict=True)
        ],
    }


def _piece_row(stand: Stand, pose: BoardPose, board: Board) -> dict[str, Any]:
    at_mm = np.mean([board.centres[s] for s in stand.spots], axis=0)
    foot = pose.to_image(at_mm[None])[0]
    row: dict[str, Any] = {"kind": stand.kind, "colour": stand.colour}
    mark = track_value(stand.spots[0])
    if mark is not None:
        row["track"] = mark
    else:
        row["cell"] = stand.spots[0] if len(stand.spots) == 1 else list(stand.spots)
    row["at_mm"] = [round(float(v), 1) for v in at_mm]
    row["foot_px"] = [round(float(v), 2) for v in foot]
    if stand.pips is not None:
        row["pips"] = stand.pips
    return row


def _read_begun(folder: Path, board: Board, seed: int | None, count: int | None) -> dict[str, Any]:
    raw = read_json(folder / LABELS, "the labels")
    try:
        begun = {key: int(raw["collect"][key]) for key in ("seed", "count")}
        numbers = [(int(row["shot"]), int(row.get("frame", 0))) for row in raw["images"]]
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BoardwardenError(
            f"the labels in {shown(folder)} are not those of boardwarden collect: name another folder"
        ) from error
    if len({n for n, _ in numbers}) < len(numbers):
        raise BoardwardenError(
            f"the labels in {shown(folder)} name a placement twice: name another folder"
        )
    for key, wanted in (("seed", seed), ("count", count)):
        if wanted is not None and wanted != begun[key]:
            raise BoardwardenError(
                f"the folder {shown(folder)} was begun with --{key} {begun[key]}: leave --{key} out,"
                " or name another folder"
            )
    there = read_json(folder / f"{BOARD}.json", "the board file")
    if not isinstance(there, Mapping) or _bare(there) != _bare(board.raw):
        raise BoardwardenError(
            f"the folder {shown(folder)} was begun with another board: name a new folder"
        )
    return dict(raw)


def _bare(raw: Mapping[str, Any]) -> Any:
    return json.loads(json.dumps({k: v for k, v in raw.items() if k != "reference"}))


def _write_new(folder: Path, stem: str, image: Image) -> Path:
    """Under the stem, or with a number behind it where that name is taken (a picture without labels,
    from a run that was cut off)."""
    ok, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    if not ok:
        raise BoardwardenError("the picture cannot be written as JPEG: take it again")
    for n in range(1, 1000):
        path = folder / (f"{stem}.jpg" if n == 1 else f"{stem}-{n}.jpg")
        try:
            with open(path, "xb") as file:
                file.write(np.asarray(data).tobytes())
        except FileExistsError:
            continue
        except OSError:  # a full disk leaves half a picture
            with contextlib.suppress(OSError):
                path.unlink()
            raise
        return path
    raise BoardwardenError(f"the folder {shown(folder)} is full of pictures {stem}: name another")


def _replace(path: Path, raw: Mapping[str, Any]) -> None:
    """A crash leaves the old file or the new one."""
    write_whole(path, (json.dumps(raw, ensure_ascii=False, indent=1) + "\n").encode())


def _refused(folder: Path, error: OSError) -> BoardwardenError:
    return BoardwardenError(f"cannot write into {shown(folder)}: {write_reason(error)}")
