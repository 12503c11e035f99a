"""Carcassonne's answers to what the app asks of a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from companion_app.games.carcassonne import piece_art
from companion_app.games.carcassonne.overview import overview, tile_drawing
from companion_app.games.carcassonne.table import (
    DUTY,
    LEAVE,
    OVER,
    CarcassonneSeat,
    CarcassonneTable,
    table_of,
)
from companion_app.games.face import (
    Art,
    Ask,
    Button,
    Mark,
    Offer,
    PieceLook,
    Pixels,
    Point,
    Seat,
    SeatRules,
    Switch,
    TableView,
)
from companion_app.texts import message
from engine.action import Action
from engine.board import Board
from engine.carcassonne.messages import CATALOGUE
from engine.carcassonne.setup import MAX_PLAYERS, MEEPLE_COLOURS, SWITCHES
from engine.game import Header
from engine.placement import PieceMove
from engine.referee.explain import joined
from engine.verdict import Listed, Message

LOOKS = {
    "meeple": PieceLook(0.34, 2, (0.0, -0.12, 0.34)),
    "large_meeple": PieceLook(0.46, 2, (0.0, -0.12, 0.34)),
    "mage": PieceLook(0.42, 3),
    "witch": PieceLook(0.42, 3),
}
# The sets that take part: the first one is what the rules of this app describe.
SETS = (
    "base+mage_and_witch", "base", "base+inns_and_cathedrals",
    "base+mage_and_witch+inns_and_cathedrals",
)  # fmt: skip
PANEL = "carcassonne"


class CarcassonneFace:
    """Implements ``companion_app.games.face.Face``."""

    name = "carcassonne"
    on_board = False
    seats = SeatRules(2, MAX_PLAYERS, MEEPLE_COLOURS, "seats.first")
    switches = (Switch("sets", SETS), *(Switch(k, readings) for k, readings in SWITCHES.items()))
    texts: Mapping[str, str] = CATALOGUE
    goal: int | None = None

    def __init__(self) -> None:
        self.art = Art(
            LOOKS, _ground, piece_art.piece_picture, piece_art.mark_picture,
            overview=overview, ground=tile_drawing,
        )  # fmt: skip

    def table(
        self,
        position: Mapping[str, Any],
        header: Header,
        board: Board,
        *,
        to_act: str | None,
        winner: str | None,
    ) -> TableView:
        """See ``Face``."""
        detail = table_of(position, header, to_act=to_act, winner=winner)
        over = detail.phase == OVER
        return TableView(
            round=None,
            over=over,
            to_act=to_act,
            winner=winner,
            seats=tuple(_seat(seat) for seat in detail.seats),
            headline=_headline(detail),
            hint=_hint(detail, ""),
            hint_by_hand=_hint(detail, "_by_hand"),
            button=_button(detail),
            ask=_leaving(detail),
            panel="" if over else PANEL,
            detail=detail,
        )

    def drag(self, piece: str, spots: tuple[str, ...], table: TableView) -> Action:
        """See ``Face``."""
        detail: CarcassonneTable = table.detail
        return detail.drag(piece, spots[0] if spots else None)

    def may_drop(self, kind: str, spot: str | None) -> bool:
        """See ``Face``: tiles on places, all else on features of tiles or off the map."""
        return spot is None or ("@" in spot) == (kind == "tile")

    def main_piece(self, table: TableView) -> str | None:
        """See ``Face``: the map shows by itself where something can go."""
        return None

    def turns(self, piece: str, table: TableView) -> bool:
        """See ``Face``: the map turns its tiles itself."""
        return False

    def correction(self, moves: Sequence[PieceMove]) -> Action:
        """See ``Face``."""
        pieces = {m.piece: m.to[0] if m.to else None for m in moves}
        return Action(None, "correct", {"pieces": pieces})

    def tap_mark(self, colour: str, mark: str, table: TableView) -> Action | None:
        """See ``Face``: what is in a hand follows from what stands on the map."""
        return None

    def point(self, note: Message) -> Point | None:
        """See ``Face``: what a feature gave, with how it was counted."""
        if note.key not in ("gets", "tie"):
            return None
        reasons = note.params["reasons"].values
        return Point(
            note.params["player"], note.params["points"], joined(reasons), note.params["rule"]
        )

    def offers(self, notes: Sequence[tuple[str, Mapping[str, Any]]]) -> tuple[Offer, ...]:
        """See ``Face``: nothing is left open."""
        return ()

    def main_moves(self, moves: Sequence[PieceMove]) -> Sequence[PieceMove]:
        """See ``Face``: what came to the table, rather than what was taken back from it."""
        came = [m for m in moves if m.to]
        return came or moves

    def board_view(self) -> type[Any]:
        """See ``Face``."""
        from companion_app.games.carcassonne.map_view import TileMapView

        return TileMapView

    def panels(self) -> Mapping[str, type[Any]]:
        """See ``Face``."""
        from companion_app.games.carcassonne.panel import CarcassonnePanel

        return {PANEL: CarcassonnePanel}


def _ground(board: Board, box_mm: tuple[float, float, float, float], scale: float) -> Pixels:
    """The empty table below the tiles."""
    left, top, right, bottom = box_mm
    size = (max(1, round((bottom - top) * scale)), max(1, round((right - left) * scale)), 4)
    return np.full(size, (46, 66, 78, 255), np.uint8)


def _seat(seat: CarcassonneSeat) -> Seat:
    marks = [Mark("meeple", seat.small > 0, seat.small)]
    if seat.large is not None:
        marks.append(Mark("large_meeple", seat.large > 0))
    return Seat(seat.name, seat.colour, seat.points, marks=tuple(marks))


def _headline(table: CarcassonneTable) -> Message:
    if table.winner is not None:
        winners = tuple(table.winner.split(","))
        if len(winners) > 1:
            return message("headline.shared", players=Listed(winners, "and"))
        return message("headline.wins", player=table.winner)
    if table.to_act is None:
        return message("headline.over")
    return message(f"headline.{table.phase}", player=table.to_act)


def _hint(table: CarcassonneTable, how: str) -> Message:
    if table.phase == DUTY and table.met:
        return message(f"hint.met{how}")
    if table.phase in (OVER, LEAVE):
        return message(f"hint.{table.phase}")
    return message(f"hint.{table.phase}{how}")


def _button(table: CarcassonneTable) -> Button:
    ends = (
        table.to_act is not None and table.placed is not None and table.phase not in (DUTY, LEAVE)
    )
    last = ends and not table.tiles_left
    text = message("button.count" if last else "button.end")
    return Button(text, Action(table.to_act, "end") if ends else None)


def _leaving(table: CarcassonneTable) -> Ask | None:
    """Mage or witch must go, and there is no place left (W-5, W-6)."""
    if table.phase != LEAVE:
        return None
    answers = tuple(
        Offer(
            message(f"offer.leave.{who}"), Action(table.to_act, "figure", {"who": who, "off": True})
        )
        for who in table.figures_out
    )
    return Ask(message("ask.leave"), answers)
