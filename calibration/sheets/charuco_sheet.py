"""The lens sheet: a chessboard with markers, by which OpenCV measures a camera's lens."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np

from calibration.sheets.document import Sheet, Words
from calibration.sheets.pen import BLACK, Pen

SQUARES = (5, 7)  # across, down
SQUARE_MM, MARKER_MM = 34.0, 25.0
# another family than the corner labels', so that the sheet may lie beside the board
DICTIONARY = cv2.aruco.DICT_6X6_50
HEAD_MM = 8.0


def charuco_board() -> Any:
    """OpenCV's description of the sheet, in millimetres."""
    book = cv2.aruco.getPredefinedDictionary(DICTIONARY)
    return cv2.aruco.CharucoBoard(SQUARES, SQUARE_MM, MARKER_MM, book)


def charuco_sheet() -> Sheet:
    """One page of A4 or Letter."""
    return Sheet("sheet.lens", (SQUARES[0] * SQUARE_MM, SQUARES[1] * SQUARE_MM + HEAD_MM), _draw)


def _draw(pen: Pen, words: Words) -> None:
    pen.fitted((0, 3), words("sheet.lens_how"), 3.0, SQUARES[0] * SQUARE_MM)
    for row in range(SQUARES[1]):
        for column in range(SQUARES[0]):
            # OpenCV's boards begin with a black square
            if (row + column) % 2 == 0:
                x, y = column * SQUARE_MM, HEAD_MM + row * SQUARE_MM
                pen.box(x, y, x + SQUARE_MM, y + SQUARE_MM, fill=BLACK)
    board = charuco_board()
    book = cv2.aruco.getPredefinedDictionary(DICTIONARY)
    for ident, quad in zip(np.ravel(board.getIds()), board.getObjPoints(), strict=True):
        x, y = (float(v) for v in np.asarray(quad).reshape(-1, 3)[0, :2])
        pen.marker(book, int(ident), (x, y + HEAD_MM), MARKER_MM)
