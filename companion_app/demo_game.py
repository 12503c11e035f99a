"""The recorded game that ships with the app."""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from typing import Any

from companion_app import opening
from engine.board import REFERENCE
from engine.game import Header, Player

FILM, PICTURE, CARDS = "magalon.mp4", "magalon-reference.jpg", "cards.json"


def demo_folder() -> Path:
    """The folder of the recording."""
    return Path(str(resources.files("companion_app").joinpath("demo")))


def demo_setup() -> tuple[Header, dict[str, Any]]:
    """The header and what ``opening.open_session`` needs besides; raises BoardwardenError where
    the recording is incomplete."""
    folder = demo_folder()
    cards = opening.read_cards(folder / CARDS)
    seats = tuple(Player(str(p["name"]), str(p["colour"])) for p in cards["players"])
    how = {"source": str(folder / FILM), "reference": folder / PICTURE, "cards": cards}
    return Header("magalon", REFERENCE, seats), how
