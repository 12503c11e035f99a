"""The app in a real window: touches in, sentences and drawings out, with the real rules."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from kivy.base import EventLoop
from kivy.clock import Clock
from kivy.core.window import Window
from kivy.tests.common import UnitTestTouch
from kivy.uix.widget import Widget

from companion_app.app import AppOptions, BoardwardenApp
from companion_app.magalon_table import Phase
from companion_app.screens.new_game import NewGame
from companion_app.snapshot import Light
from companion_app.store import Store
from companion_app.taps import Do
from companion_app.texts import t
from companion_app.widgets.basics import BigChoice, TapButton
from companion_app.widgets.cards import Card
from companion_app.widgets.dice import DieFace
from engine.action import Action
from engine.errors import BoardwardenError
from engine.game import Player
from engine.verdict import Choice, Message
from tests.app.fakes import DeafPipeline, ListPipeline, no_camera, view

pytestmark = pytest.mark.window

LIMIT_S = 20.0
PLAYERS = (Player("Ada", "violet"), Player("Ben", "green"))
BY_HAND = NewGame(PLAYERS, None, "reference", None)
LANDSCAPE, PORTRAIT = (1280, 800), (800, 1280)


class Driver:
    """A user at the window."""

    def __init__(self, app: BoardwardenApp) -> None:
        self.app = app

    @property
    def table(self):
        return self.app.table_screen

    @property
    def shown(self):
        return self.table._shown

    @property
    def talk(self) -> str:
        speech = self.table.ids.talk.speech
        return f"{speech.badge} {speech.text} {speech.detail}"

    def frames(self, n: int = 3) -> None:
        for _ in range(n):
            EventLoop.idle()

    def until(self, fits: Callable[[], object]) -> None:
        end = time.monotonic() + LIMIT_S
        while not fits():
            assert time.monotonic() < end, "it did not happen"
            self.frames(1)
        self.frames(2)

    def tap(self, widget: Widget) -> None:
        self.touch(widget.to_window(*widget.center))

    def touch(self, *points: tuple[float, float]) -> None:
        touch = UnitTestTouch(*points[0])
        touch.touch_down()
        self.frames(1)
        for point in points[1:]:
            touch.touch_move(*point)
            self.frames(1)
        touch.touch_up()
        self.frames(2)

    def drag(self, piece: str, spot: str) -> None:
        board = self.table.ids.board
        start = board._places[piece].at
        end = board.geometry.centre_px(spot)
        middle = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
        self.touch(start, middle, end)

    def find(self, kind: type, fits: Callable[[Widget], object]) -> Widget:
        return next(
            w for w in self.app.root.walk(restrict=False) if isinstance(w, kind) and fits(w)
        )

    def button(self, text: str) -> Widget:
        return self.find(TapButton, lambda w: w.text == text and w.get_root_window())

    def card(self, value: int) -> Widget:
        return self.find(Card, lambda w: w.face is not None and w.face.value == value)

    def lay(self, *values: int) -> None:
        for value in values:
            laid = len(self.shown.table.laid)
            self.tap(self.card(value))
            self.until(lambda laid=laid: len(self.shown.table.laid) > laid)

    def begin(self, game: NewGame = BY_HAND) -> None:
        self.app.begin(game)
        self.until(lambda: self.app.manager.current == "table" and self.shown is not None)
        self.until(lambda: not self.app.manager.transition.is_active)
        self.until(lambda: self.table.ids.board.geometry is not None)


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Driver]]:
    apps: list[BoardwardenApp] = []

    def open_app(**options) -> Driver:
        EventLoop.ensure_window()
        Window.size = LANDSCAPE
        options.setdefault("data", tmp_path / "home")
        app = BoardwardenApp(AppOptions(**options))
        app.root = app.build()
        Window.add_widget(app.root)
        apps.append(app)
        driver = Driver(app)
        driver.frames(5)
        return driver

    yield open_app
    for app in apps:
        app.on_stop()
        Window.remove_widget(app.root)
    EventLoop.idle()


def test_the_start_screen_leads_to_a_new_game(start) -> None:
    user = start()
    titles = [w.title for w in user.app.root.walk() if isinstance(w, BigChoice)]
    assert titles == [t("start.new"), t("start.demo")]
    user.tap(user.find(BigChoice, lambda w: w.title == t("start.new")))
    user.until(lambda: user.app.manager.current == "new")
    user.until(lambda: not user.app.manager.transition.is_active)
    form = user.app.new_screen
    form.rows[0].ids.name.text = "Ada"
    user.tap(form.rows[1].ids.mark)
    user.tap(user.button(t("new.start")))
    user.until(lambda: user.app.manager.current == "table")
    players = user.app.session.header.players
    assert [(p.name, p.colour) for p in players] == [("Ada", "violet"), ("Player 2", "red")]


def test_the_same_colour_twice_is_explained(start) -> None:
    user = start()
    user.app.show_new_game()
    form = user.app.new_screen
    form.rows[1].colour = "violet"
    form.finish()
    assert "Violet" in form.problem
    assert user.app.session is None


def test_an_unreadable_board_file_is_explained(start, tmp_path: Path) -> None:
    user = start()
    user.app.show_new_game()
    broken = tmp_path / "board.json"
    broken.write_text('{"version": 1, "cells": [')
    user.app.begin(NewGame(PLAYERS, None, str(broken), None))
    assert str(broken) in user.app.new_screen.problem
    assert user.app.session is None


def test_a_card_is_laid_by_a_tap(start) -> None:
    user = start()
    user.begin()
    assert "Ada" in user.table.ids.whose.text
    user.lay(6)
    assert user.shown.table.laid == (("violet", 6),)
    assert "Ben" in user.table.ids.whose.text


def test_a_value_that_is_taken_is_grey_says_why_and_cannot_be_laid(start) -> None:
    user = start()
    user.begin()
    user.lay(6)
    card = user.card(6)
    assert not card.possible
    assert "Ada" in card.reason
    user.tap(card)
    user.frames(10)
    assert len(user.shown.table.laid) == 1


def test_a_legal_drag_moves_the_wizard_and_turns_its_token(start) -> None:
    user = start()
    user.begin()
    user.lay(6, 9)
    user.drag("wizard/green", "g10")
    user.until(lambda: user.shown.placement.pieces["wizard/green"] == ("g10",))
    assert {k.key: k.done for k in user.shown.table.tokens}["wizard"]


def test_an_illegal_drag_is_refused_with_its_rule_and_the_cell_is_marked(start) -> None:
    user = start()
    user.begin()
    user.lay(6, 9)
    user.drag("wizard/green", "a20")
    user.until(lambda: user.shown.sentence is not None and user.shown.sentence.rule == "M-19")
    assert "Ben · " + t("table.rule", rule="M-19") in user.talk
    assert "a20" in user.shown.sentence.cells
    assert user.shown.placement.pieces["wizard/green"] == ("start",)
    talk, board = user.table.ids.talk, user.table.ids.board
    assert talk.x >= board.right  # it never covers the board
    user.tap(user.button(t("table.dismiss")))
    user.until(lambda: user.shown.sentence is None)


def test_undo_takes_a_move_back(start) -> None:
    user = start()
    user.begin()
    user.lay(6, 9)
    user.drag("wizard/green", "g10")
    user.until(lambda: user.shown.placement.pieces["wizard/green"] == ("g10",))
    user.tap(user.button(t("table.undo")))
    user.until(lambda: user.shown.placement.pieces["wizard/green"] == ("start",))


def test_the_energy_stone_and_a_shield_are_dragged_too(start) -> None:
    user = start()
    user.begin()
    user.lay(6, 9)
    user.drag("energy_stone/green", "track/9")
    user.until(lambda: user.shown.table.seat("green").energy == 9)
    user.drag("shield/green", "d9")
    user.until(lambda: user.shown.placement.pieces["shield/green"] == ("d9",))


def test_correct_sets_a_piece_without_asking_the_rules(start) -> None:
    user = start()
    user.begin()
    user.tap(user.button(t("table.correct")))
    user.drag("wizard/green", "c3")
    user.until(lambda: user.shown.placement.pieces["wizard/green"] == ("c3",))
    assert not user.table.correcting


def test_on_a_red_field_the_choice_to_stay_is_offered(start) -> None:
    user = start()
    user.begin()
    user.lay(2, 3)
    user.app.session.post(Do(Action(None, "correct", {"pieces": {"wizard/green": "d2"}})))
    user.until(lambda: user.shown.placement.pieces["wizard/green"] == ("d2",))
    user.drag("wizard/green", "d5")
    user.until(lambda: user.shown.table.choose_red)
    assert t("table.red") in user.talk
    user.tap(user.button(t("table.stay")))
    user.until(lambda: not user.shown.table.choose_red)
    user.tap(user.button(t("table.end")))
    user.until(lambda: user.shown.table.seat("green").energy == 13)


def test_a_walk_may_go_on_from_a_red_field(start) -> None:
    user = start()
    user.begin()
    user.lay(2, 3)
    user.app.session.post(Do(Action(None, "correct", {"pieces": {"wizard/green": "d2"}})))
    user.until(lambda: user.shown.placement.pieces["wizard/green"] == ("d2",))
    user.drag("wizard/green", "d5")
    user.until(lambda: user.shown.table.choose_red)
    user.drag("wizard/green", "g5")
    user.until(lambda: user.shown.placement.pieces["wizard/green"] == ("g5",))
    assert not user.shown.table.choose_red


def test_an_attack_by_hand_is_two_drags_and_can_be_taken_back(start) -> None:
    user = start()
    user.begin()
    user.lay(2, 6)
    user.app.session.post(Do(Action(None, "correct", {"pieces": {"wizard/violet": "e13"}})))
    user.until(lambda: user.shown.placement.pieces["wizard/violet"] == ("e13",))
    user.drag("wizard/violet", "d9")
    user.until(lambda: user.shown.placement.pieces["wizard/violet"] == ("d9",))
    assert "goblin" in user.talk
    user.drag("wizard/violet", "e13")
    user.until(lambda: user.shown.placement.pieces["wizard/violet"] == ("e13",))
    user.drag("wizard/violet", "d9")
    user.until(lambda: user.shown.placement.pieces["wizard/violet"] == ("d9",))
    user.drag("goblin/1", "e17")
    user.until(lambda: user.shown.placement.pieces["goblin/1"] == ("e17",))
    assert user.shown.table.open_ways == ()


def test_correct_and_a_tap_on_an_item_gives_it_and_takes_it_away(start) -> None:
    user = start()
    user.begin()
    row = user.table.ids.seats.children[-1]
    for items in (("stone",), ()):
        user.tap(user.button(t("table.correct")))
        user.touch((row._symbols["stone"], row.y + row.height * 0.25))
        user.until(lambda items=items: user.shown.table.seat("violet").items == items)
    user.touch((row._symbols["stone"], row.y + row.height * 0.25))
    user.frames(5)
    assert user.shown.table.seat("violet").items == ()


def test_a_game_that_is_over_says_who_won_and_does_not_wait_any_more(start, tmp_path: Path) -> None:
    user = start()
    user.begin()
    user.lay(6, 9)
    near = {"pieces": {"wizard/green": "g4"}, "energy": {"green": 18}}
    items = {"items": {"green": ["amulet", "stone", "ring"]}}
    user.app.session.post(Do(Action(None, "correct", {**near, **items})))
    user.until(lambda: user.shown.table.seat("green").energy == 18)
    user.drag("wizard/green", "start")
    user.until(lambda: user.shown.table.winner == "green")
    assert user.table.ids.whose.text == "Ben " + t("table.wins")
    assert user.table.ids.end.disabled
    user.tap(user.button(t("table.home")))
    user.until(lambda: user.app.manager.current == "start")
    assert Store(tmp_path / "home").running() is None
    assert len(list((tmp_path / "home" / "games").glob("*.jsonl"))) == 1


def test_escape_leads_back_one_screen(start) -> None:
    user = start()
    user.begin()
    assert Window.dispatch("on_keyboard", 27, 0, None, [])
    user.until(lambda: user.app.manager.current == "start")
    user.app.show_new_game()
    assert Window.dispatch("on_keyboard", 27, 0, None, [])
    assert user.app.manager.current == "start"


def test_dice_are_tapped_and_the_giant_walks_their_sum(start) -> None:
    user = start()
    user.begin()
    user.lay(6, 9)
    user.tap(user.button(t("table.end")))
    user.until(lambda: user.shown.table.giant_due)
    dice = user.table._dice
    user.until(lambda: dice.get_root_window() is not None and dice.height > 100)
    for row, pips in zip(dice._faces, (4, 3), strict=True):
        user.tap(next(f for f in row if f.pips == pips))
    user.until(lambda: user.shown.table.dice == (4, 3))
    user.drag("giant", "i17")
    user.until(lambda: user.shown.placement.pieces["giant"] == ("i17",))


def test_a_lifted_ruin_can_be_turned_before_it_is_put_down(start) -> None:
    user = start()
    user.begin()
    user.lay(5, 3)
    board = user.table.ids.board
    before = user.shown.placement.pieces["ruin/1"]
    user.drag("ruin/1", "e14")
    assert board.ghost is not None
    assert user.shown.placement.pieces["ruin/1"] == before
    lying = board.ghost[1]
    user.tap(user.button(t("table.ruin_turn")))
    turned = board.ghost[1]
    assert set(turned) != set(lying)
    user.tap(user.button(t("table.ruin_put")))
    user.until(lambda: set(user.shown.placement.pieces["ruin/1"]) == set(turned))


def test_an_answer_is_chosen_with_a_button(start) -> None:
    user = start()
    user.begin()
    asked = []
    user.app.session._referee.choose = lambda ident, index: asked.append((ident, index)) or []
    choices = tuple(Choice(Message("x", text), ()) for text in ("over the ring", "round it"))
    user.app.session._news.ask("q9", Message("x", "Which way?"), choices)
    user.app.session.post(Do(Action("violet", "note", {"text": "ask"})))
    user.until(lambda: user.shown.question is not None)
    assert "Which way?" in user.talk
    user.tap(user.button("round it"))
    user.until(lambda: asked)
    assert asked == [("q9", 1)]


def test_turning_the_tablet_keeps_everything(start) -> None:
    user = start()
    user.begin()
    user.lay(6, 9)
    user.drag("energy_stone/green", "track/9")
    user.until(lambda: user.shown.table.seat("green").energy == 9)
    before = user.shown
    for size in (PORTRAIT, LANDSCAPE, PORTRAIT):
        Window.size = size
        user.frames(8)
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
    Window.size = size
    user.frames(8)
    check_nothing_overlaps(user)
    user.lay(6, 9)
    user.frames(4)
    check_nothing_overlaps(user)


@pytest.mark.parametrize("size", [LANDSCAPE, PORTRAIT])
def test_what_is_tapped_is_large_enough_for_a_finger(start, size) -> None:
    user = start()
    user.begin()
    Window.size = size
    user.frames(8)
    nine_mm = 9 / 25.4 * 160
    cards = [w for w in user.app.root.walk() if isinstance(w, Card)]
    buttons = [w for w in user.table.walk() if isinstance(w, TapButton)]
    assert len(cards) == 11
    user.lay(6, 9)
    user.tap(user.button(t("table.end")))
    user.until(lambda: user.shown.table.giant_due)
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
    assert again.shown.table.laid == (("violet", 6),)
    assert "line 3" in again.talk


def test_a_game_can_begin_where_nothing_can_be_saved(start, tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    user = start(data=blocked)
    assert user.app.start_screen.trouble
    user.begin()
    user.lay(6)
    assert user.shown.storage is not None
    assert "memory" in user.talk


def test_without_a_camera_the_sentence_names_it_and_play_goes_on_by_hand(start) -> None:
    user = start(opener=no_camera)
    user.begin(NewGame(PLAYERS, 7, "reference", None))
    user.until(lambda: user.shown.camera.light is Light.TROUBLE)
    assert "no camera 7" in user.table.ids.light.text.text
    assert user.table.ids.light.detail.text == t("camera.by_hand")
    user.lay(6, 9)
    assert user.shown.table.phase is Phase.ACT


def test_the_interface_ticks_on_while_the_camera_blocks_for_ever(start) -> None:
    deaf = DeafPipeline()
    user = start(opener=lambda request: deaf)
    user.begin(NewGame(PLAYERS, 0, "reference", None))
    user.until(deaf.blocking.is_set)
    ticks = []
    clock = Clock.schedule_interval(lambda dt: ticks.append(dt), 0)
    user.frames(20)
    clock.cancel()
    assert len(ticks) >= 20
    user.lay(6, 9)
    user.tap(user.button(t("table.home")))
    user.until(lambda: user.app.manager.current == "start")
    deaf.released.set()


def test_a_camera_that_opens_for_ever_does_not_hold_the_window(start) -> None:
    gate = threading.Event()

    def slow(request):
        gate.wait(60)
        raise BoardwardenError("too late")

    user = start(opener=slow)
    user.begin(NewGame(PLAYERS, 0, "reference", None))
    user.lay(6)
    user.app.leave_table()
    assert user.app.manager.current == "start"
    gate.set()


def test_the_live_picture_shows_the_newest_frame_and_a_tap_enlarges_it(start) -> None:
    pipeline = ListPipeline([view(0.1), view(0.2)], block=True)
    user = start(opener=lambda request: pipeline)
    user.begin(NewGame(PLAYERS, 0, "reference", None))
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
    user.begin(NewGame(PLAYERS, 0, "reference", None))
    user.lay(6)
    user.until(lambda: opened and opened[0].blocking.is_set())
    assert user.app.on_pause()
    assert opened[0].closed.is_set()
    user.app.on_resume()
    user.until(lambda: len(opened) == 2)
    user.lay(9)
    assert user.shown.table.laid == (("violet", 6), ("green", 9))


def test_a_camera_given_as_text_is_offered_as_a_number(start) -> None:
    user = start(source="1")
    user.app.show_new_game()
    form = user.app.new_screen
    assert (form.camera, form.number.text) == ("device", "1")


def test_what_was_chosen_is_offered_again(start, tmp_path: Path) -> None:
    user = start()
    user.begin(NewGame((Player("Zoë", "orange"), Player("Kim", "red")), None, "reference", None))
    user.app.close_session()
    saved = json.loads((tmp_path / "home" / "settings.json").read_text("utf-8"))
    assert saved["new_game"]["players"][0] == ["Zoë", "orange"]
    again = start()
    again.app.show_new_game()
    assert [r.ids.name.text for r in again.app.new_screen.rows] == ["Zoë", "Kim"]


def test_the_demo_plays_without_touching_the_saved_games(start, tmp_path: Path) -> None:
    user = start(opener=lambda request: ListPipeline([view(0.1)], block=True))
    user.app.begin_demo()
    user.until(lambda: user.app.manager.current == "table" and user.shown is not None)
    user.until(lambda: len(user.shown.table.laid) == 2)
    assert user.app.session.header.players[0].name == "Ada"
    assert Store(tmp_path / "home").running() is None
