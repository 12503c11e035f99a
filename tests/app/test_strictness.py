"""A session played with a coach or a scorekeeper: what is shown and what is recorded."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion_app import texts
from companion_app.games import face_of
from companion_app.session import Session
from companion_app.store import Recorder
from companion_app.taps import Dismiss, Do, Drag, TakeAsIs
from engine.action import Action
from engine.board import load_board
from engine.game import Header, Player
from engine.record import HOUSE_RULE
from engine.referee.tracker import Tracker
from engine.rooms import room_for
from engine.verdict import Status
from tests.app.helpers import Watcher

PLAYERS = (Player("Ada", "violet"), Player("Ben", "green"))


class Table:
    """A session with the real referee and both cards laid."""

    def __init__(self, strictness: str, path: Path) -> None:
        board, room = load_board("reference"), room_for("magalon")
        header = Header("magalon", "reference", PLAYERS, extra={"strictness": strictness})
        self.path = path
        referee = Tracker(room, board, header)
        self.session = Session(room, board, header, referee, Recorder(path), face_of("magalon"))
        self.watcher = Watcher(self.session)
        self.session.start()
        for player, card in (("violet", 6), ("green", 9)):
            self.session.post(Do(Action(player, "lay", {"card": card})))
        self.watcher.wait(lambda s: s.lines_written == 2)

    def lines(self) -> list[dict]:
        return [json.loads(line) for line in self.path.read_text("utf-8").splitlines()]


@pytest.fixture
def sit(tmp_path: Path) -> Iterator:
    tables: list[Table] = []

    def start(strictness: str) -> Table:
        tables.append(Table(strictness, tmp_path / "game.jsonl"))
        return tables[-1]

    yield start
    for table in tables:
        table.session.close()
    texts.choose_language("en")
    texts.choose_game(None)


def test_the_scorekeeper_writes_a_refused_drag_down_as_a_house_rule(sit) -> None:
    table = sit("scorekeeper")
    table.session.post(Drag("wizard/green", ("a20",)))
    after = table.watcher.wait(lambda s: s.placement.pieces["wizard/green"] == ("a20",))
    assert after.sentence is not None and after.sentence.status is Status.LEGAL
    marked = [line for line in table.lines() if HOUSE_RULE in line]
    assert [line[HOUSE_RULE]["rule"] for line in marked] == ["M-19"]
    texts.choose_game("magalon", {"violet": "Ada", "green": "Ben"})
    for language, word in (("en", "House rule"), ("fr", "Règle maison"), ("de", "Hausregel")):
        texts.choose_language(language)
        said = texts.show(after.log[-1].text)
        assert word in said and "Ben" in said and "M-19" in said


def test_the_coach_warns_shows_what_is_possible_and_takes_what_stays(sit) -> None:
    table = sit("coach")
    table.session.post(Drag("wizard/green", ("a20",)))
    warned = table.watcher.wait(lambda s: s.hints is not None and s.hints.shown)
    assert warned.sentence is not None and warned.sentence.rule == "M-19"
    assert warned.placement.pieces["wizard/green"] == ("start",)
    assert warned.hints.piece == "wizard/green" and "a20" not in warned.hints.cells
    table.session.post(TakeAsIs())
    after = table.watcher.wait(lambda s: s.placement.pieces["wizard/green"] == ("a20",))
    assert HOUSE_RULE in table.lines()[-1]
    assert after.hints is None or not after.hints.shown


def test_the_coach_s_hints_go_with_the_warning(sit) -> None:
    table = sit("coach")
    table.session.post(Drag("wizard/green", ("a20",)))
    shown = table.watcher.wait(lambda s: s.hints is not None)
    table.session.post(Dismiss())
    table.watcher.wait(lambda s: s.serial > shown.serial and s.hints is None)


def test_with_a_referee_what_is_taken_is_a_correction_and_no_house_rule(sit) -> None:
    table = sit("referee")
    table.session.post(Drag("wizard/green", ("a20",)))
    refused = table.watcher.wait(lambda s: s.sentence is not None and s.sentence.differences)
    assert refused.hints is None
    table.session.post(TakeAsIs())
    table.watcher.wait(lambda s: s.placement.pieces["wizard/green"] == ("a20",))
    last = table.lines()[-1]
    assert last["do"] == "correct" and HOUSE_RULE not in last


def test_setting_a_piece_by_hand_understands_its_walk_anew_and_keeps_what_followed(sit) -> None:
    table = sit("referee")
    table.session.post(Drag("wizard/green", ("g10",)))
    table.session.post(Drag("shield/green", ("d9",)))
    table.watcher.wait(lambda s: s.lines_written == 4)
    table.session.post(Drag("wizard/green", ("h10",), correct=True))
    after = table.watcher.wait(lambda s: s.placement.pieces["wizard/green"] == ("h10",))
    assert after.placement.pieces["shield/green"] == ("d9",)
    done = [line["do"] for line in table.lines()[1:]]
    assert done[-4:] == ["undo", "undo", "walk", "shield"]


def test_the_last_move_can_be_undone_after_the_app_was_closed(sit, tmp_path: Path) -> None:
    table = sit("referee")
    table.session.post(Drag("wizard/green", ("g10",)))
    table.watcher.wait(lambda s: s.lines_written == 3)
    history = [Action.from_json(line) for line in table.lines()]
    board, room = load_board("reference"), room_for("magalon")
    referee = Tracker(room, board, table.session.header, events=history)
    path = tmp_path / "again.jsonl"
    again = Session(
        room, board, table.session.header, referee, Recorder(path), face_of("magalon"),
        history=history,
    )  # fmt: skip
    watcher = Watcher(again)
    again.start()
    again.post(Do(Action(None, "undo")))
    watcher.wait(lambda s: s.placement.pieces["wizard/green"] == ("start",))
    again.close()
