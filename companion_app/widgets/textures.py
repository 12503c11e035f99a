"""Textures of pictures and short texts, made once and kept."""

from __future__ import annotations

from functools import lru_cache
from math import ceil

import numpy as np
from kivy.core.text import Label as CoreLabel
from kivy.graphics.texture import Texture
from numpy.typing import NDArray

from companion_app import theme
from companion_app.games import face_of
from companion_app.games.face import Cells
from companion_app.player_art import player_picture


def texture_of(pixels: NDArray[np.uint8], smooth: bool = False) -> Texture:
    """(H, W, 4) RGBA, rows from the top, as a texture; ``smooth``: also when drawn small."""
    height, width = pixels.shape[:2]
    texture = Texture.create(size=(width, height), colorfmt="rgba", mipmap=smooth)
    if smooth:
        texture.min_filter = "linear_mipmap_linear"
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


@lru_cache(maxsize=2048)
def text_extent(text: str, size: int, bold: bool) -> tuple[int, int]:
    """Width and height of a text on one line, without drawing it."""
    label = CoreLabel(text=text, font_size=size, bold=bold, font_name=theme.FONT)
    width, height = label.get_extents(text)
    return int(width), int(height)


@lru_cache(maxsize=1024)
def paragraph_height(text: str, size: int, bold: bool, width: int) -> int:
    """Height of a text in lines of at most ``width`` pixels, without drawing it."""
    label = CoreLabel(
        text=text, font_size=size, bold=bold, font_name=theme.FONT, text_size=(width, None)
    )
    return int(label.render()[1])


@lru_cache(maxsize=128)
def paragraph_texture(
    text: str, size: int, colour: theme.Rgba, bold: bool, width: int, align: str
) -> Texture:
    """A text in lines of at most ``width`` pixels."""
    label = CoreLabel(
        text=text, font_size=size, bold=bold, color=colour, font_name=theme.FONT,
        text_size=(width, None), halign=align,
    )  # fmt: skip
    label.refresh()
    return label.texture


@lru_cache(maxsize=256)
def piece_texture(game: str, kind: str, colour: str | None, size: int) -> Texture:
    """A piece in a square of ``size`` pixels."""
    return texture_of(face_of(game).art.piece(kind, colour, size))


@lru_cache(maxsize=128)
def spread_texture(game: str, kind: str, cells: Cells, cell: int) -> Texture:
    """A piece that lies over several cells; see ``Art.spread``."""
    spread = face_of(game).art.spread
    assert spread is not None
    return texture_of(spread(kind, cells, cell))


@lru_cache(maxsize=16)
def dot_texture(
    radius: float, colour: theme.Rgba, rim: theme.Rgba = (0.05, 0.08, 0.1, 0.6), share: float = 1.3
) -> Texture:
    """A disc of ``radius`` pixels in a rim that ends at ``share`` radii: many are drawn at once."""
    side = ceil(2 * share * radius)
    at = np.hypot(*np.mgrid[:side, :side] - (side - 1) / 2)
    inner, outer = (np.clip(r + 0.5 - at, 0, 1) for r in (radius, share * radius))
    around = np.array(rim[:3])
    mixed = around + (np.array(colour[:3]) - around) * inner[..., None]
    alpha = np.maximum(inner, rim[3] * outer)
    return texture_of(np.uint8(np.dstack((mixed, alpha)) * 255 + 0.5))


@lru_cache(maxsize=256)
def box_texture(radius: float, fill: theme.Rgba, edge: theme.Rgba, width: float) -> Texture:
    """A rounded box with an edge of ``width`` pixels inside it, as small as it can be: its middle row and
    column are stretched, its corners (``box_corner`` pixels) are not.  One picture is drawn faster
    than two smoothed shapes on top of each other."""
    side = 2 * box_corner(radius) + 1
    beyond = (np.abs(np.arange(side) - (side - 1) / 2) - side / 2 + radius).clip(0)
    inward = radius - np.hypot(*np.meshgrid(beyond, beyond)) + 0.5  # pixels from the rim
    alpha, inner = inward.clip(0, 1), (inward - min(width, radius - 0.5)).clip(0, 1)
    outside, inside = np.array(edge), np.array(fill)
    mixed = outside + (inside - outside) * inner[..., None]
    mixed[..., 3] *= alpha
    texture = texture_of(np.uint8(mixed * 255 + 0.5))
    texture.mag_filter = texture.min_filter = "nearest"  # it lies on whole pixels
    return texture


def box_corner(radius: float) -> int:
    """Pixels of a box's corner that are never stretched."""
    return max(1, ceil(radius) + 1)


@lru_cache(maxsize=64)
def mark_texture(game: str, mark: str, size: int, filled: bool) -> Texture:
    """A sign beside a player's name."""
    return texture_of(face_of(game).art.mark(mark, size, filled))


@lru_cache(maxsize=64)
def player_texture(colour: str | None, size: int) -> Texture:
    """A player's mark without its letter."""
    return texture_of(player_picture(colour, size))


def forget() -> None:
    """Lets go of all pictures, for screens that are made anew in another look."""
    for kept in (
        text_texture, paragraph_texture, piece_texture, spread_texture, mark_texture, player_texture,
        dot_texture, box_texture,
    ):  # fmt: skip
        kept.cache_clear()
