"""What happened last, newest first, with the rule that gave it."""

from __future__ import annotations

from kivy.graphics import Color, Rectangle
from kivy.properties import ObjectProperty

from companion_app import theme
from companion_app.snapshot import LogLine
from companion_app.texts import show, t
from companion_app.widgets.drawing import Drawn, rounded
from companion_app.widgets.textures import player_texture


class History(Drawn):
    """As many of the newest lines as fit."""

    DRAWS = ("lines",)

    lines: tuple[LogLine, ...] = ObjectProperty(())

    def draw(self) -> None:
        """See ``Drawn``."""
        if self.height < theme.dp(40):
            return
        pad, step = theme.dp(12), theme.SIZE_SMALL * 1.35
        rounded(self.pos, self.size, theme.RADIUS, theme.PANEL)
        y = self.top - pad / 2 - step
        width = self.width - 2 * pad
        self.write(
            t("table.history"), (self.x + pad, y, width, step), theme.SIZE_LEAST, theme.FAINT
        )
        if not self.lines:
            box = (self.x + pad, y - step, width, step)
            self.write(t("table.nothing_yet"), box, theme.SIZE_SMALL, theme.MUTED, bold=False)
        for i, line in enumerate(reversed(self.lines)):
            room = y - self.y - pad / 2
            if room < step:
                return
            y -= self._line(line, y, min(room, 2.1 * step), theme.TEXT if i == 0 else theme.MUTED)

    def _line(self, line: LogLine, top: float, room: float, colour: theme.Rgba) -> float:
        pad, side, step = theme.dp(12), round(theme.dp(18)), theme.SIZE_SMALL * 1.35
        x = self.x + pad
        if line.player is not None:
            Color(1, 1, 1, 1)
            texture = player_texture(line.player, side)
            at = (round(x), round(top - (step + side) / 2))
            Rectangle(texture=texture, pos=at, size=(side, side))
        x += side + theme.dp(10)
        text = show(line.text) + (f"  {line.rule}" if line.rule else "")
        lines = 2 if room >= 2 * step else 1
        high = self.write(
            text, (x, top - room, self.right - pad - x, room), theme.SIZE_SMALL, colour,
            bold=False, valign="top", lines=lines, least=theme.SIZE_SMALL * 0.72,
        )  # fmt: skip
        return max(step, high + theme.dp(3))
