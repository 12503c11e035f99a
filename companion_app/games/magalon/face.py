"""Magalon's answers to what the app asks of a game."""

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
from companion_app.games.magalon import board_art, drags, piece_art
from companion_app.games.magalon.table import (
    ITEMS,
    Effect,
    MagalonSeat,
    MagalonTable,
    Phase,
    Token,
    effects,
    table_of,
)
from companion_app.texts import message
from engine.action import Action
from engine.board import Board
from engine.game import Header
from engine.magalon.messages import CATALOGUE
from engine.magalon.setup import FINISH_ENERGY, SWITCHES
from engine.placement import PieceMove
from engine.verdict import Listed, Message

PIECE_OF_TOKEN = {
    "wizard": "wizard",
    "shield": "shield",
    "energy": "energy_stone",
    "giant": "giant",
}
OPEN_ITEMS = {
    "item_perhaps": ("leave", "offer.item_not"),
    "item_missed": ("take", "offer.item_yes"),
}
LOOKS = {
    "ruin": PieceLook(1.0, 0, spread=True),
    "energy_stone": PieceLook(0.62, 2, (0.0, 0.0, 0.66)),
    "shield": PieceLook(1.05, 3, (0.0, 0.03, 0.52), tray=True),
    "goblin": PieceLook(1.18, 4, numbered=True),
    "giant": PieceLook(1.5, 5),
    "wizard": PieceLook(1.42, 6, (0.0, -0.11, 0.43), tray=True),
}


class MagalonFace:
    """Implements ``companion_app.games.face.Face``."""

    name = "magalon"
    on_board = True
    seats = SeatRules(2, 4, ("violet", "green", "red", "orange"), "seats.first")
    switches = tuple(Switch(key, readings) for key, readings in SWITCHES.items())
    goal: int | None = FINISH_ENERGY
    texts: Mapping[str, str] = CATALOGUE
    art = Art(
        LOOKS,
        board_art.board_picture,
        piece_art.piece_picture,
        piece_art.item_picture,
        piece_art.spread_picture,
    )

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
            round=detail.round,
            over=detail.phase is Phase.OVER,
            to_act=to_act,
            winner=winner,
            seats=tuple(_seat(seat) for seat in detail.seats),
            headline=_headline(detail),
            hint=_hint(detail, "hint.act"),
            hint_by_hand=_hint(detail, "hint.by_hand"),
            button=_button(detail),
            steps=tuple(_step(token, detail, board) for token in detail.tokens if token.needed),
            ask=_red_field(detail) if detail.choose_red else None,
            panel=_panel(detail),
            detail=detail,
        )

    def drag(self, piece: str, spots: tuple[str, ...], table: TableView) -> Action:
        """See ``Face``."""
        return drags.action_of_drag(piece, spots, table.detail)

    def may_drop(self, kind: str, spot: str | None) -> bool:
        """See ``Face``: stones stay on their scale, shields may come back from the board."""
        if spot is None:
            return kind == "shield"
        return spot.startswith("track/") == (kind == "energy_stone")

    def main_piece(self, table: TableView) -> str | None:
        """See ``Face``: the wizard, then the giant where it is to move."""
        left = [s.key for s in table.steps if not s.done]
        if table.to_act is None or not table.steps:
            return None
        wizard = f"wizard/{table.to_act}"
        return "giant" if "giant" in left and "wizard" not in left else wizard

    def turns(self, piece: str, table: TableView) -> bool:
        """See ``Face``: a ruin that is lifted (M-35)."""
        return piece.startswith("ruin/") and table.detail.card == drags.LIFT_CARD

    def correction(self, moves: Sequence[PieceMove]) -> Action:
        """See ``Face``."""
        return drags.correction(moves)

    def tap_mark(self, colour: str, mark: str, table: TableView) -> Action | None:
        """See ``Face``: an item that a player has after all, or has not."""
        seat = table.detail.seat(colour)
        if seat is None or mark not in ITEMS:
            return None
        items = [i for i in ITEMS if (i in seat.items) != (i == mark)]
        return Action(None, "correct", {"items": {colour: items}})

    def point(self, note: Message) -> Point | None:
        """See ``Face``: bookings of energy, and items."""
        said, rules = note.params, note.params.get("rules") or [None]
        if note.key in ("energy_moved", "energy_reminder"):
            why = Message("energy_moved", note.text, said)
            return Point(said["player"], said["now"] - said["was"], why, ", ".join(rules))
        if note.key in ("item_taken", "item_perhaps"):
            return Point(said["player"], None, note, "M-53")
        if note.key == "energy_reset":
            return Point(said["player"], None, note, rules[0])
        return None

    def offers(self, notes: Sequence[tuple[str, Mapping[str, Any]]]) -> tuple[Offer, ...]:
        """See ``Face``: items that the way may or may not have led over."""
        return tuple(
            Offer(
                message(OPEN_ITEMS[key][1], item=said["item"]),
                Action(said["player"], OPEN_ITEMS[key][0], {"item": said["item"]}),
            )
            for key, said in notes
            if key in OPEN_ITEMS and "item" in said and "player" in said
        )

    def main_moves(self, moves: Sequence[PieceMove]) -> Sequence[PieceMove]:
        """See ``Face``: stones only if nothing else has moved."""
        return [m for m in moves if not m.piece.startswith("energy_stone/")] or moves

    def board_view(self) -> type[Any]:
        """See ``Face``."""
        from companion_app.widgets.board_view import BoardView

        return BoardView

    def panels(self) -> Mapping[str, type[Any]]:
        """See ``Face``."""
        from companion_app.games.magalon.dice import Dice
        from companion_app.games.magalon.hand import CardHand

        return {"hand": CardHand, "dice": Dice}


def _seat(seat: MagalonSeat) -> Seat:
    return Seat(
        seat.name,
        seat.colour,
        seat.energy,
        seat.energy >= FINISH_ENERGY,
        tuple(Mark(item, item in seat.items, taps=True) for item in ITEMS),
        "" if seat.laid is None else str(seat.laid),
    )


def _headline(table: MagalonTable) -> Message:
    if table.winner is not None:
        return message("headline.wins", player=table.winner)
    seat = table.seat(table.to_act)
    if seat is None:
        return Message("", "")
    if table.phase is Phase.LAY:
        return message("headline.lay", player=seat.colour)
    if seat.laid is None:
        return message("headline.passed", player=seat.colour)
    return message("headline.act", player=seat.colour, card=seat.laid)


def _hint(table: MagalonTable, acting: str) -> Message:
    if table.phase is Phase.OVER:
        return message("hint.over")
    if table.phase is Phase.LAY and table.to_act is not None:
        return message("hint.lay", player=table.to_act)
    return message(acting)


def _button(table: MagalonTable) -> Button:
    if table.phase is Phase.LAY:
        action = Action(table.to_act, "pass") if table.can_pass else None
        return Button(message("button.pass"), action)
    action = Action(table.to_act, "end") if table.phase is Phase.ACT else None
    return Button(message("button.end"), action)


def _panel(table: MagalonTable) -> str:
    if table.phase is Phase.LAY:
        return "hand"
    return "dice" if table.phase is Phase.ACT and table.giant_due else ""


def _red_field(table: MagalonTable) -> Ask:
    stay = Offer(message("offer.stay"), Action(table.to_act, "stay"))
    return Ask(message("ask.red"), (stay,))


def _step(token: Token, table: MagalonTable, board: Board) -> Step:
    colour = None if token.key == "giant" else table.to_act
    kind = PIECE_OF_TOKEN.get(token.key)
    symbol = Symbol("card", text=str(table.card)) if kind is None else Symbol(kind, colour)
    return Step(
        token.key,
        message(f"token.{token.key}"),
        symbol,
        _caption(token, table, board),
        token.done,
        token.optional,
    )


def _caption(token: Token, table: MagalonTable, board: Board) -> Message:
    """How far, or what it does."""
    if token.done:
        return message("token.done")
    if token.key == "wizard":
        return message("token.walk", n=table.card)
    if token.key == "card" and table.card is not None:
        return message("token.effects", parts=Listed(effect_messages(board, table.card), ""))
    if token.key == "giant":
        return message("token.walk", n=sum(table.dice)) if table.dice else message("token.roll")
    return message("token.may" if token.optional else "token.must")


def effect_messages(board: Board, card: int) -> tuple[Message, ...]:
    """A card's effects, each in two words."""
    return tuple(_effect(e) for e in effects(board, card))


def _effect(effect: Effect) -> Message:
    number = "?" if effect.number is None else effect.number
    return message(f"effect.{effect.kind}", n=number)
