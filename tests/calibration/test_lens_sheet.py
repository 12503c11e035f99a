"""A lens measured with the printed sheet, and kept until the camera changes."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.lens_sheet import LensBook, SheetViews
from calibration.sheets.charuco_sheet import SQUARE_MM, SQUARES, charuco_board
from companion_app import lenses
from companion_app.cli import main
from companion_app.pipeline import TablePipeline
from engine.errors import BoardwardenError
from tests.faults.camera import EmptyEyes
from tests.vision.artwork import VIEW, artwork, checkered_board, photograph, reference
from vision.lens import radial_lens
from vision.scene import SceneWatch
from vision.sources.stills import ScriptedSource
from vision.types import Frame

SIZE = (960, 540)
TRUE = radial_lens(SIZE, 820.0, -0.09)
SHEET = (SQUARES[0] * SQUARE_MM, SQUARES[1] * SQUARE_MM)
PLACES = [(x, y, tilt) for x, y in ((0, 0), (-190, -60), (190, -60), (190, 60), (-190, 60)) for tilt in ((0.35, 0.1), (-0.3, 0.35), (0.1, -0.4))]  # fmt: skip


def views(places=PLACES) -> list[np.ndarray]:
    """The sheet held before a bent lens in many ways."""
    flat = charuco_board().generateImage((SQUARES[0] * 100, SQUARES[1] * 100))
    y, x = np.mgrid[0 : SIZE[1], 0 : SIZE[0]]
    rays = TRUE.straighten(np.stack([x.ravel(), y.ravel()], 1).astype(float))
    maps = rays.astype(np.float32).reshape(*SIZE[::-1], 2)
    out = []
    for right, down, (tx, ty) in places:
        turn, _ = cv2.Rodrigues(np.array([tx, ty, 0.2 * tx]))
        corners = np.array([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]]) * (SHEET[0] / 2, SHEET[1] / 2, 1)  # fmt: skip
        seen = corners @ turn.T + (right, down, 480.0)
        px = seen[:, :2] / seen[:, 2:] * 820 + (np.array(SIZE) - 1) / 2
        rim = np.array([[0, 0], [500, 0], [500, 700], [0, 700]]) - 0.5
        warp = cv2.getPerspectiveTransform(rim.astype(np.float32), px.astype(np.float32))
        straight = cv2.warpPerspective(flat, warp, SIZE, borderValue=150)
        bent = cv2.remap(straight, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR, borderValue=150)
        out.append(cv2.cvtColor(cv2.GaussianBlur(bent, (0, 0), 0.7), cv2.COLOR_GRAY2BGR))
    return out


@pytest.fixture(scope="module")
def pictures() -> list[np.ndarray]:
    return views()


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BOARDWARDEN_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def test_the_lens_is_measured_by_the_command_and_kept(pictures, home: Path, tmp_path: Path, capsys) -> None:  # fmt: skip
    folder = tmp_path / "views"
    folder.mkdir()
    for i, picture in enumerate(pictures):
        cv2.imwrite(str(folder / f"{i:02}.png"), picture)
    assert main(["calibrate", str(folder), "--camera", "2", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["rms_px"] < 0.5
    (lens,) = lenses.known_lenses(2)
    assert lens is not None
    assert lens.matrix[0, 0] == pytest.approx(820, rel=0.03)
    rim = np.array([[60.0, 50], [900, 60], [880, 500], [70, 480]])
    assert np.abs(lens.straighten(rim) - TRUE.straighten(rim)).max() < 8
    assert lenses.known_lenses(0) == []
    lenses.forget_lens(2)
    assert lenses.known_lenses(2) == []


def test_views_that_say_too_little_are_refused(pictures) -> None:
    few = SheetViews()
    assert few.look(np.full((540, 960, 3), 120, np.uint8)) == "none"
    assert few.look(pictures[0]) == "taken"
    assert few.look(pictures[0]) == "same"
    with pytest.raises(BoardwardenError, match="1 of 12"):
        few.lens()
    with pytest.raises(BoardwardenError, match="resolution"):
        few.look(cv2.resize(pictures[0], (640, 360)))


def test_another_resolution_has_its_own_lens_and_damage_is_no_lens(tmp_path: Path) -> None:
    book = LensBook(tmp_path / "lenses.json")
    for size in ((960, 540), (1280, 720), (960, 540)):
        book.path.write_bytes(book.with_lens("0", radial_lens(size, size[0] * 0.9, -0.1)))
    assert [lens.size for lens in book.lenses_of("0")] == [(1280, 720), (960, 540)]
    assert len(json.loads(book.path.read_text())["cameras"]["0"]) == 2
    for damage in ("", "[]", '{"cameras": 3}', '{"cameras": {"0": [{"size": 1}, 7]}}'):
        book.path.write_text(damage)
        assert book.lenses_of("0") == []


def test_a_lens_that_no_longer_fits_is_dropped_with_a_message() -> None:
    wrong = radial_lens(VIEW, 0.8 * VIEW[0], -0.25)
    scene = SceneWatch(checkered_board(), reference=reference(), lens=[wrong])
    dropped: list[bool] = []
    pipeline = TablePipeline(
        ScriptedSource([]), EmptyEyes(), scene, on_lens_dropped=lambda: dropped.append(True)  # type: ignore[arg-type]
    )  # fmt: skip
    images = [photograph(artwork(1), seed=i) for i in range(12)]
    seen = [pipeline.see(Frame(image, 0.2 * i, i)) for i, image in enumerate(images)]
    told = [view.problem.key for view in seen if view.problem is not None]
    assert "sight.lens" in told
    assert dropped == [True]
    assert seen[-1].pose is not None


def test_a_lens_of_another_resolution_is_told_and_kept() -> None:
    other = radial_lens((VIEW[0], VIEW[0]), 0.8 * VIEW[0], -0.25)
    scene = SceneWatch(checkered_board(), reference=reference(), lens=[other])
    dropped: list[bool] = []
    pipeline = TablePipeline(
        ScriptedSource([]), EmptyEyes(), scene, on_lens_dropped=lambda: dropped.append(True)  # type: ignore[arg-type]
    )  # fmt: skip
    images = [np.full((VIEW[1], VIEW[0], 3), 120, np.uint8)]  # first the board is not to be seen
    images += [photograph(artwork(1), seed=i) for i in range(8)]
    seen = [pipeline.see(Frame(image, 0.3 * i, i)) for i, image in enumerate(images)]
    told = [view.problem for view in seen if view.problem is not None]
    assert {p.key for p in told} >= {"sight.lens_size"}
    assert "sight.lens" not in {p.key for p in told}
    said = next(p.text for p in told if p.key == "sight.lens_size")
    assert f"{VIEW[0]} × {VIEW[0]}" in said and f"{VIEW[0]} × {VIEW[1]}" in said
    assert seen[-1].pose is not None
    assert dropped == []


def test_passwords_are_not_kept(home: Path) -> None:
    lenses.keep_lens("http://me:secret@phone:8080/video", TRUE)
    assert "secret" not in (home / "lenses.json").read_text()
    assert len(lenses.known_lenses("http://me:other@phone:8080/video")) == 1
