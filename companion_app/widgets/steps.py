"""What is left to do in the turn: tokens that turn over when done."""

from __future__ import annotations

from typing import Any

from kivy.animation import Animation
from kivy.clock import Clock
from kivy.graphics import (
    Color,
    PopMatrix,
    PushMatrix,
    Rectangle,
    Scale,
    SmoothLine,
)
from kivy.properties import BooleanProperty, NumericProperty, ObjectProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout

from companion_app import theme
from companion_app.games.face import Step, TableView
from companion_app.texts import show
from companion_app.widgets.drawing import Drawn, bordered
from companion_app.widgets.textures import piece_texture

LEAST_DRAWN = 20.0  # pixels; nothing can be read in less


class StepToken(Drawn):
    """One token; turning it over shows a tick."""

    DRAWS = ("step", "turned", "squeeze")

    step: Step | None = ObjectProperty(None, allownone=True)
    game = StringProperty("")
    turned = BooleanProperty(False)
    squeeze = NumericProperty(1.0)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.canvas.clear()
        with self.canvas:
            PushMatrix()
            self._scale = Scale(1, 1, 1)
        self.canvas.add(self.group)
        with self.canvas:
            PopMatrix()

    def show(self, step: Step, game: str) -> None:
        """Shows a step; one that was just done turns over."""
        turns = self.step is not None and self.step.key == step.key and step.done != self.turned
        self.game, self.step = game, step
        Animation.cancel_all(self, "squeeze")
        if not turns or not theme.TURN_S:
            self.turned, self.squeeze = step.done, 1.0
            return
        away = Animation(squeeze=0.02, duration=theme.TURN_S, t="in_quad")
        away.bind(on_complete=lambda *_: setattr(self, "turned", step.done))
        (away + Animation(squeeze=1.0, duration=theme.TURN_S, t="out_quad")).start(self)
        Clock.schedule_once(lambda *_: setattr(self, "turned", step.done), theme.TURN_S)

    def on_squeeze(self, *_: object) -> None:
        """Narrower while the token turns."""
        self._scale.origin = (self.center_x, self.center_y, 0)
        self._scale.x = self.squeeze

    def draw(self) -> None:
        """See ``Drawn``."""
        if self.step is None or min(self.size) < LEAST_DRAWN:
            return
        fill = theme.GOOD_PANEL if self.turned else theme.RAISED
        open_edge = theme.RAISED if self.step.optional else theme.ACCENT
        edge = theme.GOOD if self.turned else open_edge
        bordered(self.pos, self.size, theme.RADIUS, fill, edge, theme.dp(3))
        low = self.height < theme.dp(76)
        words = self.height * (0.5 if low else 0.52)
        self._symbol(self.step, words)
        inner = self.width - theme.dp(10)
        title = words if low else words * 0.55
        box = (self.x + theme.dp(5), self.y + words - title, inner, title)
        self.write(show(self.step.title), box, theme.SIZE_SMALL, theme.TEXT, align="center")
        if not low and self.step.caption is not None:
            box = (self.x + theme.dp(5), self.y + theme.dp(3), inner, words - title)
            self.write(
                show(self.step.caption), box, theme.SIZE_SMALL * 0.92, theme.MUTED, bold=False,
                align="center",
            )  # fmt: skip

    def _symbol(self, step: Step, above: float) -> None:
        side = round(min(self.width * 0.5, self.height - above - theme.dp(4)))
        if side < LEAST_DRAWN / 2:  # while the window is turned
            return
        x = round(self.center_x - side / 2)
        y = round(self.y + above + (self.height - above - side) / 2)
        if self.turned:
            Color(*theme.GOOD)
            ends = ((0.14, 0.5), (0.4, 0.2), (0.9, 0.8))
            points = [v for u, w in ends for v in (x + side * u, y + side * w)]
            SmoothLine(points=points, width=theme.dp(3), cap="round", joint="round")
            return
        Color(1, 1, 1, 1)
        if not step.symbol.text:
            texture = piece_texture(self.game, step.symbol.kind, step.symbol.colour, side)
            Rectangle(texture=texture, pos=(x, y), size=(side, side))
            return
        paper = (x + side * 0.14, y, side * 0.72, side)
        bordered(paper[:2], paper[2:], theme.dp(5), theme.PAPER, theme.LINE, theme.EDGE)
        self.write(step.symbol.text, paper, side * 0.56, theme.INK, align="center")


class Steps(BoxLayout):
    """The tokens of the turn."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(spacing=theme.GAP, **kwargs)

    def show(self, table: TableView, game: str) -> None:
        """Shows what is left of the turn that ``table`` is in."""
        while len(self.children) > len(table.steps):
            self.remove_widget(self.children[0])
        while len(self.children) < len(table.steps):
            self.add_widget(StepToken())
        for view, step in zip(reversed(self.children), table.steps, strict=True):
            view.show(step, game)
