"""Ruins (M-31 to M-35) and shields (M-45, M-46)."""

from __future__ import annotations

import pytest

from engine.magalon.queries import ruin_budget
from tests.engine.magalon.support import ROOM, acting, at, grid, keys

L3 = [(5, 5), (5, 6), (6, 6)]
L4 = [(5, 4), (5, 5), (5, 6), (6, 6)]
L5 = [(5, 4), (5, 5), (5, 6), (6, 6), (7, 6)]


def _cells(shape, dx: int = 0, dy: int = 0) -> list[str]:
    return [at(x + dx, y + dy) for x, y in shape]


def _t(card: int, shape=L3, options=None, **pieces: str):
    where = {k.replace("_", "/"): v for k, v in pieces.items()}
    board = grid(ruins=[_cells(shape), [at(0, 8), at(0, 9), at(1, 9)]])
    other = 0 if card else 10
    return acting(board, {"violet": card, "green": other}, where, options)


@pytest.mark.parametrize("shape", [L3, L4, L5])
def test_slide_of_every_size(shape) -> None:
    t = _t(8, shape)
    t.do("violet", "slide", ruin="ruin/1", to=_cells(shape, -2, 1))
    assert ruin_budget(t.state) == (2, False)


def test_slide_refusals() -> None:
    t = _t(7, shield_green=at(5, 4))
    turned = [at(3, 5), at(3, 6), at(2, 6)]
    t.refused("violet", "slide", "M-32", ruin=1, to=turned)
    t.refused("violet", "slide", "M-33", ruin=1, to=_cells(L3, 0, -1))
    t.refused("violet", "slide", "M-33", ruin=1, to=_cells(L3))
    t.refused("violet", "slide", "M-31", ruin=1, to=_cells(L3, -5, 0))
    t.refused("violet", "slide", None, ruin=3, to=_cells(L3, 1, 0))
    t.refused("violet", "slide", None, ruin=1, to=at(1, 1))
    t.refused("violet", "lift", "M-35", ruin=1, to=turned)
    t = _t(3)
    t.refused("violet", "slide", "M-31", ruin=1, to=_cells(L3, 1, 0))


def test_slide_goes_round_obstacles_and_counts_it() -> None:
    t = _t(7, shield_green=at(5, 4), goblin_1=at(6, 5))
    t.refused("violet", "slide", "M-31", ruin=1, to=_cells(L3, 0, -3))
    t.do("violet", "slide", ruin=1, to=_cells(L3, -1, -1))
    assert t.state.turn.slid == 2


def test_walled_in_ruin_cannot_slide() -> None:
    around = {"shield/violet": at(4, 5), "shield/green": at(4, 6), "goblin/1": at(5, 4)}
    around |= {"goblin/2": at(6, 5), "giant": at(5, 7), "wizard/green": at(7, 6)}
    board = grid(ruins=[_cells(L3)])
    t = acting(board, {"violet": 7, "green": 0}, around)
    t.refused("violet", "slide", "M-33", ruin=1, to=_cells(L3, -2, 0))


def test_slide_never_onto_a_field() -> None:
    board = grid(ruins=[_cells(L3)], fields={"stone": [at(9, 9)]})
    t = acting(
        board, {"violet": 7, "green": 0}, {"wizard/violet": at(0, 0), "wizard/green": at(9, 0)}
    )
    t.refused("violet", "slide", "M-34", ruin=1, to=["stone", at(5, 6), at(6, 6)])


def test_lift_turned_once_and_only_one() -> None:
    t = _t(5)
    turned = [at(1, 1), at(2, 1), at(2, 2)]
    t.refused("violet", "lift", "M-35", ruin=1, to=[at(1, 1), at(2, 1), at(3, 1)])
    t.refused("violet", "lift", "M-35", ruin=1, to=[at(0, 8), at(0, 7), at(1, 7)])
    t.do("violet", "lift", ruin=1, to=turned)
    t.refused("violet", "lift", "M-35", ruin=2, to=[at(8, 8), at(8, 9), at(9, 8)])


def test_lift_may_overlap_its_own_cells() -> None:
    t = _t(5)
    t.do("violet", "lift", ruin=1, to=[at(5, 5), at(6, 5), at(6, 6)])


@pytest.mark.parametrize(("shape", "legal"), [(L3, True), (L4, True), (L5, True)])
def test_mirror_image(shape, legal: bool) -> None:
    t = _t(5, shape)
    mirrored = [at(9 - x, y - 4) for x, y in shape]
    t.do("violet", "lift", ruin=1, to=mirrored)


def test_exact_ruin_number_as_an_option() -> None:
    t = _t(7, options={"M-A12": "b"})
    t.do("violet", "slide", "pending", ruin=1, to=_cells(L3, 1, 0))
    t.refused("violet", "end", "M-A12")
    t.do("violet", "slide", ruin=1, to=_cells(L3, 2, 0))
    t.do("violet", "end")


def test_ruin_hints_cover_what_can_be_reached() -> None:
    t = _t(2)
    hinted = ROOM.hints(t.state, "ruin/1")
    assert at(5, 4) in hinted
    assert at(8, 6) in hinted
    assert at(5, 2) not in hinted


def test_shield_refusals() -> None:
    board = grid(fields={"stone": [at(0, 3)], "start": [at(9, 9)]})
    t = acting(board, {"violet": 7, "green": 0}, {"giant": at(3, 3)})
    j = t.refused("violet", "shield", "M-45", to="stone")
    assert j.cells == ("stone",)
    t.refused("violet", "shield", "M-45", to="start")
    t.refused("violet", "shield", "M-45", to=at(3, 3))
    t.do("violet", "shield", to=at(2, 2))
    t.refused("violet", "shield", "M-45", to=at(2, 3))
    t.refused("violet", "shield", "M-45", to=None)
    t.refused("violet", "shield", None)
    t.refused("violet", "shield", None, to="z99")


def test_shield_may_lie_on_red_cells_and_marks() -> None:
    board = grid(roles={"energy": [at(1, 1)], "giant_start": [at(2, 2)]})
    t = acting(board, {"violet": 7, "green": 0}, {"giant": at(5, 5)})
    t.do("violet", "shield", to=at(2, 2))
    t.do("violet", "end")
    t.do("green", "shield", to=at(1, 1))


def test_own_shield_does_not_count_for_the_ring() -> None:
    where = {"wizard/violet": at(0, 0), "shield/violet": at(1, 0), "wizard/green": at(9, 1)}
    t = acting(grid(), {"violet": 1, "green": 2}, where)
    j = t.do("green", "shield", to=at(0, 1))
    assert keys(j) == ["shut_in"]


def test_ring_closed_by_the_start_field_that_may_not_be_entered() -> None:
    board = grid(fields={"start": [at(0, 0), at(1, 9)]})
    where = {"wizard/violet": at(0, 0), "shield/green": at(1, 0), "wizard/green": at(9, 1)}
    t = acting(board, {"violet": 1, "green": 2, "red": 3}, where)
    t.refused("red", "shield", "M-46", to=at(0, 1))
    t = acting(board, {"violet": 1, "green": 2, "red": 3}, where, energy={"violet": 16})
    t.do("red", "shield", to=at(0, 1))


def test_first_shield_compulsory_as_an_option() -> None:
    t = _t(3, options={"M-A38": "b"})
    t.refused("violet", "end", "M-A38")
    t.do("violet", "shield", to=at(9, 0))
    t.do("violet", "end")


def test_own_shield_is_an_obstacle_unless_the_option_says_otherwise() -> None:
    for option, verdict in (("a", "illegal"), ("b", "legal")):
        t = _t(3, options={"M-A4": option}, wizard_violet=at(0, 0), shield_violet=at(1, 0))
        t.do("violet", "walk", verdict, to=at(3, 0), via=[at(1, 0), at(2, 0)])


def test_shield_hints_are_what_the_judge_allows() -> None:
    where = {"wizard/violet": at(0, 0), "shield/green": at(1, 0), "wizard/green": at(9, 1)}
    t = acting(grid(ruins=[_cells(L3)]), {"violet": 1, "green": 2, "red": 3}, where)
    hinted = set(ROOM.hints(t.state, "shield/red"))
    assert ROOM.hints(t.state, "shield/green") == ()
    for cell in t.board.cells:
        assert (t.try_("red", "shield", to=cell).status.value == "legal") == (cell in hinted)
