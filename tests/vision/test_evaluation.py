"""Counting right and wrong readings: shares and their bounds, matching, lessons, calibration."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import BoardwardenError
from engine.observation import Candidate, SeenPiece
from vision.dice.read import ReadDie
from vision.evaluation import calibration, report, worst
from vision.evaluation.cases import Case, TrueDie, cases_of, load_folder, rounds_of
from vision.evaluation.dice import DiceTally
from vision.evaluation.matching import match, match_track
from vision.evaluation.run import Judged
from vision.evaluation.statistics import Z_95, Share, spread, wilson
from vision.evaluation.tally import NOTHING, Tally
from vision.labels import LabelledPiece
from vision.reading import ReadPiece


def there(kind: str, colour: str, *spots: str, visible: float = 1.0) -> LabelledPiece:
    return LabelledPiece(kind, colour, spots, (10.0, 10.0), (5.0, 5.0), visible)


def got(kind: str, colour: str, *spots: str, confidence: float = 0.9) -> ReadPiece:
    seen = SeenPiece(
        (5.0, 5.0), (1.0, 0.0, 1.0), (10.0, 10.0), (Candidate(kind, colour, spots, -0.1),), confidence
    )  # fmt: skip
    return ReadPiece(kind, colour, spots, (5.0, 5.0), (10.0, 10.0), confidence, seen)


def blank() -> np.ndarray:
    return np.full((120, 160, 3), 200, np.uint8)


def case(name: str, *pieces: LabelledPiece, corners: bool = True) -> Case:
    quad = np.array([[10, 10], [110, 10], [110, 100], [10, 100]], float) if corners else None
    return Case(name, blank, quad, pieces)


@pytest.mark.parametrize(("right", "of"), [(189, 221), (1, 2), (33, 278), (9, 10)])
def test_wilson_bounds_are_where_the_test_just_rejects(right: int, of: int) -> None:
    for bound in wilson(right, of):
        error = (bound * (1 - bound) / of) ** 0.5
        assert abs(right / of - bound) == pytest.approx(Z_95 * error)


def test_wilson_bounds_of_none_and_all() -> None:
    share = Z_95**2 / (10 + Z_95**2)
    assert wilson(0, 10) == pytest.approx((0.0, share))
    assert wilson(10, 10) == pytest.approx((1 - share, 1.0))


@given(st.integers(0, 400), st.integers(1, 400))
def test_wilson_bounds_hold_the_share(right: int, more: int) -> None:
    of = right + more
    low, high = wilson(right, of)
    assert 0 <= low <= right / of <= high <= 1


def test_a_share_of_nothing_says_so() -> None:
    assert Share(0, 0).to_json()["percent"] is None
    assert str(Share(0, 0)) == "none there"
    assert str(Share(3, 4)) == "3/4 = 75.00 % (30.1–95.4)"


def test_spread_of_errors() -> None:
    found = spread([1.0, 2.0, 3.0, 4.0, 100.0])
    assert (found.count, found.median) == (5, 3.0)
    assert found.p95 == pytest.approx(80.8)
    assert spread([]).median is None


def test_a_true_piece_takes_the_best_read_one_of_its_cell() -> None:
    readings = [got("goblin", "red", "a"), got("wizard", "red", "a"), got("wizard", "green", "b")]
    matched = match([there("wizard", "red", "a"), there("wizard", "violet", "b")], readings)
    first, second = matched.outcomes
    assert first.right
    assert second.read is readings[2]
    assert not second.colour_right
    assert second.kind_right
    assert matched.extra == (readings[0],)
    assert not matched.whole


def test_the_cells_of_a_ruin_may_come_in_any_order() -> None:
    matched = match([there("ruin", "grey", "a", "b", "c")], [got("ruin", "grey", "c", "a", "b")])
    assert matched.whole


def test_hidden_pieces_count_neither_as_missed_nor_as_not_there() -> None:
    hidden = there("wizard", "red", "a", visible=0.3)
    assert match([hidden], []).whole
    matched = match([hidden], [got("wizard", "red", "a")])
    assert matched.whole
    assert matched.counted == []


def test_stones_on_the_track_are_compared_apart() -> None:
    truth = [there("energy_stone", "red", "track/9"), there("energy_stone", "green", "track/9")]
    readings = [got("energy_stone", "green", "track/9"), got("energy_stone", "red", "track/8")]
    assert match(truth, readings).outcomes == ()
    matched = match_track(truth, readings)
    assert [o.right for o in matched.outcomes] == [False, True]


def tally() -> Tally:
    truth = [there("wizard", "red", "a"), there("wizard", "green", "b"), there("goblin", "black", "c")]  # fmt: skip
    readings = [got("wizard", "red", "a"), got("wizard", "red", "b", confidence=0.4), got("goblin", "black", "d")]  # fmt: skip
    result = Tally("table")
    result.add("one.jpg", match(truth, readings), match_track(truth, readings))
    return result


def test_figures_of_a_tally() -> None:
    t = tally()
    assert (t.pieces, t.right, t.cell, t.colour, t.kind, t.extra) == (3, 1, 2, 1, 2, 1)
    assert t.precision("wizard") == Share(2, 2)
    assert t.recall("wizard") == Share(2, 2)
    assert t.precision("goblin") == Share(0, 1)
    assert t.recall("goblin") == Share(0, 1)
    assert t.confusion["green wizard", "red wizard"] == 1
    assert t.confusion["black goblin", NOTHING] == 1
    assert t.confusion[NOTHING, "black goblin"] == 1
    assert sorted(t.answers) == [(0.4, False), (0.9, False), (0.9, True)]
    assert t.boards_right == 0
    row = t.to_json()
    assert (row["missed"], row["extra"]) == (1, 1)
    assert row["shares"]["right"]["wilson95"] == pytest.approx([6.15, 79.23], abs=0.05)


def test_a_lost_board_loses_its_pieces() -> None:
    t = Tally("table")
    t.lose("one.jpg", match([there("wizard", "red", "a")], []), "the board was not found")
    assert (t.boards, t.boards_lost, t.pieces, t.cell) == (1, 1, 1, 0)


def test_the_lines_name_bounds_and_confusions() -> None:
    said = "\n".join(report.lines(tally()))
    assert "pieces right 1/3 = 33.33 % (6.1–79.2), missed 1, not there 1" in said
    assert "green wizard → red wizard" in said
    assert "0.4–0.5" in said


def test_reliability_bins_and_errors() -> None:
    answers = [(0.95, True)] * 9 + [(0.95, False)] + [(0.25, False)] * 10
    table = calibration.reliability(answers)
    assert [(low, share) for low, _, share in table.rows] == [
        (0.2, Share(0, 10)),
        (0.9, Share(9, 10)),
    ]
    assert table.error == pytest.approx((0.05 + 0.25) / 2)
    assert table.brier == pytest.approx((9 * 0.05**2 + 0.95**2 + 10 * 0.25**2) / 20, abs=1e-4)


def test_the_diagram_shows_more_where_more_is_right() -> None:
    def ink(right: int) -> int:
        answers = [(0.95, k < right) for k in range(20)]
        picture = calibration.draw(calibration.reliability(answers), "table")
        return int((picture == calibration.BAR).all(axis=2).sum())

    assert ink(20) > ink(10) > ink(2)


def test_every_picture_is_taught_by_each_that_shows_its_pieces() -> None:
    cases = [
        case("a.jpg", there("pawn", "red", "x"), there("pawn", "blue", "y")),
        case("b.jpg", there("pawn", "red", "x")),
        case("c.jpg", there("pawn", "blue", "z"), there("pawn", "red", "x")),
        case("d.jpg", there("pawn", "red", "x"), corners=False),
    ]
    rounds = rounds_of(cases, "each")
    taught = [{c.name: t.name if t else None for c, t in lessons} for lessons in rounds]
    assert [t["a.jpg"] for t in taught] == ["c.jpg"] * 3
    assert [t["b.jpg"] for t in taught] == ["c.jpg", "a.jpg", "c.jpg"]
    assert len(rounds) == 3
    assert all(t["d.jpg"] in ("a.jpg", "b.jpg", "c.jpg") for t in taught)
    assert all(t[name] != name for t in taught for name in t)


def test_no_picture_can_teach_another() -> None:
    cases = [case("a.jpg", there("pawn", "red", "x")), case("b.jpg", there("pawn", "blue", "x"))]
    with pytest.raises(BoardwardenError, match="--enrol other"):
        rounds_of(cases, "each")


def test_start_pictures_teach_and_are_not_read() -> None:
    cases = [case("t-start.jpg", there("pawn", "red", "x")), case("t.jpg"), case("u.jpg")]
    [lessons] = rounds_of(cases, "start")
    assert [(c.name, t.name if t else None) for c, t in lessons] == [
        ("t.jpg", "t-start.jpg"),
        ("u.jpg", None),
    ]


def test_medians_and_worst_of_rounds() -> None:
    rounds = []
    for right in (3, 1, 2):
        t = Tally("table")
        for k in range(3):
            colour = "red" if k < right else "green"
            readings = [got("pawn", colour, "a")]
            t.add("p.jpg", match([there("pawn", "red", "a")], readings), match_track([], []))
        rounds.append(t)
    said = list(report.rounds_lines(rounds))
    assert "median pieces right 2/3" in said[1]
    assert "worst  pieces right 1/3" in said[2]
    assert "wrong colour 2" in said[2]


def judged(name: str, faults: int) -> Judged:
    pieces = tuple(there("pawn", "red", f"c{k}") for k in range(3))
    readings = [got("pawn", "red", f"c{k}") for k in range(3 - faults)]
    c = case(name, *pieces)
    return Judged(c, None, match(pieces, readings), match_track((), ()), None, None)


def test_the_worst_cases_are_drawn_first(tmp_path: Path) -> None:
    keep = worst.Worst(most=2)
    for name, faults in (("good.jpg", 0), ("bad.jpg", 3), ("fair.jpg", 1), ("poor.jpg", 2)):
        keep.see(judged(name, faults))
    paths = keep.write(tmp_path / "new", "table")
    assert [p.name for p in paths] == ["table-01-bad.png", "table-02-poor.png"]
    assert all(p.stat().st_size > 500 for p in paths)


def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(BoardwardenError, match="name another"):
        worst.save(tmp_path / "file" / "x.png", blank())


def die_at(x: float, value: int, sure: float = 0.9) -> ReadDie:
    pips = tuple(float(np.log(0.95 if k == value else 0.01)) for k in range(1, 7))
    return ReadDie(pips, (x, 50.0), 20.0, sure)


def test_dice_found_missed_and_not_there() -> None:
    truth = [TrueDie(3, (50.0, 50.0), None, True), TrueDie(5, (150.0, 50.0), None, True),
             TrueDie(6, (250.0, 50.0), None, False)]  # fmt: skip
    at_place = [die_at(50, 3), die_at(150, 4), die_at(250, 2)]
    found = [die_at(52, 3), die_at(251, 2), die_at(400, 1)]
    t = DiceTally("dice")
    t.add("p.jpg", list(zip(truth, at_place, strict=True)), found)
    assert (t.dice, t.given, t.found, t.found_right, t.false) == (2, 1, 1, 1, 1)
    assert t.confusion[5, 4] == 1
    assert t.to_json()["precision"]["of"] == 2


def test_dice_without_a_place_are_told_by_their_pips() -> None:
    truth = [TrueDie(3, None, None, True), TrueDie(5, None, None, True)]
    t = DiceTally("dice")
    t.add_unplaced("a", truth, [die_at(0, 5), die_at(100, 2), die_at(200, 1)])
    assert (t.dice, t.placed, t.found, t.found_right, t.false) == (2, 0, 2, 1, 1)
    t.add_unplaced("b", truth, [])
    assert (t.dice, t.found, t.found_right) == (4, 2, 1)


def test_a_folder_with_pieces_needs_a_board(tmp_path: Path) -> None:
    (tmp_path / "labels.json").write_text(
        '{"images": [{"image": "a.jpg", "pieces": [{"kind": "pawn", "cell": "x"}]}]}'
    )
    with pytest.raises(BoardwardenError, match="--board"):
        load_folder(tmp_path)


def test_dice_need_no_board_and_signs_can_be_left_out(tmp_path: Path) -> None:
    (tmp_path / "labels.json").write_text(
        '{"images": [{"image": "a.jpg", "dice": [{"pips": 6, "centre_px": [1, 2]},'
        ' {"pips": 2, "centre_px": [3, 4]}]}, {"image": "b.jpg", "dice": []}]}'
    )
    folder, board = load_folder(tmp_path)
    assert board is None
    [only] = cases_of(folder, "a*", frozenset({6}))
    assert [d.counts for d in only.dice] == [False, True]
    with pytest.raises(BoardwardenError, match=r"'z\*'"):
        cases_of(folder, "z*")
