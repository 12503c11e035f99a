"""Corner labels: markers to cut out and to glue onto or lay beside a bought board."""

from __future__ import annotations

from calibration.sheets.document import CUT, HAIR_MM, Sheet, Words
from calibration.sheets.pen import Pen
from vision.registration.marker_search import DEFAULT_DICTIONARY, dictionary_named

SIDES_MM = (20.0, 14.0)  # a large set and one for narrow borders
SETS = 2
GAP_MM = 6.0
HEAD_MM = 16.0
CORNERS = ("upper_left", "upper_right", "lower_right", "lower_left")


def label_sheet() -> Sheet:
    """Two sets of four labels in two sizes, each with its white rim; one page."""
    pitch = SIDES_MM[0] * 9 / 7 + GAP_MM
    width, height = 4 * pitch, HEAD_MM + SETS * len(SIDES_MM) * (pitch + 4)
    return Sheet("sheet.labels", (width, height), _draw)


def _draw(pen: Pen, words: Words) -> None:
    pitch = SIDES_MM[0] * 9 / 7 + GAP_MM
    pen.fitted((0, 3), words("sheet.labels_how"), 3.2, 4 * pitch)
    pen.fitted((0, 8), words("sheet.labels_where"), 3.2, 4 * pitch)
    book = dictionary_named(DEFAULT_DICTIONARY)
    for row, side in enumerate(s for s in SIDES_MM for _ in range(SETS)):
        for i, corner in enumerate(CORNERS):
            x, y = i * pitch, HEAD_MM + row * (pitch + 4)
            whole = side * 9 / 7
            pen.box(x, y, x + whole, y + whole, line=CUT, width_mm=HAIR_MM)
            pen.marker(book, i, (x + side / 7, y + side / 7), side)
            name = words(f"sheet.{corner}")
            pen.fitted((x, y + whole + 2.5), name, 2.6, pitch - 1)
