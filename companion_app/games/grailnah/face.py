"""Grailnah's answers to what the app asks of a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion_app.games.face import (
    Art,
    Ask,
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
from companion_app.games.grailnah import board_art, piece_art
from companion_app.games.grailnah.table import GrailnahSeat, GrailnahTable
from companion_app.texts import message
from engine.action import Action
from engine.board import Board
from engine.game import Header
from engine.grailnah.messages import CATALOGUE
from engine.grailnah.setup import SPECIALS, SWITCHES
from engine.placement import PieceMove
from engine.verdict import Listed, Message

LOOKS = {
    "castle": PieceLook(1.55, 0, drags=False, under=True),
    "knight": PieceLook(0.72, 2, (0.0, -0.14, 0.36), tray=True),
    "king": PieceLook(0.95, 4, (0.0, -0.2, 0.3)),
    "queen": PieceLook(0.9, 3, (0.0, -0.2, 0.3)),
    "merlin": PieceLook(0.95, 5),
    "morgane": PieceLook(0.95, 5),
}
KNIGHT_NOTES = {"sacrificed": "G-20", "recovered": "G-35"}


class GrailnahFace:
    """Implements ``companion_app.games.face.Face``."""

    name = "grailnah"
    on_board = True
    seats = SeatRules(2, 4, ("white", "red", "blue", "yellow"), "seats.first")
    switches = tuple(Switch(key, readings) for key, readings in SWITCHES.items())
    texts: Mapping[str, str] = CATALOGUE
    goal: int | None = None
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
        detail = GrailnahTable(to_act, winner, header, board, position)
        return TableView(
            round=None,
            over=detail.over,
            to_act=to_act,
            winner=winner,
            seats=tuple(_seat(seat) for seat in detail.seats),
            headline=_headline(detail),
            hint=_hint(detail, "hint.act"),
            hint_by_hand=_hint(detail, "hint.by_hand"),
            button=_button(detail),
            steps=_steps(detail),
            ask=_recovery(detail),
            detail=detail,
        )

    def drag(self, piece: str, spots: tuple[str, ...], table: TableView) -> Action:
        """See ``Face``."""
        detail: GrailnahTable = table.detail
        return detail.drag(piece, spots[0])

    def may_drop(self, kind: str, spot: str | None) -> bool:
        """See ``Face``: what leaves the board leaves it by the rules."""
        return spot is not None

    def main_piece(self, table: TableView) -> str | None:
        """See ``Face``: any pawn may move."""
        return None

    def turns(self, piece: str, table: TableView) -> bool:
        """See ``Face``: nothing is turned."""
        return False

    def correction(self, moves: Sequence[PieceMove]) -> Action:
        """See ``Face``; castles stay where they were drawn."""
        pieces = {
            m.piece: m.to[0] if m.to else None for m in moves if not m.piece.startswith("castle/")
        }
        return Action(None, "correct", {"pieces": pieces})

    def tap_mark(self, colour: str, mark: str, table: TableView) -> Action | None:
        """See ``Face``: a knight that is out of the game after all, or back in its castle."""
        detail: GrailnahTable = table.detail
        knight = mark.replace("/", f"/{colour}/", 1)
        pieces = detail.state.pieces
        if knight not in pieces:
            return None
        cell = detail.state.setup.castles[colour] if pieces[knight] is None else None
        return Action(None, "correct", {"pieces": {knight: cell}})

    def point(self, note: Message) -> Point | None:
        """See ``Face``: nothing is counted but knights, that are given for Morgane and come back."""
        rule = KNIGHT_NOTES.get(note.key)
        return None if rule is None else Point(note.params["player"], None, note, rule)

    def offers(self, notes: Sequence[tuple[str, Mapping[str, Any]]]) -> tuple[Offer, ...]:
        """See ``Face``: recoveries are offered by the table itself."""
        return ()

    def main_moves(self, moves: Sequence[PieceMove]) -> Sequence[PieceMove]:
        """See ``Face``: who came, rather than who was sent home by it."""
        came = [m for m in moves if m.piece in SPECIALS]
        return came or moves

    def board_view(self) -> type[Any]:
        """See ``Face``."""
        from companion_app.widgets.board_view import BoardView

        return BoardView

    def panels(self) -> Mapping[str, type[Any]]:
        """See ``Face``: the game needs none."""
        return {}


def _seat(seat: GrailnahSeat) -> Seat:
    marks = tuple(Mark(f"knight/{n}", here, taps=True) for n, here in enumerate(seat.knights, 1))
    return Seat(seat.name, seat.colour, None, marks=marks, team=seat.team)


def _headline(table: GrailnahTable) -> Message:
    if len(table.winners) > 1:
        return message("headline.team_wins", players=Listed(table.winners, "and"))
    if table.winner is not None:
        return message("headline.wins", player=table.winner)
    if table.to_act is None:
        return message("headline.drawn")
    return message("headline.act", player=table.to_act)


def _hint(table: GrailnahTable, acting: str) -> Message:
    if table.over:
        return message("hint.over")
    return message("hint.pass" if table.must_pass else acting)


def _button(table: GrailnahTable) -> Button:
    action = Action(table.to_act, "pass") if table.must_pass else None
    return Button(message("button.pass"), action)


def _steps(table: GrailnahTable) -> tuple[Step, ...]:
    """What may be moved in this turn: a pawn, Merlin or Morgane, and what speaks against it."""
    if table.over:
        return ()
    pawn = Step("pawn", message("step.pawn"), Symbol("knight", table.to_act), None, False, True)
    return (pawn, *(_special(table, name) for name in SPECIALS))


def _special(table: GrailnahTable, name: str) -> Step:
    why = table.special(name) or "may"
    title, caption = message(f"step.{name}"), message(f"step.{why}")
    return Step(name, title, Symbol(name), caption, False, True)


def _recovery(table: GrailnahTable) -> Ask | None:
    """Knights that may come back now; all of them first, since that is never worse."""
    who, most = table.recovery
    if who is None:
        return None
    answers = tuple(
        Offer(message("offer.recover", count=n), Action(who, "recover", {"count": n}))
        for n in range(most, 0, -1)
    )
    return Ask(message("ask.recover", player=who), answers)
