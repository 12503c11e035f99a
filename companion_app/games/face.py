"""What the app needs to know of a game.  Every game has a folder beside this file that answers.

``Face`` is plain data and rules of showing (no Kivy: the session's thread uses it); ``Art`` draws
pictures with numpy; ``Panel`` widgets are made only by the screens (``Face.panels``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from engine.action import Action
from engine.board import Board
from engine.game import Header
from engine.placement import PieceMove, Placement
from engine.verdict import Message

Pixels = NDArray[np.uint8]
Cells = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Mark:
    """A sign beside a player's name: something won or still to win.

    ``count``: written beside it; ``taps``: may be set by hand with "Correct".
    """

    key: str
    filled: bool
    count: int | None = None
    taps: bool = False


@dataclass(frozen=True, slots=True)
class Seat:
    """A player's side of the table.

    ``number`` counts (energy, points); ``ready``: it is high enough to win; ``badge``: a card laid
    or the like, "" for none; ``team``: the letter of a team.
    """

    name: str
    colour: str
    number: int | None
    ready: bool = False
    marks: tuple[Mark, ...] = ()
    badge: str = ""
    team: str = ""


@dataclass(frozen=True, slots=True)
class Symbol:
    """A picture on a step: a piece (``kind`` and ``colour``), or with ``text`` a card."""

    kind: str
    colour: str | None = None
    text: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """One thing of the turn.  ``caption``: how far, or what it does."""

    key: str
    title: Message
    symbol: Symbol
    caption: Message | None
    done: bool
    optional: bool


@dataclass(frozen=True, slots=True)
class Button:
    """The main button of the table: what it says and does; disabled without an action."""

    text: Message
    action: Action | None


@dataclass(frozen=True, slots=True)
class Offer:
    """A button that decides what was left open."""

    text: Message
    action: Action


@dataclass(frozen=True, slots=True)
class Ask:
    """A choice that the game itself offers now, e.g. to stay on a red field."""

    text: Message
    answers: tuple[Offer, ...]


@dataclass(frozen=True)
class TableView:
    """What lies around the board now.

    ``headline``: whose turn; ``hint``: what to do, where nothing more urgent is said (with and
    without a camera); ``steps``: the turn's parts; ``panel``: which of the game's panels is
    needed, "" for none; ``detail``: the game's own view, for its panels.
    """

    round: int | None
    over: bool
    to_act: str | None
    winner: str | None
    seats: tuple[Seat, ...]
    headline: Message
    hint: Message
    hint_by_hand: Message
    button: Button
    steps: tuple[Step, ...] = ()
    ask: Ask | None = None
    panel: str = ""
    detail: Any = None

    def seat(self, colour: str | None) -> Seat | None:
        """The seat of a colour."""
        return next((s for s in self.seats if s.colour == colour), None)


@dataclass(frozen=True, slots=True)
class PieceLook:
    """How a kind is drawn: ``size`` in cells, ``layer`` (higher ones over lower ones).

    ``letter``: where the player's letter stands (x, y, share of the size), None for none;
    ``numbered``: equal pieces carry their number; ``spread``: drawn over all its cells;
    ``tray``: off the board it lies in the tray; ``drags``: can be dragged by hand; ``under``: lies
    under the others on its spot, like a castle under those inside.
    """

    size: float = 1.0
    layer: int = 0
    letter: tuple[float, float, float] | None = None
    numbered: bool = False
    spread: bool = False
    tray: bool = False
    drags: bool = True
    under: bool = False


Box = tuple[float, float, float, float]  # left, top, width, height as shares of a drawing


@dataclass(frozen=True, slots=True)
class Shown:
    """A picture by its name on the page for spectators, and where; ``colour``: whose it is."""

    src: str
    box: Box
    colour: str | None = None


@dataclass(frozen=True)
class Overview:
    """A table without a board, whole: ``ground`` lies under what is marked, ``pieces`` over it;
    ``boxes``: where the places lie, by name."""

    ground: tuple[Shown, ...]
    pieces: tuple[Shown, ...]
    boxes: Mapping[str, Box]


@dataclass(frozen=True)
class Art:
    """Pictures of one game; all return (H, W, 4) RGBA, rows from the top.

    ``board(board, box_mm, scale)``; ``piece(kind, colour, size)``; ``spread(kind, cells, cell)``
    for pieces over several cells; ``mark(key, size, filled)``; where there is no board,
    ``overview(placement)`` says where all is drawn, and ``ground(name, size)`` draws what lies there.
    """

    looks: Mapping[str, PieceLook]
    board: Callable[[Board, tuple[float, float, float, float], float], Pixels]
    piece: Callable[[str, str | None, int], Pixels]
    mark: Callable[[str, int, bool], Pixels]
    spread: Callable[[str, Cells, int], Pixels] | None = None
    overview: Callable[[Placement], Overview] | None = None
    ground: Callable[[str, int], Pixels] | None = None

    def look(self, kind: str) -> PieceLook:
        """The look of a kind; a plain one where the game names none."""
        return self.looks.get(kind, PieceLook())


@dataclass(frozen=True, slots=True)
class Switch:
    """A rule that a group may set: its id, and its readings, the default first."""

    id: str
    readings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SeatRules:
    """How many play, in which colours, and who sits first (text key)."""

    least: int
    most: int
    colours: tuple[str, ...]
    first: str


@dataclass(frozen=True, slots=True)
class Point:
    """What a player won or lost: ``change`` of the number (None: something else, as an item), why,
    and the rule that gave it."""

    player: str
    change: int | None
    why: Message
    rule: str | None


class Face(Protocol):
    """The door to a game's folder.  Nothing here judges: that is the engine's word."""

    name: str
    seats: SeatRules
    switches: tuple[Switch, ...]
    art: Art
    on_board: bool  # whether it is played on a printed board, which can be measured
    goal: int | None  # the number from which a player may win, None where there is none
    texts: Mapping[str, str]  # English of the engine's sentences of this game, by key

    def table(
        self,
        position: Mapping[str, Any],
        header: Header,
        board: Board,
        *,
        to_act: str | None,
        winner: str | None,
    ) -> TableView:
        """What the screens show of a position (see the record format)."""

    def drag(self, piece: str, spots: tuple[str, ...], table: TableView) -> Action:
        """What a drag on the drawing means now; the engine judges it."""

    def may_drop(self, kind: str, spot: str | None) -> bool:
        """Whether a piece of this kind can be dropped on a spot at all; None: off the board."""

    def main_piece(self, table: TableView) -> str | None:
        """The piece whose moves are shown when somebody asks for possible moves."""

    def turns(self, piece: str, table: TableView) -> bool:
        """Whether a piece waits to be turned before it is put down."""

    def correction(self, moves: Sequence[PieceMove]) -> Action:
        """``correct`` that sets pieces where they stand, without asking the rules."""

    def tap_mark(self, colour: str, mark: str, table: TableView) -> Action | None:
        """``correct`` that gives a player a mark or takes it away."""

    def point(self, note: Message) -> Point | None:
        """What a note of the rules gave or took, None if nothing."""

    def offers(self, notes: Sequence[tuple[str, Mapping[str, Any]]]) -> tuple[Offer, ...]:
        """What a tap can still decide about accepted actions, from their notes (key, params)."""

    def main_moves(self, moves: Sequence[PieceMove]) -> Sequence[PieceMove]:
        """Those of the moves that the arrow of the last move shows."""

    def board_view(self) -> type[Any]:
        """The widget that draws the table; imports Kivy.  ``widgets.board_view.BoardView`` for
        every game on a printed board."""

    def panels(self) -> Mapping[str, type[Any]]:
        """The game's own widgets by name; imports Kivy.  Each has ``ROWS`` (its height in
        touches), ``show(table, board)``, ``reset()``, ``key(key)`` and the event
        ``on_act(do, args)``; one that works together with the drawing has ``link(view)``."""


@dataclass(frozen=True)
class Games:
    """Games by name, loaded when they are first asked for."""

    makers: Mapping[str, Callable[[], Face]]
    _made: dict[str, Face] = field(default_factory=dict)

    def __call__(self, name: str) -> Face:
        """The face of a game; raises KeyError for one that the app has no folder for."""
        if name not in self._made:
            self._made[name] = self.makers[name]()
        return self._made[name]

    def names(self) -> tuple[str, ...]:
        """All games in the order in which they are offered."""
        return tuple(self.makers)
