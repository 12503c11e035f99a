"""Goblins, giant and displaced wizards: parts, order, early displacement, refusals."""

from __future__ import annotations

import pytest

from engine.magalon.queries import giant_sums, open_paths, turn_used
from tests.engine.magalon.support import ROOM, acting, at, grid, keys

LANE = [at(x, y) for x in range(10) for y in range(1, 10) if (x, y) not in {(9, 9), (9, 8)}]


def _t(cards=None, board=None, options=None, **pieces: str | None):
    where = {
        "goblin/1": at(0, 0),
        "goblin/2": at(9, 0),
        "giant": at(5, 9),
        "wizard/violet": at(9, 9),
        "wizard/green": at(0, 3),
    }
    names = {k.replace("_", "/"): v for k, v in pieces.items()}
    return acting(board or grid(), cards or {"violet": 6, "green": 1}, {**where, **names}, options)


def _attack(victim: str, x: int, y: int, **more):
    return {"player": victim, "to": at(x, y), **more}


def test_only_goblin_cards_move_goblins() -> None:
    t = _t({"violet": 7, "green": 1})
    t.refused("violet", "goblin", "M-25", piece="goblin/1", to=at(3, 0))


def test_number_that_the_board_does_not_know() -> None:
    t = _t(board=grid(numbers={"goblin_steps": {"9": 9}}))
    t.refused("violet", "goblin", "M-A9", piece="goblin/1", to=at(6, 0))


def test_goblin_refusals() -> None:
    board = grid(fields={"stone": [at(3, 0)]}, ruins=[[at(1, 1), at(1, 2), at(2, 2)]])
    t = _t(board=board, shield_violet=at(4, 0))
    t.refused("violet", "goblin", "M-25", piece="goblin/1", to=at(7, 0))
    t.refused("violet", "goblin", "M-26", piece="goblin/1", to=at(1, 1))
    t.refused("violet", "goblin", "M-26", piece="goblin/1", to=at(4, 0))
    t.refused("violet", "goblin", "M-29", piece="goblin/1", to="stone")
    t.refused("violet", "goblin", "M-20", piece="goblin/1", to=at(0, 0))
    t.refused("violet", "goblin", "M-A5", piece="goblin/1", to=at(9, 9))
    via = [at(0, 1), at(1, 1), at(1, 2), at(1, 3), at(1, 4)]
    t.refused("violet", "goblin", "M-26", piece="goblin/1", to=at(1, 5), via=via)


def test_one_or_both_goblins_each_the_whole_number() -> None:
    t = _t()
    t.do("violet", "goblin", piece="goblin/1", to=at(6, 0))
    t.do("violet", "goblin", piece="goblin/2", to=at(9, 6))
    t.refused("violet", "goblin", "M-30", piece="goblin/2", to=at(9, 7))
    t.do("violet", "end")


def test_goblin_in_parts_and_cancelled_with_its_victim() -> None:
    t = _t({"violet": 6, "green": 1})
    attack = [_attack("green", 5, 3)]
    t.do("violet", "goblin", "pending", piece="goblin/1", to=at(0, 3), attacks=attack)
    t.refused("violet", "end", "M-A3")
    assert open_paths(t.state) == {"goblin/1": at(0, 0)}
    t.do("violet", "cancel", piece="goblin/1")
    assert t.cell("wizard/green") == at(0, 3)
    assert t.cell("goblin/1") == at(0, 0)
    t.do("violet", "goblin", "pending", piece="goblin/1", to=at(0, 3), attacks=attack)
    t.do("violet", "shield", to=at(0, 0))
    j = t.refused("violet", "cancel", "M-A3", piece="goblin/1")
    assert "violet shield" in j.message.text
    t.do("violet", "goblin", piece="goblin/1", to=at(0, 6))
    t.do("violet", "end")


def test_early_displacement_waits_for_its_attacker() -> None:
    t = _t()
    t.do("violet", "displace", "pending", victim="green", to=at(5, 3))
    assert turn_used(t.state)["waiting"] == {"green": at(0, 3)}
    t.refused("violet", "end", "M-27")
    t.do("violet", "goblin", piece="goblin/1", to=at(0, 6))
    assert turn_used(t.state)["waiting"] == {}
    assert turn_used(t.state)["displaced"] == ("green",)
    t.do("violet", "end")


def test_early_displacement_that_nobody_can_explain() -> None:
    t = _t()
    t.refused("violet", "displace", "M-27", victim="green", to=at(5, 2))
    t.refused("violet", "displace", "M-A5", victim="violet", to=at(5, 2))
    t = _t({"violet": 7, "green": 1})
    t.refused("violet", "displace", "M-27", victim="green", to=at(5, 3))
    t = _t({"violet": 6, "green": 4})
    t.refused("violet", "displace", "M-37", victim="green", to=at(5, 3))


def test_early_displacement_taken_back() -> None:
    t = _t()
    t.do("violet", "displace", "pending", victim="green", to=at(5, 3))
    t.refused("violet", "displace", "M-28", victim="green", to=at(8, 5))
    t.do("violet", "cancel", piece="wizard/green")
    assert t.cell("wizard/green") == at(0, 3)
    t.do("violet", "end")


def test_goblin_that_comes_elsewhere_leaves_the_displacement_open() -> None:
    t = _t(goblin_2=at(3, 3))
    t.do("violet", "displace", "pending", victim="green", to=at(5, 3))
    j = t.do("violet", "goblin", "pending", piece="goblin/1", to=at(6, 0))
    assert j.pending.key == "attacker_to_come"
    t.do("violet", "goblin", piece="goblin/2", to=at(0, 6))
    t.do("violet", "end")


def test_two_early_displacements_by_one_goblin() -> None:
    cards = {"violet": 6, "green": 1, "red": 0}
    t = _t(cards, wizard_green=at(0, 2), wizard_red=at(0, 4))
    t.do("violet", "displace", "pending", victim="red", to=at(5, 4))
    t.do("violet", "displace", "pending", victim="green", to=at(5, 2))
    t.do("violet", "goblin", piece="goblin/1", to=at(0, 6))
    assert turn_used(t.state)["displaced"] == ("green", "red")
    t.do("violet", "end")


def test_displaced_before_by_the_giant_before_the_roll() -> None:
    t = _t({"violet": 2, "green": 5}, giant=at(0, 6))
    t.do("green", "end")
    assert giant_sums(t.state) == frozenset(range(2, 13))
    t.do("violet", "displace", "pending", victim="green", to=at(7, 6))
    t.do("violet", "roll", dice=[1, 2])
    assert giant_sums(t.state) == {3}
    t.do("violet", "giant", to=at(0, 3))
    assert giant_sums(t.state) == frozenset()
    t.do("violet", "end")


def test_victim_may_go_where_the_goblin_came_from_but_not_back() -> None:
    t = _t(goblin_1=at(0, 1), wizard_green=at(0, 4), board=grid())
    attack = [_attack("green", 0, 1, via=[at(1, 4), at(1, 3), at(1, 2), at(1, 1)])]
    t.do("violet", "goblin", "pending", piece="goblin/1", to=at(0, 4), attacks=attack)
    assert t.cell("wizard/green") == at(0, 1)


def test_displaced_wizard_becomes_an_obstacle() -> None:
    t = _t(board=grid(holes=LANE), wizard_green=at(2, 0), goblin_2=None, giant=None)
    t.refused(
        "violet",
        "goblin",
        "M-28",
        piece="goblin/1",
        to=at(6, 0),
        attacks=[_attack("green", 7, 0)] * 2,
    )
    t.do("violet", "goblin", piece="goblin/1", to=at(6, 0), attacks=[_attack("green", 7, 0)])
    t = _t(
        {"violet": 9, "green": 1},
        board=grid(holes=LANE),
        wizard_green=at(2, 0),
        goblin_2=None,
        giant=None,
    )
    attacks = [_attack("green", 7, 0)]
    t.refused("violet", "goblin", "M-28", piece="goblin/1", to=at(9, 0), attacks=attacks)


def test_via_of_an_attacker_contains_the_victims_cell() -> None:
    t = _t()
    via = [at(0, 1), at(0, 2), at(0, 3), at(0, 4), at(0, 5)]
    attack = [_attack("green", 5, 3)]
    t.do("violet", "goblin", piece="goblin/1", to=at(0, 6), via=via, attacks=attack)
    t = _t()
    around = [at(1, 0), at(1, 1), at(1, 2), at(1, 3), at(1, 4)]
    t.refused("violet", "goblin", "M-27", piece="goblin/1", to=at(1, 5), via=around, attacks=attack)


@pytest.mark.parametrize("to", [(0, 4), (4, 3), (9, 3), (2, 6), (0, 3)])
def test_displacement_is_exactly_five(to: tuple[int, int]) -> None:
    t = _t({"violet": 3, "green": 1})
    args = {"piece": "goblin/1", "to": at(0, 3), "attacks": [_attack("green", *to)]}
    judged = t.try_("violet", "goblin", **args)
    far = abs(to[0]) + abs(to[1] - 3)
    assert (judged.status.value == "legal") == (far <= 5 and far % 2 == 1)
    assert judged.rule == (None if judged.status.value == "legal" else "M-27")


def test_giant_needs_its_player_the_roll_and_the_sum() -> None:
    t = _t({"violet": 6, "green": 1})
    j = t.refused("violet", "giant", "M-13", to=at(5, 5))
    assert "Green" in j.message.text
    t.refused("violet", "roll", "M-13", dice=[2, 2])
    t.do("violet", "end")
    t.refused("green", "giant", "M-47", to=at(5, 5))
    t.do("green", "roll", dice=[2, 2])
    t.refused("green", "roll", "M-47", dice=[2, 2])
    t.refused("green", "giant", "M-47", to=at(5, 4))
    t.refused("green", "giant", "M-47", to=at(0, 0))
    t.do("green", "giant", to=at(5, 5))


def test_giant_displaces_ten() -> None:
    t = _t({"violet": 2, "green": 9}, giant=at(0, 0), goblin_1=None)
    t.do("green", "end")
    t.do("violet", "roll", dice=[1, 2])
    t.refused("violet", "giant", "M-48", to=at(0, 3))
    t.refused("violet", "giant", "M-48", to=at(0, 3), attacks=[_attack("green", 5, 3)])
    j = t.do("violet", "giant", to=at(0, 3), attacks=[_attack("green", 7, 6)])
    assert keys(j) == ["displaced"]


def test_split_number_as_an_option() -> None:
    t = _t(options={"M-A8": "b"})
    j = t.do("violet", "goblin", "pending", piece="goblin/1", to=at(3, 0))
    assert j.pending.key == "goblins_left"
    t.refused("violet", "end", "M-A3")
    t.refused("violet", "goblin", "M-25", piece="goblin/2", to=at(9, 7))
    t.do("violet", "goblin", piece="goblin/2", to=at(9, 3))
    t.do("violet", "end")


def test_split_number_by_one_goblin_alone() -> None:
    t = _t(options={"M-A8": "b"})
    t.do("violet", "goblin", piece="goblin/1", to=at(6, 0))
    t.do("violet", "end")


def test_malformed_attacks() -> None:
    t = _t()
    for attacks in ("x", [1], [{}], [{"player": "green"}], [{"player": "x", "to": at(0, 0)}]):
        t.refused("violet", "goblin", None, piece="goblin/1", to=at(0, 6), attacks=attacks)


def test_wizard_on_the_way_may_be_passed_but_a_protected_one_not() -> None:
    lane = grid(holes=LANE)
    t = _t(board=lane, wizard_green=at(2, 0), goblin_2=None, giant=None)
    t.do("violet", "goblin", piece="goblin/1", to=at(6, 0))
    t = _t({"violet": 6, "green": 4}, lane, wizard_green=at(2, 0), goblin_2=None, giant=None)
    j = t.refused("violet", "goblin", "M-37", piece="goblin/1", to=at(6, 0))
    assert at(2, 0) in j.cells


def test_wizard_moved_after_the_goblin_has_passed() -> None:
    t = _t()
    t.do("violet", "goblin", piece="goblin/1", to=at(0, 6))
    j = t.do("violet", "displace", victim="green", to=at(5, 3))
    assert keys(j) == ["displaced"]
    assert turn_used(t.state)["displaced"] == ("green",)
    t.refused("violet", "displace", "M-28", victim="green", to=at(5, 8))
    t.do("violet", "end")


def test_wizard_moved_after_a_goblin_that_cannot_have_passed() -> None:
    t = _t()
    t.do("violet", "goblin", piece="goblin/1", to=at(6, 0))
    t.refused("violet", "displace", "M-27", victim="green", to=at(5, 3))
    t = _t()
    via = [at(1, 0), at(1, 1), at(1, 2), at(1, 3), at(1, 4)]
    t.do("violet", "goblin", piece="goblin/1", to=at(1, 5), via=via)
    t.refused("violet", "displace", "M-27", victim="green", to=at(5, 3))


def test_wizard_moved_late_may_not_stand_in_the_rest_of_the_way() -> None:
    lane = grid(holes=LANE)
    t = _t({"violet": 9, "green": 1}, lane, wizard_green=at(2, 0), goblin_2=None, giant=None)
    t.do("violet", "goblin", piece="goblin/1", to=at(9, 0))
    t.refused("violet", "displace", "M-27", victim="green", to=at(7, 0))


def test_attack_that_names_a_wizard_displaced_before() -> None:
    t = _t()
    t.do("violet", "displace", "pending", victim="green", to=at(5, 3))
    attacks = [_attack("green", 5, 3)]
    t.refused(
        "violet", "goblin", "M-28", piece="goblin/1", to=at(0, 6), attacks=[_attack("green", 4, 4)]
    )
    t.do("violet", "goblin", piece="goblin/1", to=at(0, 6), attacks=attacks)
    t.do("violet", "end")


def test_hints_of_goblins_are_what_the_judge_allows() -> None:
    for option in ("a", "b"):
        t = _t(options={"M-A8": option}, wizard_green=at(2, 2))
        to = at(9, 6) if option == "a" else at(9, 2)
        t.do("violet", "goblin", piece="goblin/2", to=to)
        hinted = set(ROOM.hints(t.state, "goblin/1"))
        for cell in t.board.cells:
            judged = t.try_("violet", "goblin", piece="goblin/1", to=cell)
            if cell != at(2, 2):
                assert (judged.status.value == "legal") == (cell in hinted), cell
