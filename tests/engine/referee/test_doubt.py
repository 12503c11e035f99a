"""What is seen beside a spot may stand on it, where change says so (design decision 4)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.action import Action
from engine.board import load_board
from engine.observation import Candidate, Observation, SeenPiece
from engine.referee.doubt import Fields, with_neighbours
from engine.referee.matching import shared_spots
from engine.verdict import Status
from tests.engine.referee.table import actions, given, read_at, walked, words
from tests.engine.referee.test_situations import sat

BOARD = load_board("reference")
SHARED = shared_spots(BOARD)
FIELDS = Fields({c: BOARD.spots[c] for c in BOARD.cells if c in SHARED}, BOARD.cell_size_mm)
BESIDE = BOARD.cells["amulet"].neighbours[0]


def thing(kind: str, spot: str, at: tuple[float, float], off: float = 0.3) -> SeenPiece:
    return SeenPiece(at, (1.0, 0.0, 1.0), at, (Candidate(kind, "green", (spot,), 0.0),), 0.9, off)


def read_as(
    seen: SeenPiece,
    strength: dict[str, float],
    homes: set[tuple[str, str | None, str]],
    *others: SeenPiece,
    stood: bool = True,
) -> list[str]:
    before = homes if stood else set()
    view = Observation(1.0, True, False, (seen, *others), strength=strength)
    out = with_neighbours(view, BOARD.centres, SHARED, homes, frozenset(strength), FIELDS, before)
    return [c.spots[0] for c in out.pieces[0].candidates]


def between(spot: str, other: str, share: float) -> tuple[float, float]:
    (x, y), (u, v) = BOARD.centres[spot], BOARD.centres[other]
    return x + share * (u - x), y + share * (v - y)


@pytest.mark.parametrize(
    ("strength", "expected"),
    [
        pytest.param({"amulet": 0.9}, ["amulet"], id="only the field has changed"),
        pytest.param({"amulet": 0.9, BESIDE: 0.9}, [], id="the cell as well"),
        pytest.param({"amulet": 0.2}, [], id="a shadow on the field"),
        pytest.param({}, [], id="no change"),
    ],
)
def test_a_shield_seen_beside_a_big_field_may_stand_on_it(
    strength: dict[str, float], expected: list[str]
) -> None:
    seen = thing("shield", BESIDE, between(BESIDE, "amulet", 0.15), 0.1)
    read = read_as(seen, strength, {("shield", "green", "d9")})
    assert read == [BESIDE, *expected]


def test_the_wizard_that_came_to_the_field_is_what_has_changed_it() -> None:
    seen = thing("shield", BESIDE, between(BESIDE, "amulet", 0.15), 0.1)
    wizard = thing("wizard", "amulet", BOARD.centres["amulet"])
    assert read_as(seen, {"amulet": 0.9}, set(), wizard) == [BESIDE]


@pytest.mark.parametrize(
    ("home", "strength", "expected"),
    [
        pytest.param("track/9", {"track/9": 0.9, "track/8": 0.9}, "track/8", id="moved one on"),
        pytest.param("track/9", {"track/8": 0.9}, "track/9", id="not left"),
        pytest.param(
            "track/12", {"track/12": 0.9, "track/8": 0.9}, "track/8", id="beside its mark"
        ),
        pytest.param(
            "track/12", {"track/12": 0.9, "track/9": 0.9}, "track/9", id="where it is seen"
        ),
    ],
)
def test_change_tells_on_which_of_two_marks_a_stone_lies(
    home: str, strength: dict[str, float], expected: str
) -> None:
    seen = thing("energy_stone", "track/9", between("track/9", "track/8", 0.35), 0.35)
    assert read_as(seen, strength, {("energy_stone", "green", home)})[0] == expected


def test_a_stone_put_back_on_its_mark_lies_on_it() -> None:
    """It was not seen there before: both marks look changed as it came back."""
    seen = thing("energy_stone", "track/9", between("track/9", "track/8", 0.35), 0.35)
    changed, homes = {"track/9": 0.9, "track/8": 0.9}, {("energy_stone", "green", "track/9")}
    assert read_as(seen, changed, homes, stood=False) == ["track/9"]


def test_of_two_stones_on_a_mark_the_other_one_may_have_moved() -> None:
    seen = thing("energy_stone", "track/9", between("track/9", "track/8", 0.35), 0.35)
    violet = replace(
        thing("energy_stone", "track/8", BOARD.centres["track/8"]),
        candidates=(Candidate("energy_stone", "violet", ("track/8",), 0.0),),
    )
    homes = {("energy_stone", c, "track/9") for c in ("green", "violet")}
    changed = {"track/9": 0.9, "track/8": 0.9}
    assert read_as(seen, changed, homes, violet) == ["track/9"]


def test_a_shield_on_a_field_seen_on_the_cell_beside_it_is_refused() -> None:
    table = walked()
    at = between(BESIDE, "amulet", 0.4)

    def beside(observation: Observation, tick: int) -> Observation:
        pieces = read_at(observation, ("shield", "green"), at, {BESIDE: 0.0})
        return replace(
            observation, pieces=pieces, changed=frozenset({"amulet"}), strength={"amulet": 1.0}
        )

    said = given(table.show(6.0, {"shield/green": ("amulet",)}, alter=beside))
    assert [v.verdict.status for v in said] == [Status.ILLEGAL]


def test_a_shield_seen_beside_its_cell_goes_nowhere_once_it_is_understood() -> None:
    """Off the centre of a cell where nothing has changed; a moment later it is where it was."""
    table = walked()
    foot = between("e9", "d9", 0.35)

    def beside(observation: Observation, tick: int) -> Observation:
        pieces = tuple(
            replace(p, off_centre=0.35) if p.best.spots == ("e9",) else p
            for p in read_at(observation, ("shield", "green"), foot, {"e9": 0.0})
        )
        changed = (observation.changed or frozenset()) - {"e9"}
        return replace(
            observation, pieces=pieces, changed=changed, strength=dict.fromkeys(changed, 1.0)
        )

    assert words(table.show(9.0, {"shield/green": ("d9",)}, alter=beside)) == ["legal"]
    assert table.tracker.placement.pieces["shield/green"] == ("d9",)


def test_who_says_that_all_stands_right_is_not_told_of_the_same_piece_again() -> None:
    table = sat()

    def wrong(observation: Observation, tick: int) -> Observation:
        pieces = read_at(observation, ("wizard", "violet"), BOARD.centres["a1"], {"a1": 0.0})
        return replace(observation, pieces=pieces, changed=frozenset({"start", "a1"}))

    assert words(table.show(4.0, alter=wrong)) == ["illegal"]
    table.tracker.act(Action(None, "correct", {}))
    table.show(0.7, hand=True)
    said = table.show(9.0, alter=wrong)
    assert words(said) == [] and actions(said) == []
    assert table.tracker.placement.pieces["wizard/violet"] == ("start",)
