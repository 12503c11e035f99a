"""Figures of registration on labelled pictures.

python -m vision.registration.measure FOLDER [--board BOARD.json] [--reference PICTURE]
    [--without FOLDER...] [--way reference|snap|corners]
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.board import Board, load_board
from engine.errors import BoardwardenError
from vision.reference import Reference
from vision.registration.find import find_board
from vision.registration.planar import apply
from vision.registration.pose import homography_from_corners
from vision.sources.pictures import SUFFIXES, read_picture
from vision.types import Image

WRONG_CELLS = 0.5
TAP_ERROR_PX = 8.0


def evaluate_registration(
    folder: str | Path,
    *,
    board: Board | None = None,
    reference: Reference | None = None,
    without: tuple[str | Path, ...] = (),
    way: str = "reference",
) -> dict[str, Any]:
    """Looks for the board in every labelled picture of ``folder`` and compares with the labels.

    ``board`` and ``reference`` default to what ``labels.json`` names.  ``way``: "reference", or
    "snap" (the true corners, moved by a fixed random tap error, refined).  ``without``: folders of
    pictures in which the board is not.  Returns counts, worst and mean errors (px; fraction of a
    cell), times (s), and ``pictures`` with the figures of each.
    """
    folder = Path(folder)
    labels = _labels(folder)
    board = board or _board_of(folder, labels)
    if reference is None and labels.get("reference"):
        reference = Reference.load(folder / labels["reference"], board.size_mm)
    rng = np.random.default_rng(1)
    pictures = []
    for entry in labels["images"]:
        image = read_picture(folder / entry["image"])
        truth = np.array(entry["corners_px"], np.float64)
        tapped = truth + rng.normal(0, TAP_ERROR_PX, truth.shape) if way == "snap" else None
        pictures.append(_measure(entry["image"], image, board, reference, truth, tapped))
    false = [
        str(path) for other in without for path in _pictures(Path(other))
        if _is_found(read_picture(path), board, reference)
    ]  # fmt: skip
    return _summary(pictures) | {"false": false, "pictures": pictures}


def _measure(
    name: str,
    image: Image,
    board: Board,
    reference: Reference | None,
    truth: NDArray[np.float64],
    tapped: NDArray[np.float64] | None,
) -> dict[str, Any]:
    start = time.perf_counter()
    try:
        pose = find_board(
            image, board, reference=reference, corners=tapped, snap=tapped is not None
        )
    except BoardwardenError as error:
        return {"picture": name, "found": False, "why": str(error)}
    seconds = time.perf_counter() - start
    cells = cell_error(truth, pose.homography, board)
    corner = np.linalg.norm(pose.corners_px - truth, axis=1)
    return {
        "picture": name, "found": True, "how": pose.how, "residual_px": pose.residual_px,
        "corner_px": float(corner.max()), "cell": cells, "seconds": seconds,
        "wrong": cells > WRONG_CELLS,
    }  # fmt: skip


def cell_error(truth: NDArray[np.float64], homography: NDArray[np.float64], board: Board) -> float:
    """Mean distance at the cells' centres, measured on the face, as a fraction of a cell."""
    centres = np.array([board.centres[c] for c in board.cells], np.float64)
    seen = apply(homography_from_corners(truth, board.size_mm), centres)
    back = apply(np.linalg.inv(homography), seen)
    return float(np.linalg.norm(back - centres, axis=1).mean() / board.cell_size_mm)


def _is_found(image: Image, board: Board, reference: Reference | None) -> bool:
    try:
        find_board(image, board, reference=reference)
    except BoardwardenError:
        return False
    return True


def _summary(pictures: list[dict[str, Any]]) -> dict[str, Any]:
    found = [p for p in pictures if p["found"]]
    figures: dict[str, Any] = {
        "count": len(pictures),
        "found": len(found),
        "wrong": sum(p["wrong"] for p in found),
    }
    for key in ("corner_px", "cell", "seconds"):
        values = [p[key] for p in found]
        figures[f"{key}_mean"] = float(np.mean(values)) if values else None
        figures[f"{key}_max"] = float(np.max(values)) if values else None
    return figures


def _labels(folder: Path) -> dict[str, Any]:
    path = folder / "labels.json"
    try:
        return dict(json.loads(path.read_text("utf-8")))
    except (OSError, ValueError, TypeError) as error:
        raise BoardwardenError(f"cannot read the labels {path}: {error}") from error


def _board_of(folder: Path, labels: dict[str, Any]) -> Board:
    if "board" not in labels:
        raise BoardwardenError(f"{folder}/labels.json names no board: give --board")
    return load_board(folder / labels["board"])


def _pictures(folder: Path) -> list[Path]:
    return sorted(p for p in folder.iterdir() if p.suffix.lower() in SUFFIXES)


def main() -> None:
    """Prints one line per picture and a summary."""
    parser = argparse.ArgumentParser(description="figures of registration on labelled pictures")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--board")
    parser.add_argument("--reference")
    parser.add_argument("--without", nargs="*", default=[])
    parser.add_argument("--way", choices=("reference", "snap"), default="reference")
    options = parser.parse_args()
    board = load_board(options.board or options.folder / _labels(options.folder)["board"])
    reference = Reference.load(options.reference, board.size_mm) if options.reference else None
    figures = evaluate_registration(
        options.folder, board=board, reference=reference,
        without=tuple(options.without), way=options.way,
    )  # fmt: skip
    for picture in figures.pop("pictures"):
        print(json.dumps(picture))
    print(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
