"""A board to print: its face with corner markers, and the board file that fits the print."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from calibration.sheets.document import Sheet, Words
from calibration.sheets.face import draw_face
from calibration.sheets.paper import Paper
from calibration.sheets.pen import Pen
from engine.board import Board, load_board
from engine.errors import BoardwardenError
from vision.registration.marker_search import DEFAULT_DICTIONARY, dictionary_named

MARKER_MM = (30.0, 26.0, 23.0, 20.0, 18.0, 16.0, 14.0, 12.0, 10.0)  # tried in this order
QUIET = 1 / 7  # of a marker's side: the white around it, one module
RIM_MM = 1.0  # beside the quiet zone
SEARCH, STEP_MM = 0.3, 2.0  # so far from its corner, of the face's shorter side, and so finely


def printed_board(board: Board, paper: Paper | None = None) -> Board:
    """The board as it is printed: with ``markers`` near its corners, and, where a ``paper`` is
    given, made smaller so that it fits on one sheet of that.

    Raises BoardwardenError when fewer than two find a place.
    """
    raw = dict(board.raw)
    raw.pop("reference", None)
    if paper is not None:
        raw = _scaled(raw, _fitting(board.size_mm, paper))
    smaller = load_board(raw)
    raw["markers"] = _markers(smaller)
    return load_board(raw)


def board_sheet(board: Board) -> Sheet:
    """The face of a board as a sheet; ``board`` as `printed_board` gives it."""

    def draw(pen: Pen, _: Words) -> None:
        draw_face(pen, board)
        markers = board.raw.get("markers")
        if isinstance(markers, Mapping):
            draw_markers(pen, markers)

    title = f"sheet.board_{board.game}" if board.game in TITLES else "sheet.board"
    return Sheet(title, board.size_mm, draw, cut=True)


TITLES = ("magalon", "hexagon", "grailnah")


def draw_markers(pen: Pen, markers: Mapping[str, Any]) -> None:
    """The markers of a board file, whose places are centres, each on its white field."""
    book = dictionary_named(str(markers["dictionary"]))
    side = float(markers["side_mm"])
    for ident, (x, y) in markers["corners"].items():
        half, quiet = side / 2, side / 2 + side * QUIET
        pen.box(x - quiet, y - quiet, x + quiet, y + quiet, fill="#ffffff")
        pen.marker(book, int(ident), (x - half, y - half), side)


def _markers(board: Board) -> dict[str, Any]:
    """The largest markers that find a free place near each corner, or near two of them."""
    best: dict[str, Any] = {}
    for side in MARKER_MM:
        free = {
            str(i): [round(v, 2) for v in place]
            for i in range(4)
            if (place := _free_place(board, side, i)) is not None
        }
        if len(free) > len(best.get("corners", {})):
            best = {"dictionary": DEFAULT_DICTIONARY, "side_mm": side, "corners": free}
        if len(free) == 4:
            break
    if len(best.get("corners", {})) < 2:
        raise BoardwardenError(
            "this board is covered with cells up to its corners, so that no markers fit: print"
            " corner labels and lay them beside it"
        )
    return best


def _free_place(board: Board, side: float, corner: int) -> tuple[float, float] | None:
    """The marker's centre nearest to a corner (0 to 3, clockwise) where it covers no print."""
    half = side * (0.5 + QUIET) + RIM_MM
    spots = [*board.spots.values(), *scale_marks(board.raw).values()]
    low = np.array([np.min(polygon, axis=0) for polygon in spots])
    high = np.array([np.max(polygon, axis=0) for polygon in spots])
    reach = SEARCH * min(board.size_mm)
    steps = [i * STEP_MM for i in range(int(reach / STEP_MM) + 1)]
    for dx, dy in sorted(((x, y) for x in steps for y in steps), key=lambda s: s[0] + s[1]):
        x = half + dx if corner in (0, 3) else board.size_mm[0] - half - dx
        y = half + dy if corner in (0, 1) else board.size_mm[1] - half - dy
        box = (x - half, y - half, x + half, y + half)
        near = np.flatnonzero(
            (low < (x + half, y + half)).all(axis=1) & (high > (x - half, y - half)).all(axis=1)
        )
        if not any(_meets(spots[i], box) for i in near):
            return x, y
    return None


def scale_marks(raw: Mapping[str, Any]) -> dict[tuple[str, int], list[tuple[float, float]]]:
    """Marks of the scores that a hexagonal board bears, by colour and value."""
    scales = raw.get("score_scale")
    if not isinstance(scales, Mapping):
        return {}
    return {
        (colour, int(mark["value"])): [(float(x), float(y)) for x, y in mark["polygon_mm"]]
        for colour, marks in scales.items()
        for mark in marks
    }


def _meets(polygon: Any, box: tuple[float, float, float, float]) -> bool:
    """Whether a convex polygon and a box may overlap: no side of the polygon or the box parts them."""
    corners = [(box[0], box[1]), (box[2], box[1]), (box[2], box[3]), (box[0], box[3])]
    points = [(float(x), float(y)) for x, y in polygon]
    for ring in (corners, points):
        for (ax, ay), (bx, by) in zip(ring, [*ring[1:], ring[0]], strict=True):
            nx, ny = by - ay, ax - bx
            one = [nx * x + ny * y for x, y in corners]
            two = [nx * x + ny * y for x, y in points]
            if max(one) <= min(two) + 1e-6 or max(two) <= min(one) + 1e-6:
                return False
    return True


def _fitting(size_mm: tuple[float, float], paper: Paper) -> float:
    return max(
        min(1.0, *(r / s for r, s in zip(p.room_mm, size_mm, strict=True)))
        for p in (paper, paper.landscape)
    )


def _scaled(raw: Mapping[str, Any], factor: float) -> dict[str, Any]:
    """A board file made smaller: the face, not the pieces."""

    def smaller(value: Any, key: str = "") -> Any:
        if isinstance(value, dict):
            return {k: v if k == "pieces_mm" else smaller(v, k) for k, v in value.items()}
        if key in ("polygon_mm", "size_mm"):
            return [
                [round(v * factor, 3) for v in p] if isinstance(p, (list, tuple)) else round(p * factor, 3)
                for p in value
            ]  # fmt: skip
        if isinstance(value, (list, tuple)):
            return [smaller(v, key) for v in value]
        return value

    return dict(smaller(dict(raw)))
