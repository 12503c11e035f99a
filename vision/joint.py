"""Joint assignment of the things seen to the pieces of the inventory."""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.assignment import assign
from engine.board import Board
from vision.silhouettes import outline
from vision.things import Look, Things

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
    left = TRIES

    def solve(table: NDArray[np.float64]) -> tuple[float, list[tuple[int, Look]]]:
        nonlocal left
        pairs = best_assignment(table, looks, slots)
        clash = first_clash(pairs, table, looks, things, rows, board)
        if clash is None:
            return sum(float(table[r, looks.index(k)]) - ACCEPT for r, k in pairs), pairs
        options = clash if left > 0 else clash[:1]
        left -= len(options)
        return max((solve(_without(table, r)) for r in options), key=lambda found: found[0])

    return solve(scores)[1]


def _without(table: NDArray[np.float64], row: int) -> NDArray[np.float64]:
    fewer = table.copy()
    fewer[row] = ACCEPT - 1.0
    return fewer


def best_assignment(
    scores: NDArray[np.float64], looks: list[Look], slots: list[Look]
) -> list[tuple[int, Look]]:
    """(row, look) pairs of the best joint assignment; weak things stay unassigned."""
    n = scores.shape[0]
    if not n or not slots:
        return []
    column = [looks.index(s) for s in slots]
    gain = scores[:, column] - ACCEPT
    # things and slots that gain nothing stay unassigned in every best solution
    things, places = np.flatnonzero((gain > 0).any(axis=1)), np.flatnonzero((gain > 0).any(axis=0))
    some = gain[np.ix_(things, places)]
    cost = np.hstack([np.minimum(-some, 0.0), np.zeros((len(things), len(things)))])
    pairs = enumerate(assign(cost.tolist()))
    taken = [(r, c) for r, c in pairs if c < len(places) and some[r, c] > 0]
    return [(int(things[r]), slots[int(places[c])]) for r, c in taken]


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
    ranked = sorted(matched, key=lambda m: -scores[m[0], looks.index(m[1])])
    objectness = things.detections.score
    reach = GHOST_CELLS * board.cell_size_mm
    for k, (r, look) in enumerate(ranked):
        weak = scores[r, looks.index(look)] <= SURE
        for s, other in ranked[:k]:
            if other[1] != look[1]:
                continue
            a, b = rows[r], rows[s]
            near = np.linalg.norm(things.at_mm[a] - things.at_mm[b]) < reach
            if near and (weak or min(objectness[a], objectness[b]) < CLEAR):
                return r, s
            if _hidden_in(things, a, b):
                return r, s
    return None


def _hidden_in(things: Things, weak: int, strong: int) -> bool:
    """Whether a thing that the network hardly sees lies within the outline of another."""
    seen = things.detections
    if float(seen.score[weak]) >= CLEAR:
        return False
    inner, outer = (
        outline(
            seen.foot_px[i].astype(float), seen.top_px[i].astype(float), float(seen.width_px[i])
        ).astype(np.float32)
        for i in (weak, strong)
    )
    shared, _ = cv2.intersectConvexConvex(cv2.convexHull(inner), cv2.convexHull(outer))
    return shared > WITHIN * cv2.contourArea(cv2.convexHull(inner))
