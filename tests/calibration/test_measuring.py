"""Measuring a board: the model, without any window."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibration.measuring.grid import Block, Track
from calibration.measuring.lines import guess_grid
from calibration.measuring.measuring import GAMES, Measuring
from calibration.measuring.photograph import Photograph
from calibration.sheets import printed_board
from engine.board import Board, load_board
from engine.errors import BoardwardenError
from tests.calibration.printed import face_of, table_with
from tests.calibration.scripts import Change, Touch, measure, perform, taps_of
from vision.types import Image

LIMITS = {"magalon": 60, "hexagon": 30, "grailnah": 30}


@pytest.fixture(scope="module", params=sorted(GAMES))
def known(request: pytest.FixtureRequest) -> tuple[Board, Image]:
    board = load_board("reference", request.param)
    return board, face_of(board)


def measured(board: Board, face: Image | None) -> tuple[Measuring, int]:
    now, taps = Measuring(board.game or "", face), 0
    for gesture in measure(board, now):
        taps += taps_of(gesture, now)
        perform(gesture, now)
    return now, taps


def same_board(raw: dict, board: Board) -> Board:
    found = load_board(raw)
    assert set(found.spots) == set(board.spots)
    for spot, centre in board.centres.items():
        assert np.abs(np.subtract(found.centres[spot], centre)).max() < 2.0, spot
    for cell in board.cells.values():
        assert found.cells[cell.id].roles == cell.roles, cell.id
        assert set(found.cells[cell.id].neighbours) == set(cell.neighbours), cell.id
    return found


def test_a_known_board_is_measured_with_few_taps(known: tuple[Board, Image]) -> None:
    board, face = known
    now, taps = measured(board, face)
    found = same_board(now.board_file("mine"), board)
    for key in ("castles", "castle_places", "energy_track"):
        assert len(found.raw.get(key, ())) == len(board.raw.get(key, ()))
    ruins = [{frozenset(r) for r in b.raw.get("ruin_start", ())} for b in (found, board)]
    assert ruins[0] == ruins[1]
    # photograph, corners and name come on top: at most ten
    assert taps + 10 <= LIMITS[board.game or ""]


def test_without_a_picture_everything_is_tapped(known: tuple[Board, Image]) -> None:
    board, _ = known
    now = Measuring(board.game or "", None)
    if board.game == "magalon":
        now = grid()
        xs, ys = (26.0, 446.0), (36.0, 624.0)
        for at, to, axis in ((0, xs[0], 0), (-1, xs[1], 0), (0, ys[0], 1), (-1, ys[1], 1)):
            line = (now.draft.xs, now.draft.ys)[axis][at]
            other = 250.0
            path = (
                ((line, other), (to, other + 1)) if axis == 0 else ((other, line), (other + 1, to))
            )
            now.touch(path)
        assert now.draft.xs[0] == pytest.approx(26)
        assert now.draft.ys[-1] == pytest.approx(624)
    else:
        now, _ = measured(board, None)
        same_board(now.board_file("mine"), board)


def test_every_change_can_be_undone(known: tuple[Board, Image]) -> None:
    board, face = known
    now = Measuring(board.game or "", face)
    states = [(now.draft, now.at)]
    for gesture in measure(board, now):
        perform(gesture, now)
        if (now.draft, now.at) != states[-1]:
            states.append((now.draft, now.at))
    while now.can_undo:
        assert (now.draft, now.at) == states.pop()
        now.undo()
    assert [(now.draft, now.at)] == states


def test_a_step_with_a_problem_holds_and_names_it(known: tuple[Board, Image]) -> None:
    now = Measuring(known[0].game or "", known[1])
    assert now.next()
    for step in range(1, len(now.steps)):
        assert now.at == step
        if not now.problems:
            assert now.next() or now.last
        else:
            assert not now.next()
            assert all(p.key.startswith("measure.problem_") for p in now.problems)
            return
    raise AssertionError("nothing was ever missing")


def grid(face: Image | None = None) -> Measuring:
    now = Measuring("magalon", face)
    now.next()
    return now


def at(now: Measuring, column: int, row: int) -> tuple[float, float]:
    xs, ys = now.draft.xs, now.draft.ys
    return (xs[column] + xs[column + 1]) / 2, (ys[row] + ys[row + 1]) / 2


def fields(now: Measuring) -> None:
    assert now.next()
    for block in (((6, 19), (8, 20)), ((6, 0), (8, 1)), ((0, 6), (1, 8)), ((13, 6), (14, 8))):
        now.touch((at(now, *block[0]), at(now, *block[1])))


def keys(now: Measuring) -> set[str]:
    return {p.key for p in now.problems}


def test_a_cell_that_nobody_can_reach_is_named() -> None:
    now = grid()
    for column, row in ((0, 19), (1, 20)):
        now.touch((at(now, column, row),))
    fields(now)
    problem = next(p for p in now.problems if p.key == "measure.problem_unreachable")
    assert problem.spots == ("a1",)
    assert not now.next()


def test_fields_that_overlap_are_named() -> None:
    now = grid()
    fields(now)
    assert not now.problems
    now.touch((at(now, 6, 19),))
    now.touch((at(now, 0, 7), at(now, 3, 9)))
    assert keys(now) == {"measure.problem_overlap"}
    now.undo()
    assert keys(now) == {"measure.problem_field"}


def test_a_mark_on_a_big_field_cannot_be_set() -> None:
    now = grid()
    fields(now)
    assert now.next()
    now.touch((at(now, 7, 20),))
    assert now.draft.red == frozenset()
    now.touch((at(now, 0, 0),))
    assert now.draft.red == {"a21"}


def test_an_inner_line_is_dragged_alone_and_numbers_keep_the_rim() -> None:
    now = grid()
    before = now.draft.xs
    now.touch(((before[3], 100.0), (before[3] + 9, 101.0)))
    assert now.draft.xs[3] == pytest.approx(before[3] + 9)
    assert [x for i, x in enumerate(now.draft.xs) if i != 3] == [x for i, x in enumerate(before) if i != 3]  # fmt: skip
    now.change("columns", 10)
    assert (now.draft.xs[0], now.draft.xs[-1]) == (before[0], before[-1])
    assert now.draft.columns == 10
    now.change("columns", 1000)
    assert now.draft.columns == 60


@pytest.mark.parametrize("cells", [3, 4, 5])
def test_l_marks_may_have_three_to_five_cells_but_all_the_same(cells: int) -> None:
    now = grid()
    fields(now)
    now._now = type(now._now)(now.draft, 5)
    arms = {3: ((2, 2), (3, 2), (3, 3)), 4: ((2, 2), (3, 2), (3, 3), (3, 4)), 5: ((2, 2), (3, 2), (4, 2), (4, 3), (4, 4))}[cells]  # fmt: skip
    now.touch(tuple(at(now, *p) for p in arms))
    assert [len(r) for r in now.draft.ruins] == [cells]
    now.touch((at(now, 2, 12), at(now, 3, 12), at(now, 4, 12)))
    assert len(now.draft.ruins) == 1  # three in a row are no L
    other = 4 if cells == 3 else 3
    wrong = {3: ((2, 12), (3, 12), (3, 13)), 4: ((2, 12), (3, 12), (4, 12), (4, 13))}[other]
    now.touch(tuple(at(now, *p) for p in wrong))
    assert "measure.problem_ruin_sizes" in keys(now)
    now.touch((at(now, *wrong[0]),))
    assert len(now.draft.ruins) == 1


def test_taps_make_an_l_too() -> None:
    now = grid()
    fields(now)
    now._now = type(now._now)(now.draft, 5)
    for place in ((2, 2), (3, 2), (3, 3)):
        now.touch((at(now, *place),))
    assert len(now.draft.ruins) == 1
    assert now.draft.loose == ()


def test_a_track_may_turn_corners_and_its_gaps_are_named() -> None:
    track = Track(((10.0, 10.0), (10.0, 110.0), (110.0, 110.0)), 0, 20)
    assert track.pitch_mm == pytest.approx(10)
    assert track.centres[10] == pytest.approx((10, 110))
    assert track.centres[15] == pytest.approx((60, 110))
    assert not track.gaps
    assert Track(track.corners, 0, 20, {5: (10.0, 70.0)}).gaps == [(4, 5), (5, 6)]
    polygon = np.array(track.polygons[3])
    assert polygon.max(axis=0) - polygon.min(axis=0) == pytest.approx([10, 10])


def test_numbers_on_cards_are_asked_for_and_not_invented() -> None:
    now = grid()
    fields(now)
    now._now = type(now._now)(now.draft, 7)
    values = {n.name: n.value for n in now.numbers}
    assert values.pop("ruin_steps_7") == 4
    assert set(values.values()) == {None}
    perform(Change("energy_gain_1", 8), now)
    assert now.draft.printed["energy_gain/2"] == 4
    assert keys(now) == {"measure.problem_cards"}


def test_what_was_taken_away_is_not_proposed_again() -> None:
    board = load_board("reference")
    face = face_of(board)
    now = Measuring("magalon", face)
    for gesture in measure(board, now):
        if now.step.name == "red" and now.proposed:
            break
        perform(gesture, now)
    proposed = now.proposed
    now.take_proposed()
    perform(Touch((board.centres[proposed[0]],)), now)
    assert proposed[0] not in now.draft.red
    now.touch((board.centres["a1"],))
    now.touch((board.centres["a1"],))
    assert proposed[0] not in now.proposed


def test_grid_lines_are_found_on_a_noisy_print_of_other_proportions() -> None:
    rng = np.random.default_rng(4)
    face = rng.normal(120, 22, (660, 500, 3))
    face = cv2.GaussianBlur(face, (0, 0), 3) * 2 - 120
    xs, ys = np.arange(40, 461, 35), np.arange(60, 621, 35)
    face[ys[0] : ys[-1] + 1, xs] -= 28
    face[ys, xs[0] : xs[-1] + 1] -= 28
    face = cv2.resize(np.clip(face, 0, 255).astype(np.uint8), (1000, 1320))
    found = guess_grid(face, (500.0, 660.0))
    assert found is not None
    assert len(found[0]) == len(xs) and len(found[1]) == len(ys)
    assert np.abs(np.subtract(found[0], xs + 0.5)).max() < 1.5


def test_rings_may_have_more_cells_outside() -> None:
    now = Measuring("grailnah", None)
    now.next()
    now.touch(((250.0, 190.0),))
    now.touch(((250.0, 22.0),))
    assert now.next()
    now.change("from_1", 12)
    now.touch(((250.0, 60.0),))
    assert now.draft.sectors == (12, 12, 12, 12, 24, 24)
    near = now.draft.neighbours
    assert set(near["4/0"]) >= {"5/0", "5/1", "5/23", "3/0"} - {"5/1", "5/23"}
    assert sum(n.startswith("5/") for n in near["4/0"]) in (2, 3)
    for spot, others in near.items():
        for other in others:
            assert spot in near[other]
    now.touch(((250.0, 60.0),))
    assert now.draft.sectors == (12,) * 6


def test_an_irregular_hexagonal_map_is_tapped_together() -> None:
    now = Measuring("hexagon", None)
    now.next()
    now.touch(((400.0, 250.0),))
    now.touch(((100.0, 250.0),))  # from the right to the left
    now.change("across", 7)
    assert len(now.draft.places) == 37
    now.touch((now.draft.centre_of((0, 0)),))
    assert (0, 0) not in now.draft.places
    now.touch((now.draft.centre_of((4, 0)),))
    assert (4, 0) in now.draft.places
    now.touch((now.draft.centre_of((9, 0)),))
    assert (9, 0) not in now.draft.places
    assert now.draft.centre_of((-3, 0)) == pytest.approx((100, 250))


def test_the_photograph_gives_corners_face_and_labels() -> None:
    board = printed_board(load_board("reference", "hexagon"))
    quad = np.array([[320, 140], [980, 150], [1100, 800], [210, 790]], np.float64)
    picture = table_with(face_of(board), quad, (1400, 900))
    photograph = Photograph(picture, board.size_mm)
    found = photograph.guess()
    assert found is not None
    assert np.linalg.norm(found - quad, axis=1).max() < 4
    snapped = photograph.snapped(quad + np.array([[9, -7], [-8, 6], [10, 9], [-9, -10]]))
    assert np.linalg.norm(snapped - quad, axis=1).max() < 2
    markers = photograph.labels(snapped)
    assert markers is not None
    side = board.raw["markers"]["side_mm"]
    for ident, (x, y) in board.raw["markers"]["corners"].items():
        corners = np.array(markers["corners"][ident])
        assert np.abs(corners.mean(axis=0) - (x, y)).max() < 1.0
        assert np.abs(corners - (x, y)).max() == pytest.approx(side / 2, abs=1.0)
    assert Photograph(np.full((600, 800, 3), 90, np.uint8), board.size_mm).guess() is None
    with pytest.raises(BoardwardenError, match="nearer"):
        Photograph(picture, board.size_mm).face(quad * 0.3 + 100)
    with pytest.raises(BoardwardenError):
        photograph.snapped(quad[[0, 2, 1, 3]])


def test_another_size_keeps_everything_where_it_is_on_the_picture() -> None:
    for game in GAMES:
        now, board = Measuring(game, None), load_board("reference", game)
        for gesture in measure(board, now) if game != "magalon" else ():
            perform(gesture, now)
        small = now.draft
        big = small.resized((small.size_mm[0] * 2, small.size_mm[1] * 2))
        assert small.cells
        for spot, polygon in small.cells.items():
            assert np.array(big.cells[spot]) == pytest.approx(2 * np.array(polygon))


def test_blocks() -> None:
    assert Block.around([(3, 4), (1, 5)]) == Block((1, 4), (3, 5))
    assert len(Block((1, 4), (3, 5)).places) == 6
