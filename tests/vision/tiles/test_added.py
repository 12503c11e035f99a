"""Figures found by what was added to the bare table."""

from __future__ import annotations

import numpy as np
import pytest

from engine.board import load_board
from engine.carcassonne.tiles import faces
from models.training.synthesis import raster
from models.training.tiles import table as tables
from models.training.tiles.layouts import Laid
from models.training.tiles.style import plain_style
from vision.reference import Reference
from vision.tiles.added import added_things
from vision.tiles.figures import FigureLook, read_figures
from vision.tiles.lattice import Lattice
from vision.types import SHAPES, Detections

BOARD = load_board("reference", "carcassonne")
LOOKS = (FigureLook("meeple", "red", "red"), FigureLook("meeple", "blue", "blue"))
RED, BLUE = (0.12, 0.1, 0.72), (0.68, 0.3, 0.08)


class _Blind:
    """A detector that sees nothing."""

    def detect(self, image, pose, reference=None, where_unsure=False) -> Detections:  # type: ignore[no-untyped-def]
        none = np.zeros((0, 2), np.float32)
        mask = np.zeros((image.shape[0] // 4, image.shape[1] // 4), np.float32)
        grid = np.array([[4, 0, 1.5], [0, 4, 1.5]], np.float64)
        empty = np.zeros(0, np.float32)
        return Detections(
            none, none, empty, np.zeros((0, len(SHAPES)), np.float32), empty, mask, mask, grid
        )


class _Show:
    def __init__(self) -> None:
        self.table = tables.Table(
            tables.Art(plain_style(), 1), raster.Lights((), np.full(3, 1.0, np.float32)),
            np.full((512, 512, 3), 128, np.uint8),
        )  # fmt: skip
        rng = np.random.default_rng(6)
        self.tiles = [Laid(faces("BA/RFr")[0], (x, 0)) for x in range(3)]
        self.camera = tables.table_camera(rng, self.tiles, self.table, (960, 540), (62, 75), (0.7, 0.8))  # fmt: skip
        pitch = self.table.pitch_mm
        view = self.camera.homography @ np.array(
            [[pitch, 0, -pitch / 2], [0, pitch, -pitch / 2], [0, 0, 1]]
        )
        self.lattice = Lattice(view, self.camera.size)

    def picture(self, *figures: tables.Figure) -> np.ndarray:
        rng = np.random.default_rng(3)
        return tables.render(rng, self.table, self.tiles, list(figures), self.camera, clean=True).picture  # fmt: skip

    def read(self, picture: np.ndarray):  # type: ignore[no-untyped-def]
        low, high = (-0.35, -0.35), (3.35, 1.35)
        pose = self.lattice.pose(low, high, 45.0)
        size = ((high[0] - low[0]) * 45.0, (high[1] - low[1]) * 45.0)
        bare = Reference.from_picture(self.picture(), size, pose.corners_px)
        at = {t.pos: np.zeros(4) for t in self.tiles}
        return read_figures(picture, pose, self.lattice, at, LOOKS, {}, _Blind(), BOARD, bare)[0]  # type: ignore[arg-type]


def _figure(colour, pos: int, at=(0.5, 0.5), lying: bool = False) -> tables.Figure:  # type: ignore[no-untyped-def]
    return tables.Figure("meeple", "red", np.array(colour, np.float32), (pos, 0), at, lying, 0.7)


def test_figures_that_the_network_misses_are_found_by_what_was_added() -> None:
    show = _Show()
    found = show.read(show.picture(_figure(RED, 0), _figure(BLUE, 2, (0.3, 0.7), True)))
    told = {f.place: (LOOKS[int(np.argmax(f.looks))].owner, f.lying > 0.5) for f in found}
    assert told == {(0, 0): ("red", False), (2, 0): ("blue", True)}
    foot = next(f.foot for f in found if f.place == (0, 0))
    assert np.linalg.norm(np.array(foot) - 0.5) < 0.12


@pytest.mark.parametrize("what", ["shadow", "nothing", "grey thing", "crumb"])
def test_shadows_and_other_things_are_no_figures(what: str) -> None:
    show = _Show()
    picture = show.picture().astype(np.float32)
    x, y = show.lattice.to_image(np.array([[1.5, 0.5]]))[0].astype(int)
    if what == "shadow":
        picture[y - 15 : y + 15, x - 15 : x + 15] *= 0.45
    elif what == "grey thing":
        picture[y - 12 : y + 12, x - 14 : x + 14] = (150, 150, 150)
    elif what == "crumb":
        picture[y - 2 : y + 2, x - 2 : x + 2] = (30, 30, 200)
    assert show.read(np.clip(picture, 0, 255).astype(np.uint8)) == []


def test_a_figure_that_touches_one_of_another_colour_is_seen() -> None:
    show = _Show()
    picture = show.picture(_figure(RED, 0, (0.5, 0.5)), _figure(BLUE, 0, (0.68, 0.5)))
    pose = show.lattice.pose((-0.35, -0.35), (3.35, 1.35), 45.0)
    quads = [show.lattice.quad(t.pos) for t in show.tiles]
    known = np.full(picture.shape[:2], 255, np.uint8)
    foot = show.lattice.to_image(np.array([[0.5, 0.5]]))[0]

    def left(bgr):  # type: ignore[no-untyped-def]
        return added_things(picture, show.picture(), known, pose, quads, [(foot, bgr)])

    red = picture[round(float(foot[1])) - 12, round(float(foot[0]))]
    things = left(tuple(float(v) for v in red))
    assert [int(np.argmax(t.bgr)) for t in things] == [0]
    assert things[0].mm2 > 1.3 * sum(t.mm2 for t in left(None))
