from __future__ import annotations

import json
import threading
from pathlib import Path

import pytest

from companion_app.session import Session
from companion_app.snapshot import Light, Snapshot
from companion_app.store import Recorder, read_game
from companion_app.taps import AskHints, Choose, Dismiss, Do, Drag, Refuse, TakeAsIs
from companion_app.widgets.talk import speech_of
from engine.action import Action
from engine.board import Board
from engine.errors import BoardwardenError
from engine.game import Header
from engine.placement import PieceMove
from engine.record import format_header
from engine.verdict import Choice, Message, Status, Verdict
from tests.app.fakes import DeafPipeline, ListPipeline, QuestionAsked, VerdictGiven, view
from tests.app.helpers import Watcher, eventually, make_session


def lay(player: str, card: int) -> Do:
    return Do(Action(player, "lay", {"card": card}))


@pytest.fixture
def playing(board: Board, header: Header):
    sessions: list[Session] = []

    def start(**kwargs):
        session, referee = make_session(board, header, **kwargs)
        sessions.append(session)
        watcher = Watcher(session)
        session.start()
        return session, referee, watcher

    yield start
    for session in sessions:
        session.close()


def test_taps_are_handled_in_order(playing) -> None:
    session, _, watcher = playing()
    session.post(lay("violet", 6))
    session.post(lay("green", 9))
    snapshot = watcher.wait(lambda s: len(s.table.detail.laid) == 2)
    assert snapshot.table.detail.laid == (("violet", 6), ("green", 9))
    assert snapshot.table.to_act == "green"
    serials = [s.serial for s in watcher.seen]
    assert serials == sorted(set(serials))


def test_a_line_is_on_the_disk_before_it_is_shown(playing, board, header, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    on_disk: list[tuple[int, int]] = []
    session, _ = make_session(board, header, path)
    session.listen(lambda s: on_disk.append((s.lines_written, _lines(path))))
    watcher = Watcher(session)
    session.start()
    for player, card in (("violet", 6), ("green", 9)):
        session.post(lay(player, card))
    session.post(Do(Action("green", "walk", {"to": "g4"})))
    watcher.wait(lambda s: s.lines_written == 3)
    session.close()
    assert on_disk
    assert all(shown <= written for shown, written in on_disk)


def _lines(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


def test_a_refusal_is_explained_and_changes_nothing(playing) -> None:
    session, _, watcher = playing()
    session.post(lay("violet", 2))
    session.post(lay("green", 1))
    session.post(Drag("wizard/violet", ("a20",)))
    snapshot = watcher.wait(lambda s: s.sentence is not None)
    assert snapshot.sentence.status is Status.ILLEGAL
    assert snapshot.sentence.rule == "M-19"
    assert snapshot.sentence.cells == ("a20",)
    assert "card 2" in snapshot.sentence.message.text
    assert snapshot.placement.pieces["wizard/violet"] == ("start",)
    session.post(Dismiss())
    assert watcher.wait(lambda s: s.serial > snapshot.serial).sentence is None


def test_undo_takes_the_last_action_back_and_is_recorded(playing, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    session, _, watcher = playing(path=path)
    session.post(lay("violet", 6))
    session.post(Do(Action(None, "undo")))
    after = watcher.wait(lambda s: s.lines_written == 2)
    assert after.table.detail.laid == ()
    assert json.loads(path.read_text().splitlines()[-1]) == {"do": "undo"}


def test_tokens_turn_when_their_action_is_done(playing) -> None:
    session, _, watcher = playing()
    session.post(lay("violet", 3))
    session.post(lay("green", 9))
    before = watcher.wait(lambda s: len(s.table.detail.laid) == 2)
    assert {t.key: t.needed for t in before.table.detail.tokens}["giant"] is False
    session.post(Drag("wizard/green", ("g5",)))
    session.post(Drag("shield/green", ("d9",)))
    after = watcher.wait(lambda s: s.lines_written == 4)
    done = {t.key for t in after.table.detail.tokens if t.done}
    assert done == {"wizard", "shield"}
    assert after.last_move == (PieceMove("shield/green", (), ("d9",)),)
    session.post(Do(Action("green", "end")))
    turn = watcher.wait(lambda s: s.table.to_act == "violet" and s.lines_written == 5)
    assert not any(t.done for t in turn.table.detail.tokens)
    assert turn.table.detail.giant_due


def test_cards_that_are_laid_are_greyed_with_who_laid_them(playing) -> None:
    session, _, watcher = playing()
    session.post(lay("violet", 6))
    snapshot = watcher.wait(lambda s: len(s.table.detail.laid) == 1)
    face = snapshot.table.detail.seat("green").cards[6]
    assert (face.why_not, face.by) == ("taken", "violet")
    assert snapshot.table.detail.seat("violet").cards[6].why_not == "own"
    assert snapshot.table.detail.seat("green").cards[5].why_not == ""


def test_given_cards_are_laid_at_the_start(playing) -> None:
    cards = {"cards": [{"round": 1, "laid": [["violet", 6], ["green", 9]]}]}
    _, _, watcher = playing(cards=cards)
    assert watcher.wait(lambda s: len(s.table.detail.laid) == 2).table.detail.laid[1] == (
        "green",
        9,
    )


def test_questions_come_with_choices_and_the_answer_goes_to_the_referee(playing) -> None:
    choices = (Choice(Message("a", "over the amulet"), ()), Choice(Message("b", "round it"), ()))
    pipeline = ListPipeline([view(1.0)], block=True)
    session, referee, watcher = playing(open_pipeline=lambda: pipeline)
    referee.script[1.0] = [QuestionAsked("q1", 1.0, Message("q", "Which way?"), choices)]
    asked = watcher.wait(lambda s: s.question is not None)
    assert [c.text for c in asked.question.choices] == ["over the amulet", "round it"]
    session.post(Choose("q1", 1))
    watcher.wait(lambda s: s.serial > asked.serial and s.question is None)
    assert referee.chosen == [("q1", 1)]


def test_a_question_none_of_whose_answers_is_right_can_be_closed(playing) -> None:
    choices = (Choice(Message("a", "over the amulet"), ()), Choice(Message("b", "round it"), ()))
    pipeline = ListPipeline([view(1.0)], block=True)
    session, referee, watcher = playing(open_pipeline=lambda: pipeline)
    referee.script[1.0] = [QuestionAsked("q1", 1.0, Message("q", "Which way?"), choices)]
    asked = watcher.wait(lambda s: s.question is not None)
    answers = speech_of(asked, False).answers
    assert answers[-1].command == Refuse("q1")
    session.post(answers[-1].command)
    watcher.wait(lambda s: s.serial > asked.serial and s.question is None)
    assert referee.chosen == []


def test_an_accepted_reading_can_be_refused(playing) -> None:
    pipeline = ListPipeline([view(1.0)], block=True)
    session, referee, watcher = playing(open_pipeline=lambda: pipeline)
    said = Verdict(
        Status.LEGAL, "green", message=Message("k", "Ben takes the ring"), confidence=0.8
    )
    referee.script[1.0] = [VerdictGiven("v7", 1.0, said)]
    shown = watcher.wait(lambda s: s.sentence is not None)
    assert shown.sentence.doubtful
    session.post(Refuse("v7"))
    watcher.wait(lambda s: s.serial > shown.serial and s.sentence is None)
    assert referee.refused == ["v7"]


def test_the_table_can_be_taken_as_it_is(playing) -> None:
    pipeline = ListPipeline([view(1.0)], block=True)
    session, referee, watcher = playing(open_pipeline=lambda: pipeline)
    moved = PieceMove("goblin/1", ("e11",), ("e12",))
    no = Verdict(Status.ILLEGAL, "green", pieces=(moved,), rule="M-25", way_back=())
    referee.script[1.0] = [VerdictGiven("v8", 1.0, no)]
    watcher.wait(lambda s: s.sentence is not None)
    session.post(TakeAsIs())
    after = watcher.wait(lambda s: s.lines_written == 1)
    assert after.placement.pieces["goblin/1"] == ("e12",)
    assert referee.actions[-1].do == "correct"


def test_hints_answer_and_go(playing) -> None:
    session, _, watcher = playing()
    session.post(AskHints("wizard/violet"))
    assert watcher.wait(lambda s: s.hints is not None).hints.cells == {"g3", "h3"}
    session.post(AskHints(None))
    assert watcher.wait(lambda s: s.serial == watcher.seen[-1].serial).serial


def test_an_error_inside_is_told_and_the_game_goes_on(playing, monkeypatch) -> None:
    session, referee, watcher = playing()
    monkeypatch.setattr(referee, "choose", lambda *_: 1 / 0)
    session.post(Choose("x", 0))
    told = watcher.wait(lambda s: s.sentence is not None)
    assert told.sentence.message.key == "trouble.inner"
    session.post(lay("violet", 6))
    assert watcher.wait(lambda s: s.lines_written == 1).table.detail.laid


def test_a_full_disk_is_told_and_the_game_goes_on(playing, tmp_path: Path) -> None:
    session, _, watcher = playing(path=tmp_path / "no" / "such" / "folder" / "game.jsonl")
    session.post(lay("violet", 6))
    shown = watcher.wait(lambda s: s.lines_written == 1)
    assert shown.storage is not None
    assert "memory" in shown.storage.text
    assert shown.table.detail.laid == (("violet", 6),)


def test_lines_that_waited_are_written_while_nobody_plays(playing, tmp_path: Path) -> None:
    path = tmp_path / "later" / "game.jsonl"
    session, _, watcher = playing(path=path)
    session.post(lay("violet", 6))
    assert watcher.wait(lambda s: s.lines_written == 1).storage is not None
    path.parent.mkdir()
    assert watcher.wait(lambda s: s.lines_written == 1 and s.storage is None)
    assert _lines(path) == 1


def test_lines_that_waited_are_written_when_the_disk_is_back(
    tmp_path: Path, header: Header
) -> None:
    path = tmp_path / "later" / "game.jsonl"
    recorder = Recorder(path)
    assert not recorder.write(format_header(header))
    path.parent.mkdir()
    assert recorder.write({"do": "undo"})
    assert recorder.trouble is None
    assert [a.do for a in read_game(path).actions] == ["undo"]


# --- the eyes ----------------------------------------------------------------------------------


def test_the_light_follows_what_the_eyes_report(playing) -> None:
    views = [view(0.1, hand=True), view(0.2, still_s=0.1), view(0.3)]
    problem = Message("eyes.dark", "It is too dark")
    views.append(view(0.4, problem=problem))
    gates = [threading.Event() for _ in views]

    class Stepwise(ListPipeline):
        def views(self):
            for gate, one in zip(gates, self._views, strict=True):
                gate.wait(20)
                yield one
            self.closed.wait(30)

    _, _, watcher = playing(open_pipeline=lambda: Stepwise(views))
    for gate, light in zip(gates, (Light.HAND, Light.WAIT, Light.LOOK, Light.TROUBLE), strict=True):
        gate.set()
        key = {Light.WAIT: "camera.moving"}.get(light)
        shown = watcher.wait(
            lambda s, light=light, key=key: (
                s.camera.light is light and key in (None, s.camera.text.key)
            )
        )
    assert shown.camera.text == problem


def test_a_film_that_ends_leaves_the_game_running(playing) -> None:
    session, _, watcher = playing(open_pipeline=lambda: ListPipeline([view(0.1)]))
    watcher.wait(lambda s: s.camera.text.key == "camera.ended")
    session.post(lay("violet", 6))
    assert watcher.wait(lambda s: s.lines_written == 1)


def test_a_camera_that_cannot_be_opened_is_told_and_tried_again(playing, monkeypatch) -> None:
    monkeypatch.setattr("companion_app.eyes.RETRY_S", (0.01,))
    tries = []

    def opener():
        tries.append(1)
        if len(tries) < 3:
            raise BoardwardenError("there is no camera 7")
        return ListPipeline([view(0.1)], block=True)

    _, _, watcher = playing(open_pipeline=opener)
    told = watcher.wait(lambda s: s.camera.light is Light.TROUBLE)
    assert told.camera.text.text == "there is no camera 7"
    watcher.wait(lambda s: s.camera.light is Light.LOOK)
    assert len(tries) == 3


def test_taps_work_while_the_camera_blocks_for_ever(playing) -> None:
    deaf = DeafPipeline()
    session, _, watcher = playing(open_pipeline=lambda: deaf)
    assert deaf.blocking.wait(20)
    session.post(lay("violet", 6))
    assert watcher.wait(lambda s: s.lines_written == 1).table.detail.laid == (("violet", 6),)
    session.close()
    assert not deaf.released.is_set()  # it was abandoned, not waited for
    deaf.released.set()


def test_a_silent_camera_is_told(playing, monkeypatch) -> None:
    monkeypatch.setattr("companion_app.eyes.SILENT_AFTER_S", 0.05)
    monkeypatch.setattr("companion_app.session.WATCH_S", 0.02)
    _, _, watcher = playing(open_pipeline=lambda: ListPipeline([view(0.1)], block=True))
    silent = watcher.wait(lambda s: s.camera.text.key == "camera.silent")
    assert silent.camera.light is Light.TROUBLE


def test_pause_closes_the_camera_and_resume_opens_it_again(playing) -> None:
    opened: list[ListPipeline] = []

    def opener():
        opened.append(ListPipeline([view(0.1)], block=True))
        return opened[-1]

    session, _, watcher = playing(open_pipeline=opener)
    session.post(lay("violet", 6))
    assert eventually(lambda: len(opened) == 1 and opened[0].blocking.is_set())
    session.pause()
    assert opened[0].closed.is_set()
    session.resume()
    assert eventually(lambda: len(opened) == 2)
    session.post(lay("green", 9))
    assert watcher.wait(lambda s: s.lines_written == 2).table.detail.laid == (
        ("violet", 6),
        ("green", 9),
    )


def test_only_the_newest_picture_is_handed_over(playing) -> None:
    session, _, watcher = playing(
        open_pipeline=lambda: ListPipeline([view(0.1), view(0.2), view(0.3)])
    )
    watcher.wait(lambda s: s.camera.text.key == "camera.ended")
    newest = session.frames.take()
    assert newest is not None
    assert newest.t_s == pytest.approx(0.3)
    assert newest.size == (640, 360)
    assert len(newest.pixels) == 640 * 360 * 4
    assert session.frames.take() is None


def test_close_ends_the_threads(playing) -> None:
    pipeline = ListPipeline([view(0.1)], block=True)
    session, _, watcher = playing(open_pipeline=lambda: pipeline)
    watcher.wait(lambda s: s.camera.light is Light.LOOK)
    session.close()
    assert not session._thread.is_alive()
    assert pipeline.closed.is_set()
    assert eventually(lambda: not any(t.name == "eyes" for t in threading.enumerate()))


def test_a_listener_that_fails_does_not_stop_the_game(playing) -> None:
    session, _, watcher = playing()

    def broken(_: Snapshot) -> None:
        raise RuntimeError("no")

    session.listen(broken)
    session.post(lay("violet", 6))
    session.post(lay("green", 9))
    assert watcher.wait(lambda s: s.lines_written == 2)
