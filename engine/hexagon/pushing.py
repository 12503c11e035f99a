"""One step, and everything that it pushes on (H-10, H-11, H-13, H-14): ``push {from, to}``."""

from __future__ import annotations

from engine.hexagon.messages import say
from engine.hexagon.moves import Change, check_reversal, foreign_wisdom
from engine.hexagon.state import Crossing, HexagonState, is_wisdom, owner_of
from engine.outcome import Refusal


def push(state: HexagonState, origin: str, direction: str) -> Change:
    """The step of the wizard on ``origin``; raises Refusal."""
    setup, at = state.setup, state.at
    step, exits = setup.grid.step[direction], setup.grid.exits[direction]
    chain, to = [origin], step[origin]
    while to in at and to != origin:
        chain.append(to)
        to = step[to]
    full = to == origin
    if full and (setup.option("H-A4") == "a" or len(chain) < 2):
        raise Refusal("H-A4", tuple(chain), say("line_full", origin=origin))
    _check_chain(state, chain, direction)
    moves: dict[str, str | None] = {}
    burnt: list[str] = []
    crossings: list[Crossing] = []
    for cell in reversed(chain):
        piece, target = at[cell], step[cell]
        moves[piece] = target
        if target in setup.flames and is_wisdom(piece):
            _check_fire(state, chain, cell, target)
            moves[piece] = None
            burnt.append(target)
        if cell in exits:
            crossings.append(Crossing(piece, cell, target, state.to_move))
    check_reversal(state, tuple(crossings))
    return Change(
        "push", at[origin], origin, (step[origin],), moves, tuple(burnt), tuple(crossings)
    )


def _check_chain(state: HexagonState, chain: list[str], direction: str) -> None:
    """The switches that allow less than the default (H-A2, H-A3, H-A6)."""
    options, at = state.setup.options, state.at
    if not options.keys() & {"H-A2", "H-A3", "H-A6"}:
        return
    origin, pushed = chain[0], chain[1:]
    reading = state.setup.option("H-A2")
    if reading == "c" and len(pushed) > 1:
        raise Refusal("H-A2", (origin, *pushed), say("only_one", origin=origin))
    for cell in pushed if reading == "b" else ():
        if owner_of(at[cell]) == state.to_move:
            message = say("only_foreign", by=at[cell], origin=origin)
            raise Refusal("H-A2", (origin, cell), message)
    grid = state.setup.grid
    for cell in chain:
        if cell not in grid.exits[direction]:
            continue
        if state.setup.option("H-A3") == "b" and cell != origin:
            raise Refusal("H-A3", (origin, cell), say("not_across", origin=origin))
        entry = grid.step[direction][cell]
        if state.setup.option("H-A6") == "b" and entry in at:
            message = say("entry_taken", to=entry, by=at[cell], origin=cell)
            raise Refusal("H-A6", (cell, entry), message)


def _check_fire(state: HexagonState, chain: list[str], cell: str, flame: str) -> None:
    piece = state.at[cell]
    if not foreign_wisdom(state, piece):
        message = say("own_in_fire", cell=flame, by=piece, origin=cell, first=chain[0])
        raise Refusal("H-17", (cell, flame), message)
    if flame in state.at and state.setup.option("H-A15") == "b":
        message = say("flame_taken", cell=flame, origin=chain[0])
        raise Refusal("H-A15", (cell, flame), message)
