"""Items on walks that are not seen (M-53, M-A32)."""

from __future__ import annotations

from tests.engine.magalon.support import ROOM, Table, acting, at, grid, keys


def _board(**more):
    fields = {"stone": [at(2, 0), at(3, 0), at(4, 0)], "start": [at(9, 5)]}
    return grid(fields=fields, **more)


def test_item_on_the_target_field() -> None:
    t = acting(_board(), {"violet": 3, "green": 0}, {"wizard/violet": at(2, 2)})
    j = t.do("violet", "walk", to="stone")
    assert keys(j) == ["item_taken"]
    assert t.state.items["violet"] == {"stone"}


def test_item_that_may_have_been_passed_is_taken_and_can_be_refused() -> None:
    t = acting(_board(), {"violet": 6, "green": 0}, {"wizard/violet": at(1, 0)})
    j = t.do("violet", "walk", to=at(4, 1))
    assert keys(j) == ["item_perhaps"]
    t.do("violet", "leave", item="stone")
    assert not t.state.items["violet"]
    t.do("violet", "take", item="stone")
    assert t.state.items["violet"] == {"stone"}
    t.do("violet", "end")
    t.refused("violet", "leave", "M-53", item="stone")


def test_item_that_must_have_been_passed_cannot_be_refused() -> None:
    t = acting(_board(), {"violet": 3, "green": 0}, {"wizard/violet": at(2, 0)})
    via = ["stone", at(3, 0)]
    j = t.do("violet", "walk", to=at(4, 0), via=via)
    assert keys(j) == ["item_taken"]
    t.refused("violet", "leave", "M-53", item="stone")


def test_item_that_cannot_have_been_passed_cannot_be_taken() -> None:
    t = acting(_board(), {"violet": 3, "green": 0}, {"wizard/violet": at(0, 0)})
    t.do("violet", "walk", to=at(0, 3))
    t.refused("violet", "take", "M-53", item="stone")
    t.refused("green", "take", "M-53", item="stone")
    t.refused("violet", "take", "M-53", item="ring")


def test_an_owned_item_field_is_a_plain_cell() -> None:
    t = acting(
        _board(),
        {"violet": 3, "green": 0},
        {"wizard/violet": at(2, 0)},
        items={"violet": ["stone"]},
    )
    j = t.do("violet", "walk", to=at(4, 0))
    assert keys(j) == []


def test_occupied_item_field_is_closed_and_can_be_opened_by_option() -> None:
    where = {"wizard/violet": at(2, 2), "wizard/green": "stone"}
    t = acting(_board(), {"violet": 3, "green": 0}, where)
    t.refused("violet", "walk", "M-22", to="stone")
    t = acting(_board(), {"violet": 3, "green": 0}, where, {"M-A6": "b"})
    t.do("violet", "walk", to="stone")


def test_items_of_a_cancelled_walk_go_back() -> None:
    t = acting(_board(), {"violet": 5, "green": 0}, {"wizard/violet": at(2, 1)})
    t.do("violet", "walk", "pending", to="stone", via=[at(2, 0)])
    assert t.state.items["violet"] == {"stone"}
    j = t.do("violet", "cancel", piece="wizard/violet")
    assert "item_back" in keys(j)
    assert not t.state.items["violet"]


def _two_ways() -> Table:
    """A ring of cells with an item field on each side, and equally long ways round."""
    cells = {(x, y) for x in range(7) for y in (0, 4)} | {(x, y) for x in (0, 6) for y in range(5)}
    cells -= {(3, 0), (3, 4)}
    holes = [at(x, y) for x in range(10) for y in range(10) if (x, y) not in cells | {(9, 9)}]
    fields = {"stone": [at(2, 0), at(4, 0)], "ring": [at(2, 4), at(4, 4)]}
    board = grid(fields=fields, holes=holes)
    where = {"wizard/violet": at(0, 2), "wizard/green": at(9, 9)}
    return acting(board, {"violet": 10, "green": 0}, where)


def test_two_equal_ways_are_asked_with_complete_actions() -> None:
    t = _two_ways()
    j = t.do("violet", "walk", "ambiguous", to=at(6, 2))
    assert j.rule == "M-53"
    assert len(j.choices) == 2
    gained = set()
    for choice in j.choices:
        (action,) = choice.actions
        assert len(action.args["via"]) == 9
        judged = ROOM.judge(t.state, action)
        assert judged.status.value == "legal"
        gained |= judged.state.items["violet"]
        assert len(judged.state.items["violet"]) == 1
    assert gained == {"stone", "ring"}


def test_two_ways_with_an_early_item_keep_the_choice_answerable() -> None:
    t = _two_ways()
    t.do("violet", "walk", "pending", to=at(5, 0))
    assert t.state.items["violet"] == {"stone"}
    t.do("violet", "walk", to=at(6, 2))
    assert t.state.items["violet"] == {"stone"}


def test_displaced_wizard_takes_an_item_only_where_it_cannot_be_avoided() -> None:
    where = {"goblin/1": at(0, 4), "wizard/green": at(0, 1), "wizard/violet": at(9, 9)}
    t = acting(_board(), {"violet": 3, "green": 0}, where)
    attack = {"player": "green", "to": at(4, 0)}
    j = t.do("violet", "goblin", piece="goblin/1", to=at(0, 1), attacks=[attack])
    assert "item_missed" in keys(j)
    assert not t.state.items["green"]
    t.do("green", "take", item="stone")
    assert t.state.items["green"] == {"stone"}
    t.do("green", "leave", item="stone")
    assert not t.state.items["green"]
    t.do("violet", "end")


def test_displaced_onto_an_item_field_takes_it() -> None:
    where = {"goblin/1": at(0, 4), "wizard/green": at(0, 3), "wizard/violet": at(9, 9)}
    where["goblin/1"] = at(0, 6)
    t = acting(_board(), {"violet": 3, "green": 0}, where)
    attack = {"player": "green", "to": "stone"}
    j = t.refused("violet", "goblin", "M-27", piece="goblin/1", to=at(0, 3), attacks=[attack])
    assert "exactly 5" in j.message.text
    where["wizard/green"] = at(0, 2)
    t = acting(_board(), {"violet": 6, "green": 0}, {**where, "goblin/1": at(0, 8)})
    t.do("violet", "goblin", piece="goblin/1", to=at(0, 2), attacks=[attack])
    assert t.state.items["green"] == {"stone"}
    t.refused("green", "leave", "M-53", item="stone")


def test_displaced_onto_the_finish_with_everything_wins() -> None:
    where = {"goblin/1": at(7, 8), "wizard/green": at(7, 5), "wizard/violet": at(0, 9)}
    t = acting(
        _board(),
        {"violet": 3, "green": 0},
        where,
        energy={"green": 16},
        items={"green": ["amulet", "ring", "stone"]},
    )
    attack = {"player": "green", "to": "start"}
    t.do("violet", "goblin", piece="goblin/1", to=at(7, 5), attacks=[attack])
    assert t.state.winner == "green"


def test_displaced_onto_the_finish_without_energy_is_refused() -> None:
    where = {"goblin/1": at(7, 8), "wizard/green": at(7, 5), "wizard/violet": at(0, 9)}
    t = acting(_board(), {"violet": 3, "green": 0}, where)
    attack = {"player": "green", "to": "start"}
    t.refused("violet", "goblin", "M-27", piece="goblin/1", to=at(7, 5), attacks=[attack])


def test_item_on_the_way_to_the_finish_counts() -> None:
    t = acting(
        _board(),
        {"violet": 10, "green": 0},
        {"wizard/violet": at(2, 0)},
        energy={"violet": 16},
        items={"violet": ["amulet", "ring"]},
    )
    t.refused("violet", "walk", "M-19", to="start")
    where = {"wizard/violet": at(4, 1)}
    t = acting(
        _board(),
        {"violet": 10, "green": 0},
        where,
        energy={"violet": 16},
        items={"violet": ["amulet", "ring"]},
    )
    t.refused("violet", "walk", "M-19", to="start", via=[at(3, 1), at(3, 0)])
    board = grid(fields={"stone": [at(2, 0), at(3, 0)], "start": [at(5, 0)]})
    t = acting(
        board,
        {"violet": 7, "green": 0},
        {"wizard/violet": at(1, 0)},
        energy={"violet": 16},
        items={"violet": ["amulet", "ring"]},
    )
    t.do("violet", "walk", to="start")
    assert t.state.winner == "violet"


def test_choice_over_an_earlier_part_is_answered_with_take() -> None:
    ring = {(x, y) for x in (0, 4) for y in range(3)} | {(1, 0), (3, 0), (1, 2), (3, 2)}
    cells = ring | {(5, 1), (6, 1), (7, 1), (9, 9)}
    holes = [at(x, y) for x in range(10) for y in range(10) if (x, y) not in cells]
    fields = {"stone": [at(1, 0), at(3, 0)], "ring": [at(1, 2), at(3, 2)]}
    where = {"wizard/violet": at(0, 1), "wizard/green": at(9, 9)}
    t = acting(grid(fields=fields, holes=holes), {"violet": 9, "green": 0}, where)
    j = t.do("violet", "walk", "pending", to=at(4, 1))
    assert not j.notes
    assert not t.state.items["violet"]
    j = t.do("violet", "walk", "ambiguous", to=at(7, 1))
    assert [a.do for a in j.choices[0].actions] == ["take", "walk"]
    gained = []
    for choice in j.choices:
        state = t.state
        for action in choice.actions:
            judged = ROOM.judge(state, action)
            assert judged.status.value in ("legal", "pending"), judged.message
            state = judged.state
        gained.append(sorted(state.items["violet"]))
    assert sorted(gained) == [["ring"], ["stone"]]
