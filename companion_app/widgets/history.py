"""What happened last, newest first, with the rule that gave it."""

from __future__ import annotations

from typing import Any

from kivy.clock import Clock
from kivy.graphics import Color, InstructionGroup, Rectangle, SmoothRoundedRectangle
from kivy.properties import ObjectProperty
from kivy.uix.widget import Widget

from companion_app import theme
from companion_app.snapshot import LogLine
from companion_app.texts import show, t
from companion_app.widgets.drawing import into
from companion_app.widgets.textures import player_texture, text_texture


class History(Widget):
    """As many of the newest lines as fit."""

    lines: tuple[LogLine, ...] = ObjectProperty(())

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._group = InstructionGroup()
        self.canvas.add(self._group)
        draw = Clock.create_trigger(self._draw_now)
        self.bind(pos=draw, size=draw, lines=draw)

    def _draw_now(self, *_: object) -> None:
        self._group.clear()
        pad = theme.dp(12)
        with into(self._group):
            Color(*theme.PANEL)
            SmoothRoundedRectangle(pos=self.pos, size=self.size, radius=[theme.RADIUS])
            y = self._text(
                t("table.history"), self.x + pad, self.top - pad, theme.SIZE_LEAST, theme.FAINT
            )
            if not self.lines:
                self._text(t("table.nothing_yet"), self.x + pad, y, theme.SIZE_SMALL, theme.MUTED)
            for i, line in enumerate(reversed(self.lines)):
                if y - theme.dp(26) < self.y + pad / 2:
                    return
                y = self._line(line, y, theme.TEXT if i == 0 else theme.MUTED)

    def _line(self, line: LogLine, y: float, colour: theme.Rgba) -> float:
        pad, side = theme.dp(12), round(theme.dp(16))
        x = self.x + pad
        if line.player is not None:
            Color(1, 1, 1, 1)
            texture = player_texture(line.player, side)
            Rectangle(
                texture=texture, pos=(round(x), round(y - side - theme.dp(4))), size=(side, side)
            )
        rule = f"  {line.rule}" if line.rule else ""
        return self._text(
            show(line.text) + rule, x + side + theme.dp(10), y, theme.SIZE_SMALL, colour
        )

    def _text(self, text: str, x: float, top: float, size: float, colour: theme.Rgba) -> float:
        room = self.right - theme.dp(12) - x
        texture = text_texture(text, round(size), colour, False)
        cut = text
        while texture.width > room and len(cut) > 4:
            cut = cut[:-2]
            texture = text_texture(cut.rstrip() + "…", round(size), colour, False)
        Color(1, 1, 1, 1)
        Rectangle(texture=texture, pos=(round(x), round(top - texture.height)), size=texture.size)
        return top - texture.height - theme.dp(4)
