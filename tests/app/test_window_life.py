"""Screens, cameras, sizes, pauses and restarts of the app in a real window."""

from __future__ import annotations

import json
import threading
from pathlib import Path

import cv2
import numpy as np
import pytest
from kivy.clock import Clock
from kivy.core.window import Window

from companion_app.demo_game import DEMO_GAMES
from companion_app.eyes_process import project_eyes
from companion_app.games.magalon.dice import DieFace
from companion_app.games.magalon.hand import Card
from companion_app.games.magalon.table import Phase
from companion_app.snapshot import Light
from companion_app.store import Store
from companion_app.table_setup import TableSetup
from companion_app.taps import Do
from companion_app.texts import game_title, t
from companion_app.widgets.basics import BigChoice, TapButton
from companion_app.widgets.steps import StepToken
from engine.action import Action
from engine.errors import BoardwardenError
from engine.game import Player
from tests.app.audit import audit
from tests.app.driver import LANDSCAPE, PLAYERS, PORTRAIT, Driver
from tests.app.fakes import DeafPipeline, ListPipeline, no_camera, view
from tests.app.scenes import sheet_of

pytestmark = pytest.mark.window


def test_the_start_screen_leads_to_a_new_game(start) -> None:
    user = start()
    titles = [w.title for w in user.app.root.walk() if isinstance(w, BigChoice)]
    assert titles == [t("start.new")]
    user.tap(user.find(BigChoice, lambda w: w.title == t("start.new")))
    user.until(lambda: user.app.manager.current == "new")
    user.until(lambda: not user.app.manager.transition.is_active)
    form = user.app.page("new")
    form.rows[0].ids.name.text = "Ada"
    user.tap(form.rows[1].ids.mark)
    user.tap(user.button(t("new.start")))
    user.until(lambda: user.app.manager.current == "table")
    players = user.app.session.header.players
    assert [(p.name, p.colour) for p in players] == [("Ada", "violet"), ("Player 2", "red")]


def test_the_same_colour_twice_is_explained(start) -> None:
    user = start()
    user.app.go("new")
    form = user.app.page("new")
    form.rows[1].colour = "violet"
    form.finish()
    assert "Violet" in form.problem
    assert user.app.session is None


def test_an_unreadable_board_file_is_explained(start, tmp_path: Path) -> None:
    user = start()
    user.app.go("new")
    broken = tmp_path / "board.json"
    broken.write_text('{"version": 1, "cells": [')
    assert str(broken) in user.app.begin(TableSetup(PLAYERS, board=str(broken)))
    assert user.app.session is None


def test_a_game_that_is_over_says_who_won_and_does_not_wait_any_more(start, tmp_path: Path) -> None:
    user = start()
    user.begin()
    user.lay(6, 9)
    near = {"pieces": {"wizard/green": "g4"}, "energy": {"green": 18}}
    items = {"items": {"green": ["amulet", "stone", "ring"]}}
    user.app.session.post(Do(Action(None, "correct", {**near, **items})))
    user.until(lambda: user.shown.table.seat("green").number == 18)
    user.drag("wizard/green", "start")
    user.until(lambda: user.shown.table.winner == "green")
    assert user.table.ids.whose.text == "Ben wins the game!"
    assert user.table.ids.end.text == t("table.scores")
    user.tap(user.table.ids.menu)
    user.tap(user.button(t("menu.leave")))
    user.until(lambda: user.app.manager.current == "start")
    assert Store(tmp_path / "home").running() is None
    assert len(list((tmp_path / "home" / "games").glob("*.jsonl"))) == 1


def test_escape_leads_back_one_screen(start) -> None:
    user = start()
    user.begin()
    assert Window.dispatch("on_keyboard", 27, 0, None, [])
    user.until(lambda: user.app.manager.current == "start")
    user.app.go("new")
    assert Window.dispatch("on_keyboard", 27, 0, None, [])
    assert user.app.manager.current == "start"


def test_turning_the_tablet_keeps_everything(start) -> None:
    user = start()
    user.begin()
    user.lay(6, 9)
    user.drag("energy_stone/green", "track/9")
    user.until(lambda: user.shown.table.seat("green").number == 9)
    before = user.shown
    for size in (PORTRAIT, LANDSCAPE, PORTRAIT):
        user.resize(size)
        assert user.app.root.size == list(size)
        assert user.shown.table == before.table
        assert user.shown.placement == before.placement
        check_nothing_overlaps(user)
    user.drag("wizard/green", "g10")
    user.until(lambda: user.shown.placement.pieces["wizard/green"] == ("g10",))


def check_nothing_overlaps(user: Driver) -> None:
    ids = user.table.ids
    parts = [ids[n] for n in ("status", "board", "live", "seats", "turn", "talk", "work", "bar")]
    for i, a in enumerate(parts):
        if a.opacity == 0:
            continue
        assert a.width > 0
        assert a.height > 0
        assert a.x >= 0
        assert a.y >= 0
        assert a.right <= Window.width
        assert a.top <= Window.height
        for b in parts[i + 1 :]:
            apart = a.right <= b.x or b.right <= a.x or a.top <= b.y or b.top <= a.y
            assert apart, (a, a.pos, a.size, b, b.pos, b.size)


@pytest.mark.parametrize("size", [(1024, 600), (1920, 1080), (600, 1024)])
def test_other_windows_hold_everything_too(start, size) -> None:
    user = start()
    user.begin()
    user.resize(size)
    check_nothing_overlaps(user)
    user.lay(6, 9)
    user.frames(4)
    check_nothing_overlaps(user)


@pytest.mark.parametrize("size", [LANDSCAPE, PORTRAIT])
def test_what_is_tapped_is_large_enough_for_a_finger(start, size) -> None:
    user = start()
    user.begin()
    user.resize(size)
    nine_mm = 9 / 25.4 * 160
    cards = [w for w in user.app.root.walk() if isinstance(w, Card)]
    buttons = [w for w in user.table.walk() if isinstance(w, TapButton)]
    assert len(cards) == 11
    user.lay(6, 9)
    user.tap(user.button(t("button.end")))
    user.until(lambda: user.shown.table.detail.giant_due)
    user.frames(8)
    faces = [w for w in user.table.walk() if isinstance(w, DieFace)]
    assert len(faces) == 12
    for widget in (*cards, *buttons, *faces):
        assert min(widget.size) >= nine_mm, (widget, widget.size)


def test_the_game_goes_on_after_the_app_was_closed(start) -> None:
    user = start()
    user.begin()
    user.lay(6, 9)
    user.drag("wizard/green", "g10")
    user.until(lambda: user.shown.placement.pieces["wizard/green"] == ("g10",))
    before = user.shown
    user.app.close_session()
    again = start()
    choice = again.find(BigChoice, lambda w: w.title == t("start.resume"))
    assert "Ada, Ben" in choice.detail
    again.tap(choice)
    again.until(lambda: again.app.manager.current == "table" and again.shown is not None)
    assert again.shown.table == before.table
    assert again.shown.placement == before.placement


def test_a_damaged_game_is_opened_up_to_the_damage_and_says_so(start, tmp_path: Path) -> None:
    user = start()
    user.begin()
    user.lay(6, 9)
    user.app.close_session()
    path = next((tmp_path / "home" / "games").glob("*.jsonl"))
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:2], b"rubbish\n", *lines[2:]]))
    again = start()
    again.app.resume_game()
    again.until(lambda: again.app.manager.current == "table" and again.shown is not None)
    assert again.laid == (("violet", 6),)
    assert "line 3" in again.talk


def test_a_game_can_begin_where_nothing_can_be_saved(start, tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    user = start(data=blocked)
    assert user.app.page("start").card is not None
    user.begin()
    user.lay(6)
    assert user.shown.storage is not None
    assert "memory" in user.talk


def test_without_a_camera_the_sentence_names_it_and_play_goes_on_by_hand(start) -> None:
    user = start(opener=no_camera)
    user.begin(TableSetup(PLAYERS, 7))
    user.until(lambda: user.shown.camera.light is Light.TROUBLE)
    assert user.table.ids.light.text.text == t("camera.trouble")
    assert "no camera 7" in user.table.ids.live.trouble
    assert t("camera.by_hand") in user.table.ids.live.trouble
    user.lay(6, 9)
    assert user.shown.table.detail.phase is Phase.ACT


def test_a_film_that_breaks_off_says_so_in_the_window_and_play_goes_on_by_hand(
    start, tmp_path: Path
) -> None:
    film = tmp_path / "film.avi"
    writer = cv2.VideoWriter(str(film), cv2.VideoWriter.fourcc(*"MJPG"), 10.0, (64, 48))
    rng = np.random.default_rng(1)
    for _ in range(20):
        writer.write(rng.integers(0, 255, (48, 64, 3), np.uint8))
    writer.release()
    film.write_bytes(film.read_bytes()[: film.stat().st_size // 2])
    user = start(opener=project_eyes)
    user.begin(TableSetup(PLAYERS, str(film)))
    user.until(lambda: user.shown.camera.text.key == "source.cut_off")
    assert user.shown.camera.light is Light.TROUBLE
    said = user.table.ids.live.trouble
    assert "film.avi breaks off" in said and "Copy it again" in said
    assert t("camera.by_hand") in said
    user.lay(6, 9)
    assert user.shown.table.detail.phase is Phase.ACT


def test_the_interface_ticks_on_while_the_camera_blocks_for_ever(start) -> None:
    deaf = DeafPipeline()
    user = start(opener=lambda request: deaf)
    user.begin(TableSetup(PLAYERS, 0))
    user.until(deaf.blocking.is_set)
    ticks = []
    clock = Clock.schedule_interval(lambda dt: ticks.append(dt), 0)
    user.frames(20)
    clock.cancel()
    assert len(ticks) >= 20
    user.lay(6, 9)
    user.tap(user.table.ids.menu)
    user.tap(user.button(t("menu.leave")))
    user.until(lambda: user.app.manager.current == "start")
    deaf.released.set()


def test_a_camera_that_opens_for_ever_does_not_hold_the_window(start) -> None:
    gate = threading.Event()

    def slow(request):
        gate.wait(60)
        raise BoardwardenError("too late")

    user = start(opener=slow)
    user.begin(TableSetup(PLAYERS, 0))
    user.lay(6)
    user.app.leave_table()
    assert user.app.manager.current == "start"
    gate.set()


def test_the_live_picture_shows_the_newest_frame_and_a_tap_enlarges_it(start) -> None:
    pipeline = ListPipeline([view(0.1), view(0.2)], block=True)
    user = start(opener=lambda request: pipeline)
    user.begin(TableSetup(PLAYERS, 0))
    live = user.table.ids.live
    user.until(lambda: live.has_picture and live._preview.t_s == pytest.approx(0.2))
    assert live._texture.size == (640, 360)
    small = live.size[:]
    user.tap(live)
    assert live.width > user.table.ids.board.width
    user.tap(live)
    assert live.size == small
    user.tap(live)
    user.app.session.post(Do(Action("green", "lay", {"card": 3})))
    user.until(lambda: user.shown.sentence is not None)
    assert live.size == small  # a refusal is not hidden behind the picture


def test_pause_and_resume_keep_the_game(start) -> None:
    opened: list[ListPipeline] = []

    def opener(request):
        opened.append(ListPipeline([view(0.1)], block=True))
        return opened[-1]

    user = start(opener=opener)
    user.begin(TableSetup(PLAYERS, 0))
    user.lay(6)
    user.until(lambda: opened and opened[0].blocking.is_set())
    assert user.app.on_pause()
    assert opened[0].closed.is_set()
    user.app.on_resume()
    user.until(lambda: len(opened) == 2)
    user.lay(9)
    assert user.laid == (("violet", 6), ("green", 9))


def test_cameras_are_offered_by_name_where_the_system_gives_one(start, monkeypatch) -> None:
    names = {0: "HD Webcam", 2: "HD Webcam", 5: "A camera with a very long name of its maker: 4K"}
    monkeypatch.setattr("companion_app.screens.new_game.choices.camera_names", lambda: names)
    user = start()
    user.app.go("new")
    user.at("new")
    table = user.app.page("new").table
    table.offer({"source": 3}, tuple(table.entries.values()))
    offered = dict(table.named.options)
    assert list(offered) == ["0", "2", "5", "3"]  # 3: of last time, not plugged in now
    assert len(set(offered.values())) == 4  # two of the same make can be told apart
    assert table.source == 3
    user.frames(4)
    user.tap(table.named)
    assert table.source == 0
    assert "HD Webcam" in table.named.text
    for _ in range(2):
        user.tap(table.named)
    assert table.source == 5
    user.frames(4)
    assert audit(user.app.root, sheet_of(user)) == []


def test_a_camera_given_as_text_is_offered_as_a_number(start) -> None:
    user = start(source="1")
    user.app.go("new")
    form = user.app.page("new")
    assert (form.table.ids.camera.value, form.table.number.text) == ("device", "1")


def test_what_was_chosen_is_offered_again(start, tmp_path: Path) -> None:
    user = start()
    user.begin(TableSetup((Player("Zoë", "orange"), Player("Kim", "red"))))
    user.app.close_session()
    saved = json.loads((tmp_path / "home" / "settings.json").read_text("utf-8"))
    assert saved["last"]["magalon"]["players"][0] == ["Zoë", "orange"]
    again = start()
    again.app.go("new")
    assert [r.ids.name.text for r in again.app.page("new").rows] == ["Zoë", "Kim"]


def test_the_demo_plays_without_touching_the_saved_games(start, tmp_path: Path) -> None:
    user = start(opener=lambda request: ListPipeline([view(0.1)], block=True))
    user.app.begin_demo()
    user.until(lambda: user.app.manager.current == "table" and user.shown is not None)
    user.until(lambda: len(user.laid) == 2)
    assert user.app.session.header.players[0].name == "Ada"
    assert Store(tmp_path / "home").running() is None


@pytest.mark.parametrize("game", DEMO_GAMES)
def test_which_recording_is_shown_is_asked(start, game: str) -> None:
    user = start(opener=lambda request: ListPipeline([view(0.1)], block=True))
    user.tap(user.app.page("start").ids.demo)
    user.tap(user.find(BigChoice, lambda w: w.title == game_title(game)))
    user.until(lambda: user.app.manager.current == "table" and user.shown is not None)
    assert user.app.session.header.game == game
    user.app.leave_table()
    user.at("start")
    user.tap(user.app.page("start").ids.demo)
    assert user.app.page("start").demos
    user.tap(user.app.page("start").ids.demo)
    assert user.find(BigChoice, lambda w: w.title == t("start.new"))


def test_the_tokens_of_a_turn_can_be_drawn_in_any_size(start) -> None:
    """While a window is turned, parts of it are very small for a moment."""
    user = start()
    user.begin()
    user.lay(6, 9)
    user.tap(user.button(t("button.end")))
    user.until(lambda: user.shown.table.detail.giant_due)
    tokens = [w for w in user.table.walk() if isinstance(w, StepToken) and w.step is not None]
    assert len(tokens) >= 4
    for token in tokens:
        for size in ((0, 0), (120, 5), (120, 24), (24, 120), (21, 21), (1, 400), (400, 300)):
            token.size = size
            token.draw_now()
