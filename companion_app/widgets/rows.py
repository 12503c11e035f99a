"""Rows of lists: a mark, a text, a quiet line below it, and something at the right."""

from __future__ import annotations

from typing import Any

from kivy.graphics import Color, Rectangle
from kivy.properties import BooleanProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.scrollview import ScrollView

from companion_app import theme
from companion_app.widgets.drawing import Drawn, bordered
from companion_app.widgets.textures import player_texture, text_extent


class Row(ButtonBehavior, Drawn):
    """One line of a list.  ``player``: a colour whose mark stands at the left, "" for none."""

    DRAWS = ("text", "detail", "right_text", "player", "state", "chosen")

    text = StringProperty("")
    detail = StringProperty("")
    right_text = StringProperty("")
    player = StringProperty("")
    taps = BooleanProperty(False)
    chosen = BooleanProperty(False)

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("size_hint_y", None)
        super().__init__(**kwargs)
        self.fbind("width", self._grow)
        self._grow()

    def _grow(self, *_: object) -> None:
        """As high as the text needs, on one line or on two."""
        room = max(1.0, self.width - theme.sp(150 if self.right_text else 0) - theme.dp(70))
        wide = text_extent(self.text, round(theme.SIZE_BODY), self.taps)[0]
        self._lines = 1 if wide <= room or self.width < 120 else 2
        high = theme.sp(12) + theme.SIZE_BODY * 1.4 * self._lines
        high += theme.SIZE_SMALL * 1.4 if self.detail else 0.0
        self.height = max(high, theme.TOUCH) if self.taps else high

    def draw(self) -> None:
        """See ``Drawn``."""
        if self.taps or self.chosen:
            fill = theme.PRESSED if self.state == "down" else theme.RAISED
            edge = theme.ACCENT if self.chosen else theme.LINE
            bordered(self.pos, self.size, theme.RADIUS, fill, edge, theme.EDGE)
        pad = theme.dp(12)
        x, right = self.x + pad, self.right - pad
        if self.player:
            side = round(min(self.height * 0.6, theme.dp(30)))
            Color(1, 1, 1, 1)
            at = (round(x), round(self.center_y - side / 2))
            texture = player_texture(self.player, side)
            Rectangle(texture=texture, pos=at, size=(side, side))
            x += side + pad
        if self.right_text:
            wide = min(self.width * 0.3, theme.sp(150))
            box = (right - wide, self.y, wide, self.height)
            self.write(self.right_text, box, theme.SIZE_BODY, theme.ACCENT_TEXT, align="right")
            right -= wide + pad
        lower = theme.SIZE_SMALL * 1.4 if self.detail else 0.0
        if self.taps and self.detail:
            lower = self.height * 0.44
        box = (x, self.y + lower + theme.dp(2), right - x, self.height - lower - theme.dp(4))
        self.write(self.text, box, theme.SIZE_BODY, theme.TEXT, bold=self.taps, lines=self._lines)
        if self.detail:
            box = (x, self.y + theme.dp(4), right - x, lower)
            self.write(self.detail, box, theme.SIZE_SMALL, theme.MUTED, bold=False)

    def on_touch_down(self, touch: Any) -> bool:
        """Only rows that lead somewhere take touches."""
        return bool(super().on_touch_down(touch)) if self.taps else False


class RowList(ScrollView):
    """Rows from the top, scrolled by a finger."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(do_scroll_x=False, bar_width=theme.dp(5), **kwargs)
        self.box = BoxLayout(orientation="vertical", size_hint_y=None, spacing=theme.dp(6))
        self.box.bind(minimum_height=self.box.setter("height"))
        self.add_widget(self.box)

    def fill(self, rows: list[Row]) -> None:
        """Shows these rows."""
        self.box.clear_widgets()
        for row in rows:
            self.box.add_widget(row)
        self.scroll_y = 1
