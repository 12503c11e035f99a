"""The state of a game of Magalon: an immutable value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from engine.magalon.setup import DEFENCE_CARD, ENERGY_CARDS, RECOVER_CARD, Setup

CARDS = frozenset(range(11))


@dataclass(frozen=True, slots=True)
class Part:
    """One leg of a piece's way this turn: to ``to``, around what was closed then.

    ``via``: all cells in between, or None when unknown.  ``bonus``: a leg of the three steps
    after a stop on a red cell (M-42).
    """

    to: str
    closed: frozenset[str]
    via: tuple[str, ...] | None = None
    bonus: bool = False


@dataclass(frozen=True, slots=True)
class Hit:
    """A displaced wizard: from, to, around what, and the items it may have passed on its way."""

    colour: str
    origin: str
    part: Part
    steps: int
    items: frozenset[str] = frozenset()
    must: frozenset[str] = frozenset()
    leave: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Path:
    """The way of one piece in this turn.

    ``items``: what the walking wizard took on it; ``must`` and ``leave``: items that the players
    said it did or did not pass; ``hits``: wizards that it displaced; ``done``: complete.
    """

    origin: str
    parts: tuple[Part, ...] = ()
    done: bool = False
    items: frozenset[str] = frozenset()
    must: frozenset[str] = frozenset()
    leave: frozenset[str] = frozenset()
    hits: tuple[Hit, ...] = ()


@dataclass(frozen=True, slots=True)
class Early:
    """A wizard displaced before its attacker came: ``black`` is where the attackers stood."""

    hit: Hit
    black: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Turn:
    """What the acting player has used.

    ``red``: "" or, after a complete walk onto a red cell, "open" (staying or going on is still
    to be chosen) or "stay".  ``booked``: of "card", "red" and "loss", what the stone has done.
    """

    walk: Path | None = None
    red: str = ""
    attackers: tuple[tuple[str, Path], ...] = ()
    dice: tuple[int, int] | None = None
    slid: int = 0
    lifted: bool = False
    shield_moved: bool = False
    booked: frozenset[str] = frozenset()
    displaced: frozenset[str] = frozenset()
    early: tuple[Early, ...] = ()

    def path_of(self, piece: str) -> Path | None:
        """The way that an attacker has gone in this turn."""
        return dict(self.attackers).get(piece)


@dataclass(frozen=True)
class MagalonState:
    """A state; two states are equal when play goes on from them in the same way.

    ``table``: (colour, card) in laying order, card None for a pass.  ``pieces``: cell of every
    wizard, shield, goblin and the giant, None off the board; ``ruins``: their cells, in the order
    of the board file.  ``first_layer`` lays first in this round.
    """

    setup: Setup = field(compare=False, repr=False)
    pieces: Mapping[str, str | None]
    ruins: tuple[frozenset[str], ...]
    energy: Mapping[str, int]
    items: Mapping[str, frozenset[str]]
    hands: Mapping[str, frozenset[int]]
    played: Mapping[str, frozenset[int]]
    round: int
    first_layer: str
    table: tuple[tuple[str, int | None], ...] = ()
    acted: tuple[str, ...] = ()
    turn: Turn = Turn()
    winner: str | None = None

    def __hash__(self) -> int:
        return hash((self.round, self.table, self.acted, self.turn, self.ruins))

    def but(self, **changes: object) -> MagalonState:
        """A copy with some fields changed."""
        return replace(self, **changes)  # type: ignore[arg-type]

    def placed(self, **moves: str | None) -> MagalonState:
        """A copy with pieces moved (use ``**{piece: cell}``)."""
        return replace(self, pieces={**self.pieces, **moves})

    def with_turn(self, **changes: object) -> MagalonState:
        """A copy with some of the turn's fields changed."""
        return replace(self, turn=replace(self.turn, **changes))  # type: ignore[arg-type]

    # -- who -----------------------------------------------------------------------------------

    @property
    def laying(self) -> bool:
        """Whether cards are still being laid in this round."""
        return len(self.table) < len(self.setup.seats)

    @property
    def laying_order(self) -> tuple[str, ...]:
        """Seats from the first layer on, clockwise (M-7, M-9)."""
        seats = self.setup.seats
        at = seats.index(self.first_layer)
        return (*seats[at:], *seats[:at])

    @property
    def acting_order(self) -> tuple[str, ...]:
        """Descending card value (M-11); with M-A40 b who passed comes last."""
        laid = sorted(
            ((c, card) for c, card in self.table if card is not None), key=lambda e: -e[1]
        )
        order = [c for c, _ in laid]
        if self.setup.option("M-A40") == "b":
            order += [c for c, card in self.table if card is None]
        return tuple(order)

    @property
    def to_act(self) -> str | None:
        """Whose turn it is: to lay a card, or to act; None when the game is over."""
        if self.winner:
            return None
        if self.laying:
            return self.laying_order[len(self.table)]
        return next((c for c in self.acting_order if c not in self.acted), None)

    def card(self, colour: str) -> int | None:
        """The card that a player laid this round; None for a pass or before laying."""
        return dict(self.table).get(colour)

    @property
    def lowest(self) -> str | None:
        """Who moves the giant in this round (M-13, M-A42), once all cards are laid."""
        laid = [(card, c) for c, card in self.table if card is not None]
        return min(laid)[1] if laid and not self.laying else None

    def protected(self, colour: str) -> bool:
        """Whether a wizard cannot be displaced because of card 4 (M-37, M-A22)."""
        return self.card(colour) == DEFENCE_CARD

    # -- where ---------------------------------------------------------------------------------

    def wizard(self, colour: str) -> str | None:
        """The cell of a wizard."""
        return self.pieces[f"wizard/{colour}"]

    @property
    def attackers(self) -> tuple[str, ...]:
        """Ids of the giant and the goblins."""
        return tuple(p for p in self.pieces if p == "giant" or p.startswith("goblin/"))

    def standing(self, cell: str) -> tuple[str, ...]:
        """Ids of all pieces on a cell."""
        pieces = [p for p, at in self.pieces.items() if at == cell]
        return (*pieces, *(f"ruin/{n}" for n, r in enumerate(self.ruins, 1) if cell in r))

    # -- energy --------------------------------------------------------------------------------

    def card_gain(self, colour: str) -> int:
        """What card 1 or 2 gives this turn and has not been booked yet (M-36)."""
        card = self.card(colour)
        if card not in ENERGY_CARDS or "card" in self.turn.booked or colour != self.to_act:
            return 0
        return self.setup.energy_gain.get(card, 0)

    def recovers(self, colour: str) -> bool:
        """Whether the player has laid the card 0 (M-38)."""
        return self.card(colour) == RECOVER_CARD
