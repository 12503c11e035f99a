"""Shadows among pieces, equal looks, and prints with holes in the synthetic tables."""

from __future__ import annotations

import numpy as np

from models.training.synthesis import meshes
from models.training.synthesis.sample import CLASS, FOOT_X, LOOK, VISIBLE, make_sample
from models.training.synthesis.scene import populate
from models.training.synthesis.self_shadow import lamp_map, lit
from models.training.targets import draw_looks, random_window
from vision.types import SHAPES


def test_a_tower_shades_the_side_away_from_the_lamp() -> None:
    plate = meshes.box((60, 60, 2), (0, 0, 1))
    tower = meshes.box((8, 8, 30), (0, 0, 17))
    mesh = meshes.join([plate, tower])
    to_light = np.array([1.0, 0.0, 1.0], np.float32) / np.sqrt(2).astype(np.float32)
    lamp = lamp_map(mesh, to_light)
    points = np.array([(-15, 0, 2), (15, 0, 2), (-15, 20, 2), (0, 0, 32), (4, 0, 20)], np.float32)
    np.testing.assert_array_equal(lit(mesh, lamp, points), [0, 1, 1, 1, 1])


def test_pieces_of_one_look_share_mould_and_colour() -> None:
    seen = 0
    for k in range(12):
        placed = populate(np.random.default_rng([3, k]), (500.0, 500.0), 2.0)
        by_look: dict[int, list[tuple[float, tuple[float, ...]]]] = {}
        for p in placed:
            if p.kind < 0:
                assert p.piece.labels[0][0] == "wall"
                continue
            shape = (p.piece.height, tuple(p.mesh.colours.mean(0).round(3)), p.piece.labels[0][0])
            by_look.setdefault(p.kind, []).append(shape)
        for group in by_look.values():
            # Cubes of a set differ a little in brightness, face by face, but by mould, not by piece.
            assert all(g == group[0] for g in group)
            seen += len(group) > 1
        kinds = [g[0] for g in by_look.values()]
        assert len(kinds) == len({(k, *g) for k, g in zip(by_look, kinds, strict=True)})
    assert seen > 20


def test_looks_are_drawn_at_the_feet_of_well_seen_pieces() -> None:
    row = np.zeros((3, 8), np.float32)
    row[:, CLASS] = SHAPES.index("pawn")
    row[:, FOOT_X : FOOT_X + 2] = [(41.5, 61.5), (81.5, 61.5), (21.5, 21.5)]
    row[:, VISIBLE] = [1.0, 0.3, 0.9]
    row[:, LOOK] = [7, 7, -1]
    looks = draw_looks(row, 32, 32)
    assert looks[15, 10] == 8
    assert (looks > 0).sum() == 1


def test_some_windows_have_holes_in_the_print_but_not_in_the_picture() -> None:
    sample = make_sample(np.random.default_rng([41, 3]), 352)
    shares = []
    for k in range(40):
        w = random_window(np.random.default_rng(k), sample, 256, no_reference=0.0)
        known = w.inputs[..., 6] > 0
        assert not w.inputs[..., 3:6][~known].any()
        shares.append(float(known.mean()))
    assert max(shares) - min(shares) > 0.02
