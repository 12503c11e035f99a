"""Languages, looks, menu, waiting, keys, looking back: the app's manners in a real window."""

from __future__ import annotations

import json
import threading
import zipfile
from dataclasses import replace
from pathlib import Path

import cv2
import pytest
from kivy.core.window import Window

from companion_app import theme
from companion_app.source_words import source_message
from companion_app.table_setup import TableSetup
from companion_app.taps import Do
from companion_app.texts import t
from companion_app.voice.speech import Mouth
from companion_app.widgets.waiting import WaitingSheet
from engine.action import Action
from engine.observation import Candidate, SeenPiece
from engine.record import read_record
from tests.app.driver import PLAYERS
from tests.app.fakes import StillPipeline, view

pytestmark = pytest.mark.window


class Listener:
    """A mouth that remembers what it was to say."""

    name = "listener"

    def __init__(self) -> None:
        self.said: list[tuple[str, str]] = []

    def say(self, text: str, language: str, volume: float, *, urgent: bool = False) -> None:
        self.said.append((language, text))

    def close(self) -> None:
        pass


def mouths() -> tuple[Listener, object]:
    listener: Mouth = Listener()
    return listener, lambda: listener


def test_the_language_changes_in_the_middle_of_a_refusal(start) -> None:
    user = start()
    user.begin()
    user.lay(6, 9)
    user.drag("wizard/green", "a20")
    user.until(lambda: user.shown.sentence is not None and user.shown.sentence.rule)
    before = user.shown
    for code, word in (("de", "Felder"), ("fr", "cases"), ("en", "cells")):
        user.app.change(language=code)
        user.until(lambda word=word: word in user.talk)
        assert user.shown.table.detail == before.table.detail
        assert user.shown.placement == before.placement
    user.drag("wizard/green", "g10")
    user.until(lambda: user.shown.placement.pieces["wizard/green"] == ("g10",))


def test_text_size_and_contrast_hold_at_once_and_are_kept(start, home: Path) -> None:
    user = start()
    user.app.go("settings")
    user.frames(3)
    small, ground = theme.SIZE_BODY, theme.BACKGROUND
    user.tap(user.button(t("settings.text_huge")))
    user.tap(user.app.page("settings").ids.contrast)
    user.until(lambda: theme.chosen.contrast)
    assert 1.3 * small < theme.SIZE_BODY
    assert ground != theme.BACKGROUND
    saved = json.loads((home / "settings.json").read_text("utf-8"))
    assert (saved["text"], saved["contrast"]) == ("huge", True)
    assert user.app.manager.current == "settings"


def test_larger_windows_are_drawn_larger(start) -> None:
    user = start()
    user.begin()
    size = theme.SIZE_BODY
    Window.size = (2560, 1600)
    user.until(lambda: theme.chosen.scale > 1.9)
    assert pytest.approx(2 * size) == theme.SIZE_BODY
    user.until(lambda: user.table.ids.whose.font_size > 50)
    user.lay(6)


def test_the_menu_lies_beside_the_board_and_mutes(start) -> None:
    listener, opened = mouths()
    user = start(mouths=opened)
    user.begin()
    user.until(lambda: listener.said)
    user.tap(user.table.ids.menu)
    menu = user.table._menu
    board = user.table.ids.board
    assert menu.x >= board.right or menu.top <= board.y
    user.tap(user.button(f"{t('settings.voice')}: {t('toggle.on')}"))
    user.tap(user.button(f"{t('settings.sounds')}: {t('toggle.on')}"))
    user.tap(user.button(t("menu.continue")))
    assert not user.table.menu_open
    count = len(listener.said)
    user.lay(6, 9)
    user.frames(5)
    assert len(listener.said) == count


def test_what_changes_is_said_aloud_in_the_chosen_language(start) -> None:
    listener, opened = mouths()
    user = start(mouths=opened)
    user.app.change(language="de")
    user.begin()
    user.lay(6)
    user.until(lambda: ("de", "Ben legt eine Karte") in listener.said)
    user.lay(9)
    user.drag("wizard/green", "a20")
    user.until(lambda: "21 Felder" in listener.said[-1][1])


def test_a_long_job_shows_itself_and_can_be_cancelled(start) -> None:
    user = start()
    gate, results = threading.Event(), []

    def job(progress) -> str:
        while not gate.wait(0.01):
            progress.step(0.4)
        return "done"

    user.app.work("Counting …", job, results.append)
    user.frames(2)
    assert not any(isinstance(w, WaitingSheet) for w in user.app.root.children)
    user.until(lambda: any(isinstance(w, WaitingSheet) for w in user.app.root.children))
    user.tap(user.button(t("waiting.cancel")))
    user.until(lambda: not any(isinstance(w, WaitingSheet) for w in user.app.root.children))
    assert results == []
    gate.set()
    user.app.work("Counting …", lambda progress: 7, results.append)
    user.until(lambda: results == [7])


def test_keys_do_what_the_buttons_do(start) -> None:
    user = start()
    user.begin()

    def press(code: int, text: str = "") -> None:
        Window.dispatch("on_keyboard", code, 0, text, [])
        user.frames(2)

    press(ord("6"), "6")
    user.until(lambda: len(user.laid) == 1)
    press(ord("9"), "9")
    user.until(lambda: len(user.laid) == 2)
    press(ord("m"), "m")
    user.until(lambda: user.shown.hints is not None)
    press(8)
    user.until(lambda: len(user.laid) == 1)
    press(ord("x"), "x")
    user.until(lambda: user.laid[-1] == ("green", 10))
    press(13)
    user.until(lambda: user.shown.table.to_act == "violet")


def test_a_tapped_piece_shows_its_moves_and_a_tapped_cell_takes_it_there(start) -> None:
    user = start()
    user.begin()
    user.lay(6, 9)
    board = user.table.ids.board
    user.touch(board._places["wizard/green"].at)
    user.until(lambda: user.shown.hints is not None and "g10" in user.shown.hints.cells)
    assert board.selected == "wizard/green"
    user.touch(board.geometry.centre_px("g10"))
    user.until(lambda: user.shown.placement.pieces["wizard/green"] == ("g10",))
    assert board.selected is None


def test_a_refusal_is_explained_and_can_be_put_right(start) -> None:
    user = start()
    user.begin()
    user.lay(6, 9)
    user.drag("wizard/green", "a20")
    user.until(lambda: user.shown.sentence is not None and user.shown.sentence.rule)
    user.tap(user.button(t("table.explain")))
    user.at("explain")
    page = user.app.page("explain")
    user.until(lambda: page.legend)
    assert "M-19" in page.badge
    user.tap(user.button(t("explain.put_back")))
    user.at("table")
    assert user.shown.sentence is None


def test_the_first_start_begins_with_the_tour_and_it_comes_only_once(start) -> None:
    user = start(tour=True)
    assert user.app.manager.current == "tour"
    for _ in range(20):
        if user.app.manager.current != "tour":
            break
        user.tap(user.app.page("tour").ids.on)
        user.until(lambda: not user.app.manager.transition.is_active)
    user.at("start")
    again = start(tour=True)
    assert again.app.manager.current == "start"


def test_looking_back_shows_points_catches_notes_and_takes_them_along(start, home: Path) -> None:
    user = start()
    user.begin()
    user.lay(6, 9)
    user.drag("wizard/green", "a20")
    user.until(lambda: user.shown.sentence is not None)
    user.tap(user.table.ids.end)
    user.until(lambda: user.shown.table.to_act == "violet")
    user.app.go("note")
    user.frames(3)
    user.app.page("note").ids.field.text = "cake at four"
    user.frames(2)
    user.tap(user.app.page("note").ids.save)
    user.at("table")
    user.app.go("review")
    page = user.app.page("review")
    user.until(lambda: page.ready)
    assert [(line.point.player, line.point.change) for line in page.review.lines] == [("green", -1)]
    assert [c.rule for c in page.review.caught] == ["M-19"]
    assert [r.text for r in page.review.remarks] == ["cake at four"]
    for form in ("record", "text", "picture", "report"):
        user.tap(page.ids[form])
        user.frames(2)
    saved = {p.suffix: p for p in (home / "exports").iterdir()}
    assert set(saved) == {".jsonl", ".txt", ".png", ".zip"}
    assert read_record(saved[".jsonl"]).header.players[0].name == "Ada"
    assert "cake at four" in saved[".txt"].read_text("utf-8")
    assert cv2.imread(str(saved[".png"])).shape == (1754, 1240, 3)
    with zipfile.ZipFile(saved[".zip"]) as package:
        assert "record.jsonl" in package.namelist()


def test_a_past_game_is_listed_replayed_and_played_on(start) -> None:
    user = start()
    user.begin()
    user.lay(6, 9)
    user.app.leave_table()
    user.frames(3)
    user.tap(user.app.page("start").ids.games)
    user.at("games")
    user.until(lambda: user.app.page("games").ready)
    user.frames(3)
    user.tap(user.app.page("games").ids.list.box.children[0])
    user.at("review")
    page = user.app.page("review")
    user.until(lambda: page.ready)
    user.tap(user.button(t("review.replay")))
    user.frames(4)
    replay = page.ids.body.children[0]
    user.tap(replay.ids.on)
    user.tap(replay.ids.on)
    assert replay.ids.text.text == "Ben lays 9"
    user.tap(page.ids.go_on)
    user.at("table")
    assert user.laid == (("violet", 6), ("green", 9))


def test_a_game_that_is_over_leads_to_its_scores(start) -> None:
    user = start()
    user.begin()
    user.lay(6, 9)
    near = {"pieces": {"wizard/green": "g4"}, "energy": {"green": 18}}
    items = {"items": {"green": ["amulet", "stone", "ring"]}}
    user.app.session.post(Do(Action(None, "correct", {**near, **items})))
    user.until(lambda: user.shown.table.seat("green").number == 18)
    user.drag("wizard/green", "start")
    user.until(lambda: user.shown.table.over)
    user.tap(user.table.ids.end)
    user.at("review")
    page = user.app.page("review")
    user.until(lambda: page.ready)
    assert page.review.winner == "green"
    user.app.leave_table()
    user.app.go("games")
    user.until(lambda: user.app.page("games").ready)
    assert user.app.page("games").ids.list.box.children[0].right_text == "Ben won"


def test_the_camera_screen_says_in_words_what_to_do_next(start) -> None:
    user = start(opener=lambda request: StillPipeline([view(0.1)]))
    user.app.begin(TableSetup(PLAYERS, 0))
    user.at("camera")
    page = user.app.page("camera")
    user.until(lambda: page.advice == t("setup.not_found"))
    assert not page.good
    user.tap(page.ids.play)
    user.at("table")
    user.tap(user.table.ids.light)
    user.at("camera")


class PointedAt(StillPipeline):
    """A board whose turn can't be told, until somebody points at its corner."""

    def __init__(self) -> None:
        problem = source_message("alike", "board.turn", {})
        super().__init__([replace(view(0.1), problem=problem)])
        self.told: list[tuple[float, float]] = []

    def told_corner(self, at: tuple[float, float]) -> None:
        self.told.append(at)


def test_a_board_that_looks_alike_from_several_sides_is_asked_about_with_one_touch(start) -> None:
    eyes = PointedAt()
    user = start(opener=lambda request: eyes)
    user.app.begin(TableSetup(PLAYERS, 0))
    user.at("camera")
    page = user.app.page("camera")
    live = page.ids.live
    user.until(lambda: live.has_picture and page.advice == t("board.turn"))
    x, y, w, h = live._box()
    user.touch((x + 0.25 * w, y + 0.9 * h))
    user.until(lambda: eyes.told)
    assert eyes.told[0] == pytest.approx((0.25, 0.1), abs=0.02)
    user.tap(page.ids.play)
    user.at("table")
    user.tap(user.table.ids.live)
    user.until(lambda: user.table.ids.live.large)
    assert len(eyes.told) == 1  # small, it is enlarged first
    user.frames(5)
    x, y, w, h = user.table.ids.live._box()
    user.touch((x + 0.75 * w, y + 0.5 * h))
    user.until(lambda: len(eyes.told) == 2)
    assert eyes.told[1] == pytest.approx((0.75, 0.5), abs=0.02)


def test_the_live_picture_goes_on_at_the_table_after_the_camera_screen(start) -> None:
    user = start(opener=lambda request: StillPipeline([view(0.1, board=True)]))
    user.app.begin(TableSetup(PLAYERS, 0))
    user.at("camera")
    user.until(lambda: user.app.page("camera").ids.live.has_picture)
    user.tap(user.app.page("camera").ids.play)
    user.at("table")
    live = user.table.ids.live
    user.until(lambda: live.has_picture)
    shown = live._preview.t_s
    user.until(lambda: live._preview.t_s > shown + 0.3)
    user.app.go("note")
    user.app.back()
    user.at("table")
    shown = live._preview.t_s
    user.until(lambda: live._preview.t_s > shown + 0.3)


@pytest.mark.parametrize("large", [False, True])
def test_the_live_picture_carries_what_the_eyes_see(start, large: bool) -> None:
    """Pieces of a player, of nobody, and of a colour that is not known."""
    made = view(0.1, board=True)
    kinds = (("wizard", "violet"), ("giant", None), ("pawn", "turquoise"))
    seen = tuple(
        SeenPiece((9.0, 9.0), (4.0, 0.0, 4.0), (300.0 + 90 * n, 200.0), (Candidate(k, c, ("g10",), -0.1),), 0.9)
        for n, (k, c) in enumerate(kinds)
    )  # fmt: skip
    user = start(opener=lambda request: StillPipeline([replace(made, seen=seen)]))
    user.begin(TableSetup(PLAYERS, 0))
    live = user.table.ids.live
    user.until(lambda: live.has_picture)
    if large:
        user.tap(live)
    user.frames(3)
    assert [m.colour for m in live._preview.marks] == ["violet", None, "turquoise"]
    assert len(live._over.children[0].children) > 6
