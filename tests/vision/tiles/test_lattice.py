"""The lattice: fitted to crooked tiles, renamed in the game's words."""

from __future__ import annotations

import numpy as np
import pytest

from vision.tiles.growing import FoundTile
from vision.tiles.lattice import (
    SQUARE,
    Lattice,
    beside,
    fit,
    lattice_from_quad,
    renamed_place,
    tile_corners,
)
from vision.tiles.naming import name, rename

SIZE = (1280, 720)
VIEW = Lattice(np.array([[70.0, -12, 600], [9, 66, 340], [0.006, 0.02, 1.0]]), SIZE)
NONE = np.zeros(0, np.float32)


def test_a_quad_gives_a_lattice_whose_first_place_it_is() -> None:
    quad = VIEW.quad((2, -1))
    assert np.allclose(lattice_from_quad(quad, SIZE).quad((0, 0)), quad, atol=1e-6)


def test_pixels_and_lattice_are_each_others_inverse() -> None:
    points = np.array([(0.0, 0.0), (3.5, -2.25), (-4, 1)])
    assert np.allclose(VIEW.to_lattice(VIEW.to_image(points)), points)


def test_crooked_tiles_barely_bend_the_fitted_lattice() -> None:
    """Up to 10 degrees and 4 mm: one such tile moves the others' middles by less than 1 mm."""
    rng = np.random.default_rng(2)
    seen = {(x, y): np.array([*rng.normal(0, 0.01, 2), 0, 0]) for x in range(4) for y in range(3)}
    seen[(0, 0)] = np.array([4 / 45, -4 / 45, np.deg2rad(10), 0.0])
    start = Lattice(
        VIEW.homography @ np.array([[1, 0.01, 0.05], [0, 1.01, -0.04], [0, 0, 1]]), SIZE
    )
    at = {}
    for place, off in seen.items():
        corners = start.to_lattice(VIEW.to_image(tile_corners(place, off)))
        middle = corners.mean(0) - np.array(place) - 0.5
        way = corners[1] - corners[0]
        at[place] = np.array([*middle, np.arctan2(way[1], way[0]), 0.0])
    fitted = fit(start, at)
    middles = np.array(list(seen), float) + 0.5
    off = np.linalg.norm(fitted.to_lattice(VIEW.to_image(middles)) - middles, axis=1)
    assert off.max() * 45 < 1.0


@pytest.mark.parametrize("quarters", range(4))
def test_renaming_moves_places_and_points_alike(quarters: int) -> None:
    new = VIEW.renamed(quarters, (2, -3))
    for place in ((0, 0), (1, 0), (-2, 3)):
        there = renamed_place(place, quarters, (2, -3))
        assert np.allclose(new.quad(there).mean(0), VIEW.quad(place).mean(0))
    # a clockwise turn of the names: what was the north-west corner is the north-east one
    assert np.allclose(
        new.quad(renamed_place((0, 0), quarters, (2, -3)))[quarters], VIEW.quad((0, 0))[0]
    )


def test_beside_are_the_free_places_next_to_tiles() -> None:
    assert beside([(0, 0), (1, 0)]) == {(-1, 0), (2, 0), (0, 1), (0, -1), (1, 1), (1, -1)}


def _scores(kinds: list[tuple[int, int]], sure: float = 6.0) -> np.ndarray:
    scores = np.zeros((len(kinds), 5, 4))
    for n, (kind, turn) in enumerate(kinds):
        scores[n, kind, turn] = sure
    return scores


@pytest.mark.parametrize("quarters", range(4))
def test_known_tiles_name_a_lattice_that_was_found_turned_and_shifted(quarters: int) -> None:
    known = {(0, 0): (0, 0), (1, 0): (1, 3), (1, 1): (2, 1), (2, 1): (3, 0)}
    # the picture's lattice: the game's, turned back and shifted
    back = {renamed_place(p, -quarters % 4, (4, 1)): p for p in known}
    tiles = [FoundTile(p, np.array([0.1, 0.0, 0.0, 0.0]), 5.0, NONE) for p in back]
    scores = _scores([(known[g][0], (known[g][1] - quarters) % 4) for g in back.values()])
    chosen = name(VIEW, tiles, scores, known)
    assert chosen is not None and chosen.quarters == quarters and chosen.lead > 3
    lattice, at = rename(VIEW, {t.place: t for t in tiles}, chosen)
    assert set(at) == set(known)
    for place, game in back.items():
        assert np.allclose(lattice.quad(game).mean(0), VIEW.quad(place).mean(0))
        seen = lattice.to_image(np.array([game], float) + 0.5 + at[game][:2])
        assert np.allclose(seen, VIEW.to_image(np.array([place], float) + 0.5 + (0.1, 0)))


def test_tiles_of_other_kinds_name_nothing() -> None:
    known = {(0, 0): (0, 0), (1, 0): (1, 3)}
    tiles = [FoundTile((k, 0), np.zeros(4), 5.0, NONE) for k in range(2)]
    assert name(VIEW, tiles, _scores([(4, 0), (4, 2)], 20.0), known) is None


def test_places_beyond_the_picture_are_not_seen() -> None:
    assert VIEW.seen((0, 0))
    assert not VIEW.seen((30, 0))
    assert SQUARE.shape == (4, 2)
