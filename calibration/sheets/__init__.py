"""Sheets to print in true size: boards, corner labels, the lens sheet, piece templates."""

from calibration.sheets.board_sheet import board_sheet, printed_board
from calibration.sheets.charuco_sheet import charuco_sheet
from calibration.sheets.document import Sheet, write_pdf
from calibration.sheets.label_sheet import label_sheet
from calibration.sheets.paper import PAPERS, paper_named
from calibration.sheets.template_sheet import template_sheet

__all__ = [
    "PAPERS",
    "Sheet",
    "board_sheet",
    "charuco_sheet",
    "label_sheet",
    "paper_named",
    "printed_board",
    "template_sheet",
    "write_pdf",
]
