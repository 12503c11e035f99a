"""The synthetic tables: repeatable, and their labels tell the truth about the picture."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from models.training import dataset
from models.training.synthesis import buildings, meshes, pieces
from models.training.synthesis.camera import random_camera
from models.training.synthesis.sample import (
    CLASS,
    FOOT_X,
    FOOT_Y,
    TOP_Y,
    VISIBLE,
    WIDTH,
    Sample,
    make_sample,
)  # fmt: skip
from models.training.targets import draw_targets, random_window
from vision.crop import LONG_SIDE
from vision.types import SHAPES

SMALL = 352


def rng(*seed: int) -> np.random.Generator:
    return np.random.default_rng(seed)


@pytest.fixture(scope="module")
def samples() -> list[Sample]:
    return [make_sample(rng(41, i), SMALL) for i in range(8)]


def test_same_seed_same_picture_other_seed_another(samples: list[Sample]) -> None:
    again = make_sample(rng(41, 0), SMALL)
    np.testing.assert_array_equal(again.picture, samples[0].picture)
    np.testing.assert_array_equal(again.things, samples[0].things)
    assert (
        again.picture.shape != samples[1].picture.shape
        or (again.picture != samples[1].picture).any()
    )


def test_sizes_fit_the_network(samples: list[Sample]) -> None:
    for s in samples:
        h, w = s.picture.shape[:2]
        assert max(h, w) == SMALL
        assert h % 32 == 0
        assert w % 32 == 0
        assert s.reference.shape == s.picture.shape
        assert s.masks.shape == (h // 4, w // 4, 2)


def test_things_lie_inside_and_have_a_size(samples: list[Sample]) -> None:
    things = np.concatenate([s.things for s in samples])
    assert len(things) > 40
    assert np.isfinite(things).all()
    assert (things[:, VISIBLE] >= 0.2).all()
    assert (things[:, VISIBLE] <= 1).all()
    assert (things[:, WIDTH] > 1).all()
    for s in samples:
        h, w = s.picture.shape[:2]
        assert (s.things[:, FOOT_X] >= 0).all()
        assert (s.things[:, FOOT_X] <= w - 1).all()
        assert (s.things[:, FOOT_Y] >= 0).all()
        assert (s.things[:, FOOT_Y] <= h - 1).all()


def test_the_mask_covers_pieces_in_plain_view(samples: list[Sample]) -> None:
    """Halfway up the axis of a wholly visible solid piece its own pixels must be seen."""
    solid = [SHAPES.index(k) for k in ("pawn", "cube", "disc", "die", "castle")]
    checked = 0
    for s in samples:
        for row in s.things:
            if int(row[CLASS]) not in solid or row[VISIBLE] < 0.97:
                continue
            middle = (row[FOOT_X : FOOT_X + 2] + row[3:5]) / 2 / 4
            x, y = np.clip(middle.round().astype(int), 0, np.array(s.masks.shape[1::-1]) - 1)
            around = s.masks[max(0, y - 1) : y + 2, max(0, x - 1) : x + 2, 0]
            assert around.max() > 60, SHAPES[int(row[CLASS])]
            checked += 1
    assert checked > 15


def test_the_reference_is_blank_outside_the_board(samples: list[Sample]) -> None:
    for s in samples:
        assert s.reference[s.valid == 0].max(initial=0) == 0
        assert s.reference[s.valid > 0].max() > 0


def test_every_class_has_a_maker_whose_foot_is_on_the_ground() -> None:
    made = [f(rng(5, i)) for i, f in enumerate([
        pieces.pawn, pieces.cube, pieces.disc, pieces.chip, pieces.shield, pieces.die, buildings.castle,
    ])]  # fmt: skip
    made += [pieces.meeple(rng(6, i)) for i in range(12)] + [buildings.l_wall(rng(7), 28.0)]
    assert {label[0] for p in made for label in p.labels} == set(SHAPES)
    for p in made:
        z = p.mesh.quads[..., 2]
        assert -0.01 <= z.min() < 1.0
        assert z.max() > 0.5
        np.testing.assert_allclose(np.linalg.norm(p.mesh.normals, axis=1), 1, atol=1e-3)


def test_l_walls_name_each_cell_and_their_mean() -> None:
    for i in range(10):
        piece = buildings.l_wall(rng(8, i), 30.0)
        cells = np.array([(x, y) for s, x, y, _ in piece.labels if s == "wall"])
        centre = [(x, y) for s, x, y, _ in piece.labels if s == "l_wall"]
        assert len(cells) in (3, 4, 5)
        np.testing.assert_allclose(cells.mean(0), centre[0], atol=1e-6)
        gaps = np.hypot(*(cells[:, None] - cells[None]).transpose(2, 0, 1))
        assert gaps[gaps > 0].min() == pytest.approx(30.0)


def test_discs_are_flat_and_pawns_are_not() -> None:
    for i in range(20):
        disc, pawn = pieces.disc(rng(9, i)), pieces.pawn(rng(10, i))
        assert disc.height < 0.5 * disc.base
        assert pawn.height > 0.5 * pawn.base


def test_normals_of_a_box_point_away() -> None:
    box = meshes.box((4, 6, 8), (1, 2, 4))
    outward = np.einsum("ij,ij->i", box.normals, box.quads.mean(1) - np.array([1, 2, 4]))
    assert (outward > 0).all()


def test_tall_things_rise_in_the_picture() -> None:
    """The camera is not mirrored and up is up: from low elevations tops lie above feet."""
    for i in range(6):
        camera = random_camera(rng(11, i), (500.0, 500.0), LONG_SIDE)
        foot, top = camera.project(np.array([(250.0, 250.0, 0.0), (250.0, 250.0, 40.0)]))
        assert top[1] < foot[1] + 3
        corners = camera.project(np.array([(0.0, 0, 0), (500, 0, 0), (500, 500, 0), (0, 500, 0)]))
        x, y = corners.T
        area = np.sum(x * np.roll(y, -1) - y * np.roll(x, -1))
        assert area > 0  # clockwise on screen, as on the face


def test_targets_peak_at_the_feet() -> None:
    things = np.array([[SHAPES.index("pawn"), 41.5, 61.5, 41.5, 29.5, 16, 1.0]], np.float32)
    heat, regress, near = draw_targets(things, 32, 32)
    assert np.unravel_index(heat[0].argmax(), heat[0].shape) == (15, 10)
    assert heat[0, 15, 10] == 1
    assert heat[1:].max() == 0
    np.testing.assert_allclose(regress[:, 15, 10], (0, 0, 0, -1, 0.5), atol=1e-6)
    assert near.sum() == 9
    # A neighbour cell points at the same foot.
    np.testing.assert_allclose(regress[:2, 14, 11], (-1, 1), atol=1e-6)


def test_hardly_visible_things_are_no_peak() -> None:
    things = np.array([[0, 41.5, 61.5, 41.5, 29.5, 16, 0.22]], np.float32)
    assert 0 < draw_targets(things, 32, 32)[0].max() < 1


def test_windows_keep_labels_and_pictures_together(samples: list[Sample]) -> None:
    """A bright dot painted at each foot must come out where the heat map peaks."""
    for i, s in enumerate(samples[:4]):
        dotted = np.zeros_like(s.picture)
        for row in s.things:
            x, y = row[FOOT_X : FOOT_X + 2].round().astype(int)
            dotted[max(0, y - 3) : y + 4, max(0, x - 3) : x + 4] = 255
        marked = Sample(dotted, s.reference, s.valid, s.things, s.masks, s.corners)
        window = random_window(rng(12, i), marked, 192, 1.0)
        assert window.inputs[..., 3:].max() == 0
        peaks = np.argwhere(window.heat.max(0) == 1)
        assert len(peaks)
        for y, x in peaks:
            assert window.inputs[4 * y : 4 * y + 4, 4 * x : 4 * x + 4, :3].max() > 100


def test_shards_survive_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dataset, "SHARD", 2)
    monkeypatch.setattr(
        dataset, "make_sample", lambda r, render=None: make_sample(r, SMALL, render)
    )
    dataset.write_shard(tmp_path, 3, 1)
    path = dataset.shard_path(tmp_path, 3, 1)
    stamp = path.stat().st_mtime_ns
    dataset.write_shard(tmp_path, 3, 1)
    assert path.stat().st_mtime_ns == stamp
    back = list(dataset.read_shard(path))
    fresh = make_sample(rng(3, 2), SMALL)
    assert len(back) == 2
    np.testing.assert_array_equal(back[0].things, fresh.things)
    np.testing.assert_array_equal(back[0].masks, fresh.masks)
    assert np.abs(back[0].picture.astype(int) - fresh.picture).mean() < 12


def test_tops_are_above_feet_in_oblique_views(samples: list[Sample]) -> None:
    things = np.concatenate([s.things for s in samples])
    tall = things[things[:, CLASS] == 0]
    assert (tall[:, TOP_Y] <= tall[:, FOOT_Y] + 12).all()
