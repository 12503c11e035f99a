"""Standing and lying figures told by their outlines, from own solids and from rendered ones."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from engine.carcassonne.tiles import faces
from models.training.synthesis import raster
from models.training.tiles import table as tables
from models.training.tiles.layouts import Laid
from models.training.tiles.style import plain_style
from vision.tiles import behind, posture
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


def test_a_figure_is_looked_at_again_only_where_it_has_changed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its foot and its colour tremble with the camera's noise; another colour is another question."""
    looked: list[tuple[float, float]] = []

    def told(_mask, _corner, _pose, foot):  # type: ignore[no-untyped-def]
        looked.append(tuple(foot))
        return posture.Posture(0.0, 0.7, foot)

    monkeypatch.setattr(behind, "posture_of", told)
    lattice = Lattice(np.array([[100.0, 0, 100], [0, 100, 60], [0, 0, 1]]), (640, 480))
    pose = lattice.pose((0.0, 0.0), (3.0, 3.0), 45.0)
    rng = np.random.default_rng(2)
    coarse = rng.integers(60, 200, (24, 32, 3)).astype(np.uint8)
    picture = cv2.resize(coarse, (640, 480), interpolation=cv2.INTER_NEAREST)
    known, red = np.full((480, 640), 255, np.uint8), np.array([30.0, 25, 180])
    memory = behind.Postures()

    def ask(x: float, bgr: np.ndarray, seen: np.ndarray, known: np.ndarray = known) -> int:
        noisy = np.clip(seen + rng.integers(-3, 4, seen.shape), 0, 255).astype(np.uint8)
        before = len(looked)
        view = behind.Behind(noisy, pose, (picture, known), memory)
        view.posture(np.array([x, 200.0]), bgr)
        return len(looked) - before

    assert ask(300.4, red, picture) == 1
    assert [ask(x, red + 3, picture) for x in (300.6, 299.0, 301.4)] == [0, 0, 0]
    assert ask(300.4, red[::-1], picture) == 1
    assert ask(300.4, red, picture) == 0  # both are remembered
    assert ask(310.0, red, picture) == 1
    changed = picture.copy()
    cv2.circle(changed, (300, 185), 10, (20, 20, 20), -1)
    assert ask(300.4, red, changed) == 1
    part = known.copy()
    part[:, 300:] = 0  # less of the bare tile is known than before
    assert ask(300.4, red, changed, part) == 1
