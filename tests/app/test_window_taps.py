"""How often a finger is needed: counted with real touches."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from companion_app.taps import Do
from companion_app.texts import t
from companion_app.widgets.basics import BigChoice
from engine.action import Action
from engine.verdict import Choice, Message
from tests.app.fakes import StillPipeline, view

pytestmark = pytest.mark.window
LAST = {
    "tour_seen": True,
    "calm": True,
    "names": ["Zoë", "Kim", "Lou"],
    "last": {
        "magalon": {
            "players": [["Zoë", "orange"], ["Kim", "red"], ["Lou", "green"]],
            "source": 0,
            "board": "reference",
            "strictness": "coach",
            "switches": {"M-A8": "b"},
        }
    },
}


def remember(home: Path, settings: dict[str, object]) -> None:
    home.mkdir(parents=True, exist_ok=True)
    (home / "settings.json").write_text(json.dumps(settings), "utf-8")


def test_a_new_game_as_last_time_takes_three_taps_with_a_camera(start, home: Path) -> None:
    remember(home, LAST)
    user = start(opener=lambda request: StillPipeline([view(0.1, board=True)]))
    user.tap(user.find(BigChoice, lambda w: w.title == t("start.new")))
    user.at("new")
    user.tap(user.app.page("new").ids.begin)
    user.at("camera")
    user.tap(user.app.page("camera").ids.play)
    user.at("table")
    assert user.taps == 3
    header = user.app.session.header
    assert [p.name for p in header.players] == ["Zoë", "Kim", "Lou"]
    assert header.options == {"M-A8": "b"}
    assert header.extra == {"strictness": "coach"}


def test_another_pair_of_known_players_strictness_and_no_camera_takes_six(start, home) -> None:
    remember(home, {**LAST, "last": {}})
    user = start()
    user.tap(user.find(BigChoice, lambda w: w.title == t("start.new")))
    user.at("new")
    user.tap(user.button("Kim"))
    user.tap(user.button("Zoë"))
    user.tap(user.button(t("strictness.scorekeeper")))
    user.tap(user.app.page("new").rows[1].ids.up)
    user.tap(user.app.page("new").ids.begin)
    user.at("table")
    assert user.taps == 6
    assert [p.name for p in user.app.session.header.players] == ["Zoë", "Kim"]
    assert user.app.session.header.extra == {"strictness": "scorekeeper"}


def test_a_card_takes_one_tap(start) -> None:
    user = start()
    user.begin()
    before = user.taps
    user.lay(6)
    assert user.taps == before + 1


def test_correcting_a_misread_piece_takes_two(start) -> None:
    user = start()
    user.begin()
    before = user.taps
    user.tap(user.table.ids.correct)
    user.drag("wizard/green", "c3")
    user.until(lambda: user.shown.placement.pieces["wizard/green"] == ("c3",))
    assert user.taps == before + 2


def test_a_refused_drag_can_be_set_all_the_same_with_one_more_tap(start) -> None:
    user = start()
    user.begin()
    user.lay(6, 9)
    before = user.taps
    user.drag("wizard/green", "a20")
    user.until(lambda: user.shown.sentence is not None and user.shown.sentence.differences)
    user.tap(user.button(t("table.as_is")))
    user.until(lambda: user.shown.placement.pieces["wizard/green"] == ("a20",))
    assert user.taps == before + 2


def test_an_answer_to_a_question_takes_one(start) -> None:
    user = start()
    user.begin()
    asked = []
    user.app.session._referee.choose = lambda ident, index: asked.append(index) or []
    choices = tuple(Choice(Message("x", text), ()) for text in ("over the ring", "round it"))
    user.app.session._news.ask("q9", Message("x", "Which way?"), choices)
    user.app.session.post(Do(Action("violet", "note", {"text": "ask"})))
    user.until(lambda: user.shown.question is not None)
    before = user.taps
    user.tap(user.button("round it"))
    user.until(lambda: asked)
    assert user.taps == before + 1
