"""The recorded games that ship with the app."""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from typing import Any

from companion_app import opening
from engine.board import REFERENCE
from engine.errors import BoardwardenError
from engine.game import Header, Player

FILM, PICTURE, CARDS = "magalon.mp4", "magalon-reference.jpg", "cards.json"
DEMO_GAMES = ("magalon", "hexagon", "grailnah")


def demo_folder() -> Path:
    """The folder of the recordings."""
    return Path(str(resources.files("companion_app").joinpath("demo")))


def demo_setup(game: str = DEMO_GAMES[0]) -> tuple[Header, dict[str, Any]]:
    """The header and what ``opening.open_session`` needs besides; raises BoardwardenError where
    there is no recording of a game or it is incomplete."""
    if game not in DEMO_GAMES:
        names = ", ".join(DEMO_GAMES)
        raise BoardwardenError(f"there is no recording of {game!r}; the games are {names}")
    folder = demo_folder()
    cards = opening.read_cards(folder / (CARDS if game == DEMO_GAMES[0] else f"{game}.json"))
    seats = tuple(Player(str(p["name"]), str(p["colour"])) for p in cards["players"])
    picture = folder / f"{game}-reference.jpg"
    how = {"source": str(folder / f"{game}.mp4"), "reference": picture, "cards": cards}
    return Header(game, REFERENCE, seats), how
