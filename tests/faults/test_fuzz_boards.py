"""Board files with any damage: a board that can be used, or one sentence."""

from __future__ import annotations

import json
import random
from importlib import resources
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from companion_app.selftest.damage import damaged_json, json_text
from engine.board import Board, load_board
from engine.game import Header, Player
from engine.rooms import room_for
from tests.faults.running import short, soaked, survives

WHOLE = json.loads(resources.files("engine").joinpath("data/magalon.json").read_text("utf-8"))
# A small part of the same board that hangs together, so that damage hits every kind of entry.
CELLS = {c["id"]: c for c in WHOLE["cells"]}
KEPT = ["start", *CELLS["start"]["neighbours"]]
for near in KEPT[1:4]:
    KEPT += [n for n in CELLS[near]["neighbours"] if n not in KEPT]
SMALL = {
    **WHOLE,
    "cells": [
        {**c, "neighbours": [n for n in c["neighbours"] if n in KEPT]}
        for c in WHOLE["cells"]
        if c["id"] in KEPT
    ],
    "ruin_start": [KEPT[:3]],
    "energy_track": WHOLE["energy_track"][:3],
    "markers": {"dictionary": "DICT_5X5_50", "side_mm": 20, "corners": {"1": [5, 5], "2": [95, 5]}},
    "reference": {"picture": "face.jpg", "corners_px": [[0, 0], [9, 0], [9, 9], [0, 9]]},
}


def use(board: Board) -> None:
    """What every command does first with a board."""
    from vision.reading import inventory_counts
    from vision.registration.by_markers import marker_layout
    from vision.registration.find import reference_of
    from vision.shapes import shape_of

    assert len(board.centres) >= len(board.cells)
    assert board.cell_size_mm > 0
    for item in board.inventory:
        assert min(board.size_of(item.kind)) > 0
        shape_of(item.kind, board)
    inventory_counts(board, frozenset({"violet", "green"}))
    for step in (
        lambda: marker_layout(board.raw),
        lambda: reference_of(board),
        lambda: _begin(board),
    ):
        survives(step)


def _begin(board: Board) -> None:
    players = (Player("Ada", "violet"), Player("Ben", "green"))
    room = room_for("magalon")
    room.placement(room.start(Header("magalon", "reference", players), board))


def one_board(seed: int, folder: Path) -> bool:
    """Whether the damaged board could still be used."""
    rng = random.Random(seed)
    path = folder / "board.json"
    path.write_bytes(json_text(damaged_json(SMALL, rng), rng))
    return survives(lambda: use(load_board(path)))


def test_what_is_damaged_is_a_board(tmp_path: Path) -> None:
    path = tmp_path / "board.json"
    path.write_text(json.dumps(SMALL))
    use(load_board(path))


@short(200)
@given(st.integers(0, 2**32))
def test_damaged_board_files(tmp_path_factory, seed: int) -> None:
    one_board(seed, tmp_path_factory.getbasetemp())


JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(sorted([*SMALL, "id", "polygon_mm", "neighbours"])), inner, max_size=6
        )
    ),
    max_leaves=12,
)


@short(150)
@given(JSON)
def test_any_json_as_a_board(value: Any) -> None:
    if not isinstance(value, dict):
        return
    survives(lambda: use(load_board({"version": 1, "size_mm": [100, 100], **value})))


@soaked
def test_board_files_for_long(tmp_path: Path, soak) -> None:
    soak("board files", lambda seed: one_board(seed, tmp_path))
