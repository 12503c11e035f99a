"""The hand of the player who must lay: eleven cards, the impossible ones greyed with a reason."""

from __future__ import annotations

from typing import Any

from kivy.properties import ObjectProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.gridlayout import GridLayout

from companion_app import theme
from companion_app.games.face import TableView
from companion_app.games.magalon.face import effect_messages
from companion_app.games.magalon.table import CardFace
from companion_app.texts import show, t
from companion_app.widgets.drawing import Drawn, bordered
from engine.board import Board


class Card(ButtonBehavior, Drawn):
    """One card; a tap on a possible one is a lay."""

    DRAWS = ("face", "effect", "reason", "colour", "state")

    face: CardFace | None = ObjectProperty(None, allownone=True)
    effect = StringProperty("")
    reason = StringProperty("")
    colour = StringProperty("violet")

    @property
    def possible(self) -> bool:
        """Whether this card may be laid now."""
        return self.face is not None and not self.face.why_not

    def draw(self) -> None:
        """See ``Drawn``."""
        if self.face is None or self.width < 20:
            return
        radius = theme.dp(9)
        if self.possible:
            fill = theme.ACCENT if self.state == "down" else theme.PAPER
            edge = theme.look(self.colour).fill
            bordered(self.pos, self.size, radius, fill, edge, theme.dp(3.5))
        else:
            bordered(self.pos, self.size, radius, theme.PANEL, theme.LINE, theme.dp(1.3))
        pad = theme.dp(6)
        x, y, w, h = self.x + pad, self.y + pad, self.width - 2 * pad, self.height - 2 * pad
        size = min(theme.sp(42), h * 0.5)
        ink = theme.INK if self.possible else theme.FAINT
        box = (x, y + h * 0.5, w, h * 0.5)
        self.write(str(self.face.value), box, size, ink, align="center", least=size * 0.5)
        self._words(self.effect if self.possible else self.reason, (x, y, w, h * 0.5))

    def _words(self, text: str, box: tuple[float, float, float, float]) -> None:
        colour = theme.INK if self.possible else theme.MUTED
        lines = text.split("\n")
        high = box[3] / len(lines)
        for i, line in enumerate(lines):
            part = (box[0], box[1] + box[3] - (i + 1) * high, box[2], high)
            self.write(
                line, part, theme.SIZE_SMALL, colour, bold=False, align="center",
                lines=2 if len(lines) == 1 else 1, least=theme.SIZE_LEAST * 0.75,
            )  # fmt: skip


class CardHand(GridLayout):
    """All eleven cards of one player; dispatches ``on_act("lay", {"card": value})``."""

    ROWS = 4.2

    __events__ = ("on_act",)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(spacing=theme.dp(6), cols=6, **kwargs)
        self.bind(size=self._columns)
        for _ in range(11):
            card = Card()
            card.bind(on_release=self._tapped)
            self.add_widget(card)

    def on_act(self, do: str, args: dict[str, Any]) -> None:
        """A card was tapped that may be laid."""

    def key(self, key: str) -> bool:
        """A digit lays its card; "0" is the 0, and "x" the 10."""
        value = 10 if key == "x" else int(key) if key.isdigit() and len(key) == 1 else -1
        cards = [c for c in self.children if c.face is not None and c.face.value == value]
        for card in cards:
            self._tapped(card)
        return bool(cards)

    def reset(self) -> None:
        """Nothing is half done here."""

    def show(self, table: TableView, board: Board) -> None:
        """Shows the hand of the player who must lay."""
        seat = table.detail.seat(table.to_act)
        if seat is None:
            return
        names = {s.colour: s.name for s in table.seats}
        for card, face in zip(reversed(self.children), seat.cards, strict=True):
            card.colour = seat.colour
            card.effect = "\n".join(show(e) for e in effect_messages(board, face.value))
            name = names.get(face.by or "", "")
            card.reason = t(f"why.{face.why_not}", name=name) if face.why_not else ""
            card.face = face

    def _columns(self, *_: object) -> None:
        one_row = self.width / 11 >= theme.TOUCH * 1.5 and self.height < theme.dp(150)
        self.cols = 11 if one_row or self.height < 1.6 * theme.TOUCH else 6

    def _tapped(self, card: Card) -> None:
        if card.possible and card.face is not None:
            self.dispatch("on_act", "lay", {"card": card.face.value})
