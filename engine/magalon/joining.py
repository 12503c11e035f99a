"""What a late referee of Magalon has to be told, and the position that follows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.board import Board
from engine.game import Header
from engine.joining import JoinQuestion
from engine.magalon.setup import ITEMS, START_ENERGY, make_setup
from engine.magalon.state import CARDS
from engine.placement import Placement, track_value
from engine.verdict import Message

NONE = "–"


def questions(
    header: Header, board: Board, placement: Placement, answers: Mapping[str, Any]
) -> tuple[JoinQuestion, ...]:
    """Energy and items, cards that lie face down, the round, who lays first and what is laid.

    The player to act is taken to begin his turn."""
    setup = make_setup(header, board)
    seats = setup.seats
    asked: list[JoinQuestion] = []
    for colour in seats:
        said = {"player": colour}
        asked += [
            JoinQuestion(
                f"energy/{colour}", Message("join.energy", f"Energy of {colour}", said), "number",
                START_ENERGY, most=setup.top, piece=f"energy_stone/{colour}",
            ),
            JoinQuestion(
                f"items/{colour}", Message("join.items", f"Items of {colour}", said), "many", (),
                tuple(ITEMS),
            ),
            JoinQuestion(
                f"played/{colour}", Message("join.played", f"Cards played by {colour}", said),
                "many", (), tuple(str(c) for c in sorted(CARDS) if c != 0),
            ),
        ]  # fmt: skip
    asked.append(JoinQuestion("round", Message("join.round", "Round"), "number", 1, (), 1, 99))
    first = Message("join.first", "Who lays first in this round?")
    asked.append(JoinQuestion("first_layer", first, "one", seats[0], seats))
    values = (NONE, *(str(c) for c in sorted(CARDS)))
    asked += [
        JoinQuestion(
            f"laid/{colour}",
            Message("join.laid", f"Card that {colour} has laid", {"player": colour}),
            "one", NONE, values,
        )
        for colour in seats
    ]  # fmt: skip
    if all(answers.get(f"laid/{c}", NONE) != NONE for c in seats):
        acted = Message("join.acted", "Who has had his turn in this round?")
        asked.append(JoinQuestion("acted", acted, "many", (), seats))
    return tuple(asked)


def position(header: Header, placement: Placement, answers: Mapping[str, Any]) -> dict[str, Any]:
    """The position of pieces and answers."""
    seats = [p.colour for p in header.players]
    at = seats.index(answers["first_layer"])
    order = [*seats[at:], *seats[:at]]
    cards = {c: int(card) for c in order if (card := answers.get(f"laid/{c}", NONE)) != NONE}
    done = set(answers.get("acted", ()))
    acting = sorted((c for c in cards if c in done), key=lambda c: -cards[c])
    down = {c: {int(v) for v in answers.get(f"played/{c}", ())} for c in seats}
    for colour, card in cards.items():  # a card on the table does not lie face down as well
        if colour not in done:
            down[colour] -= {card}
    return {
        "pieces": _pieces(placement),
        "energy": {c: _energy(placement, c) for c in seats},
        "items": {c: [i for i in ITEMS if i in answers.get(f"items/{c}", ())] for c in seats},
        "played": {c: sorted(down[c]) for c in seats},
        "table": [[c, card] for c, card in cards.items()],
        "acted": acting,
        "round": answers["round"],
        "first_layer": answers["first_layer"],
    }


def _pieces(placement: Placement) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for piece, spots in placement.pieces.items():
        if piece.startswith("ruin/"):
            out[piece] = list(spots) or None
        elif not piece.startswith("energy_stone/"):
            out[piece] = spots[0] if spots else None
    return out


def _energy(placement: Placement, colour: str) -> int:
    spots = placement.pieces.get(f"energy_stone/{colour}", ())
    mark = track_value(spots[0]) if spots else None
    return START_ENERGY if mark is None else mark
