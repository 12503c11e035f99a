"""Standing and lying figures told by their outlines, from own solids and from rendered ones."""

from __future__ import annotations

import numpy as np
import pytest

from engine.carcassonne.tiles import faces
from models.training.synthesis import raster
from models.training.tiles import table as tables
from models.training.tiles.layouts import Laid
from models.training.tiles.style import plain_style
from vision.tiles.lattice import Lattice
from vision.tiles.posture import belonging, posture_of


@pytest.mark.parametrize("lying", [False, True])
def test_rendered_figures_are_told_from_a_good_view(lying: bool) -> None:
    rng = np.random.default_rng(6)
    lights = raster.Lights((), np.full(3, 1.0, np.float32))
    table = tables.Table(
        tables.Art(plain_style(), 1), lights, np.full((512, 512, 3), 128, np.uint8)
    )
    tiles = [Laid(faces("BA/RFr")[0], (x, 0)) for x in range(3)]
    camera = tables.table_camera(rng, tiles, table, (960, 540), (62, 75), (0.7, 0.8))
    pitch = table.pitch_mm
    view = camera.homography @ np.array([[pitch, 0, -pitch / 2], [0, pitch, -pitch / 2], [0, 0, 1]])
    pose = Lattice(view, (960, 540)).pose((-0.3, -0.3), (3.3, 1.3), 45.0)
    colour = np.array([0.75, 0.25, 0.1], np.float32)
    right = 0
    for turn in np.linspace(0, np.pi, 5):
        figure = tables.Figure("meeple", "blue", colour, (1, 0), (0.5, 0.3), lying, float(turn))
        seen = tables.render(rng, table, tiles, [figure], camera, clean=True)
        bare = tables.render(rng, table, tiles, [], camera, clean=True)
        foot = seen.foot_px[0]
        x, y = (int(v) for v in foot)
        part = np.s_[y - 60 : y + 60, x - 60 : x + 60]
        bgr = np.array([200, 110, 60], np.float32)
        known = np.full((120, 120), 255, np.uint8)
        mask = belonging(seen.picture[part], bgr, bare.picture[part], known)
        found = posture_of(mask, (x - 60, y - 60), pose, foot + 2.0)
        right += (found.lying > 0) == lying
        assert np.linalg.norm(found.foot_px - foot) < 6
    assert right >= 4
