"""Which games can be simulated: who chooses the actions, and who breaks the rules."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from engine.errors import BoardwardenError
from engine.simulation.film import Chooser, Foul


@dataclass(frozen=True, slots=True)
class Players:
    """``choose`` gives the next action of a state, ``foul`` an illegal arrangement (None: no such
    players yet); ``colours``: seats in order, of which the first few play."""

    choose: Chooser
    foul: Foul | None
    colours: tuple[str, ...]


def _magalon() -> Players:
    from engine.magalon.striving import striving_action
    from engine.simulation.fouls import magalon_foul

    return Players(striving_action, magalon_foul, ("violet", "green", "red", "orange"))


SIMULATED: dict[str, Callable[[], Players]] = {"magalon": _magalon}


def players_of(game: str) -> Players:
    """The simulated players of a game; raises BoardwardenError with the names of the known ones."""
    if game not in SIMULATED:
        names = ", ".join(sorted(SIMULATED))
        raise BoardwardenError(f"{game!r} cannot be simulated yet; the games are {names}")
    return SIMULATED[game]()
