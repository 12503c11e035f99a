"""Which room judges which game."""

from __future__ import annotations

from typing import Any

from engine.carcassonne import CarcassonneRoom
from engine.errors import BoardwardenError
from engine.game import Room
from engine.grailnah import GrailnahRoom
from engine.hexagon import HexagonRoom
from engine.magalon import MagalonRoom

ROOMS: dict[str, type[Any]] = {
    "carcassonne": CarcassonneRoom,
    "grailnah": GrailnahRoom,
    "hexagon": HexagonRoom,
    "magalon": MagalonRoom,
}


def room_for(game: str) -> Room:
    """The room of a game; raises BoardwardenError with the names of the known ones."""
    if game not in ROOMS:
        raise BoardwardenError(f"unknown game {game!r}; the games are {', '.join(sorted(ROOMS))}")
    room: Room = ROOMS[game]()
    return room
