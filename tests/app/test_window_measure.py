"""A first-time user measures a board in the window, in every language; his taps are counted."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest
from kivy.core.window import Window

from calibration.profile import load_profile
from companion_app import theme
from companion_app.texts import LANGUAGES, t
from companion_app.texts.catalogue import APP, catalogue
from companion_app.widgets.basics import Fit, TapButton
from engine.board import load_board
from tests.app.audit import audit
from tests.app.driver import LANDSCAPE, PORTRAIT, Driver
from tests.calibration.printed import face_of, table_with
from tests.calibration.scripts import Change, Gesture, Next, Take, Touch, measure

pytestmark = pytest.mark.window
MOST_TAPS = {"magalon": 60, "hexagon": 30, "grailnah": 30}
GAME_OF = {"en": "magalon", "de": "hexagon", "fr": "grailnah"}


def photograph(game: str, path: Path) -> np.ndarray:
    """A picture of the printed reference board on a table; returns its true corners."""
    board = load_board("reference", game)
    corners = np.array([[420, 120], [1120, 130], [1210, 1010], [330, 1000]], np.float64)
    if game != "magalon":
        corners = np.array([[400, 130], [1210, 140], [1320, 1000], [300, 990]], np.float64)
    cv2.imwrite(str(path), table_with(face_of(board), corners, (1600, 1100)))
    return corners


class Measurer:
    """Carries out gestures with touches in the window."""

    def __init__(self, user: Driver) -> None:
        self.user = user
        self.page = user.app.page("measure")

    def take_picture(self, path: Path, game: str) -> None:
        self.page.where.text = str(path)
        self.user.frames(3)
        if self.page.game != game:
            at = list(reversed(self.page.games.children))[list(MOST_TAPS).index(game)]
            self.user.tap(at)
        self.go_on()
        self.user.until(lambda: self.page.phase == "corners")
        self.user.frames(3)

    def go_on(self) -> None:
        self.user.tap(self.page.ids.next)

    def perform(self, gesture: Gesture) -> None:
        page, user = self.page, self.user
        if isinstance(gesture, Touch):
            user.touch(*(page.photo.to_px(p) for p in gesture.path))
        elif isinstance(gesture, Take):
            user.tap(page.ids.take)
        elif isinstance(gesture, Next):
            assert page.can_go, page.problem
            self.go_on()
        else:
            self.change(gesture)

    def change(self, gesture: Change) -> None:
        number = next(n for n in self.page.measuring.numbers if n.name == gesture.name)
        if number.pad:
            if self.page.pad._wanted != number.name:
                fields = list(reversed(self.page.pad.fields.children))
                names = [n.name for n in self.page.measuring.numbers]
                self.user.tap(fields[names.index(number.name)])
            keys = list(reversed(self.page.pad.keys.children))
            self.user.tap(keys[gesture.value - number.least])
            return
        for _ in range(abs(gesture.value - number.value)):
            names = [n.name for n in self.page.measuring.numbers]
            row = list(reversed(self.page.ids.body.children))[names.index(number.name)]
            buttons = [w for w in reversed(row.children) if isinstance(w, TapButton)]
            self.user.tap(buttons[1 if gesture.value > number.value else 0])


def looked_over(user: Driver, where: str) -> list[str]:
    user.frames(3)
    return [f"{where}: {line}" for line in audit(user.app.root)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_board_is_measured_in_the_window_with_few_taps(
    start, language: str, tmp_path: Path, home: Path
) -> None:
    game = GAME_OF[language]
    picture = tmp_path / "photo.jpg"
    photograph(game, picture)
    user = start()
    user.app.change(language=language)
    user.app.go("boards")
    user.at("boards")
    user.taps = 0
    user.tap(user.app.page("boards").ids.measure)
    user.at("measure")
    me = Measurer(user)
    wrong = looked_over(user, "photo")
    me.take_picture(picture, game)
    assert len(me.page._corners) == 4  # found without a tap
    wrong += looked_over(user, "corners")
    me.go_on()
    user.until(lambda: me.page.phase == "steps")
    board, seen = load_board("reference", game), set[int]()
    for gesture in measure(board, me.page.measuring):
        me.perform(gesture)
        if me.page.measuring.at not in seen and me.page.measuring.at % 2:
            seen.add(me.page.measuring.at)
            wrong += looked_over(user, f"step {me.page.measuring.at}")
    me.go_on()
    assert me.page.phase == "save", me.page.problem
    wrong += looked_over(user, "save")
    me.page.name_field.text = "Ours"
    me.go_on()
    user.at("boards")
    print(f"{game}: {user.taps} taps")
    assert user.taps <= MOST_TAPS[game]
    assert not wrong, "\n".join(wrong)
    found = load_board(home / "boards" / "Ours.json", game)
    assert set(found.spots) == set(board.spots)
    for spot, centre in board.centres.items():
        assert np.abs(np.subtract(found.centres[spot], centre)).max() < 3.0
    assert {c.id: c.roles for c in found.cells.values()} == {c.id: c.roles for c in board.cells.values()}  # fmt: skip
    assert load_profile(home / "boards" / "Ours.json").picture is not None


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_prompt_has_room_in_every_language(start, language: str) -> None:
    start()
    texts = [v for k, v in catalogue(language, APP).items() if k.startswith("measure.")]
    assert len(texts) > 90
    for text in texts:
        fit = Fit(text=text, bold=True, most=26)
        assert fit._fits(theme.SIZE_SMALL, 480, theme.sp(120)), text


def test_corners_can_be_tapped_dragged_turned_and_taken_back(start, tmp_path: Path) -> None:
    picture = tmp_path / "photo.jpg"
    truth = photograph("magalon", picture)
    user = start()
    user.app.go("measure", game="magalon")
    user.at("measure")
    me = Measurer(user)
    me.take_picture(picture, "magalon")
    while me.page.can_undo:
        user.tap(me.page.ids.undo)
    assert not me.page.can_go
    assert me.page.prompt == t("measure.corner_1")
    for x, y in truth + np.array([[6, -5], [-7, 8], [5, 6], [-6, -4]]):
        user.touch(me.page.photo.to_px((x, y)))
    assert np.linalg.norm(np.array(me.page._corners) - truth, axis=1).max() < 3
    x, y = truth[2]
    user.touch(me.page.photo.to_px((x, y)), me.page.photo.to_px((x + 40, y + 40)))
    assert np.abs(np.array(me.page._corners[2]) - (x + 40, y + 40)).max() < 2
    user.tap(me.page.ids.take)
    assert np.abs(np.array(me.page._corners[1]) - (x + 40, y + 40)).max() < 2


def test_what_was_measured_survives_language_turn_and_undo(start, tmp_path: Path) -> None:
    picture = tmp_path / "photo.jpg"
    photograph("hexagon", picture)
    user = start()
    user.app.go("measure", game="hexagon")
    user.at("measure")
    me = Measurer(user)
    me.take_picture(picture, "hexagon")
    me.go_on()
    user.until(lambda: me.page.phase == "steps")
    board = load_board("reference", "hexagon")
    for gesture in measure(board, me.page.measuring):
        me.perform(gesture)
        if me.page.measuring.step.name == "flames" and me.page.measuring.draft.flames:
            break
    before = me.page.measuring.draft
    user.app.change(language="de")
    Window.size = PORTRAIT
    user.app.settle("fr")
    user.frames(5)
    page = user.app.page("measure")
    assert page.phase == "steps" and page.measuring.draft == before
    assert not audit(user.app.root)
    Window.size = LANDSCAPE
    user.frames(5)
    user.tap(page.ids.undo)
    assert page.measuring.draft.flames == frozenset()


def test_a_camera_that_is_not_there_says_so_and_nothing_hangs(start) -> None:
    user = start()
    user.app.go("measure", game="magalon")
    user.at("measure")
    page = user.app.page("measure")
    page.where.text = "77"
    user.until(lambda: "77" in page.problem)
    assert not page.can_go
    user.app.back()
    user.at("start")


def test_boards_are_passed_on_and_taken_in(start, home: Path, tmp_path: Path) -> None:
    user = start()
    user.app.go("boards")
    page = user.app.page("boards")
    user.at("boards")
    page.chosen = str(tmp_path / "mine.json")
    (tmp_path / "mine.json").write_text('{"version": 1, "cells": 3}')
    user.tap(page.ids.export)
    assert page.said
    page.chosen = ""
    user.tap(page.ids.print)
    user.until(lambda: ".pdf" in page.said)
    printed = next((home / "exports").glob("*.json"))
    page.chosen = str(printed)
    user.tap(page.ids.export)
    packed = next((home / "exports").glob("*.boardwarden"))
    page.ids.path.text = str(packed)
    user.frames(2)
    user.tap(page.ids.take_in)
    user.until(lambda: list((home / "boards").glob("*.json")))
    taken = next((home / "boards").glob("*.json"))
    assert load_board(taken).raw["markers"] == load_board(printed).raw["markers"]
    page.ids.path.text = str(printed)
    user.tap(page.ids.take_in)
    assert "export it again" in page.said
