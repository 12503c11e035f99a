"""Which way round a board lies whose print looks the same from several sides: as its pieces say."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.assignment import assign
from engine.board import Board
from vision.appearance import sample_colours
from vision.enrolment import label_prices
from vision.labels import LabelledPiece
from vision.looks import Enrolment
from vision.silhouettes import owner_map
from vision.types import BoardPose, Detections, FloatArray, Image

MISSED = 1.0  # price of a piece that is not seen where it should stand
LEAD = 0.12  # so much cheaper per piece the best turn must be
MOST = 0.8  # per piece: at this price hardly anything stands where it should


def turn_by_pieces(
    image: Image,
    poses: Sequence[BoardPose],
    board: Board,
    pieces: Sequence[LabelledPiece],
    detections: Detections,
    learnt: Enrolment | None = None,
) -> int | None:
    """The number of the pose (the same place, the board turned) under which the pieces stand where
    they are known to; None where several agree as well or none does, or no piece is known.

    ``detections``: of ``image``, under any of the poses.
    """
    if not pieces or not len(detections):
        return None
    colours = sample_colours(image, detections, owner_map(image, poses[0], board, detections))
    prices = [_price(board, p, pieces, detections, colours, learnt) for p in poses]
    best, second = np.argsort(prices)[:2]
    clear = prices[second] - prices[best] >= LEAD and prices[best] <= MOST
    return int(best) if clear else None


def _price(
    board: Board,
    pose: BoardPose,
    pieces: Sequence[LabelledPiece],
    detections: Detections,
    colours: FloatArray,
    learnt: Enrolment | None,
) -> float:
    """Per piece, 0 to `MISSED`: how badly the things agree with the known places."""
    rows, prices = label_prices(board, pose, pieces, detections, colours, learnt)
    if not rows:
        return MISSED
    cost = np.hstack([prices, np.full((len(rows), len(rows)), MISSED)])
    return float(np.mean([cost[r, c] for r, c in enumerate(assign(cost.tolist()))]))
