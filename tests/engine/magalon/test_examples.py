"""The 28 examples of the rules file, by number."""

from __future__ import annotations

import pytest

from engine.paths import Graph, find_walk, reachable
from tests.engine.magalon.support import ROOM, Table, acting, at, grid, keys

L = [at(5, 5), at(5, 6), at(6, 6)]


def _start_board(**more):
    """10x10 with a start field below the columns 4 and 5."""
    fields = {"start": [at(4, 9), at(5, 9)]}
    return grid(fields={**fields, **more.pop("fields", {})}, **more)


def _lay_all(table: Table, *laid: tuple[str, int]) -> None:
    for colour, card in laid:
        table.do(colour, "lay", card=card)


def test_example_01_ruin_slides_wizard_walks_ruin_slides_back() -> None:
    t = acting(grid(ruins=[L]), {"violet": 7, "green": 3}, {"wizard/violet": at(0, 0)})
    t.do("violet", "slide", ruin="ruin/1", to=[at(5, 3), at(5, 4), at(6, 4)])
    t.do("violet", "walk", to=at(4, 3))
    t.do("violet", "slide", ruin=1, to=L)
    assert t.state.turn.slid == 4
    assert t.state.ruins == (frozenset(L),)
    t.refused("violet", "slide", "M-31", ruin=1, to=[at(5, 4), at(5, 5), at(6, 5)])
    t.do("violet", "end")


def test_example_02_five_ruin_steps_with_card_7() -> None:
    other = [at(1, 1), at(1, 2), at(2, 2)]
    t = acting(grid(ruins=[L, other]), {"violet": 7, "green": 3})
    t.do("violet", "slide", ruin="ruin/1", to=[at(5, 2), at(5, 3), at(6, 3)])
    j = t.refused("violet", "slide", "M-31", ruin="ruin/2", to=[at(3, 1), at(3, 2), at(4, 2)])
    assert at(3, 1) in j.cells
    t.do("violet", "slide", ruin="ruin/2", to=[at(2, 1), at(2, 2), at(3, 2)])


def test_example_03_order_of_acting_and_of_the_next_round() -> None:
    t = Table(_start_board(), "violet green red orange")
    _lay_all(t, ("violet", 7), ("green", 10), ("red", 0), ("orange", 4))
    assert t.state.acting_order == ("green", "violet", "orange", "red")
    for colour in ("green", "violet", "orange"):
        t.refused(colour, "roll", "M-13", dice=[1, 2])
        t.do(colour, "end")
    t.do("red", "roll", dice=[1, 2])
    t.do("red", "end")
    assert t.state.laying_order == ("red", "orange", "violet", "green")


def test_example_04_duplicate_card() -> None:
    t = Table(_start_board())
    t.do("violet", "lay", card=6)
    t.refused("green", "lay", "M-8", card=6)


def test_example_05_pass_pays_nothing_and_lays_first() -> None:
    down = {"green": list(range(1, 11))}
    t = Table(_start_board(), "violet green", position={"played": down, "hands": {"green": [0]}})
    t.do("violet", "lay", card=0)
    t.do("green", "pass")
    assert t.state.lowest == "violet"
    t.do("violet", "roll", dice=[1, 1])
    t.do("violet", "end")
    assert t.energy("green") == 10
    assert t.energy("violet") == 9
    assert t.state.round == 2
    assert t.state.to_act == "green"


def test_example_06_ten_turns_to_zero_and_then_the_reset() -> None:
    board = _start_board()
    for energy in range(10, 0, -1):
        t = acting(board, {"violet": 5, "green": 3}, energy={"violet": energy})
        t.do("violet", "end")
        assert t.energy("violet") == energy - 1
    t = acting(
        board,
        {"violet": 5, "green": 3},
        {"wizard/violet": at(2, 2)},
        energy={"violet": 0},
        items={"violet": ["stone", "ring"]},
    )
    j = t.do("violet", "end")
    assert "energy_reset" in keys(j)
    assert t.cell("wizard/violet") == "start"
    assert t.energy("violet") == 10
    assert not t.state.items["violet"]


def test_example_07_red_cell_stop_and_pass() -> None:
    board = grid(roles={"energy": [at(3, 0)]})
    t = acting(board, {"violet": 3, "green": 1}, {"wizard/violet": at(0, 0)})
    t.do("violet", "walk", to=at(3, 0))
    t.do("violet", "stay")
    t.do("violet", "energy", to=13)
    t.do("violet", "end")
    assert t.energy("violet") == 13
    t = acting(board, {"violet": 4, "green": 1}, {"wizard/violet": at(0, 0)})
    t.do("violet", "walk", to=at(4, 0), via=[at(1, 0), at(2, 0), at(3, 0)])
    t.refused("violet", "energy", "M-39", to=13)
    t.do("violet", "end")
    assert t.energy("violet") == 9


@pytest.mark.parametrize(("card", "energy"), [(6, 9), (1, 14)])
def test_example_08_red_cell_and_three_more_steps(card: int, energy: int) -> None:
    board = grid(roles={"energy": [at(card, 0)]})
    other = 5 if card == 6 else 0
    t = acting(board, {"violet": card, "green": other}, {"wizard/violet": at(0, 0)})
    t.do("violet", "walk", to=at(card, 0))
    t.do("violet", "walk_on", to=at(card, 3))
    t.do("violet", "end")
    assert t.energy("violet") == energy


@pytest.mark.parametrize(("card", "energy"), [(1, 17), (2, 20)])
def test_example_09_red_cell_and_energy_card(card: int, energy: int) -> None:
    board = grid(roles={"energy": [at(card, 0)]})
    t = acting(board, {"violet": card, "green": 0}, {"wizard/violet": at(0, 0)})
    t.do("violet", "walk", to=at(card, 0))
    t.do("violet", "energy", to=energy)
    t.do("violet", "end")
    assert t.energy("violet") == energy


def test_example_10_top_of_the_scale() -> None:
    board = grid(roles={"energy": [at(3, 0)]}, top=18)
    t = acting(board, {"violet": 3, "green": 1}, {"wizard/violet": at(0, 0)}, energy={"violet": 17})
    t.do("violet", "walk", to=at(3, 0))
    t.do("violet", "energy", to=18)
    t.do("violet", "end")
    assert t.energy("violet") == 18


ALL = ["amulet", "ring", "stone"]


def test_example_11_win_with_five_of_seven_steps() -> None:
    t = acting(
        _start_board(),
        {"violet": 7, "green": 3},
        {"wizard/violet": at(4, 5)},
        items={"violet": ALL},
        energy={"violet": 16},
    )
    j = t.do("violet", "walk", to="start")
    assert j.rule == "M-57"
    assert ROOM.winner(t.state) == "violet"
    t.refused("violet", "end", "M-57")


@pytest.mark.parametrize("card", [5, 1, 2])
def test_example_12_energy_at_the_finish(card: int) -> None:
    t = acting(
        _start_board(),
        {"violet": card, "green": 0},
        {"wizard/violet": at(4, 9 - (card - 1))},
        items={"violet": ALL},
        energy={"violet": 15},
    )
    if card == 5:
        j = t.refused("violet", "walk", "M-56", to="start")
        assert j.cells == (at(4, 5), "start")
        return
    if card == 2:
        t.do("violet", "energy", to=20)
    t.do("violet", "walk", to="start")
    assert t.state.winner == "violet"
    assert t.energy("violet") == min(20, 15 + {1: 4, 2: 8}[card])


def test_example_13_two_items_do_not_win() -> None:
    t = acting(
        _start_board(),
        {"violet": 3, "green": 0},
        {"wizard/violet": at(4, 7)},
        items={"violet": ["ring", "stone"]},
        energy={"violet": 20},
    )
    t.do("violet", "walk", to="start")
    assert t.state.winner is None


def _open_grid(size: int) -> Graph:
    board = grid(size, size)
    coords = {c: tuple(map(int, c.split(","))) for c in board.cells}
    return Graph({c.id: c.neighbours for c in board.cells.values()}, coords)


@pytest.mark.parametrize(
    ("steps", "cells"),
    [(1, 4), (2, 8), (3, 16), (4, 24), (5, 36), (6, 48), (7, 64), (8, 80), (9, 100), (10, 120)],
)
def test_example_14_cells_reached_from_an_open_cell(steps: int, cells: int) -> None:
    graph = _open_grid(25)
    found = reachable(graph, graph.index[at(12, 12)], (), 0, steps)
    assert found.bit_count() == cells
    for cell in graph.cells(found):
        x, y = map(int, cell.split(","))
        far = abs(x - 12) + abs(y - 12)
        assert 0 < far <= steps
        assert far % 2 == steps % 2


def test_example_14_a_part_is_pending_and_the_distance_decides() -> None:
    t = acting(grid(), {"violet": 5, "green": 3}, {"wizard/violet": at(0, 0)})
    t.do("violet", "walk", "pending", to=at(2, 2))
    t.do("violet", "walk", to=at(2, 3))


@pytest.mark.parametrize(("steps", "cells"), [(5, 12), (10, 33)])
def test_example_15_cells_reached_from_the_corner(steps: int, cells: int) -> None:
    graph = _open_grid(10)
    assert reachable(graph, graph.index[at(0, 0)], (), 0, steps).bit_count() == cells
    t = acting(grid(), {"violet": steps, "green": 3}, {"wizard/violet": at(0, 0)})
    assert len(ROOM.hints(t.state, "wizard/violet")) == cells


def test_example_16_closed_corridor() -> None:
    holes = [at(x, y) for x in range(10) for y in range(10) if y and (x, y) != (9, 9)]
    board = grid(holes=[*holes, at(5, 0)])
    pieces = {"wizard/violet": at(0, 0), "wizard/green": at(7, 0)}
    t = acting(board, {"violet": 4, "green": 3}, pieces)
    assert ROOM.hints(t.state, "wizard/violet") == (at(4, 0),)
    t.do("violet", "walk", to=at(4, 0))
    t = acting(board, {"violet": 5, "green": 3}, pieces)
    for x in range(1, 5):
        j = t.refused("violet", "walk", "M-21", to=at(x, 0))
        assert j.cells == (at(0, 0), at(x, 0))
    t.do("violet", "end")


def _goblin_table(card: int, **pieces: str):
    where = {"goblin/1": at(0, 0), "wizard/violet": at(9, 9), "wizard/green": at(0, 3)}
    return acting(grid(), {"violet": card, "green": 1}, {**where, **pieces})


def test_example_17_goblin_displaces_and_goes_on() -> None:
    t = _goblin_table(6)
    attack = {"player": "green", "to": at(5, 3)}
    t.do("violet", "goblin", piece="goblin/1", to=at(0, 6), attacks=[attack])
    assert t.cell("wizard/green") == at(5, 3)
    assert t.cell("goblin/1") == at(0, 6)


def test_example_17_without_displacing_the_goblin_may_pass() -> None:
    t = _goblin_table(6)
    t.do("violet", "goblin", piece="goblin/1", to=at(0, 6))
    assert t.cell("wizard/green") == at(0, 3)


def test_example_18_goblin_ends_on_the_wizards_cell() -> None:
    t = _goblin_table(3)
    t.refused("violet", "goblin", "M-27", piece="goblin/1", to=at(0, 3))
    attack = {"player": "green", "to": at(2, 6)}
    t.do("violet", "goblin", piece="goblin/1", to=at(0, 3), attacks=[attack])
    assert t.cell("goblin/1") == at(0, 3)


def test_example_19_card_4_protects() -> None:
    where = {"goblin/1": at(0, 0), "wizard/violet": at(9, 9), "wizard/green": at(0, 3)}
    t = acting(grid(), {"violet": 6, "green": 4}, where)
    attack = {"player": "green", "to": at(5, 3)}
    t.refused("violet", "goblin", "M-37", piece="goblin/1", to=at(0, 6), attacks=[attack])
    t.refused("violet", "goblin", "M-37", piece="goblin/1", to=at(0, 3))
    t.refused("violet", "goblin", "M-37", piece="goblin/1", to=at(0, 6))
    t.do("violet", "goblin", piece="goblin/1", to=at(1, 5))
    path = dict(t.state.turn.attackers)["goblin/1"]
    assert at(0, 3) in path.parts[0].closed


def test_example_20_item_fields_are_safe() -> None:
    board = grid(fields={"stone": [at(0, 3), at(0, 4)]})
    where = {"goblin/1": at(0, 2), "giant": at(1, 3), "wizard/green": "stone"}
    t = acting(board, {"violet": 3, "green": 5}, where)
    t.do("green", "end")
    attack = {"player": "green", "to": at(4, 4)}
    t.refused("violet", "goblin", "M-29", piece="goblin/1", to=at(0, 5), attacks=[attack])
    t.refused("violet", "goblin", "M-29", piece="goblin/1", to="stone")
    t.do("violet", "roll", dice=[1, 2])
    t.refused("violet", "giant", "M-51", to="stone")
    t.refused("violet", "giant", "M-51", to=at(0, 5), attacks=[attack])


def test_example_21_two_wizards_each_once() -> None:
    where = {
        "goblin/1": at(0, 0),
        "wizard/violet": at(9, 9),
        "wizard/green": at(0, 2),
        "wizard/red": at(0, 4),
    }
    t = acting(grid(), {"violet": 6, "green": 1, "red": 0}, where)
    attacks = [{"player": "green", "to": at(5, 2)}, {"player": "red", "to": at(5, 4)}]
    t.refused("violet", "goblin", "M-30", piece="goblin/1", to=at(0, 6), attacks=attacks[::-1])
    t.do("violet", "goblin", piece="goblin/1", to=at(0, 6), attacks=attacks)
    assert t.cell("wizard/green") == at(5, 2)
    assert t.cell("wizard/red") == at(5, 4)


def test_example_22_not_with_goblin_and_giant_in_one_turn() -> None:
    where = {
        "goblin/1": at(0, 0),
        "giant": at(5, 1),
        "wizard/violet": at(9, 9),
        "wizard/green": at(0, 3),
        "wizard/red": at(9, 0),
    }
    t = acting(grid(), {"violet": 6, "green": 9, "red": 10}, where)
    t.do("red", "end")
    t.do("green", "end")
    attack = {"player": "green", "to": at(5, 3)}
    t.do("violet", "goblin", piece="goblin/1", to=at(0, 6), attacks=[attack])
    t.do("violet", "roll", dice=[1, 1])
    again = {"player": "green", "to": at(5, 7)}
    t.refused("violet", "giant", "M-50", to=at(5, 3), attacks=[again])
    j = t.refused("violet", "giant", "M-50", to=at(5, 3))
    assert at(5, 3) in j.cells


def test_example_22_another_players_giant_may() -> None:
    where = {
        "goblin/1": at(0, 0),
        "giant": at(5, 1),
        "wizard/violet": at(9, 9),
        "wizard/green": at(0, 3),
        "wizard/red": at(9, 0),
    }
    t = acting(grid(), {"violet": 6, "green": 9, "red": 2}, where)
    t.do("green", "end")
    attack = {"player": "green", "to": at(5, 3)}
    t.do("violet", "goblin", piece="goblin/1", to=at(0, 6), attacks=[attack])
    t.do("violet", "end")
    t.do("red", "roll", dice=[1, 1])
    again = {"player": "green", "to": at(5, 7)}
    t.do("red", "giant", to=at(5, 3), attacks=[again])


@pytest.mark.parametrize("closed", [True, False])
def test_example_23_victim_in_a_corridor(closed: bool) -> None:
    holes = [at(x, y) for x in range(10) for y in range(10) if y and (x, y) != (9, 9)]
    board = grid(holes=[*holes, at(5, 0)] if closed else holes)
    where = {
        "goblin/1": at(0, 0),
        "wizard/green": at(2, 0),
        "wizard/violet": at(9, 9),
        "shield/violet": at(9, 0),
    }
    t = acting(board, {"violet": 3, "green": 1}, where)
    attack = {"player": "green", "to": at(7, 0)}
    args = {"piece": "goblin/1", "to": at(3, 0), "attacks": [attack]}
    if closed:
        args["attacks"] = [{"player": "green", "to": at(4, 0)}]
        t.refused("violet", "goblin", "M-A16", **args)
        t.refused("violet", "goblin", "M-A16", piece="goblin/1", to=at(2, 0))
    else:
        t.do("violet", "goblin", **args)


def test_example_24_giant_cannot_make_the_full_number() -> None:
    holes = [at(x, y) for x in range(10) for y in range(10) if y and (x, y) != (9, 9)]
    board = grid(holes=[*holes, at(5, 0)])
    where = {"giant": at(0, 0), "wizard/violet": at(7, 0), "shield/violet": at(8, 0)}
    t = acting(board, {"violet": 0, "green": 1}, where | {"wizard/green": at(9, 9)})
    t.do("green", "end")
    t.do("violet", "roll", dice=[2, 3])
    assert ROOM.hints(t.state, "giant") == ()
    for x in range(1, 5):
        t.refused("violet", "giant", "M-52", to=at(x, 0))
    t.do("violet", "end")


def test_example_25_shields_may_not_shut_in_a_wizard_at_the_edge() -> None:
    where = {
        "wizard/violet": at(0, 4),
        "shield/green": at(0, 3),
        "shield/red": at(0, 5),
        "wizard/green": at(9, 1),
        "wizard/red": at(9, 2),
        "wizard/orange": at(9, 3),
    }
    cards = {"violet": 1, "green": 2, "red": 3, "orange": 10}
    t = acting(grid(), cards, where)
    j = t.refused("orange", "shield", "M-46", to=at(1, 4))
    assert at(0, 4) in j.cells
    ruined = grid(ruins=[[at(1, 4), at(2, 4), at(2, 5)]])
    t = acting(ruined, cards, {**where, "shield/red": at(8, 8)})
    t.do("orange", "end")
    j = t.do("red", "shield", to=at(0, 5))
    assert keys(j) == ["shut_in"]


def test_example_26_corner() -> None:
    where = {"wizard/violet": at(0, 0), "shield/green": at(1, 0), "wizard/green": at(9, 1)}
    t = acting(grid(), {"violet": 1, "green": 2, "red": 3}, where)
    t.refused("red", "shield", "M-46", to=at(0, 1))


def test_example_27_card_0_brings_all_cards_back() -> None:
    down = {"violet": list(range(1, 11))}
    t = Table(_start_board(), "violet green", position={"played": down, "hands": {"violet": [0]}})
    t.do("violet", "lay", card=0)
    t.do("green", "lay", card=5)
    t.do("green", "end")
    t.refused("violet", "walk", "M-19", to=at(4, 9))
    t.do("violet", "end")
    assert t.state.hands["violet"] == frozenset(range(11))
    assert not t.state.played["violet"]


def test_example_28_ruins_are_stopped() -> None:
    board = _start_board(ruins=[L])
    t = acting(board, {"violet": 7, "green": 5}, {"shield/green": at(5, 4)})
    to = [at(5, 4), at(5, 5), at(6, 5)]
    t.refused("violet", "slide", "M-33", ruin="ruin/1", to=to)
    t.do("violet", "end")
    t.refused("green", "lift", "M-35", ruin="ruin/1", to=["start", at(4, 9), at(5, 9)])


def test_walk_search_finds_the_example_of_the_rules_in_reverse() -> None:
    graph = _open_grid(10)
    path = find_walk(graph, graph.index[at(0, 0)], _legs(graph, at(1, 0)), 11)
    assert path is not None
    assert len(set(path)) == 12


def _legs(graph: Graph, goal: str):
    from engine.paths import Leg

    return (Leg(graph.index[goal], 0),)
