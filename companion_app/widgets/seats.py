"""The players: name, energy, items, and the card laid this round."""

from __future__ import annotations

from typing import Any

from kivy.clock import Clock
from kivy.graphics import Color, InstructionGroup, Rectangle, SmoothRoundedRectangle
from kivy.properties import BooleanProperty, ObjectProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.gridlayout import GridLayout
from kivy.uix.widget import Widget

from companion_app import theme
from companion_app.magalon_table import ITEMS, Seat, Table
from companion_app.widgets.drawing import bordered, into
from companion_app.widgets.textures import item_texture, player_texture, text_texture

FINISH_ENERGY = 16


class SeatRow(ButtonBehavior, Widget):
    """One player.  ``item_at`` tells which item's symbol is nearest to a touch."""

    seat: Seat | None = ObjectProperty(None, allownone=True)
    active = BooleanProperty(False)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._group = InstructionGroup()
        self._symbols: dict[str, float] = {}
        self.canvas.add(self._group)
        self._draw = Clock.create_trigger(self._draw_now)
        self.bind(pos=self._draw, size=self._draw, seat=self._draw, active=self._draw)

    def _draw_now(self, *_: object) -> None:
        self._group.clear()
        if self.seat is None or self.width < 60:
            return
        with into(self._group):
            fill = theme.RAISED if self.active else theme.PANEL
            edge = theme.ACCENT if self.active else theme.PANEL
            bordered(self.pos, self.size, theme.RADIUS, fill, edge, theme.dp(2.5))
            self._content(self.seat)

    def item_at(self, x: float) -> str | None:
        """The item whose symbol is within half a finger of ``x``."""
        near = sorted((abs(x - at), item) for item, at in self._symbols.items())
        return near[0][1] if near and near[0][0] <= theme.TOUCH / 2 else None

    def _content(self, seat: Seat) -> None:
        pad = theme.dp(10)
        side = min(self.height - 2 * pad, theme.dp(42))
        x = self.x + pad
        self._mark(seat.colour, x, side)
        x += side + pad
        right = self.right - pad
        two_lines = self.height >= theme.dp(62)
        upper = self.y + self.height * (0.69 if two_lines else 0.5)
        lower = self.y + self.height * (0.25 if two_lines else 0.5)
        narrow = two_lines and self.width < theme.dp(260)
        beside = self._energy(seat.energy, right, upper if narrow else self.center_y)
        if seat.laid is not None:
            left = self._card(
                seat.laid, right if narrow else beside, lower if narrow else self.center_y
            )
            beside = beside if narrow else left
        if two_lines:
            self._items(seat.items, x, lower)
        elif self.width > theme.dp(250):
            beside -= theme.dp(3 * 29)
            self._items(seat.items, beside, lower)
            beside -= theme.dp(6)
        self._name(seat.name, x, upper, beside - x)

    def _mark(self, colour: str, x: float, side: float) -> None:
        look = theme.look(colour)
        Color(1, 1, 1, 1)
        pos = (round(x), round(self.center_y - side / 2))
        Rectangle(
            texture=player_texture(colour, round(side)), pos=pos, size=(round(side), round(side))
        )
        letter = text_texture(look.letter, round(side * 0.5), look.ink)
        drop = side * 0.09 if look.shape == "triangle" else 0
        at = (round(x + (side - letter.width) / 2), round(self.center_y - letter.height / 2 - drop))
        Rectangle(texture=letter, pos=at, size=letter.size)

    def _energy(self, energy: int, right: float, middle: float) -> float:
        """The energy on a cube in the player's colour; a gold edge from 16 on."""
        assert self.seat is not None
        look = theme.look(self.seat.colour)
        side = round(min(theme.dp(46), self.height * 0.46))
        pos = (round(right - side), round(middle - side / 2))
        edge = theme.ACCENT if energy >= FINISH_ENERGY else theme.PAPER
        bordered(pos, (side, side), theme.dp(6), look.fill, edge, theme.dp(2))
        number = text_texture(str(energy), round(side * 0.6), look.ink)
        Color(1, 1, 1, 1)
        at = (round(pos[0] + (side - number.width) / 2), round(middle - number.height / 2))
        Rectangle(texture=number, pos=at, size=number.size)
        return right - side - theme.dp(8)

    def _card(self, value: int, right: float, middle: float) -> float:
        text = text_texture(str(value), round(theme.SIZE_SMALL), theme.INK)
        w, h = theme.dp(26), theme.dp(25)
        Color(*theme.PAPER)
        SmoothRoundedRectangle(pos=(right - w, middle - h / 2), size=(w, h), radius=[theme.dp(5)])
        Color(1, 1, 1, 1)
        at = (round(right - w / 2 - text.width / 2), round(middle - text.height / 2))
        Rectangle(texture=text, pos=at, size=text.size)
        return right - w - theme.dp(8)

    def _name(self, name: str, x: float, middle: float, width: float) -> None:
        size = round(theme.SIZE_BODY)
        text = text_texture(name, size, theme.TEXT)
        while text.width > width and size > theme.SIZE_LEAST:
            size -= 1
            text = text_texture(name, size, theme.TEXT)
        while text.width > width and len(name) > 1:
            name = name[:-1]
            text = text_texture(name + "…", size, theme.TEXT)
        Color(1, 1, 1, 1)
        Rectangle(texture=text, pos=(round(x), round(middle - text.height / 2)), size=text.size)

    def _items(self, items: tuple[str, ...], x: float, middle: float) -> None:
        side = round(theme.dp(22))
        for item in ITEMS:
            Color(1, 1, 1, 1)
            texture = item_texture(item, side, item in items)
            Rectangle(texture=texture, pos=(round(x), round(middle - side / 2)), size=(side, side))
            self._symbols[item] = x + side / 2
            x += side + theme.dp(7)


class Seats(GridLayout):
    """All players; one or two columns, as the room allows."""

    table: Table | None = ObjectProperty(None, allownone=True)

    __events__ = ("on_item",)

    def on_item(self, colour: str, item: str) -> None:
        """An item's symbol was tapped."""

    def _tapped(self, row: SeatRow) -> None:
        item = row.item_at(row.last_touch.x) if row.last_touch is not None else None
        if item is not None and row.seat is not None:
            self.dispatch("on_item", row.seat.colour, item)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(spacing=theme.GAP, cols=1, **kwargs)
        self.bind(table=self._update, size=self._columns)

    def _columns(self, *_: object) -> None:
        count = len(self.children)
        low = self.height / max(1, count) < theme.dp(62)
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
            row.bind(on_release=self._tapped)
            self.add_widget(row)
        for row, seat in zip(reversed(self.children), seats, strict=True):
            row.seat = seat
            row.active = self.table is not None and seat.colour in (
                self.table.to_act,
                self.table.winner,
            )
        self._columns()
