"""The table without figures, and what need not be read again."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from engine.carcassonne.tiles import faces
from vision.registration.tracker import Tracked
from vision.tiles.bare import BareTable
from vision.tiles.lattice import Lattice
from vision.tiles.memory import RememberingNetwork
from vision.tiles.network import Looked
from vision.tiles.reading import TileReader
from vision.tiles.scene import TileScene
from vision.tiles.sight import TileSight

SIDE = 60
LATTICE = Lattice(np.array([[SIDE, 0, 120.0], [0, SIDE, 90.0], [0, 0, 1.0]]), (320, 240))
WINDOW = ((-1.0, -1.0), (2.0, 2.0))
NO_FEET = np.zeros((0, 2))
STRAIGHT = {(0, 0): np.zeros(4)}


def _picture(seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    coarse = rng.integers(60, 200, (12, 16, 3)).astype(np.uint8)
    return cv2.resize(coarse, (320, 240), interpolation=cv2.INTER_CUBIC)


def _middle(table: BareTable) -> np.ndarray:
    seen = table.behind(STRAIGHT)
    assert seen is not None and seen[1][92:148, 122:178].all()
    return seen[0][92:148, 122:178].copy()


def _valid(table: BareTable) -> bool:
    seen = table.behind(STRAIGHT)
    return seen is not None and bool(seen[1][92:148, 122:178].all())


def test_a_figure_that_is_not_noticed_does_not_become_a_part_of_the_table() -> None:
    table, bare = BareTable(), _picture()
    table.keep(bare, LATTICE, STRAIGHT, NO_FEET)
    before = _middle(table)
    with_figure = bare.copy()
    cv2.circle(with_figure, (150, 120), 12, (0, 140, 255), -1)
    table.keep(with_figure, LATTICE, STRAIGHT, NO_FEET)
    assert (_middle(table) == before).all()


def test_another_light_and_a_tile_that_was_pushed_are_seen_anew() -> None:
    table, bare = BareTable(), _picture()
    table.keep(bare, LATTICE, STRAIGHT, NO_FEET)
    before = _middle(table).mean()
    table.keep(cv2.convertScaleAbs(bare, alpha=0.8), LATTICE, STRAIGHT, NO_FEET)
    assert _middle(table).mean() < 0.9 * before
    pushed, other = {(0, 0): np.array([0.1, 0.0, 0.0, 0.0])}, bare.copy()
    other[85:155, 115:195] = _picture(5)[85:155, 115:195]
    table.keep(other, LATTICE, pushed, NO_FEET)
    seen = table.behind(pushed)
    assert seen is not None and np.abs(seen[0][95:145, 130:180].astype(int) - other[95:145, 130:180]).mean() < 2  # fmt: skip


def _with_figure(picture: np.ndarray, at: tuple[int, int] = (150, 120)) -> np.ndarray:
    out = picture.copy()
    cv2.ellipse(out, at, (7, 12), 0, 0, 360, (0, 140, 255), -1)
    return out


@pytest.mark.parametrize("read", [(0.09, 0.0, 0.0), (-0.07, 0.08, 0.0), (0.02, 0.0, 0.12)])
def test_a_tile_whose_corners_are_read_elsewhere_is_still_known_bare(
    read: tuple[float, float, float],
) -> None:
    """A figure on it, or a lattice fitted anew, makes its corners tremble; its pixels are as they were."""
    table, bare = BareTable(), _picture()
    table.keep(bare, LATTICE, STRAIGHT, NO_FEET)
    before = _middle(table)
    table.keep(_with_figure(bare), LATTICE, {(0, 0): np.array([*read, 0.0])}, NO_FEET)
    assert (_middle(table) == before).all()
    fitted = Lattice(LATTICE.homography @ np.diag([1.02, 1.02, 1.0]), LATTICE.size_px)
    table.keep(_with_figure(bare), fitted, STRAIGHT, NO_FEET)
    assert (_middle(table) == before).all()


@pytest.mark.parametrize("by", [(6, 0), (-5, 7)])
def test_a_tile_that_was_pushed_takes_its_bare_look_along(by: tuple[int, int]) -> None:
    """Also where a figure came with the push, and its corners are read a little off."""
    table, bare = BareTable(), _picture()
    table.keep(bare, LATTICE, STRAIGHT, NO_FEET)
    pushed = bare.copy()
    x, y = 120 + by[0], 90 + by[1]
    pushed[y : y + 60, x : x + 60] = bare[90:150, 120:180]
    read = {(0, 0): np.array([(by[0] + 2) / SIDE, (by[1] - 1.5) / SIDE, 0.02, 0.0])}
    table.keep(_with_figure(pushed), LATTICE, read, NO_FEET)
    seen = table.behind(read)
    assert seen is not None
    inside = np.s_[y + 5 : y + 55, x + 5 : x + 55]
    assert (seen[1][inside] == 255).all()
    assert np.abs(seen[0][inside].astype(int) - pushed[inside]).mean() < 3  # a third of a pixel


def test_another_tile_in_the_place_of_a_known_one_is_seen_anew() -> None:
    table = BareTable()
    table.keep(_picture(), LATTICE, STRAIGHT, NO_FEET)
    table.keep(_picture(8), LATTICE, {(0, 0): np.array([0.1, 0.0, 0.0, 0.0])}, NO_FEET)
    seen = table.behind(STRAIGHT)
    assert seen is not None and (seen[0][95:145, 130:180] == _picture(8)[95:145, 130:180]).all()


def test_after_a_bump_every_tile_is_compared_with_where_it_is_seen() -> None:
    """The lattices before and after are fitted; that both are off by pixels would make rims of print."""
    table, bare = BareTable(), _picture()
    table.keep(bare, LATTICE, STRAIGHT, NO_FEET)
    shift = np.array([[1.0, 0, 22], [0, 1, -16], [0, 0, 1]])
    bumped = np.asarray(cv2.warpPerspective(bare, shift, (320, 240)), np.uint8)
    fitted = shift @ np.array([[1.0, 0, 3], [0, 1, -2], [0, 0, 1]]) @ LATTICE.homography
    table.keep(_with_figure(bumped, (172, 104)), Lattice(fitted, LATTICE.size_px), STRAIGHT, NO_FEET)  # fmt: skip
    seen = table.behind(STRAIGHT)
    inside = np.s_[80:128, 148:196]
    assert seen is not None and (seen[1][inside] == 255).all()
    assert np.abs(seen[0][inside].astype(int) - bumped[inside]).mean() < 1.5


def test_pixels_near_a_foot_wait_and_forgotten_places_are_unknown() -> None:
    table = BareTable()
    table.keep(_picture(), LATTICE, STRAIGHT, np.array([[0.2, 0.2]]))
    seen = table.behind(STRAIGHT)
    assert seen is not None
    assert not seen[1][92:110, 122:140].any() and seen[1][140:148, 170:178].all()
    table.keep(_picture(), LATTICE, STRAIGHT, NO_FEET, waiting=[(0, 0)])
    assert not _valid(table)  # a figure should stand there, and is not seen
    table.keep(_picture(), LATTICE, STRAIGHT, NO_FEET)
    assert _valid(table)
    table.forget([(0, 0)])
    assert not _valid(table)


def test_nothing_is_learnt_near_what_looks_other_than_it_did() -> None:
    """Of a tile known in part: what came unseen changes the known part too, or its shadow does."""
    table = BareTable()
    table.keep(_picture(), LATTICE, STRAIGHT, np.array([[0.0, 0.0]]))
    with_figure = _picture()
    cv2.circle(with_figure, (150, 120), 14, (0, 140, 255), -1)
    table.keep(with_figure, LATTICE, STRAIGHT, NO_FEET)
    assert not _valid(table)


def test_a_tile_that_has_just_come_is_nothing_that_was_added_to_the_table() -> None:
    table = BareTable()
    table.keep(_picture(), LATTICE, {}, NO_FEET)
    seen = table.behind(STRAIGHT)
    assert seen is not None
    table.keep(_picture(3), LATTICE, STRAIGHT, np.array([[0.5, 0.5]]))
    assert not _valid(table)
    free = table.behind(())
    assert free is not None and not free[1][92:148, 122:178].any()


def test_a_cloth_that_has_always_been_there_is_no_tile() -> None:
    """Stripes that run with the lattice look like roads; a tile that comes changes the look."""
    table, cloth = BareTable(), _picture()
    table.keep(cloth, LATTICE, {}, NO_FEET)
    assert table.unchanged(cloth, LATTICE, [(0, 0), (1, 0)]) == {(0, 0), (1, 0)}
    dimmed = cv2.convertScaleAbs(cloth, alpha=0.85)
    assert table.unchanged(dimmed, LATTICE, [(1, 0)]) == {(1, 0)}
    laid = cloth.copy()
    laid[90:150, 120:180] = _picture(7)[90:150, 120:180]
    assert table.unchanged(laid, LATTICE, [(0, 0), (1, 0)]) == {(1, 0)}
    table.keep(laid, LATTICE, STRAIGHT, NO_FEET)
    assert table.unchanged(cloth, LATTICE, [(0, 0)]) == {(0, 0)}  # taken back


def test_the_bare_table_follows_a_bump_and_not_a_lattice_fitted_anew() -> None:
    table, bare = BareTable(), _picture()
    table.keep(bare, LATTICE, STRAIGHT, NO_FEET)
    fitted = Lattice(LATTICE.homography @ np.diag([1.02, 1.02, 1.0]), LATTICE.size_px)
    assert table.unchanged(bare, fitted, [(1, 0)]) == {(1, 0)}
    shift = np.array([[1.0, 0, 9], [0, 1, -6], [0, 0, 1]])
    bumped = np.asarray(cv2.warpPerspective(bare, shift, (320, 240)), np.uint8)
    there = Lattice(shift @ LATTICE.homography, LATTICE.size_px)
    table = BareTable()
    table.keep(bare, LATTICE, STRAIGHT, NO_FEET)
    table.keep(bumped, there, STRAIGHT, NO_FEET)
    seen = table.behind(STRAIGHT)
    assert seen is not None and seen[1][90:140, 135:180].all()
    assert np.abs(seen[0][90:140, 135:180].astype(int) - bumped[90:140, 135:180]).mean() < 3


def test_the_window_that_the_detector_sees_shows_what_is_known() -> None:
    table = BareTable()
    table.keep(_picture(), LATTICE, STRAIGHT, NO_FEET)
    reference = table.reference(LATTICE, WINDOW, 45.0, STRAIGHT, table=False)
    assert reference is not None and reference.valid is not None
    assert reference.image.shape == (192, 192, 3) and reference.size_mm == (135.0, 135.0)
    assert reference.valid[66:126, 66:126].all() and not reference.valid[:60].any()


class _Counting:
    kinds = ("a",)

    def __init__(self) -> None:
        self.seen = 0

    def look(self, patches, keys=None) -> Looked:  # type: ignore[no-untyped-def]
        self.seen += len(patches)
        n = len(patches)
        level = np.array([p.mean() for p in patches])
        return Looked(np.zeros((n, 3), np.float32), level, np.zeros((n, 4)))


def test_only_patches_that_have_changed_are_looked_at() -> None:
    network = _Counting()
    eyes = RememberingNetwork(network)
    patches = [_picture(n)[:80, :80] for n in range(4)]
    first = eyes.look(patches, list("abcd"))
    noise = np.random.default_rng(1).integers(-3, 4, patches[0].shape)
    again = [np.clip(p + noise, 0, 255).astype(np.uint8) for p in patches]
    cv2.circle(again[2], (40, 40), 10, (255, 255, 255), -1)
    second = eyes.look(again, list("abcd"))
    assert network.seen == 5
    assert (second.present[[0, 1, 3]] == first.present[[0, 1, 3]]).all()
    assert second.present[2] > first.present[2]
    eyes.look(patches)  # without names nothing is remembered
    assert network.seen == 9


def test_a_view_is_never_compared_with_one_of_another_pose() -> None:
    """A lattice fitted anew moves the window by a hair: all sharp print would look changed."""
    sight = TileSight(TileReader({"BA/L": faces("BA/L")}, _Counting()))  # type: ignore[arg-type]
    scene = TileScene(sight)
    poses = [LATTICE.pose((-1.0, -1.0), (2.0, 2.0), 45.0) for _ in range(2)]
    scene._suit(Tracked(poses[0], True))
    scene._accepted = object()  # type: ignore[assignment]
    scene._suit(Tracked(poses[0], True))
    assert scene._accepted is not None
    scene._suit(Tracked(poses[1], True))
    assert scene._accepted is None
