"""The pips on the top face of one die whose place is at least roughly known."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from vision.dice.networks import DiceNetworks, networks
from vision.dice.patch import SIDE_PX, cut_patch, seen_at
from vision.types import BoardPose, FloatArray, Image

ROUNDS = 3
# The place is good when reading there moves it by less than this, in sides.
SETTLED = 0.06
MOST_STEP = 0.8  # sides; farther is another die
OLDER = 0.3  # weight of the readings at earlier places


@dataclass(frozen=True, slots=True)
class ReadDie:
    """``pips``: log-probabilities of 1 to 6.  ``centre_px``: middle of the top face.

    ``side_px``: one side seen square on.  ``sure``: probability that it is a readable die at all.
    """

    pips: tuple[float, ...]
    centre_px: tuple[float, float]
    side_px: float
    sure: float

    @property
    def value(self) -> int:
        """The most probable pips."""
        return int(np.argmax(self.pips)) + 1


def read_at(
    image: Image,
    centre_px: tuple[float, float],
    side_px: float,
    turn: float = 0.0,
    nets: DiceNetworks | None = None,
) -> ReadDie:
    """Reads the die about ``centre_px``; the place may be off by half a side, the side by a third.

    ``turn``: how the picture's vertical leans (`vision.dice.patch.cut_patch`).
    """
    nets = nets or networks()
    at, side = centre_px, side_px
    total: FloatArray | None = None
    for _ in range(ROUNDS):
        log_p, step, factor = nets.read(cut_patch(image, at, side, turn))
        # The last look is the best placed one, the first ones are other views of the same.
        total = log_p if total is None else OLDER * total + (1 - OLDER) * log_p
        length = math.hypot(*step)
        if length > MOST_STEP:
            break
        c, s = math.cos(turn), math.sin(turn)
        dx, dy = c * step[0] - s * step[1], s * step[0] + c * step[1]
        at = (at[0] + dx * side, at[1] + dy * side)
        side = float(np.clip(side * factor, 0.6 * side_px, 1.7 * side_px))
        if length < SETTLED and abs(factor - 1) < 0.1:
            break
    assert total is not None
    return _as_die(total, at, side)


def _as_die(log_p: FloatArray, at: tuple[float, float], side: float) -> ReadDie:
    p = np.exp(log_p - log_p.max())
    p /= p.sum()
    pips = np.log(np.maximum(p[1:], 1e-9) / max(float(p[1:].sum()), 1e-9))
    return ReadDie(tuple(float(v) for v in pips), at, side, float(1 - p[0]))


def read_die(
    image: Image, pose: BoardPose, at_mm: tuple[float, float], size_mm: float
) -> tuple[float, ...]:
    """Log-probabilities of 1 to 6 for the die standing at a board point."""
    return read_at(image, *seen_at(pose, at_mm, size_mm)).pips


__all__ = ["SIDE_PX", "ReadDie", "read_at", "read_die"]
