"""Readings that a group can choose, and the variant with open placing."""

from __future__ import annotations

import pytest

from engine.errors import BoardwardenError
from engine.hexagon.legal import changes
from tests.engine.hexagon.support import ROOM, Table, at, hexagon, keys, moving


def test_a2_only_foreign_pieces() -> None:
    t = moving("red +1+0", "red* +2+0", options={"H-A2": "b"})
    t.refused("red", "push", "H-A2", from_=at(1, 0), to=at(2, 0))
    t = moving("red +1+0", "blue* +2+0", "blue +3+0", options={"H-A2": "b"})
    t.push("red", at(1, 0), at(2, 0))


def test_a2_only_one_piece() -> None:
    t = moving("red +1+0", "red* +2+0", "blue +3+0", options={"H-A2": "c"})
    t.refused("red", "push", "H-A2", from_=at(1, 0), to=at(2, 0))
    t = moving("red +1+0", "red* +2+0", options={"H-A2": "c"})
    t.push("red", at(1, 0), at(2, 0))


def test_a3_no_chain_across_the_border() -> None:
    t = moving("red +3+0", "blue +4+0", options={"H-A3": "b"})
    t.refused("red", "push", "H-A3", from_=at(3, 0), to=at(4, 0))
    t = moving("red +4+0", options={"H-A3": "b"})
    t.push("red", at(4, 0), at(-4, 0))


def test_a4_a_full_line_turns() -> None:
    row = [f"{'red' if q % 2 else 'blue'} {at(q, 0)}" for q in range(-4, 5)]
    t = moving(*row, options={"H-A4": "b"})
    t.push("red", at(-1, 0), at(0, 0))
    assert t.on(at(-4, 0)) == "wizard/blue"
    assert t.on(at(-3, 0)) == "wizard/blue"
    assert t.on(at(0, 0)) == "wizard/red"


def test_a6_the_entry_must_be_empty() -> None:
    t = moving("red +4+0", "blue -4+0", options={"H-A6": "b"})
    t.refused("red", "push", "H-A6", from_=at(4, 0), to=at(-4, 0))
    t = moving("red +4+0", "blue -4+0")
    t.push("red", at(4, 0), at(-4, 0))
    assert t.on(at(-3, 0)) == "wizard/blue"


def test_a7_only_the_own_crossing() -> None:
    t = moving("red +3+0", "blue +4+0", options={"H-A7": "b"})
    t.push("red", at(3, 0), at(4, 0))
    t.push("blue", at(-4, 0), at(4, 0))
    assert t.on(at(3, 0)) == "wizard/red"
    t = moving("red +4+0", "blue +0+3", options={"H-A7": "b"})
    t.push("red", at(4, 0), at(-4, 0))
    t.push("blue", at(0, 3), at(0, 2))
    t.refused("red", "push", "H-15", from_=at(-4, 0), to=at(4, 0))


def test_a7_no_memory() -> None:
    t = moving("red +4+0", "blue +0+3", options={"H-A7": "c"})
    t.push("red", at(4, 0), at(-4, 0))
    t.push("blue", at(0, 3), at(0, 2))
    t.push("red", at(-4, 0), at(4, 0))


def test_a9_jumps_across_the_border() -> None:
    t = moving("red +3+0", "blue +4+0", "blue +0+3", options={"H-A9": "b"})
    t.jump("red", at(3, 0), at(-4, 0))
    assert t.on(at(-4, 0)) == "wizard/red"
    t.push("blue", at(0, 3), at(0, 2))
    t.refused("red", "jump", "H-15", from_=at(-4, 0), path=[at(3, 0)])


def test_a10_a_circle_of_jumps() -> None:
    t = moving("red +1+0", "blue +2+0", options={"H-A10": "b"})
    assert any(c.to == at(1, 0) for c in changes(t.state))
    t.jump("red", at(1, 0), at(3, 0), at(1, 0))
    assert t.state.to_act == "blue"


def test_a15_a_wizard_in_the_flame() -> None:
    t = moving("red -2+0", "blue* -1+0", "red +0+0", options={"H-A15": "b"})
    t.refused("red", "push", "H-A15", from_=at(-2, 0), to=at(-1, 0))
    t = moving("red -2+0", "blue* -1+0", "red +0+0")
    t.push("red", at(-2, 0), at(-1, 0))
    assert t.on(at(1, 0)) == "wizard/red"
    assert t.state.pending == (at(0, 0),)


@pytest.mark.parametrize(("option", "points"), [("a", -1), ("b", 0)])
def test_a17_points_below_zero(option: str, points: int) -> None:
    t = moving("red -2+0", "blue* -1+0", options={"H-A17": option})
    t.push("red", at(-2, 0), at(-1, 0))
    t.do("red", "burnt", cell=at(0, 0), value=-1)
    assert t.points() == (points, 0)


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
@pytest.mark.parametrize("option", ["a", "b"])
def test_a14_a26_two_burn_at_once_in_any_order(order: tuple[int, int], option: str) -> None:
    flames = ["+0+0", "+2+0"]
    t = moving(
        "red -2+0", "blue* -1+0", "blue +0+0", "blue* +1+0",
        board=hexagon(flames=flames), options={"H-A17": option},
    )  # fmt: skip
    j = t.push("red", at(-2, 0), at(-1, 0))
    assert keys(j) == ["burns"] * 2
    assert set(t.state.pending) == set(flames)
    told = [(flames[0], -1), (flames[1], 2)]
    first, second = (told[n] for n in order)
    t.do("red", "burnt", "pending", cell=first[0], value=first[1])
    t.do("red", "burnt", cell=second[0], value=second[1])
    assert t.points() == (1, 0)


def test_a14_the_win_is_tested_after_the_last() -> None:
    t = moving(
        "red -2+0", "blue* -1+0", "blue +0+0", "blue* +1+0",
        board=hexagon(flames=["+0+0", "+2+0"]), scores={"red": 4}, burnt={"blue": [2, 2]},
    )  # fmt: skip
    t.push("red", at(-2, 0), at(-1, 0))
    t.do("red", "burnt", "pending", cell="+0+0", value=1)
    t.do("red", "burnt", cell="+2+0", value=-1)
    assert t.points() == (4, 0)
    assert t.state.winner is None


def test_h6_open_placing_takes_the_values() -> None:
    t = Table(hexagon(), options={"H-6": "open"})
    t.do("red", "place", to=at(1, 0), value=2)
    t.do("blue", "place", to=at(2, 0), value=-1)


def test_h24_no_value_is_kept_under_a_piece() -> None:
    t = Table(hexagon())
    t.do("red", "place", to=at(1, 0), value=2)
    assert t.state.placed == {"red": (2,), "blue": ()}
    free = [c for c in t.board.cells if c not in t.state.at and c not in t.state.setup.flames]
    for value in (1, 1, 1, 2, -1, -1):
        t.do("blue", "place", to=free.pop())
        t.do("red", "place", to=free.pop(), value=value)
    t.do("blue", "place", to=free.pop())
    position = ROOM.position(t.state)
    assert "placed_values" not in position
    assert set(position["pieces"].values()) <= {*t.board.cells, None}


def test_a21_the_third_time_is_said() -> None:
    t = moving("red +1+0", "blue +3+0")
    said = []
    for _ in range(3):
        for player, there, back in (("red", at(1, 0), at(1, 1)), ("blue", at(3, 0), at(3, 1))):
            said += keys(t.push(player, there, back))
        for player, there, back in (("red", at(1, 1), at(1, 0)), ("blue", at(3, 1), at(3, 0))):
            said += keys(t.push(player, there, back))
    assert "third_time" in said


@pytest.mark.parametrize("options", [{"H-A99": "b"}, {"H-A2": "d"}, {"H-A2": 1}])
def test_unknown_options_list_the_known_ones(options: dict) -> None:
    with pytest.raises(BoardwardenError, match="H-A7: a, b, c"):
        Table(hexagon(), options)
