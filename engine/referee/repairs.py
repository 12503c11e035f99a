"""Where table and state differ, and what one tap could do about it (design decision 8)."""

from __future__ import annotations

from engine.action import Action
from engine.placement import PieceMove
from engine.referee.explain import Proposer
from engine.referee.history import Moment
from engine.referee.matching import Reading
from engine.verdict import Choice, Message


def differences(now: Moment, reading: Reading | None) -> tuple[PieceMove, ...]:
    """From where the state has a piece to where it was seen last; gone pieces go to ()."""
    seen = dict(now.known)
    gone: tuple[str, ...] = ()
    if reading is not None:
        seen |= {m.piece: m.to for m in reading.moves} | dict(reading.at_home)
        gone = reading.gone
    moves = [
        PieceMove(piece, spots, seen[piece])
        for piece, spots in sorted(now.placement.pieces.items())
        if piece in seen and piece not in gone and set(seen[piece]) != set(spots)
    ]
    return (*moves, *(PieceMove(p, now.placement.pieces[p], ()) for p in gone))


def repairs(
    moves: tuple[PieceMove, ...], proposer: Proposer, last: Action | None
) -> tuple[Choice, ...]:
    """Ranked: the table is right, or the last action was not; putting pieces back needs no tap."""
    choices: list[Choice] = []
    visible = tuple(m for m in moves if m.to)
    correction = proposer.correction(visible) if visible else None
    if correction is not None:
        text = "The table is right: take everything as it stands."
        choices.append(Choice(Message("referee.take_over", text), (correction,)))
    if last is not None:
        what = f"{last.player or ''} {last.do}".strip()
        text = f"Take back what was understood last ({what})."
        undo = Action(None, "undo", {})
        choices.append(
            Choice(Message("referee.undo_last", text, {"what": what, "action": last}), (undo,))
        )
    return tuple(choices)
