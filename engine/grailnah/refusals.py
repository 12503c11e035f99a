"""Why a move is not allowed, in words: asked only when a target is not legal."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NoReturn

from engine.grailnah.messages import say
from engine.grailnah.moves import Fault, pass_fault, stop_fault
from engine.grailnah.specials import merlin_fault, morgane_fault
from engine.grailnah.state import GrailnahState
from engine.outcome import Refusal
from engine.verdict import Listed


def refuse_knight(state: GrailnahState, piece: str, here: str, to: str) -> NoReturn:
    """Refuses a knight's move (G-8 to G-12)."""
    setup = state.setup
    rings = setup.rings
    if to == here:
        raise _refusal(state, "G-A9", "stands_there", piece, here, to)
    if here in setup.castle_at:
        _refuse_exit(state, piece, here, to)
    if rings.ring[to] > rings.ring[here]:
        raise _refusal(state, "G-11", "backwards", piece, here, to)
    level = rings.ring[to] == rings.ring[here]
    if not level and to not in rings.inner[here]:
        raise _refusal(state, "G-9", "knight_step", piece, here, to)
    _refuse_stop(state, piece, here, to)
    ways = [rings.along(here, d) for d in (0, 1)]
    _refuse_ways(state, piece, here, to, [w for w in ways if to in w])


def _refuse_exit(state: GrailnahState, piece: str, here: str, to: str) -> NoReturn:
    """A knight that stands in a castle (G-8, G-A30)."""
    setup = state.setup
    ways = [w for w in setup.rings.exits[here] if to in w]
    if not ways:
        gates = Listed(setup.rings.gates[here].lateral, "or")
        raise _refusal(state, "G-8", "knight_gate", piece, here, to, gates=gates)
    _refuse_stop(state, piece, here, to)
    if setup.option("G-A30") == "b" and all(w[0] != to for w in ways):
        raise _refusal(state, "G-A30", "first_cell", piece, here, to)
    _refuse_ways(state, piece, here, to, ways)


def _refuse_stop(state: GrailnahState, piece: str, here: str, to: str) -> None:
    fault = stop_fault(state, piece, to)
    if fault is not None:
        raise _refusal(state, fault.rule, fault.key, piece, here, to, by=fault.by)


def _refuse_ways(
    state: GrailnahState, piece: str, here: str, to: str, ways: Iterable[tuple[str, ...]]
) -> NoReturn:
    """Every way along the circle is obstructed (G-10)."""
    stops = _obstacles(state, to, ways)
    if not stops:
        raise _refusal(state, "G-9", "ring_broken", piece, here, to)
    message = say(
        state.setup, "knight_way", piece=piece, by=_names(state, stops), to=to, origin=here
    )
    raise Refusal("G-10", (here, *stops, to), message)


def _obstacles(state: GrailnahState, to: str, ways: Iterable[tuple[str, ...]]) -> list[str]:
    """The first cell on each way that may not be passed before ``to``."""
    stops: dict[str, None] = {}
    for way in ways:
        before = way[: way.index(to)]
        first = next((c for c in before if pass_fault(state, c) is not None), None)
        if first is not None:
            stops[first] = None
    return list(stops)


def _names(state: GrailnahState, cells: list[str]) -> Listed:
    """What is in the way on some cells: a piece, a castle, or a stair, which is its cell."""
    names = []
    for cell in cells:
        fault = pass_fault(state, cell)
        names.append(fault.by if fault is not None and fault.by else cell)
    return Listed(tuple(names), "and")


def refuse_royal(state: GrailnahState, piece: str, here: str, to: str) -> NoReturn:
    """Refuses a move of King or Queen (G-13 to G-18)."""
    setup = state.setup
    rings = setup.rings
    if to == here:
        raise _refusal(state, "G-17", "stands_there", piece, here, to)
    if here in setup.castle_at and to not in rings.gates[here].royal:
        gates = Listed(rings.gates[here].royal, "or")
        raise _refusal(state, "G-13", "royal_gate", piece, here, to, gates=gates)
    if to in rings.inside:
        raise _refusal(state, "G-18", "into_circle", piece, here, to)
    near = (*rings.steps[here], *rings.diagonal[here], *rings.links.get(here, ()))
    if to in setup.castle_at:
        gates = Listed(rings.gates[to].royal, "or")
        rule = "G-A37" if to in rings.diagonal[here] else "G-A27"
        raise _refusal(state, rule, "royal_entry", piece, here, to, gates=gates)
    if here not in setup.castle_at and to not in near:
        if here in rings.stairs and to in rings.stairs:
            raise _refusal(state, "G-16", "no_link", piece, here, to)
        raise _refusal(state, "G-17", "royal_step", piece, here, to)
    _refuse_stop(state, piece, here, to)
    raise _refusal(state, "G-17", "royal_step", piece, here, to)


def refuse_merlin(state: GrailnahState, here: str, to: str) -> NoReturn:
    """Refuses a move of Merlin (G-30, G-33, G-34)."""
    setup = state.setup
    rings = setup.rings
    if to == here:
        raise _refusal(state, "G-A9", "stands_there", "merlin", here, to)
    lines = [rings.along(here, d) for d in (0, 1)]
    rays = [*rings.inward[here], *rings.outward[here]]
    ways = [w for w in (*lines, *rays) if to in w]
    if not ways:
        raise _refusal(state, "G-30", "merlin_line", "merlin", here, to)
    fault = merlin_fault(state, here, to)
    if fault is not None:
        key = {"pass_castle": "merlin_castle", "onto_stair": "merlin_stair"}.get(fault.key)
        raise _refusal(state, fault.rule, key or fault.key, "merlin", here, to, by=fault.by)
    stops = _obstacles(state, to, ways)
    if not stops:
        # only with G-A20 b: a straight way, but further than one cell
        raise _refusal(state, "G-A20", "merlin_line", "merlin", here, to)
    message = say(setup, "merlin_way", by=_names(state, stops), to=to, origin=here)
    raise Refusal("G-33", (here, *stops, to), message)


def refuse_morgane(state: GrailnahState, here: str, to: str) -> NoReturn:
    """Refuses a move of Morgane (G-19, G-22, G-24, G-27)."""
    rings = state.setup.rings
    if to == here:
        raise _refusal(state, "G-24", "stands_there", "morgane", here, to)
    fault: Fault | None = None
    if to == rings.goal:
        fault = Fault("G-27", "morgane_home")
    elif to in rings.steps[here]:
        fault = morgane_fault(state, here, to)
    elif to not in rings.inside and state.setup.option("G-A18") == "a":
        fault = Fault("G-19", "morgane_out")
    if fault is None:
        raise _refusal(state, "G-24", "morgane_step", "morgane", here, to)
    raise _refusal(state, fault.rule, fault.key, "morgane", here, to, by=fault.by)


def _refusal(
    state: GrailnahState, rule: str, key: str, piece: str, here: str, to: str, **params: object
) -> Refusal:
    """A refusal that says where the piece goes back to."""
    message = say(state.setup, key, piece=piece, origin=here, to=to, **params)
    return Refusal(rule, (here, to), message)
