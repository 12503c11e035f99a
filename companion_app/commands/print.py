"""Writes sheets to print in true size as PDF: a board, corner labels, the lens sheet, templates."""

from __future__ import annotations

import argparse
import importlib
import json
from collections.abc import Callable
from pathlib import Path

from calibration import sheets
from companion_app import texts
from engine.board import Board, load_board
from engine.errors import BoardwardenError
from engine.files import shown, write_reason, write_whole

# Sheets of a game that live in a module of their own: a function () -> list[Sheet].
OF_GAMES = {"tiles": "companion_app.games.carcassonne.tile_sheets:tile_sheets"}
WHAT = ("board", "labels", "lens", "templates", *OF_GAMES)
GAMES = ("magalon", "hexagon", "grailnah")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``boardwarden print``."""
    parser.add_argument("what", nargs="+", choices=WHAT, help="what to print")
    parser.add_argument("--game", choices=GAMES, default="magalon", help="whose reference board")
    parser.add_argument(
        "--board", metavar="BOARD.json", help="another board than the reference one"
    )
    parser.add_argument("--paper", default="A4", help="A4, Letter, A3, A2 or A1 (default: A4)")
    parser.add_argument(
        "--fit", action="store_true", help="make the board smaller, so that one sheet is enough"
    )
    parser.add_argument("--language", choices=texts.LANGUAGES, help="of the words on the sheets")
    parser.add_argument(
        "--out", metavar="FILE.pdf", help="default: boardwarden-WHAT.pdf in this folder"
    )


def run(options: argparse.Namespace) -> int:
    """Writes one PDF; beside a board's PDF its board file."""
    from companion_app.settings import system_language

    texts.choose_language(options.language or system_language())
    paper = sheets.paper_named(options.paper)
    board = load_board(options.board or "reference", options.game)
    pages, written = [], []
    out = Path(options.out or f"boardwarden-{'-'.join(options.what)}.pdf")
    if out.suffix.lower() not in (".pdf", ""):
        raise BoardwardenError(
            f"sheets are written as PDF and not as {shown(out.suffix)}: end the name after --out with .pdf"
        )
    for what in dict.fromkeys(options.what):
        if what == "board":
            board = sheets.printed_board(board, paper if options.fit else None)
            written.append((out.with_suffix(".json"), board_file(board)))
        pages += sheets_of(what, board)
    written.insert(0, (out, sheets.write_pdf(pages, paper, words)))
    for path, data in written:
        try:
            write_whole(path, data)
        except OSError as error:
            raise BoardwardenError(
                f"cannot write {shown(path)} (--out): {write_reason(error)}"
            ) from error
        print(path)
    return 0


def board_file(board: Board) -> bytes:
    """The board file that goes with the printed board."""
    return (json.dumps(board.raw, ensure_ascii=False, indent=1) + "\n").encode()


def sheets_of(what: str, board: Board) -> list[sheets.Sheet]:
    """The sheets of one choice."""
    if what in OF_GAMES:
        return _of_game(what)
    makers: dict[str, Callable[[], sheets.Sheet]] = {
        "board": lambda: sheets.board_sheet(board),
        "labels": sheets.label_sheet,
        "lens": sheets.charuco_sheet,
        "templates": lambda: sheets.template_sheet(board),
    }
    return [makers[what]()]


def _of_game(what: str) -> list[sheets.Sheet]:
    module, function = OF_GAMES[what].split(":")
    return list(getattr(importlib.import_module(module), function)())


def words(key: str, **params: object) -> str:
    """A text on a sheet; a kind of piece that has no word is called as in the board file."""
    said = texts.t(key, **params)
    return key.partition(".")[2] if said == key else said
