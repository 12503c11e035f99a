"""Ruins that are seen beside the cells that they cover: change says which ones."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from engine.board import load_board
from engine.observation import Candidate, Observation, SeenPiece
from engine.placement import PieceInfo
from engine.referee.footprints import with_footprints

BOARD = load_board("reference")
CENTRES = {c: BOARD.centres[c] for c in BOARD.cells}
HOME, TRUE, SEEN = ("c6", "c7", "d6"), ("e6", "e7", "f6"), ("e7", "e8", "f7")
HOMES = {"ruin/1": HOME, "ruin/2": ("k12", "k13", "l12")}
INFOS = {p: PieceInfo(p, "ruin", "grey") for p in HOMES}


def ruin(spots: tuple[str, ...]) -> SeenPiece:
    at = CENTRES[spots[0]]
    return SeenPiece(at, (9.0, 0.0, 9.0), at, (Candidate("ruin", "grey", spots, -0.01),), 0.9)


def view(first: tuple[str, ...], strength: dict[str, float]) -> Observation:
    pieces = (ruin(first), ruin(HOMES["ruin/2"]))
    return Observation(1.0, True, False, pieces, {}, frozenset(strength), 1.0, strength)


def read_as(first: tuple[str, ...], strength: dict[str, float]) -> list[set[str]]:
    seen = view(first, strength)
    changed = frozenset(strength)
    out = with_footprints(seen, HOMES, INFOS, changed, CENTRES, BOARD.cell_size_mm)
    return [set(c.spots) for c in out.pieces[0].candidates]


def test_a_ruin_seen_a_cell_off_lies_where_the_look_has_changed() -> None:
    read = read_as(SEEN, dict.fromkeys({*HOME, *TRUE}, 0.9))
    assert read[0] == set(TRUE)


def test_a_ruin_seen_where_it_lies_stays_there() -> None:
    read = read_as(TRUE, dict.fromkeys({*HOME, *TRUE}, 0.9))
    assert read == [set(TRUE)]


def test_a_shadow_moves_no_ruin() -> None:
    """A cell beside the ruin looks changed as well."""
    read = read_as(TRUE, {**dict.fromkeys({*HOME, *TRUE}, 0.9), "g6": 0.7, "f7": 0.5})
    assert read[0] == set(TRUE)


def test_a_ruin_slid_along_itself_lies_where_it_is_seen() -> None:
    """The cell that it covers still shows another wall now, and two behind it lie in its shadow."""
    slid = ("c7", "c8", "d7")
    strength = {**dict.fromkeys({*HOME, *slid}, 1.0), "c9": 0.98, "d8": 0.86}
    seen = view(slid, strength)
    changed = frozenset(strength)
    out = with_footprints(seen, HOMES, INFOS, changed, CENTRES, BOARD.cell_size_mm)
    first, *others = out.pieces[0].candidates
    assert set(first.spots) == set(slid)
    assert all(c.log_prob < first.log_prob - math.log(3.0) for c in others)


def test_a_ruin_that_is_clearly_seen_lies_there_although_more_has_changed_beside_it() -> None:
    slid, beside = ("c7", "c8", "d7"), ("c8", "c9", "d8")
    seen = view(slid, dict.fromkeys({*HOME, *slid, *beside}, 1.0))
    rival = Candidate("ruin", "grey", ("c7", "d6", "d7"), -7.8)

    def second_best(*others: Candidate) -> float:
        thing = replace(seen.pieces[0], candidates=(*seen.pieces[0].candidates, *others))
        view_of = replace(seen, pieces=(thing, *seen.pieces[1:]))
        out = with_footprints(view_of, HOMES, INFOS, seen.changed, CENTRES, BOARD.cell_size_mm)
        first, second, *_ = out.pieces[0].candidates
        assert set(first.spots) == set(slid)
        return first.log_prob - second.log_prob

    assert second_best(rival) > second_best() + math.log(3.0)


@pytest.mark.parametrize("strength", [dict.fromkeys(TRUE, 0.9), {}])
def test_a_ruin_that_has_not_left_its_cells_lies_nowhere_else(strength: dict[str, float]) -> None:
    assert read_as(SEEN, strength) == [set(SEEN)]


def test_of_two_ruins_that_have_moved_each_lies_where_the_look_has_changed() -> None:
    """One is seen a cell off, the other one where it lies."""
    there = ("m1", "m2", "n1")
    strength = dict.fromkeys({*HOME, *TRUE, *HOMES["ruin/2"], *there}, 0.9)
    both = replace(view(SEEN, strength), pieces=(ruin(SEEN), ruin(there)))
    out = with_footprints(both, HOMES, INFOS, both.changed, CENTRES, BOARD.cell_size_mm)
    assert [set(p.best.spots) for p in out.pieces] == [set(TRUE), set(there)]


def test_a_ruin_seen_where_it_lay_has_moved_where_that_has_plainly_changed() -> None:
    """It slid by one cell and is read one cell back."""
    one_on = ("d6", "d7", "e6")
    ends = dict.fromkeys(set(HOME) ^ set(one_on), 0.9)
    assert set(one_on) in read_as(HOME, ends)
    assert read_as(HOME, {**ends, "c6": 0.1})[0] == set(HOME)
    assert read_as(HOME, {"c6": 0.9}) == [set(HOME)]


def test_without_a_comparison_a_ruin_lies_where_it_is_seen() -> None:
    seen = replace(view(SEEN, {}), changed=None)
    assert with_footprints(seen, HOMES, INFOS, None, CENTRES, BOARD.cell_size_mm) is seen


def test_a_ruin_put_back_is_at_home_from_where_it_strayed() -> None:
    """It had been turned, is put back, and is read as if it still lay turned: the look tells both ways."""
    turned = ("c6", "c7", "d7")
    changed = dict.fromkeys(set(turned) ^ set(HOME), 0.9)
    seen = view(("b6", "b7", "c7"), changed)
    out = with_footprints(
        seen, HOMES, INFOS, seen.changed, CENTRES, BOARD.cell_size_mm, [frozenset(turned)],
        frozenset(turned),
    )  # fmt: skip
    assert set(out.pieces[0].best.spots) == set(HOME)


@pytest.mark.parametrize(("away", "when", "moved"), [
    pytest.param((), 0.9, True, id="it has left now"),
    pytest.param((), 0.0, False, id="it was seen there since"),
    pytest.param(("ruin/1",), 0.9, False, id="it was away and is back"),
    pytest.param(("ruin/1",), 0.0, True, id="it is away still"),
])  # fmt: skip
def test_a_ruin_seen_where_it_lay_is_back_where_it_was_away(
    away: tuple[str, ...], when: float, moved: bool
) -> None:
    one_on = ("d6", "d7", "e6")
    strength = dict.fromkeys(set(HOME) ^ set(one_on), 0.9)
    seen = replace(view(HOME, strength), still_s=0.5)
    changed = dict.fromkeys(strength, when)
    out = with_footprints(
        seen, HOMES, INFOS, changed, CENTRES, BOARD.cell_size_mm, away=away
    )  # fmt: skip
    assert (set(one_on) in [set(c.spots) for c in out.pieces[0].candidates]) is moved
