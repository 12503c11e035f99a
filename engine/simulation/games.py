"""Which games can be simulated: who chooses the actions, and who breaks the rules."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from engine.errors import BoardwardenError
from engine.simulation.film import Chooser, Foul


@dataclass(frozen=True, slots=True)
class Players:
    """``choose`` gives the next action of a state, ``foul`` an illegal arrangement (None: no such
    players yet); ``colours``: seats in order, of which the first few play; ``covered``: spots that
    cannot be seen in the game of a first state and a seed."""

    choose: Chooser
    foul: Foul | None
    colours: tuple[str, ...]
    covered: Callable[[Any, int], frozenset[str]] = lambda state, seed: frozenset()


def _magalon() -> Players:
    from engine.magalon.striving import striving_action
    from engine.simulation.fouls import magalon_foul

    return Players(striving_action, magalon_foul, ("violet", "green", "red", "orange"))


def _grailnah() -> Players:
    from engine.simulation.grailnah import grailnah_foul, roofs, table_action

    return Players(table_action, grailnah_foul, ("white", "red", "blue", "yellow"), roofs)


SIMULATED: dict[str, Callable[[], Players]] = {"grailnah": _grailnah, "magalon": _magalon}


def players_of(game: str) -> Players:
    """The simulated players of a game; raises BoardwardenError with the names of the known ones."""
    if game not in SIMULATED:
        names = ", ".join(sorted(SIMULATED))
        raise BoardwardenError(f"{game!r} cannot be simulated yet; the games are {names}")
    return SIMULATED[game]()
