"""Grailnah in a real window: moved, blocked, sacrificed, recovered and won by touches, real rules."""

from __future__ import annotations

import random
from typing import Any

import pytest

from companion_app.texts import t
from engine.action import Action
from engine.game import Header, Player
from models.training.films.games import play_of
from tests.app.driver import Driver

pytestmark = pytest.mark.window

PLAYERS = (
    Player("Ada", "white"),
    Player("Ben", "red"),
    Player("Cem", "blue"),
    Player("Dea", "yellow"),
)


def begin(user: Driver, pieces: dict | None = None, *, players: int = 2, **more: Any) -> None:
    position = None if pieces is None else {"pieces": pieces, "pawn_moved": True, **more}
    user.app._sit_down(
        user.app._make(Header("grailnah", "reference", PLAYERS[:players], {}, position))
    )
    user.until(lambda: user.app.manager.current == "table" and user.shown is not None)
    user.until(lambda: not user.app.manager.transition.is_active)
    user.until(lambda: user.table.ids.board.geometry is not None)
    user.until(lambda: user.table.ids.board._places)


def state(user: Driver) -> Any:
    return user.shown.table.detail.state


def test_a_knight_is_dragged_out_of_its_castle(start) -> None:
    user = start()
    begin(user)
    assert "Ada" in user.table.ids.whose.text
    assert [step.key for step in user.shown.table.steps] == ["pawn", "merlin", "morgane"]
    user.drag("knight/white/2", "6/4")
    user.until(lambda: state(user).to_act == "red")
    assert user.shown.placement.pieces["knight/white/2"] == ("6/4",)
    assert "Ben" in user.table.ids.whose.text


def test_six_pawns_stand_in_a_castle_side_by_side(start) -> None:
    user = start()
    begin(user, players=4)
    places = user.table.ids.board._places
    for castle in ("6/0", "6/6", "6/12", "6/18"):
        inside = [p for p, s in user.shown.placement.pieces.items() if s == (castle,)]
        spots = {(round(places[p].at[0]), round(places[p].at[1])) for p in inside}
        assert len(inside) == 7
        assert len(spots) >= 6


def test_a_refused_move_marks_the_cells_and_says_why(start) -> None:
    user = start()
    begin(user, {"knight/white/1": "4/4"})
    user.drag("knight/white/1", "5/4")
    user.until(lambda: user.shown.sentence is not None and user.shown.sentence.rule == "G-11")
    assert "Ada · " + t("table.rule", rule="G-11") in user.talk
    assert "5/4" in user.shown.sentence.cells
    assert user.shown.placement.pieces["knight/white/1"] == ("4/4",)


def test_a_block_is_said_and_shown(start) -> None:
    user = start()
    begin(user, {"knight/white/1": "4/4", "knight/red/1": "4/6"})
    user.drag("knight/white/1", "4/6")
    user.until(lambda: user.shown.sentence is not None)
    assert user.shown.sentence.message.key == "pair"
    assert user.shown.placement.pieces["knight/white/1"] == ("4/6",)


def test_merlin_sends_two_home(start) -> None:
    user = start()
    begin(user, {"merlin": "2/1", "knight/white/1": "2/4", "knight/red/1": "2/4"})
    user.drag("merlin", "2/4")
    user.until(lambda: state(user).to_act == "red")
    assert user.shown.placement.pieces["knight/red/1"] == ("6/12",)
    assert [m.piece for m in user.shown.last_move] == ["merlin"]


def test_which_knight_is_sacrificed_is_asked(start) -> None:
    user = start()
    begin(user, {"morgane": "2/4", "knight/white/1": "4/4"})
    user.drag("morgane", "2/5")
    user.until(lambda: user.shown.question is not None)
    assert len(user.shown.question.choices) == 2
    answer = next(a for a in user.table.ids.talk.speech.answers if "4/4" in a.text)
    user.tap(user.button(answer.text))
    user.until(lambda: state(user).sacrificed("white") == ("knight/white/1",))
    seat = user.shown.table.seats[0]
    assert [mark.filled for mark in seat.marks] == [False, True, True, True]


def test_knights_are_taken_back_by_a_tap(start) -> None:
    user = start()
    lost = {"knight/white/1": None, "knight/white/2": None}
    begin(user, {**lost, "king/white": "6/12", "queen/white": "5/12"})
    user.drag("queen/white", "6/12")
    user.until(lambda: user.shown.table.ask is not None)
    user.until(lambda: len(user.table.ids.talk.speech.answers) == 2)
    user.tap(user.button(user.table.ids.talk.speech.answers[0].text))
    user.until(lambda: not state(user).sacrificed("white"))
    assert user.shown.table.ask is None


def test_hints_show_where_a_piece_can_go(start) -> None:
    user = start()
    begin(user, {"king/white": "5/3"})
    user.table.grabbed("king/white")
    user.until(lambda: user.shown.hints is not None)
    assert {"5/10", "5/14", "5/21", "4/3", "6/2"} <= user.shown.hints.cells


def test_a_player_without_a_move_passes_by_the_button(start) -> None:
    user = start()
    pairs = {f"knight/{c}/{n}": f"4/{2 * n}" for c in ("white", "red") for n in range(1, 5)}
    pairs |= {
        f"{kind}/{c}": cell
        for c in ("white", "red")
        for kind, cell in (("king", "5/6"), ("queen", "5/8"))
    }
    begin(user, {**pairs, "morgane": "1/1", "merlin": "1/2"}, last_special="merlin")
    assert not user.table.ids.end.disabled
    user.tap(user.table.ids.end)
    user.until(lambda: state(user).to_move == "red")


def test_a_mark_is_corrected_by_a_tap(start) -> None:
    user = start()
    begin(user, {"knight/white/1": "4/4"})
    face = user.table.ids.board.face
    action = face.tap_mark("white", "knight/1", user.shown.table)
    assert action == Action(None, "correct", {"pieces": {"knight/white/1": None}})
    assert face.tap_mark("white", "crown", user.shown.table) is None


def test_four_players_are_two_teams(start) -> None:
    user = start()
    begin(user, {"knight/blue/1": "1/4"}, players=4, to_move="blue")
    assert [seat.team for seat in user.shown.table.seats] == ["A", "B", "A", "B"]
    user.drag("knight/blue/1", "grail")
    user.until(lambda: user.shown.table.over)
    assert "Ada" in user.table.ids.whose.text and "Cem" in user.table.ids.whose.text


def test_a_whole_game_is_set_up_and_won_by_hand(start) -> None:
    """Every touch of a short game is taken as it was meant, from the castles to the centre."""
    user, choose, rng = start(), play_of("grailnah", 1).choose, random.Random(48)
    begin(user)
    while not user.shown.table.over:
        before = state(user)
        action = choose(before, rng)
        assert action is not None
        answers = user.table.ids.talk.speech.answers
        if action.do == "pass":
            user.tap(user.table.ids.end)
        elif action.do == "recover":
            user.tap(user.button(answers[action.args["count"] - 1].text))
        else:
            user.drag(str(action.args.get("piece", action.do)), action.args["to"])
        user.until(lambda before=before: user.shown.question is not None or state(user) != before)
        if user.shown.question is not None:
            # Knights in the castle are one answer together.
            offered = [c.actions[0].args["sacrifice"] for c in user.shown.question.choices]
            where = [before.pieces[knight] for knight in offered]
            answer = where.index(before.pieces[action.args["sacrifice"]])
            user.tap(user.button(user.table.ids.talk.speech.answers[answer].text))
            user.until(lambda before=before: state(user) != before)
    assert user.shown.table.winner is not None
