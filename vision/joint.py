"""Joint assignment of the things seen to the pieces of the inventory."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.board import Board
from vision.silhouettes import outline
from vision.things import Look, Things
from vision.transport import Allotment
from vision.types import Detections

ACCEPT = -4.0  # log-odds a thing needs to be taken for an inventory piece
GHOST_CELLS, SURE = 0.8, 2.0  # so near, and below these log-odds, a second thing is an echo
CLEAR, WITHIN = 0.3, 0.45  # objectness of a thing of its own; share within another outline
TRIES = 8  # further assignments to weigh which of two clashing things goes
SCALINGS = 12  # rounds of scaling towards the marginals


def assign_pieces(
    scores: NDArray[np.float64],
    looks: list[Look],
    slots: list[Look],
    things: Things,
    rows: list[int],
    board: Board,
) -> list[tuple[int, Look]]:
    """(row, look) pairs of the best joint assignment in which no piece is seen twice.

    An echo of a piece takes a place of the inventory that another thing may need.  Where two things
    clash, one of them goes and the assignment is made again: at first for either of them, later,
    when that has been tried often enough, only for the weaker one.
    """
    if not len(scores) or not slots:
        return []
    left = TRIES
    room = Counter(slots)

    def solve(allotment: Allotment) -> tuple[float, list[tuple[int, Look]]]:
        nonlocal left
        pairs = [(row, looks[column]) for row, column in allotment.pairs()]
        clash = first_clash(pairs, scores, looks, things, rows, board)
        if clash is None:
            return sum(float(scores[r, looks.index(k)]) - ACCEPT for r, k in pairs), pairs
        options = clash if left > 0 else clash[:1]
        left -= len(options)
        return max((solve(allotment.without(r)) for r in options), key=lambda found: found[0])

    return solve(Allotment(scores - ACCEPT, [room[look] for look in looks]))[1]


def marginals(
    scores: NDArray[np.float64], looks: list[Look], counts: Mapping[Look, int]
) -> NDArray[np.float64]:
    """(R, L) log-probability of each look of each thing, given how many pieces there are of each.

    Alternate scaling of rows to one and of columns to at most their count (Sinkhorn 1964): an
    approximation of the marginals over all assignments.
    """
    n = scores.shape[0]
    weights = np.exp(np.clip(np.hstack([scores, np.full((n, 1), ACCEPT)]), -30, 30))
    room = np.array([float(counts[look]) for look in looks])
    for _ in range(SCALINGS):
        weights /= weights.sum(axis=1, keepdims=True)
        weights[:, :-1] /= np.maximum(weights[:, :-1].sum(axis=0) / room, 1.0)
    weights /= weights.sum(axis=1, keepdims=True)
    return np.asarray(np.log(np.maximum(weights[:, :-1], 1e-12)))


def first_clash(
    matched: list[tuple[int, Look]],
    scores: NDArray[np.float64],
    looks: list[Look],
    things: Things,
    rows: list[int],
    board: Board,
) -> tuple[int, int] | None:
    """(weaker, stronger) row of two things of one colour that can only be one piece, or None.

    Such are weak things beside stronger ones; things that the network hardly sees beside others,
    however well they would explain the pixels; and those that lie within another's outline.
    """
    value = {m: float(scores[m[0], looks.index(m[1])]) for m in matched}
    ranked = sorted(matched, key=lambda m: -value[m])
    objectness = things.detections.score.tolist()
    reach = GHOST_CELLS * board.cell_size_mm
    at, rivals = things.at_mm.tolist(), _rivals(things, reach)
    for k, (r, look) in enumerate(ranked):
        weak, a = value[r, look] <= SURE, rows[r]
        for s, other in ranked[:k] if rivals[a] else ():
            b = rows[s]
            if b not in rivals[a] or other[1] != look[1]:
                continue
            doubtful = weak or min(objectness[a], objectness[b]) < CLEAR
            if doubtful and math.dist(at[a], at[b]) < reach:
                return r, s
            if hidden_in(things, a, b):
                return r, s
    return None


def _rivals(things: Things, reach_mm: float) -> list[frozenset[int]]:
    """For every thing the others so near that they may be one piece: their feet, or, of what the
    network hardly sees, the boxes about their pictures."""
    if not things.rivals:
        seen = things.detections
        apart = np.linalg.norm(things.at_mm[:, None] - things.at_mm[None], axis=2)
        half = seen.width_px[:, None] / 2 + 1.0
        low = np.minimum(seen.foot_px, seen.top_px) - half
        high = np.maximum(seen.foot_px, seen.top_px) + half
        meet = (low[:, None] < high[None]).all(axis=2)
        faint = seen.score < CLEAR
        near = (apart < reach_mm * 1.001) | (faint[:, None] & meet & meet.T)
        things.rivals.extend(
            frozenset(np.flatnonzero(row).tolist()) - {i} for i, row in enumerate(near)
        )
    return things.rivals


def hidden_in(things: Things, weak: int, strong: int) -> bool:
    """Whether a thing that the network hardly sees lies within the outline of another: worked out
    once for every two, as many assignments are tried."""
    if float(things.detections.score[weak]) >= CLEAR:
        return False
    if (weak, strong) not in things.within:
        things.within[weak, strong] = _covered(things.detections, weak, strong)
    return things.within[weak, strong]


def _covered(seen: Detections, weak: int, strong: int) -> bool:
    inner, outer = (
        outline(
            seen.foot_px[i].astype(float), seen.top_px[i].astype(float), float(seen.width_px[i])
        ).astype(np.float32)
        for i in (weak, strong)
    )
    shared, _ = cv2.intersectConvexConvex(cv2.convexHull(inner), cv2.convexHull(outer))
    return bool(shared > WITHIN * cv2.contourArea(cv2.convexHull(inner)))
