"""Vectors that tell kinds of one colour apart."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.drawn import draw_table, piece
from vision.enrolment import enrol
from vision.look_vectors import LEAST, MOST, look_log_odds, mean_vector, read_vectors
from vision.reading import read
from vision.types import Detections

SHIELD, WIZARD = ("shield", "green"), ("wizard", "green")


def with_map(detections: Detections, kinds: list[str]) -> Detections:
    """A look map in which every thing's foot carries the vector of its kind."""
    names = sorted(set(kinds))
    maps = np.zeros((len(names) + 1, *detections.piece_mask.shape), np.float32)
    maps[-1] = 1.0
    for foot, kind in zip(detections.foot_px, kinds, strict=True):
        x, y = np.round(foot / 4).astype(int)
        maps[:, y - 1 : y + 2, x - 1 : x + 2] = 0
        maps[names.index(kind), y - 1 : y + 2, x - 1 : x + 2] = 3.0
    return replace(detections, look_map=maps)


def test_the_nearest_known_look_gains_and_the_others_lose() -> None:
    known = {SHIELD: np.array([1, 0], np.float32), WIZARD: np.array([0, 1], np.float32)}
    odds = look_log_odds(np.array([[1, 0], [0.6, 0.8], [0.7, 0.7]], np.float32), known)
    assert odds[SHIELD][0] > 0.5 > 0 > odds[WIZARD][0]
    assert odds[WIZARD][1] > 0 > odds[SHIELD][1]
    assert odds[SHIELD][2] == pytest.approx(0, abs=0.1)
    assert min(v.min() for v in odds.values()) >= LEAST
    assert max(v.max() for v in odds.values()) <= MOST


def test_a_kind_that_was_not_seen_yet_is_as_likely_as_those_like_it() -> None:
    known = {SHIELD: np.array([1, 0], np.float32), ("wizard", "red"): np.array([0, 1], np.float32)}
    seen = np.array([[1, 0], [0, 1]], np.float32)
    giant = ("giant", "black")
    odds = look_log_odds(seen, known, {WIZARD: [SHIELD], SHIELD: [("wizard", "red")], giant: []})
    assert odds[WIZARD] == pytest.approx(odds[SHIELD])
    assert odds[SHIELD][0] > 0 > odds[SHIELD][1]
    assert giant not in odds


def test_one_known_look_says_nothing() -> None:
    assert look_log_odds(np.ones((2, 2), np.float32), {SHIELD: np.ones(2, np.float32)}) == {}


def test_mean_vectors_have_length_one() -> None:
    middle = mean_vector([np.array([2, 0], np.float32), np.array([0, 2], np.float32)])
    assert np.linalg.norm(middle) == pytest.approx(1)


def test_a_network_without_vectors_is_read_as_before() -> None:
    table = draw_table((piece("wizard", "green", "c12"),), 1)
    assert read_vectors(table.detections) is None


def test_vectors_overrule_a_doubtful_shape() -> None:
    """Shield and wizard of one colour, taken for one another by the shape classes."""
    start = draw_table((piece("wizard", "green", "f1"), piece("shield", "green", "l14")), 1)
    later = draw_table((piece("wizard", "green", "c12"), piece("shield", "green", "e5")), 2)
    order = sorted(later.pieces, key=lambda p: p.at_mm[1] if p.at_mm else 0)
    first = sorted(start.pieces, key=lambda p: p.at_mm[1] if p.at_mm else 0)
    swapped = replace(
        later.detections, shape_scores=later.detections.shape_scores[::-1].copy(),
        score=later.detections.score[::-1].copy(),
    )  # fmt: skip
    learnt = enrol(
        start.image, start.pose, start.board, start.pieces,
        with_map(start.detections, [p.kind for p in first]),
    )  # fmt: skip
    assert set(learnt.vectors) == {SHIELD, WIZARD}
    reading = read(
        later.image, later.pose, later.board, with_map(swapped, [p.kind for p in order]), learnt
    )
    spots = {(p.kind, p.colour): p.spots for p in reading.pieces}
    assert spots == {WIZARD: ("c12",), SHIELD: ("e5",)}
