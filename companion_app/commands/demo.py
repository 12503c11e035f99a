"""Opens the app on a recording that comes with it."""

from __future__ import annotations

import argparse
from pathlib import Path

from companion_app.demo_game import DEMO_GAMES, demo_setup


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``boardwarden demo``."""
    parser.add_argument("--game", default=DEMO_GAMES[0], help=f"{', '.join(DEMO_GAMES)}")
    parser.add_argument("--data", metavar="DIR", help="folder of games and settings")


def run(options: argparse.Namespace) -> int:
    """Runs until the window is closed."""
    demo_setup(options.game)  # before a window opens in vain
    from companion_app.running import run_demo

    return run_demo(options.game, Path(options.data) if options.data else None)
