"""Opens the app."""

from __future__ import annotations

import argparse
from pathlib import Path


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``boardwarden``."""
    parser.add_argument("--data", metavar="DIR", help="folder of games and settings")
    parser.add_argument("--source", metavar="SOURCE", help="camera index, film or address to offer")
    parser.add_argument("--board", metavar="BOARD.json", help="board file to offer")
    parser.add_argument(
        "--reference", metavar="PICTURE", help="picture of the empty board to offer"
    )


def run(options: argparse.Namespace) -> int:
    """Runs until the window is closed."""
    from companion_app.app_options import AppOptions
    from companion_app.running import run_app

    return run_app(
        AppOptions(
            data=_path(options.data),
            source=options.source,
            board=options.board,
            reference=_path(options.reference),
        )
    )


def _path(text: str | None) -> Path | None:
    return Path(text) if text else None
