"""The situations at a real table, each under its own name (issue 5 of the project's plan).

More of the tracker's behaviour is in ``test_tracker``, ``test_never_stuck`` and ``test_strictness``.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest

from engine.action import Action
from engine.observation import Candidate, CellView, Observation, SeenPiece
from engine.placement import track_value
from engine.referee.events import ActionRecorded, QuestionAsked, Withdrawn
from engine.referee.senses import Dice
from engine.verdict import Status
from tests.engine.referee.table import (
    CARDS,
    PERFECT,
    Table,
    actions,
    given,
    read_at,
    walked,
    words,
)

NEAR_BORDER = [0.36, 0.42, 0.48]
# The wizards stand where a goblin can reach the violet one.
HUNT = {
    "pieces": {"wizard/violet": "k13", "wizard/green": "g10", "goblin/2": "k11"},
    "table": [["violet", 6], ["green", 9]], "round": 1, "first_layer": "violet",
}  # fmt: skip


def asked(events: Any) -> list[QuestionAsked]:
    return [e for e in events if isinstance(e, QuestionAsked)]


def sat() -> Table:
    table = Table()
    assert words(table.show(2.0)) == []
    return table


# -- pieces off the centre -----------------------------------------------------------------------


@pytest.mark.parametrize("off", [(0.3, 0.0), (-0.3, 0.0), (0.0, 0.3), (0.2, -0.2)])
def test_a_nudge_of_under_a_third_of_a_cell_is_no_move(off: tuple[float, float]) -> None:
    table = walked()
    table.off = {"wizard/green": off, "giant": off}
    table.show(0.5, hand=True)
    assert table.show(10.0) == []
    assert table.tracker.differences == ()


@pytest.mark.parametrize("off", NEAR_BORDER)
def test_a_piece_put_down_35_to_50_percent_off_the_centre_asks(off: float) -> None:
    """A shield may stand on either cell (M-45): which one it is, is asked and not guessed."""
    table = walked()
    table.off = {"shield/green": (off, 0.0)}

    def unwitnessed(observation: Observation, tick: int) -> Observation:
        return replace(observation, changed=None)  # change would tell which cell it is

    said = table.show(3.0, {"shield/green": ("d9",)}, alter=unwitnessed)
    assert words(said) == ["ambiguous"]
    spots = {a.args["to"] for q in asked(said) for c in q.choices for a in c.actions}
    assert spots == {"d9", "e9"}


@pytest.mark.parametrize("off", [0.1, 0.2, 0.28])
def test_a_piece_put_down_near_the_centre_is_not_asked_about(off: float) -> None:
    table = walked()
    table.off = {"shield/green": (off, 0.0)}
    assert words(table.show(3.0, {"shield/green": ("d9",)})) == ["legal"]


def test_off_the_centre_the_rules_decide_where_only_one_cell_is_legal() -> None:
    """Card 9 walks an odd number of steps: the next cell cannot be meant (M-19)."""
    table = sat()
    table.off = {"wizard/green": (0.4, 0.0)}
    said = given(table.show(3.0, {"wizard/green": ("g10",)}))
    assert [v.verdict.status for v in said] == [Status.LEGAL]
    assert said[0].verdict.actions[-1].args["to"] == "g10"


def green_on_d9() -> Table:
    """Green laid the 1 and stands on d9, before the first step."""
    position = {
        "pieces": {"wizard/green": "d9"}, "table": [["violet", 0], ["green", 1]], "round": 1,
        "first_layer": "violet",
    }  # fmt: skip
    table = Table([], position=position)
    table.show(1.0)
    return table


def test_a_step_to_the_next_cell_put_down_badly_is_a_step_and_no_nudge() -> None:
    table = green_on_d9()
    table.off = {"wizard/green": (-0.3, 0.0)}  # towards where it came from
    assert words(table.show(3.0, {"wizard/green": ("e9",)})) == ["legal"]


# -- hands and time ------------------------------------------------------------------------------


def under_a_finger(observation: Observation, tick: int) -> Observation:
    """A hand that rests: the cells under it cannot be seen, the rest of the board can."""
    cells = {**observation.cells, "g16": CellView.HAND}
    return replace(observation, cells=cells)


def test_nobody_is_refused_while_thinking_with_a_finger_on_the_piece() -> None:
    table = sat()
    assert words(table.show(15.0, {"wizard/green": ("g16",)}, alter=under_a_finger)) == []
    assert words(table.show(2.0)) == ["illegal"]  # the finger has gone, the piece stays


def test_a_finger_that_goes_on_to_a_legal_cell_is_never_refused() -> None:
    table = sat()
    table.show(6.0, {"wizard/green": ("g16",)}, alter=under_a_finger)
    assert words(table.show(2.0, {"wizard/green": ("g10",)})) == ["legal"]


def test_a_hand_in_and_out_without_change_changes_nothing() -> None:
    table = walked()
    before = table.tracker.state
    for _ in range(5):
        assert table.show(0.7, hand=True) == []
        assert table.show(1.6) == []
    assert table.tracker.state is before


def test_a_piece_that_rests_on_its_way_is_no_move() -> None:
    """On a cell that would be legal, for half a second."""
    table = sat()
    assert table.show(0.5, {"wizard/green": ("g10",)}) == []
    assert table.show(0.5, hand=True) == []
    assert given(table.show(2.0, {"wizard/green": ("i10",)}))[0].verdict.actions[-1].args == {
        "to": "i10"
    }


def test_a_piece_that_is_slid_slowly_is_no_move_on_any_cell_it_passes() -> None:
    table = sat()
    for cell in ("g4", "g5", "g6", "g7", "g8", "g9"):
        assert table.show(0.3, {"wizard/green": (cell,)}) == []
    assert words(table.show(1.0, {"wizard/green": ("g10",)})) == ["legal"]
    assert actions(table.events).count("walk") == 1


def test_a_take_back_counts_only_after_the_board_has_equalled_an_earlier_one_for_a_while() -> None:
    table = walked()
    assert table.show(1.0, {"wizard/green": ("start",)}) == []  # not yet
    assert words(table.show(1.0, {"wizard/green": ("i10",)})) == ["legal"]
    assert "undo" not in actions(table.events)[:-2]
    assert table.tracker.placement.pieces["wizard/green"] == ("i10",)
    assert table.show(1.2, {"wizard/green": ("start",)}) == []
    assert "undo" in actions(table.show(1.0))


def test_a_board_that_equals_no_earlier_one_is_no_take_back() -> None:
    """The wizard goes back to a cell on which it did not stand before: that is no take-back."""
    table = walked()
    said = table.show(3.0, {"wizard/green": ("g4",)})
    assert not any(v.verdict.message.key == "referee.taken_back" for v in given(said))


def test_refused_it_is_quiet_again_when_the_position_is_repaired() -> None:
    table = sat()
    refused = given(table.show(3.0, {"wizard/green": ("g16",)}))[0]
    said = table.show(1.0, {"wizard/green": ("start",)})
    assert [type(e) for e in said] == [Withdrawn] and said[0].id == refused.id
    assert table.show(10.0) == []


# -- several things at once ----------------------------------------------------------------------


def test_several_changes_between_two_stable_views_are_put_in_a_legal_order() -> None:
    """A goblin displaces a wizard, the walk, the shield and the stone, all unseen one by one."""
    table = Table([], position=HUNT)
    table.show(1.0)
    moves = {
        "goblin/2": ("m18",), "wizard/violet": ("i16",), "shield/green": ("d9",),
        "energy_stone/green": ("track/9",),
    }  # fmt: skip
    said = table.show(3.0, moves)
    assert words(said) == ["legal"]
    assert set(actions(said)) == {"goblin", "shield", "energy"}
    for piece, spots in moves.items():
        assert table.tracker.placement.pieces[piece] == spots


def test_two_players_turns_between_two_stable_views() -> None:
    table = sat()
    moves = {"wizard/green": ("g10",), "energy_stone/green": ("track/9",), "wizard/violet": ("i8",)}
    said = table.show(3.0, moves)
    assert words(said) == ["legal"]
    assert [a for a in actions(said) if a != "energy"] == ["walk", "end", "walk"]


def test_no_order_is_found_for_what_no_order_allows() -> None:
    table = sat()
    said = table.show(3.0, {"wizard/green": ("g16",), "wizard/violet": ("a1",)})
    assert "illegal" in words(said)
    assert table.tracker.placement.pieces["wizard/green"] == ("start",)


def test_a_wizard_displaced_before_its_goblin_has_come_waits_for_it() -> None:
    """Pending, and legal when the goblin comes (M-27)."""
    table = Table([], position=HUNT)
    table.show(1.0)
    said = table.show(2.0, {"wizard/violet": ("i16",)})
    assert words(said) == ["pending"]
    assert words(table.show(2.0, {"goblin/2": ("m18",)})) == ["legal"]
    assert table.tracker.placement.pieces["wizard/violet"] == ("i16",)


def half_way(table: Table) -> str:
    """A cell on which green's walk is not at its end."""
    state, judge = table.tracker.state, table.room.judge
    return next(
        cell
        for cell in ("g12", "g8", "i10", "e10", "h11")
        if judge(state, Action("green", "walk", {"to": cell})).status is Status.PENDING
    )


def test_half_a_walk_is_pending_and_illegal_when_the_turn_ends_without_the_rest() -> None:
    """M-A3: the next player's action is refused while the walk is not finished."""
    table = Table([], position=HUNT)
    table.show(1.0)
    assert words(table.show(2.0, {"wizard/green": (half_way(table),)})) == ["pending"]
    said = given(table.show(3.0, {"wizard/violet": ("i8",)}))
    assert [v.verdict.status for v in said] == [Status.ILLEGAL]
    assert table.room.to_act(table.tracker.state) == "green"


def test_half_a_walk_becomes_legal_when_it_is_completed() -> None:
    table = Table([], position=HUNT)
    table.show(1.0)
    half = given(table.show(2.0, {"wizard/green": (half_way(table),)}))
    end = min(table.room.hints(table.tracker.state, "wizard/green"))
    whole = given(table.show(2.0, {"wizard/green": (end,)}))
    assert [v.verdict.status for v in (*half, *whole)] == [Status.PENDING, Status.LEGAL]
    assert whole[-1].replaces == half[0].id


def test_equal_goblins_are_matched_at_least_cost() -> None:
    table = Table([], position=HUNT)
    table.show(1.0)
    table.show(2.0, {"goblin/2": ("m14",)})
    assert table.tracker.placement.pieces["goblin/1"] == ("e11",)
    assert table.tracker.placement.pieces["goblin/2"] == ("m14",)


# -- what the camera does not see ----------------------------------------------------------------


def test_the_card_is_offered_from_the_walk_that_was_seen() -> None:
    """Violet told a card, green did not; the walk shows which ones it can have been."""
    table = Table([])
    table.show(1.0)
    table.tracker.act(Action("violet", "lay", {"card": 6}))
    said = table.show(3.0, {"wizard/green": ("g10",)})
    (question,) = asked(said)
    cards = [c.actions[0].args["card"] for c in question.choices]
    assert 9 in cards and 6 not in cards and set(cards) <= {7, 8, 9, 10}
    chosen = list(table.tracker.choose(question.id, cards.index(9)))
    assert actions(chosen) == ["lay", "walk"]
    assert table.show(5.0) == []


def test_a_card_with_which_somebody_else_would_act_first_is_not_offered() -> None:
    table = Table([])
    table.show(1.0)
    table.tracker.act(Action("violet", "lay", {"card": 10}))
    said = table.show(3.0, {"wizard/green": ("g10",)})
    assert asked(said) == []
    assert words(said) == ["pending"]


def test_the_card_of_the_next_round_is_offered_too() -> None:
    table = Table(CARDS[:1])
    table.show(1.0)
    table.show(1.0, {"wizard/green": ("g10",)})
    table.show(1.0, {"wizard/violet": ("i8",)})
    state = table.room.judge(table.tracker.state, Action("violet", "end")).state
    first = state.to_act  # who lays first in round 2
    for player, card in ((first, 7), ({"violet": "green", "green": "violet"}[first], 0)):
        state = table.room.judge(state, Action(player, "lay", {"card": card})).state
    target = min(table.room.hints(state, f"wizard/{first}"))
    said = table.show(3.0, {f"wizard/{first}": (target,), "energy_stone/violet": ("track/9",)})
    (question,) = asked(said)
    laid = [c.actions[-1] for c in question.choices]
    assert {a.player for a in laid} == {first} and {a.do for a in laid} == {"lay"}
    assert 7 in {a.args["card"] for a in laid}


def test_a_piece_put_down_unseen_is_known_from_the_change_of_its_place() -> None:
    """The eyes miss the stone on its new mark, but the look has changed at both ends."""
    table = walked()

    def missed(observation: Observation, tick: int) -> Observation:
        pieces = tuple(
            p for p in observation.pieces
            if (p.best.kind, p.best.colour) != ("energy_stone", "green")
        )  # fmt: skip
        return replace(observation, pieces=pieces)

    said = given(table.show(3.0, {"energy_stone/green": ("track/9",)}, alter=missed))
    assert [v.verdict.status for v in said] == [Status.LEGAL]
    assert said[0].verdict.confidence < 0.9  # it can be refused by one tap
    assert table.energy("green") == 9


def test_a_piece_in_somebody_s_hand_has_gone_nowhere() -> None:
    """Something else looks changed by chance where the piece could go; it is put down elsewhere."""
    table = sat()

    def shadow(observation: Observation, tick: int) -> Observation:
        return replace(observation, changed=(observation.changed or frozenset()) | {"g10"})

    assert table.show(2.0, {"wizard/green": None}, alter=shadow) == []
    assert words(table.show(1.0, {"wizard/green": ("i10",)})) == ["legal"]


def test_dice_are_asked_for_where_the_turn_before_ended_without_a_sign() -> None:
    """Green has not moved the stone yet; violet throws, and a die is read wrongly (M-47)."""
    table = Table(noise=replace(PERFECT, pips=0.2))
    table.show(1.0)
    assert words(table.show(1.0, {"wizard/green": ("g10",)})) == ["legal"]
    ended = table.room.judge(table.tracker.state, Action("green", "end")).state

    def ends(*dice: int) -> set[str]:
        rolled = table.room.judge(ended, Action("violet", "roll", {"dice": list(dice)})).state
        return set(table.room.hints(rolled, "giant"))

    cell = min(ends(1, 4) - ends(1, 2))
    table.dice = (1, 2)
    said = table.show(3.0, {"giant": (cell,)})
    (question,) = asked(said)
    assert "illegal" not in words(said)
    at = next(n for n, c in enumerate(question.choices) if sum(c.actions[-2].args["dice"]) == 5)
    done = actions(list(table.tracker.choose(question.id, at)))
    assert done == ["end", "roll", "giant"]


def test_a_throw_read_wrongly_is_asked_about_when_the_game_goes_on_after_the_giant() -> None:
    """As it was read the giant has not gone far enough; the answer takes the throw back first (M-47)."""
    table = Table(noise=replace(PERFECT, pips=0.03))
    table.show(1.0)
    table.show(1.0, {"wizard/green": ("g10",)})
    table.show(1.0, {"wizard/violet": ("i8",)})
    room, before = table.room, table.tracker.state

    def after(state: Any, *done: tuple[str, str, dict[str, Any]]) -> Any:
        for player, do, args in done:
            state = room.judge(state, Action(player, do, args)).state
        return state

    table.dice = (1, 1)
    table.show(1.0)
    table.dice = (2, 3)
    assert "roll" in actions(table.show(2.0))
    rolled = after(before, ("violet", "roll", {"dice": [1, 3]}))
    cell = min(room.hints(rolled, "giant"))
    assert words(table.show(1.5, {"giant": (cell,)})) == ["pending"]
    lays = [(colour, "lay", {"card": card}) for colour, card in CARDS[1]["laid"]]
    moved = after(rolled, ("violet", "giant", {"to": cell}))
    (mark,) = room.hints(moved, "energy_stone/violet")
    table.show(1.5, {"energy_stone/violet": (mark,)})
    ended = after(
        moved, ("violet", "energy", {"to": track_value(mark)}), ("violet", "end", {}), *lays
    )
    me = room.to_act(ended)
    there = min(room.hints(ended, f"wizard/{me}"))
    said = table.show(3.0, {f"wizard/{me}": (there,)})
    assert "illegal" not in words(said)
    (question,) = asked(said)
    at = next(n for n, c in enumerate(question.choices) if c.text.params["sum"] == 4)
    done = actions(list(table.tracker.choose(question.id, at)))
    assert done[:1] == ["undo"] and done[-1:] == ["walk"]
    assert table.tracker.placement.pieces[f"wizard/{me}"] == (there,)
    assert table.tracker.placement.pieces["giant"] == (cell,)


def test_a_wizard_that_may_have_walked_in_its_own_turn_was_not_displaced() -> None:
    """Violet has not moved the stone; green's next walk could be a displacement without an attacker."""
    lays = (("violet", 5), ("green", 7))
    table = Table([CARDS[0], {"round": 2, "laid": [list(lay) for lay in lays]}])
    table.show(1.0)
    table.show(1.0, {"wizard/green": ("g10",)})
    table.show(1.0, {"wizard/violet": ("i8",)})
    room, state = table.room, table.tracker.state
    ended = room.judge(state, Action("violet", "end")).state
    for colour, card in lays:
        ended = room.judge(ended, Action(colour, "lay", {"card": card})).state
    assert room.to_act(ended) == "green"
    both = [
        cell for cell in room.hints(ended, "wizard/green")
        if room.judge(state, Action("violet", "displace", {"victim": "green", "to": cell})).status
        is not Status.ILLEGAL
    ]  # fmt: skip
    said = table.show(1.5, {"wizard/green": (both[0],)})
    assert actions(said) == ["end", "lay", "lay", "walk"]


def test_what_is_taken_for_a_second_die_now_here_and_now_there_is_no_throw() -> None:
    """One die is out of sight, so that a look of one on the board is taken for it (M-47)."""
    dice = Dice()

    def view(t_s: float, *seen: tuple[float, int, float]) -> Observation:
        pieces = []
        for x, pips, sure in seen:
            logs = tuple(-0.001 if n == pips else -8.0 for n in range(1, 7))
            die = (Candidate("die", None, (), -0.01),)
            pieces.append(SeenPiece((x, 50.0), (4.0, 0.0, 4.0), (x, 50.0), die, sure, 0.0, logs))
        return Observation(t_s, True, False, tuple(pieces), {}, frozenset(), 2.0)

    def look(at_s: float, *seen: tuple[float, int, float]) -> object:
        for n in range(4):
            dice.see(view(at_s + n / 10, *seen))
        return dice.thrown()

    assert look(0.0, (-40.0, 2, 0.9), (120.0, 3, 0.6)) is None
    assert look(3.0, (-40.0, 2, 0.9), (300.0, 1, 0.6)) is None
    dice.accepted(0)
    assert (
        look(6.0, (-40.0, 2, 0.9), (540.0, 1, 0.9)) is None
    )  # that one is seen for the first time
    assert look(9.0, (-45.0, 6, 0.9), (520.0, 6, 0.8)) == (6, 6)


def test_dice_of_which_one_is_not_seen_any_more_after_a_hand_was_in_were_thrown() -> None:
    """The two of before say nothing of the throw then (M-47)."""
    dice = Dice()

    def view(t_s: float, still_s: float, *pips: int) -> Observation:
        pieces = []
        for n, value in enumerate(pips):
            logs = tuple(-0.001 if i == value else -8.0 for i in range(1, 7))
            die = (Candidate("die", None, (), -0.01),)
            at = (-40.0, 50.0 + 30.0 * n)
            pieces.append(SeenPiece(at, (4.0, 0.0, 4.0), at, die, 0.9, 0.0, logs))
        return Observation(t_s, True, False, tuple(pieces), {}, frozenset(), still_s)

    dice.see(view(1.0, 0.5, 2, 3))
    dice.see(view(1.1, 0.6, 2))
    assert dice.values() == (2, 3)  # a moment's miss
    dice.see(view(1.9, 0.3, 6))
    assert dice.values() == (6,)


def seen_without(kind: str, colour: str, *changed: str, strength: Any = None) -> Any:
    """The eyes miss a piece; further spots look changed."""

    def alter(observation: Observation, tick: int) -> Observation:
        pieces = tuple(
            p for p in observation.pieces if (p.best.kind, p.best.colour) != (kind, colour)
        )
        spots = (observation.changed or frozenset()) | frozenset(changed)
        told = {} if strength is None else {s: strength.get(s, 0.1) for s in spots}
        return replace(observation, pieces=pieces, changed=spots, strength=told)

    return alter


def test_a_piece_put_down_unseen_is_where_the_look_has_changed_most() -> None:
    """Two legal ends look changed, one of them hardly: it is taken for a shadow (decision 4)."""
    table = sat()
    strong = {"start": 0.9, "g10": 0.9, "i10": 0.08}
    alter = seen_without("wizard", "green", "i10", strength=strong)
    said = given(table.show(6.0, {"wizard/green": ("g10",)}, alter=alter))
    assert [v.verdict.status for v in said] == [Status.LEGAL]
    assert said[0].verdict.actions[-1].args["to"] == "g10"


def test_a_piece_put_down_unseen_is_asked_for_where_two_ends_are_as_likely() -> None:
    table = sat()
    strong = {"start": 0.9, "g10": 0.9, "i10": 0.9}
    alter = seen_without("wizard", "green", "i10", strength=strong)
    said = table.show(6.0, {"wizard/green": ("g10",)}, alter=alter)
    assert words(said) == ["ambiguous"]
    (question,) = asked(said)
    at = next(n for n, c in enumerate(question.choices) if c.actions[-1].args["to"] == "g10")
    assert "walk" in actions(list(table.tracker.choose(question.id, at)))
    assert words(table.show(3.0)) == []


def test_a_foul_put_down_unseen_is_not_taken_for_something_legal() -> None:
    """The change is plain where the wizard may not stand, and faint on a legal cell."""
    table = sat()
    strong = {"start": 0.9, "g16": 0.9, "g10": 0.1}
    alter = seen_without("wizard", "green", "g10", strength=strong)
    said = table.show(12.0, {"wizard/green": ("g16",)}, alter=alter)
    assert "walk" not in actions(said)
    assert words(said) == ["illegal"]


def test_a_piece_seen_beside_its_cell_goes_nowhere_once_it_is_understood() -> None:
    """The rules say which cell is meant; the same look a moment later is no further move."""
    table = green_on_d9()
    foot = table.board.centres["f9"]

    def beside(observation: Observation, tick: int) -> Observation:
        pieces = read_at(observation, ("wizard", "green"), foot, {"f9": -0.6, "e9": -0.8})
        return replace(observation, pieces=pieces, changed=frozenset({"d9", "e9", "f9"}))

    said = table.show(9.0, {"wizard/green": ("e9",)}, alter=beside)
    assert words(said) == ["legal"]
    assert table.tracker.placement.pieces["wizard/green"] == ("e9",)


def test_a_piece_that_was_corrected_stays_where_somebody_said() -> None:
    table = walked()
    foot = table.board.centres["e9"]

    def beside(observation: Observation, tick: int) -> Observation:
        pieces = read_at(observation, ("shield", "green"), foot, {"e9": 0.0})
        return replace(observation, pieces=pieces, changed=frozenset({"e9", "d9"}))

    assert words(table.show(2.0, {"shield/green": ("d9",)}, alter=beside)) == ["legal"]
    assert table.tracker.placement.pieces["shield/green"] == ("e9",)
    table.tracker.act(Action(None, "correct", {"pieces": {"shield/green": "d9"}}))
    assert words(table.show(9.0, alter=beside)) == []
    assert table.tracker.placement.pieces["shield/green"] == ("d9",)


def test_a_spot_that_only_looks_changed_makes_no_move() -> None:
    table = walked()

    def flushed(observation: Observation, tick: int) -> Observation:
        return replace(observation, changed=frozenset({"g9", "g10", "h10", "i12", "track/9"}))

    assert table.show(10.0, alter=flushed) == []


def test_a_position_repaired_leaves_no_question() -> None:
    table = walked()
    table.off = {"shield/green": (0.42, 0.0)}

    def unwitnessed(observation: Observation, tick: int) -> Observation:
        return replace(observation, changed=None)

    question = asked(table.show(3.0, {"shield/green": ("d9",)}, alter=unwitnessed))[0]
    table.off = {}
    said = table.show(2.0, {"shield/green": ("d9",)})
    assert table.tracker.open_id != question.id or words(said) == ["legal"]
    assert table.tracker.placement.pieces["shield/green"] == ("d9",)


def test_perfect_eyes_never_lose_a_piece() -> None:
    assert PERFECT.overlooked == PERFECT.swapped == 0.0
    table = walked()
    assert [e for e in table.events if isinstance(e, ActionRecorded)]
    assert table.tracker.differences == ()


def torn_shield(observation: Observation, tick: int) -> Observation:
    """The green shield is read on d9 and on e9, on d9 a little more likely."""
    cells = {"d9": math.log(0.52), "e9": math.log(0.48)}
    pieces = tuple(
        replace(p, candidates=tuple(Candidate("shield", "green", (c,), v) for c, v in cells.items()))
        if (p.best.kind, p.best.colour) == ("shield", "green")
        else p
        for p in observation.pieces
    )  # fmt: skip
    return replace(
        observation, pieces=pieces, changed=(observation.changed or frozenset()) | {*cells}
    )


def test_where_nobody_answers_and_the_game_goes_on_the_likeliest_stands() -> None:
    table = walked()
    said = table.show(3.0, {"shield/green": ("d9",)}, alter=torn_shield)
    assert words(said) == ["ambiguous"]
    (question,) = asked(said)
    assert table.show(8.0, alter=torn_shield) == []  # as long as nothing else happens
    said = table.show(3.0, {"energy_stone/green": ("track/9",)}, alter=torn_shield)
    assert words(said) == ["legal"] and given(said)[0].id == question.id
    assert table.tracker.placement.pieces["shield/green"] == ("d9",)
    assert table.tracker.placement.pieces["energy_stone/green"] == ("track/9",)
    assert words(table.show(3.0, {"wizard/violet": ("a4",)})) == ["illegal"]


def test_what_is_unclear_besides_is_asked_although_nobody_has_answered() -> None:
    table = walked()
    assert words(table.show(3.0, {"shield/green": ("d9",)}, alter=torn_shield)) == ["ambiguous"]

    def torn_wizard(observation: Observation, tick: int) -> Observation:
        seen = torn_shield(observation, tick)
        ends = {"g6": math.log(0.52), "g7": math.log(0.48)}
        at = table.board.centres["g6"]
        changed = (seen.changed or frozenset()) | {*ends}
        return replace(seen, pieces=read_at(seen, ("wizard", "violet"), at, ends), changed=changed)

    said = table.show(3.0, {"wizard/violet": ("g6",)}, alter=torn_wizard)
    assert words(said) == ["ambiguous"] and actions(said) == []
    ends = [
        a.args["to"] for q in asked(said) for c in q.choices for a in c.actions if a.do == "walk"
    ]
    assert {*ends} == {"g6", "g7"}
