"""Checks the form of a board file before anything is built of it: every part named in its place.

Only what all games share is checked here; what a game needs besides is checked by its room.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from engine.errors import BoardFileError
from engine.geometry import area

MIN_FACE_MM, MAX_FACE_MM = 1.0, 5000.0
MAX_CELLS = 5000
FAR_OUT = 10  # a point so many faces away is a slip
MAX_CORNERS, MAX_ALL_CORNERS = 200, 20_000  # of one cell, of all
MAX_NAME = 60
MAX_COUNT = 500
MAX_TRACK = 1000
MAX_PIECE_MM = 500.0
# A cell below this share of the face is a slip of the file, not a cell.
LEAST_SHARE = 1e-7


class _Wrong(Exception):
    """What is wrong with one part."""


def check_form(raw: Mapping[str, Any], where: str) -> None:
    """Raises BoardFileError with one sentence if a part of the board file has a wrong form."""
    try:
        size = _size(raw)
        _cells(raw, size)
        _inventory(raw.get("inventory", ()))
        _pieces(raw.get("pieces_mm", {}))
        _ruins(raw)
        _reference(raw.get("reference"))
    except _Wrong as wrong:
        raise BoardFileError(f"{where} is incomplete: {wrong}") from None
    try:
        _track(raw.get("energy_track", ()), size)
    except _Wrong as wrong:
        raise BoardFileError(f"{where}: the energy track is damaged ({wrong})") from None


def _size(raw: Mapping[str, Any]) -> tuple[float, float]:
    size = raw.get("size_mm")
    if not isinstance(size, (list, tuple)) or len(size) != 2 or not all(map(_is_number, size)):
        raise _Wrong("size_mm must be [width, height] in millimetres")
    if not all(MIN_FACE_MM <= side <= MAX_FACE_MM for side in size):
        raise _Wrong(f"size_mm must be between {MIN_FACE_MM:g} and {MAX_FACE_MM:g}")
    return float(size[0]), float(size[1])


def _cells(raw: Mapping[str, Any], size: tuple[float, float]) -> None:
    cells = _list(raw.get("cells"), "cells")
    if len(cells) > MAX_CELLS:
        raise _Wrong(f"it has {len(cells)} cells; at most {MAX_CELLS} can be used")
    corners = 0
    for number, cell in enumerate(cells, 1):
        if not isinstance(cell, Mapping):
            raise _Wrong(f"cell number {number} must be an object")
        ident = cell.get("id")
        if not _is_name(ident):
            raise _Wrong(f"cell number {number} needs a short text as its id")
        _polygon(cell.get("polygon_mm"), f"cell {ident}", size)
        corners += len(cell["polygon_mm"])
        if corners > MAX_ALL_CORNERS:
            raise _Wrong(f"its cells have too many corners; {MAX_ALL_CORNERS} in all can be used")
        _names(cell.get("neighbours", ()), f"cell {ident}: neighbours")
        _names(cell.get("roles", ()), f"cell {ident}: roles")


def _polygon(value: Any, whose: str, size: tuple[float, float]) -> None:
    if not isinstance(value, (list, tuple)):
        raise _Wrong(f"{whose} has no polygon_mm, a list of points [x, y]")
    if not 3 <= len(value) <= MAX_CORNERS or not all(map(_is_point, value)):
        raise _Wrong(
            f"{whose} needs a polygon of three or more finite points [x, y], {MAX_CORNERS} at most"
        )
    if any(not abs(v) <= FAR_OUT * span for p in value for v, span in zip(p, size, strict=True)):
        raise _Wrong(f"{whose} lies far outside the board")
    if area(tuple((float(x), float(y)) for x, y in value)) < LEAST_SHARE * size[0] * size[1]:
        raise _Wrong(f"{whose} has no area: its corners lie on one line")


def _inventory(value: Any) -> None:
    for number, item in enumerate(_list(value, "inventory"), 1):
        whose = f"entry {number} of the inventory"
        if not isinstance(item, Mapping) or not _is_name(item.get("kind")):
            raise _Wrong(f"{whose} needs a kind")
        for key in ("colour", "item"):
            if item.get(key) is not None and not _is_name(item[key]):
                raise _Wrong(f"{whose}: its {key} must be a short text")
        count: Any = item.get("count")
        if not _is_whole(count) or not 0 <= count <= MAX_COUNT:
            raise _Wrong(f"{whose} needs a count from 0 to {MAX_COUNT}")


def _pieces(value: Any) -> None:
    for kind, piece in _object(value, "pieces_mm").items():
        measures = _object(piece, f"pieces_mm/{kind}")
        base = measures.get("base", 1)
        for length in (
            *(base if isinstance(base, (list, tuple)) else (base,)),
            measures.get("height", 1),
        ):
            if not _is_number(length) or not 0 < length <= MAX_PIECE_MM:
                raise _Wrong(f"pieces_mm/{kind}: sizes must be from 0 to {MAX_PIECE_MM:g} mm")
        if isinstance(base, (list, tuple)) and len(base) != 2:
            raise _Wrong(f"pieces_mm/{kind}: base must be a number or two")
        if not isinstance(measures.get("shape", ""), str):
            raise _Wrong(f"pieces_mm/{kind}: shape must be a text")


def _ruins(raw: Mapping[str, Any]) -> None:
    known = {cell["id"] for cell in raw["cells"]}
    for number, cells in enumerate(_list(raw.get("ruin_start", ()), "ruin_start"), 1):
        _names(cells, f"ruin_start, entry {number}")
        for cell in cells:
            if cell not in known:
                raise _Wrong(f"ruin_start, entry {number}: there is no cell {cell}")


def _reference(value: Any) -> None:
    if value is None or isinstance(value, str):
        return
    picture = _object(value, "reference")
    if not isinstance(picture.get("picture"), str):
        raise _Wrong("reference must name a picture")
    corners = picture.get("corners_px")
    if corners is None:
        return
    if (
        not isinstance(corners, (list, tuple))
        or len(corners) != 4
        or not all(map(_is_point, corners))
    ):
        raise _Wrong("reference: corners_px must be four points [x, y]")


def _track(value: Any, size: tuple[float, float]) -> None:
    for number, mark in enumerate(_list(value, "it"), 1):
        if not isinstance(mark, Mapping):
            raise _Wrong(f"mark number {number} must be an object")
        worth: Any = mark.get("value")
        if not _is_whole(worth) or not -MAX_TRACK <= worth <= MAX_TRACK:
            raise _Wrong(f"mark number {number} needs a whole number as its value")
        _polygon(mark.get("polygon_mm"), f"mark {int(worth)}", size)
    marks = [int(mark["value"]) for mark in value]
    for worth in marks:
        if marks.count(worth) > 1:
            raise _Wrong(f"mark {worth} is there twice: leave one of them out")
    gap = next(
        (v for v in range(min(marks, default=0), max(marks, default=0)) if v not in marks), None
    )
    if gap is not None:
        raise _Wrong(f"mark {gap} is missing: give its place too")


def _list(value: Any, what: str) -> list[Any] | tuple[Any, ...]:
    if not isinstance(value, (list, tuple)):
        raise _Wrong(f"{what} must be a list")
    return value


def _object(value: Any, what: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise _Wrong(f"{what} must be an object")
    return value


def _names(value: Any, what: str) -> None:
    if not isinstance(value, (list, tuple)) or not all(map(_is_name, value)):
        raise _Wrong(f"{what} must be a list of names")


def _is_name(value: Any) -> bool:
    return isinstance(value, str) and 0 < len(value) <= MAX_NAME and value.isprintable()


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and _finite(value)


def _is_whole(value: Any) -> bool:
    return _is_number(value) and bool(value == int(value))


def _finite(value: float) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:  # an integer beyond every float
        return False


def _is_point(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and len(value) == 2 and all(map(_is_number, value))
