"""Verdicts: what the rules say of an action, or of an arrangement that was seen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from engine.action import Action
from engine.placement import PieceMove


class Status(Enum):
    """The five answers; an illegal one leaves the state as it was."""

    LEGAL = "legal"
    PENDING = "pending"
    ILLEGAL = "illegal"
    AMBIGUOUS = "ambiguous"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class Listed:
    """Several values inside a sentence; ``word``: "or", "and", or "" for a row with commas."""

    values: tuple[Any, ...]
    word: str = "or"

    def __str__(self) -> str:
        texts = [str(v) for v in self.values]
        if not self.word or len(texts) < 2:
            return ", ".join(texts)
        return f"{', '.join(texts[:-1])} {self.word} {texts[-1]}"


@dataclass(frozen=True, slots=True)
class Message:
    """A sentence for people: a catalogue ``key``, its parameters, and the English text.

    Parameters are ids (of pieces, cells, colours), numbers, a ``Listed`` of them, or parts of the
    sentence that are messages themselves, so that another language can say all of it.
    """

    key: str
    text: str
    params: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.text


EMPTY = Message("", "")


@dataclass(frozen=True, slots=True)
class Choice:
    """One reading of an ambiguous arrangement, that a tap would take."""

    text: Message
    actions: tuple[Action, ...]


@dataclass(frozen=True, slots=True)
class Verdict:
    """The referee's word on an arrangement.

    ``actions``: what was understood, in the order in which it is legal (for ILLEGAL: the action
    that is refused).  ``pieces``: what stands elsewhere than before.  ``rule`` and ``cells``: why
    not, and where.  ``way_back``: what to put back.  ``pending``: what would complete it.
    ``confidence``: 0 to 1.
    """

    status: Status
    player: str | None = None
    actions: tuple[Action, ...] = ()
    pieces: tuple[PieceMove, ...] = ()
    rule: str | None = None
    cells: tuple[str, ...] = ()
    message: Message = EMPTY
    way_back: tuple[PieceMove, ...] = ()
    pending: Message = EMPTY
    choices: tuple[Choice, ...] = ()
    confidence: float = 1.0
