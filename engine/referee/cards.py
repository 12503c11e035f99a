"""Cards that are known in advance: the file of ``watch --cards``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.errors import BoardwardenError

Cards = dict[int, tuple[tuple[str, int | None], ...]]


def parse_cards(value: Any) -> Cards:
    """Reads ``{"cards": [{"round": 1, "laid": [["violet", 6], …]}]}`` or the bare list.

    A card of null is a pass.  Raises BoardwardenError with what is wrong and where.
    """
    rounds = value.get("cards") if isinstance(value, Mapping) else value
    if not isinstance(rounds, list):
        raise BoardwardenError('the cards must be a list of {"round": 1, "laid": [["violet", 6]]}')
    cards: Cards = {}
    for at, entry in enumerate(rounds, 1):
        try:
            round_ = int(entry["round"])
            laid = tuple(
                (str(colour), None if card is None else int(card)) for colour, card in entry["laid"]
            )
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise BoardwardenError(
                f'entry {at} of the cards must look like {{"round": 1, "laid": [["violet", 6]]}}'
            ) from error
        if round_ in cards:
            raise BoardwardenError(f"round {round_} is in the cards twice")
        cards[round_] = laid
    return cards
