"""Labelled pictures: ``labels.json`` with the truth of what stands where."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.errors import BoardwardenError
from engine.files import read_json, shown
from engine.placement import Placement, track_spot
from vision.shapes import shape_of


@dataclass(frozen=True, slots=True)
class LabelledPiece:
    """One true piece.  ``spots``: cell ids, ``track/9``, or empty off the cells.

    ``foot_px`` or ``at_mm`` may be unknown; ``visible`` is the fraction seen, 0 to 1.
    """

    kind: str
    colour: str | None
    spots: tuple[str, ...]
    foot_px: tuple[float, float] | None = None
    at_mm: tuple[float, float] | None = None
    visible: float = 1.0
    pips: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class LabelledPicture:
    """One picture with its truth; ``corners_px`` (4, 2) or None."""

    path: Path
    corners_px: NDArray[np.float64] | None
    pieces: tuple[LabelledPiece, ...]
    hand: bool = False
    raw: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class LabelledFolder:
    """All pictures of a ``labels.json``; ``board``: path of the board file, if named."""

    path: Path
    board: Path | None
    pictures: tuple[LabelledPicture, ...]

    def picture(self, name: str | None) -> LabelledPicture:
        """The picture of that file name, the first one for None."""
        for picture in self.pictures:
            if name is None or picture.path.name == name:
                return picture
        if name is None or not self.pictures:
            raise BoardwardenError(
                f"the labels {shown(self.path)} have no picture: label one first"
            )
        known = ", ".join(p.path.name for p in self.pictures)
        raise BoardwardenError(
            f"the labels {shown(self.path)} have no picture {shown(name)}; they have {shown(known)}"
        )


def labels_of(placement: Placement) -> tuple[LabelledPiece, ...]:
    """A known placement as labels; pieces off the board are left out.

    What stands in a shelter is hidden by it, or can hardly be told from its walls and from what else
    stands there: nothing is to be learnt from it.
    """
    return tuple(
        LabelledPiece(
            info.kind, info.colour, spots,
            visible=0.0 if _in_shelter(info.kind, spots, placement) else 1.0,
        )
        for info, spots in placement
        if spots
    )  # fmt: skip


def _in_shelter(kind: str, spots: tuple[str, ...], placement: Placement) -> bool:
    return set(spots) <= placement.shelters and shape_of(kind) != "castle"


def load_labels(path: Path) -> LabelledFolder:
    """Reads a labels file; raises BoardwardenError with one sentence when it cannot."""
    raw = read_json(path, "the labels")
    if not isinstance(raw, Mapping) or not isinstance(raw.get("images"), list):
        raise BoardwardenError(f'{shown(path)} is not a labels file: it needs a list "images"')
    pictures = []
    for number, row in enumerate(raw["images"], 1):
        try:
            pictures.append(_picture(path.parent, row))
        except (ValueError, KeyError, TypeError, AttributeError, IndexError) as error:
            raise BoardwardenError(
                f"{shown(path)} is not a labels file: picture number {number} is damaged"
                f" ({shown(error)})"
            ) from error
    board = raw.get("board")
    if board is not None and not isinstance(board, str):
        raise BoardwardenError(f'{shown(path)} is not a labels file: "board" must be a path')
    return LabelledFolder(path, path.parent / board if board else None, tuple(pictures))


def parse_enrol(text: str) -> LabelledPicture:
    """``LABELS.json`` or ``LABELS.json#IMAGE`` to the picture it names."""
    file, _, name = text.partition("#")
    return load_labels(Path(file)).picture(name or None)


def _picture(folder: Path, row: Mapping[str, Any]) -> LabelledPicture:
    corners = row.get("corners_px")
    pieces = tuple(_piece(p) for p in row.get("pieces", ()))
    array = None if corners is None else np.asarray(corners, np.float64).reshape(4, 2)
    if array is not None and not np.isfinite(array).all():
        raise ValueError("corners_px must be finite numbers")
    return LabelledPicture(folder / row["image"], array, pieces, bool(row.get("hand")), row)


def _piece(raw: Mapping[str, Any]) -> LabelledPiece:
    cell, track = raw.get("cell"), raw.get("track")
    if track is not None:
        spots: tuple[str, ...] = (track_spot(int(track)),)
    elif isinstance(cell, list):
        spots = tuple(str(c) for c in cell)
    else:
        spots = (str(cell),) if cell else ()
    visible = raw.get("visible", 1.0)
    share = (
        {"hidden": 0.0, "partly": 0.5}.get(visible, 1.0)
        if isinstance(visible, str)
        else float(visible)
    )
    return LabelledPiece(
        str(raw["kind"]), raw.get("colour"), spots, _pair(raw.get("foot_px")), _pair(raw.get("at_mm")),
        share, raw.get("pips"),
    )  # fmt: skip


def _pair(value: Any) -> tuple[float, float] | None:
    return None if value is None else (float(value[0]), float(value[1]))
