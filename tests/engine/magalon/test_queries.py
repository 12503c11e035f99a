"""The questions that the referee asks, and refusals that no other test meets."""

from __future__ import annotations

import pytest

from engine.action import Action
from engine.errors import BoardFileError
from engine.magalon import queries
from engine.magalon.simulate import random_action
from engine.verdict import Status
from tests.engine.magalon.support import ROOM, Table, acting, at, grid, keys

L = [at(5, 5), at(5, 6), at(6, 6)]
START = {"start": [at(4, 9), at(5, 9)]}


def _t(cards=None, board=None, options=None, **pieces: str | None):
    where = {"wizard/violet": at(9, 9), "wizard/green": at(0, 3), "goblin/1": at(0, 0)}
    names = {k.replace("_", "/"): v for k, v in pieces.items()}
    return acting(board or grid(), cards or {"violet": 6, "green": 1}, {**where, **names}, options)


def test_queries_while_cards_are_laid() -> None:
    s = Table(grid(fields=START)).state
    assert queries.is_laying(s)
    assert queries.expected_marks(s, "violet") == frozenset()
    assert queries.due_mark(s, "violet") == 10
    assert queries.giant_sums(s) == frozenset()
    assert queries.steps_of(s, "wizard/violet") is None
    assert queries.ruin_budget(s) == (0, False)
    assert queries.attackable(s, "goblin/1") == ()
    assert ROOM.hints(s, "wizard/violet") == ()


def test_queries_in_a_turn() -> None:
    t = _t(giant=at(5, 0))
    s = t.state
    assert not queries.is_laying(s)
    assert queries.steps_of(s, "wizard/violet") == 6
    assert queries.steps_of(s, "goblin/1") == 6
    assert queries.steps_of(s, "giant") is None
    assert queries.steps_of(s, "goblin/2") is None
    assert queries.steps_of(s, "wizard/green") is None
    assert queries.attackable(s, "goblin/1") == ("green",)
    assert queries.attackable(s, "giant") == ()
    assert not queries.may_stay_or_walk_on(s)
    assert set(queries.movable_pieces(s, "violet")) == {"shield/violet", "goblin/1", "wizard/green"}
    assert queries.turn_used(s)["walk"] is None
    t.do("violet", "walk", "pending", to=at(9, 8), via=[])
    assert queries.turn_used(t.state)["walk"] == "part"
    assert queries.open_paths(t.state) == {"wizard/violet": at(9, 9)}
    t.do("violet", "walk", to=at(9, 3))
    assert queries.turn_used(t.state)["walk"] == "done"
    t.do("violet", "end")
    assert queries.due_mark(t.state, "green") == 14
    assert queries.steps_of(t.state, "goblin/1") is None
    t.do("green", "roll", dice=[2, 2])
    assert queries.turn_used(t.state)["dice"] == (2, 2)
    assert queries.steps_of(t.state, "giant") == 4
    assert queries.attackable(t.state, "giant") == ("violet",)


@pytest.mark.parametrize(("card", "budget"), [(2, (2, False)), (7, (4, False)), (5, (0, True))])
def test_ruin_budget(card: int, budget: tuple[int, bool]) -> None:
    assert queries.ruin_budget(_t({"violet": card, "green": 0}).state) == budget


@pytest.mark.parametrize(
    ("energy", "booked", "due"), [(10, [], 9), (0, [], 10), (9, ["loss"], 9), (12, ["red"], 12)]
)
def test_due_mark(energy: int, booked: list[str], due: int) -> None:
    t = acting(grid(), {"violet": 5, "green": 0}, energy={"violet": energy}, energy_booked=booked)
    assert queries.due_mark(t.state, "violet") == due
    t.do("violet", "end")
    assert t.energy("violet") == due


def test_hints_of_energy_ruins_and_pieces_that_may_not_move() -> None:
    t = _t({"violet": 5, "green": 0}, grid(ruins=[L]))
    assert ROOM.hints(t.state, "energy_stone/violet") == ("track/9",)
    assert ROOM.hints(t.state, "energy_stone/green") == ()
    assert ROOM.hints(t.state, "goblin/1") == ()
    lifted = set(ROOM.hints(t.state, "ruin/1"))
    assert at(5, 5) in lifted
    assert at(0, 0) not in lifted
    assert ROOM.hints(t.state, "ruin/9") == ()
    assert ROOM.hints(t.state, "dragon") == ()
    t = _t(board=grid())
    t.do("violet", "goblin", piece=1, to=at(6, 0))
    assert ROOM.hints(t.state, "goblin/1") == ()


def test_hints_of_the_winning_finish_after_a_red_cell() -> None:
    board = grid(fields={"start": [at(4, 0)]}, roles={"energy": [at(3, 0)]})
    full = {"energy": {"violet": 16}, "items": {"violet": ["amulet", "ring", "stone"]}}
    t = acting(board, {"violet": 3, "green": 0}, {"wizard/violet": at(0, 0)}, **full)
    t.do("violet", "walk", to=at(3, 0))
    assert queries.may_stay_or_walk_on(t.state)
    hinted = ROOM.hints(t.state, "wizard/violet")
    assert "start" in hinted
    assert at(6, 0) in hinted


def test_ruin_that_is_off_the_board() -> None:
    board = grid(ruins=[L])
    for card, do in ((5, "lift"), (7, "slide")):
        t = _t({"violet": card, "green": 0}, board, ruin_1=None)
        t.refused("violet", do, "M-1", ruin=1, to=L)
        assert ROOM.hints(t.state, "ruin/1") == ()
        action = random_action(t.state, __import__("random").Random(3))
        assert action is not None


def test_numbers_that_the_board_does_not_know() -> None:
    board = grid(ruins=[L], numbers={})
    t = _t({"violet": 7, "green": 2}, board)
    t.refused("violet", "slide", "M-A10", ruin=1, to=[at(5, 4), at(5, 5), at(6, 5)])
    t.do("violet", "end")
    t.refused("green", "energy", "M-A11", to=18)


def test_small_refusals() -> None:
    t = _t(shield_violet=at(4, 4), giant=at(5, 0))
    t.refused("violet", "shield", "M-45", to=at(4, 4))
    t.refused("violet", "walk", None, to=at(9, 3), via=at(9, 4))
    t.refused("violet", "walk", None, to=7)
    t.refused("violet", "cancel", "M-A3", piece="goblin/1")
    t.refused("violet", "cancel", "M-A3", piece="wizard/green")
    t.refused("violet", "cancel", None, piece="shield/violet")
    t.refused("violet", "goblin", "M-3", piece="goblin/2", to=at(4, 5))
    t.refused("violet", "goblin", None, piece="giant", to=at(4, 5))
    t.refused("violet", "roll", "M-13", dice=[1, 7])
    t.do("violet", "end")
    t.refused("green", "roll", None, dice=[1, 7])
    t.refused("green", "roll", None, dice=[True, 1])
    t.refused("blue", "walk", None, to=at(1, 1))
    t.refused(None, "walk", None, to=at(1, 1))
    t.refused("green", "undo", None)
    t.refused("green", "dance", None)
    t.do(None, "note", text="x")
    judged = ROOM.judge(t.state, Action("green", ["walk"], {}))  # type: ignore[arg-type]
    assert judged.status is Status.ILLEGAL
    t = _t({"violet": 5, "green": 0}, grid(ruins=[L]))
    t.refused("violet", "lift", None, ruin=1, to=[at(1, 1), at(1, 1), at(1, 2)])
    t.refused("violet", "lift", None, ruin=True, to=L)


def test_finish_only_with_items_as_an_option() -> None:
    board = grid(fields=START)
    where = {"wizard/violet": at(4, 8)}
    for option, energy, verdict in (("b", 20, "illegal"), ("c", 3, "legal")):
        t = acting(
            board, {"violet": 2, "green": 0}, where, {"M-A34": option}, energy={"violet": energy}
        )
        j = t.do("violet", "walk", verdict, to="start")
        assert j.rule == ("M-A34" if option == "b" else None)


def test_early_displacement_from_an_item_field() -> None:
    board = grid(fields={"stone": [at(0, 3)]})
    t = _t(board=board, wizard_green="stone")
    t.refused("violet", "displace", "M-29", victim="green", to=at(4, 3))


def test_route_of_a_displaced_wizard_with_a_jump() -> None:
    t = _t({"violet": 3, "green": 1})
    attack = {"player": "green", "to": at(2, 6), "via": [at(1, 3), at(1, 4), at(2, 4)]}
    t.refused("violet", "goblin", "M-19", piece="goblin/1", to=at(0, 3), attacks=[attack])


def test_goblin_part_that_needs_way_made_first() -> None:
    holes = [at(x, y) for x in range(10) for y in range(1, 10) if (x, y) not in {(9, 9), (9, 8)}]

    def lane(goblin: int, shield: int):
        where = {"goblin/1": at(goblin, 0), "shield/violet": at(shield, 0)}
        where |= {"wizard/violet": at(9, 9), "wizard/green": at(9, 8)}
        return acting(grid(holes=holes), {"violet": 3, "green": 1}, where)

    t = lane(4, 6)
    j = t.do("violet", "goblin", "pending", piece="goblin/1", to=at(5, 0))
    assert j.pending.key == "attacker_stuck"
    t.do("violet", "shield", to=at(0, 0))
    t.do("violet", "goblin", piece="goblin/1", to=at(7, 0))
    t = lane(0, 3)
    j = t.refused("violet", "goblin", "M-30", piece="goblin/1", to=at(2, 0))
    assert j.message.key == "attacker_boxed_in"


def test_late_displacement_on_an_unfinished_way_with_known_cells() -> None:
    t = _t()
    via = [at(0, 1), at(0, 2), at(0, 3)]
    t.do("violet", "goblin", "pending", piece="goblin/1", to=at(0, 4), via=via)
    j = t.do("violet", "displace", "pending", victim="green", to=at(5, 3))
    assert j.pending.key == "attacker_left"
    assert "displaced" in keys(j)
    t.do("violet", "goblin", piece="goblin/1", to=at(0, 6))
    t.do("violet", "end")


@pytest.mark.parametrize("early", [False, True])
def test_displaced_wizard_that_cannot_avoid_all_items_is_asked(early: bool) -> None:
    """Two ways round, each over another item field."""
    cells = {(3, y) for y in range(3)} | {(6, y) for y in range(3)} | {(5, 0), (5, 2), (9, 9)}
    cells |= {(x, 1) for x in range(3)}
    holes = [at(x, y) for x in range(10) for y in range(10) if (x, y) not in cells]
    fields = {"stone": [at(3, 0), at(5, 0)], "ring": [at(3, 2), at(5, 2)]}
    board = grid(fields=fields, holes=holes)
    where = {"wizard/green": at(3, 1), "goblin/1": at(0, 1), "wizard/violet": at(9, 9)}
    t = acting(board, {"violet": 3, "green": 0}, where)
    attack = {"player": "green", "to": at(6, 1)}
    args = {"piece": "goblin/1", "to": at(3, 1), "attacks": [attack]}
    if early:
        t.do("violet", "displace", "pending", victim="green", to=at(6, 1))
        args.pop("attacks")
    j = t.do("violet", "goblin", "ambiguous", **args)
    gained = []
    for choice in j.choices:
        (action,) = choice.actions
        judged = ROOM.judge(t.state, action)
        assert judged.status is Status.LEGAL, judged.message
        gained.append(sorted(judged.state.items["green"]))
    assert gained == [["ring"], ["stone"]]


def test_boards_that_magalon_refuses() -> None:
    with pytest.raises(BoardFileError, match="more than one start"):
        Table(grid(roles={"start": [at(0, 0), at(1, 1)]}))
    with pytest.raises(BoardFileError, match="the items are"):
        Table(grid(fields={"start": [at(0, 0)], "sword": [at(5, 5)]}))
    with pytest.raises(BoardFileError, match="0 to 20"):
        Table(grid(fields=START, numbers={"ruin_steps": {"7": 99}}))
