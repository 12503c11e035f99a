"""Stills of other tables of Magalon: what their labels say is what they show."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from engine.board import load_board
from engine.geometry import contains
from models.training.films import stills
from vision.labels import load_labels

SMALL = (480, 270)


def test_the_labels_name_the_cells_that_the_pieces_stand_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stills, "SIZE", SMALL)
    monkeypatch.setattr(
        "sys.argv", ["stills", str(tmp_path), "--first", "3", "--count", "1", "--fast"]
    )
    stills.main()
    board = load_board("reference")
    start, random = load_labels(tmp_path / "labels.json").pictures
    assert (start.path.name, random.path.name) == ("table-3-start.jpg", "table-3.jpg")
    for picture in (start, random):
        shown = cv2.imread(str(picture.path))
        assert shown.shape[:2] == SMALL[::-1] and shown.std() > 10
        kinds = [p.kind for p in picture.pieces]
        assert [kinds.count(k) for k in ("wizard", "ruin", "giant", "goblin", "die")] == [4, 6, 1, 2, 2]  # fmt: skip
        for piece in picture.pieces:
            if piece.kind not in ("ruin", "die") and piece.spots:
                assert piece.at_mm is not None
                assert contains(board.spots[piece.spots[0]], piece.at_mm), piece
    marks = {frozenset(m) for m in board.raw["ruin_start"]}
    assert {frozenset(p.spots) for p in start.pieces if p.kind == "ruin"} == marks


def test_a_random_position_puts_one_thing_on_a_cell() -> None:
    board = load_board("reference")
    start = stills.start_of(board)
    for seed in range(5):
        at = stills.shuffled(np.random.default_rng(seed), board, start)
        taken = [s for n, spots in at.items() if "stone" not in n for s in spots if s != "start"]
        assert len(taken) == len(set(taken))
