"""The owner's tiles are laid out, photographed, looked over and learnt in the window."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from companion_app.store import HOME_VARIABLE
from companion_app.texts import t
from companion_app.tile_lesson import kept_tiles, own_tiles
from tests.app.audit import audit
from tests.app.driver import Driver
from tests.app.laid_tiles import laid_out
from vision.evaluation.tiles import LETTERS

pytestmark = pytest.mark.window
SHOWN = "CEJKMNUV"


@pytest.fixture(autouse=True)
def own_home(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(HOME_VARIABLE, str(home))


def photographed(user: Driver, path: Path):  # type: ignore[no-untyped-def]
    user.app.go("boards")
    user.at("boards")
    user.tap(user.app.page("boards").ids.tiles)
    user.at("tiles")
    page = user.app.page("tiles")
    page.where.text = str(path)
    user.frames(3)
    assert page.problem == ""  # of camera 0, which is not there
    user.tap(page.ids.next)
    user.until(lambda: page.phase == "look" or page.problem)
    user.frames(3)
    return page


def touch_tile(user: Driver, page, number: int) -> None:  # type: ignore[no-untyped-def]
    middle = page.lesson.tiles[number].corners_px.mean(0)
    user.touch(page.photo.to_px((float(middle[0]), float(middle[1]))))


def tap_kind(user: Driver, page, kind: str) -> None:  # type: ignore[no-untyped-def]
    cells = page.cells
    index = [entry[0] for entry in cells.entries].index(kind)
    x, y = cells.to_window(*cells.box(index))
    user.touch((x + cells.side / 2, y + cells.side / 2))


def test_tiles_are_learnt_with_few_taps_and_a_wrong_name_is_put_right(
    start, tmp_path: Path, home: Path
) -> None:
    picture = tmp_path / "all.png"
    cv2.imwrite(str(picture), laid_out(SHOWN))
    user = start()
    user.taps = 0
    page = photographed(user, picture)
    assert [LETTERS[k] for k in SHOWN] == list(page.lesson.names)
    while page.picked is not None:  # what the eyes are not sure of is asked for
        tap_kind(user, page, page.lesson.names[page.picked])
    touch_tile(user, page, 0)
    tap_kind(user, page, LETTERS["B"])
    touch_tile(user, page, 7)
    user.tap(page.ids.other)
    assert page.lesson.names[7] == ""
    wrong = audit(user.app.root)
    user.tap(page.ids.next)
    user.at("boards")
    assert user.app.page("boards").said == t("tiles.saved", n=7)
    assert not wrong, "\n".join(wrong)
    assert set(kept_tiles().views) == {LETTERS[k] for k in "B" + SHOWN[1:7]}
    assert own_tiles().parent == home
    user.tap(user.app.page("boards").ids.tiles)
    user.at("tiles")
    user.tap(page.ids.other)
    assert not own_tiles().exists() and not page.can_other


def test_what_was_named_survives_another_language_and_no_tiles_are_told(
    start, tmp_path: Path
) -> None:
    picture, empty = tmp_path / "all.png", tmp_path / "empty.png"
    cv2.imwrite(str(picture), laid_out(SHOWN[:4]))
    cv2.imwrite(str(empty), np.full((400, 600, 3), 120, np.uint8))
    user = start()
    page = photographed(user, empty)
    assert page.phase == "photo" and page.problem == t("tiles.unseen")
    page.where.text = str(picture)
    user.frames(2)
    user.tap(page.ids.next)
    user.until(lambda: page.phase == "look")
    touch_tile(user, page, 2)
    user.tap(page.ids.other)
    user.app.change(language="de")
    user.frames(3)
    page = user.app.page("tiles")
    assert page.phase == "look" and page.lesson.names[2] == ""
    assert not audit(user.app.root)
    page.leave()
    assert page.phase == "photo" and page.lesson is None
