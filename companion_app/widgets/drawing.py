"""Helps for widgets that draw themselves: shapes, and texts that always fit their box."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from kivy.clock import Clock
from kivy.graphics import BorderImage, Color, InstructionGroup, Rectangle
from kivy.graphics.instructions import Canvas
from kivy.graphics.texture import Texture
from kivy.uix.widget import Widget

from companion_app import theme
from companion_app.widgets.textures import (
    box_corner,
    box_texture,
    paragraph_height,
    paragraph_texture,
    text_extent,
    text_texture,
)

Box = tuple[float, float, float, float]


@contextmanager
def into(group: InstructionGroup) -> Iterator[None]:
    """Lets the instructions made inside ``with`` land in ``group``."""
    canvas = Canvas()
    with canvas:
        yield
    group.add(canvas)


def bordered(
    pos: tuple[float, float], size: tuple[float, float], radius: float, fill: theme.Rgba,
    edge: theme.Rgba, width: float,
) -> None:  # fmt: skip
    """A rounded box with an edge of ``width`` pixels inside it."""
    left, low = round(pos[0]), round(pos[1])
    wide, high = round(pos[0] + size[0]) - left, round(pos[1] + size[1]) - low
    if min(wide, high) <= 0:
        return
    radius = max(1.0, min(radius, min(wide, high) / 2 - 2))
    Color(1, 1, 1, 1)
    BorderImage(
        texture=box_texture(radius, fill, edge, width), border=box_border(radius),
        pos=(left, low), size=(wide, high),
    )  # fmt: skip


def rounded(
    pos: tuple[float, float], size: tuple[float, float], radius: float, fill: theme.Rgba
) -> None:
    """A rounded box of one colour."""
    bordered(pos, size, radius, fill, fill, 0.0)


def box_border(radius: float) -> tuple[int, int, int, int]:
    """What a ``BorderImage`` leaves as it is of a ``box_texture``."""
    return (box_corner(radius),) * 4


@dataclass(frozen=True, slots=True)
class Written:
    """A text as drawn: x, y, width, height in the widget's coordinates; ``cut``: it did not fit."""

    text: str
    box: Box
    cut: bool


class Drawn(Widget):
    """Draws itself in ``draw`` whenever one of the properties named in ``DRAWS`` changes.

    ``written`` lists the texts of the last drawing.
    """

    DRAWS: tuple[str, ...] = ()

    def __init__(self, **kwargs: Any) -> None:
        self.group = InstructionGroup()
        self.written: list[Written] = []
        super().__init__(**kwargs)
        self.canvas.add(self.group)
        self.redraw = Clock.create_trigger(self.draw_now)
        for name in ("pos", "size", *self.DRAWS):
            self.fbind(name, self.redraw)
        self.redraw()

    def draw_now(self, *_: object) -> None:
        """Draws anew at once."""
        self.group.clear()
        self.written = []
        with into(self.group):
            self.draw()

    def draw(self) -> None:
        """Makes the instructions; to be overridden."""

    def write(
        self,
        text: str,
        box: Box,
        size: float,
        colour: theme.Rgba,
        *,
        bold: bool = True,
        align: str = "left",
        valign: str = "middle",
        lines: int = 1,
        least: float | None = None,
    ) -> float:
        """A text inside a box (x, y, width, height), as large as fits from ``size`` to ``least``.

        Returns the height that it takes.
        """
        if not text or box[2] < 4 or box[3] < 4:
            return 0.0
        least = theme.SIZE_LEAST * 0.8 if least is None else least
        texture, cut = _fitting(text, box, size, least, colour, bold, align, lines)
        x, y, w, h = box
        x += {"left": 0.0, "center": (w - texture.width) / 2, "right": w - texture.width}[align]
        y += {"bottom": 0.0, "middle": (h - texture.height) / 2, "top": h - texture.height}[valign]
        Color(1, 1, 1, 1)
        Rectangle(texture=texture, pos=(round(x), round(y)), size=texture.size)
        self.written.append(Written(text, (x, y, texture.width, texture.height), cut))
        return float(texture.height)


def largest_size(text: str, width: float, size: float, least: float) -> float:
    """The largest text size from ``size`` down to ``least`` in which a bold text fits a width."""
    at = max(6, round(size))
    while at > least and text_extent(text, at, True)[0] > width:
        at -= 1
    return float(at)


def _fitting(
    text: str, box: Box, size: float, least: float, colour: theme.Rgba, bold: bool, align: str,
    lines: int,
) -> tuple[Texture, bool]:  # fmt: skip
    width, height = box[2], box[3]
    at = max(6, round(size))
    while True:
        wide, high = text_extent(text, at, bold)
        if wide <= width and high <= height * 1.15:
            return text_texture(text, at, colour, bold), False
        if lines > 1 and at <= max(size * 0.94, least):
            many = paragraph_height(text, at, bold, round(width))
            longest = max(text_extent(word, at, bold)[0] for word in text.split() or [""])
            if many <= min(height, lines * at * 1.35) and longest <= width:
                return paragraph_texture(text, at, colour, bold, round(width), align), False
        if at <= max(6, round(least)):
            break
        at -= 1
    short = text
    while text_extent(short + "…", at, bold)[0] > width and len(short) > 1:
        short = short[:-1].rstrip()
    return text_texture(short + "…", at, colour, bold), True
