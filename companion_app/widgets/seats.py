"""The players: name, number (energy, points), marks, and the card laid this round."""

from __future__ import annotations

from typing import Any

from kivy.clock import Clock
from kivy.graphics import Color, Rectangle
from kivy.properties import BooleanProperty, NumericProperty, ObjectProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.gridlayout import GridLayout

from companion_app import theme
from companion_app.games.face import Mark, Seat, TableView
from companion_app.widgets.drawing import Drawn, bordered, largest_size
from companion_app.widgets.textures import mark_texture, player_texture


class SeatRow(ButtonBehavior, Drawn):
    """One player.  ``mark_at`` tells which sign is nearest to a touch."""

    DRAWS = ("seat", "active", "game", "name_size")

    seat: Seat | None = ObjectProperty(None, allownone=True)
    active = BooleanProperty(False)
    game = StringProperty("")
    name_size = NumericProperty(0.0)  # in which all names are written; 0: as large as fits

    __events__ = ("on_measured",)

    def __init__(self, **kwargs: Any) -> None:
        self.symbols: dict[str, float] = {}
        self.name_fits = 0.0
        super().__init__(**kwargs)

    def on_measured(self) -> None:
        """``name_fits`` tells in which size the name fits."""

    def mark_at(self, x: float) -> str | None:
        """The sign within half a finger of ``x`` that may be tapped."""
        near = sorted((abs(x - at), key) for key, at in self.symbols.items())
        return near[0][1] if near and near[0][0] <= theme.TOUCH / 2 else None

    def draw(self) -> None:
        """See ``Drawn``."""
        self.symbols = {}
        if self.seat is None or self.width < 60 or self.height < theme.dp(30):
            return
        fill = theme.RAISED if self.active else theme.PANEL
        edge = theme.ACCENT if self.active else theme.PANEL
        bordered(self.pos, self.size, theme.RADIUS, fill, edge, theme.dp(3))
        if self.height >= theme.dp(70) and self.width < theme.sp(290):
            self._narrow(self.seat)
        elif self.height >= theme.dp(52 if self.width < theme.sp(420) else 70):
            self._two_lines(self.seat)
        else:
            self._one_line(self.seat)

    def _two_lines(self, seat: Seat) -> None:
        pad = theme.dp(10)
        side = min(self.height - 2 * pad, theme.dp(46))
        x = self.x + pad
        self._player(seat.colour, x, side, self.center_y)
        x += side + pad
        upper, lower = self.y + self.height * 0.7, self.y + self.height * 0.26
        beside = self._number(seat, self.right - pad, self.center_y, theme.dp(54))
        if seat.badge:
            beside = self._badge(seat.badge, beside, self.center_y)
        self._marks(seat.marks, x, lower)
        self._name(seat, (x, upper - theme.dp(17), beside - x, theme.dp(34)))

    def _narrow(self, seat: Seat) -> None:
        """The name has a line of its own."""
        pad, side = theme.dp(8), theme.dp(32)
        upper, lower = self.y + self.height * 0.74, self.y + self.height * 0.28
        x = self.x + pad
        self._player(seat.colour, x, side, upper)
        x += side + pad
        self._name(seat, (x, upper - theme.dp(17), self.right - pad - x, theme.dp(34)))
        beside = self._number(seat, self.right - pad, lower, theme.dp(42))
        if seat.badge:
            self._badge(seat.badge, beside, lower)
        self._marks(seat.marks, self.x + pad, lower)

    def _one_line(self, seat: Seat) -> None:
        pad = theme.dp(8)
        side = min(self.height - 2 * pad, theme.dp(40))
        x = self.x + pad
        self._player(seat.colour, x, side, self.center_y)
        x += side + pad
        beside = self._number(seat, self.right - pad, self.center_y, self.height * 0.72)
        if seat.badge:
            beside = self._badge(seat.badge, beside, self.center_y)
        if self.width > theme.dp(270):
            beside -= sum(theme.dp(29 if m.count is None else 53) for m in seat.marks)
            self._marks(seat.marks, beside, self.center_y)
            beside -= theme.dp(6)
        self._name(seat, (x, self.center_y - theme.dp(17), beside - x, theme.dp(34)))

    def _player(self, colour: str, x: float, side: float, middle: float) -> None:
        look = theme.look(colour)
        Color(1, 1, 1, 1)
        pos = (round(x), round(middle - side / 2))
        texture = player_texture(colour, round(side))
        Rectangle(texture=texture, pos=pos, size=(round(side), round(side)))
        drop = side * 0.09 if look.shape == "triangle" else 0
        box = (x, middle - side / 2 - drop, side, side)
        self.write(look.letter, box, side * 0.5, look.ink, align="center")

    def _number(self, seat: Seat, right: float, middle: float, high: float) -> float:
        """The number on a cube in the player's colour; a gold edge when it is high enough."""
        if seat.number is None:
            return right
        look = theme.look(seat.colour)
        side = round(min(high, theme.dp(54)))
        wide = side if len(str(seat.number)) < 3 else round(side * 1.3)
        pos = (round(right - wide), round(middle - side / 2))
        edge = theme.ACCENT if seat.ready else theme.PAPER
        width = theme.dp(4 if seat.ready else 2)
        bordered(pos, (wide, side), theme.dp(6), look.fill, edge, width)
        self.write(str(seat.number), (*pos, wide, side), side * 0.62, look.ink, align="center")
        return right - wide - theme.dp(8)

    def _badge(self, text: str, right: float, middle: float) -> float:
        w, h = theme.dp(32), theme.dp(34)
        pos = (right - w, middle - h / 2)
        bordered(pos, (w, h), theme.dp(5), theme.PAPER, theme.LINE, theme.EDGE)
        self.write(text, (*pos, w, h), theme.SIZE_BODY, theme.INK, align="center")
        return right - w - theme.dp(8)

    def _name(self, seat: Seat, box: tuple[float, float, float, float]) -> None:
        name = f"{seat.name} ({seat.team})" if seat.team else seat.name
        most, least = theme.SIZE_BODY * 1.1, theme.SIZE_LEAST * 0.8
        self.name_fits = largest_size(name, box[2], most, least)
        size = min(self.name_fits, self.name_size or self.name_fits)
        self.write(name, box, size, theme.TEXT)
        self.dispatch("on_measured")

    def _marks(self, marks: tuple[Mark, ...], x: float, middle: float) -> None:
        side = round(theme.dp(24))
        for mark in marks:
            texture = mark_texture(self.game, mark.key, side, mark.filled)
            Color(1, 1, 1, 1)
            Rectangle(texture=texture, pos=(round(x), round(middle - side / 2)), size=(side, side))
            if mark.taps:
                self.symbols[mark.key] = x + side / 2
            x += side + theme.dp(5)
            if mark.count is not None:
                box = (x, middle - side / 2, theme.dp(22), side)
                self.write(str(mark.count), box, theme.SIZE_SMALL, theme.TEXT)
                x += theme.dp(24)


class Seats(GridLayout):
    """All players; one or two columns, as the room allows."""

    table: TableView | None = ObjectProperty(None, allownone=True)
    game = StringProperty("")

    __events__ = ("on_mark",)

    def on_mark(self, colour: str, mark: str) -> None:
        """A sign was tapped."""

    def _tapped(self, row: SeatRow) -> None:
        mark = row.mark_at(row.last_touch.x) if row.last_touch is not None else None
        if mark is not None and row.seat is not None:
            self.dispatch("on_mark", row.seat.colour, mark)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(spacing=theme.GAP, cols=1, **kwargs)
        self._even = Clock.create_trigger(self._even_out, -1)
        self.bind(table=self._update, size=self._columns)

    def _even_out(self, *_: object) -> None:
        """All names in the size of the longest one, unless that were too small for the others."""
        size = max(min((r.name_fits for r in self.children), default=0.0), theme.SIZE_SMALL)
        for row in self.children:
            row.name_size = size

    def _columns(self, *_: object) -> None:
        count = len(self.children)
        low = (self.height - (count - 1) * theme.GAP) / max(1, count) < theme.dp(66)
        self.cols = 2 if count > 2 and low else 1
        wide = self.width / max(1, count) >= theme.dp(200)
        if count > 2 and wide and self.width > self.height * 3:
            self.cols = min(count, 2)

    def _update(self, *_: object) -> None:
        seats = self.table.seats if self.table is not None else ()
        while len(self.children) > len(seats):
            self.remove_widget(self.children[0])
        while len(self.children) < len(seats):
            row = SeatRow()
            row.bind(on_release=self._tapped, on_measured=lambda _: self._even())
            self.add_widget(row)
        for row, seat in zip(reversed(self.children), seats, strict=True):
            row.game, row.seat = self.game, seat
            shown = self.table
            row.active = shown is not None and seat.colour in (
                shown.to_act,
                *(shown.winner or "").split(","),  # several share a win
            )
        self._columns()
