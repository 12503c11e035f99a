"""Kivy without a screen and without touching the user's own settings."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

HOME = tempfile.mkdtemp(prefix="kivy-home-")
atexit.register(shutil.rmtree, HOME, ignore_errors=True)
os.environ["KIVY_HOME"] = HOME
os.environ["KIVY_NO_ARGS"] = "1"
os.environ["KIVY_NO_FILELOG"] = "1"
os.environ["KIVY_METRICS_DENSITY"] = "1"
os.environ["LC_ALL"] = "en_GB.UTF-8"
os.environ["SDL_AUDIODRIVER"] = "dummy"
os.environ["KCFG_GRAPHICS_MULTISAMPLES"] = "0"
if not os.environ.get("DISPLAY"):
    os.environ["SDL_VIDEODRIVER"] = "offscreen"

from engine.board import Board, load_board  # noqa: E402
from engine.game import Header, Player  # noqa: E402


@pytest.fixture(scope="session")
def board() -> Board:
    return load_board("reference")


@pytest.fixture
def header() -> Header:
    return Header("magalon", "reference", (Player("Ada", "violet"), Player("Ben", "green")))


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def start(home: Path) -> Iterator[Callable[..., object]]:
    """Opens the app in a window; see ``tests.app.driver``."""
    from tests.app.driver import open_apps

    yield from open_apps(home)
