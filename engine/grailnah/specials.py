"""Merlin and Morgane: who may move them when, and where they can go (G-19 to G-34)."""

from __future__ import annotations

from collections.abc import Iterator

from engine.grailnah.moves import Fault, pass_fault
from engine.grailnah.setup import MERLIN_RUN
from engine.grailnah.state import GrailnahState, kind_of


def turn_fault(state: GrailnahState, player: str, special: str) -> Fault | None:
    """Why a player may not move Merlin or Morgane now at all (G-23, G-28, G-29, G-A12)."""
    if not state.pawn_moved:
        return Fault("G-A12", "first_move")
    own = state.setup.option("G-A13") == "b"
    last = state.last_own.get(player, "") if own else state.last_special
    if last == special:
        rule = "G-28" if special == "merlin" else "G-23"
        return Fault(rule, "twice_own" if own else "twice_running")
    if special == "merlin" and state.merlin_run.get(player, 0) >= MERLIN_RUN:
        total = state.setup.option("G-A14") == "b"
        return Fault("G-29", "merlin_in_all" if total else "merlin_run")
    return None


def special_targets(state: GrailnahState, special: str) -> tuple[str, ...]:
    """All cells to which Merlin or Morgane can go by their way of moving, each once."""
    cell = state.pieces[special]
    if cell is None:
        return ()
    ways = _merlin(state, cell) if special == "merlin" else _morgane(state, cell)
    return tuple(dict.fromkeys(ways))


def _merlin(state: GrailnahState, cell: str) -> Iterator[str]:
    rings = state.setup.rings
    for direction in (0, 1):
        yield from _glide(state, cell, rings.along(cell, direction))
    reach = 1 if state.setup.option("G-A20") == "b" else None
    for way in (*rings.inward[cell], *rings.outward[cell]):
        yield from _glide(state, cell, way[:reach])


def _glide(state: GrailnahState, origin: str, way: tuple[str, ...]) -> Iterator[str]:
    """The cells of a way on which Merlin may stop: up to the first piece, which he meets."""
    for cell in way:
        if cell == origin:
            if state.setup.option("G-A9") == "b":
                yield cell
            return
        if merlin_fault(state, origin, cell) is not None:
            return
        yield cell
        if pass_fault(state, cell) is not None:
            return


def merlin_fault(state: GrailnahState, origin: str, to: str) -> Fault | None:
    """Why Merlin may not come to a cell whatever his way (G-33, G-34, G-A39)."""
    setup = state.setup
    if to in setup.castle_at:
        return Fault("G-33", "pass_castle", f"castle/{setup.castle_at[to]}")
    if to in setup.rings.stairs:
        return Fault("G-33", "onto_stair")
    inside = setup.rings.inside
    return Fault("G-34", "merlin_back") if to in inside and origin not in inside else None


def _morgane(state: GrailnahState, cell: str) -> Iterator[str]:
    for to in state.setup.rings.steps[cell]:
        if morgane_fault(state, cell, to) is None:
            yield to


def morgane_fault(state: GrailnahState, origin: str, to: str) -> Fault | None:
    """Why Morgane may not come to a cell one step away (G-19, G-22, G-27, G-A17, G-A18)."""
    setup = state.setup
    rings = setup.rings
    if to == rings.goal:
        return Fault("G-27", "morgane_home")
    if to not in rings.inside and setup.option("G-A18") == "a":
        return Fault("G-19", "morgane_out")
    if to in setup.castle_at:
        return Fault("G-19", "into_castle", f"castle/{setup.castle_at[to]}")
    if to in rings.stairs:
        return Fault("G-14", "onto_stair")
    if origin == rings.goal:
        standing = state.at.get(to, ())
        knight = next((p for p in standing if kind_of(p) == "knight"), None)
        if knight is not None:
            return Fault("G-22", "exit_capture", knight)
        if standing and setup.option("G-A17") == "b":
            return Fault("G-A17", "exit_capture", standing[0])
    return None


def needs_sacrifice(state: GrailnahState) -> bool:
    """Whether moving Morgane costs a knight now: not while she leaves the centre (G-20, G-A16)."""
    free = state.pieces["morgane"] == state.setup.rings.goal
    return not free or state.setup.option("G-A16") == "b"
