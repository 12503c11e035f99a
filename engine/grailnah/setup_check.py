"""What is wrong with an arrangement at the beginning of the game: missing and strayed pieces."""

from __future__ import annotations

from collections.abc import Iterable

from engine.grailnah.messages import say
from engine.grailnah.state import GrailnahState
from engine.placement import PieceMove
from engine.verdict import Message


def faults(
    state: GrailnahState, moves: Iterable[PieceMove], gone: Iterable[str]
) -> tuple[Message, ...]:
    """A sentence for everything that does not stand where the game begins (G-3, G-4).

    ``moves``: pieces that stand elsewhere; ``gone``: pieces that are not where they can be seen.
    Pawns inside their castles are out of sight, so only what is seen outside counts; two things
    that changed places are one sentence.
    """
    said: list[Message] = []
    strayed = {m.piece: m.to[0] for m in moves if m.to}
    for piece, cell in sorted(strayed.items()):
        home = _home(state, piece)
        other = next((p for p, at in strayed.items() if at == home and p != piece), None)
        if other is not None and _home(state, other) == cell:
            if piece < other:
                said.append(say(state.setup, "setup_swapped", piece=piece, by=other))
        elif piece.startswith("castle/"):
            said.append(say(state.setup, "setup_castle", piece=piece, cell=cell))
        else:
            said.append(say(state.setup, "setup_stray", piece=piece, cell=cell, to=home))
    said += [
        say(state.setup, "setup_missing", piece=p, to=_home(state, p))
        for p in sorted(gone)
        if p not in strayed
    ]
    return tuple(said)


def _home(state: GrailnahState, piece: str) -> str:
    """Where a piece stands at the beginning."""
    setup = state.setup
    return setup.castles[piece.split("/")[1]] if "/" in piece else setup.rings.goal
