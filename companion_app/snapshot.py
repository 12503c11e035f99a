"""The one immutable picture of the game that the session hands to the screens."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from companion_app.games.face import Offer, TableView
from companion_app.sight import Checks
from engine.game import Header
from engine.placement import PieceMove, Placement
from engine.verdict import Message, Status


class Light(Enum):
    """The traffic light: what the camera sees, in one of five states."""

    OFF = "off"
    WAIT = "wait"
    LOOK = "look"
    HAND = "hand"
    TROUBLE = "trouble"


@dataclass(frozen=True, slots=True)
class CameraState:
    """``light`` and a sentence; ``detail`` names the remedy when there is trouble; ``checks``: for
    setting the camera up."""

    light: Light
    text: Message
    detail: Message | None = None
    checks: Checks | None = None

    @property
    def asks_corner(self) -> bool:
        """Whether somebody must point at the board's upper left corner: it looks the same from several
        sides."""
        return self.text.key == "board.turn"


@dataclass(frozen=True, slots=True)
class Sentence:
    """What the message place shows: a verdict in words.

    ``cells`` are marked on the board; ``way_back`` says what to put back; ``doubtful`` is True
    when a tap may take the reading back; ``offers`` decide what was left open.
    """

    id: str
    status: Status
    message: Message
    rule: str | None = None
    cells: tuple[str, ...] = ()
    player: str | None = None
    way_back: tuple[PieceMove, ...] = ()
    differences: tuple[PieceMove, ...] = ()
    doubtful: bool = False
    offers: tuple[Offer, ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """An open question with its answers, best first."""

    id: str
    text: Message
    choices: tuple[Message, ...]
    cells: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line of the short history: who, what, and the rule that gave it."""

    text: Message
    player: str | None = None
    rule: str | None = None


@dataclass(frozen=True, slots=True)
class Hints:
    """Cells that a piece can reach now; ``shown``: also while nobody touches the piece."""

    piece: str
    cells: frozenset[str]
    shown: bool = False


@dataclass(frozen=True)
class Snapshot:
    """Everything that the screens show, but the live picture.

    ``serial`` grows by one with each snapshot.  ``last_move``: what moved last, for the arrow.
    ``sentence`` and ``question``: what is open.  ``differences``: where the table, as seen last, is
    not as the app believes; ``repairs``: what one tap could do about it, best first.  ``storage``: set when the game cannot be saved.
    """

    serial: int
    header: Header
    placement: Placement
    table: TableView
    camera: CameraState
    last_move: tuple[PieceMove, ...] = ()
    sentence: Sentence | None = None
    question: Question | None = None
    differences: tuple[PieceMove, ...] = ()
    repairs: tuple[Message, ...] = ()
    log: tuple[LogLine, ...] = ()
    hints: Hints | None = None
    storage: Message | None = None
    can_undo: bool = False
    lines_written: int = 0
    extra: dict[str, object] = field(default_factory=dict)
