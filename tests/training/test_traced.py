"""Path traced tables: what needs no renderer, and one small picture where there is one."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from models.training.synthesis import traced
from models.training.synthesis.meshes import box, revolution
from models.training.synthesis.sample import ids_seen
from models.training.synthesis.table import Table, random_table


@pytest.fixture(scope="module")
def table() -> Table:
    return random_table(np.random.default_rng(11), 320)


def test_round_sides_are_smooth_and_edges_are_not() -> None:
    can = revolution(np.array([(10.0, 0.0), (10.0, 30.0)]), segments=24)
    normals = traced._smooth(can)
    side = np.abs(can.normals[:, 2]) < 0.1
    outward = can.quads[side][..., :2] / 10
    assert np.allclose(normals[side][..., :2], outward, atol=0.05)
    assert np.allclose(normals[~side], (0, 0, 1), atol=1e-3)
    cube = box((10, 10, 10), (0, 0, 5))
    assert np.allclose(traced._smooth(cube), np.repeat(cube.normals[:, None], 4, 1), atol=1e-5)


def test_the_ground_carries_its_own_picture(table: Table) -> None:
    camera = table.camera
    for surface in (
        traced._slab(camera, table.board, table.thick), traced._table(camera, table.thick)
    ):  # fmt: skip
        assert surface.pixels is not None
        seen = camera.project(surface.points[surface.triangles.ravel()])
        there = surface.pixels[surface.triangles.ravel()] * camera.size - 0.5
        assert np.abs(seen - there).max() < 0.1


def test_the_sky_is_as_bright_as_the_even_rest(table: Table) -> None:
    sky = traced._sky(np.random.default_rng(4), table.lights)
    up = np.cos(np.linspace(0, np.pi, len(sky)))
    weight = np.maximum(up, 0) * np.sin(np.linspace(0, np.pi, len(sky)) + 1e-3)
    mean = (sky * weight[:, None, None]).sum((0, 1)) / (weight.sum() * sky.shape[1])
    assert np.allclose(mean, table.lights.ambient, rtol=1e-3)


def test_pieces_are_drawn_where_their_ids_are(table: Table) -> None:
    pytest.importorskip("mitsuba", reason="the renderer is not installed")
    pytest.importorskip("pyoidn", reason="the denoiser is not installed")
    dark = np.zeros_like(table.ground)
    bright = [replace(p, mesh=p.mesh.painted(np.ones(3), 0.0)) for p in table.placed]
    plain = replace(table, ground=dark, placed=bright, others=[], hands=[])
    light = traced._light(np.random.default_rng(2), plain)
    ids = cv2.resize(
        (ids_seen(plain) > 0).astype(np.uint8) * 255,
        table.camera.size,
        interpolation=cv2.INTER_AREA,
    )
    lit = light.max(2) > 0.02
    inside, outside = ids == 255, cv2.dilate(ids, np.ones((5, 5))) == 0
    assert inside.sum() > 200
    assert lit[inside].mean() > 0.9
    assert lit[outside].mean() < 0.02
