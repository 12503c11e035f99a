"""Textures of pictures and short texts, made once and kept."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from kivy.core.text import Label as CoreLabel
from kivy.graphics.texture import Texture
from numpy.typing import NDArray

from companion_app import theme
from companion_app.widgets import piece_art


def texture_of(pixels: NDArray[np.uint8]) -> Texture:
    """(H, W, 4) RGBA, rows from the top, as a texture."""
    height, width = pixels.shape[:2]
    texture = Texture.create(size=(width, height), colorfmt="rgba")
    texture.flip_vertical()
    data = np.ascontiguousarray(pixels).tobytes()

    def fill(target: Texture) -> None:
        target.blit_buffer(data, colorfmt="rgba", bufferfmt="ubyte")

    fill(texture)
    texture.add_reload_observer(fill)
    return texture


@lru_cache(maxsize=512)
def text_texture(text: str, size: int, colour: theme.Rgba, bold: bool = True) -> Texture:
    """A short text, ``size`` in pixels."""
    label = CoreLabel(text=text, font_size=size, bold=bold, color=colour, font_name=theme.FONT)
    label.refresh()
    return label.texture


@lru_cache(maxsize=256)
def piece_texture(kind: str, colour: str | None, size: int) -> Texture:
    """A piece in a square of ``size`` pixels."""
    return texture_of(piece_art.piece_picture(kind, colour, size))


@lru_cache(maxsize=64)
def ruin_texture(cells: tuple[tuple[int, int], ...], cell: int) -> Texture:
    """A ruin; see ``piece_art.ruin_picture``."""
    return texture_of(piece_art.ruin_picture(cells, cell))


@lru_cache(maxsize=64)
def item_texture(item: str, size: int, filled: bool) -> Texture:
    """An item's symbol."""
    return texture_of(piece_art.item_picture(item, size, filled))


@lru_cache(maxsize=64)
def player_texture(colour: str | None, size: int) -> Texture:
    """A player's mark without its letter."""
    return texture_of(piece_art.player_picture(colour, size))
