"""What a tap asks of the session: small immutable commands, handled in the order they came."""

from __future__ import annotations

from dataclasses import dataclass

from engine.action import Action
from engine.observation import Observation


@dataclass(frozen=True, slots=True)
class Do:
    """An action as in the record, from a tap: lay, pass, roll, end, stay, undo."""

    action: Action


@dataclass(frozen=True, slots=True)
class Drag:
    """A piece dragged on the drawing to ``spots`` (empty: off the board).

    ``correct``: set it there without asking the rules.
    """

    piece: str
    spots: tuple[str, ...]
    correct: bool = False


@dataclass(frozen=True, slots=True)
class Choose:
    """The answer ``index`` (from 0) to the open question ``question``."""

    question: str
    index: int


@dataclass(frozen=True, slots=True)
class Refuse:
    """Takes back a reading that the referee accepted on its own."""

    verdict: str


@dataclass(frozen=True, slots=True)
class Dismiss:
    """The message was read; take it off the screen."""


@dataclass(frozen=True, slots=True)
class AskHints:
    """Which cells can this piece reach?  None clears the answer.  ``shown``: drawn at once, without
    the piece being touched."""

    piece: str | None
    shown: bool = False


@dataclass(frozen=True, slots=True)
class Repair:
    """One of the repairs that the snapshot offers, by its index."""

    index: int


@dataclass(frozen=True, slots=True)
class TakeAsIs:
    """The table is right and the app is not: set the refused pieces as they stand."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A reading from the eyes."""

    observation: Observation


@dataclass(frozen=True, slots=True)
class Begin:
    """The first command of a session."""


@dataclass(frozen=True, slots=True)
class Refresh:
    """Publish a new snapshot: the camera's state has changed."""


Command = (
    Do | Drag | Choose | Refuse | Dismiss | AskHints | Repair | TakeAsIs | Seen | Begin | Refresh
)
