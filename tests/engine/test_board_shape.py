"""How cells may lie on a board, and what is said of those that don't."""

from __future__ import annotations

import json
import math
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine.board import check_walkable, load_board
from engine.errors import BoardFileError
from engine.rooms import ROOMS
from tests.faults.running import short

SIDE, ACROSS, DOWN = 20.0, 5, 4


def grid() -> dict[str, Any]:
    """A sound board of squares, walked from side to side."""
    cells = []
    for x in range(ACROSS):
        for y in range(DOWN):
            near = [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
            cells.append({
                "id": f"{x}-{y}",
                "polygon_mm": [[SIDE * (x + dx), SIDE * (y + dy)] for dx, dy in ((0, 0), (1, 0), (1, 1), (0, 1))],
                "neighbours": [f"{a}-{b}" for a, b in near if 0 <= a < ACROSS and 0 <= b < DOWN],
            })  # fmt: skip
    return {
        "version": 1,
        "game": "magalon",
        "size_mm": [SIDE * ACROSS, SIDE * DOWN],
        "cells": cells,
    }


def cell(raw: dict[str, Any], name: str) -> dict[str, Any]:
    return next(c for c in raw["cells"] if c["id"] == name)


def moved(raw: dict[str, Any], name: str, dx: float, dy: float) -> None:
    found = cell(raw, name)
    found["polygon_mm"] = [[x + dx, y + dy] for x, y in found["polygon_mm"]]


def cut_off(raw: dict[str, Any], *names: str) -> None:
    """No way leads to these cells any more, but from one to the other."""
    for c in raw["cells"]:
        c["neighbours"] = [n for n in c["neighbours"] if (n in names) == (c["id"] in names)]


def refusal(raw: dict[str, Any]) -> BoardFileError:
    with pytest.raises(BoardFileError) as caught:
        check_walkable(load_board(raw), "the board")
    return caught.value


@pytest.mark.parametrize("game", ROOMS)
def test_the_shipped_boards_are_sound(game: str) -> None:
    load_board(json.loads(resources.files("engine").joinpath(f"data/{game}.json").read_bytes()))


cells = st.tuples(st.integers(0, ACROSS - 1), st.integers(0, DOWN - 1))


@short(60)
@given(cells, st.floats(-0.12, 0.12), st.floats(-0.12, 0.12))
def test_a_cell_that_was_measured_a_little_beside_is_let_stand(
    at: tuple[int, int], dx: float, dy: float
) -> None:
    raw = grid()
    moved(raw, f"{at[0]}-{at[1]}", dx * SIDE, dy * SIDE)
    check_walkable(load_board(raw), "the board")


@short(60)
@given(cells, cells, st.floats(-0.2, 0.2), st.floats(-0.2, 0.2), st.integers(0, 3))
def test_a_cell_over_another_is_told_with_its_name(
    at: tuple[int, int], to: tuple[int, int], dx: float, dy: float, turned: int
) -> None:
    assume(at != to)
    raw, name = grid(), f"{at[0]}-{at[1]}"
    moved(raw, name, (to[0] - at[0] + dx) * SIDE, (to[1] - at[1] + dy) * SIDE)
    corners = cell(raw, name)["polygon_mm"]
    cell(raw, name)["polygon_mm"] = corners[turned:] + corners[:turned]
    error = refusal(raw)
    assert error.key in ("board.cells_overlap", "board.cell_outside")
    assert name in str(error)
    if not (dx or dy):
        assert f"{to[0]}-{to[1]}" in str(error)


@short(40)
@given(cells, st.floats(0, 2 * math.pi), st.floats(1.2, 9))
def test_a_cell_off_the_board_is_told_with_the_board_s_size(
    at: tuple[int, int], angle: float, far: float
) -> None:
    raw, name = grid(), f"{at[0]}-{at[1]}"
    width, height = raw["size_mm"]
    middle = ((at[0] + 0.5) * SIDE, (at[1] + 0.5) * SIDE)
    goal = (width / 2 + far * width * math.cos(angle), height / 2 + far * height * math.sin(angle))
    moved(raw, name, goal[0] - middle[0], goal[1] - middle[1])
    error = refusal(raw)
    assert error.key == "board.cell_outside"
    assert f"cell {name} lies outside the board of 100 × 80 mm" in str(error)


@short(40)
@given(cells, st.sampled_from([(0, 1), (1, 2), (2, 3), (3, 0)]))
def test_an_outline_that_crosses_itself_is_told(at: tuple[int, int], both: tuple[int, int]) -> None:
    raw, name = grid(), f"{at[0]}-{at[1]}"
    # a square of eight corners, so that two exchanged ones still leave an area
    rim = [(0, 0), (1, 0), (2, 0), (2, 1), (2, 2), (1, 2), (0, 2), (0, 1)]
    corners = [[(at[0] + x / 2) * SIDE, (at[1] + y / 2) * SIDE] for x, y in rim]
    one, other = (2 * n for n in both)
    corners[one], corners[other] = corners[other], corners[one]
    cell(raw, name)["polygon_mm"] = corners
    error = refusal(raw)
    assert error.key == "board.cell_crosses"
    assert f"cell {name} crosses" in str(error)


@short(40)
@given(cells, st.floats(0.02, 0.09))
def test_a_tiny_cell_is_told(at: tuple[int, int], share: float) -> None:
    raw, name = grid(), f"{at[0]}-{at[1]}"
    found = cell(raw, name)
    x0, y0 = found["polygon_mm"][0]
    found["polygon_mm"] = [[x0 + share * (x - x0), y0 + share * (y - y0)] for x, y in found["polygon_mm"]]  # fmt: skip
    error = refusal(raw)
    assert error.key == "board.cell_small"
    assert f"cell {name} is" in str(error)


@short(30)
@given(cells)
def test_a_cell_without_neighbours_is_told_where_pieces_walk(at: tuple[int, int]) -> None:
    raw, name = grid(), f"{at[0]}-{at[1]}"
    cut_off(raw, name)
    error = refusal(raw)
    assert error.key == "board.cell_alone"
    assert f"cell {name} has no neighbours" in str(error)


@short(30)
@given(st.integers(0, ACROSS - 2), st.integers(0, DOWN - 1))
def test_cells_that_no_way_leads_to_are_told(x: int, y: int) -> None:
    raw, names = grid(), (f"{x}-{y}", f"{x + 1}-{y}")
    cut_off(raw, *names)
    error = refusal(raw)
    assert error.key == "board.cell_apart"
    assert error.params["cell"] in names
    assert error.params["other"] not in names


def test_a_file_of_a_board_that_is_played_on_needs_ways_to_all_cells(tmp_path: Path) -> None:
    raw, path = grid(), tmp_path / "board.json"
    cut_off(raw, "0-0")
    path.write_text(json.dumps(raw))
    with pytest.raises(BoardFileError, match="cell 0-0 has no neighbours"):
        load_board(path)
    path.write_text(json.dumps({**raw, "game": None}))
    load_board(path)


def test_a_file_made_to_keep_the_program_busy_is_refused() -> None:
    strips = [
        {"id": str(n), "polygon_mm": [[0, n / 9], [99, 400 + n / 9], [99, 400.1 + n / 9], [0, n / 9 + 0.1]]}
        for n in range(4000)
    ]  # fmt: skip
    error = refusal({"version": 1, "size_mm": [900, 900], "cells": strips})
    assert error.key == "board.cells_tangled"
