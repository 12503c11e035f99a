"""A game played by hand in a real window: touches in, sentences and drawings out, real rules."""

from __future__ import annotations

import pytest

from companion_app.table_setup import TableSetup
from companion_app.taps import Do
from companion_app.texts import show, t
from engine.action import Action
from engine.game import Player
from engine.verdict import Choice, Message

pytestmark = pytest.mark.window


def test_a_card_is_laid_by_a_tap(start) -> None:
    user = start()
    user.begin()
    assert "Ada" in user.table.ids.whose.text
    user.lay(6)
    assert user.laid == (("violet", 6),)
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
    assert len(user.laid) == 1


def test_a_legal_drag_moves_the_wizard_and_turns_its_token(start) -> None:
    user = start()
    user.begin()
    user.lay(6, 9)
    user.drag("wizard/green", "g10")
    user.until(lambda: user.shown.placement.pieces["wizard/green"] == ("g10",))
    assert {k.key: k.done for k in user.shown.table.steps}["wizard"]


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
    user.until(lambda: user.shown.table.seat("green").number == 9)
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
    user.until(lambda: user.shown.table.ask)
    assert t("ask.red") in user.talk
    user.tap(user.button(t("offer.stay")))
    user.until(lambda: not user.shown.table.ask)
    user.tap(user.button(t("button.end")))
    user.until(lambda: user.shown.table.seat("green").number == 13)


def test_a_walk_may_go_on_from_a_red_field(start) -> None:
    user = start()
    user.begin()
    user.lay(2, 3)
    user.app.session.post(Do(Action(None, "correct", {"pieces": {"wizard/green": "d2"}})))
    user.until(lambda: user.shown.placement.pieces["wizard/green"] == ("d2",))
    user.drag("wizard/green", "d5")
    user.until(lambda: user.shown.table.ask)
    user.drag("wizard/green", "g5")
    user.until(lambda: user.shown.placement.pieces["wizard/green"] == ("g5",))
    assert not user.shown.table.ask


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
    assert user.shown.table.detail.open_ways == ()


def test_correct_and_a_tap_on_an_item_gives_it_and_takes_it_away(start) -> None:
    user = start()
    user.begin()
    row = user.table.ids.seats.children[-1]
    for items in (("stone",), ()):
        user.tap(user.button(t("table.correct")))
        user.touch((row.symbols["stone"], row.y + row.height * 0.25))
        user.until(lambda items=items: user.shown.table.detail.seat("violet").items == items)
    user.touch((row.symbols["stone"], row.y + row.height * 0.25))
    user.frames(5)
    assert user.shown.table.detail.seat("violet").items == ()


def test_dice_are_tapped_and_the_giant_walks_their_sum(start) -> None:
    user = start()
    user.begin()
    user.lay(6, 9)
    user.tap(user.button(t("button.end")))
    user.until(lambda: user.shown.table.detail.giant_due)
    dice = user.table.panels["dice"]
    user.until(lambda: dice.get_root_window() is not None and dice.height > 100)
    for row, pips in zip(dice._faces, (4, 3), strict=True):
        user.tap(next(f for f in row if f.pips == pips))
    user.until(lambda: user.shown.table.detail.dice == (4, 3))
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
    user.tap(user.button(t("table.turn_it")))
    turned = board.ghost[1]
    assert set(turned) != set(lying)
    user.tap(user.button(t("table.put_here")))
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


def test_another_game_never_begins_on_the_drawing_of_the_one_before(start) -> None:
    user = start()
    user.begin()
    board = user.table.ids.board
    user.until(lambda: board.painted)
    before = board._texture
    user.app.leave_table()
    user.begin(TableSetup((Player("Ada", "red"), Player("Ben", "blue")), game="hexagon"))
    assert user.table.ids.board is board
    assert board._texture is not before
    user.until(lambda: board.painted)
    assert board._texture is not before


def test_what_was_taken_back_stands_once_in_the_history(start) -> None:
    user = start()
    user.begin()
    user.lay(6, 9)
    count = len(user.shown.log)
    user.tap(user.table.ids.undo)
    user.until(lambda: len(user.laid) == 1)
    added = [show(line.text) for line in user.shown.log[count:]]
    assert len(added) == 1 and added[0].startswith("Taken back: Ben lays 9"), added
