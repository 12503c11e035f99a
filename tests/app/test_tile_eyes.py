"""From a rendered table to the referee: the eyes of Carcassonne, and a short film."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from companion_app.tile_eyes import Expected, TileEyes, priors_of
from companion_app.tile_pipeline import TilePipeline
from engine.action import Action
from engine.board import load_board
from engine.carcassonne.room import CarcassonneRoom
from engine.carcassonne.setup import make_setup
from engine.carcassonne.sight import observation_by
from engine.carcassonne.tiles import faces
from engine.game import Header, Player
from engine.placement import Placement
from engine.referee.tracker import Tracker
from models.training.synthesis import raster
from models.training.tiles import table as tables
from models.training.tiles.stage import Stage
from models.training.tiles.style import plain_style
from vision.detector import Detector
from vision.sources import SourceKind, SourceState
from vision.tiles.lattice import lattice_from_quad
from vision.types import Frame

ROOM = CarcassonneRoom()
HEADER = Header("carcassonne", "reference", (Player("Ada", "red"), Player("Ben", "blue")))
BOARD = load_board("reference", "carcassonne")
SIZE = (960, 540)


def _table() -> tables.Table:
    rng = np.random.default_rng(1)
    lights = raster.Lights((), np.full(3, 1.0, np.float32))
    wood = np.full((512, 512, 3), (70, 95, 120), np.uint8)
    wood = np.clip(wood + rng.normal(0, 3, wood.shape), 0, 255).astype(np.uint8)
    return tables.Table(tables.Art(plain_style(), 3), lights, wood)


class _Show:
    """Pictures of the states of a game, by one camera."""

    def __init__(self, size: tuple[int, int] = SIZE) -> None:
        self.table = _table()
        self.stage = Stage(np.random.default_rng(2), self.table)
        start = self.stage.tiles(ROOM.start(HEADER))
        self.camera = tables.table_camera(
            np.random.default_rng(4), start, self.table, size, (68, 75), (0.6, 0.65)
        )

    def picture(self, state, seed: int = 1) -> np.ndarray:  # type: ignore[no-untyped-def]
        tiles, figures = self.stage.tiles(state), self.stage.figures(state)
        rng = np.random.default_rng(seed)
        return tables.render(rng, self.table, tiles, figures, self.camera, clean=True).picture

    def corners(self, shift=(0.0, 0.0)) -> np.ndarray:  # type: ignore[no-untyped-def]
        square = tables.corners_mm(self.stage.tiles(ROOM.start(HEADER))[0], self.table)
        return self.camera.project(np.column_stack([square, np.zeros(4)])) + shift


def _after(*actions: Action):  # type: ignore[no-untyped-def]
    state = ROOM.start(HEADER)
    for action in actions:
        word = ROOM.judge(state, action)
        assert word.status.value == "legal", word.message.text
        state = word.state
    return state


TILE = Action("red", "tile", {"tile": "BA/RFr", "rot": 0, "pos": [1, 0]})
MEEPLE = Action("red", "meeple", {"kind": "small", "feature": "Road", "at": "E", "pos": [1, 0]})


def test_what_may_lie_beside_known_tiles_follows_from_edges_and_stock() -> None:
    """C-1, and no kind of which none is left."""
    expected = Expected.of(ROOM.placement(ROOM.start(HEADER)))
    assert set(expected.tiles) == {(0, 0)}
    assert expected.wanted((1, 0)) == "???R"
    allowed = expected.allowed((1, 0))
    assert allowed and all(faces(k)[r // 90].edges[3] == "R" for k, r in allowed)
    assert allowed["BA/RFr", 0] == 8.0
    kinds = tuple(sorted(make_setup(HEADER).counts))
    priors = priors_of(expected, kinds)
    assert set(priors) == {(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1)}
    assert np.isinf(priors[1, 0][kinds.index("BA/L")]).all()
    assert priors[0, 0].argmax() == kinds.index("BA/RCr") * 4


@pytest.mark.parametrize("given", [False, True])
def test_the_start_tile_gives_lattice_and_the_next_tile_is_read(given: bool) -> None:
    show = _Show()
    corners = show.corners((3.0, -2.0)) if given else None
    eyes = TileEyes(make_setup(HEADER), Detector(), BOARD, corners_px=corners)
    eyes.expect(ROOM.placement(ROOM.start(HEADER)))
    assert eyes.sight.find(show.picture(ROOM.start(HEADER))) is not None
    found = eyes.sight.lattice
    assert found is not None
    true = lattice_from_quad(show.corners(), SIZE)
    off = np.linalg.norm(found.quad((0, 0)) - true.quad((0, 0)), axis=1).max()
    assert off < 0.08 * true.side_px((0, 0))
    glance = eyes.look(show.picture(_after(TILE)))
    assert glance is not None and not glance.hand
    table = eyes.table(glance, 1.0, False, 1.0)
    seen = {t.pos: t.best for t in table.tiles}
    assert set(seen) == {(0, 0), (1, 0)}
    assert (seen[1, 0].tile, seen[1, 0].rot % 180) == ("BA/RFr", 0)


def test_an_accepted_tile_is_known_bare_before_anything_stands_on_it() -> None:
    """The next picture may have a meeple on it already, and what is added to a bare tile is a figure."""
    show, state = _Show(), _after(TILE)
    eyes = TileEyes(make_setup(HEADER), Detector(), BOARD)
    eyes.expect(ROOM.placement(ROOM.start(HEADER)))
    assert eyes.sight.find(show.picture(ROOM.start(HEADER))) is not None
    assert eyes.look(show.picture(state)) is not None
    eyes.expect(ROOM.placement(state))
    glance = eyes.look(show.picture(_after(TILE, MEEPLE)))
    behind = eyes.sight.bare.behind([(0, 0), (1, 0)], table=False)
    assert glance is not None and behind is not None
    x, y = np.round(glance.figures[0].foot_px).astype(int)
    assert (behind[1][y - 10 : y + 10, x - 10 : x + 10] == 255).all()


def test_a_bump_and_a_pushed_layout_keep_the_places() -> None:
    """The whole layout moved by 12 mm and turned by 4 degrees is followed; a far push is found anew."""
    show = _Show()
    state = _after(TILE)
    eyes = TileEyes(make_setup(HEADER), Detector(), BOARD)
    eyes.expect(ROOM.placement(state))
    assert eyes.sight.find(show.picture(state)) is not None
    laid = show.stage.tiles(state)
    for by, degrees, near in (((9.0, -6.0), 4.0, True), ((90.0, 40.0), 30.0, False)):
        moved = tables.pushed(laid, by, degrees)
        picture = tables.render(
            np.random.default_rng(3), show.table, moved, [], show.camera, clean=True
        ).picture
        if near:
            assert eyes.sight.follow(picture)
        else:
            assert not eyes.sight.follow(picture)
            assert eyes.sight.find(picture) is not None
        lattice = eyes.sight.lattice
        assert lattice is not None
        for tile in moved:
            middle = tables.corners_mm(tile, show.table).mean(0)
            px = show.camera.project(np.array([[*middle, 0.0]]))[0]
            gap = np.linalg.norm(lattice.quad(tile.pos).mean(0) - px)
            assert gap < 0.15 * lattice.side_px(tile.pos), (by, tile.pos)


class _Pictures:
    """A source that plays pictures at 10 a second."""

    live = False
    state = SourceState(SourceKind.ENDED)

    def __init__(self, pictures: list[np.ndarray]) -> None:
        self._frames = [Frame(p, n / 10, n) for n, p in enumerate(pictures)]

    def open(self) -> None: ...

    def close(self) -> None: ...

    def read(self, timeout_s: float) -> Frame | None:
        return self._frames.pop(0) if self._frames else None


def test_a_tile_laid_at_the_table_is_played() -> None:
    show = _Show()
    before, after = (show.picture(s) for s in (ROOM.start(HEADER), _after(TILE)))
    dark = cv2.convertScaleAbs(after, alpha=1.0)
    cv2.circle(dark, (480, 400), 160, (90, 120, 190), -1)  # something passes over the table
    source = _Pictures([before] * 12 + [dark] * 2 + [after] * 26)
    tracker = Tracker(ROOM, BOARD, HEADER)
    eyes = TileEyes(make_setup(HEADER), Detector(), BOARD)
    pipeline = TilePipeline(source, eyes, ROOM.placement(tracker.state))  # type: ignore[arg-type]
    done = []
    for view in pipeline.views():
        if view.observation is not None:
            done += [e.to_json() for e in tracker.observe(view.observation)]
            pipeline.accepted(ROOM.placement(tracker.state))
    played = [e["action"] for e in done if e["type"] == "action"]
    assert [(a["tile"], a["pos"]) for a in played if a["do"] == "tile"] == [("BA/RFr", [1, 0])]
    assert not [e for e in done if e.get("verdict") == "illegal"]


def test_figures_are_reported_with_their_tile_and_owner() -> None:
    show = _Show((1280, 720))
    state = _after(TILE, MEEPLE)
    eyes = TileEyes(make_setup(HEADER), Detector(), BOARD)
    eyes.expect(ROOM.placement(_after(TILE)))
    assert eyes.sight.find(show.picture(_after(TILE))) is not None
    eyes.look(show.picture(_after(TILE)))
    glance = eyes.look(show.picture(state))
    assert glance is not None
    figures = [f for f in eyes.table(glance, 1.0, False, 1.0).figures if f.pos == (1, 0)]
    assert len(figures) == 1
    assert figures[0].best.owner == "red" and figures[0].lying < 0.5
    placement: Placement = ROOM.placement(_after(TILE))
    observation = observation_by(eyes.table(glance, 1.0, False, 1.0), placement)
    best = [p.best.spots for p in observation.pieces if p.best.kind == "meeple"]
    assert best == [("1,0:EW",)]


def test_a_damaged_profile_is_told(tmp_path: Path) -> None:
    from engine.errors import BoardwardenError
    from vision.tiles.profile import Profile

    path = tmp_path / "x.npz"
    path.write_bytes(b"no profile")
    with pytest.raises(BoardwardenError, match="no print of tiles"):
        Profile.load(path)


MAGALON = Path(__file__).resolve().parents[2] / ".." / "shared" / "renders" / "magalon-dev.mp4"


@pytest.mark.shared
@pytest.mark.skipif(not MAGALON.exists(), reason="needs the development films")
def test_another_board_is_no_table_of_tiles() -> None:
    """Something on any board looks a little like the start tile; nothing is taken for it."""
    eyes = TileEyes(make_setup(HEADER), Detector(), BOARD)
    eyes.expect(ROOM.placement(ROOM.start(HEADER)))
    film = cv2.VideoCapture(str(MAGALON))
    for number in (100, 400):
        film.set(cv2.CAP_PROP_POS_FRAMES, number)
        read, picture = film.read()
        assert read
        assert eyes.sight.find(np.asarray(picture, np.uint8)) is None
