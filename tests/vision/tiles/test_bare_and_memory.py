"""The table without figures, and what need not be read again."""

from __future__ import annotations

import cv2
import numpy as np

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
    reference = table.reference(WINDOW, 45.0, STRAIGHT)
    assert reference is not None and reference.valid is not None
    assert reference.valid[64:128, 64:128].all()
    return reference.image[64:128, 64:128]


def test_a_figure_that_is_not_noticed_does_not_become_a_part_of_the_table() -> None:
    table, bare = BareTable(), _picture()
    table.keep(bare, LATTICE, STRAIGHT, WINDOW, NO_FEET)
    before = _middle(table).copy()
    with_figure = bare.copy()
    cv2.circle(with_figure, (150, 120), 12, (0, 140, 255), -1)
    table.keep(with_figure, LATTICE, STRAIGHT, WINDOW, NO_FEET)
    assert (_middle(table) == before).all()


def test_another_light_and_a_tile_that_was_pushed_are_seen_anew() -> None:
    table, bare = BareTable(), _picture()
    table.keep(bare, LATTICE, STRAIGHT, WINDOW, NO_FEET)
    before = _middle(table).mean()
    table.keep(cv2.convertScaleAbs(bare, alpha=0.8), LATTICE, STRAIGHT, WINDOW, NO_FEET)
    assert _middle(table).mean() < 0.9 * before
    pushed = {(0, 0): np.array([0.1, 0.0, 0.0, 0.0])}
    other = _picture(5)
    table.keep(other, LATTICE, pushed, WINDOW, NO_FEET)
    assert np.abs(_middle(table).astype(int) - other[90:150, 120:180].mean()).mean() < 80


def test_pixels_near_a_foot_wait_and_forgotten_places_are_unknown() -> None:
    table = BareTable()
    table.keep(_picture(), LATTICE, STRAIGHT, WINDOW, np.array([[0.2, 0.2]]))
    reference = table.reference(WINDOW, 45.0, STRAIGHT)
    assert reference is not None and reference.valid is not None
    assert not reference.valid[64:96, 64:96].any() and reference.valid[120:128, 120:128].all()
    table.keep(_picture(), LATTICE, STRAIGHT, WINDOW, NO_FEET, waiting=[(0, 0)])
    assert not _valid(table)  # a figure should stand there, and is not seen
    table.keep(_picture(), LATTICE, STRAIGHT, WINDOW, NO_FEET)
    assert _valid(table)
    table.forget([(0, 0)])
    assert not _valid(table)


def test_nothing_is_learnt_of_a_tile_that_looks_other_than_it_did() -> None:
    """Of a tile known in part: what came unseen changes the known part too, or its shadow does."""
    table = BareTable()
    table.keep(_picture(), LATTICE, STRAIGHT, WINDOW, np.array([[0.0, 0.0]]))
    with_figure = _picture()
    cv2.circle(with_figure, (150, 120), 14, (0, 140, 255), -1)
    table.keep(with_figure, LATTICE, STRAIGHT, WINDOW, NO_FEET)
    assert not _valid(table)


def test_a_tile_that_has_just_come_is_nothing_that_was_added_to_the_table() -> None:
    table = BareTable()
    table.keep(_picture(), LATTICE, {}, WINDOW, NO_FEET)
    assert not _valid(table)
    free = table.reference(WINDOW, 45.0, ())
    assert free is not None and free.valid is not None and free.valid[64:128, 64:128].all()


def _valid(table: BareTable) -> bool:
    reference = table.reference(WINDOW, 45.0, STRAIGHT)
    assert reference is not None and reference.valid is not None
    return bool(reference.valid[64:128, 64:128].all())


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
