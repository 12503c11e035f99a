"""What lies around the board in Magalon, read from a position of the record.

Only shows: which card may be laid or which action is left is the engine's word; this module
turns its ``position`` (see the record format) into seats, cards and tokens with reasons.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from engine.board import Board
from engine.game import Header

CARDS = tuple(range(11))
ITEMS = ("amulet", "stone", "ring")
TOKENS = ("wizard", "card", "shield", "energy", "giant")


class Phase(Enum):
    """Laying cards, acting in descending order, or over."""

    LAY = "lay"
    ACT = "act"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class CardFace:
    """A card in a hand.  ``why_not``: text key of the reason it cannot be laid, "" if it can.

    ``by``: the player whose card is in the way.
    """

    value: int
    why_not: str = ""
    by: str | None = None


@dataclass(frozen=True, slots=True)
class MagalonSeat:
    """A player's side of the table.  ``cards``: all eleven, with what keeps each from being laid."""

    name: str
    colour: str
    energy: int
    items: tuple[str, ...]
    cards: tuple[CardFace, ...]
    laid: int | None
    passed: bool
    acted: bool

    @property
    def in_hand(self) -> int:
        """How many cards this player still holds."""
        return sum(card.why_not != "down" for card in self.cards)


@dataclass(frozen=True, slots=True)
class Token:
    """One action of the turn.  ``needed`` is False where this turn does not have it."""

    key: str
    done: bool
    needed: bool
    optional: bool


@dataclass(frozen=True, slots=True)
class Effect:
    """What a card does besides the walk: ``energy``, ``ruins``, ``goblins``, ``lift``, ..."""

    kind: str
    number: int | None = None


@dataclass(frozen=True)
class MagalonTable:
    """Round, phase, whose turn, seats in order, and the turn's tokens.

    ``open_ways``: (piece, origin) of every walk that is not complete yet.
    """

    round: int
    phase: Phase
    to_act: str | None
    seats: tuple[MagalonSeat, ...]
    tokens: tuple[Token, ...]
    dice: tuple[int, int] | None
    giant_due: bool
    winner: str | None
    laid: tuple[tuple[str, int], ...]
    can_pass: bool = False
    choose_red: bool = False
    open_ways: tuple[tuple[str, str], ...] = ()

    @property
    def card(self) -> int | None:
        """The card of the player who acts; None while cards are laid or after a pass."""
        return dict(self.laid).get(self.to_act or "") if self.phase is Phase.ACT else None

    def seat(self, colour: str | None) -> MagalonSeat | None:
        """The seat of a colour."""
        return next((s for s in self.seats if s.colour == colour), None)


def effects(board: Board, card: int) -> tuple[Effect, ...]:
    """The effects printed on a card (card table of the rules; numbers from the board file)."""
    numbers = board.raw.get("printed_numbers", {})

    def number(table: str) -> int | None:
        value = numbers.get(table, {}).get(str(card))
        return int(value) if value is not None else None

    found = [
        Effect(kind, number(table))
        for kind, table, cards in (
            ("energy", "energy_gain", (1, 2)),
            ("ruins", "ruin_steps", (2, 7, 8)),
            ("goblins", "goblin_steps", (3, 6, 9, 10)),
        )
        if card in cards
    ]
    named = {0: "back", 4: "defence", 5: "lift"}.get(card)
    return (*found, Effect(named)) if named else tuple(found)


def table_of(
    position: Mapping[str, Any],
    header: Header,
    board: Board,
    *,
    to_act: str | None,
    winner: str | None,
) -> MagalonTable:
    """The table as a position describes it."""
    laid = tuple((str(c), int(v)) for c, v in _pairs(position.get("table")) if v is not None)
    passed = {str(c) for c, v in _pairs(position.get("table")) if v is None}
    everyone = len(laid) + len(passed) >= len(header.players)
    phase = Phase.OVER if winner else Phase.ACT if everyone else Phase.LAY
    seats = tuple(_seat(position, p.name, p.colour, laid, passed) for p in header.players)
    card = dict(laid).get(to_act or "") if phase is Phase.ACT else None
    lowest = card is not None and card == min(v for _, v in laid)
    dice = position.get("giant_rolled")
    dice = (int(dice[0]), int(dice[1])) if isinstance(dice, (list, tuple)) else None
    tokens = _tokens(position, board, card, lowest, to_act)
    seat = next((s for s in seats if s.colour == to_act), None)
    return MagalonTable(
        round=int(position.get("round", 1)),
        phase=phase,
        to_act=to_act,
        seats=seats,
        tokens=tokens if phase is Phase.ACT else (),
        dice=dice,
        giant_due=lowest and dice is None,
        winner=winner,
        laid=laid,
        can_pass=phase is Phase.LAY and seat is not None and all(c.why_not for c in seat.cards),
        choose_red=position.get("red") == "open",
        open_ways=_open_ways(position),
    )


def _open_ways(position: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    paths = position.get("paths", {}).items()
    walks = [(piece, str(path.get("from"))) for piece, path in paths if not path.get("done")]
    driven = [(f"wizard/{e['player']}", str(e["from"])) for e in position.get("early", ())]
    return (*walks, *driven)


def _pairs(table: Any) -> list[tuple[str, Any]]:
    found = []
    for entry in table or ():
        if isinstance(entry, Mapping):
            found.append((entry.get("player", ""), entry.get("card")))
        elif isinstance(entry, (list, tuple)) and len(entry) == 2:
            found.append((entry[0], entry[1]))
    return found


def _seat(
    position: Mapping[str, Any],
    name: str,
    colour: str,
    laid: tuple[tuple[str, int], ...],
    passed: set[str],
) -> MagalonSeat:
    hand = {int(v) for v in position.get("hands", {}).get(colour, ())}
    owners = {value: owner for owner, value in laid}
    own = dict(laid).get(colour)
    cards = []
    for value in CARDS:
        if value == own:
            cards.append(CardFace(value, "own", colour))
        elif value not in hand:
            cards.append(CardFace(value, "down"))
        elif value in owners:
            cards.append(CardFace(value, "taken", owners[value]))
        else:
            cards.append(CardFace(value))
    return MagalonSeat(
        name,
        colour,
        int(position.get("energy", {}).get(colour, 0)),
        tuple(position.get("items", {}).get(colour, ())),
        tuple(cards),
        own,
        colour in passed,
        colour in position.get("acted", ()),
    )


def _tokens(
    position: Mapping[str, Any], board: Board, card: int | None, lowest: bool, actor: str | None
) -> tuple[Token, ...]:
    if card is None:
        return ()
    paths = position.get("paths", {})
    done = {piece.split("/")[0] for piece, path in paths.items() if path.get("done")}
    walked = bool(paths.get(f"wizard/{actor}", {}).get("done"))
    booked = position.get("energy_booked") or ()
    kinds = {e.kind: e.number for e in effects(board, card)}
    ends = [
        (kind == "energy" and "card" in booked)
        or (kind == "goblins" and "goblin" in done)
        or (kind == "ruins" and int(position.get("slid", 0)) >= (number or 0))
        or (kind == "lift" and bool(position.get("lifted")))
        or kind in ("back", "defence")
        for kind, number in kinds.items()
    ]
    optional = not set(kinds) & {"energy"}
    return (
        Token("wizard", walked, card > 0, True),
        Token("card", all(ends), True, optional),
        Token("shield", bool(position.get("shield_moved")), True, True),
        Token("energy", bool(booked), True, False),
        Token("giant", "giant" in done, lowest, True),
    )
