"""Textures of tiles, painted on a thread of their own so that the interface never waits."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from queue import SimpleQueue

import numpy as np
from kivy.clock import Clock
from kivy.graphics.texture import Texture
from numpy.typing import NDArray

from companion_app.games.carcassonne.tile_art import tile_picture
from companion_app.widgets.textures import texture_of

SMALL_PX, LARGE_PX = 128, 256
Key = tuple[str, int]


class TileTextures:
    """Textures by kind and size; asked for on the interface's thread only."""

    def __init__(self) -> None:
        self._ready: dict[Key, Texture] = {}
        self._wanted: set[Key] = set()
        self._queue: SimpleQueue[Key] = SimpleQueue()
        self._waiting: list[Callable[[], None]] = []
        self._painter: threading.Thread | None = None

    def get(self, tile: str, side_px: float, then: Callable[[], None]) -> Texture | None:
        """The texture of an unturned tile for a side in pixels; None while it is being painted:
        then ``then`` is called when there are new ones."""
        size = SMALL_PX if side_px <= SMALL_PX * 1.2 else LARGE_PX
        key = (tile, size)
        if key in self._ready:
            return self._ready[key]
        if key not in self._wanted:
            self._wanted.add(key)
            self._queue.put(key)
        if then not in self._waiting:
            self._waiting.append(then)
        if self._painter is None:
            self._painter = threading.Thread(target=self._paint, name="tile pictures", daemon=True)
            self._painter.start()
        return self._ready.get((tile, SMALL_PX))

    @property
    def painting(self) -> bool:
        """Whether some that were asked for are not there yet."""
        return not self._wanted <= self._ready.keys()

    def _paint(self) -> None:
        while True:
            tile, size = self._queue.get()
            pixels = tile_picture(tile, size)
            Clock.schedule_once(lambda _, key=(tile, size), p=pixels: self._painted(key, p))

    def _painted(self, key: Key, pixels: NDArray[np.uint8]) -> None:
        self._ready[key] = texture_of(pixels, smooth=True)
        waiting, self._waiting = self._waiting, []
        for then in waiting:
            then()


TEXTURES = TileTextures()


def turned_coords(texture: Texture, rot: int) -> list[float]:
    """Texture coordinates of a Rectangle that show the picture turned clockwise."""
    coords = list(texture.tex_coords)  # lower left, lower right, upper right, upper left
    shift = 2 * (rot // 90)
    return coords[shift:] + coords[:shift]


def ask(tiles: Iterable[str], then: Callable[[], None]) -> None:
    """Has some tiles painted before they are needed."""
    for tile in tiles:
        TEXTURES.get(tile, SMALL_PX, then)
