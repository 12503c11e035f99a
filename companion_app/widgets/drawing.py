"""Small helps for drawing on a canvas."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from kivy.graphics import Color, InstructionGroup, SmoothRoundedRectangle
from kivy.graphics.instructions import Canvas

from companion_app.theme import Rgba


@contextmanager
def into(group: InstructionGroup) -> Iterator[None]:
    """Lets the instructions made inside ``with`` land in ``group``."""
    canvas = Canvas()
    with canvas:
        yield
    group.add(canvas)


def bordered(
    pos: tuple[float, float], size: tuple[float, float], radius: float, fill: Rgba, edge: Rgba,
    width: float,
) -> None:  # fmt: skip
    """A rounded box with an edge of ``width`` pixels inside it."""
    Color(*edge)
    SmoothRoundedRectangle(pos=pos, size=size, radius=[radius])
    Color(*fill)
    SmoothRoundedRectangle(
        pos=(pos[0] + width, pos[1] + width),
        size=(max(0.0, size[0] - 2 * width), max(0.0, size[1] - 2 * width)),
        radius=[max(1.0, radius - width)],
    )
