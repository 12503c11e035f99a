"""Brings the network's things and the search by synthesis together."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.board import Board
from vision.appearance import ground_scale
from vision.looks import Enrolment
from vision.pixel_evidence import Evidence
from vision.shapes import shape_of
from vision.silhouette_search import NEAR_OFFSETS, Hit, fit
from vision.types import SHAPES, BoardPose, Detections

SAME_PLACE = 0.5  # of a cell: a hit so near a thing of the network is that thing
FULL_SCORE, HALF_WAY = 0.22, 1.6  # objectness of a hit: half of FULL_SCORE at this log-odds
BESIDE = (0.2, 0.42)  # of a cell: a thing that far off may have its foot at the tip of its shadow
CLEAR_HIT, GAIN = 1.3, 1.0  # log-odds of a hit, and by how much it must explain more than the thing
WALLS = ("wall", "l_wall")


def add_hits(
    detections: Detections,
    hits: Sequence[Hit],
    pose: BoardPose,
    board: Board,
    enrolment: Enrolment,
    evidence: Evidence,
) -> Detections:
    """The detections, and a thing for every hit where the network saw none, or saw its foot at a
    place that explains the picture much worse."""
    feet = pose.to_board(detections.foot_px.astype(np.float64))
    names = [detections.shape_of(i) for i in range(len(detections))]
    reach = SAME_PLACE * board.cell_size_mm
    seen = feet[[i for i, n in enumerate(names) if n not in WALLS]].reshape(-1, 2)
    added: list[Hit] = []
    for hit in hits:
        at = np.array(hit.at_mm)
        others = [np.array(h.at_mm) for h in added]
        if any(np.linalg.norm(at - o) <= reach for o in others):
            continue
        near = seen[np.linalg.norm(seen - at, axis=1) <= reach]
        if _explains_more(hit, at, near, evidence, pose, board, enrolment):
            added.append(hit)
    return with_things(detections, [_row(hit, pose, board, enrolment) for hit in added])


def _explains_more(
    hit: Hit,
    at: NDArray[np.float64],
    near: NDArray[np.float64],
    evidence: Evidence,
    pose: BoardPose,
    board: Board,
    enrolment: Enrolment,
) -> bool:
    """Whether the hit is no echo of the things ``near`` (N, 2) mm."""
    if not len(near):
        return True
    apart = float(np.linalg.norm(near - at, axis=1).min()) / board.cell_size_mm
    if not BESIDE[0] < apart < BESIDE[1] or hit.score < CLEAR_HIT:
        return False
    places = (near[:, None] + NEAR_OFFSETS[None] * board.cell_size_mm).reshape(-1, 2)
    kind, colour = hit.look
    theirs = fit(evidence, pose, board, enrolment, kind, [colour], places).max()
    return bool(hit.score > theirs + GAIN)


Thing = tuple[NDArray[np.float64], NDArray[np.float64], float, NDArray[np.float32]]


def with_things(detections: Detections, rows: Sequence[Thing]) -> Detections:
    """The detections and further things: (foot px, top px, width px, shape scores) each."""
    if not rows:
        return detections
    return Detections(
        np.concatenate([detections.foot_px, np.array([r[0] for r in rows], np.float32)]),
        np.concatenate([detections.top_px, np.array([r[1] for r in rows], np.float32)]),
        np.concatenate([detections.width_px, np.array([r[2] for r in rows], np.float32)]),
        np.concatenate([detections.shape_scores, np.array([r[3] for r in rows], np.float32)]),
        np.concatenate([detections.score, np.array([r[3].max() for r in rows], np.float32)]),
        detections.piece_mask,
        detections.hand_mask,
        detections.mask_to_image,
        detections.look_map,
    )


def _row(hit: Hit, pose: BoardPose, board: Board, enrolment: Enrolment) -> Thing:
    score = FULL_SCORE / (1 + np.exp(2.0 * (HALF_WAY - hit.score)))
    return thing_at(hit.look[0], hit.at_mm, float(score), pose, board, enrolment)


def thing_at(
    kind: str,
    at_mm: tuple[float, float],
    score: float,
    pose: BoardPose,
    board: Board,
    enrolment: Enrolment,
) -> Thing:
    """A piece of a kind at a place, as the network would have given it."""
    size = enrolment.size(kind, board)
    ends = pose.to_image(np.array([[*at_mm, 0.0], [*at_mm, size.height_mm]]))
    width = size.width_mm * float(ground_scale(pose, np.array([at_mm]))[0])
    scores = np.full(len(SHAPES), 0.01, np.float32)
    scores[SHAPES.index(shape_of(kind, board))] = score
    return ends[0], ends[1], width, scores
