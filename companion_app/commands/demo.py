"""Opens the app on the recording that comes with it."""

from __future__ import annotations

import argparse
from pathlib import Path


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``boardwarden demo``."""
    parser.add_argument("--data", metavar="DIR", help="folder of games and settings")


def run(options: argparse.Namespace) -> int:
    """Runs until the window is closed."""
    from companion_app.running import run_demo

    return run_demo(Path(options.data) if options.data else None)
