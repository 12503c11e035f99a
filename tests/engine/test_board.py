"""Board files: what is read and what is refused, with one sentence."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.board import load_board
from engine.errors import BoardFileError
from engine.lattice import lattice_of


def _cell(name: str, x: float, near: list[str]) -> dict:
    box = [[x, 0], [x + 10, 0], [x + 10, 10], [x, 10]]
    return {"id": name, "polygon_mm": box, "neighbours": near, "roles": ["energy"]}


def _mark(value: int) -> dict:
    return {"value": value, "polygon_mm": [[value, 0], [value + 1, 0], [value + 1, 1]]}


def _raw(**more: object) -> dict:
    cells = [_cell("a", 0, ["b"]), _cell("b", 10, ["a"])]
    return {"version": 1, "game": None, "size_mm": [20, 10], "cells": cells, **more}


def test_reference_board() -> None:
    board = load_board("reference")
    assert len(board.cells) == 295
    assert board.with_role("start") == ("start",)
    assert sorted(board.track) == list(range(21))
    assert board.size_of("giant") == (24.0, 24.0, 48.0)


def test_own_board_and_unknown_keys() -> None:
    board = load_board(_raw(colour_of_the_box="blue"))
    assert board.with_role("energy") == ("a", "b")
    assert board.raw["colour_of_the_box"] == "blue"
    assert board.cell_size_mm == pytest.approx(10)
    assert board.centres["b"] == pytest.approx((15, 5))


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        ([], "object"),
        (_raw(version=2), "version"),
        (_raw(size_mm=[0, 10]), "size_mm"),
        (_raw(size_mm=None), "incomplete"),
        (_raw(cells=[]), "no cells"),
        (_raw(cells=[_cell("a", 0, []), _cell("a", 10, [])]), "twice"),
        (_raw(cells=[_cell("a", 0, ["z"])]), "does not exist"),
        (_raw(cells=[_cell("a", 0, ["a"])]), "its own neighbour"),
        (_raw(cells=[_cell("a", 0, ["b"]), _cell("b", 10, [])]), "other way round"),
        (_raw(cells=[{"id": "a"}]), "polygon_mm"),
        (_raw(cells=[{"id": "a", "polygon_mm": [[0, 0]]}]), "three or more"),
        (_raw(energy_track=[{"value": "x", "polygon_mm": []}]), "energy track"),
        (_raw(energy_track=[_mark(1), _mark(2), _mark(4)]), "mark 3 is missing"),
        (_raw(energy_track=[_mark(1), _mark(2), _mark(1)]), "mark 1 is there twice"),
        (_raw(inventory=[{"kind": "wizard"}]), "incomplete"),
    ],
)
def test_damaged_boards(tmp_path: Path, raw: object, words: str) -> None:
    path = tmp_path / "b.json"
    path.write_text(json.dumps(raw))
    with pytest.raises(BoardFileError) as caught:
        load_board(path)
    assert words in str(caught.value)
    assert "b.json" in str(caught.value)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(BoardFileError, match="cannot open"):
        load_board(tmp_path / "none.json")
    (tmp_path / "x.json").write_text("{")
    with pytest.raises(BoardFileError, match="not JSON"):
        load_board(tmp_path / "x.json")


def test_lattice_of_the_reference_board() -> None:
    board = load_board("reference")
    lattice = lattice_of(board)
    assert len(lattice.coords) == 291
    assert "start" not in lattice.coords
    for name, (x, y) in lattice.coords.items():
        assert (x, 20 - y) == (ord(name[0]) - ord("a"), int(name[1:]) - 1)
    assert lattice.shifted(frozenset({"a1", "b1"}), 0, -2) == {"a3", "b3"}
    assert lattice.shifted(frozenset({"a1"}), -1, 0) is None
    assert lattice.shifted(frozenset({"start"}), 1, 0) is None


def test_who_holds_a_board_has_what_others_load(tmp_path: Path) -> None:
    path = tmp_path / "b.json"
    path.write_text(json.dumps(_raw()))
    board = load_board(path)
    assert load_board(path) is board
    assert load_board("reference") is load_board("reference") is not board
    path.write_text(json.dumps(_raw(size_mm=[30, 10])))
    changed = load_board(path)
    assert (board.size_mm, changed.size_mm) == ((20, 10), (30, 10))
    path.write_text(json.dumps(_raw(version=2)))
    with pytest.raises(BoardFileError):
        load_board(path)
