"""The state of a game of Grailnah: an immutable value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from engine.grailnah.setup import ROYALS, SPECIALS, Setup, kind_of, owner_of


@dataclass(frozen=True, slots=True)
class Recovery:
    """A player's last recovery: in which castle, and which royals have not left it since."""

    castle: str
    stayed: frozenset[str] = frozenset(ROYALS)


@dataclass(frozen=True)
class GrailnahState:
    """A state; two states are equal when play goes on from them in the same way.

    ``pieces``: cell of every pawn, of Merlin and of Morgane; None: sacrificed.  ``last_special``:
    "merlin" or "morgane" when the last move was theirs, else "".  ``pawn_moved``: whether a
    coloured pawn has been moved in this game.  ``merlin_run``: own turns running with Merlin, per
    colour.  ``last_own``: each player's last own turn, kept only where G-A13 b needs it.
    ``may_recover``: who has just brought the second royal into a castle and may recover (G-A26).
    """

    setup: Setup = field(compare=False, repr=False)
    pieces: Mapping[str, str | None]
    to_move: str
    last_special: str = ""
    pawn_moved: bool = False
    merlin_run: Mapping[str, int] = field(default_factory=dict)
    last_own: Mapping[str, str] = field(default_factory=dict)
    may_recover: str | None = None
    recovered: Mapping[str, Recovery] = field(default_factory=dict)
    resigned: frozenset[str] = frozenset()
    winner: str | None = None
    drawn: bool = False

    def __hash__(self) -> int:
        return hash((self.to_move, self.last_special, tuple(self.pieces.values())))

    def but(self, **changes: object) -> GrailnahState:
        """A copy with some fields changed."""
        return replace(self, **changes)  # type: ignore[arg-type]

    def placed(self, moves: Mapping[str, str | None]) -> GrailnahState:
        """A copy with pieces moved."""
        return replace(self, pieces={**self.pieces, **moves})

    # -- who -----------------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.drawn or self.winner is not None

    @property
    def to_act(self) -> str | None:
        """Whose turn it is; None when the game is over."""
        return None if self.over else self.to_move

    @property
    def winners(self) -> frozenset[str]:
        """The winner with the partner, in a game of teams (G-A35)."""
        return frozenset() if self.winner is None else self.setup.side_of[self.winner]

    def next_seat(self) -> str:
        """The next player clockwise who has not resigned (G-6)."""
        seat = self.setup.after(self.to_move)
        while seat in self.resigned:
            seat = self.setup.after(seat)
        return seat

    # -- where ---------------------------------------------------------------------------------

    @cached_property
    def at(self) -> Mapping[str, tuple[str, ...]]:
        """Ids of the pieces on every cell that is not empty; castles themselves left out."""
        out: dict[str, tuple[str, ...]] = {}
        for piece, cell in self.pieces.items():
            if cell is not None:
                out[cell] = (*out.get(cell, ()), piece)
        return out

    def pawns_on(self, cell: str) -> tuple[str, ...]:
        """Coloured pawns on a cell."""
        return tuple(p for p in self.at.get(cell, ()) if p not in SPECIALS)

    def in_castle(self, piece: str) -> bool:
        """Whether a pawn stands in a castle, its own or another."""
        return self.pieces[piece] in self.setup.castle_at

    def blocked(self, piece: str) -> bool:
        """Whether a pawn shares its cell with a pawn of another player (G-12, G-A5); never in a
        castle (G-A27) or on a stair (G-15)."""
        cell, owner = self.pieces[piece], owner_of(piece)
        if cell is None or owner is None:
            return False
        if cell in self.setup.castle_at or cell in self.setup.rings.stairs:
            return False
        others = (owner_of(p) for p in self.pawns_on(cell))
        return any(o is not None and not self.setup.friends(owner, o) for o in others)

    def sacrificed(self, colour: str) -> tuple[str, ...]:
        """A player's knights that have left the board (G-20)."""
        return tuple(k for k in self.setup.knights(colour) if self.pieces[k] is None)

    def victims(self, colour: str) -> tuple[str, ...]:
        """Knights that a player could sacrifice now (G-21, G-A22)."""
        outside = self.setup.option("G-A22") == "b"
        return tuple(
            k
            for k in self.setup.knights(colour)
            if self.pieces[k] is not None
            and not self.blocked(k)
            and not (outside and self.in_castle(k))
        )

    def royal_castle(self, colour: str) -> str | None:
        """The foreign castle in which both King and Queen of a player stand (G-35)."""
        king, queen = (self.pieces[f"{kind}/{colour}"] for kind in ROYALS)
        foreign = king in self.setup.castle_at and king != self.setup.castles[colour]
        return king if foreign and king == queen else None

    def may_use(self, colour: str, castle: str) -> bool:
        """Whether both royals in this castle give a recovery again (G-A24)."""
        last = self.recovered.get(colour)
        if last is None:
            return True
        if self.setup.option("G-A24") == "b":
            return castle != last.castle
        return not last.stayed


def sent_home(state: GrailnahState, cell: str) -> dict[str, str]:
    """Where the pawns on a cell go when Merlin or Morgane comes (G-25, G-31)."""
    castles = state.setup.castles
    return {p: castles[p.split("/")[1]] for p in state.pawns_on(cell)}


__all__ = ["GrailnahState", "Recovery", "kind_of", "owner_of", "sent_home"]
