"""The tracker at a simulated table: timing, stillness, take-backs, questions, repairs."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from engine.action import Action
from engine.errors import BoardwardenError
from engine.observation import Candidate, Observation
from engine.referee.events import (
    ActionRecorded,
    GameEnded,
    ScoreChanged,
    Withdrawn,
)
from engine.verdict import Status
from tests.engine.referee.table import CARDS, Table, actions, giants_turn, given, walked, words


@pytest.fixture
def table() -> Table:
    table = Table()
    assert words(table.show(2.0)) == []
    return table


# -- timing and stillness ------------------------------------------------------------------------


def test_cards_are_laid_before_anything_else(table: Table) -> None:
    assert actions(table.events) == ["lay", "lay"]
    assert table.room.to_act(table.tracker.state) == "green"


def test_legal_after_six_tenths(table: Table) -> None:
    assert words(table.show(0.6, {"wizard/green": ("g10",)})) == []
    assert words(table.show(0.2)) == ["legal"]
    assert words(table.show(10.0)) == []


def test_slow_slide_over_a_legal_cell(table: Table) -> None:
    assert words(table.show(0.5, {"wizard/green": ("g10",)})) == []
    said = table.show(1.0, {"wizard/green": ("h10",)})
    assert words(said) == ["legal"]
    assert given(said)[0].verdict.actions[-1].args["to"] == "h10"


def test_refusal_waits_and_is_said_once(table: Table) -> None:
    assert words(table.show(1.3, {"wizard/green": ("g16",)})) == []
    said = table.show(10.0)
    assert words(said) == ["illegal"]
    verdict = given(said)[0].verdict
    assert verdict.rule in ("M-19", "M-21")
    assert [(m.origin, m.to) for m in verdict.way_back] == [(("g16",), ("start",))]
    assert table.tracker.open_verdict is verdict


def test_short_illegal_arrangement_is_not_mentioned(table: Table) -> None:
    assert words(table.show(1.0, {"wizard/green": ("g16",)})) == []
    assert words(table.show(3.0, {"wizard/green": ("start",)})) == []


def test_put_back_withdraws_quietly(table: Table) -> None:
    refused = given(table.show(2.0, {"wizard/green": ("g16",)}))[0]
    said = table.show(2.0, {"wizard/green": ("start",)})
    assert said == [Withdrawn(refused.id, said[0].t_s)]  # type: ignore[union-attr]
    assert table.tracker.open_verdict is None


def test_corrected_gets_a_new_verdict(table: Table) -> None:
    refused = given(table.show(2.0, {"wizard/green": ("g16",)}))[0]
    said = given(table.show(2.0, {"wizard/green": ("g10",)}))
    assert [v.verdict.status for v in said] == [Status.LEGAL]
    assert said[0].id != refused.id and said[0].replaces == refused.id
    assert said[0].verdict.pieces[0].origin == ("start",)


def test_another_illegal_place_is_refused_again(table: Table) -> None:
    assert words(table.show(2.0, {"wizard/green": ("g16",)})) == ["illegal"]
    assert words(table.show(2.0, {"wizard/green": ("g17",)})) == ["illegal"]


def test_nothing_is_judged_with_a_hand_in(table: Table) -> None:
    assert table.show(5.0, {"wizard/green": ("g10",)}, hand=True) == []
    assert words(table.show(1.0)) == ["legal"]


def test_a_hand_that_changes_nothing(table: Table) -> None:
    assert table.show(1.0, hand=True) == []
    assert table.show(3.0) == []


def test_nothing_is_judged_while_the_board_is_lost(table: Table) -> None:
    assert table.show(5.0, {"wizard/green": ("g10",)}, pose=False) == []
    assert words(table.show(1.0)) == ["legal"]


# -- misreads ------------------------------------------------------------------------------------


def recoloured(observation: Observation, tick: int) -> Observation:
    """The goblins are called wizards, and the green wizard violet, in every other view."""
    if tick % 2:
        return observation
    pieces = []
    for piece in observation.pieces:
        best = piece.best
        if best.kind == "goblin":
            piece = replace(piece, candidates=(replace(best, kind="wizard"),))
        elif (best.kind, best.colour) == ("wizard", "green"):
            piece = replace(piece, candidates=(replace(best, colour="violet"),))
        pieces.append(piece)
    return replace(observation, pieces=tuple(pieces))


def test_flicker_on_a_still_board_makes_no_move() -> None:
    table = walked()
    assert table.show(20.0, alter=recoloured) == []


def displaced(observation: Observation, tick: int) -> Observation:
    """The giant is seen elsewhere, in every other view, and the look has changed there."""
    if tick % 2:
        return observation
    pieces = tuple(
        replace(p, candidates=(Candidate("giant", "black", ("h12",), -0.05),))
        if p.best.kind == "giant"
        else p
        for p in observation.pieces
    )
    return replace(observation, pieces=pieces, changed=frozenset({"h11", "h12"}))


def test_place_that_flickers_makes_no_move(table: Table) -> None:
    assert table.show(20.0, alter=displaced) == []


def test_one_wrong_read_recovers_without_restart(table: Table) -> None:
    wrong = table.show(1.0, {"wizard/green": ("h10",)})
    assert words(wrong) == ["legal"]
    said = given(table.show(1.0, {"wizard/green": ("g10",)}))
    assert [v.verdict.status for v in said] == [Status.LEGAL]
    assert said[0].id == said[0].replaces == given(wrong)[0].id
    assert table.tracker.placement.pieces["wizard/green"] == ("g10",)
    assert table.tracker.game.events[-1] == Action("green", "walk", {"to": "g10"})


def test_hidden_piece_is_not_absent() -> None:
    table = walked()
    assert table.show(20.0, hidden=("g10", "h11")) == []
    assert table.tracker.differences == ()


def test_missing_piece_is_asked_for_once_and_comes_back() -> None:
    table = walked()
    assert words(table.show(5.0, {"giant": None})) == []
    said = given(table.show(20.0))
    assert [v.verdict.status for v in said] == [Status.UNREADABLE]
    assert said[0].verdict.cells == ("h11",)
    assert [m.piece for m in table.tracker.differences] == ["giant"]
    back = table.show(2.0, {"giant": ("h11",)})
    assert [e.id for e in back if isinstance(e, Withdrawn)] == [said[0].id]


def test_others_may_go_on_while_a_piece_is_in_a_hand() -> None:
    table = walked()
    table.show(1.0, {"giant": None})
    assert words(table.show(1.0, {"shield/green": ("d9",)})) == ["legal"]


def test_change_that_was_not_explained_is_not_forgotten() -> None:
    table = walked()
    table.show(2.0, {"shield/green": ("d9",), "goblin/2": ("m14",)}, hidden=("m14",))
    assert table.tracker.placement.pieces["goblin/2"] == ("k11",)
    assert words(table.show(2.0)) == ["legal"]
    assert table.tracker.placement.pieces["goblin/2"] == ("m14",)


# -- take-backs ----------------------------------------------------------------------------------


def test_taken_back_at_the_table() -> None:
    table = walked()
    first = given(table.events)[0]
    assert table.show(1.2, {"wizard/green": ("start",)}) == []
    said = table.show(1.0)
    assert actions(said) == ["undo"]
    assert given(said)[0].replaces == first.id
    assert given(said)[0].verdict.pieces[0].to == ("start",)
    assert words(table.show(1.0, {"wizard/green": ("h10",)})) == ["legal"]


def test_two_moves_taken_back_at_once() -> None:
    table = walked()
    table.show(1.0, {"goblin/2": ("m14",)})
    said = table.show(2.0, {"goblin/2": ("k11",), "wizard/green": ("start",)})
    assert actions(said) == ["undo", "undo"]
    assert table.tracker.differences == ()


def test_inferred_end_of_a_turn_is_taken_back_with_its_move() -> None:
    table = walked()
    said = table.show(1.0, {"wizard/violet": ("i8",)})
    assert actions(said) == ["end", "walk"]
    assert table.energy("green") == 9
    table.show(2.0, {"wizard/violet": ("start",)})
    assert table.room.to_act(table.tracker.state) == "green"
    assert table.energy("green") == 10
    assert words(table.show(1.0, {"shield/green": ("d9",)})) == ["legal"]


def test_piece_that_goes_on_takes_the_judgement_back() -> None:
    table = walked()
    first = given(table.events)[0]
    said = table.show(1.0, {"wizard/green": ("h10",)})
    assert actions(said) == ["undo", "walk"]
    assert given(said)[0].id == given(said)[0].replaces == first.id


def test_late_victim_belongs_to_the_attack_before() -> None:
    position = {
        "pieces": {"wizard/violet": "k13", "wizard/green": "g10", "goblin/2": "k11"},
        "table": [["violet", 6], ["green", 9]], "round": 1, "first_layer": "violet",
    }  # fmt: skip
    table = Table([], position=position)
    table.show(1.0)
    assert words(table.show(1.0, {"goblin/2": ("m18",)})) == ["legal"]
    said = table.show(1.0, {"wizard/violet": ("i16",)})
    assert words(said) == ["legal"]
    assert "violet" in table.tracker.state.turn.displaced
    assert table.tracker.placement.pieces["wizard/violet"] == ("i16",)


# -- turns, stones, cards, dice ------------------------------------------------------------------


def test_the_next_player_does_not_act_before_his_turn(table: Table) -> None:
    said = table.show(2.0, {"wizard/violet": ("i8",)})
    assert words(said) == ["illegal"]
    assert given(said)[0].verdict.rule == "M-11"
    assert table.room.to_act(table.tracker.state) == "green"


def test_ended_by_tap_the_next_player_may_act(table: Table) -> None:
    table.tracker.act(Action("green", "end"))
    assert words(table.show(1.0, {"wizard/violet": ("i8",)})) == ["legal"]


def test_forgotten_stone_is_booked_reminded_and_quietly_put_right() -> None:
    table = walked()
    said = table.show(1.0, {"wizard/violet": ("i8",)})
    assert "10" in given(said)[0].verdict.message.text
    assert table.energy("green") == 9
    assert table.show(5.0) == []
    assert [m.piece for m in table.tracker.differences] == ["energy_stone/green"]
    assert table.show(5.0, {"energy_stone/green": ("track/9",)}) == []
    assert table.tracker.differences == ()


def test_wrong_mark_is_refused_with_the_right_one() -> None:
    table = walked()
    said = given(table.show(2.0, {"energy_stone/green": ("track/11",)}))
    assert said[0].verdict.status is Status.ILLEGAL
    assert said[0].verdict.rule == "M-39"
    assert "9" in said[0].verdict.message.text


def test_several_moves_in_one_view_and_one_of_them_illegal() -> None:
    table = walked()
    moves = {"goblin/2": ("m14",), "energy_stone/green": ("track/9",), "shield/green": ("stone",)}
    said = given(table.show(2.0, moves))
    assert [v.verdict.status.value for v in said] == ["legal", "illegal"]
    assert [m.piece for m in said[1].verdict.pieces] == ["shield/green"]
    assert table.energy("green") == 9
    assert words(table.show(2.0, {"shield/green": ("d9",)})) == ["legal"]


def test_unknown_cards_are_asked_for() -> None:
    table = Table([])
    table.show(1.0)
    said = table.show(2.0, {"wizard/green": ("g10",)})
    assert words(said) == ["pending"]
    assert "cards" in given(said)[0].verdict.pending.text
    laid = table.tracker.set_cards(CARDS[:1])
    assert actions(list(laid)) == ["lay", "lay"]
    assert words(table.show(2.0)) == ["legal"]


def test_cards_by_tap_end_the_last_turn_of_a_round() -> None:
    table = Table(CARDS[:1])
    table.show(1.0)
    table.show(1.0, {"wizard/green": ("g10",)})
    table.show(1.0, {"wizard/violet": ("i8",)})
    said = list(table.tracker.act(Action("violet", "lay", {"card": 7})))
    assert actions(said) == ["end", "lay"]
    assert table.energy("violet") == 9


def test_a_card_laid_twice_is_refused() -> None:
    table = Table([])
    table.tracker.act(Action("violet", "lay", {"card": 6}))
    said = given(list(table.tracker.act(Action("green", "lay", {"card": 6}))))
    assert said[0].verdict.status is Status.ILLEGAL
    assert said[0].verdict.rule == "M-8"


def test_dice_that_nobody_sees_are_not_asked_for() -> None:
    """Every sum that fits the giant's way leaves the same table; one that none fits is refused."""
    table = giants_turn()
    said = table.show(2.0, {"giant": ("i17",)})
    assert actions(said) == ["roll", "giant"] and words(said) == ["legal"]
    assert table.show(5.0) == []
    assert table.tracker.differences == (
        *(m for m in table.tracker.differences if m.piece.startswith("energy_stone")),
    )
    far = giants_turn()
    assert words(far.show(3.0, {"giant": ("a1",)})) == ["illegal"]


def test_seen_dice_decide() -> None:
    table = giants_turn()
    table.dice = (3, 4)
    said = table.show(1.0, {"giant": ("i17",)})
    assert actions(said) == ["roll", "giant"]


def test_seen_dice_that_contradict() -> None:
    table = giants_turn()
    table.dice = (2, 4)
    said = given(table.show(2.0, {"giant": ("i17",)}))
    assert [v.verdict.status for v in said] == [Status.ILLEGAL]
    assert said[0].verdict.rule in ("M-47", "M-52")


def test_throw_is_noticed_and_a_misread_throw_corrected() -> None:
    table = giants_turn()
    table.dice = (1, 1)
    table.show(1.0)
    table.dice = (3, 5)
    assert actions(table.show(1.0, hand=True) + table.show(1.5)) == ["roll"]
    table.dice = (3, 4)
    said = table.show(1.0, {"giant": ("i17",)})
    assert words(said) == ["legal"]
    assert table.tracker.game.events[-2].args["dice"] == [3, 4]


def test_chips_and_things_beside_the_board_do_not_matter(table: Table) -> None:
    def littered(observation: Observation, tick: int) -> Observation:
        chip = replace(
            observation.pieces[0], candidates=(Candidate("chip", None, ("ring",), -0.01),)
        )
        return replace(observation, pieces=(*observation.pieces, chip))

    assert table.show(5.0, alter=littered) == []


# -- questions and repairs -----------------------------------------------------------------------


def test_between_two_legal_cells_is_asked_and_answered() -> None:
    table = Table()
    table.show(1.0)

    def torn(observation: Observation, tick: int) -> Observation:
        pieces = tuple(
            replace(
                p,
                candidates=(
                    Candidate("shield", "green", ("d9",), math.log(0.52)),
                    Candidate("shield", "green", ("e9",), math.log(0.48)),
                ),
                off_centre=0.48,
            )
            if (p.best.kind, p.best.colour) == ("shield", "green")
            else p
            for p in observation.pieces
        )
        return replace(observation, pieces=pieces, changed=frozenset({"d9", "e9"}))

    said = given(table.show(3.0, {"shield/green": ("d9",)}, alter=torn))
    assert [v.verdict.status for v in said] == [Status.AMBIGUOUS]
    texts = [c.text.text for c in said[0].verdict.choices]
    index = next(i for i, text in enumerate(texts) if "e9" in text)
    table.tracker.choose(said[0].id, index)
    assert table.tracker.placement.pieces["shield/green"] == ("e9",)
    assert table.tracker.open_verdict is None


def test_between_a_legal_and_an_illegal_cell_the_rules_help() -> None:
    table = Table()
    table.show(1.0)

    def torn(observation: Observation, tick: int) -> Observation:
        pieces = tuple(
            replace(
                p,
                candidates=(
                    Candidate("wizard", "green", ("g11",), math.log(0.55)),
                    Candidate("wizard", "green", ("g10",), math.log(0.45)),
                ),
            )
            if p.best.spots == ("g10",)
            else p
            for p in observation.pieces
        )
        return replace(observation, pieces=pieces, changed=None)

    said = given(table.show(3.0, {"wizard/green": ("g10",)}, alter=torn))
    assert [v.verdict.status for v in said] == [Status.LEGAL]
    assert said[0].verdict.actions[-1].args["to"] == "g10"


def test_plainly_illegal_is_not_bent(table: Table) -> None:
    def seen(observation: Observation, tick: int) -> Observation:
        pieces = tuple(
            replace(
                p,
                candidates=(
                    replace(p.best, log_prob=math.log(0.93)),
                    Candidate("wizard", "green", ("g10",), math.log(0.07)),
                ),
            )
            if p.best.spots == ("g16",)
            else p
            for p in observation.pieces
        )
        return replace(observation, pieces=pieces)

    said = table.show(3.0, {"wizard/green": ("g16",)}, alter=seen)
    assert words(said) == ["illegal"]


def test_a_legal_one_refused_by_tap_is_not_accepted_again() -> None:
    table = walked()
    verdict = given(table.events)[0]
    said = list(table.tracker.refuse(verdict.id))
    assert actions(said) == ["undo"] and Withdrawn(verdict.id, table.tracker._desk.t_s) in said
    assert table.show(5.0) == []
    assert [m.piece for m in table.tracker.differences] == ["wizard/green"]
    assert words(table.show(1.0, {"wizard/green": ("h10",)})) == ["legal"]


def test_open_verdict_dismissed_by_tap() -> None:
    table = Table()
    table.show(1.0)
    refused = given(table.show(2.0, {"wizard/green": ("g16",)}))[0]
    assert table.tracker.refuse(refused.id) == (Withdrawn(refused.id, table.tracker._desk.t_s),)
    assert table.show(5.0) == []


def test_choices_that_have_gone_do_nothing(table: Table) -> None:
    assert table.tracker.choose("v99", 0) == ()
    assert table.tracker.refuse("v99") == ()


def test_undo_and_correct_by_tap() -> None:
    table = walked()
    assert actions(list(table.tracker.act(Action(None, "undo")))) == ["undo"]
    assert table.show(3.0) == []
    correct = Action(None, "correct", {"pieces": {"wizard/green": "g10"}})
    assert actions(list(table.tracker.act(correct))) == ["correct"]
    assert table.tracker.differences == ()


def test_scores_are_told_when_they_change() -> None:
    table = walked()
    said = table.show(1.0, {"energy_stone/green": ("track/9",)})
    scores = [e for e in said if isinstance(e, ScoreChanged)]
    assert [s.players["green"]["energy"] for s in scores] == [9]
    assert isinstance(said[0], ActionRecorded)


def test_the_game_ends_with_a_winner() -> None:
    position = {
        "pieces": {"wizard/green": "g7"},
        "energy": {"violet": 10, "green": 17},
        "items": {"violet": [], "green": ["amulet", "stone", "ring"]},
        "table": [["violet", 6], ["green", 9]], "round": 1, "first_layer": "violet",
    }  # fmt: skip
    table = Table([], position=position)
    table.show(1.0)
    said = table.show(1.0, {"wizard/green": ("start",)})
    assert [e.winner for e in said if isinstance(e, GameEnded)] == ["green"]
    assert table.show(5.0, {"wizard/violet": ("a1",)}) == []


def test_damaged_cards_are_refused() -> None:
    for cards in ({"cards": 3}, [{"round": 1}], [{"round": 1, "laid": [["violet"]]}], 7):
        with pytest.raises(BoardwardenError):
            Table(cards)
