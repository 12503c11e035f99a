"""A running game is joined with touches: pieces dragged or read, questions answered."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from companion_app.screens.join.questions import JoinRow
from companion_app.texts import t
from companion_app.widgets.basics import BigChoice
from engine.board import load_board
from engine.game import Header, Player
from engine.rooms import room_for
from engine.simulation.eyes import Eyes
from engine.simulation.noise import Noise
from tests.app.fakes import StillPipeline, view

pytestmark = pytest.mark.window


@pytest.fixture
def joining(start):
    def open_it(**options):
        user = start(rooms=room_for, **options)
        user.tap(user.find(BigChoice, lambda w: w.title == t("start.new")))
        user.at("new")
        user.tap(user.app.page("new").ids.join)
        user.at("join")
        user.until(lambda: user.app.page("join").board_view.geometry is not None)
        return user, user.app.page("join")

    return open_it


def row(page, key: str) -> JoinRow:
    return next(r for r in page.ids.questions.children if r.question.key == key)


def test_pieces_are_dragged_and_questions_answered_and_the_game_goes_on(joining) -> None:
    user, page = joining()
    board = page.board_view
    start, end = board._places["giant"].at, board.geometry.centre_px("c3")
    user.touch(start, ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2), end)
    user.until(lambda: page.joining.placement.pieces["giant"] == ("c3",))
    page.ids.questions.parent.scroll_to(row(page, "energy/violet"), animate=False)
    user.frames(3)
    plus = row(page, "energy/violet").children[0]
    user.tap(plus)
    user.until(lambda: row(page, "energy/violet").question.value == 11)
    items = row(page, "items/violet").children[0].children
    user.tap(items[0])
    user.until(lambda: row(page, "items/violet").question.value)
    user.tap(page.ids.go_on)
    user.at("table")
    header = user.app.session.header
    assert header.position["pieces"]["giant"] == "c3"
    user.until(lambda: user.shown is not None)
    seat = user.shown.table.detail.seat("violet")
    assert seat.energy == 11 and len(seat.items) == 1
    first = json.loads(user.app.session.record_path.read_text().splitlines()[0])
    assert first["position"]["energy"]["violet"] == 11


def test_what_cannot_be_is_said_and_nothing_begins(joining) -> None:
    user, page = joining()
    page.put("wizard/violet", ("h11",))
    user.tap(page.ids.go_on)
    user.frames(3)
    assert user.app.manager.current == "join"
    assert "h11" in page.problem and user.app.session is None


def test_the_camera_reads_the_pieces(joining, home: Path) -> None:
    board, room = load_board("reference"), room_for("magalon")
    players = (Player("A", "violet"), Player("B", "green"))
    placement = room.placement(room.start(Header("magalon", "reference", players), board))
    there = {**placement.pieces, "giant": ("c3",), "energy_stone/green": ("track/4",)}
    pieces = Eyes(board, placement.infos, Noise(jitter=0.0, colour=0.0), 1).look(there, {}, {}, ())
    still = view(1.0)
    still = replace(still, observation=replace(still.observation, pieces=pieces))
    home.mkdir(parents=True, exist_ok=True)
    remember = {"tour_seen": True, "calm": True, "last": {"magalon": {"source": 0}}}
    (home / "settings.json").write_text(json.dumps(remember), "utf-8")
    user, page = joining(opener=lambda request: StillPipeline([still]))
    user.until(lambda: page.seen)
    user.tap(page.ids.read)
    user.until(lambda: page.joining.placement.pieces["giant"] == ("c3",))
    assert row(page, "energy/green").question.value == 4


def test_a_ruin_is_turned_by_a_tap(joining) -> None:
    page = joining()[1]
    before = page.joining.placement.pieces["ruin/1"]
    page.turn("ruin/1")
    after = page.joining.placement.pieces["ruin/1"]
    assert after != before and len(after) == len(before)


def test_back_leads_to_the_new_game(joining) -> None:
    user, _ = joining()
    user.app.back()
    user.at("new")
