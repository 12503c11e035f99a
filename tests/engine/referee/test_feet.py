"""A piece is compared with its own last foot; equal pieces stay apart."""

from __future__ import annotations

from engine.observation import Candidate, Observation, SeenPiece
from engine.placement import PieceInfo, PieceMove, Placement
from engine.referee.feet import Feet

INFOS = {
    "goblin/1": PieceInfo("goblin/1", "goblin", "black"),
    "goblin/2": PieceInfo("goblin/2", "goblin", "black"),
    "giant": PieceInfo("giant", "giant", "black"),
}


def seen(*things: tuple[str, str, tuple[float, float]]) -> Observation:
    pieces = tuple(
        SeenPiece(at, (1.0, 0.0, 1.0), at, (Candidate(kind, "black", (spot,), -0.1),), 0.9)
        for kind, spot, at in things
    )
    return Observation(1.0, True, False, pieces)


def spots(view: Observation) -> list[str]:
    return [p.best.spots[0] for p in view.pieces]


def placed(**pieces: str) -> Placement:
    return Placement({p.replace("_", "/"): (s,) for p, s in pieces.items()}, INFOS)


def test_a_foot_that_stays_is_at_home_and_one_that_moves_is_not() -> None:
    feet, placement = Feet(28.0), placed(giant="e9")
    view = seen(("giant", "f9", (100.0, 50.0)))
    either = SeenPiece(
        (100.0, 50.0), (1.0, 0.0, 1.0), (0.0, 0.0),
        (Candidate("giant", "black", ("f9",), -0.5), Candidate("giant", "black", ("e9",), -0.9)), 0.9,
    )  # fmt: skip
    accepted = Observation(1.0, True, False, (either,))
    feet.understood(accepted, accepted, [PieceMove("giant", ("a1",), ("e9",))], placement)
    assert spots(feet.at_home(view, placement.pieces, placement)) == ["e9"]
    moved = seen(("giant", "f9", (110.0, 50.0)))
    assert spots(feet.at_home(moved, placement.pieces, placement)) == ["f9"]
    elsewhere = placed(giant="g9")
    assert spots(feet.at_home(view, elsewhere.pieces, elsewhere)) == ["f9"]


def test_a_correction_that_exchanges_equal_pieces_says_nothing_of_the_eyes() -> None:
    feet, placement = Feet(28.0), placed(goblin_1="b2", goblin_2="a1")
    view = seen(("goblin", "a1", (10.0, 10.0)), ("goblin", "b2", (40.0, 40.0)))
    there = {"goblin/1": ("a1",), "goblin/2": ("b2",)}
    feet.corrected(view, there, ["goblin/1", "goblin/2"], placement.pieces, placement)
    assert spots(feet.at_home(view, placement.pieces, placement)) == ["a1", "b2"]


def test_a_corrected_piece_is_at_home_where_it_is_seen() -> None:
    feet, placement = Feet(28.0), placed(goblin_1="b2", goblin_2="a1")
    view = seen(("goblin", "a1", (10.0, 10.0)), ("goblin", "b3", (40.0, 70.0)))
    there = {"goblin/1": ("b3",), "goblin/2": ("a1",)}
    feet.corrected(view, there, ["goblin/1"], placement.pieces, placement)
    assert spots(feet.at_home(view, placement.pieces, placement)) == ["a1", "b2"]
