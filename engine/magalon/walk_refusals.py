"""Why a walk is not allowed, in words."""

from __future__ import annotations

from typing import NoReturn

from engine.magalon.messages import say
from engine.magalon.obstacles import energy_on_arrival
from engine.magalon.outcome import Refusal
from engine.magalon.setup import FINISH_ENERGY
from engine.magalon.state import MagalonState, Part, Path
from engine.magalon.ways import distance, known_cells, least_steps, via_fault


def check_target(state: MagalonState, actor: str, here: str, to: str, closed: int) -> None:
    """Refuses a target that stays closed however the wizard walks."""
    setup = state.setup
    if to == here:
        raise Refusal("M-20", (here,), say("stands_there", to=to))
    if to == setup.start and closed & setup.start_bit:
        energy = energy_on_arrival(state, actor)
        if energy >= FINISH_ENERGY:
            raise Refusal("M-A34", (here, to), say("finish_needs_items", origin=here))
        message = say(
            "finish_closed", needed=FINISH_ENERGY, player=actor, energy=energy, origin=here
        )
        raise Refusal("M-56", (here, to), message)
    if closed & setup.bit(to):
        by = (state.standing(to) or ("something",))[0]
        raise Refusal("M-22", (here, to), say("occupied", to=to, by=by, origin=here))


def check_via(state: MagalonState, path: Path, here: str, part: Part) -> None:
    """Refuses given cells that are no walk."""
    if part.via is None:
        return
    fault = via_fault(state.setup, here, part, known_cells(path))
    if fault is not None:
        raise via_refusal(fault, here, part.to)


def via_refusal(
    fault: tuple[str, tuple[str, ...]], here: str, to: str, closed_rule: str = "M-22"
) -> Refusal:
    """The refusal for a fault found by ``ways.via_fault``."""
    key, cells = fault
    if key == "via_jump":
        return Refusal("M-19", (here, to), say(key, a=cells[0], b=cells[1]))
    if key == "via_twice":
        return Refusal("M-20", (here, to), say(key, cell=cells[0]))
    return Refusal(closed_rule, (here, to), say(key, cell=cells[0], origin=here))


def refuse_boxed_in(
    state: MagalonState, path: Path, here: str, steps: int, closed: int
) -> NoReturn:
    """Refuses every walk of a wizard that cannot walk the full number anywhere (M-23)."""
    to = path.parts[-1].to
    far = distance(state.setup, here, to, closed)
    rule = "M-22" if far is None else "M-19" if far > steps else "M-21"
    raise Refusal(rule, (here, to), say("boxed_in", steps=steps, origin=here))


def refuse_walk(state: MagalonState, path: Path, here: str, steps: int, closed: int) -> NoReturn:
    """Refuses a part after which no walk of the full number is possible."""
    setup, to = state.setup, path.parts[-1].to
    cells = (here, to)
    far = distance(setup, here, to, closed)
    if far is None:
        raise Refusal("M-22", cells, say("no_way", origin=here, to=to))
    if len(path.parts) == 1:
        if far > steps:
            message = say("too_far", to=to, origin=here, distance=far, card=steps, steps=steps)
            raise Refusal("M-19", cells, message)
        raise Refusal("M-21", cells, say("not_exact", to=to, steps=steps, origin=here))
    rule = "M-21" if least_steps(setup, path, steps) is not None else "M-19"
    if to in known_cells(Path(path.origin, path.parts[:-1])):
        rule = "M-20"
    message = say("cannot_continue", origin=here, to=to, steps=steps, first=path.origin)
    raise Refusal(rule, cells, message)
