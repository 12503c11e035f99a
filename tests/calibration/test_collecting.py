"""Labelled collecting: what is asked for, and the folder that is written."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.collecting import Collection, open_collection, plan_shots, steps_between
from calibration.in_view import visible_shares
from engine.board import load_board
from engine.errors import BoardwardenError
from engine.placement import track_value
from tests.vision.drawn import SIZE, oblique_pose
from vision.labels import load_labels

GAMES = ("magalon", "hexagon", "grailnah")
IMAGE = np.full((SIZE[1], SIZE[0], 3), 90, np.uint8)


@settings(max_examples=15, deadline=None)
@given(st.sampled_from(GAMES), st.integers(0, 2**31))
def test_placements_can_be_put_up(game: str, seed: int) -> None:
    board = load_board("reference", game)
    shots = plan_shots(board, seed)
    looks = {(s.kind, s.colour) for s in shots[0].stands}
    assert looks == {
        (i.kind, i.colour) for i in board.inventory if i.kind not in ("chip", "score_marker")
    }
    for shot in shots:
        spots = [s for stand in shot.stands for s in stand.spots]
        assert len(spots) == len(set(spots))  # nothing shares a place
        assert set(spots) <= set(board.spots)
        assert {(s.kind, s.colour) for s in shot.stands} == looks
        for stand in shot.stands:
            assert len(stand.spots) == (3 if stand.kind == "ruin" else 1)
            assert (track_value(stand.spots[0]) is not None) == (stand.kind == "energy_stone")
            assert (stand.kind == "castle") == (stand.spots[0] in _gates(board))


def _gates(board) -> set[str]:
    return set(max(board.raw.get("castle_places", {"": []}).values(), key=len))


def test_placements_are_varied_and_the_same_for_a_seed() -> None:
    board = load_board("reference")
    shots = plan_shots(board, 4)
    assert shots == plan_shots(board, 4)
    assert shots != plan_shots(board, 5)
    assert [s.number for s in shots] == list(range(1, 21))
    assert sum(s.lamp_off for s in shots) == 4
    assert sum(s.hand_over is not None for s in shots) == 4
    assert any(s.camera_moved for s in shots)
    assert not any(s.camera_moved for s in plan_shots(board, 4, camera_moves=False))
    places: dict[object, set[tuple[str, ...]]] = {}
    for stand in (s for shot in shots for s in shot.stands):
        places.setdefault(stand.piece, set()).add(stand.spots)
    assert min(map(len, places.values())) >= 2
    for before, shot in itertools.pairwise(shots):
        steps = steps_between(before, shot)
        assert len(steps) <= 5
        assert bool(steps) == (shot.hand_over is None)  # a hand comes over what was just seen
        assert all(step.origin for step in steps)
    assert len(steps_between(None, shots[0])) == len(shots[0].stands)


def test_a_board_without_pieces_is_refused() -> None:
    raw = {**load_board("reference").raw, "inventory": []}
    with pytest.raises(BoardwardenError, match="lists no pieces"):
        plan_shots(load_board(raw), 0)


def fill(collection: Collection, numbers: range) -> None:
    shots = {s.number: s for s in plan_shots(collection.board, collection.seed, collection.count)}
    for n in numbers:
        collection.add(shots[n], IMAGE, oblique_pose(collection.board))


def test_labels_say_what_was_put_up(tmp_path: Path) -> None:
    board = load_board("reference")
    collection = open_collection(tmp_path / "own", board)
    fill(collection, range(1, 6))
    folder = load_labels(tmp_path / "own" / "labels.json")
    assert folder.board == tmp_path / "own" / "board.json"
    assert load_board(folder.board).raw == board.raw
    pose = oblique_pose(board)
    for shot, picture in zip(plan_shots(board, 0), folder.pictures, strict=False):
        assert picture.path.exists()
        assert picture.hand == (shot.hand_over is not None)
        np.testing.assert_allclose(picture.corners_px, pose.corners_px, atol=0.01)
        assert [(p.kind, p.colour, p.spots, p.pips) for p in picture.pieces] == [
            (s.kind, s.colour, s.spots, s.pips) for s in shot.stands
        ]
        for piece in picture.pieces:
            at_mm = np.mean([board.centres[s] for s in piece.spots], axis=0)
            np.testing.assert_allclose(piece.at_mm, at_mm, atol=0.06)
            np.testing.assert_allclose(piece.foot_px, pose.to_image(at_mm[None])[0], atol=0.01)
            assert (piece.visible == 0.0) == picture.hand


def test_a_folder_goes_on_and_no_picture_is_written_over(tmp_path: Path) -> None:
    board = load_board("reference", "hexagon")
    fill(open_collection(tmp_path, board, seed=3, count=4), range(1, 3))
    (tmp_path / "03.jpg").write_bytes(b"of a run that was cut off")
    kept = {p.name: p.read_bytes() for p in tmp_path.glob("*.jpg")}
    again = open_collection(tmp_path, board)
    assert (again.seed, again.count, again.taken) == (3, 4, {1, 2})
    fill(again, range(3, 5))
    assert {n: (tmp_path / n).read_bytes() for n in kept} == kept
    assert [p.path.name for p in load_labels(tmp_path / "labels.json").pictures] == [
        "01.jpg", "02.jpg", "03-2.jpg", "04.jpg",
    ]  # fmt: skip
    with pytest.raises(ValueError, match="already"):
        fill(again, range(1, 2))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"seed": 9}, "begun with --seed 3: leave --seed out"),
        ({"count": 9}, "begun with --count 4"),
        ({"board": "magalon"}, "begun with another board"),
    ],
)
def test_another_collection_is_not_mixed_in(tmp_path: Path, change: dict, words: str) -> None:
    open_collection(tmp_path, load_board("reference", "hexagon"), seed=3, count=4)
    board = load_board("reference", change.pop("board", "hexagon"))
    with pytest.raises(BoardwardenError, match=words):
        open_collection(tmp_path, board, **change)


def test_other_folders_are_left_alone(tmp_path: Path) -> None:
    board = load_board("reference")
    (tmp_path / "holiday.jpg").write_bytes(b"x")
    with pytest.raises(BoardwardenError, match="holds other files"):
        open_collection(tmp_path, board)
    (tmp_path / "labels.json").write_text(json.dumps({"images": []}))
    with pytest.raises(BoardwardenError, match="not those of boardwarden collect"):
        open_collection(tmp_path, board)
    for images in ([7], {"shot": 1}, [{"shot": "x"}], [{"shot": 1, "frame": []}]):
        begun = {"collect": {"seed": 0, "count": 20}, "images": images}
        (tmp_path / "labels.json").write_text(json.dumps(begun))
        with pytest.raises(BoardwardenError, match="not those of boardwarden collect"):
            open_collection(tmp_path, board)
    with pytest.raises(BoardwardenError, match="cannot write into"):
        open_collection(tmp_path / "holiday.jpg" / "x", board)


def test_what_stands_behind_or_outside_is_less_visible() -> None:
    board = load_board("reference")
    pose = oblique_pose(board)
    alone, wall = ("wizard", ("h11",)), ("ruin", ("g10", "h10", "h9"))  # the wall is nearer
    assert visible_shares([alone], pose, board, SIZE)[0] > 0.9
    hidden, before = visible_shares([alone, wall], pose, board, SIZE)
    assert hidden < 0.6
    assert before > 0.9
    foot = pose.to_image(np.array([board.centres["h11"]]))[0]
    cut = (int(foot[0]), SIZE[1])  # the picture ends in the middle of the piece
    assert 0.3 < visible_shares([alone], pose, board, cut)[0] < 0.7
    assert visible_shares([alone], pose, board, (20, 20)) == [0.0]
