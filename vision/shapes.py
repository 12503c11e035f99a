"""Which shape class of the detector a kind of piece has: data, no rules."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.board import Board
from vision.types import SHAPES

# Kinds of the four games and of the test boards.  A board file may say otherwise:
# ``"pieces_mm": {"wizard": {"shape": "cube", …}}``.
SHAPE_OF_KIND = {
    "wizard": "pawn",
    "goblin": "pawn",
    "giant": "pawn",
    "knight": "pawn",
    "king": "pawn",
    "queen": "pawn",
    "merlin": "pawn",
    "morgane": "pawn",
    "mage": "pawn",
    "witch": "pawn",
    "pawn": "pawn",
    "stone": "disc",
    "wisdom": "disc",
    "energy_stone": "cube",
    "score_marker": "cube",
    "shield": "shield",
    "ruin": "l_wall",
    "castle": "castle",
    "chip": "chip",
    "die": "die",
    "meeple": "meeple",
}

# How readily the net's class is taken for another one: a squat pawn seen from above looks like a
# disc or a cube, a thin shield like a pawn.  Rows: true shape; missing pairs count as FAR.
NEAR = {
    ("pawn", "disc"): 0.15,
    ("pawn", "cube"): 0.1,
    ("pawn", "meeple"): 0.3,
    ("pawn", "shield"): 0.05,
    ("disc", "chip"): 0.3,
    ("disc", "pawn"): 0.1,
    ("cube", "die"): 0.2,
    ("die", "cube"): 0.2,
    ("cube", "pawn"): 0.1,
    ("shield", "cube"): 0.1,
    ("shield", "pawn"): 0.05,
    ("shield", "meeple"): 0.1,
    ("castle", "l_wall"): 0.1,
}
FAR = 0.01


def shape_of(kind: str, board: Board | None = None) -> str:
    """Shape class of a kind: from the board file, the table above, or "pawn"."""
    if board is not None:
        named = board.raw.get("pieces_mm", {}).get(kind, {}).get("shape")
        if named in SHAPES:
            return str(named)
    return SHAPE_OF_KIND.get(kind, "pawn")


def shape_likelihood(scores: NDArray[np.float64], shape: str) -> NDArray[np.float64]:
    """(N,) how well the net's class scores (N, len(SHAPES)) speak for a true shape, 0 to 1."""
    near = [1.0 if seen == shape else NEAR.get((shape, seen), FAR) for seen in SHAPES]
    return np.asarray((scores * np.array(near)).max(axis=1))
