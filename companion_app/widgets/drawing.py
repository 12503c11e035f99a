"""Small helps for drawing on a canvas."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from kivy.graphics import InstructionGroup
from kivy.graphics.instructions import Canvas


@contextmanager
def into(group: InstructionGroup) -> Iterator[None]:
    """Lets the instructions made inside ``with`` land in ``group``."""
    canvas = Canvas()
    with canvas:
        yield
    group.add(canvas)
