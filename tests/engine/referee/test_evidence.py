"""Readings over the views of one still moment: what flickers counts less, another name does not."""

from __future__ import annotations

from engine.placement import PieceMove
from engine.referee.evidence import Evidence
from engine.referee.readings import Reading

KNIGHT = Reading((PieceMove("knight/white/1", ("6/0",), ("5/0",)),))
KING = Reading((PieceMove("king/white", ("6/0",), ("5/0",)),))
NOTHING = Reading(())


def scored(reading: Reading, log_likelihood: float) -> Reading:
    return Reading(reading.moves, log_likelihood=log_likelihood)


def means(views: list[list[Reading]]) -> dict[frozenset[object], float]:
    evidence = Evidence()
    for n, readings in enumerate(views):
        evidence.add(0.1 * n, tuple(readings))
    return {frozenset(r.signature): ll for ll, r in evidence.ranked()}


def test_another_name_for_a_piece_that_all_views_allow_is_as_likely_as_they_say() -> None:
    found = means([[scored(KNIGHT, 0.0), scored(KING, -1.1)]] * 5)
    assert abs(found[frozenset(KING.signature)] + 1.1) < 1e-9


def test_a_move_that_only_some_views_bear_out_is_doubted() -> None:
    seen = [scored(KNIGHT, 0.0), scored(NOTHING, -1.0)]
    missed = [scored(NOTHING, 0.0), scored(KNIGHT, -4.0)]
    found = means([seen, missed, missed, seen, missed])
    assert found[frozenset(KNIGHT.signature)] < -5.0 < found[frozenset()]
