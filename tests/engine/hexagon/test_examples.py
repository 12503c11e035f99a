"""The 12 examples of the rules file, by number, on the board with one flame."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.board import load_board
from engine.hexagon.grid import DIRECTIONS, OPPOSITE, grid_of
from tests.engine.hexagon.support import Table, at, hexagon, keys, moving

SHARED = Path(__file__).resolve().parents[3] / ".." / "shared" / "boards"


def test_example_01_a_foreign_wisdom_burns() -> None:
    t = moving("red -2+0", "blue* -1+0")
    j = t.push("red", at(-2, 0), at(-1, 0))
    assert keys(j) == ["burns"]
    assert (t.on(at(-1, 0)), t.on(at(0, 0))) == ("wizard/red", None)
    t.do("red", "burnt", cell=at(0, 0), value=2)
    assert t.points() == (2, 0)
    assert t.state.to_act == "blue"


def test_example_02_no_own_wisdom_into_the_fire() -> None:
    t = moving("red -3+0", "red* -2+0", "blue* -1+0", "blue +3+0")
    t.push("red", at(-3, 0), at(-2, 0))
    t.do("red", "burnt", cell=at(0, 0), value=1)
    assert (t.on(at(-2, 0)), t.on(at(-1, 0))) == ("wizard/red", "wisdom/red")
    t.push("blue", at(3, 0), at(4, 0))
    j = t.refused("red", "push", "H-17", from_=at(-2, 0), to=at(-1, 0))
    assert at(0, 0) in j.cells


@pytest.mark.parametrize(
    ("origin", "direction", "to"),
    [
        (at(4, 0), "E", at(-4, 0)),
        (at(2, 2), "E", at(-4, 2)),
        (at(4, -4), "E", at(0, -4)),
        (at(4, -4), "NE", at(-4, 4)),
        (at(4, -4), "NW", at(4, 0)),
        (at(0, 4), "SE", at(0, -4)),
    ],
)
def test_example_03_out_and_in_again(origin: str, direction: str, to: str) -> None:
    t = moving(f"red {origin}", "blue +1+1")
    assert t.state.setup.grid.step[direction][origin] == to
    assert origin in t.state.setup.grid.exits[direction]
    t.push("red", origin, to)
    assert (t.on(origin), t.on(to)) == (None, "wizard/red")


def test_example_04_a_push_over_the_border() -> None:
    t = moving("red +3+0", "blue +4+0")
    t.push("red", at(3, 0), at(4, 0))
    assert (t.on(at(3, 0)), t.on(at(4, 0)), t.on(at(-4, 0))) == (None, "wizard/red", "wizard/blue")


def test_example_05_a_full_line_stays() -> None:
    row = [f"{'red' if q % 2 else 'blue'} {at(q, 0)}" for q in range(-4, 5)]
    t = moving(*row)
    j = t.refused("red", "push", "H-A4", from_=at(-1, 0), to=at(0, 0))
    assert len(j.cells) == 9


def test_example_06_not_back_at_once() -> None:
    t = moving("red +3+0", "blue +4+0")
    t.push("red", at(3, 0), at(4, 0))
    j = t.refused("blue", "push", "H-15", from_=at(-4, 0), to=at(4, 0))
    assert set(j.cells) == {at(-4, 0), at(4, 0)}


def test_example_07_jumps_with_a_turn() -> None:
    t = moving("red +0+1", "blue +1+1", "red* +2+0")
    t.jump("red", at(0, 1), at(2, 1), at(2, -1))
    assert (t.on(at(0, 1)), t.on(at(2, -1))) == (None, "wizard/red")
    assert (t.on(at(1, 1)), t.on(at(2, 0))) == ("wizard/blue", "wisdom/red")


def test_example_08_a_wizard_stands_in_the_fire() -> None:
    t = moving("red -1+0", "blue +3+0")
    t.push("red", at(-1, 0), at(0, 0))
    assert t.on(at(0, 0)) == "wizard/red"
    assert not t.state.pending


@pytest.mark.parametrize(
    ("values", "totals"),
    [
        ((2, 2, 1), (2, 4, 5)),
        ((1, 1, 2, 2), (1, 2, 4, 6)),
        ((-1, -1, 1, 1, 1, 2, 2), (-1, -2, -1, 0, 1, 3, 5)),
    ],
)
def test_example_09_five_points_win(values: tuple[int, ...], totals: tuple[int, ...]) -> None:
    pieces: dict[str, str] = {"wizard/red/1": at(-2, 0), "wizard/blue/1": at(0, 4)}
    t = Table(position={"phase": "moving", "pieces": pieces})
    for n, (value, total) in enumerate(zip(values, totals, strict=True), 1):
        pieces = {"wizard/red/1": at(-2, 0), f"wisdom/blue/{n}": at(-1, 0)}
        t = Table(position={**t_position(t), "pieces": pieces, "to_move": "red"})
        t.push("red", at(-2, 0), at(-1, 0))
        j = t.do("red", "burnt", cell=at(0, 0), value=value)
        assert t.points() == (total, 0)
        won = total >= 5
        assert won == (n == len(values))
        assert (t.state.winner, j.rule) == (("red", "H-20") if won else (None, None))
    t.refused("blue", "push", "H-20", from_=at(0, 4), to=at(0, 3))


def t_position(t: Table) -> dict:
    """The points and the burnt values of a table."""
    whole = {
        "scores": dict(t.state.points),
        "burnt": {c: list(v) for c, v in t.state.burnt.items()},
    }
    return {"phase": "moving", **whole}


@pytest.mark.parametrize("value", [1, 2, -1])
def test_example_10_no_value_more_often_than_it_exists(value: int) -> None:
    count = {1: 3, 2: 2, -1: 2}[value]
    t = moving("red -2+0", "blue* -1+0", burnt={"blue": [value] * count}, scores={"red": 0})
    t.push("red", at(-2, 0), at(-1, 0))
    t.refused("red", "burnt", "H-19", cell=at(0, 0), value=value)
    t = Table(hexagon())
    free = [c for c in t.board.cells if c not in t.state.at and c != at(0, 0)]
    for _ in range(count):
        t.do("red", "place", to=free.pop(), value=value)
        t.do("blue", "place", to=free.pop())
    t.refused("red", "place", "H-3", to=free[0], value=value)


def test_example_11_and_12_placing_and_the_count() -> None:
    t = Table(hexagon())
    t.refused("red", "place", "H-3", to=at(0, 0))
    free = [c for c in t.board.cells if c not in t.state.at and c != at(0, 0)]
    for n in range(14):
        actor = ("red", "blue")[n % 2]
        assert t.state.to_act == actor
        t.refused(("blue", "red")[n % 2], "place", "H-3", to=free[n])
        t.refused(actor, "push", "H-3", from_=at(0, 4), to=at(0, 3))
        t.do(actor, "place", to=free[n])
    assert t.state.phase.value == "moving"
    assert t.state.to_act == "red"
    assert len(t.state.at) == 34
    assert not t.state.at.keys() & t.state.setup.flames


@pytest.mark.parametrize("side", [2, 3, 5, 6])
def test_example_03_leaving_and_returning_are_inverse(side: int) -> None:
    grid = grid_of(hexagon(side, wizards=1, wisdoms=1))
    for name in DIRECTIONS:
        back = grid.step[OPPOSITE[name]]
        assert all(back[to] == cell for cell, to in grid.step[name].items())
        entered = {grid.step[name][cell] for cell in grid.exits[name]}
        assert entered == grid.exits[OPPOSITE[name]]
    exits = sum(len(cells) for cells in grid.exits.values())
    assert exits == 6 * (2 * side - 1)  # 54 on side 5 (H-A5)
    corners = [c for c in grid.step["E"] if sum(c in grid.exits[d] for d in DIRECTIONS) == 3]
    assert len(corners) == 6


@pytest.mark.shared
@pytest.mark.skipif(not SHARED.is_dir(), reason="needs the shared boards")
def test_the_generated_board_is_the_shared_one() -> None:
    shared, ours = load_board(SHARED / "hexagon-one-flame.json"), hexagon()
    assert shared.cells.keys() == ours.cells.keys()
    assert grid_of(shared).step == grid_of(ours).step
    assert shared.with_role("flame") == ours.with_role("flame")
