"""Changes that a wizard's move makes, before they are applied: what goes where, burns and crosses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from engine.hexagon.messages import say
from engine.hexagon.state import Crossing, HexagonState, is_wisdom
from engine.outcome import Refusal

# A crossing may not be reversed by the next move of either player (H-15, H-A7).
PAIR_OF_TURNS = 2


@dataclass(frozen=True, slots=True)
class Change:
    """What one move does.

    ``do`` and ``path``: "push" or "jump", and the cells on which the wizard comes to stand;
    ``moves``: new cell of every moved piece, None for a burnt one; ``burnt``: the flame cells on
    which wisdoms burn; ``crossings``: pieces that crossed the border.
    """

    do: str
    piece: str
    origin: str
    path: tuple[str, ...]
    moves: Mapping[str, str | None]
    burnt: tuple[str, ...] = ()
    crossings: tuple[Crossing, ...] = ()

    @property
    def to(self) -> str:
        """Where the wizard ends."""
        return self.path[-1]


def check_reversal(state: HexagonState, crossings: tuple[Crossing, ...]) -> None:
    """Refuses to bring a piece back across the border at once (H-15)."""
    reading = state.setup.option("H-A7")
    if reading == "c":
        return
    for new in crossings:
        for old in state.crossings:
            back = new.piece == old.piece and (new.origin, new.to) == (old.to, old.origin)
            if back and (reading == "a" or old.by == new.by):
                message = say("back_across", by=new.piece, origin=new.origin, to=new.to)
                raise Refusal("H-15", (new.origin, new.to), message)


def apply(state: HexagonState, change: Change) -> HexagonState:
    """The state after a change; the turn is over unless burnt wisdoms have to be turned over."""
    kept = [
        replace(c, age=c.age + 1)
        for c in state.crossings
        if c.age + 1 < PAIR_OF_TURNS and c.piece not in change.moves
    ]
    crossed = [c for c in change.crossings if change.moves[c.piece] is not None]
    after = state.placed_at(change.moves).but(crossings=(*kept, *crossed), pending=change.burnt)
    return after if change.burnt else turn_over(after)


def turn_over(state: HexagonState) -> HexagonState:
    """The opponent is to move."""
    return state.but(to_move=state.waiting)


def age(state: HexagonState) -> HexagonState:
    """The crossings after a turn without a move."""
    older = (replace(c, age=c.age + 1) for c in state.crossings)
    return state.but(crossings=tuple(c for c in older if c.age < PAIR_OF_TURNS))


def foreign_wisdom(state: HexagonState, piece: str) -> bool:
    """Whether a piece is a wisdom of the opponent of the player to move."""
    return is_wisdom(piece) and not piece.startswith(f"wisdom/{state.to_move}/")
