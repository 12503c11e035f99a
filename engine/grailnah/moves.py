"""Where the pawns of a colour can go: knights, King and Queen (G-8 to G-18)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from engine.grailnah.setup import ROYALS, SPECIALS
from engine.grailnah.state import GrailnahState, kind_of, owner_of


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a piece may not stop on or pass a cell: the rule, the message's key, who is there."""

    rule: str
    key: str
    by: str = ""


def targets(state: GrailnahState, piece: str) -> tuple[str, ...]:
    """All cells to which a pawn can move now, whoever's turn it is; each once."""
    cell = state.pieces[piece]
    if cell is None or (state.blocked(piece) and state.setup.option("G-A2") == "a"):
        return ()
    ways = _knight(state, piece, cell) if kind_of(piece) == "knight" else _royal(state, piece, cell)
    return tuple(dict.fromkeys(ways))


def _knight(state: GrailnahState, piece: str, cell: str) -> Iterator[str]:
    rings = state.setup.rings
    if cell in state.setup.castle_at:
        for way in rings.exits[cell]:
            first_only = state.setup.option("G-A30") == "b"
            yield from ride(state, piece, way[:1] if first_only else way)
        return
    yield from _forward(state, piece, cell)
    both = state.setup.option("G-A8") == "b"
    for direction in (0, 1):
        way = rings.along(cell, direction)
        yield from ride(state, piece, way)
        if both:
            for other in _free(state, piece, way):
                yield from _forward(state, piece, other)
    if both:
        for ahead in rings.inner[cell]:
            if pass_fault(state, ahead) is None and ahead != rings.goal:
                for direction in (0, 1):
                    yield from ride(state, piece, rings.along(ahead, direction))


def _forward(state: GrailnahState, piece: str, cell: str) -> Iterator[str]:
    for ahead in state.setup.rings.inner[cell]:
        if stop_fault(state, piece, ahead) is None:
            yield ahead


def _free(state: GrailnahState, piece: str, way: tuple[str, ...]) -> Iterator[str]:
    for cell in way:
        if cell == state.pieces[piece] or pass_fault(state, cell) is not None:
            return
        yield cell


def ride(state: GrailnahState, piece: str, way: tuple[str, ...]) -> Iterator[str]:
    """The cells of a way on which a knight may stop, up to the first that it may not pass."""
    for cell in way:
        if cell == state.pieces[piece]:
            if state.setup.option("G-A9") == "b":
                yield cell
            return
        if stop_fault(state, piece, cell) is None:
            yield cell
        if pass_fault(state, cell) is not None:
            return


def _royal(state: GrailnahState, piece: str, cell: str) -> Iterator[str]:
    setup = state.setup
    rings = setup.rings
    if cell in setup.castle_at:
        near: tuple[str, ...] = rings.gates[cell].royal
    else:
        near = (*rings.steps[cell], *rings.diagonal[cell], *rings.links.get(cell, ()))
        yield from (c for c in setup.castle_at if cell in rings.gates[c].royal)
    for other in near:
        if other not in setup.castle_at and stop_fault(state, piece, other) is None:
            yield other


def pass_fault(state: GrailnahState, cell: str) -> Fault | None:
    """Why a knight or Merlin may not pass over a cell (G-10, G-33); None if it may."""
    setup = state.setup
    if cell in setup.castle_at:
        return Fault("G-10", "pass_castle", f"castle/{setup.castle_at[cell]}")
    if cell in setup.rings.stairs:
        return Fault("G-10", "pass_stair")
    standing = state.at.get(cell)
    return Fault("G-10", "pass_piece", standing[0]) if standing else None


def stop_fault(state: GrailnahState, piece: str, to: str) -> Fault | None:
    """Why a pawn may not stop on a cell other than by the way there; None if it may.

    Castles are closed here: King and Queen enter them only by the royal gate.
    """
    setup, kind = state.setup, kind_of(piece)
    rings, royal = setup.rings, kind in ROYALS
    if to in setup.castle_at:
        castle = f"castle/{setup.castle_at[to]}"
        return Fault("G-A27" if royal else "G-A28", "into_castle", castle)
    if royal and to in rings.inside:
        return Fault("G-18", "into_circle")
    if to in rings.stairs:
        return _stair_fault(state, piece, to) if royal else Fault("G-14", "onto_stair")
    standing = state.at.get(to, ())
    if to == rings.goal:
        held = standing and setup.option("G-A11") == "b"
        return Fault("G-A11", "goal_held", standing[0]) if held else None
    return _company_fault(state, piece, standing) if standing else None


def _stair_fault(state: GrailnahState, piece: str, to: str) -> Fault | None:
    """At most one royal on a stair cell (G-15, G-A6, G-A7)."""
    standing = state.at.get(to, ())
    if state.setup.option("G-A7") == "b":
        standing = tuple(p for p in standing if owner_of(p) == owner_of(piece))
    return Fault("G-15", "stair_taken", standing[0]) if standing else None


def _company_fault(state: GrailnahState, piece: str, standing: tuple[str, ...]) -> Fault | None:
    """Why a pawn may not join those on a cell (G-12, G-A1, G-A3 to G-A5, G-A10)."""
    option = state.setup.option
    special = next((p for p in standing if p in SPECIALS), None)
    if special is not None:
        return Fault("G-A10", "onto_special", special)
    if len(standing) > 1 and option("G-A3") == "a":
        return Fault("G-A3", "third_pawn", standing[0])
    me = owner_of(piece)
    for other in standing:
        owner = owner_of(other)
        if owner == me and option("G-A4") == "a":
            return Fault("G-A4", "own_pawn", other)
        if owner != me and state.setup.friends(str(me), str(owner)) and option("G-A4") == "a":
            return Fault("G-A5", "team_pawn", other)
        if not state.setup.friends(str(me), str(owner)) and option("G-A1") == "b":
            return Fault("G-A1", "opponent_there", other)
    return None
