"""A sheet to print becomes a PDF in true size, over as many pages as it takes."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from calibration.sheets.paper import FOOT_MM, MARGIN_MM, STRIP_MM, Paper, Tile, Tiling, tile
from calibration.sheets.pen import MM, Pen
from engine.errors import BoardwardenError

HAIR_MM, MARK_MM = 0.15, 6.0
BAR_MM = 100.0
GREY, CUT, GLUE = "#8a8a8a", "#000000", "#d0d0d0"

# A text by its key, with what stands in it: the app's catalogue (`companion_app.texts.t`).
Words = Callable[..., str]


@dataclass(frozen=True)
class Sheet:
    """``title``: the key of its name; ``draw``: draws it with (0, 0) at its upper left corner;
    ``cut``: it is cut out along its edge."""

    title: str
    size_mm: tuple[float, float]
    draw: Callable[[Pen, Words], None]
    cut: bool = False


def write_pdf(sheets: list[Sheet], paper: Paper, words: Words) -> bytes:
    """The PDF of some sheets, each tiled over as many pages of ``paper`` as it needs.

    Raises BoardwardenError when the library that writes PDF is not installed.
    """
    try:
        from reportlab.pdfgen.canvas import Canvas
    except ImportError as error:
        raise BoardwardenError(
            "sheets cannot be written on this device: run boardwarden print on a computer, after"
            " pip install reportlab"
        ) from error
    stream = io.BytesIO()
    # the same input gives the same file
    canvas = Canvas(stream, invariant=1, pageCompression=1)
    canvas.setTitle("Boardwarden")
    for sheet in sheets:
        tiling = tile(sheet.size_mm, paper)
        for part in tiling.tiles:
            _page(canvas, sheet, tiling, part, words)
    canvas.save()
    return stream.getvalue()


def _page(canvas: Any, sheet: Sheet, tiling: Tiling, part: Tile, words: Words) -> None:
    paper = tiling.paper
    canvas.setPageSize((paper.width_mm * MM, paper.height_mm * MM))
    left, top, right, low = part.printed_mm
    spare = paper.room_mm[0] - (right - left)
    pen = Pen(canvas, paper.height_mm, (MARGIN_MM + spare / 2 - left, MARGIN_MM - top))
    pen.clip(left, top, right, low)
    sheet.draw(pen, words)
    _strips(pen, part, words)
    pen.unclip()
    if sheet.cut or len(tiling.tiles) > 1:
        _cut_marks(pen, part)
    _foot(Pen(canvas, paper.height_mm), sheet, tiling, part, words)
    canvas.showPage()


def _strips(pen: Pen, part: Tile, words: Words) -> None:
    """The strips on which the next sheets are glued, hatched so that nobody cuts them off."""
    left, top, right, low = part.box_mm
    end_x, end_y = part.printed_mm[2], part.printed_mm[3]
    if part.strip_right:
        pen.box(right, top, end_x, end_y, fill="#ffffff")
        _hatch(pen, (right, top, end_x, end_y))
        pen.line([(right, top), (right, end_y)], CUT, HAIR_MM, dashed=True)
        pen.fitted(
            (right + STRIP_MM / 2, (top + low) / 2), words("sheet.glue", name=_name(part.row, part.column + 1)),
            3.2, low - top - 4, anchor="middle", upwards=True,
        )  # fmt: skip
    if part.strip_below:
        pen.box(left, low, right, end_y, fill="#ffffff")
        _hatch(pen, (left, low, right, end_y))
        pen.line([(left, low), (end_x, low)], CUT, HAIR_MM, dashed=True)
        pen.fitted(
            ((left + right) / 2, low + STRIP_MM / 2), words("sheet.glue", name=_name(part.row + 1, part.column)),
            3.2, right - left - 4, anchor="middle",
        )  # fmt: skip


def _hatch(pen: Pen, box: tuple[float, float, float, float]) -> None:
    left, top, right, low = box
    step, wide, high = 5.0, right - left, low - top
    at = step
    while at < wide + high:
        ends = [(left + min(at, wide), top + max(0.0, at - wide))]
        ends.append((left + max(0.0, at - high), top + min(at, high)))
        pen.line(ends, GLUE, HAIR_MM)
        at += step


def _cut_marks(pen: Pen, part: Tile) -> None:
    """Hairlines beside the corners, where the sheet is cut: in line with the edges of its part."""
    left, top, right, low = part.printed_mm
    for x, outward in ((left, -1), (right, 1)):
        for y, upward in ((top, -1), (low, 1)):
            pen.line([(x + outward, y), (x + outward * MARK_MM, y)], CUT, HAIR_MM)
            pen.line([(x, y + upward), (x, y + upward * MARK_MM)], CUT, HAIR_MM)


def _foot(pen: Pen, sheet: Sheet, tiling: Tiling, part: Tile, words: Words) -> None:
    """What the page is, and a bar of known length."""
    paper = tiling.paper
    y = paper.height_mm - FOOT_MM + 9.5
    bar = min(BAR_MM, 50.0 * int((paper.width_mm - 2 * MARGIN_MM) / 2 // 50))
    pen.line([(MARGIN_MM, y), (MARGIN_MM + bar, y)], CUT, 0.3)
    for i in range(int(bar) // 10 + 1):
        high = 2.2 if i % 5 == 0 else 1.2
        pen.line([(MARGIN_MM + 10 * i, y - high), (MARGIN_MM + 10 * i, y)], CUT, HAIR_MM)
    right = paper.width_mm - MARGIN_MM
    pen.fitted((MARGIN_MM, y + 3.0), words("sheet.bar", mm=f"{bar:g}"), 2.6, bar, colour=CUT)
    of = len(tiling.tiles)
    text = words(sheet.title)
    if of > 1:
        number = part.row * tiling.columns + part.column + 1
        where = words("sheet.part", name=_name(part.row, part.column), number=number, of=of)
        pen.fitted((right, y - 1.6), where, 3.0, right - MARGIN_MM - bar - 4, anchor="right")
    pen.fitted((right, y + 3.0), text, 3.0, right - MARGIN_MM - bar - 4, anchor="right")


def _name(row: int, column: int) -> str:
    """B3: the second row, the third sheet."""
    return f"{chr(ord('A') + row)}{column + 1}"
