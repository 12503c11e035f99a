"""Which games can be simulated: who chooses the actions, and who breaks the rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from engine.errors import BoardwardenError
from engine.game import Room
from engine.placement import PieceInfo
from engine.simulation.film import Chooser, Foul
from engine.simulation.habits import LIVELY, Habits
from engine.simulation.noise import Noise
from engine.simulation.script import Seeing


@dataclass(frozen=True, slots=True)
class Players:
    """``choose`` gives the next action of a state, ``foul`` an illegal arrangement (None: no such
    players yet); ``colours``: seats in order, of which the first few play; ``covered``: spots that
    cannot be seen in the game of a first state and a seed; ``habits``: what happens at their table;
    ``table``: by seed, the room whose placement is shown where that is not the rules' own (things
    that are cleared away later)."""

    choose: Chooser
    foul: Foul | None
    colours: tuple[str, ...]
    covered: Callable[[Any, int], frozenset[str]] = lambda state, seed: frozenset()
    habits: Habits = LIVELY
    table: Callable[[int], Room] | None = None
    eyes: Callable[[Mapping[str, PieceInfo], Noise, int], Seeing] | None = None


def _magalon() -> Players:
    from engine.magalon.striving import striving_action
    from engine.simulation.fouls import magalon_foul

    return Players(striving_action, magalon_foul, ("violet", "green", "red", "orange"))


def _grailnah() -> Players:
    from engine.simulation.grailnah import grailnah_foul, roofs, table_action

    return Players(table_action, grailnah_foul, ("white", "red", "blue", "yellow"), roofs)


def _hexagon() -> Players:
    from engine.hexagon import HexagonRoom
    from engine.hexagon.simulate import random_action
    from engine.simulation.hexagon import LyingRoom, hexagon_foul

    habits = replace(LIVELY, most=2)  # a turn is one action; three turns are not shown at once
    return Players(
        random_action, hexagon_foul, ("red", "blue"), habits=habits,
        table=lambda seed: LyingRoom() if seed % 2 else HexagonRoom(),
    )  # fmt: skip


def _carcassonne() -> Players:
    from engine.carcassonne import CarcassonneRoom
    from engine.simulation.carcassonne import ForgetfulRoom, carcassonne_foul, table_action
    from engine.simulation.tile_eyes import TileEyes

    # No cells to nudge a piece in; a third player's tile is not laid before anybody has looked.
    habits = replace(LIVELY, foul=0.25, nudge=0.0, most=4, returns=True)
    colours = ("red", "blue", "green", "yellow", "black")
    return Players(
        table_action, carcassonne_foul, colours, habits=habits, eyes=TileEyes,
        table=lambda seed: ForgetfulRoom() if seed % 2 else CarcassonneRoom(),
    )  # fmt: skip


SIMULATED: dict[str, Callable[[], Players]] = {
    "carcassonne": _carcassonne, "grailnah": _grailnah, "hexagon": _hexagon, "magalon": _magalon,
}  # fmt: skip


def players_of(game: str) -> Players:
    """The simulated players of a game; raises BoardwardenError with the names of the known ones."""
    if game not in SIMULATED:
        names = ", ".join(sorted(SIMULATED))
        raise BoardwardenError(f"{game!r} cannot be simulated yet; the games are {names}")
    return SIMULATED[game]()
