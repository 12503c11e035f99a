"""The printed tiles: all of them, in true size, and such that the eyes can read them."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pypdfium2
import pytest

from calibration.sheets.paper import MARGIN_MM, PAPERS
from companion_app.cli import main
from companion_app.games.carcassonne.tile_sheets import COLUMNS, ROWS, SETS, TILE_MM
from engine.carcassonne.tiles import faces, plain, sets
from vision.tiles.growing import is_tile, look_at
from vision.tiles.lattice import Lattice
from vision.tiles.network import network
from vision.tiles.reading import TileReader

PX_PER_MM = 2.0


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> list[np.ndarray]:
    path: Path = tmp_path_factory.mktemp("sheets") / "tiles.pdf"
    assert main(["print", "tiles", "--out", str(path), "--language", "en"]) == 0
    document = pypdfium2.PdfDocument(path)
    return [p.render(scale=PX_PER_MM * 25.4 / 72).to_numpy()[..., :3].copy() for p in document]


def _stock() -> list[str]:
    return [tile for name in SETS for tile, count in sets()[name].items() for _ in range(count)]


def _cut_out(page: np.ndarray, number: int) -> np.ndarray:
    """One tile alone on a dark table."""
    left = MARGIN_MM + (PAPERS["A4"].room_mm[0] - COLUMNS * TILE_MM) / 2
    row, column = divmod(number, COLUMNS)
    x, y = left + column * TILE_MM, MARGIN_MM + row * TILE_MM
    a, b, side = round(x * PX_PER_MM), round(y * PX_PER_MM), round(TILE_MM * PX_PER_MM)
    tile = page[b : b + side, a : a + side]
    return np.asarray(
        cv2.copyMakeBorder(tile, 30, 30, 30, 30, cv2.BORDER_CONSTANT, value=(52, 60, 70))
    )


def test_every_tile_of_the_three_sets_is_printed_once(pages: list[np.ndarray]) -> None:
    stock = _stock()
    assert len(stock) == 72 + 8 + 18
    assert len(pages) == -(-len(stock) // (COLUMNS * ROWS))
    assert pages[0].shape[1] == pytest.approx(210 * PX_PER_MM, abs=2)


def test_the_eyes_read_the_printed_tiles(pages: list[np.ndarray]) -> None:
    """One tile of each kind, cut out; by itself, with nothing learnt."""
    stock = _stock()
    kinds = sorted({plain(tile) for tile in stock})
    reader = TileReader({k: faces(k) for k in kinds}, network())
    right = wrong = 0
    for kind in kinds:
        number = stock.index(kind) if kind in stock else None
        if number is None:
            continue
        sheet, at = divmod(number, COLUMNS * ROWS)
        picture = _cut_out(pages[sheet], at)
        side = round(TILE_MM * PX_PER_MM)
        place = np.array([[side, 0, 30.0], [0, side, 30.0], [0, 0, 1.0]])
        lattice = Lattice(place, picture.shape[1::-1])
        found = look_at(picture, reader.network, lattice, [(0, 0)])[0, 0]
        assert is_tile(found), kind
        best = reader.read(picture, lattice, [found])[0].best()
        right += reader.kinds[best[0]] == kind
        wrong += reader.kinds[best[0]] != kind
    assert right >= 0.88 * (right + wrong)
