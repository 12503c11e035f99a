"""Boards as printed, and seen lying on a table."""

from __future__ import annotations

import cv2
import numpy as np
import pypdfium2

from calibration.sheets import PAPERS, board_sheet, write_pdf
from calibration.sheets.paper import MARGIN_MM
from engine.board import Board
from vision.types import Image

TABLE = (52, 74, 92)


def face_of(board: Board, px_per_mm: float = 2.0) -> Image:
    """The printed face of a board, drawn; it fits on one sheet of A1."""
    paper = PAPERS["A1"]
    data = write_pdf([board_sheet(board)], paper, lambda key, **_: key)
    page = pypdfium2.PdfDocument(data)[0].render(scale=px_per_mm * 25.4 / 72).to_numpy()[..., :3]
    width, height = board.size_mm
    left = MARGIN_MM + (paper.room_mm[0] - width) / 2
    box = [round(v * px_per_mm) for v in (left, MARGIN_MM, left + width, MARGIN_MM + height)]
    return np.ascontiguousarray(page[box[1] : box[3], box[0] : box[2]])


def table_with(face: Image, corners_px: np.ndarray, size: tuple[int, int]) -> Image:
    """A picture of (width, height) with the face lying on a plain table."""
    rim = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32) * face.shape[1::-1] - 0.5
    warp = cv2.getPerspectiveTransform(rim.astype(np.float32), corners_px.astype(np.float32))
    table = np.full((size[1], size[0], 3), TABLE, np.uint8)
    shown = cv2.warpPerspective(
        face, warp, size, table, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_TRANSPARENT
    )
    return np.asarray(shown, np.uint8)
