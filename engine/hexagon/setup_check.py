"""What is wrong with an arrangement that ought to be known: missing and strayed pieces (H-1, H-3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from engine.hexagon.messages import say
from engine.hexagon.sight import look_of
from engine.hexagon.state import HexagonState, owner_of
from engine.placement import PieceMove
from engine.verdict import Message

Seen = tuple[str, str, str]  # kind, colour, cell


def faults(state: HexagonState, seen: Iterable[Seen]) -> tuple[Message, ...]:
    """A sentence for everything that is not as it should be, flames first.

    ``seen``: kind, colour and cell of every wizard and wisdom on the board.  Wisdoms that are there
    besides are left to the rules of placing, unless they lie on a flame.
    """
    said: list[Message] = []
    taken = Counter[str]()
    there = dict[str, list[str]]()
    for kind, colour, cell in seen:
        there.setdefault(f"{kind}/{colour}", []).append(cell)
        taken[cell] += 1
        if kind == "wisdom" and cell in state.setup.flames:
            said.append(say("on_flame", colour=colour, cell=cell))
    said += [say("two_on_one", cell=cell) for cell, count in taken.items() if count > 1]
    for look in dict.fromkeys(look_of(piece) for piece in state.pieces):
        said += _of_one_look(state, look, there.get(look, []))
    return tuple(said)


def _of_one_look(state: HexagonState, look: str, there: list[str]) -> list[Message]:
    kind, colour = look.split("/")
    home = [cell for cell, piece in state.at.items() if look_of(piece) == look]
    missing = [c for c in home if c not in there]
    strays = [c for c in there if c not in home]
    said = []
    while missing and strays and kind == "wizard":
        said.append(say("stray", colour=colour, cell=strays.pop(0), to=missing.pop(0)))
    said += [say(f"missing_{kind}", colour=colour, cell=cell) for cell in missing]
    if kind == "wizard":
        said += [say("one_too_many", colour=colour, cell=cell) for cell in strays]
    return said


def arrangement(
    state: HexagonState, moves: Iterable[PieceMove], gone: frozenset[str]
) -> tuple[Seen, ...]:
    """The arrangement that the eyes report as moves and missing pieces."""
    cells = {p: c for p, c in state.pieces.items() if c is not None and p not in gone}
    for move in moves:
        cells.pop(move.piece, None)
        if move.to:
            cells[move.piece] = move.to[0]
    return tuple((p.split("/")[0], owner_of(p), c) for p, c in cells.items())
