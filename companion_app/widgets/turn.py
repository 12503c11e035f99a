"""Whose turn it is, and which actions of the turn are left: tokens that turn when done."""

from __future__ import annotations

from typing import Any

from kivy.animation import Animation
from kivy.clock import Clock
from kivy.graphics import (
    Color,
    InstructionGroup,
    PopMatrix,
    PushMatrix,
    Rectangle,
    Scale,
    SmoothLine,
    SmoothRoundedRectangle,
)
from kivy.properties import BooleanProperty, NumericProperty, ObjectProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion_app import theme
from companion_app.magalon_table import Effect, Table, Token, effects
from companion_app.texts import t
from companion_app.widgets.drawing import bordered, into
from companion_app.widgets.textures import piece_texture, text_texture
from engine.board import Board

KINDS = {"wizard": "wizard", "shield": "shield", "energy": "energy_stone", "giant": "giant"}
TURN_S = 0.16


class TokenView(Widget):
    """One token; turning it over shows a tick."""

    token: Token | None = ObjectProperty(None, allownone=True)
    colour = StringProperty("violet")
    card = NumericProperty(0)
    caption = StringProperty("")
    turned = BooleanProperty(False)
    squeeze = NumericProperty(1.0)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._group = InstructionGroup()
        self._draw = Clock.create_trigger(self._draw_now)
        with self.canvas:
            PushMatrix()
            self._scale = Scale(1, 1, 1)
        self.canvas.add(self._group)
        with self.canvas:
            PopMatrix()
        self.bind(pos=self._draw, size=self._draw, caption=self._draw, colour=self._draw)
        self.bind(turned=self._draw, card=self._draw, squeeze=self._squeeze)

    def show(self, token: Token, colour: str, card: int, caption: str) -> None:
        """Shows a token; one that was just done turns over."""
        turns = self.token is not None and self.token.key == token.key and token.done != self.turned
        self.token, self.colour, self.card, self.caption = token, colour, card, caption
        Animation.cancel_all(self, "squeeze")
        if not turns:
            self.turned, self.squeeze = token.done, 1.0
            self._draw()
            return
        away = Animation(squeeze=0.02, duration=TURN_S, t="in_quad")
        away.bind(on_complete=lambda *_: setattr(self, "turned", token.done))
        (away + Animation(squeeze=1.0, duration=TURN_S, t="out_quad")).start(self)
        Clock.schedule_once(lambda *_: setattr(self, "turned", token.done), TURN_S)

    def _squeeze(self, *_: object) -> None:
        self._scale.origin = (self.center_x, self.center_y, 0)
        self._scale.x = self.squeeze

    def _draw_now(self, *_: object) -> None:
        self._group.clear()
        if self.token is None or self.width < 20:
            return
        self._squeeze()
        with into(self._group):
            fill = theme.GOOD_PANEL if self.turned else theme.RAISED
            open_edge = theme.RAISED if self.token.optional else theme.ACCENT
            edge = theme.GOOD if self.turned else open_edge
            bordered(self.pos, self.size, theme.RADIUS, fill, edge, theme.dp(2))
            self._symbol()
            self._words()

    def _symbol(self) -> None:
        side = round(min(self.width * 0.5, self.height * 0.46))
        x, y = round(self.center_x - side / 2), round(self.top - side - self.height * 0.07)
        if self.turned:
            Color(*theme.GOOD)
            points = [
                x + side * 0.14,
                y + side * 0.5,
                x + side * 0.4,
                y + side * 0.2,
                x + side * 0.9,
                y + side * 0.8,
            ]
            SmoothLine(points=points, width=theme.dp(3), cap="round", joint="round")
            return
        key = self.token.key if self.token else ""
        Color(1, 1, 1, 1)
        if key in KINDS:
            kind = KINDS[key]
            texture = piece_texture(kind, None if kind == "giant" else self.colour, side)
            Rectangle(texture=texture, pos=(x, y), size=(side, side))
            return
        Color(*theme.PAPER)
        SmoothRoundedRectangle(
            pos=(x + side * 0.14, y), size=(side * 0.72, side), radius=[theme.dp(5)]
        )
        number = text_texture(str(int(self.card)), round(side * 0.56), theme.INK)
        Color(1, 1, 1, 1)
        at = (round(x + side / 2 - number.width / 2), round(y + side / 2 - number.height / 2))
        Rectangle(texture=number, pos=at, size=number.size)

    def _words(self) -> None:
        assert self.token is not None
        lines = (
            (t(f"token.{self.token.key}"), theme.SIZE_SMALL, theme.TEXT, True),
            (self.caption, theme.SIZE_LEAST, theme.MUTED, False),
        )
        low = self.height < theme.dp(76)
        lines = lines[:1] if low else lines
        y = self.y + self.height * (0.48 if low else 0.43)
        for text, size, colour, bold in lines:
            if not text:
                continue
            at = round(size)
            texture = text_texture(text, at, colour, bold)
            while texture.width > self.width - theme.dp(6) and at > 9:
                at -= 1
                texture = text_texture(text, at, colour, bold)
            y -= texture.height
            Color(1, 1, 1, 1)
            Rectangle(
                texture=texture,
                pos=(round(self.center_x - texture.width / 2), round(y)),
                size=texture.size,
            )


class Tokens(BoxLayout):
    """The tokens of the turn."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(spacing=theme.GAP, **kwargs)

    def show(self, table: Table, board: Board) -> None:
        """Shows what is left of the turn that ``table`` is in."""
        tokens = [token for token in table.tokens if token.needed]
        while len(self.children) > len(tokens):
            self.remove_widget(self.children[0])
        while len(self.children) < len(tokens):
            self.add_widget(TokenView())
        card = dict(table.laid).get(table.to_act or "", 0)
        for view, token in zip(reversed(self.children), tokens, strict=True):
            view.show(token, table.to_act or "", card, caption(token, card, table, board))


def caption(token: Token, card: int, table: Table, board: Board) -> str:
    """The small line on a token: how far, or what it does."""
    if token.done:
        return t("token.done")
    if token.key == "wizard":
        return t("token.walk", n=card)
    if token.key == "card":
        return " · ".join(effect_text(e) for e in effects(board, card))
    if token.key == "giant":
        return t("token.dice", n=sum(table.dice)) if table.dice else t("token.roll")
    return t("token.may" if token.optional else "token.must")


def effect_text(effect: Effect) -> str:
    """A card's effect in two words."""
    number = effect.number if effect.number is not None else "?"
    return (
        t(f"effect.{effect.kind}", n=number)
        if effect.kind in ("energy", "ruins", "goblins")
        else t(f"effect.{effect.kind}")
    )
