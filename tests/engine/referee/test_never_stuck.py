"""Never stuck: repairs by one tap, corrections of earlier readings, undo after the end."""

from __future__ import annotations

from typing import Any

import pytest

from engine.action import Action
from engine.record import Game
from engine.referee.events import ActionRecorded, GameEnded, ScoreChanged, TrackerEvent, Withdrawn
from engine.referee.tracker import Tracker
from engine.verdict import Status
from tests.engine.referee.table import Table, actions, given, walked, words

LAST_STEP = {
    "pieces": {"wizard/green": "g7"},
    "energy": {"violet": 10, "green": 17},
    "items": {"violet": [], "green": ["amulet", "stone", "ring"]},
    "table": [["violet", 6], ["green", 9]], "round": 1, "first_layer": "violet",
}  # fmt: skip


def texts(table: Table) -> list[str]:
    return [c.text.key for c in table.tracker.repairs]


def scores(events: Any) -> list[ScoreChanged]:
    return [e for e in events if isinstance(e, ScoreChanged)]


def replays(table: Table, *more: list[TrackerEvent]) -> None:
    """The record alone leads to the tracker's state."""
    game = Game.begin(table.tracker.game.header, table.board)
    for event in [*table.events, *(e for events in more for e in events)]:
        if isinstance(event, ActionRecorded):
            game, _ = game.do(event.action)
    assert table.room.position(game.state) == table.room.position(table.tracker.state)


# -- repairs -------------------------------------------------------------------------------------


def test_nothing_is_offered_while_board_and_state_agree() -> None:
    table = walked()
    table.show(2.0)
    assert table.tracker.differences == () and table.tracker.repairs == ()


def test_what_breaks_the_rules_may_be_taken_as_it_is_by_one_tap() -> None:
    table = Table()
    table.show(1.0)
    refused = given(table.show(3.0, {"wizard/green": ("g16",)}))[0]
    assert texts(table)[0] == "referee.take_over"
    said = list(table.tracker.repair(0))
    assert actions(said) == ["correct"]
    assert Withdrawn(refused.id, table.tracker._desk.t_s) in said
    assert table.tracker.placement.pieces["wizard/green"] == ("g16",)
    assert table.show(5.0) == []
    assert table.tracker.differences == ()
    replays(table, said)


def test_a_turn_that_ended_unseen_is_likelier_than_a_table_against_the_rules() -> None:
    table = Table()
    table.show(1.0)
    assert words(table.show(3.0, {"wizard/violet": ("i8",)})) == ["illegal"]
    assert texts(table)[0] == "referee.was_done"
    assert texts(table).index("referee.take_over") > 0
    said = list(table.tracker.repair(0))
    assert actions(said) == ["end", "walk"]
    assert words(said) == ["legal"]
    assert table.show(5.0) == []


def test_what_was_refused_by_tap_is_offered_again_as_what_it_looks_like() -> None:
    table = walked()
    table.tracker.refuse(given(table.events)[0].id)
    table.show(2.0)
    assert table.tracker.differences
    assert texts(table)[0] in ("referee.take_over", "referee.was_done")


def test_the_last_thing_understood_wrongly_is_replaced_by_one_tap() -> None:
    """The walk was told by a tap, but the wizard stands on another cell."""
    table = Table()
    table.show(1.0)
    table.tracker.act(Action("green", "walk", {"to": "g10"}))
    table.show(3.0, {"wizard/green": ("h10",)})
    assert texts(table)[0] == "referee.was_instead"
    said = list(table.tracker.repair(0))
    assert actions(said) == ["undo", "walk"]
    assert [v.verdict.status for v in given(said)] == [Status.LEGAL]
    assert table.tracker.placement.pieces["wizard/green"] == ("h10",)
    assert table.show(5.0) == []
    assert table.tracker.differences == ()


def test_of_several_pieces_each_may_be_set_alone() -> None:
    table = Table()
    table.show(1.0)
    table.show(3.0, {"wizard/green": ("g16",), "giant": ("i12",)})
    single = [c for c in table.tracker.repairs if c.text.key == "referee.set_piece"]
    assert {c.text.params["piece"] for c in single} == {"wizard/green", "giant"}
    table.tracker.repair(table.tracker.repairs.index(single[0]))
    assert len(table.tracker.differences) <= 1


def test_what_cannot_be_written_down_is_not_offered() -> None:
    """A wizard that is gone from the board cannot be taken off it (M-4)."""
    table = Table()
    table.show(1.0)
    table.show(12.0, {"giant": None, "wizard/green": ("g16",)})
    for n, choice in enumerate(table.tracker.repairs):
        played = [a for a in choice.actions if a.do == "correct"]
        for action in played:
            assert table.tracker.game.do(action)[1].status is Status.LEGAL, n
    assert table.tracker.repairs


def test_a_repair_that_has_gone_does_nothing() -> None:
    table = walked()
    assert table.tracker.repair(0) == ()
    assert table.tracker.repair(-1) == () and table.tracker.repair(99) == ()


def test_repairs_are_few_and_all_different() -> None:
    table = Table()
    table.show(1.0)
    moves = {
        "wizard/green": ("g16",),
        "giant": ("i12",),
        "goblin/1": ("e12",),
        "shield/green": ("d9",),
    }
    table.show(3.0, moves)  # fmt: skip
    assert 1 <= len(table.tracker.repairs) <= 4
    assert len({c.actions for c in map(_plain, table.tracker.repairs)}) == len(
        table.tracker.repairs
    )


def _plain(choice: Any) -> Any:
    return type(choice)(choice.text, tuple(repr(a) for a in choice.actions))


# -- corrections of earlier readings -------------------------------------------------------------


def both_walked() -> Table:
    table = walked()
    assert words(table.show(1.0, {"wizard/violet": ("i8",)})) == ["legal"]
    return table


def test_a_correction_of_an_earlier_reading_judges_again_what_followed() -> None:
    table = both_walked()
    first = given(table.events)[0]
    said = list(table.tracker.amend("wizard/green", ("h10",)))
    assert actions(said)[-3:] == ["walk", "end", "walk"]
    assert [(v.id, v.replaces) for v in given(said)] == [(first.id, first.id)]
    pieces = table.tracker.placement.pieces
    assert pieces["wizard/green"] == ("h10",) and pieces["wizard/violet"] == ("i8",)
    assert table.room.to_act(table.tracker.state) == "violet"
    replays(table, said)


def test_only_the_changed_result_is_announced() -> None:
    """The score did not change, so it is not said again; nor is what stayed as it was."""
    table = both_walked()
    said = list(table.tracker.amend("wizard/green", ("h10",)))
    assert scores(said) == []
    assert len(given(said)) == 1


def test_a_changed_score_is_announced_once() -> None:
    table = walked()
    assert words(table.show(1.0, {"energy_stone/green": ("track/9",)})) == ["legal"]
    assert words(table.show(1.0, {"wizard/violet": ("i8",)})) == ["legal"]
    verdict = next(v for v in given(table.events) if v.verdict.actions[-1].do == "energy")
    said = list(table.tracker.refuse(verdict.id))
    assert [s.players["green"]["energy"] for s in scores(said)] in ([], [9])
    assert len(scores(said)) <= 1
    assert table.tracker.placement.pieces["wizard/violet"] == ("i8",)
    replays(table, said)


def test_what_is_not_allowed_any_more_after_a_correction_is_refused() -> None:
    """Green stood where violet went afterwards: then violet's walk cannot have been (M-19)."""
    table = Table([{"round": 1, "laid": [["violet", 7], ["green", 9]]}])
    table.show(1.0)
    green = set(table.room.hints(table.tracker.state, "wizard/green"))
    table.show(1.0, {"wizard/green": ("g10",)})
    ended = table.room.judge(table.tracker.state, Action("green", "end")).state
    cell = min(green & set(table.room.hints(ended, "wizard/violet")))
    table.show(1.0, {"wizard/violet": (cell,)})
    first, second = given(table.events)
    said = list(table.tracker.amend("wizard/green", (cell,)))
    words_by_id = {v.id: v.verdict.status for v in given(said)}
    assert words_by_id == {first.id: Status.LEGAL, second.id: Status.ILLEGAL}
    assert table.tracker.placement.pieces["wizard/green"] == (cell,)
    assert table.tracker.placement.pieces["wizard/violet"] == ("start",)
    replays(table, said)


def test_where_the_rules_do_not_allow_the_correction_nothing_is_amended() -> None:
    table = both_walked()
    before = table.room.position(table.tracker.state)
    assert table.tracker.amend("wizard/green", ("g16",)) == ()
    assert table.tracker.amend("goblin/1", ("a1",)) == ()
    assert table.tracker.amend("wizard/green", ("g10",)) == ()
    assert table.room.position(table.tracker.state) == before


def test_an_earlier_verdict_refused_by_tap_leaves_what_followed_if_it_is_legal() -> None:
    table = both_walked()
    first = given(table.events)[0]
    said = list(table.tracker.refuse(first.id))
    assert Withdrawn(first.id, table.tracker._desk.t_s) in said
    pieces = table.tracker.placement.pieces
    assert pieces["wizard/green"] == ("start",) and pieces["wizard/violet"] == ("i8",)
    assert table.show(5.0) == []  # nothing is asked of what was refused
    replays(table, said)


def test_the_last_verdict_amended_is_the_piece_going_on() -> None:
    table = walked()
    said = list(table.tracker.amend("wizard/green", ("h10",)))
    assert actions(said) == ["undo", "walk"]
    assert table.show(5.0, {"wizard/green": ("h10",)}) == []


# -- after the end -------------------------------------------------------------------------------


def won() -> Table:
    table = Table([], position=LAST_STEP)
    table.show(1.0)
    said = table.show(1.0, {"wizard/green": ("start",)})
    assert [e.winner for e in said if isinstance(e, GameEnded)] == ["green"]
    return table


def test_undo_after_the_end_of_a_game() -> None:
    table = won()
    said = list(table.tracker.act(Action(None, "undo")))
    assert "undo" in actions(said)
    assert table.room.winner(table.tracker.state) is None
    assert table.room.to_act(table.tracker.state) == "green"
    again = table.show(3.0, {"wizard/green": ("g7",)}) + table.show(
        2.0, {"wizard/green": ("start",)}
    )
    assert [e.winner for e in again if isinstance(e, GameEnded)] == ["green"]


def test_the_winning_move_is_taken_back_at_the_table() -> None:
    table = won()
    said = table.show(3.0, {"wizard/green": ("g7",)})
    assert "undo" in actions(said)
    assert table.room.winner(table.tracker.state) is None


def test_clearing_the_board_after_the_end_says_nothing() -> None:
    table = won()
    assert table.show(5.0, {"wizard/green": None, "giant": None}) == []
    assert table.show(5.0, {"goblin/1": ("a1",), "wizard/violet": ()}) == []
    assert table.show(12.0, dict.fromkeys(table.pieces)) == []
    assert table.room.winner(table.tracker.state) == "green"


@pytest.mark.parametrize("undone", [1, 2])
def test_a_resumed_game_can_be_undone(undone: int) -> None:
    table = both_walked()
    history = [e.action for e in table.events if isinstance(e, ActionRecorded)]
    tracker = Tracker(table.room, table.board, table.tracker.game.header, events=history)
    assert table.room.position(tracker.state) == table.room.position(table.tracker.state)
    for _ in range(undone):
        assert actions(list(tracker.act(Action(None, "undo")))) == ["undo"]
    assert tracker.placement.pieces["wizard/violet"] == ("start",)
    assert table.room.to_act(tracker.state) == ("violet" if undone == 1 else "green")


def test_a_resumed_record_with_undos_keeps_its_books() -> None:
    table = both_walked()
    table.events += list(table.tracker.act(Action(None, "undo")))
    history = [e.action for e in table.events if isinstance(e, ActionRecorded)]
    tracker = Tracker(table.room, table.board, table.tracker.game.header, events=history)
    assert table.room.position(tracker.state) == table.room.position(table.tracker.state)
    tracker.act(Action(None, "undo"))
    assert tracker.placement.pieces["wizard/green"] == ("start",)
