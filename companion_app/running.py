"""Runs the app until its window is closed."""

from __future__ import annotations

import logging
import os
import sys
from pathlib import Path

from companion_app import kivy_setup  # noqa: F401  # isort: skip
from kivy.base import ExceptionHandler, ExceptionManager
from kivy.logger import Logger

from companion_app import texts
from companion_app.app import BoardwardenApp, Window
from companion_app.app_options import AppOptions
from engine.errors import BoardwardenError

log = logging.getLogger(__name__)
UNSEEN = (
    "There is no screen here: the window is drawn where nobody sees it (end it with Ctrl+C)."
    " Start Boardwarden on the tablet's own desktop."
)


class _CarryOn(ExceptionHandler):
    """A fault in drawing or in a tap is logged; the game goes on."""

    def handle_exception(self, inst: BaseException) -> int:
        if isinstance(inst, (KeyboardInterrupt, SystemExit)):
            return int(ExceptionManager.RAISE)
        log.error("a fault in the interface", exc_info=inst)
        return int(ExceptionManager.PASS)


def _unseen() -> bool:
    """Whether there is no screen, so that SDL draws the window where nobody sees it."""
    screens = ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER", "ANDROID_ARGUMENT")
    return sys.platform == "linux" and not any(os.environ.get(name) for name in screens)


def run_app(options: AppOptions | None = None) -> int:
    """Runs the app until its window is closed; returns the exit status."""
    if Window is None:
        print(texts.t("trouble.window"), file=sys.stderr)
        return 2
    Logger.setLevel(logging.WARNING)
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    if _unseen():
        print(UNSEEN, file=sys.stderr)
    ExceptionManager.add_handler(_CarryOn())
    try:
        BoardwardenApp(options or AppOptions()).run()
    except BoardwardenError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


def run_demo(game: str, data: Path | None = None) -> int:
    """Runs the app on the recording of a game that ships with it."""
    return run_app(AppOptions(data=data, demo=game))
