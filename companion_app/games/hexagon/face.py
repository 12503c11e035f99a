"""The answers of Das Magische Hexagon to what the app asks of a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion_app.games.face import (
    Art,
    Button,
    Mark,
    Offer,
    PieceLook,
    Point,
    Seat,
    SeatRules,
    Step,
    Switch,
    Symbol,
    TableView,
)
from companion_app.games.hexagon import board_art, piece_art
from companion_app.games.hexagon.table import HexagonSeat, HexagonTable, table_of
from companion_app.texts import message
from engine.action import Action
from engine.board import Board
from engine.game import Header
from engine.hexagon.messages import CATALOGUE
from engine.hexagon.setup import GOAL, SWITCHES
from engine.placement import PieceMove
from engine.verdict import Message

LOOKS = {
    "wisdom": PieceLook(0.92, 1, (0.0, 0.0, 0.42), tray=True),
    "wizard": PieceLook(1.0, 2, (0.0, -0.11, 0.43)),
}


class HexagonFace:
    """Implements ``companion_app.games.face.Face``."""

    name = "hexagon"
    on_board = True
    seats = SeatRules(2, 2, ("red", "blue"), "seats.first")
    switches = tuple(Switch(key, readings) for key, readings in SWITCHES.items())
    texts: Mapping[str, str] = CATALOGUE
    goal = GOAL
    art = Art(LOOKS, board_art.board_picture, piece_art.piece_picture, piece_art.mark_picture)

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
        detail = table_of(position, header, board, to_act=to_act, winner=winner)
        return TableView(
            round=None,
            over=detail.phase == "over",
            to_act=to_act,
            winner=winner,
            seats=tuple(_seat(seat) for seat in detail.seats),
            headline=_headline(detail),
            hint=_hint(detail, ""),
            hint_by_hand=_hint(detail, "_by_hand"),
            button=_button(detail),
            steps=_steps(detail),
            detail=detail,
        )

    def drag(self, piece: str, spots: tuple[str, ...], table: TableView) -> Action:
        """See ``Face``."""
        detail: HexagonTable = table.detail
        return detail.drag(piece, spots[0])

    def may_drop(self, kind: str, spot: str | None) -> bool:
        """See ``Face``: nothing is taken off the board by hand."""
        return spot is not None

    def main_piece(self, table: TableView) -> str | None:
        """See ``Face``: there are ten of them."""
        return None

    def turns(self, piece: str, table: TableView) -> bool:
        """See ``Face``: nothing is turned."""
        return False

    def correction(self, moves: Sequence[PieceMove]) -> Action:
        """See ``Face``."""
        pieces = {m.piece: m.to[0] if m.to else None for m in moves}
        return Action(None, "correct", {"pieces": pieces})

    def tap_mark(self, colour: str, mark: str, table: TableView) -> Action | None:
        """See ``Face``: burnt wisdoms are no sign to be given or taken."""
        return None

    def point(self, note: Message) -> Point | None:
        """See ``Face``: what a burnt wisdom gave; less than its value where H-A17 stops at 0."""
        if note.key != "scores":
            return None
        said = note.params
        return Point(said["player"], said["points"] - said["was"], note, "H-19")

    def offers(self, notes: Sequence[tuple[str, Mapping[str, Any]]]) -> tuple[Offer, ...]:
        """See ``Face``: nothing is left open."""
        return ()

    def main_moves(self, moves: Sequence[PieceMove]) -> Sequence[PieceMove]:
        """See ``Face``: everything that was pushed moves, and the arrow of each tells how."""
        return moves

    def board_view(self) -> type[Any]:
        """See ``Face``."""
        from companion_app.widgets.board_view import BoardView

        return BoardView

    def panels(self) -> Mapping[str, type[Any]]:
        """See ``Face``: what burnt is asked like any other question."""
        return {}


def _seat(seat: HexagonSeat) -> Seat:
    marks = (Mark("burnt", seat.burnt > 0, seat.burnt),)
    return Seat(seat.name, seat.colour, seat.points, seat.ready, marks)


def _headline(table: HexagonTable) -> Message:
    if table.winner is not None:
        return message("headline.wins", player=table.winner)
    if table.to_act is None:
        return message("headline.drawn")
    if table.pending:
        return message("headline.burns", player=table.to_act)
    return message(f"headline.{table.phase}", player=table.to_act)


def _hint(table: HexagonTable, how: str) -> Message:
    if table.to_act is None:
        return message("hint.over")
    if table.pending:
        return message("hint.burns")
    return message(f"hint.{table.phase}{how}")


def _button(table: HexagonTable) -> Button:
    action = Action(table.to_act, "pass") if table.must_pass else None
    return Button(message("button.pass"), action)


def _steps(table: HexagonTable) -> tuple[Step, ...]:
    """While wisdoms are placed: how many each player still has in hand."""
    if table.phase != "placing":
        return ()
    return tuple(
        Step(
            f"hand.{seat.colour}",
            message("step.hand"),
            Symbol("wisdom", seat.colour),
            message("step.left", n=seat.in_hand),
            not seat.in_hand,
            seat.colour != table.to_act,
        )
        for seat in table.seats
    )
