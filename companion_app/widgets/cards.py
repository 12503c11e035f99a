"""The hand of the player who must lay: eleven cards, the impossible ones greyed with a reason."""

from __future__ import annotations

from typing import Any

from kivy.clock import Clock
from kivy.graphics import Color, InstructionGroup, Rectangle
from kivy.properties import ObjectProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.gridlayout import GridLayout
from kivy.uix.widget import Widget

from companion_app import theme
from companion_app.magalon_table import CardFace, Table, effects
from companion_app.texts import t
from companion_app.widgets.drawing import bordered, into
from companion_app.widgets.textures import text_texture
from companion_app.widgets.turn import effect_text
from engine.board import Board


class Card(ButtonBehavior, Widget):
    """One card; a tap on a possible one is a lay."""

    face: CardFace | None = ObjectProperty(None, allownone=True)
    effect = StringProperty("")
    reason = StringProperty("")
    colour = StringProperty("violet")

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._group = InstructionGroup()
        self.canvas.add(self._group)
        self._draw = Clock.create_trigger(self._draw_now)
        for name in ("pos", "size", "face", "effect", "reason", "colour", "state"):
            self.fbind(name, self._draw)

    @property
    def possible(self) -> bool:
        """Whether this card may be laid now."""
        return self.face is not None and not self.face.why_not

    def _draw_now(self, *_: object) -> None:
        self._group.clear()
        if self.face is None or self.width < 20:
            return
        with into(self._group):
            if self.possible:
                self._paper()
            else:
                bordered(self.pos, self.size, theme.dp(9), theme.PANEL, theme.LINE, theme.dp(1.3))
            self._number(str(self.face.value))
            words = self.effect if self.possible else self.reason
            self._words(words, theme.INK if self.possible else theme.MUTED)

    def _paper(self) -> None:
        look = theme.look(self.colour)
        fill = theme.ACCENT if self.state == "down" else theme.PAPER
        bordered(self.pos, self.size, theme.dp(9), fill, look.fill, theme.dp(3))

    def _number(self, text: str) -> None:
        size = round(min(theme.sp(38), self.height * 0.42, self.width * 0.5))
        texture = text_texture(text, size, theme.INK if self.possible else theme.FAINT)
        Color(1, 1, 1, 1)
        y = self.y + self.height * 0.66 - texture.height / 2
        at = (round(self.center_x - texture.width / 2), round(y))
        Rectangle(texture=texture, pos=at, size=texture.size)

    def _words(self, text: str, colour: theme.Rgba) -> None:
        lines = text.split("\n")
        room = self.height * 0.42 / len(lines)
        textures = []
        for line in lines:
            size = round(min(theme.SIZE_SMALL, max(room * 0.8, theme.sp(10))))
            texture = text_texture(line, size, colour, False)
            while texture.width > self.width - theme.dp(12) and size > 8:
                size -= 1
                texture = text_texture(line, size, colour, False)
            textures.append(texture)
        high = sum(t.height for t in textures)
        y = self.y + max(theme.dp(4), self.height * 0.24 - high / 2) + high
        for texture in textures:
            y -= texture.height
            Color(1, 1, 1, 1)
            at = (round(self.center_x - texture.width / 2), round(y))
            Rectangle(texture=texture, pos=at, size=texture.size)


class CardHand(GridLayout):
    """All eleven cards of one player; dispatches ``on_lay(value)``."""

    __events__ = ("on_lay",)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(spacing=theme.dp(6), cols=6, **kwargs)
        self.bind(size=self._columns)
        for _ in range(11):
            card = Card()
            card.bind(on_release=self._tapped)
            self.add_widget(card)

    def on_lay(self, value: int) -> None:
        """A card was tapped that may be laid."""

    def show(self, table: Table, board: Board) -> None:
        """Shows the hand of the player who must lay."""
        seat = table.seat(table.to_act)
        if seat is None:
            return
        names = {s.colour: s.name for s in table.seats}
        for card, face in zip(reversed(self.children), seat.cards, strict=True):
            card.colour = seat.colour
            card.effect = "\n".join(effect_text(e) for e in effects(board, face.value))
            name = names.get(face.by or "", "")
            card.reason = t(f"why.{face.why_not}", name=name) if face.why_not else ""
            card.face = face

    def _columns(self, *_: object) -> None:
        one_row = self.width / 11 >= theme.TOUCH + theme.dp(6) and self.height < theme.dp(150)
        self.cols = 11 if one_row or self.height < 1.6 * theme.TOUCH else 6

    def _tapped(self, card: Card) -> None:
        if card.possible and card.face is not None:
            self.dispatch("on_lay", card.face.value)
