"""The live picture with what the eyes see in it; a tap enlarges it."""

from __future__ import annotations

import time
from typing import Any

from kivy.clock import Clock
from kivy.graphics import (
    Color,
    InstructionGroup,
    Rectangle,
    RoundedRectangle,
    SmoothLine,
)
from kivy.graphics.texture import Texture
from kivy.properties import BooleanProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.widget import Widget

from companion_app import theme
from companion_app.frames import PREVIEW_EVERY_S, FrameSlot
from companion_app.sight import Mark, Preview
from companion_app.texts import t
from companion_app.widgets.basics import Fit
from companion_app.widgets.drawing import into, rounded
from companion_app.widgets.textures import dot_texture, text_texture

SOONER_S = 0.02  # a camera's pictures are not quite even


def _overlay(preview: Preview) -> tuple[object, ...]:
    """All that is drawn over the picture."""
    return preview.outline, preview.marks, preview.hand


class LiveView(ButtonBehavior, Widget):
    """Takes the newest preview from a ``FrameSlot`` when the eyes have put one there, at most every
    ``PREVIEW_EVERY_S``: with each of them the whole window is drawn anew."""

    large = BooleanProperty(False)
    trouble = StringProperty("")  # what keeps the eyes from seeing, said on the dimmed picture

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._slot: FrameSlot | None = None
        self._preview: Preview | None = None
        self._texture: Texture | None = None
        self._taken_s = -1.0
        self._back, self._over, self._shade = (InstructionGroup() for _ in range(3))
        for layer in (self._back, self._over, self._shade):
            self.canvas.add(layer)
        self._words = Fit(bold=True, halign="center")
        self.add_widget(self._words)
        self._fetch = Clock.create_trigger(self._on_frame)
        self._later = Clock.create_trigger(self._on_frame, SOONER_S)
        self._layout = Clock.create_trigger(self._draw_frame)
        self.bind(pos=self._layout, size=self._layout, large=self._layout, trouble=self._layout)

    def watch(self, slot: FrameSlot | None) -> None:
        """Shows another source's pictures; None for none."""
        if self._slot is not None:
            self._slot.forget(self._fetch)
        self._slot, self._preview, self._texture = slot, None, None
        if slot is not None:
            slot.on_new(self._fetch)
        self._layout()

    @property
    def has_picture(self) -> bool:
        """Whether a picture has come since the source was opened."""
        return self._preview is not None

    @property
    def pointed(self) -> tuple[float, float] | None:
        """Where in the picture the last touch was, (0, 0) to (1, 1) from its top-left; None beside it."""
        if self._preview is None or self.last_touch is None:
            return None
        x, y, w, h = self._box()
        u, v = (self.last_touch.x - x) / w, 1 - (self.last_touch.y - y) / h
        return (u, v) if 0 <= u <= 1 and 0 <= v <= 1 else None

    def _on_frame(self, *_: object) -> None:
        if time.monotonic() < self._taken_s + PREVIEW_EVERY_S - SOONER_S:
            self._later()
            return
        preview = self._slot.take() if self._slot is not None else None
        if preview is None:
            return
        self._taken_s = time.monotonic()
        first = self._texture is None or self._texture.size != preview.size
        if first:
            self._texture = Texture.create(size=preview.size, colorfmt="rgba")
            self._texture.flip_vertical()
        self._texture.blit_buffer(preview.pixels, colorfmt="rgba", bufferfmt="ubyte")
        marked = self._preview is not None and _overlay(self._preview) == _overlay(preview)
        self._preview = preview
        if first:
            self._draw_frame()
        elif marked:
            self.canvas.ask_update()
        else:
            self._draw_overlay()

    def _box(self) -> tuple[float, float, float, float]:
        """Where the picture lies: x, y, width, height, aspect kept."""
        assert self._preview is not None
        w, h = self._preview.size
        scale = min(self.width / w, self.height / h)
        w, h = w * scale, h * scale
        return self.x + (self.width - w) / 2, self.y + (self.height - h) / 2, w, h

    def _draw_frame(self, *_: object) -> None:
        self._back.clear()
        with into(self._back):
            if self.large:
                Color(*theme.BACKGROUND)
                pad = theme.PAD
                size = (self.width + 2 * pad, self.height + 2 * pad)
                Rectangle(pos=(self.x - pad, self.y - pad), size=size)
            else:
                rounded(self.pos, self.size, theme.RADIUS, theme.PANEL)
            if self._texture is None and not self.trouble:
                label = text_texture(
                    t("table.no_picture"), round(theme.SIZE_SMALL), theme.FAINT, False
                )
                Color(1, 1, 1, 1)
                at = (
                    round(self.center_x - label.width / 2),
                    round(self.center_y - label.height / 2),
                )
                Rectangle(texture=label, pos=at, size=label.size)
            elif self._texture is not None:
                x, y, w, h = self._box()
                Color(1, 1, 1, 1)
                RoundedRectangle(
                    texture=self._texture, pos=(x, y), size=(w, h), radius=[theme.RADIUS]
                )
                if self.large:
                    label = text_texture(
                        t("table.small"), round(theme.SIZE_SMALL), theme.MUTED, False
                    )
                    at = (round(self.center_x - label.width / 2), round(y - label.height * 2))
                    Rectangle(texture=label, pos=at, size=label.size)
        self._draw_overlay()
        self._say_trouble()

    def _say_trouble(self) -> None:
        """In the inset over all of it, in the large picture below its middle."""
        pad, high = theme.dp(10), self.height / 4 if self.large else self.height
        self._words.text = self.trouble
        self._words.pos = (self.x + pad, self.y + pad)
        self._words.size = (max(1.0, self.width - 2 * pad), max(1.0, high - 2 * pad))
        self._shade.clear()
        if self.trouble:
            with into(self._shade):
                rounded(self.pos, (self.width, high), theme.RADIUS, (*theme.BAD_PANEL[:3], 0.85))

    def _draw_overlay(self) -> None:
        self._over.clear()
        preview = self._preview
        if preview is None:
            return
        x, y, w, h = self._box()
        with into(self._over):
            if preview.outline:
                points = [v for u, n in preview.outline for v in (x + u * w, y + (1 - n) * h)]
                Color(*(theme.BOARD_WAIT if preview.hand else theme.BOARD_GOOD))
                SmoothLine(points=points, close=True, width=theme.dp(1.6 if self.large else 1.2))
            for mark in preview.marks:
                self._mark(mark, x + mark.u * w, y + (1 - mark.v) * h)

    def _mark(self, mark: Mark, px: float, py: float) -> None:
        look = theme.look(mark.colour)
        if not self.large:
            if mark.colour is not None:
                dot = dot_texture(theme.dp(2.8), look.fill, theme.PAPER, 1.43)
                at = (round(px - dot.width / 2), round(py - dot.height / 2))
                Color(1, 1, 1, 1)
                Rectangle(texture=dot, pos=at, size=dot.size)
            return
        radius = theme.dp(7)
        Color(*theme.PAPER)
        SmoothLine(circle=(px, py, radius + theme.dp(1)), width=theme.dp(1.2))
        Color(*look.fill)
        SmoothLine(circle=(px, py, radius - theme.dp(0.5)), width=theme.dp(1.2))
        if mark.label:
            text = f"{look.letter} {mark.label}".strip()
            label = text_texture(text, round(theme.SIZE_LEAST), theme.ON_BOARD)
            pos = (round(px + radius + 3), round(py - label.height / 2))
            back = (pos[0] - 3, pos[1] - 1), (label.width + 6, label.height + 2)
            rounded(*back, 4, (0.05, 0.08, 0.1, 0.75))
            Color(1, 1, 1, 1)
            Rectangle(texture=label, pos=pos, size=label.size)
